"""Small whole networks with random weights, which the jaxpr closes over."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from flax import nnx
from jax import lax

from table import arr, case, f32, i32


def initialized(net, *arguments):
    params = net.init(jax.random.key(0), *arguments)
    return lambda *args: net.apply(params, *args)


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.max_pool(nn.relu(nn.Conv(4, (3, 3))(x)), (2, 2), (2, 2))
        x = nn.avg_pool(nn.relu(nn.Conv(6, (3, 3), padding="VALID")(x)), (2, 2), (2, 2))
        return nn.log_softmax(nn.Dense(10)(x.reshape(x.shape[0], -1)))


class MLP(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (16, 12):
            x = nn.gelu(nn.LayerNorm()(nn.Dense(width)(x)))
        return nn.Dense(3)(x)


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(y, y)
        return x + nn.Dense(8)(nn.gelu(nn.Dense(16)(nn.LayerNorm()(x))))


class ViT(nn.Module):
    @nn.compact
    def __call__(self, image):
        x = nn.Conv(8, (4, 4), strides=(4, 4))(image)
        x = x.reshape(x.shape[0], -1, 8)
        cls = self.param("cls", nn.initializers.normal(), (1, 1, 8))
        x = jnp.concatenate([jnp.broadcast_to(cls, (x.shape[0], 1, 8)), x], 1)
        x = x + self.param("positions", nn.initializers.normal(), (1, x.shape[1], 8))
        for _ in range(2):
            x = Block()(x)
        return nn.Dense(5)(nn.LayerNorm()(x)[:, 0])


class Decoder(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(11, 8)(tokens)
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(y, y, mask=nn.make_causal_mask(tokens))
        return nn.Embed(11, 8).attend(x)


class BatchNormNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.sigmoid(nn.BatchNorm(use_running_average=True)(nn.Dense(4)(x)))


class Recurrent(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.RNN(nn.LSTMCell(5))(x), nn.RNN(nn.GRUCell(5), reverse=True)(x)


class NnxNet(nnx.Module):
    def __init__(self):
        rngs = nnx.Rngs(0)
        self.conv = nnx.Conv(1, 4, (3, 3), rngs=rngs)
        self.norm = nnx.GroupNorm(4, num_groups=2, rngs=rngs)
        self.head = nnx.Linear(4, 3, rngs=rngs)

    def __call__(self, x):
        return self.head(nnx.silu(self.norm(self.conv(x))).mean((1, 2)))


images = np.zeros((1, 12, 12, 1), "f4")
case("cnn", "fixed", initialized(CNN(), images), f32(2, 12, 12, 1))
case("cnn", "any_batch", initialized(CNN(), images), f32("B", 12, 12, 1))
case("mlp", "fixed", initialized(MLP(), images[0, 0, :1].reshape(1, -1).repeat(6, 1)), f32(2, 6))
case("mlp", "any_batch", initialized(MLP(), np.zeros((1, 6), "f4")), f32("B", 6))
case("mlp", "gradient", jax.grad(lambda x, f=initialized(MLP(), np.zeros((1, 6), "f4")): f(x).sum()), f32(2, 6))
case("vit", "fixed", initialized(ViT(), images), f32(2, 12, 12, 1))
case("vit", "any_batch", initialized(ViT(), images), f32("B", 12, 12, 1))
case("decoder", "fixed", initialized(Decoder(), np.zeros((1, 4), "i4")), i32(2, 7).between(0, 10))
case("decoder", "any_batch", initialized(Decoder(), np.zeros((1, 4), "i4")), i32("B", 7).between(0, 10))
case("batch_norm", "inference", initialized(BatchNormNet(), np.zeros((1, 6), "f4")), f32("B", 6))
case("rnn", "lstm_and_gru", initialized(Recurrent(), np.zeros((1, 4, 3), "f4")), f32(2, 4, 3))
case("nnx", "conv_group_norm", NnxNet(), f32(2, 6, 6, 1))


def normalized(x, mean_kept=True, variance_kept=True):
    """Normalizes rows. A statistic that is not kept as a column broadcasts along the columns of a square matrix."""
    variance = x.var(1, keepdims=variance_kept)
    return (x - x.mean(1, keepdims=mean_kept)) * lax.rsqrt(variance + 1e-5)


def erf_choice(x):
    return x * 0.5 * jnp.where(x < 1, 1 + lax.erf(x * np.float32(np.sqrt(0.5))), jnp.exp(x))


case("lookalike", "layer_norm_mean_on_columns", lambda x: normalized(x, mean_kept=False), f32(4, 4))
case("lookalike", "layer_norm_variance_on_columns", lambda x: normalized(x, variance_kept=False), f32(4, 4))
case("lookalike", "rms_norm_on_columns", lambda x, s: x * lax.rsqrt((x * x).mean(1) + 1e-5) * s, f32(4, 4), f32(4))
case("lookalike", "gelu_of_another_choice", erf_choice, f32(12))


def group_normalized_on_rows(x):
    groups = x.reshape(4, 4, 2, 4)
    spread = lambda s: jnp.broadcast_to(s[:, :, None], (4, 2, 4)).reshape(4, 8)  # where [4, 1, 8] would be right
    return (x - spread(groups.mean((1, 3)))) * lax.rsqrt(spread(groups.var((1, 3))) + 1e-5)


case("lookalike", "group_norm_on_rows", group_normalized_on_rows, f32(4, 4, 8))

# Rows with every combination of infinities and NaN, and with numbers whose exponentials are 0 or infinite. ONNX
# Runtime's LogSoftmax of float64 ignores some NaN, its ReduceLogSumExp the maximum behind a leading -inf.
specials = np.array(list(itertools.product([1.0, np.inf, -np.inf, np.nan], repeat=3)))
extremes = np.array(list(itertools.product([-3e4, 1e3, -np.inf, 0.0], repeat=3)))


def both_axes(f):
    return lambda x: (f(x, axis=1), f(x.T, axis=0), f(x, axis=1, where=jnp.arange(3) != 1))


def log_sum_exps(x):
    cube = x.reshape(16, 4, 3)
    weights = jnp.array([1, -2, 0], x.dtype)
    return (
        *both_axes(jax.nn.logsumexp)(x),
        *(jax.nn.logsumexp(cube, axes) for axes in [1, (0, 2), (1, 2)]),
        *(jax.nn.logsumexp(row) for row in x[40:]),
        *jax.nn.logsumexp(x, 1, b=weights, keepdims=True, return_sign=True),
    )


for dtype in ["float16", "bfloat16", "float32", "float64"]:
    functions = {"softmax": both_axes(jax.nn.softmax), "log_softmax": both_axes(jax.nn.log_softmax)}
    for name, f in {**functions, "logsumexp": log_sum_exps}.items():
        case("nan", f"{name}_{dtype}", f, arr(specials, dtype), x64=dtype == "float64")
    case("nan", f"logsumexp_extremes_{dtype}", log_sum_exps, arr(extremes, dtype), x64=dtype == "float64")
case("nan", "logsumexp_symbolic", lambda x: jax.nn.logsumexp(x), f32("B", 3))

# Attention where one batch has an infinity or NaN in its queries, keys or values: at a masked key, or in a row whose
# keys are all masked.
lowest = np.finfo("f4").min
visible = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], bool)
square = np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]], bool)


def with_specials(operand, *extents):
    """Eight batches of random numbers; in each but one, one element of one of three operands is special."""
    x = np.random.default_rng(operand).normal(size=(8, *extents)).astype("f4")
    for batch, (place, number) in enumerate(itertools.product(range(3), [np.inf, np.nan]), 1):
        if place == operand:
            x[(batch, 1) + (0,) * (len(extents) - 1)] = number
    return arr(x)


class Masked(nn.Module):
    mask: tuple

    @nn.compact
    def __call__(self, x):
        attention = nn.MultiHeadDotProductAttention(num_heads=2, bias_init=nn.initializers.normal())
        return attention(x, x, mask=jnp.array(self.mask))


def projected_attention(mask):
    """Attention of what is computed from one value, where `mask` has a row for each query."""
    return initialized(Masked(tuple(map(tuple, mask.tolist()))), np.zeros((1, 4, 6), "f4"))


def low_bias(q, k, v, visible):
    return jax.nn.dot_product_attention(q, k, v, bias=jnp.where(visible, 0, lowest)[None, None])


operands = with_specials(0, 4, 2, 3), with_specials(1, 3, 2, 3), with_specials(2, 3, 2, 3)
case("attention", "specials", jax.nn.dot_product_attention, *operands)
case("attention", "one_batch", jax.nn.dot_product_attention, f32(4, 2, 3), f32(3, 2, 3), f32(3, 2, 3))
case("attention", "symbolic", jax.nn.dot_product_attention, f32("B", 4, 2, 3), f32("B", "N", 2, 3), f32("B", "N", 2, 3))
case("attention", "lowest_bias", low_bias, *operands, arr(visible, "bool"))
case("attention", "any_bias", lambda q, k, v, b: jax.nn.dot_product_attention(q, k, v, bias=b), *operands,
     arr(np.where(visible, 1, -np.inf)[None, None]))  # fmt: skip
case("attention", "masked", lambda q, k, v, m: jax.nn.dot_product_attention(q, k, v, mask=m[None, None]), *operands,
     arr(visible, "bool"))  # fmt: skip
case("attention", "masked_projections", projected_attention(square), with_specials(0, 4, 6))
case("attention", "causal_projections", projected_attention(np.tri(4, dtype=bool)), f32("B", 4, 6))
table = np.random.default_rng(0).normal(size=(2, 6)).astype("f4")


def relative_positions(q, k, v, visible):
    distances = jnp.arange(4)[:, None] - jnp.arange(3) + 2
    bias = jnp.array(table)[:, distances] + jnp.where(visible, 0, lowest)
    return jax.nn.dot_product_attention(q, k, v, bias=bias[None])


case("attention", "relative_positions", relative_positions, *operands, arr(visible, "bool"))


def angles(x, doubled):
    positions = jnp.arange(x.shape[1])[:, None] * 0.5 ** jnp.arange(x.shape[-1] // 2)
    positions = jnp.concatenate([positions] * 2, -1) if doubled else positions
    return jnp.cos(positions)[:, None], jnp.sin(positions)[:, None]


def rotary(x):
    cosines, sines = angles(x, doubled=False)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosines - b * sines, b * cosines + a * sines], -1)


def turned_rotary(x):
    cosines, sines = angles(x, doubled=True)
    half = x.shape[-1] // 2
    return x * cosines + jnp.concatenate([-x[..., half:], x[..., :half]], -1) * sines


class Grouped(nn.Module):
    """A causal attention with rotary positions, two heads for each key."""

    @nn.compact
    def __call__(self, x):
        q, k, v = (nn.DenseGeneral((heads, 4), use_bias=False)(x) for heads in (4, 2, 2))
        k, v = (jnp.repeat(y, 2, 2) for y in (rotary(k), v))
        mask = nn.make_causal_mask(x[..., 0])
        return nn.DenseGeneral(6, (-2, -1), use_bias=False)(nn.dot_product_attention(rotary(q), k, v, mask=mask))


case("rotary", "halves", rotary, with_specials(0, 3, 2, 4))
case("rotary", "turned", turned_rotary, with_specials(0, 3, 2, 4))
case("rotary", "symbolic", rotary, f32("B", "N", 2, 4))
case("rotary", "grouped_attention", initialized(Grouped(), np.zeros((1, 4, 6), "f4")), with_specials(0, 4, 6))
