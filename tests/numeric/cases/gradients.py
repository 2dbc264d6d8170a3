# SPDX-License-Identifier: Apache-2.0
"""Derivatives of small networks, and whole training steps of Optax."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from table import case, f32, i32

rng = np.random.default_rng(0)
w1, w2, kernel = (rng.normal(size=s).astype("f4") * 0.5 for s in [(4, 6), (6, 3), (3, 3, 1, 2)])


def dense(x):
    return jnp.tanh(x @ w1) @ w2


def conv(x):
    y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return lax.reduce_window(jax.nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").mean((1, 2))


def attention(x):
    scores = jnp.where(jnp.tril(jnp.ones((3, 3), bool)), x @ x.swapaxes(-1, -2), -jnp.inf)
    return jax.nn.softmax(scores) @ x


def normalized(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def recurrent(xs):
    return lax.scan(lambda h, x: (jnp.tanh(x @ w1[:, :3] + h @ w2[:3]),) * 2, jnp.zeros((xs.shape[1], 3)), xs)[1]


networks = {
    "dense": (dense, (2, 4)),
    "conv": (conv, (1, 4, 4, 1)),
    "attention": (attention, (2, 3, 4)),
    "layer_norm": (normalized, (2, 4)),
    "recurrent": (recurrent, (3, 2, 4)),
}
for name, (network, shape) in networks.items():
    case("gradient", name, jax.value_and_grad(lambda x, f=network: (f(x) ** 2).sum()), f32(*shape))
    case("jvp", name, lambda x, t, f=network: jax.jvp(f, (x,), (t,)), f32(*shape), f32(*shape))
    case("vjp", name, jax.jacrev(network), f32(*shape))
    case(
        "hessian",
        name,
        jax.hessian(lambda x, f=network: (f(x) ** 2).sum()),
        f32(*[min(d, 4) for d in shape]),
        rtol=1e-3,
        atol=1e-4,
    )
case("gradient", "any_batch", jax.grad(lambda x: (dense(x) ** 2).sum()), f32("B", 4))
case("gradient", "attention_any_batch", jax.grad(lambda x: (attention(x) ** 2).sum()), f32("B", 3, 4))
case("gradient", "conv_any_batch", jax.grad(lambda x: (conv(x) ** 2).sum()), f32("B", 4, 4, 1))
case("gradient", "checkpoint", jax.grad(lambda x: jax.checkpoint(dense)(x).sum()), f32(2, 4))
case("gradient", "of_gradient", jax.grad(lambda x: (jax.grad(lambda x: jnp.sin(x).prod())(x) ** 2).sum()), f32(3))
case("gradient", "cumulative", jax.grad(lambda x: (jnp.cumsum(x) * jnp.cumprod(x) + lax.cummax(x)).sum()), f32(4))
case("gradient", "sorted", jax.grad(lambda x: (jnp.sort(x) * jnp.arange(4.0)).sum() + lax.top_k(x, 2)[0].sum()), f32(4))
case("gradient", "indexed", jax.grad(lambda x: (x[jnp.array([0, 2, 2])] ** 2).sum() + x.at[1].mul(3.0).sum()), f32(4))
case(
    "gradient",
    "cholesky",
    jax.grad(lambda a: jnp.linalg.cholesky(a @ a.T + jnp.eye(3)).sum()),
    f32(3, 3),
    rtol=1e-3,
    atol=1e-4,
)
case(
    "gradient",
    "solve",
    jax.grad(lambda a: jnp.linalg.solve(a @ a.T + jnp.eye(3), a).sum()),
    f32(3, 3),
    rtol=1e-3,
    atol=1e-4,
)


def training_step(optimizer):
    start = {"a": w1, "b": w2}
    state = optimizer.init(start)

    def step(a, b, x, labels):
        weights = {"a": a, "b": b}
        loss = lambda w: optax.softmax_cross_entropy_with_integer_labels(jnp.tanh(x @ w["a"]) @ w["b"], labels).mean()
        value, gradients = jax.value_and_grad(loss)(weights)
        updates, after = optimizer.update(gradients, state, weights)
        return value, optax.apply_updates(weights, updates), jax.tree_util.tree_leaves(after)

    return step


optimizers = {
    "sgd": optax.sgd(0.1),
    "momentum": optax.sgd(0.1, 0.9, nesterov=True),
    "adam": optax.adam(0.01),
    "adamw": optax.adamw(0.01),
    "lion": optax.lion(0.01),
    "rmsprop": optax.rmsprop(0.01),
    "lamb": optax.lamb(0.01),
    "adafactor": optax.adafactor(0.01),
}
for name, optimizer in optimizers.items():
    case(
        "training",
        name,
        training_step(optimizer),
        f32(4, 6),
        f32(6, 3),
        f32(3, 4),
        i32(3).between(0, 2),
        rtol=1e-3,
        atol=1e-4,
    )


def adam_update(mean, variance, gradient, count):
    rate = optax.scale(-0.01)
    state = optax.ScaleByAdamState(count, mean, variance)
    updates, _ = optax.chain(optax.scale_by_adam(), rate).update(gradient, (state, rate.init(mean)))
    return updates


case(
    "training",
    "adam_update",
    adam_update,
    f32(4, 3),
    f32(4, 3).between(0, 1),
    f32(4, 3),
    i32().between(0, 9),
    rtol=1e-5,
)
