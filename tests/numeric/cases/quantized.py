# SPDX-License-Identifier: Apache-2.0
"""Programs with weights of few bits, as Qwix and Keras write them."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from table import case, f32, i32

ROWS, COLUMNS, BLOCK = 256, 256, 32
rng = np.random.default_rng(0)


def periodic(low, high, shape):
    """Numbers that compress well in the files of recorded cases."""
    return np.resize(rng.integers(low, high + 1, 251), shape)


def weight(dtype, shape=(ROWS, COLUMNS), low=-7, high=7):
    return jnp.asarray(periodic(low, high, shape), dtype)


def factors(*shape):
    return jnp.asarray(np.resize(rng.uniform(0.01, 0.02, 61), shape), "float32")


def quantized(name, function, *arguments):
    case("quantized", name, function, *arguments, atol=1e-4)


def dense(w, s, *, after=False, bias=None):
    def apply(x):
        y = (x @ w.astype("float32")) * s if after else x @ (w.astype("float32") * s)
        return y if bias is None else y + bias

    return apply


X = f32(2, ROWS)
quantized("int8_columns", dense(weight("int8", low=-127, high=127), factors(1, COLUMNS)), X)
quantized("int8_whole", dense(weight("int8"), factors()), X)
quantized("int8_after", dense(weight("int8"), factors(COLUMNS), after=True, bias=factors(COLUMNS)), X)
quantized("uint8_columns", dense(weight("uint8", low=0, high=15), factors(COLUMNS), bias=factors(COLUMNS)), X)
quantized("int4_columns", dense(weight("int4"), factors(COLUMNS)), f32("B", 3, ROWS))
quantized("few_elements", dense(weight("int8", (16, 16)), factors(16)), f32(2, 16))


def tiles(w, s):
    """The weight in blocks of rows, each with its factors."""

    def apply(x):
        blocks = w.reshape(-1, BLOCK, COLUMNS).astype("float32") * s[:, None]
        return x @ blocks.reshape(ROWS, COLUMNS)

    return apply


quantized("int4_blocks", tiles(weight("int4"), factors(ROWS // BLOCK, COLUMNS)), X)
quantized("int8_blocks", tiles(weight("int8"), factors(ROWS // BLOCK, COLUMNS)), X)


def transposed(w, s):
    return lambda x: x @ (w.astype("float32") * s[:, None]).T


quantized("int8_transposed", transposed(weight("int8"), factors(COLUMNS)), X)
quantized("int4_transposed", transposed(weight("int4"), factors(COLUMNS)), X)


def halves(packed):
    low, high = packed & np.int8(15), (packed >> np.int8(4)) & np.int8(15)
    return [(half ^ np.int8(8)) - np.int8(8) for half in (low, high)]


def packed(s, z=None, axis=1):
    """Two numbers in each byte, as Keras packs them; if `z` is given, for blocks of rows with zero points."""
    both = jnp.asarray(periodic(-128, 127, (ROWS, COLUMNS // 2)), "int8")

    def apply(x):
        w = jnp.stack(halves(both.T), 1).reshape(COLUMNS, ROWS).T
        if z is None:
            return x @ w.astype("float32") / s
        group = jnp.arange(ROWS) // (ROWS // len(s))
        return x @ ((w.astype("float32") - z[group].astype("float32")) * s[group])

    return apply


quantized("packed_columns", packed(1 / factors(COLUMNS)), X)
quantized("packed_blocks", packed(factors(8, COLUMNS), weight("int8", (8, COLUMNS))), X)
quantized("packed_halves", packed(factors(2, COLUMNS), weight("int8", (2, COLUMNS))), X)


def lookup(both, s):
    def apply(i):
        rows = jnp.stack(halves(both), 2).reshape(ROWS, COLUMNS)
        return rows[i].astype("float32") * s[i]

    return apply


table = jnp.asarray(periodic(-128, 127, (ROWS, COLUMNS // 2)), "int8")
case("quantized", "packed_lookup", lookup(table, factors(ROWS, 1)), i32("B"))


def dynamic(w, s):
    """The program rounds the operand to int8, so products are exact."""

    def apply(x):
        scale = jnp.max(jnp.abs(x), axis=-1, keepdims=True) / 127
        q = jnp.clip(jnp.round(x / scale), -127, 127).astype("int8")
        y = lax.dot_general(q, w, (((1,), (0,)), ((), ())), preferred_element_type="int32")
        return y.astype("float32") * scale * s

    return apply


case("quantized", "dynamic_int8", dynamic(weight("int8"), factors(COLUMNS)), X)
case("quantized", "dynamic_int4", dynamic(weight("int4"), factors(COLUMNS)), X)


def repeated(w, s):
    """A loop reads the weight in float32, which must not be computed in every iteration."""
    return lambda x: lax.fori_loop(0, 20, lambda _, y: jnp.tanh(y @ (w.astype("float32") * s)), x)


case("quantized", "in_loop", repeated(weight("int8"), factors(COLUMNS)), X)
