# SPDX-License-Identifier: Apache-2.0
"""Loops, branches, calls, mutable references, named axes."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core
from jax._src.lax.lax import tie_p
from jax._src.state.discharge import run_state
from jax._src.state.primitives import ref_addupdate, ref_get, ref_set, ref_swap
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import checkify, shard_alike
from jax.experimental.layout import Layout, with_layout_constraint
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from table import NEWEST, arr, boolean, c64, case, f32, f64, i8, i32, key, spec

# Loops and branches.
weights = np.linspace(-0.5, 0.5, 9, dtype="f4").reshape(3, 3)
case("scan", "cumulative", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs), f32(4, 3))
case(
    "scan",
    "search_unsorted",
    lambda a, x: jnp.searchsorted(a, x),
    arr([3, jnp.nan, -1, -0.0, 2]),
    arr([-2, -1, 0, 1, 2, 3, 4, jnp.nan, jnp.inf, -jnp.inf]),
)
case("scan", "search_right", lambda a, x: jnp.searchsorted(a, x, side="right"), arr([-1, 0, 0, 2]), f32("B", 3))
case("scan", "search_scalar", lambda a, x: jnp.searchsorted(a, x), arr([1, 2, 2, 5], "int32"), arr(2, "int32"))
case(
    "scan",
    "digitize",
    lambda x, a: jnp.digitize(x, a),
    arr([3, 1, 0.5, -4, 2, jnp.nan]),
    arr([4, 2, 1, 0.5, 0.5, -1, -jnp.inf]),
)
case("scan", "reverse", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs, reverse=True), f32(4, 3))
case(
    "scan",
    "two_carries",
    lambda xs, ys: lax.scan(lambda c, x: ((c[1], c[0] + x[0]), (c[0], x[1])), (jnp.zeros(3), jnp.ones(3)), (xs, ys)),
    f32(4, 3),
    f32(4, 2),
)
case(
    "scan",
    "captures",
    lambda w, xs: lax.scan(lambda c, x: (jnp.tanh(c @ w + x), c.sum()), jnp.zeros(3), xs),
    f32(3, 3),
    f32(4, 3),
)
case(
    "scan",
    "constants",
    lambda xs: lax.scan(lambda c, x: (jnp.tanh(c @ weights + x), None), jnp.zeros(3), xs),
    f32(4, 3),
)
case("scan", "no_inputs", lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=3), f32(2))
case(
    "scan",
    "carry_that_stays",
    jax.jacrev(lambda c, xs: lax.scan(lambda c, x: (c + x, None), c, xs)[0]),
    f32(2),
    f32(3, 2),
)


# Loops that fill an array, row by row.
def filled(x, rows, first, add=False):
    def body(i, c):
        h, out = c
        h = jnp.tanh(0.5 * h + x[rows[i]])
        row = out.at[rows[i]]
        return h, row.add(h) if add else row.set(h)

    return lax.fori_loop(0, len(rows), body, (x[0], first))


case("scan", "fills", lambda x: filled(x, jnp.arange(20), jnp.zeros((20, 3))), f32(20, 3))
case("scan", "fills_backwards", lambda x, o: filled(x, 19 - jnp.arange(20), o), f32(20, 3), f32(20, 3))
case("scan", "fills_some", lambda x, o: filled(x, 2 * jnp.arange(10) + 1, o), f32(20, 3), f32(20, 3))
case("scan", "fills_twice", lambda x, o: filled(x, jnp.arange(20) // 2, o), f32(20, 3), f32(20, 3))
case("scan", "fills_by_sums", lambda x, o: filled(x, jnp.arange(20), o, True), f32(20, 3), f32(20, 3))


# Recurrences with constant factors, in chunks of steps.
def recursive_filter(x):
    b0, b1, b2, a1, a2 = 0.0675, 0.1349, 0.0675, -1.1430, 0.4128

    def step(s, x):
        y = b0 * x + s[0]
        return (b1 * x - a1 * y + s[1], b2 * x - a2 * y), y

    return lax.scan(step, (x[0] * 0, x[0] * 0), x)


def average(x, start, reverse=False):
    return lax.scan(lambda m, x: (0.9 * m + 0.1 * x, m), start, x, reverse=reverse)


def differences(x):
    """A state without memory: a NaN affects two results only."""
    return lax.scan(lambda last, x: (x, x - last), x[0] * 0, x)


broken = np.linspace(-1, 1, 40, dtype="float32")
broken[17] = np.nan
endless = np.where(np.isnan(broken), -np.inf, broken).astype("float32")
case("scan", "recursive_filter", recursive_filter, f32(100))
case("scan", "recursive_filter_double", recursive_filter, f64(67), x64=True, rtol=1e-13, atol=1e-13)
case("scan", "average", average, f32(64, 3), f32(3))
case("scan", "average_reverse", lambda x, h: average(x, h, True), f32(45, 2, 2), f32(2, 2))
case("scan", "average_nan", average, arr(broken), f32())
case("scan", "average_infinite", average, arr(endless), f32())
case("scan", "differences_nan", differences, arr(broken))


# Recurrences with factors of each step, in chunks of steps.
def discounted(x, a, start, reverse=False):
    return lax.scan(lambda h, e: (e[0] + 0.9 * h * e[1], h), start, (x, a), reverse=reverse)


def gated(x, a, start):
    return lax.scan(lambda h, e: ((1 - e[1]) * h + e[1] * e[0],) * 2, start, (x, jax.nn.sigmoid(a)))


case("scan", "discounted", discounted, f32(70), spec("float32", (70,), 0, 1), f32())
case("scan", "discounted_reverse", lambda *x: discounted(*x, True), f32(64, 2), spec("float32", (64, 2), 0, 1), f32(2))
case("scan", "discounted_over_1", discounted, f32(64), spec("float32", (64,), 0.9, 1.4), f32(), rtol=1e-4)
case("scan", "discounted_nan", discounted, arr(np.r_[broken, broken]), spec("float32", (80,), 0, 1), f32())
case("scan", "discounted_infinite", discounted, arr(np.zeros(80)), spec("float32", (80,), 0, 1e-3), arr(-np.inf))
case("scan", "gated", gated, f32(100, 3), f32(100, 3), f32(3))
case("scan", "gated_double", gated, f64(65), f64(65), f64(), x64=True, rtol=1e-13, atol=1e-13)


# Recurrences with a small matrix of each step, in chunks of steps.
def swept_filter(x, g, reverse=False):
    """A state variable filter whose cutoff moves."""

    def step(s, t):
        x, g = t
        a = 1 / (1 + g * (g + 1.4))
        v1 = a * (s[0] + g * (x - s[1]))
        v2 = s[1] + g * v1
        return jnp.stack([2 * v1 - s[0], 2 * v2 - s[1]]), (v2, jnp.tanh(s))

    return lax.scan(step, jnp.zeros(2, x.dtype), (x, g), reverse=reverse)


def by_matrices(a, x, h):
    return lax.scan(lambda h, t: ((t[0] @ h[..., None])[..., 0] + t[1],) * 2, h, (a, x))


def two_states(x, g):
    step = lambda s, t: ((s[0] * t[1] - s[1] + t[0], 0.5 * s[0]), (s[0], t[0]))
    return lax.scan(step, (jnp.ones(3), jnp.zeros(3)), (x, g))


case("scan", "swept_filter", swept_filter, f32(100), spec("float32", (100,), 0.05, 0.5))
case("scan", "swept_filter_long", swept_filter, f32(700), spec("float32", (700,), 0.05, 0.5), rtol=1e-4, atol=1e-5)
case("scan", "swept_filter_reverse", lambda *x: swept_filter(*x, True), f32(64), spec("float32", (64,), 0.05, 0.5))
case("scan", "swept_filter_double", swept_filter, f64(97), f64(97), x64=True, rtol=1e-12, atol=1e-12)
case("scan", "swept_filter_nan", swept_filter, arr(broken), spec("float32", (40,), 0.05, 0.5))
case("scan", "swept_filter_infinite", swept_filter, arr(endless), spec("float32", (40,), 0.05, 0.5))
case("scan", "by_matrices", by_matrices, spec("float32", (40, 5, 5), -0.4, 0.4), f32(40, 5), f32(5))
case("scan", "by_matrices_batch", by_matrices, spec("float32", (40, 2, 3, 3), -0.5, 0.5), f32(40, 2, 3), f32(2, 3))
case("scan", "by_matrices_growing", by_matrices, spec("float32", (40, 3, 3), -2, 2), f32(40, 3), f32(3), rtol=1e-3)
case("scan", "by_matrices_cancelling", by_matrices, arr(np.tile([[1, 1], [-1, -1]], (40, 1, 1))), f32(40, 2), f32(2))
case("scan", "two_coupled_states", two_states, f32(50, 3), spec("float32", (50, 3), -0.5, 0.5))


def known_gains(z, x):
    """A Kalman filter whose covariances depend on constants only."""
    f, h = jnp.array([[1.0, 0.1], [0.0, 1.0]]), jnp.array([1.0, 0.0])

    def step(c, z):
        x, p = c
        x, p = f @ x, f @ p @ f.T + 0.01 * jnp.eye(2)
        k = p @ h / (h @ p @ h + 0.5)
        x = x + k * (z - h @ x)
        return (x, p - jnp.outer(k, h @ p)), x

    return lax.scan(step, (x, jnp.eye(2)), z)


case("scan", "known_gains", known_gains, f32(30), f32(2))
case("scan", "known_gains_nan", known_gains, arr(broken), f32(2))


def reads_columns(x, g):
    """A loop over steps, which lie along the second axis."""

    def body(t, c):
        h, out = c
        h = g[:, t] * h + x[:, t]
        return h, out.at[:, t].set(h)

    return lax.fori_loop(0, 40, body, (jnp.zeros((3, 2)), jnp.zeros((3, 40, 2))))


case("scan", "reads_columns", reads_columns, f32(3, 40, 2), spec("float32", (3, 40, 2), 0, 1))


def read_and_skip(u, a, c, d):
    """A state space whose steps add the input to what they read."""

    def step(h, u):
        h = a * h + u[:, None]
        return h, h @ c + d * u

    return lax.scan(step, jnp.zeros((3, 4)), u)


case("scan", "read_and_skip", read_and_skip, f32(40, 3), spec("float32", (3, 4), 0, 1), f32(4), f32(3))


def decayed_maximum(a, x, start, reverse=False):
    return lax.scan(lambda h, e: (jnp.maximum(h + e[0], e[1]), h), start, (a, x), reverse=reverse)


forgets = np.linspace(-1, 1, 140, dtype="float32").reshape(70, 2)
forgets[20, 0] = -np.inf
forgets[50, 1] = np.nan
case("scan", "decayed_maximum", decayed_maximum, f32(70, 2), f32(70, 2), arr([-np.inf, 0]))
case("scan", "decayed_maximum_infinite", decayed_maximum, arr(forgets), arr(forgets[::-1].copy()), f32(2))
case("scan", "decayed_maximum_reverse", lambda *x: decayed_maximum(*x, True), arr(forgets), f32(70, 2), f32(2))
case(
    "scan",
    "drift_both_ways",
    lambda x: lax.scan(
        lambda c, x: ((jnp.maximum(0, c[0] + x - 0.5), jnp.minimum(0, c[1] + x + 0.5)), c[0] - c[1]), (x[0], x[1]), x
    ),
    f32(100, 2),
)
case("scan", "stops_at_0", lambda x: lax.scan(lambda h, x: (jnp.maximum(h + x - 0.1, 0),) * 2, 0.0, x), f32(100))


def edit_distances(a, b):
    """Edit distances of two words: a Scan of rows, whose cells are minima of integers."""

    def row(previous, x):
        def cell(left, at):
            diagonal, up, y = at
            return (jnp.minimum(jnp.minimum(left + 1, up + 1), diagonal + (x != y)),) * 2

        first = previous[0] + 1
        return jnp.r_[first, lax.scan(cell, first, (previous[:-1], previous[1:], b))[1]], first

    return lax.scan(row, jnp.arange(b.size + 1), a)


case("scan", "edit_distances", edit_distances, spec("int32", (9,), 0, 3), spec("int32", (70,), 0, 3))
case(
    "scan",
    "minimum_that_overflows",
    lambda x, y: lax.scan(lambda h, e: (jnp.minimum(h + e[0], e[1]),) * 2, 2**31 - 5, (x, y)),
    i32(80),
    i32(80),
)


# Memories of keys and values, in chunks of steps.
def memory(q, k, v, start, decay=None, reverse=False):
    def step(s, e):
        q, k, v, *a = e
        s = (a[0][..., None] if a else 1) * s + k[..., :, None] * v[..., None, :]
        return s, jnp.einsum("...k,...kv->...v", q, s)

    return lax.scan(step, start, (q, k, v) if decay is None else (q, k, v, decay), reverse=reverse)


def memory_with_bonus(q, k, v, decay, bonus):
    def step(s, e):
        q, k, v = e
        new = jnp.outer(v, k)
        return decay * s + new, jnp.tanh((s + bonus * new) @ q)

    return lax.scan(step, jnp.zeros((3, 5)), (q, k, v))


def normalized_memory(q, k, v, i, f):
    """mLSTM: a matrix, a vector, and the maximum of exponents."""

    def step(state, e):
        s, z, top = state
        q, k, v, i, f = e
        new = jnp.maximum(f + top, i)
        f, i = jnp.exp(f + top - new), jnp.exp(i - new)
        s, z = f * s + i * jnp.outer(k, v), f * z + i * k
        return (s, z, new), q @ s / jnp.maximum(jnp.abs(q @ z), 1)

    return lax.scan(step, (jnp.zeros((5, 3)), jnp.zeros(5), -jnp.inf), (q, k, v, i, f))


def between(low, high, *shape):
    return spec("float32", shape, low, high)


keys_with_nan = np.linspace(-1, 1, 200, dtype="float32").reshape(40, 5)
keys_with_nan[21, 2] = np.nan
resets = (np.arange(70) % 9 != 3).astype("float32")
qkv = f32(70, 5), f32(70, 5), f32(70, 3)
case("scan", "memory", memory, f32(130, 2, 5), f32(130, 2, 5), f32(130, 2, 3), f32(2, 5, 3), rtol=1e-4, atol=1e-4)
case("scan", "memory_number", memory, *qkv, f32(5, 3), between(0, 1, 70, 1))
case("scan", "memory_reverse", lambda *x: memory(*x, reverse=True), *qkv, f32(5, 3), between(0, 1, 70, 1))
case("scan", "memory_resets", memory, *qkv, f32(5, 3), arr(resets[:, None]))
case("scan", "memory_negative", memory, *qkv, f32(5, 3), between(-1, 1, 70, 1))
case("scan", "memory_vector", memory, *qkv, f32(5, 3), between(0.3, 1, 70, 5))
case("scan", "memory_many_chunks", memory, *(f32(530, n) for n in (2, 2, 3)), f32(2, 3), between(0.3, 1, 530, 2))
case("scan", "memory_forgets", memory, *qkv, f32(5, 3), between(0, 1e-9, 70, 5))
case("scan", "memory_nan", memory, f32(40, 5), arr(keys_with_nan), f32(40, 3), f32(5, 3), between(0, 1, 40, 1))
case("scan", "memory_bonus", memory_with_bonus, *qkv, between(0.5, 1, 5), f32(5), rtol=1e-4, atol=1e-4)
case("scan", "memory_normalized", normalized_memory, *qkv, f32(70), between(-1, 0, 70))
double = (f64(70, 5), f64(70, 5), f64(70, 3), f64(5, 3))
case(
    "scan",
    "memory_square",
    lambda q, k, v: lax.scan(
        lambda s, e: ((s := 0.9 * s + e[1][:, None] * e[2]), ((e[0] * s).sum(0), (e[0] * s).sum(1))),
        jnp.zeros((5, 5)),
        (q, k, v),
    ),
    *[f32(70, 5)] * 3,
)
case("scan", "memory_decays_fast", memory, *qkv, f32(5, 3), between(1e-6, 1e-4, 70, 5))
case(
    "scan",
    "memory_of_layers",
    lambda q, k, v: lax.scan(lambda x, k: (memory(x, k, v, jnp.zeros((5, 5)))[1], k[0]), q, k),
    *(f32(40, 5), f32(2, 40, 5), f32(40, 5)),
    rtol=1e-4,
    atol=1e-2,
)
case("scan", "memory_double", memory, *double, x64=True, rtol=1e-12, atol=1e-12)


# The factors of the inputs differ from step to step, although they have the shape of a factor of a state.
case(
    "scan",
    "factors_of_steps",
    lambda b, c: lax.scan(lambda h, x: (h := 0.5 * h + x, h.sum(0)), jnp.zeros((40, 3)), b * c),
    f32(40, 1),
    f32(40, 3),
)


# Memories that steps correct by what they read.
def delta_rule(q, k, v, beta, start, decay=None, reverse=False):
    k = k / jnp.linalg.norm(k, axis=-1, keepdims=True)

    def step(s, e):
        q, k, v, beta, *a = e
        s = (a[0][..., None] if a else 1) * s
        error = (v - jnp.einsum("...k,...kv->...v", k, s)) * beta
        s = s + k[..., :, None] * error[..., None, :]
        return s, jnp.einsum("...k,...kv->...v", q, s)

    return lax.scan(step, start, (q, k, v, beta) if decay is None else (q, k, v, beta, decay), reverse=reverse)


def delta_rule_before(q, k, v, decay):
    """The read that corrects the memory is a result too, of the memory before its decay."""

    def step(s, e):
        q, k, v = e
        read = s @ k
        s = decay * s - jnp.outer((read - v) / 4, k)
        return s, (read, s @ q)

    return lax.scan(step, jnp.ones((3, 5)), (q, k, v))


def two_keys(r, k, v, w, a, b):
    """RWKV-7: one outer product by the read, and one without it."""

    def step(s, e):
        r, k, v, w, a, b = e
        s = s * w[:, None, :] + (s @ -a[:, :, None]) @ b[:, None, :] + v[:, :, None] @ k[:, None, :]
        return s, (s @ r[:, :, None])[..., 0]

    return lax.scan(step, jnp.zeros((2, 3, 5)), (r, k, v, w, a, b))


beta = between(0, 1, 70, 1)
heads = [f32(70, 2, 5), f32(70, 2, 5), f32(70, 2, 3)]
case("scan", "delta", delta_rule, *heads, between(0, 1, 70, 2, 1), f32(2, 5, 3))
case("scan", "delta_number", delta_rule, *qkv, beta, f32(5, 3), between(0, 1, 70, 1))
case("scan", "delta_reverse", lambda *x: delta_rule(*x, reverse=True), *qkv, beta, f32(5, 3), between(0, 1, 70, 1))
case("scan", "delta_vector", delta_rule, *qkv, beta, f32(5, 3), between(0.3, 1, 70, 5))
case("scan", "delta_forgets", delta_rule, *qkv, beta, f32(5, 3), between(0, 1e-9, 70, 5))
case("scan", "delta_same_keys", delta_rule, f32(70, 5), arr(np.ones((70, 5), "float32")), *qkv[2:], beta, f32(5, 3))
case("scan", "delta_grows", delta_rule, *qkv, between(2, 4, 70, 1), f32(5, 3), rtol=1e-3)
case("scan", "delta_nan", delta_rule, f32(40, 5), arr(keys_with_nan), f32(40, 3), between(0, 1, 40, 1), f32(5, 3))
case("scan", "delta_many_chunks", delta_rule, *(f32(300, n) for n in (2, 2, 3)), between(0, 1, 300, 1), f32(2, 3))
case("scan", "delta_before", delta_rule_before, *qkv, between(0.5, 1))
case("scan", "delta_two_keys", two_keys, *heads, between(0.5, 1, 70, 2, 5), between(0, 0.4, 70, 2, 5), f32(70, 2, 5))
double = (f64(70, 5), f64(70, 5), f64(70, 3), spec("float64", (70, 1), 0, 1), f64(5, 3))
case("scan", "delta_double", delta_rule, *double, x64=True, rtol=1e-11, atol=1e-11)


# Matrices that are arguments, and shift registers.
def matrix_recurrence(a, x, start, reverse=False):
    return lax.scan(lambda h, x: (a @ h + x, h), start, x, reverse=reverse)


def direct_form(a, b, x):
    def step(state, x):
        past, out = state
        past = jnp.concatenate([x[None], past[:-1]])
        y = b @ past - a @ out
        return (past, jnp.roll(out, 1).at[0].set(y)), y

    return lax.scan(step, (jnp.zeros(3), jnp.zeros(4)), x)


def complex_diagonal(size, angle, x):
    return lax.scan(lambda h, x: (size * jnp.exp(1j * angle) * h + x, h.real), jnp.zeros(3, "complex64"), x)


def tracked(a, gain, x):
    def step(h, x):
        h = h @ a
        h = h + (x - h[..., :2]) @ gain
        return h, h.sum(-1)

    return lax.scan(step, jnp.ones((2, 4)), x)


small = between(-0.4, 0.4, 4, 4)
x_with_inf = np.linspace(-1, 1, 200, dtype="float32").reshape(50, 4)
x_with_inf[30, 1] = np.inf
case("scan", "matrix", matrix_recurrence, small, f32(100, 4), f32(4))
case("scan", "matrix_reverse", lambda *x: matrix_recurrence(*x, True), small, f32(37, 4, 2), f32(4, 2))
case("scan", "matrix_long", matrix_recurrence, between(-0.6, 0.6, 2, 2), f32(1100, 2), f32(2), rtol=1e-4, atol=1e-5)
case("scan", "matrix_grows", matrix_recurrence, between(1, 2, 4, 4), f32(40, 4), f32(4), rtol=1e-4)
case("scan", "matrix_infinite", matrix_recurrence, small, arr(x_with_inf), f32(4))
dense = between(-0.2, 0.2, 16, 16)
case("scan", "matrix_dense", matrix_recurrence, dense, f32(130, 16), f32(16), rtol=1e-4, atol=1e-5)
case("scan", "matrix_dense_short", lambda *x: matrix_recurrence(*x, True), dense, f32(16, 16), f32(16), atol=1e-5)
case(
    "scan",
    "matrices_dense",
    lambda a, x, h: lax.scan(lambda h, x: (jnp.einsum("cij,cj->ci", a, h) + x, h), h, x, reverse=True),
    between(-0.3, 0.3, 2, 8, 8),
    f32(70, 2, 8),
    f32(2, 8),
    rtol=1e-4,
    atol=1e-5,
)
case("scan", "direct_form", direct_form, between(-0.2, 0.2, 4), f32(3), f32(100))
case("scan", "complex_diagonal", complex_diagonal, between(0.5, 0.95, 3), between(0, 3, 3), f32(70, 3))
case("scan", "tracked", tracked, small, between(0, 0.5, 2, 4), f32(50, 2, 2))
case(
    "scan",
    "matrix_double",
    matrix_recurrence,
    *(spec("float64", (3, 3), -0.5, 0.5), f64(70, 3), f64(3)),
    x64=True,
    rtol=1e-12,
    atol=1e-12,
)
case("scan", "growing", lambda x: lax.scan(lambda h, x: (1.5 * h + x, h), 0.0, x), f32(40))
case("scan", "zero_length", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs), f32(0, 3))
case("scan", "carry_only", lambda xs: lax.scan(lambda c, x: (c + x, None), 0.0, xs), f32(4))
case("scan", "nested", lambda xs: lax.scan(lambda c, x: lax.scan(lambda d, y: (d + y, d), c, x), 0.0, xs), f32(3, 4))
case("scan", "bool_carry", lambda xs: lax.scan(lambda c, x: (c | (x > 1), c), False, xs), f32(6))
case(
    "scan",
    "lstm_cell",
    lambda h, xs: lax.scan(
        lambda c, x: ((jax.nn.sigmoid(x) * c[0] + jnp.tanh(c[1]), jnp.tanh(c[0])), c[1]), (h, h), xs
    ),
    f32(3),
    f32(4, 3),
)
case("scan", "symbolic_batch", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros_like(xs[0]), xs), f32(4, "B"))
case("scan", "symbolic_length", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs), f32("B", 3))
case("while", "count", lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.5), (0, x)), f32(3))
case(
    "while",
    "data_dependent",
    lambda x: lax.while_loop(lambda v: jnp.sum(v) < 100, lambda v: v * 2, x),
    f32(3).between(0.5, 1),
)


def limited(most, first=0):
    """Doubles until the sum is large, at most until a counter reaches `most`."""

    def goes_on(s):
        return (jnp.sum(jnp.abs(s[0])) < 1000) & (s[1] < most)

    return lambda x: lax.while_loop(goes_on, lambda s: (s[0] * 2, s[1] + 3), (x, first))


case("while", "limited_by_counter", limited(20), f32(3))
case("while", "ends_before_limit", limited(3000), f32(3))
case("while", "limit_is_passed", limited(5, 7), f32(3))
case("while", "limited_without_count", lambda x: limited(20)(x)[0], f32(3))
case("while", "never", lambda x: lax.while_loop(lambda v: jnp.sum(v) < -100, lambda v: v * 2, x), f32(3))
case(
    "while",
    "captures",
    lambda x, w, limit: lax.while_loop(lambda v: jnp.max(v) < limit, lambda v: v + jnp.abs(w), x),
    f32(3),
    f32(3).between(1, 2),
    arr(7.5),
)
case("fori_loop", "static", lambda x: lax.fori_loop(0, 4, lambda i, v: v + i, x), f32(3))
case(
    "fori_loop", "dynamic", lambda x, n: lax.fori_loop(0, n, lambda i, v: v.at[i].set(-1.0), x), f32(5), arr(3, "int32")
)
case("cond", "two", lambda p, x: lax.cond(p, lambda v: v + 1, lambda v: v * 2, x), boolean(), f32(3))
case(
    "cond",
    "captures",
    lambda p, x, y: lax.cond(p, lambda: x @ y, lambda: y @ x),
    arr(False, "bool"),
    f32(3, 3),
    f32(3, 3),
)
case("cond", "identity_branch", lambda p, x: lax.cond(p, lambda v: v, lambda v: v * 2, x), arr(True, "bool"), f32(3))
case(
    "cond", "constant_branch", lambda p: lax.cond(p, lambda: jnp.zeros(3), lambda: jnp.arange(3.0)), arr(False, "bool")
)
case(
    "cond",
    "many_results",
    lambda p, x: lax.cond(p, lambda v: (v, v + 1, 3), lambda v: (v - 1, v, 4), x),
    arr(False, "bool"),
    f32(3),
)
for index in [-5, 0, 1, 2, 9]:
    case(
        "cond",
        f"switch_{index}".replace("-", "minus"),
        lambda i, x: lax.switch(i, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], x),
        arr(index, "int32"),
        f32(3),
    )
case(
    "cond",
    "in_scan",
    lambda xs: lax.scan(lambda c, x: (lax.cond(x > 0, lambda: c + x, lambda: c - 1), c), 0.0, xs),
    f32(6),
)
case("map", "lax", lambda xs: lax.map(lambda x: jnp.sin(x) * x.sum(), xs), f32(4, 3))
case("jit", "nested", lambda x: jax.jit(lambda v: jax.jit(jnp.tanh)(v) + 1)(x), f32(3))
case("custom_jvp_call", "relu", lambda x: jax.nn.relu(x), f32(3))
case("remat2", "checkpoint", lambda x: jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x), f32(3))
case("gradient", "dense", jax.grad(lambda w: jnp.sum(jnp.tanh(jnp.ones(3) @ w) ** 2)), f32(3, 2))
case("gradient", "scan", jax.grad(lambda xs: lax.scan(lambda c, x: (jnp.sin(c + x), None), 0.0, xs)[0]), f32(4))
case("associative_scan", "add", lambda x: lax.associative_scan(jnp.add, x), f32(8))
case(
    "while", "loop_counter_i32", lambda n: lax.while_loop(lambda i: i * i < n, lambda i: i + 1, 0), i32().between(5, 9)
)

# Loops: loop-carried values, captured values and stacked results.
case("scan", "map_without_carry", lambda xs: lax.scan(lambda c, x: (c, x * 2), (), xs)[1], f32(4, 3))
case("scan", "unused_result", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs)[0], f32(4, 3))
case(
    "scan",
    "unused_carry",
    lambda xs: lax.scan(lambda c, x: ((c[0] + x, c[1] * x), c[0]), (jnp.zeros(3), jnp.ones(3)), xs)[1],
    f32(4, 3),
)
case(
    "scan",
    "invariant_carry",
    lambda a, xs: lax.scan(lambda c, x: ((c[0], c[1] + c[0] * x), c[0] - x), (a, jnp.zeros(3)), xs),
    f32(3),
    f32(4, 3),
)
case(
    "scan",
    "swapped_carry",
    lambda a, b: lax.scan(lambda c, _: ((c[1], c[0]), c[0]), (a, b), None, length=3),
    f32(3),
    f32(3),
)
case("scan", "one_step", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs), f32(1, 3))
case("scan", "no_step_no_inputs", lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=0), f32(2))
case("scan", "empty_elements", lambda xs: lax.scan(lambda c, x: (c + x.sum(), x), 0.0, xs), f32(4, 0))
case("scan", "reverse_no_inputs", lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=3, reverse=True), f32(2))
case("scan", "complex_carry", lambda xs: lax.scan(lambda c, x: (c * x, c + x), jnp.complex64(1 + 1j), xs), c64(4))
case(
    "scan",
    "keys",
    lambda k: lax.scan(lambda c, _: (jax.random.split(c, 1)[0], jax.random.bits(c)), k, None, length=3),
    key(3),
)
case(
    "scan",
    "dtypes",
    lambda a, b, c: lax.scan(lambda s, x: (s + x[0], (x[1], ~x[2])), jnp.int8(100), (a, b, c)),
    i8(5).between(20, 60),
    f64(5),
    boolean(5),
    x64=True,
)
case(
    "scan",
    "length_minus_one",
    lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs[1:]),
    f32("B", 3),
    sizes=({"B": 1}, {"B": 4}),
)
case(
    "scan",
    "length_minus_one_reverse",
    lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs[1:], reverse=True),
    f32("B", 3),
    sizes=({"B": 4}, {"B": 1}),
)
case(
    "scan",
    "both_symbolic",
    lambda xs: lax.scan(lambda c, x: (c + x, jnp.stack([c, x])), jnp.zeros_like(xs[0]), xs),
    f32("T", "B"),
    sizes=({"B": 2, "T": 3}, {"B": 4, "T": 1}),
)
case(
    "while",
    "condition_captures",
    lambda x, n: lax.while_loop(lambda c: (c[0] < n) & (c[1].sum() < 50), lambda c: (c[0] + 1, c[1] * 2), (0, x)),
    f32(3),
    arr(4, "int32"),
)
case(
    "while",
    "carry_of_constants",
    lambda n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] + c[2], c[2]), (0, 0.0, 1.5)),
    arr(4, "int32"),
)
case(
    "while",
    "complex",
    lambda z: lax.while_loop(lambda c: jnp.abs(c[0]) < 10, lambda c: (c[0] * (1 + 1j), c[1] + 1), (z, 0)),
    arr(0.5 + 0.25j, "complex64"),
)
case(
    "while",
    "key",
    lambda k: lax.while_loop(
        lambda c: c[1] < 0.7, lambda c: (jax.random.fold_in(c[0], 1), jax.random.uniform(c[0])), (k, 0.0)
    ),
    key(5),
)
case(
    "while",
    "batched",
    jax.vmap(lambda x: lax.while_loop(lambda v: v < 10, lambda v: v * 2 + 1, x)),
    f32(5).between(1, 9),
)
case(
    "while",
    "batch_without_elements",
    jax.vmap(lambda x: lax.while_loop(lambda v: v < 10, lambda v: v * 2 + 1, x)),
    f32(0),
)
case(
    "while",
    "nested",
    lambda n: lax.fori_loop(0, n, lambda i, v: lax.fori_loop(0, i, lambda j, w: w + j, v), 0),
    arr(5, "int32"),
)
case("fori_loop", "symbolic_bound", lambda x: lax.fori_loop(0, x.shape[0], lambda i, v: v + x[i], 0.0), f32("B"))
case("fori_loop", "downward_never", lambda x: lax.fori_loop(5, 2, lambda i, v: v + i, x), f32(3))
case(
    "fori_loop",
    "unsigned",
    lambda n: lax.fori_loop(jnp.uint8(250), n, lambda i, v: v + i.astype("int32"), 0),
    arr(255, "uint8"),
)
for index in [-3, 0, 3, 4, 7]:
    case(
        "cond",
        f"five_branches_{index}".replace("-", "minus"),
        lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp, lambda v: v, jnp.tanh], x),
        arr(index, "int32"),
        f32(3),
    )
case("cond", "constant_index", lambda x: lax.switch(2, [jnp.sin, jnp.cos, jnp.exp], x), f32(3))
case(
    "cond",
    "unused_operands",
    lambda p, x, y: lax.cond(p, lambda a, b: a, lambda a, b: a * 2, x, y),
    arr(True, "bool"),
    f32(3),
    f32(3),
)
case(
    "cond",
    "unused_results",
    lambda p, x: lax.cond(p, lambda v: (v + 1, v @ v), lambda v: (v - 1, v.sum()), x)[0],
    arr(True, "bool"),
    f32(3),
)
case(
    "cond",
    "nested",
    lambda p, q, x: lax.cond(p, lambda v: lax.cond(q, jnp.sin, jnp.cos, v), lambda v: v, x),
    arr(True, "bool"),
    arr(False, "bool"),
    f32(3),
)
case("cond", "complex", lambda p, z: lax.cond(p, lambda v: v * 1j, jnp.conj, z), arr(True, "bool"), c64(3))
case(
    "cond",
    "keys",
    lambda p, k: jax.random.bits(lax.cond(p, lambda v: jax.random.fold_in(v, 1), lambda v: v, k)),
    arr(True, "bool"),
    key(4),
)
case("platform_index", "cpu", lambda x: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos), f32(3))
case("platform_index", "default", lambda x: lax.platform_dependent(x, tpu=jnp.sin, default=jnp.cos), f32(3))
case(
    "cond",
    "symbolic",
    lambda p, x: lax.cond(p, lambda v: v + 1, lambda v: jnp.zeros_like(v), x),
    arr(False, "bool"),
    f32("B", 3),
)
case("cond", "empty", lambda p, x: lax.cond(p, lambda v: v, lambda v: v + 1, x), arr(True, "bool"), f32(0, 3))

# Calls, annotations, implicit functions.
case("custom_vjp_call", "logsumexp_gradient", jax.grad(lambda x: jax.nn.logsumexp(jnp.where(x > 0, x, -1.0))), f32(3))
case("optimization_barrier", "pair", lambda x, y: lax.optimization_barrier((x, y)), f32(3), i32(2))
case("debug_print", "print", lambda x: (jax.debug.print("{x}", x=x), x + 1)[1], f32(3))
case("device_put", "several", lambda x, y: jax.device_put((x, y)), f32(3), i32(2))
case("name", "checkpoint_name", lambda x: checkpoint_name(jnp.sin(x), "s"), f32(3))
case(
    "custom_linear_solve",
    "solve",
    lambda a, b: lax.custom_linear_solve(lambda v: a @ v, b, lambda mv, r: r / jnp.diag(a).reshape(3), symmetric=True),
    f32(3, 3),
    f32(3),
)
case(
    "custom_root",
    "square_root",
    lambda x: lax.custom_root(
        lambda y: y * y - x,
        x,
        lambda f, y: lax.fori_loop(0, 6, lambda i, v: (v + x / v) / 2, y),
        lambda g, y: y / g(1.0),
    ),
    arr(2.0),
)
case("dead_code", "unsupported_but_unused", lambda x: (jax.pure_callback(np.sin, x, x), x + 1)[1], f32(3))


# Mutable references.
def refs_whole(x):
    ref = jax.new_ref(x)
    ref[...] = ref[...] * 2
    ref[...] += 1
    return ref[...], jax.freeze(ref)


def refs_elements(x, i):
    ref = jax.new_ref(x)
    ref[0, 1] = 7.0
    ref[i, 2] += 3.0
    ref[-1, i] = ref[i, -1]
    return ref[i], ref[:, i], ref[...]


def refs_slices(x, i):
    ref = jax.new_ref(x)
    ref[1] = ref[0] * 2
    ref[:, 1:3] += 1.0
    ref[2:, 0] = ref[:2, 4]
    ref[i, 3:] = jnp.zeros(2)
    return ref[1:3], ref[...]


def refs_in_scan(x, ys):
    ref, total = jax.new_ref(x), jax.new_ref(0.0)

    def step(carry, y):
        ref[1] += y
        total[...] += ref[1] * carry
        return carry + 1, ref[...]

    return lax.scan(step, 0.0, ys), ref[...], total[...]


def refs_in_cond(x, p):
    ref = jax.new_ref(x)
    lax.cond(p, lambda: ref.__setitem__(0, 5.0), lambda: None)
    y = lax.cond(~p, lambda: ref[0], lambda: ref[1])
    return y, ref[...]


def refs_in_while(x, n):
    ref = jax.new_ref(x)

    def step(i):
        ref[i] = ref[0] + i
        return i + 1

    return lax.while_loop(lambda i: i < n, step, 0), ref[...]


case("freeze", "value", lambda x: jax.freeze(jax.new_ref(x * 2)), f32(3))
case("new_ref", "whole", refs_whole, f32(3))
case("new_ref", "elements", refs_elements, f32(4, 5), arr(1, "int32"))
case("new_ref", "slices", refs_slices, f32(4, 5), arr(2, "int32"))
case("new_ref", "in_scan", refs_in_scan, f32(4), f32(3))
case("new_ref", "in_cond", refs_in_cond, f32(4), arr(True, "bool"))
case("new_ref", "in_while", refs_in_while, f32(4), arr(3, "int32"))


# Calls, identities, meshes of one device.
def device(axis_type):
    return jax.make_mesh((1,), ("i",), axis_types=(axis_type,))


def closed_call(function, **parameters):
    def bound(x):
        parameters["call_jaxpr"] = jax.make_jaxpr(function)(x)
        return core.closed_call_p.bind(x, **core.closed_call_p.get_bind_params(parameters))[0]

    return bound


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1, 1)


clipped.defvjp(lambda x: (clipped(x), None), lambda _, g: (g,))


def checked(x):
    checkify.check(jnp.all(x > -9), "too small")
    return x * 2


def printed(x):
    jax.debug.callback(lambda v: None, x)
    return x + 1


case("closed_call", "body", closed_call(lambda x: jnp.sin(x) * 2), f32(3))
case("closed_call", "named", closed_call(lambda x: jnp.sin(x) * 2, name="eval_jaxpr"), f32(3))
case("composite", "body", lambda x: lax.composite(lambda v: v * 2 + 1, "my.affine")(x), f32(3))
case("custom_vjp_call", "value", clipped, f32(5))
case("custom_vjp_call", "gradient", jax.grad(lambda x: (clipped(x) ** 2).sum()), f32(5))
case("check", "is_left_out", checked, f32(3), eager=True)
case("debug_callback", "is_left_out", printed, f32(3))
case("layout_constraint", "is_the_value", lambda x: with_layout_constraint(x + 1, Layout((0, 1))), f32(2, 3))
case(
    "sharding_constraint",
    "is_the_value",
    lambda x: lax.with_sharding_constraint(x + 1, NamedSharding(device(AxisType.Auto), P("i"))),
    f32(4),
)
case(
    "reshard",
    "is_the_value",
    lambda x: jax.sharding.reshard(x + 1, NamedSharding(device(AxisType.Explicit), P("i"))),
    f32(4),
)
case(
    "shard_map",
    "one_device",
    lambda x: jax.shard_map(lambda v: v * 2, mesh=device(AxisType.Auto), in_specs=P("i"), out_specs=P("i"))(x),
    f32(4),
)
case(
    "pvary",
    "one_device",
    lambda x, y: jax.shard_map(
        lambda v, w: v * w, mesh=device(AxisType.Auto), in_specs=(P("i"), P()), out_specs=P("i")
    )(x, y),
    f32(4),
    f32(),
)
for name in ["psum", "pmax", "pmin"]:
    fn = getattr(lax, name)
    case(name, "vmap", jax.vmap(lambda v, fn=fn: v - fn(v, "i"), axis_name="i"), f32(4, 3))
    case(
        name,
        "two_values",
        jax.vmap(lambda v, w, fn=fn: fn((v, w), "i"), axis_name="i", out_axes=None),
        f32(4),
        i32(4, 2),
    )
case("psum", "symbolic", jax.vmap(lambda v: v / lax.psum(v, "i"), axis_name="i"), f32("B", 3).between(1, 2))
case("tie", "second_value", lambda x, y: tie_p.bind(x, y * 2), f32(3), f32(3))

# Named axes.
over = lambda f: lambda x: jax.vmap(f, axis_name="i")(x)
case("psum", "mapped", over(lambda x: x - jax.lax.pmean(x, "i")), f32(3, 4))
case(
    "psum",
    "nested",
    lambda x: jax.vmap(jax.vmap(lambda x: jax.lax.psum((x, x * 2), ("i", "j")), axis_name="i"), axis_name="j")(x),
    f32(2, 3),
)
case("psum", "symbolic_broadcast", over(lambda x: jax.lax.psum(x, "i")), f32("B", 4))
case("pmax", "mapped", over(lambda x: jax.lax.pmax(x, "i")), f32(3, 4))
case("pmin", "mapped", over(lambda x: jax.lax.pmin(x, "i")), i32(3, 4))


# More references.
def on_ref(body):
    """The value of a reference after `body` has changed it."""
    return lambda x, *more: run_state(lambda r: body(r, *more))(x)


def new_ref(x):
    r = jax.new_ref(x * 2)
    r[0] = 1.0
    r[1:3] += r[...][2:4]
    return r[...]


case(
    "run_state",
    "three_updates",
    on_ref(lambda r: (ref_set(r, (1,), ref_get(r, (0,)) * 2), ref_addupdate(r, (2,), ref_get(r, (1,))))[0] and None),
    f32(4),
)
case("get", "row", on_ref(lambda r: ref_set(r, (1,), ref_get(r, (0,)))), f32(2, 3))
case("get", "all", on_ref(lambda r: ref_set(r, (), jnp.sin(ref_get(r, ())))), f32(2, 3))
case("get", "at_a_value", on_ref(lambda r, i: ref_set(r, (0,), ref_get(r, (i,)))), f32(4, 2), arr(2, "int32"))
case("get", "beyond_the_ends", on_ref(lambda r: ref_set(r, (1,), ref_get(r, (9,)) - ref_get(r, (-7,)))), f32(4, 2))
case("swap", "old_value", on_ref(lambda r, v: ref_set(r, (1,), ref_swap(r, (0,), v))), f32(3), f32())
case("swap", "at_a_value", on_ref(lambda r, i: ref_set(r, (i,), jnp.ones(2))), f32(4, 2), arr(3, "int32"))
case("addupdate", "row", on_ref(lambda r, v: ref_addupdate(r, (1,), v)), f32(2, 3), f32(3))
case("addupdate", "all", on_ref(lambda r, v: ref_addupdate(r, (), v)), f32(2, 3), f32(2, 3))
case(
    "addupdate",
    "repeated_indices",
    on_ref(lambda r, i: ref_addupdate(r, (i,), jnp.ones((4, 2)))),
    f32(4, 2),
    arr([1, 3, 1, 1], "int32"),
)
case("addupdate", "at_a_value", on_ref(lambda r, i: ref_addupdate(r, (i,), jnp.ones(2))), f32(4, 2), arr(3, "int32"))
case("new_ref", "slices_of_vector", new_ref, f32(5))

# Collectives over a mesh of one device.
mapped = lambda f: (
    lambda x: jax.shard_map(f, mesh=device(AxisType.Auto), in_specs=P("i"), out_specs=P("i"), check_vma=False)(x)
)
case("all_gather", "tiled", mapped(lambda x: lax.all_gather(x, "i", tiled=True)), f32(2, 3))
case("all_gather", "new_axis", mapped(lambda x: lax.all_gather(x, "i", axis=1)), f32(2, 3))
case("all_gather", "symbolic", mapped(lambda x: lax.all_gather(x, "i", axis=1)), f32("B", 3))
case("all_gather", "complex", mapped(lambda x: lax.all_gather(x, "i")), spec("complex64", (2, 3)))
case("all_to_all", "tiled", mapped(lambda x: lax.all_to_all(x, "i", 0, 1, tiled=True)), f32(2, 3))
case("all_to_all", "split_axis", mapped(lambda x: lax.all_to_all(x[None], "i", 0, 2)), i32(2, 3))
case("shard_alike", "pair", lambda x, y: shard_alike.shard_alike(x, y)[0] + y, f32(3), f32(3))
case(
    "inspect_sharding",
    "dropped",
    lambda x: (jax.debug.inspect_array_sharding(x, callback=lambda sharding: None), x + 1)[1],
    f32(3),
)
case("axis_index", "one_device", mapped(lambda x: x + lax.axis_index("i")), i32(2, 3))
case("ppermute", "to_itself", mapped(lambda x: lax.ppermute(x, "i", [(0, 0)])), f32(2, 3))
case("ppermute", "to_none", mapped(lambda x: lax.ppermute(x, "i", [])), f32(2, 3))
case("reduce_scatter", "tiled", mapped(lambda x: lax.psum_scatter(x, "i", tiled=True)), f32(2, 3))
case("reduce_scatter", "split_axis", mapped(lambda x: lax.psum_scatter(x[None], "i")), f32(2, 3))
for name in ["psum", "pmax", "pmin", "pmean"]:
    reduce = getattr(lax, name)
    case("psum" if name == "pmean" else name, f"one_device_{name}", mapped(lambda x, f=reduce: f(x, "i")), f32(2, 3))
case(
    "psum",
    "one_device_invariant",
    lambda x: jax.shard_map(
        lambda v: v * lax.psum(v, "i"), mesh=device(AxisType.Auto), in_specs=P("i"), out_specs=P("i")
    )(x),
    f32(4),
)

# platform_dependent: the branch for all platforms is used if the branch for CPUs calls Python.
case(
    "platform_index",
    "callback",
    lambda x: lax.platform_dependent(
        x, cpu=lambda v: jax.pure_callback(np.cumsum, v, v), default=lambda v: jnp.cumsum(v)
    ),
    f32(4),
    jax=NEWEST,
)


# Arrays that loops fill.
def written(write, steps=12, reverse=False):
    def run(x):
        def step(carry, e):
            h, out = carry
            h = jnp.tanh(h + e[0])
            return (h, write(out, e[1], h)), None

        start = (jnp.zeros_like(x[0]), jnp.full((3, 7), 9.0))
        return lax.scan(step, start, (x, jnp.arange(steps)), reverse=reverse)[0][1]

    return run


case("scan", "fills_columns", written(lambda o, i, h: o.at[:, i].set(h), 7), f32(7, 3))
case("scan", "fills_columns_twice", written(lambda o, i, h: o.at[:, (2 * i) % 7].set(h)), f32(12, 3))
case("scan", "fills_columns_from_behind", written(lambda o, i, h: o.at[:, i % 5].set(h), reverse=True), f32(12, 3))
case(
    "scan",
    "fills_columns_under_a_mask",
    written(lambda o, i, h: jnp.where(i % 3 == 1, o.at[:, i % 7].set(h), o)),
    f32(12, 3),
)
case(
    "scan",
    "fills_parts_of_columns",
    written(lambda o, i, h: o.at[:, i % 7].set(jnp.where((jnp.arange(3) == 1) | (i > 4), h, o[:, i % 7]))),
    f32(12, 3),
)
case("scan", "fills_no_column", written(lambda o, i, h: o.at[:, i + 5].set(h)), f32(12, 3))
case("scan", "adds_to_columns", written(lambda o, i, h: o.at[:, i % 7].add(h)), f32(12, 3))


def delayed(h, x):
    return (jnp.sin(x), h[0]), h[1] * x


case("scan", "delays", lambda x: lax.scan(delayed, (x[0], x[1]), x), f32(9, 3))
case("scan", "delays_from_behind", lambda x: lax.scan(delayed, (x[0], x[1]), x, reverse=True), f32(9, 3))
case(
    "scan",
    "line_of_cells",
    lambda x: lax.scan(lambda h, e: (jnp.concatenate([e[None], jnp.tanh(h[:-1]) * 2]), h.sum()), x[:5], x),
    f32(11),
)
case(
    "scan",
    "ring_of_cells",
    lambda x: lax.scan(lambda h, e: (jnp.roll(jnp.tanh(h + e), 1), h.sum()), x[:5], x),
    f32(11),
)
