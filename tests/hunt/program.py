# SPDX-License-Identifier: Apache-2.0
"""A program: the text of a Python function f, its arguments, and the mode in which it is traced."""

import dataclasses
import functools
import textwrap
import zlib

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import ml_dtypes
import numpy as np
from jax import lax
from jax.nn import initializers

SIZES = [{"B": 2, "T": 3}, {"B": 3, "T": 1}, {"B": 1, "T": 4}, {"B": 4, "T": 4}]  # sizes of symbolic dimensions


def total(tree):
    """A number that depends on every floating-point element of a tree, for taking gradients."""
    leaves = [jnp.asarray(y) for y in jax.tree.leaves(tree)]
    return sum(jnp.sum(jnp.sin(jnp.abs(y))) for y in leaves if jnp.issubdtype(y.dtype, jnp.inexact))


NAMESPACE = {
    "jax": jax, "jnp": jnp, "lax": lax, "np": np, "jsp": jsp, "initializers": initializers, "total": total,
}  # fmt: skip


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


@dataclasses.dataclass(frozen=True)
class argument:
    """An array argument of a program. A shape has numbers and names of symbolic dimensions; `values` is a row of the
    table below; `seed` varies the values."""

    name: str
    dtype: str
    shape: tuple = ()
    values: str = "plain"
    seed: int = 0

    @property
    def symbolic(self):
        return any(isinstance(extent, str) for extent in self.shape)

    def make(self, sizes):
        shape = tuple(sizes[d] if isinstance(d, str) else d for d in self.shape)
        rng = np.random.default_rng([zlib.crc32(self.values.encode()), self.seed])
        if self.dtype == "key":
            keys = jax.random.key(self.seed) if not shape else jax.random.split(jax.random.key(self.seed), shape)
            return keys
        return random_values(rng, self.values, shape, dtype_of(self.dtype))


def random_values(rng, kind, shape, dtype):
    """`kind` is the name of a row of VALUES, or LOW..HIGH for integers."""
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if ".." in kind:
        low, high = (int(v) for v in kind.split(".."))
        return rng.integers(max(low, 0) if dtype.kind == "u" else low, high + 1, shape).astype(dtype)
    if kind == "edges":
        return rng.choice(edge_values(dtype), shape)
    if kind == "extremes":
        return rng.choice(extreme_values(dtype), shape)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" or kind == "positive" else -5
        return rng.integers(low, 6, shape).astype(dtype)
    values = VALUES[kind](rng, shape)
    if dtype.kind == "c":
        values = values + 1j * VALUES[kind](rng, shape)
        if kind == "spd":
            values = values @ values.conj().swapaxes(-1, -2) + 2 * np.eye(shape[-1])
    return values.astype(dtype)


def positive_definite(rng, shape):
    half = rng.uniform(-1, 1, shape)
    return half @ half.swapaxes(-1, -2) + 2 * np.eye(shape[-1])


def well_conditioned(rng, shape):
    return rng.uniform(-1, 1, shape) + 2 * np.eye(shape[-2], shape[-1])


VALUES = {
    "plain": lambda rng, shape: rng.uniform(-3, 3, shape),
    "ties": lambda rng, shape: rng.integers(-3, 4, shape).astype("f8"),
    "halves": lambda rng, shape: rng.integers(-6, 7, shape) / 2,
    "positive": lambda rng, shape: rng.uniform(0.1, 4, shape),
    "unit": lambda rng, shape: rng.uniform(0.02, 0.98, shape),
    "signed unit": lambda rng, shape: rng.uniform(-0.98, 0.98, shape),
    "large": lambda rng, shape: rng.uniform(-300, 300, shape),
    "small": lambda rng, shape: rng.uniform(-1e-3, 1e-3, shape),
    "probabilities": lambda rng, shape: rng.dirichlet(np.ones(shape[-1]), shape[:-1]) if shape[-1] else np.zeros(shape),
    "sorted": lambda rng, shape: np.sort(rng.uniform(-3, 3, shape), axis=-1),
    "spd": positive_definite,
    "regular": well_conditioned,
}
MESSY = {"ties", "halves", "edges", "extremes"}  # values at which functions jump


def edge_values(dtype):
    """Signed zeros, ties, infinities, NaN; the ends of an integer's range."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([v for v in (0, 1, 2, 3, 7, -1, -2, info.bits, info.max, info.max - 1, info.min)
                         if info.min <= v <= info.max], dtype)  # fmt: skip
    values = [0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 3.7, 88.8, -100, 3e4, -3e4, np.inf, -np.inf, np.nan]
    return np.array(values).astype(dtype)


def extreme_values(dtype):
    """Values near which floating-point numbers overflow. Sums of them depend on the order of additions."""
    limits = ml_dtypes.finfo(dtype)
    return np.array(
        [float(limits.max), float(limits.min), 1.0, -float(limits.smallest_normal), 0.0, 65504, 2.0**31, -129]
    ).astype(dtype)


@dataclasses.dataclass(frozen=True)
class program:
    group: str
    lines: tuple  # the function's body
    arguments: tuple
    x64: bool = False
    choices: tuple = dataclasses.field(default=(), compare=False)  # the choices from which it was drawn

    @property
    def symbolic(self):
        return any(a.symbolic for a in self.arguments)

    @property
    def source(self):
        return f"def f({', '.join(a.name for a in self.arguments)}):\n" + textwrap.indent("\n".join(self.lines), "  ")

    @functools.cached_property
    def function(self):
        return compiled(self.source)

    def inputs(self, sizes):
        return [a.make(sizes) for a in self.arguments]

    def specs(self, scope):
        """The arguments for tracing: symbolic dimensions stay symbolic."""
        return [spec_of(a, scope) for a in self.arguments]

    def reproducer(self, sizes):
        """Lines of Python that show the program and its arguments."""
        with jax.enable_x64(self.x64):
            values = [f"{a.name} = {literal(a, sizes)}" for a in self.arguments]
        shapes = {a.name: ", ".join(map(str, a.shape)) for a in self.arguments if a.symbolic}
        remarks = [f"symbolic: {shapes}"] * bool(shapes) + ["jax_enable_x64"] * self.x64
        return "\n".join([self.source, *values, *(f"# {r}" for r in remarks)])


def compiled(source):
    names = dict(NAMESPACE)
    exec(source, names)
    return names["f"]


def spec_of(argument, scope):
    dtype = jax.random.key(0).dtype if argument.dtype == "key" else dtype_of(argument.dtype)
    shape = argument.shape
    if argument.symbolic:
        shape = jax.export.symbolic_shape(",".join(map(str, shape)) + ("," if len(shape) == 1 else ""), scope=scope)
    return jax.ShapeDtypeStruct(shape, dtype)


def literal(argument, sizes):
    value = argument.make(sizes)
    if argument.dtype == "key":
        return f"jax.random.key({argument.seed})" + (f"  # split {value.shape}" if value.shape else "")
    wide = value.astype("f4") if value.dtype.name in vars(ml_dtypes) else value
    text = np.array2string(wide, separator=", ", threshold=64, floatmode="unique", max_line_width=1000).replace(
        "\n", ""
    )
    return f"np.array({text}, '{value.dtype.name}')" + ("" if value.size else f".reshape({value.shape})")
