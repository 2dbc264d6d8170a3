# SPDX-License-Identifier: Apache-2.0
"""JAX alone: derivatives of networks, random numbers, images, signals, filters."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import numpy as np

from table import c64, f32, i32, key
from zoo import leaves, model

rng = np.random.default_rng(0)
w1, w2, kernel = (rng.normal(size=s).astype("f4") * 0.4 for s in [(4, 8), (8, 3), (3, 3, 2, 4)])


def mlp(x):
    return jnp.tanh(x @ w1) @ w2


def cnn(image):
    y = jax.lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = jax.lax.reduce_window(jax.nn.relu(y), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    y = jax.lax.conv_general_dilated(
        y, kernel.transpose(0, 1, 3, 2), (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return y.mean((1, 2))


def attention(x):
    q, k, v = x, x @ w1[:, :4], x @ w1[:, 4:]
    scores = jnp.where(jnp.tril(jnp.ones((x.shape[-2],) * 2, bool)), q @ k.swapaxes(-1, -2) / 2, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def recurrent(xs):
    return jax.lax.scan(lambda h, x: (jnp.tanh(x @ w1[:, :4] + h @ w1[:, 4:]),) * 2, jnp.zeros_like(xs[0]), xs)[1]


networks = {
    "mlp": (mlp, (5, 4)),
    "cnn": (cnn, (2, 6, 6, 2)),
    "attention": (attention, (2, 5, 4)),
    "layer_norm": (layer_norm, (3, 8)),
    "recurrent": (recurrent, (6, 2, 4)),
}
for name, (network, shape) in networks.items():
    batched = ("B", *shape[1:]) if name != "recurrent" else (6, "B", 4)

    @model(f"gradient_{name}", f32(*batched))
    def gradient(network=network):
        return jax.value_and_grad(lambda x: (network(x) ** 2).sum())

    @model(f"jvp_{name}", f32(*batched), f32(*batched))
    def tangent(network=network):
        return lambda x, t: jax.jvp(network, (x,), (t,))

    @model(f"hessian_{name}", f32(*[min(d, 4) for d in shape]))
    def hessian(network=network):
        return jax.hessian(lambda x: (network(x) ** 2).sum())

    @model(f"jacobian_{name}", f32(*shape))
    def jacobian(network=network):
        return jax.jacrev(network)


@model("remat_gradient", f32(3, 4))
def remat():
    return jax.grad(lambda x: jax.checkpoint(mlp)(x).sum())


distributions = {
    "normal": lambda k: jax.random.normal(k, (8,)),
    "uniform": lambda k: jax.random.uniform(k, (8,)),
    "bits": lambda k: jax.random.bits(k, (8,)),
    "randint": lambda k: jax.random.randint(k, (8,), 0, 100),
    "categorical": lambda k: jax.random.categorical(k, jnp.arange(5.0), shape=(8,)),
    "gumbel": lambda k: jax.random.gumbel(k, (8,)),
    "bernoulli": lambda k: jax.random.bernoulli(k, 0.3, (8,)),
    "exponential": lambda k: jax.random.exponential(k, (8,)),
    "laplace": lambda k: jax.random.laplace(k, (8,)),
    "gamma": lambda k: jax.random.gamma(k, 2.5, (8,)),
    "beta": lambda k: jax.random.beta(k, 1.5, 2.5, (8,)),
    "dirichlet": lambda k: jax.random.dirichlet(k, jnp.ones(4), (3,)),
    "poisson": lambda k: jax.random.poisson(k, 3.0, (8,)),
    "permutation": lambda k: jax.random.permutation(k, 8),
    "choice": lambda k: jax.random.choice(k, 8, (4,), replace=False),
    "truncated_normal": lambda k: jax.random.truncated_normal(k, -1, 1, (8,)),
    "cauchy": lambda k: jax.random.cauchy(k, (8,)),
    "logistic": lambda k: jax.random.logistic(k, (8,)),
    "rademacher": lambda k: jax.random.rademacher(k, (8,)),
    "student_t": lambda k: jax.random.t(k, 3.0, (8,)),
    "weibull": lambda k: jax.random.weibull_min(k, 1.0, 2.0, (8,)),
    "multivariate_normal": lambda k: jax.random.multivariate_normal(k, jnp.zeros(3), jnp.eye(3) + 0.2, (4,)),
    "ball": lambda k: jax.random.ball(k, 3, shape=(4,)),
    "binomial": lambda k: jax.random.binomial(k, 10, 0.3, (8,)),
    "geometric": lambda k: jax.random.geometric(k, 0.3, (8,)),
    "orthogonal": lambda k: jax.random.orthogonal(k, 3),
    "loggamma": lambda k: jax.random.loggamma(k, 0.5, (8,)),
    "rayleigh": lambda k: jax.random.rayleigh(k, 1.0, (8,)),
    "wald": lambda k: jax.random.wald(k, 1.0, (8,)),
    "maxwell": lambda k: jax.random.maxwell(k, (8,)),
    "split": lambda k: jax.vmap(lambda k: jax.random.normal(jax.random.fold_in(k, 3), (2,)))(jax.random.split(k, 4)),
}
for name in distributions:

    @model(f"random_{name}", key(7))
    def sample(name=name):
        return distributions[name]


for method in ["nearest", "linear", "cubic", "lanczos3", "lanczos5"]:

    @model(f"resize_{method}", f32("B", 6, 7, 3))
    def resize(method=method):
        return lambda x: (
            jax.image.resize(x, (x.shape[0], 12, 10, 3), method),
            jax.image.resize(x, (x.shape[0], 3, 4, 3), method, antialias=method != "nearest"),
        )


@model("scale_and_translate", f32(6, 7))
def scale_and_translate():
    return lambda x: jax.image.scale_and_translate(
        x, (5, 8), (0, 1), jnp.array([0.8, 1.2]), jnp.array([0.5, -0.5]), "linear"
    )


@model("map_coordinates", f32(6, 7), f32(2, 5).between(0, 5))
def map_coordinates():
    return lambda x, c: jsp.ndimage.map_coordinates(x, list(c), 1, mode="nearest")


@model("fft", c64("B", 12))
def fft():
    return lambda x: (jnp.fft.fft(x), jnp.fft.ifft(x), jnp.fft.fftshift(x))


@model("rfft_filter", f32("B", 16))
def rfft():
    return lambda x: jnp.fft.irfft(jnp.fft.rfft(x) * jnp.exp(-jnp.arange(9.0)))


@model("fft2_convolution", f32("B", 8, 8))
def fft2():
    return lambda x: jnp.fft.irfft2(jnp.fft.rfft2(x) * jnp.fft.rfft2(jnp.ones((8, 8)) / 64))


@model("stft", f32(64))
def stft():
    return lambda x: jnp.abs(jsp.signal.stft(x, nperseg=16)[2])


@model("convolve", f32(12), f32(5))
def convolve():
    return lambda x, y: (jnp.convolve(x, y), jsp.signal.fftconvolve(x, y), jnp.correlate(x, y, "same"))


@model("kalman_filter", f32(6, 2))
def kalman():
    a, h, q, r = jnp.eye(4) + jnp.eye(4, k=2) * 0.1, jnp.eye(2, 4), jnp.eye(4) * 0.01, jnp.eye(2) * 0.1

    def step(carry, y):
        m, p = carry
        m, p = a @ m, a @ p @ a.T + q
        s = h @ p @ h.T + r
        k = jnp.linalg.solve(s, h @ p).T
        m, p = m + k @ (y - h @ m), p - k @ s @ k.T
        return (m, p), (m, jnp.diag(p))

    return lambda ys: jax.lax.scan(step, (jnp.zeros(4), jnp.eye(4)), ys)[1]


@model("associative_scan_ssm", f32("B", 8, 4))
def ssm():
    decay = jnp.linspace(0.5, 0.9, 4)
    combine = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
    return lambda x: jax.lax.associative_scan(combine, (jnp.broadcast_to(decay, x.shape), x), axis=1)[1]


@model("odeint", f32(3))
def odeint():
    from jax.experimental.ode import odeint as solve

    return lambda y: solve(lambda y, t: -0.5 * y + jnp.sin(t), y, jnp.linspace(0, 1, 4))


@model("minimize_bfgs", f32(2), rtol=1e-2, atol=1e-2)
def minimize():
    return leaves(
        lambda x: jsp.optimize.minimize(lambda x: jnp.sum((x - 1) ** 2) + (x[0] - x[1]) ** 2, x, method="BFGS").x
    )


@model("conjugate_gradient", f32(4, 4), f32(4), rtol=1e-2, atol=1e-3)
def conjugate_gradient():
    return lambda a, b: (
        jsp.sparse.linalg.cg(a @ a.T + 4 * jnp.eye(4), b)[0],
        jsp.sparse.linalg.gmres(a @ a.T + 4 * jnp.eye(4), b)[0],
        jsp.sparse.linalg.bicgstab(a @ a.T + 4 * jnp.eye(4), b)[0],
    )


@model("segment_sums", f32(8, 3), i32(8).between(0, 3))
def segments():
    return lambda x, i: (
        jax.ops.segment_sum(x, i, 4),
        jax.ops.segment_max(x, i, 4),
        jax.ops.segment_min(x, i, 4),
        jax.ops.segment_prod(x, i, 4),
    )


@model("sorting", f32("B", 9))
def sorting():
    return lambda x: (
        jnp.sort(x),
        jnp.argsort(x),
        jnp.median(x, -1),
        jnp.quantile(x, 0.3, -1),
        jax.lax.top_k(x, 3),
        jnp.cumsum(x, -1),
    )


@model("beam_search", i32(2).between(0, 5))
def beam():
    table = jnp.log(jax.nn.softmax(rng.normal(size=(6, 6)).astype("f4") * 2))

    def step(carry, _):
        tokens, scores = carry
        total = scores[:, :, None] + table[tokens]
        scores, index = jax.lax.top_k(total.reshape(2, -1), 3)
        return (index % 6, scores), (index // 6, index % 6)

    def run(first):
        tokens = jnp.broadcast_to(first[:, None], (2, 3))
        scores = jnp.where(jnp.arange(3) == 0, 0.0, -jnp.inf) * jnp.ones((2, 1))
        return jax.lax.scan(step, (tokens, scores), None, length=4)

    return leaves(run)


@model("dot_product_attention", f32("B", 6, 2, 4), f32("B", 6, 2, 4), f32("B", 6, 2, 4))
def dot_product_attention():
    return lambda q, k, v: (
        jax.nn.dot_product_attention(q, k, v, is_causal=True),
        jax.nn.dot_product_attention(q, k, v),
    )


@model("activations", f32("B", 7))
def activations():
    names = [
        "relu",
        "relu6",
        "sigmoid",
        "softplus",
        "silu",
        "log_sigmoid",
        "leaky_relu",
        "hard_sigmoid",
        "hard_silu",
        "hard_tanh",
        "elu",
        "celu",
        "selu",
        "gelu",
        "glu",
        "mish",
        "squareplus",
        "soft_sign",
        "softmax",
        "log_softmax",
        "standardize",
        "sparse_plus",
        "identity",
        "logsumexp",
    ]
    return lambda x: tuple(getattr(jax.nn, n)(x if n != "glu" else jnp.concatenate([x, x], -1)) for n in names)


@model("special_functions", f32(8).between(0.2, 3))
def special():
    s = jsp.special
    return lambda x: (
        s.gammaln(x),
        s.digamma(x),
        s.erf(x),
        s.erfinv(x / 4),
        s.i0e(x),
        s.i1e(x),
        s.betainc(x, x, x / 4),
        s.gammainc(x, x),
        s.gammaincc(x, x),
        s.ndtri(x / 4),
        s.zeta(x + 1, x),
        s.polygamma(1, x),
        s.expit(x),
        s.logit(x / 4),
        s.xlogy(x, x),
        s.entr(x),
        s.expi(x),
    )


@model("statistics", f32("B", 4), f32("B", 4).between(0.2, 2))
def statistics():
    s = jsp.stats
    return lambda x, a: (
        s.norm.logpdf(x, 0, a),
        s.norm.cdf(x),
        s.gamma.logpdf(a, 2.0),
        s.beta.logpdf(a / 3, 1.5, 2.5),
        s.t.logpdf(x, 3.0),
        s.laplace.cdf(x),
        s.expon.logpdf(a),
        s.cauchy.cdf(x),
        s.logistic.ppf(a / 3),
        s.norm.ppf(a / 3),
        s.poisson.logpmf(jnp.floor(a * 3), a),
        s.multivariate_normal.logpdf(x, jnp.zeros(4), jnp.eye(4)),
    )


@model("matrix_functions", f32(4, 4))
def matrices():
    spd = lambda a: a @ a.T + 4 * jnp.eye(4)
    return lambda a: (
        jnp.linalg.inv(spd(a)),
        jnp.linalg.det(spd(a)),
        jnp.linalg.slogdet(spd(a)),
        jnp.linalg.cholesky(spd(a)),
        jsp.linalg.expm(a * 0.3),
        jnp.linalg.matrix_power(a, 3),
        jsp.linalg.solve_triangular(spd(a), a),
        jnp.linalg.norm(a),
    )
