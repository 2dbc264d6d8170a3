# SPDX-License-Identifier: Apache-2.0
"""Small whole networks with random weights, which are constvars."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from flax import nnx
from jax import lax

from table import arr, c64, case, f32, i32


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


class Encoder(nn.Module):
    """Blocks that normalize their sums, with a bias in each product."""

    @nn.compact
    def __call__(self, x, allowed=None):
        for _ in range(4):
            x = nn.LayerNorm()(x + nn.MultiHeadDotProductAttention(num_heads=2)(x, x, mask=allowed))
            x = nn.LayerNorm()(x + nn.Dense(8)(nn.gelu(nn.Dense(16)(x))))
        return x


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
encoder = initialized(Encoder(), jnp.ones((1, 4, 8)))
case("encoder", "two_symbols", encoder, f32("B", "N", 8))
case("encoder", "one_position", lambda x, allowed: encoder(x, allowed)[:, 2], f32(2, 4, 8), arr(np.tri(4, dtype=bool)))
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


def random_numbers(*shape, low=-1.0, high=1.0):
    return np.random.default_rng(len(shape)).uniform(low, high, shape).astype("f4")


class LinenConvNorm(nn.Module):
    """Convolutions with batch normalizations, whose constant statistics are folded into the weights."""

    @nn.compact
    def __call__(self, x):
        numbers = lambda low: lambda key, shape, dtype=None: random_numbers(*shape, low=low)
        norm = lambda: nn.BatchNorm(use_running_average=True, scale_init=numbers(0.5), bias_init=numbers(-1.0))
        y = nn.relu(norm()(nn.Conv(4, (3, 3), 2, use_bias=False)(x)))
        y = norm()(nn.Conv(6, (2, 1), feature_group_count=2, bias_init=numbers(-1.0))(y))
        return norm()(nn.Dense(3, bias_init=numbers(-1.0))(y.mean((1, 2))))


def conv_nhwc(x, channels):
    kernel = random_numbers(3, 2, x.shape[-1], channels)
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def keras_norm(x):
    """x f + (b - m f), as Keras writes it, for a product with more channels than are folded elementwise."""
    scale, bias, mean = random_numbers(1100), random_numbers(1100, low=0.0), random_numbers(1100)
    factor = lax.rsqrt(random_numbers(1100, low=0.5) + 1e-3) * scale
    return (x @ random_numbers(x.shape[-1], 1100)) * factor + (bias - mean * factor)


def haiku_norm(x):
    """(x - m) inv + b with statistics of the same rank as x, as Haiku writes it, for leading channels."""
    kernel, statistics = random_numbers(4, 2, 2, 2), lambda low: random_numbers(1, 4, 1, 1, low=low)
    y = lax.conv_general_dilated(x, kernel, (1, 1), "VALID")
    return (y - statistics(-1.0)) * (statistics(0.5) * lax.rsqrt(statistics(0.25) + 1e-5)) + statistics(-1.0)


def scaled_heads(x):
    """Queries that are scaled after the split into heads, and scaled keys whose weight is read twice."""
    w, b = random_numbers(8, 6), random_numbers(6)
    heads = (x @ random_numbers(8, 6) + b).reshape(x.shape[0], x.shape[1], 2, 3).swapaxes(1, 2) / np.float32(np.sqrt(3))
    return heads, (x @ w) * 0.125, (x @ w + b) * 2


def ends_of_ranges(x):
    """Factors that are zero, negative, infinite or NaN."""
    w, b = (lambda: random_numbers(3, 5)), random_numbers(5)
    odd = np.float32([0, -1, np.inf, np.nan, 1e-30])
    return (x @ w() + b) * np.float32([0, -1, 2, -0.5, 0]), (x @ w() - b) * odd, 1 - x @ w()


def standardized(image):
    """The input of a network, as image models prepare it. Padding is zero after the subtraction."""
    mean, deviation = np.float32([0.485, 0.456]), np.float32([0.229, 0.224])
    return conv_nhwc((image / 255 - mean) / deviation, 3), (image / 127.5).reshape(-1, 12) @ random_numbers(12, 5)


def scaled_groups(x):
    kernel = random_numbers(2, 2, 2, 6)
    scaled = x * random_numbers(4)
    y = lax.conv_general_dilated(scaled, kernel, (1, 1), "SAME", None, None, ("NHWC", "HWIO", "NHWC"), 2)
    return y, random_numbers(3, 4) @ (x[0, 0] * random_numbers(4)).T


case("batch_norm", "behind_conv_linen", initialized(LinenConvNorm(), np.zeros((1, 6, 5, 2), "f4")), f32("B", 6, 5, 2))
case("batch_norm", "behind_dense_keras", keras_norm, f32("B", 2))
case("batch_norm", "behind_conv_haiku", haiku_norm, f32(2, 2, 4, 3))
case(
    "batch_norm",
    "divided",
    lambda x: (conv_nhwc(x, 4) - random_numbers(4)) / np.float32([2, -3, 0.5, 7]),
    f32(1, 4, 3, 2),
)
case("scaled_product", "input", standardized, f32(2, 2, 3, 2).between(0, 255))
case("scaled_product", "input_of_groups", scaled_groups, f32(1, 3, 4, 4))
case("scaled_product", "heads", scaled_heads, f32("B", 4, 8))
case("scaled_product", "ends_of_ranges", ends_of_ranges, f32(4, 3))


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
    spread = lambda s: jnp.broadcast_to(s[:, :, None], (4, 2, 4)).reshape(4, 8)  # [4, 1, 8] would be right
    return (x - spread(groups.mean((1, 3)))) * lax.rsqrt(spread(groups.var((1, 3))) + 1e-5)


case("lookalike", "group_norm_on_rows", group_normalized_on_rows, f32(4, 4, 8))

# Rows with every combination of infinities and NaN, and with numbers whose exponentials are 0 or infinite. ONNX
# Runtime's LogSoftmax of float64 ignores some NaN, its ReduceLogSumExp the maximum after a leading -inf.
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

# Cells of recurrent networks as libraries write them: gates in their orders, products side by side or one by one.
INPUTS, HIDDEN = 3, 4
rng = np.random.default_rng(7)


def normal(*extents):
    return rng.standard_normal(extents).astype("f4")


def gates(n):
    return [(normal(INPUTS, HIDDEN), normal(HIDDEN, HIDDEN), normal(HIDDEN)) for _ in range(n)]


def lstm_of(forget, put, candidate, out, cell):
    cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(put) * jnp.tanh(candidate)
    return cell, jax.nn.sigmoid(out) * jnp.tanh(cell)


four = gates(4)


def lstm_flax(state, x):
    cell, hidden = state
    put, forget, candidate, out = (x @ w + (hidden @ r + b) for w, r, b in four)
    cell, hidden = lstm_of(forget, put, candidate, out, cell)
    return (cell, hidden), hidden


joined, joined_bias = normal(INPUTS + HIDDEN, 4 * HIDDEN), normal(4 * HIDDEN)


def lstm_haiku(state, x):
    hidden, cell = state
    put, candidate, forget, out = jnp.split(jnp.concatenate([x, hidden], -1) @ joined + joined_bias, 4, axis=-1)
    cell, hidden = lstm_of(forget + 1, put, candidate, out, cell)
    return (hidden, cell), hidden


rows, rows_of_hidden = normal(4 * HIDDEN, INPUTS), normal(4 * HIDDEN, HIDDEN)


def lstm_equinox(state, x):
    hidden, cell = state
    put, forget, candidate, out = jnp.split(rows @ x + rows_of_hidden @ hidden + joined_bias, 4)
    cell, hidden = lstm_of(forget, put, candidate, out, cell)
    return (hidden, cell), hidden


def lstm_keras(state, x):
    hidden, cell = state
    z = x @ joined[:INPUTS] + hidden @ joined[INPUTS:] + joined_bias
    z0, z1, z2, z3 = (z[:, i * HIDDEN : (i + 1) * HIDDEN] for i in range(4))
    cell, hidden = lstm_of(z1, z0, z2, z3, cell)
    return (hidden, cell), hidden


three = gates(3)
late_bias = normal(HIDDEN)


def gru_flax(hidden, x):
    (wr, rr, br), (wz, rz, bz), (wn, rn, bn) = three
    reset = jax.nn.sigmoid(x @ wr + br + hidden @ rr)
    update = jax.nn.sigmoid(x @ wz + bz + hidden @ rz)
    candidate = jnp.tanh(x @ wn + bn + reset * (hidden @ rn + late_bias))
    hidden = (1.0 - update) * candidate + update * hidden
    return hidden, hidden


def gru_equinox(hidden, x):
    igates = jnp.split(rows[: 3 * HIDDEN] @ x + joined_bias[: 3 * HIDDEN], 3)
    hgates = jnp.split(rows_of_hidden[: 3 * HIDDEN] @ hidden, 3)
    reset = jax.nn.sigmoid(igates[0] + hgates[0])
    update = jax.nn.sigmoid(igates[1] + hgates[1])
    candidate = jnp.tanh(igates[2] + reset * (hgates[2] + late_bias))
    hidden = candidate + update * (hidden - candidate)
    return hidden, hidden


def gru_haiku(hidden, x):
    (wr, rr, br), (wz, rz, bz), (wn, rn, bn) = three
    update = jax.nn.sigmoid(x @ wz + hidden @ rz + bz)
    reset = jax.nn.sigmoid(x @ wr + hidden @ rr + br)
    candidate = jnp.tanh(x @ wn + (reset * hidden) @ rn + bn)
    hidden = (1 - update) * hidden + update * candidate
    return hidden, hidden


def gru_split(hidden, x):
    """As Haiku writes it: one Sigmoid for both gates."""
    joined_x, candidate_x = jnp.split(x @ joined[:INPUTS, : 3 * HIDDEN], [2 * HIDDEN], axis=-1)
    gates_of_both = jax.nn.sigmoid(joined_x + hidden @ joined[INPUTS:, : 2 * HIDDEN] + joined_bias[: 2 * HIDDEN])
    update, reset = jnp.split(gates_of_both, 2, axis=-1)
    candidate = jnp.tanh(candidate_x + (reset * hidden) @ joined[INPUTS:, 2 * HIDDEN : 3 * HIDDEN] + late_bias)
    hidden = (1 - update) * hidden + update * candidate
    return hidden, hidden


def gru_of_products(hidden, z):
    """As Keras writes it, on products of the whole sequence."""
    x_z, x_r, x_h = jnp.split(z, 3, axis=-1)
    h_z, h_r, h_h = jnp.split(hidden @ joined[INPUTS:, : 3 * HIDDEN] + joined_bias[: 3 * HIDDEN], 3, axis=-1)
    update, reset = jax.nn.sigmoid(x_z + h_z), jax.nn.sigmoid(x_r + h_r)
    hidden = update * hidden + (1 - update) * jnp.tanh(x_h + reset * h_h)
    return hidden, hidden


def gru_keras(first, xs):
    z = xs @ joined[:INPUTS, : 3 * HIDDEN] + joined_bias[HIDDEN:]
    return lax.scan(gru_of_products, first, jnp.swapaxes(z, 0, 1))


def rnn(hidden, x):
    hidden = jnp.tanh(x @ joined[:INPUTS, :HIDDEN] + hidden @ joined[INPUTS:, :HIDDEN] + late_bias)
    return hidden, hidden


def leaky_lstm(state, x):  # not an LSTM: the forget gate also scales the added term
    cell, hidden = state
    put, forget, candidate, out = (x @ w + (hidden @ r + b) for w, r, b in four)
    cell = jax.nn.sigmoid(forget) * (cell + jax.nn.sigmoid(put) * jnp.tanh(candidate))
    hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
    return (cell, hidden), hidden


def scanned(cell, reverse=False, states=2):
    def f(first, xs):
        return lax.scan(cell, (first, first + 1) if states == 2 else first, xs, reverse=reverse)

    return f


def started_with_zeros(cell, states=2):
    def f(xs):
        first = jnp.zeros((xs.shape[1], HIDDEN))
        return lax.scan(cell, (first, first) if states == 2 else first, xs)[1]

    return f


def last_lstm_states(first, xs, weights, bias):
    def step(state, x):
        put, candidate, forget, out = jnp.split(jnp.concatenate([x, state[0]], -1) @ weights + bias, 4, axis=-1)
        cell, hidden = lstm_of(forget, put, candidate, out, state[1])
        return (hidden, cell), None

    return lax.scan(step, (first, first + 1), xs)[0]


def last_gru_state(first, xs, weights, bias):
    def step(state, x):
        reset, update, candidate = jnp.split(x @ weights + bias, 3, axis=-1)
        reset, update = jax.nn.sigmoid(reset + state @ three[0][1]), jax.nn.sigmoid(update + state @ three[1][1])
        candidate = jnp.tanh(candidate + reset * (state @ three[2][1]))
        return (1 - update) * candidate + update * state, None

    return lax.scan(step, first, xs)[0]


with_a_nan = np.linspace(-2, 2, 5 * 2 * INPUTS, dtype="f4").reshape(5, 2, INPUTS)
with_a_nan[2, 1, 0], with_a_nan[3, 0, 1] = np.nan, np.inf
for name, cell in {"flax": lstm_flax, "haiku": lstm_haiku, "keras": lstm_keras, "no": leaky_lstm}.items():
    case("lstm", name, scanned(cell), f32(2, HIDDEN), f32(5, 2, INPUTS))
    case("lstm", f"{name}_reverse", scanned(cell, True), f32(2, HIDDEN), f32(5, 2, INPUTS))
case("lstm", "equinox", scanned(lstm_equinox), f32(HIDDEN), f32(5, INPUTS))
case("lstm", "zeros", started_with_zeros(lstm_keras), f32(5, "B", INPUTS))
case("lstm", "nan", scanned(lstm_flax), f32(2, HIDDEN), arr(with_a_nan))
for name, places in {"weight": [(0, 5)], "bias": [(1, 0)], "no": []}.items():  # of weights that are arguments
    for cell, last, extents in [
        ("lstm", last_lstm_states, (INPUTS + HIDDEN, 4 * HIDDEN)),
        ("gru", last_gru_state, (INPUTS, 3 * HIDDEN)),
    ]:
        arguments = [np.linspace(-1, 1, math.prod(s), dtype="f4").reshape(s) for s in (extents, extents[1:])]
        for which, place in places:
            arguments[which].ravel()[place] = np.nan
        case(cell, f"nan_in_{name}_argument", last, f32(2, HIDDEN), f32(5, 2, INPUTS), *map(arr, arguments))
case("lstm", "nan_reverse", scanned(lstm_haiku, True), f32(2, HIDDEN), arr(with_a_nan))
for name, cell in {"flax": gru_flax, "haiku": gru_haiku, "rnn": rnn}.items():
    case("gru", name, scanned(cell, states=1), f32(2, HIDDEN), f32(5, 2, INPUTS))
    case("gru", f"{name}_zeros", started_with_zeros(cell, states=1), f32(5, "B", INPUTS))
    case("gru", f"{name}_nan", scanned(cell, True, states=1), f32(2, HIDDEN), arr(with_a_nan))
case("gru", "equinox", scanned(gru_equinox, states=1), f32(HIDDEN), f32(5, INPUTS))
case("gru", "split", scanned(gru_split, states=1), f32(2, HIDDEN), f32(5, 2, INPUTS))
case("gru", "keras", gru_keras, f32(2, HIDDEN), f32(2, 5, INPUTS))
case("gru", "keras_nan", gru_keras, f32(5, HIDDEN), arr(with_a_nan.reshape(5, 2, INPUTS)))
case("gru", "equinox_batch", jax.vmap(scanned(gru_equinox, states=1)), f32(2, HIDDEN), f32(2, 5, INPUTS))
case("gru", "two_batch_axes", scanned(gru_flax, states=1), f32(2, 3, HIDDEN), f32(5, 2, 3, INPUTS))
case("lstm", "two_batch_axes", scanned(lstm_flax, True), f32(2, "B", HIDDEN), f32(5, 2, "B", INPUTS))
case("lstm", "equinox_batch", jax.vmap(scanned(lstm_equinox)), f32("B", HIDDEN), f32("B", 5, INPUTS))
# Scans with parts that need no state, or not all states.
kernel, square_kernel = normal(INPUTS, HIDDEN), normal(HIDDEN, HIDDEN)
table = normal(7, INPUTS)


def deep(*cells):
    """Cells one after another in one Scan, as in Haiku's DeepRNN and Keras's StackedRNNCells."""

    def step(states, x):
        new = []
        for cell, state in zip(cells, states):
            state, x = cell(state, x)
            new.append(state)
            x = x[..., :INPUTS]
        return tuple(new), x

    return step


def deep_scan(first, xs):
    return lax.scan(deep(rnn, gru_haiku, lstm_keras), (first, first, (first, first - 1)), xs)


def counted(state, x):
    """Results that include a counter, an old state and elements."""
    count, hidden = state
    new = jax.nn.relu(x @ kernel + hidden @ square_kernel + count)
    return (count + 1, new), (new @ square_kernel + late_bias, hidden * 2, x, jnp.exp(x) @ kernel, hidden)


def constant_steps(hidden, x):
    return x @ kernel, (late_bias, hidden)


def by_rows(f):
    return lambda xs: lax.map(f, xs)


for name, reverse in {"counted": False, "counted_reverse": True}.items():
    case("steps", name, lambda h, xs, r=reverse: lax.scan(counted, (jnp.float32(0), h), xs, reverse=r),
         f32(2, HIDDEN), f32(6, 2, INPUTS))  # fmt: skip
case("steps", "deep", deep_scan, f32(2, HIDDEN), f32(5, 2, INPUTS))
case("steps", "deep_nan", deep_scan, f32(2, HIDDEN), arr(with_a_nan))
case("steps", "deep_symbolic", deep_scan, f32("B", HIDDEN), f32(5, "B", INPUTS))
case("steps", "constant", lambda h, xs: lax.scan(constant_steps, h, xs), f32(2, HIDDEN), f32(5, 2, INPUTS))
case("steps", "map", by_rows(lambda x: (jnp.tanh(x @ kernel + late_bias), x * x[0])), f32(6, INPUTS))
case(
    "steps",
    "map_float64",
    by_rows(lambda x: jnp.sin(x) * x.T),
    arr(np.linspace(-2, 2, 54).reshape(6, 3, 3), "float64"),
    x64=True,
)
case("steps", "map_integers", by_rows(lambda x: (x // 3, x > 2)), i32(6, 2))
# Attention for batches one of which has an infinity or NaN in its queries, keys or values: at a masked key, or in a row
# whose keys are all masked.
lowest = np.finfo("f4").min
visible = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], bool)
square = np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]], bool)


def with_specials(operand, *extents):
    """Eight batches of random numbers; in all except one, one element of one of three operands is special."""
    x = np.random.default_rng(operand).normal(size=(8, *extents)).astype("f4")
    for batch, (place, number) in enumerate(itertools.product(range(3), [np.inf, np.nan]), 1):
        if place == operand:
            x[(batch, min(1, extents[0] - 1)) + (0,) * (len(extents) - 1)] = number
    return arr(x)


class Masked(nn.Module):
    mask: tuple

    @nn.compact
    def __call__(self, x):
        attention = nn.MultiHeadDotProductAttention(num_heads=2, bias_init=nn.initializers.normal())
        return attention(x, x, mask=jnp.array(self.mask))


def projected_attention(mask):
    """Self-attention on one value; `mask` has a row for each query."""
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


def masked_scores(mask):
    def attention(q, k, v):
        i = jnp.arange(32)
        s = mask(jnp.einsum("bqhd,bkhd->bhqk", q, k), i[:, None], i)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)

    return attention


masks = {
    "causal": lambda s, i, j: jnp.where(i >= j, s, -jnp.inf),
    "below": lambda s, i, j: jnp.where(j < i, s, -1e9),
    "hidden_after": lambda s, i, j: jnp.where(i < j, -1e30, s),
    "distance": lambda s, i, j: jnp.where(j - i > 2, -jnp.inf, s),
    "distance_back": lambda s, i, j: jnp.where(i - j <= 5, s, -jnp.inf),
    "window": lambda s, i, j: jnp.where((i >= j) & (i - j < 4), s, -jnp.inf),
    "added": lambda s, i, j: s + jnp.where(i >= j, 0, -1e9),
    "keys": lambda s, i, j: jnp.where(j < 9, s, -jnp.inf),
}
for name, mask in masks.items():
    long = [with_specials(i, 32, 2, 3) for i in range(3)]
    case("attention", f"masked_scores_{name}", masked_scores(mask), *long)


# Values that are declared to be finite; the last query of the second batch has no visible key.
finite = [f32(2, 3, 2, 4), f32(2, 5, 2, 4), f32(2, 5, 2, 4)]
seen = np.ones((2, 1, 3, 5), bool)
seen[0, 0, :, 3:] = seen[1, 0, 2] = seen[1, 0, 0, 0] = False
case(
    "attention",
    "masked_finite",
    lambda q, k, v, m: jax.nn.dot_product_attention(q, k, v, mask=m),
    *finite,
    arr(seen, "bool"),
    args="--assume-finite",
)
case(
    "attention",
    "linen_masked_finite",
    lambda q, k, v, m: nn.dot_product_attention(q, k, v, mask=m),
    *finite,
    arr(seen, "bool"),
    args="--assume-finite",
)
case(
    "attention",
    "lowest_bias_finite",
    lambda q, k, v, b: nn.dot_product_attention(q, k, v, b),
    *finite,
    arr(np.where(seen, 0, lowest), "float32"),
    args="--assume-finite",
)
case(
    "attention",
    "masked_and_biased_finite",
    lambda q, k, v, b, m: jax.nn.dot_product_attention(q, k, v, bias=b, mask=m),
    *finite,
    f32(2, 2, 3, 5),
    arr(seen, "bool"),
    args="--assume-finite",
)
case(
    "attention",
    "infinite_mask_finite",
    lambda q, k, v, m: jax.nn.softmax(jnp.where(m, q @ k.mT, -jnp.inf)) @ v,
    f32(2, 3, 4),
    f32(2, 5, 4),
    f32(2, 5, 4),
    arr(seen[:, 0] | ~seen[:, 0].any(-1, keepdims=True), "bool"),
    args="--assume-finite",
)
case("attention", "masked_projections", projected_attention(square), with_specials(0, 4, 6))
case("attention", "causal_projections", projected_attention(np.tri(4, dtype=bool)), f32("B", 4, 6))
table = np.random.default_rng(0).normal(size=(2, 6)).astype("f4")


def relative_positions(q, k, v, visible):
    distances = jnp.arange(4)[:, None] - jnp.arange(3) + 2
    bias = jnp.array(table)[:, distances] + jnp.where(visible, 0, lowest)
    return jax.nn.dot_product_attention(q, k, v, bias=bias[None])


case("attention", "relative_positions", relative_positions, *operands, arr(visible, "bool"))


def one_key_head(q, k, v):
    k, v = (jnp.repeat(x, 2, 2) for x in (k, v))
    return nn.dot_product_attention(q, k, v)


case("attention", "one_query", nn.dot_product_attention, with_specials(0, 1, 2, 3), *operands[1:])
case("attention", "one_query_masked", lambda q, k, v, m: nn.dot_product_attention(q, k, v, jnp.where(m, 0, lowest)),
     with_specials(0, 1, 2, 3), *operands[1:], arr(visible[1], "bool"))  # fmt: skip
case("attention", "one_head", nn.dot_product_attention, *(with_specials(i, 3, 1, 3) for i in range(3)))
case("attention", "one_key_head", one_key_head, operands[0], with_specials(1, 3, 1, 3), with_specials(2, 3, 1, 3))


def projections(*widths):
    """Weights from 6 features to (heads..., features)."""
    generator = np.random.default_rng(0)
    return [generator.normal(size=(6, *w)).astype("f4") for w in widths]


def grouped_queries(number, cap=None):
    """Two heads of queries for each of two heads of keys, with two axes for the heads, as in Gemma."""
    weights = projections((2, 2, 3), (2, 3), (2, 3))

    def attention(x):
        q = jnp.einsum("btf,fkgd->btkgd", x, weights[0])
        k, v = (jnp.einsum("bsf,fkd->bskd", x, w) for w in weights[1:])
        logits = jnp.einsum("btkgd,bskd->bkgts", q, k) / 2
        if cap:
            logits = jnp.tanh(logits / cap) * cap
        logits = jnp.where(jnp.tri(x.shape[1], dtype=bool), logits, number)
        return jnp.einsum("bkgts,bskd->btkgd", jax.nn.softmax(logits), v)

    return attention


def causal_groups(x):
    q, k, v = (jnp.einsum("...f,fhd->...hd", x, w) for w in projections((4, 3), (2, 3), (2, 3)))
    return jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(2, 0))


def joint_projection(x):
    (w,) = projections((18,))
    q, k, v = (x @ w).reshape(*x.shape[:2], 3, 2, 3).transpose(2, 0, 3, 1, 4)
    return (jax.nn.softmax(q @ k.swapaxes(-1, -2) / 2) @ v).swapaxes(1, 2).reshape(*x.shape[:2], 6)


def heads_in_front(q, k, v):
    q, k, v = (jnp.swapaxes(x, 1, 2) for x in (q, k, v))
    return jax.nn.softmax(q @ k.swapaxes(-1, -2)) @ v


def transposed_weights(q, k, v):
    return jnp.einsum("bqhk,bkhd->bqhd", jax.nn.softmax(jnp.einsum("bqhd,bkhd->bqhk", q, k)), v)


def transposed_layer(x):
    """Layers as products of a weight and a vector, under vmap, as in Equinox."""
    layers = [w.T for w in projections((6,), (6,), (6,))]
    q, k, v = (jax.vmap(jax.vmap(lambda row, w=w: w @ row))(x).reshape(*x.shape[:2], 2, 3) for w in layers)
    return jax.nn.dot_product_attention(q, k, v, mask=jnp.tri(x.shape[1], dtype=bool)[None, None])


batches = with_specials(0, 4, 6)
case("attention", "grouped_queries", grouped_queries(-1e30), batches)
case("attention", "grouped_queries_any_batch", grouped_queries(-1e30), f32("B", 4, 6))
case("attention", "grouped_queries_infinity", grouped_queries(-np.inf), batches)
case("attention", "grouped_queries_cap", grouped_queries(lowest, cap=5), batches)
case("attention", "causal_groups", causal_groups, batches)
case("attention", "joint_projection", joint_projection, f32("B", 4, 6))
case("attention", "heads_in_front", heads_in_front, *operands)
case("attention", "transposed_weights", transposed_weights, *operands)
case("attention", "transposed_layer", transposed_layer, batches)
case("attention", "single_head", lambda q, k, v: jax.nn.softmax(q @ k.swapaxes(1, 2)) @ v,
     f32("B", 4, 5), f32("B", 3, 5), f32("B", 3, 2))  # fmt: skip


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


def table_rotary(x):
    """A constant has the sines and cosines of all positions, each twice; positions gather its rows."""
    angles = np.arange(8)[:, None] * 0.5 ** np.arange(2)
    waves = np.concatenate([np.sin(angles), np.sin(angles), np.cos(angles), np.cos(angles)], -1).astype("f4")
    sines, cosines = jnp.split(jnp.array(waves[:, None])[jnp.arange(x.shape[1])], 2, -1)
    half = x.shape[-1] // 2
    return x * cosines + jnp.concatenate([-x[..., half:], x[..., :half]], -1) * sines


def token_rotary(x, positions):
    """Rotates one token at a position that is an input, as in decoders with a cache."""
    angles = np.arange(8)[:, None] * 0.5 ** np.arange(2)
    waves = np.concatenate([np.sin(angles), np.sin(angles), np.cos(angles), np.cos(angles)], -1).astype("f4")
    rows = jnp.array(waves[:, None]).at[positions].get(mode="clip")
    sines, cosines = jnp.split(rows, 2, -1)
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
case("rotary", "table", table_rotary, with_specials(0, 3, 2, 4))
case("rotary", "token", token_rotary, with_specials(0, 1, 2, 4), arr([[-3]], "int32"))
case("rotary", "tokens", token_rotary, f32(2, 3, 2, 4), arr([[0, 7, 8], [-1, -99, 5]], "int32"))
case("rotary", "token_of_one_head", token_rotary, with_specials(0, 1, 1, 4), arr([[6]], "int32"))
case("rotary", "symbolic", rotary, f32("B", "N", 2, 4))
case("rotary", "grouped_attention", initialized(Grouped(), np.zeros((1, 4, 6), "f4")), with_specials(0, 4, 6))


def decode_step(x, keys, values, index):
    """One token of a decoder, whose keys and values are added to caches of six positions."""
    rng = np.random.default_rng(0)

    def dense(x, features):
        kernel, bias = (jnp.asarray(rng.normal(size=size) / 3, "float32") for size in ((6, features), (features,)))
        return x @ kernel + bias

    q, k, v = (y.reshape(1, 1, 2, 3) for y in jnp.split(dense(x, 18), 3, -1))
    keys, values = (lax.dynamic_update_slice(c, y, (0, index, 0, 0)) for c, y in ((keys, k), (values, v)))
    mask = jnp.where(jnp.arange(6) < index + 1, 0, jnp.finfo("float32").min)
    y = nn.dot_product_attention(q, keys, values, bias=mask[None, None, None])
    x += dense(y.reshape(x.shape), 6)
    for _ in range(3):
        x += dense(nn.gelu(dense(x, 6)), 6)
    return x, keys, values, index + 1


CACHE = f32(1, 6, 2, 3)
for index in (0, 2, 7, -2):
    case("decode_step", f"at_{index}".replace("-", "minus_"), decode_step, f32(1, 1, 6), CACHE, CACHE,
         arr(index, "int32"))  # fmt: skip


def layers(unrolled):
    """Attention with a replacing mask; each array has the weights of two layers."""
    rng = np.random.default_rng(0)
    stacks = [jnp.asarray(rng.normal(size=(2, 12, 12)) / 3, "float32") for _ in range(4)]

    def layer(x, weights):
        q, k, v, out = weights
        heads = [(x @ w).reshape(*x.shape[:2], 3, 4) for w in (q, k, v)]
        logits = jnp.einsum("bthd,bshd->bhts", heads[0], heads[1]) / 2
        visible = jnp.tril(jnp.ones(logits.shape[-2:], bool))
        weights = jax.nn.softmax(jnp.where(visible, logits, -2e38))
        return x + jnp.einsum("bhts,bshd->bthd", weights, heads[2]).reshape(x.shape) @ out, None

    def loop(x):
        for i in range(2):
            x, _ = layer(x, [w[i] for w in stacks])
        return x

    return loop if unrolled else lambda x: lax.scan(layer, x, stacks)[0]


case("layers", "stacked", layers(True), with_specials(0, 5, 12))
case("layers", "scanned", layers(False), with_specials(0, 5, 12))


def recurrence(left, right):
    return left[0] * right[0], left[1] * right[0] + right[1]


def scanned(axis, **options):
    return lambda a, b: lax.associative_scan(recurrence, (a, b), axis=axis, **options)[1]


for length in [3, 6, 8, 11]:
    case("associative_scan", f"recurrence{length}", scanned(0), f32(length, 3), f32(length, 3), rtol=1e-5)
case("associative_scan", "recurrence_batch_of_one", scanned(1), f32(1, 8, 1), f32(1, 8, 2), rtol=1e-5)
case("associative_scan", "recurrence_batch", scanned(1), f32(2, 8, 3), f32(2, 8, 3), rtol=1e-5)
case("associative_scan", "recurrence_last_axis", scanned(1), f32(2, 8), f32(2, 8), rtol=1e-5)
case("associative_scan", "recurrence_reverse", scanned(0, reverse=True), f32(7, 3), f32(7, 3), rtol=1e-5)
case(
    "associative_scan",
    "gates",
    lambda a, b: scanned(0)(jax.nn.sigmoid(a), b),
    f32(100, 3),
    f32(100, 3),
    rtol=1e-5,
    atol=1e-6,
)
case("associative_scan", "sums", lambda x: lax.associative_scan(jnp.add, x), f32(9, 3), rtol=1e-5)
case("associative_scan", "maxima", lambda x: lax.associative_scan(jnp.maximum, x, axis=1), f32(2, 5))
case("associative_scan", "symbolic_batch", scanned(0), f32(8, "B"), f32(8, "B"), rtol=1e-5)


# Steps that Python unrolls
def rows_in_turn(x, w):
    return jnp.stack([jax.nn.softmax(jnp.tanh(row) @ w) for row in x])


def heads_in_turn(q, k, v):
    return jnp.concatenate([jax.nn.softmax(q[h] @ k[h].T) @ v[h] for h in range(len(q))], axis=-1)


def shifted_rows(x):
    """Each row reads the result of the previous one."""
    y, rows = jnp.zeros_like(x[0]), []
    for row in x:
        y = jnp.where(jnp.arange(y.shape[0])[:, None] == 0, row, jnp.roll(jnp.sin(y), 1, axis=0))
        rows.append(y)
    return jnp.stack(rows[3:])


case("unrolled", "rows", rows_in_turn, with_specials(0, 5, 6), f32(6, 3))
case("unrolled", "heads", heads_in_turn, f32(4, 5, 16), f32(4, 7, 16), f32(4, 7, 16))
case("unrolled", "shifted", shifted_rows, with_specials(0, 3, 2))
case(
    "unrolled", "chunks", lambda x: jnp.concatenate([jnp.exp(c[::-1]) - c.sum(0) for c in jnp.split(x, 4)]), f32(8, 16)
)
case("unrolled", "reversed", lambda x: jnp.stack([jnp.tanh(x[i]) * 2 for i in (3, 1, 0, 2)]), with_specials(0, 3))
case("unrolled", "complex", lambda x: jnp.stack([x.real * 2 + 1, x.imag * 2 + 1], 0), c64(3, 4))
case("unrolled", "kept", lambda x: (jnp.stack([jnp.tanh(row) for row in x]), jnp.tanh(x[1])), f32(3, 4))
case(
    "unrolled",
    "of_two_dtypes",
    lambda x, y: jnp.stack([jnp.float32(x[0] > 0), jnp.float32(y[0] > 0)]),
    f32(2, 3),
    i32(2, 3),
)
case("unrolled", "symbolic", lambda x: jnp.stack([jnp.tanh(x[i]).sum(0) for i in range(3)]), f32(3, "B", 4))


def masked_heads_in_front(q, k, v, shown):
    """The order of axes for heads on several devices."""
    q, k, v = (x.transpose(2, 0, 1, 3) for x in (q, k, v))
    scores = jnp.where(shown > 0, q @ k.transpose(0, 1, 3, 2), -1e9)
    return (jax.nn.softmax(scores) @ v).transpose(1, 2, 0, 3)


case("attention", "masked_heads_in_front", masked_heads_in_front, *[f32(2, 5, 3, 4)] * 3, f32(2, 5, 5))
