# SPDX-License-Identifier: Apache-2.0
"""The table that cases/*.py fill: `case("reduce_sum", "axes1", lambda x: jnp.sum(x, 1), f32(4, 8))`."""

import dataclasses
import sys
import zlib

import jax
import ml_dtypes
import numpy as np

NEWEST = "0.12.0.1"  # the version of JAX for cases that the pinned one does not support


@dataclasses.dataclass(frozen=True)
class spec:
    """An argument of random values. A name in the shape, or an expression, is a symbolic dimension."""

    dtype: str
    shape: tuple
    low: float = -2.0
    high: float = 2.0

    def between(self, low, high):
        return dataclasses.replace(self, low=low, high=high)

    def make(self, rng, sizes):
        shape = [eval(d, {}, sizes) if isinstance(d, str) else d for d in self.shape]
        if self.dtype == "bool":
            return rng.integers(0, 2, shape).astype(bool)
        kind = dtype_of(self.dtype).kind
        if kind in "iu" or "int" in self.dtype:
            low, high = (0 if self.dtype.startswith("u") and self.low < 0 else self.low), self.high
            return rng.integers(int(low), int(high) + 1, shape).astype(dtype_of(self.dtype))
        values = rng.uniform(self.low, self.high, shape)
        if kind == "c":
            values = values + 1j * rng.uniform(self.low, self.high, shape)
        return values.astype(dtype_of(self.dtype))


@dataclasses.dataclass(frozen=True)
class given:
    """An argument with exactly these values."""

    values: object

    def make(self, rng, sizes):
        return self.values


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def maker(dtype, low=-2.0, high=2.0):
    return lambda *shape: spec(dtype, shape, low, high)


f16, bf16, f32, f64 = map(maker, ["float16", "bfloat16", "float32", "float64"])
c64, c128, boolean = map(maker, ["complex64", "complex128", "bool"])
i8, i16, i32, i64 = (maker(t, -9, 9) for t in ["int8", "int16", "int32", "int64"])
u8, u16, u32, u64 = (maker(t, 0, 9) for t in ["uint8", "uint16", "uint32", "uint64"])


def arr(values, dtype="float32"):
    return given(np.array(values, dtype_of(dtype)))


def key(seed=0):
    """A typed PRNG key; the file holds its uint32[2] data."""
    return given(jax.random.key(seed))


def edge_values(dtype):
    """Values on which implementations differ: signed zeros, ties, infinities, NaN; the ends of an integer's range."""
    t = dtype_of(dtype)
    if dtype == "bool":
        return np.array([False, True])
    if "int" in dtype:
        info = ml_dtypes.iinfo(t)
        low, high = int(info.min), int(info.max)
        inside = {low, low + 1, -7, -1, 0, 1, 2, 7, info.bits - 1, info.bits, high - 1, high}
        return np.array(sorted(v for v in inside if low <= v <= high), t)
    top = float(ml_dtypes.finfo(t).max)
    values = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.7, -3.7, 100.0, -100.0, top, -top]
    return np.array(values + [float("inf"), float("-inf"), float("nan")], t)


def edges(dtype):
    return given(edge_values(dtype))


def edge_pairs(dtype):
    """Two arguments that pair every edge value with every other."""
    a = edge_values(dtype)
    return given(np.repeat(a, a.size)), given(np.tile(a, a.size))


@dataclasses.dataclass
class row:
    family: str
    primitive: str
    name: str
    function: object
    arguments: tuple
    x64: bool = False
    # Sizes of symbolic dimensions. One model must work for both.
    sizes: tuple = ({"B": 2, "C": 4, "D": 7, "N": 3}, {"B": 5, "C": 6, "D": 4, "N": 8})
    rtol: float = None
    atol: float = None
    eager: bool = False  # call the function without jit
    args: str = ""  # more arguments for the tool
    signs: bool = False  # also compare the signs of zeros
    jax: str = ""  # the version for tracing, if the pinned one lacks the primitive or gives other results
    xfail: str = ""  # why the case cannot pass yet; passing is then a failure

    @property
    def id(self):
        return f"{self.primitive}.{self.name}"

    @property
    def symbolic(self):
        return any(isinstance(d, str) for a in self.arguments for d in getattr(a, "shape", ()))

    def rng(self):
        return np.random.default_rng(zlib.crc32(self.id.encode()))


rows = []


def case(primitive, name, function, *arguments, **options):
    """Adds a row to the family that is the calling module's name."""
    family = sys._getframe(1).f_globals["__name__"].rsplit(".", 1)[-1]
    rows.append(row(family, primitive, name, function, arguments, **options))
