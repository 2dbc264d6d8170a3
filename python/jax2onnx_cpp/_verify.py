# SPDX-License-Identifier: Apache-2.0
"""Compares models with JAX."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._arguments import checked_keywords, counted, list_of, specified
from ._functions import as_function, with_keywords
from ._model import Model, Signature
from ._runtime import computed, interface, session

TOLERANCES = {  # relative, absolute
    "float64": (1e-7, 1e-9),
    "float32": (1e-4, 2e-5),
    "float16": (5e-3, 2e-3),
    "bfloat16": (3e-2, 1e-2),
    "complex64": (1e-4, 2e-5),
    "complex128": (1e-7, 1e-9),
}


@dataclasses.dataclass(frozen=True)
class OutputCheck:
    """The comparison of one output, at one choice of sizes."""

    name: str
    sizes: dict[str, int]  #: the sizes of the symbolic dimensions
    ok: bool
    reason: str  #: names the difference: the shape, the element type, or values; "" if there is none
    worst: tuple[int, ...] | None  #: the index of the element that differs most
    got: Any  #: the value of this element in the model
    want: Any  #: the value of this element in JAX
    error: float  #: the absolute difference of the two values
    ulps: float  #: the difference in steps between the numbers of the type; 0 for integers

    def __str__(self) -> str:
        sizes = " ".join(f"{symbol}={size}" for symbol, size in self.sizes.items())
        place = "" if self.worst is None or not self.error else f" at {list(self.worst)}: {self.got} for {self.want}"
        verdict = "agrees" if self.ok else f"DIFFERS ({self.reason})"
        head = " ".join(filter(None, (self.name, sizes)))
        return f"{head}: {verdict}, error {self.error:.3g}, {self.ulps:.0f} ulps{place}"


@dataclasses.dataclass(frozen=True)
class Verification:
    """The result of `verify`, which is true if all outputs agree."""

    checks: tuple[OutputCheck, ...]

    def __bool__(self) -> bool:
        return all(check.ok for check in self.checks)

    def __str__(self) -> str:
        return "\n".join(map(str, self.checks))


def verify(
    model: Model | str | os.PathLike[str] | bytes | Any,
    fn: Callable[..., Any],
    *args: Any,
    sizes: Sequence[int | Mapping[str, int]] = (1, 3, 8),
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
    kwargs: Mapping[str, Any] | None = None,
    static: Mapping[str, Any] | None = None,
) -> Verification:
    """Runs a model in ONNX Runtime and compares its results with the results of the function that was exported.

    >>> import jax.numpy as jnp
    >>> from jax2onnx_cpp import to_onnx, verify
    >>> def f(x):
    ...     return jnp.cumsum(x, axis=1)
    >>> found = verify(to_onnx(f, "B,T"), f, "B,T", sizes=[2, {"B": 1, "T": 7}])
    >>> bool(found), [check.sizes for check in found.checks]
    (True, [{'B': 2, 'T': 3}, {'B': 1, 'T': 7}])

    Args:
        model: the `Model` that `to_onnx` returned, the path of a model, its bytes, or an `onnx.ModelProto`. Unless it
            is a `Model`, it must have the inputs and outputs of the function, in the same order and layout.
        fn: the function or module.
        args: arrays, or the shapes that `to_onnx` takes, for which random numbers are drawn.
        sizes: the sizes to try for the symbols of the shapes. An entry is a dictionary with the sizes of all symbols,
            or a number n: then the symbols get the sizes n, n + 1, n + 2, and so on. If the constraints exclude these
            sizes, larger sizes are tried. Symbols that the model has fixed (`dims`) keep their sizes.
        rtol: the relative tolerance; by default it depends on the element type of the output: 1e-4 for float32, and
            5e-3 if the model was made with `compute="float16"`.
        atol: the absolute tolerance; by default 2e-5 for float32. With `compute="float16"` it is 2e-3, times the
            largest number of the output if this number is over 1. For the model in a file, pass both tolerances: the
            file does not state `compute`.
        seed: the seed of the random numbers.
        kwargs: arguments of `fn` by keyword, as `to_onnx` takes them.
        static: arguments of `fn` with values that are fixed in the model, as `to_onnx` takes them.

    Returns:
        A `Verification`, which is true if all outputs agree, and prints as one line for each output.
    """
    import jax

    keywords, constants = checked_keywords(kwargs, static)
    function = with_keywords(as_function(fn).function, len(args), list(keywords), constants)
    subject = model if isinstance(model, Model) else File(model)
    texts = any(isinstance(leaf, str) for leaf in jax.tree_util.tree_leaves((args, keywords)))
    arguments = specified((*args, *keywords.values()), subject._signature.constraints if texts else ())
    compute = "float32" if isinstance(subject, File) else subject._compute
    wanted = list_of("sizes", sizes, int, Mapping)
    if not wanted:
        raise ValueError("sizes: expected one size or more, found none")
    checks: list[OutputCheck] = []
    for assigned in assignments(arguments, wanted, subject._signature.dims):
        given = drawn(arguments, assigned, np.random.default_rng(seed))
        want = jax.tree_util.tree_leaves(jax.jit(lambda *given: function(*given))(*given))
        got = subject.results(given, want) if isinstance(subject, File) else subject.run(*given)
        got = jax.tree_util.tree_leaves(got)
        if len(got) != len(want):
            raise ValueError(f"the function returns {counted(len(want), 'array')}, but the model returns {len(got)}")
        for info, g, w in zip(subject.outputs, got, want):
            checks.append(compared(info.name, assigned, g, w, tolerances(w, compute, rtol, atol)))
    return Verification(tuple(checks))


class File:
    """An ONNX file in ONNX Runtime; nothing else is known about the function that it was exported from."""

    _signature = Signature([], None, (set(), set()), {}, [], [])

    def __init__(self, model: Any):
        content = model.SerializeToString() if hasattr(model, "SerializeToString") else model
        if not isinstance(content, (str, bytes, os.PathLike)):
            raise TypeError(f"model: expected a Model, a path, bytes or an onnx.ModelProto, found {model!r}")
        self._session = session(content if isinstance(content, bytes) else os.fspath(content))
        self.inputs, self.outputs = interface(self._session)

    def results(self, given: Any, want: Sequence[Any]) -> list[Any]:
        """The outputs for the arguments of the function."""
        import jax

        leaves = jax.tree_util.tree_leaves(given)
        if len(leaves) != len(self.inputs):
            raise ValueError(
                f"the function takes {counted(len(leaves), 'array')}, but the model takes {len(self.inputs)}"
            )
        if len(want) != len(self.outputs):
            raise ValueError(
                f"the function returns {counted(len(want), 'array')}, but the model returns {len(self.outputs)}"
            )
        return computed(self._session, leaves, self.inputs, self.outputs, want)


def assignments(arguments: Any, sizes: Sequence[Any], fixed: Mapping[str, int]) -> list[dict[str, int]]:
    """Sizes for the symbols of the arguments; one empty assignment if there are no symbols."""
    import jax

    symbols: dict[str, None] = {}
    constraints: list[Any] = []
    for leaf in jax.tree_util.tree_leaves(arguments):
        for extent in getattr(leaf, "shape", ()):
            symbols.update(dict.fromkeys(sorted(symbols_of(extent))))
            if symbols_of(extent):
                constraints = extent.scope._explicit_constraints
    if not symbols:
        return [{}]
    constraints = [c for c in constraints if symbols_of(c.diff) <= set(symbols)]  # equations may eliminate symbols
    found: list[dict[str, int]] = []
    for size in sizes:
        assigned = (
            chosen(size, symbols, fixed) if isinstance(size, Mapping) else near(size, symbols, fixed, constraints)
        )
        if assigned not in found:
            found.append(assigned)
    return found


def chosen(size: Mapping[str, int], symbols: Iterable[str], fixed: Mapping[str, int]) -> dict[str, int]:
    """The size of every symbol. Raises ValueError if a symbol has no size, or if the model has fixed another size for
    it."""
    for symbol in symbols:
        if symbol not in size and symbol not in fixed:
            raise ValueError(f"sizes: {dict(size)} has no size for {symbol}")
        if size.get(symbol, fixed.get(symbol)) != fixed.get(symbol, size.get(symbol)):
            raise ValueError(f"sizes: {symbol} is {size[symbol]}, but the model has fixed it as {fixed[symbol]}")
    return {symbol: fixed.get(symbol, size.get(symbol, 0)) for symbol in symbols}


def near(size: int, symbols: Iterable[str], fixed: Mapping[str, int], constraints: Sequence[Any]) -> dict[str, int]:
    """Sizes that count upwards from `size`. If they violate the constraints, the first larger sizes that satisfy
    them."""
    free = [symbol for symbol in symbols if symbol not in fixed]
    together = (range(size + more, size + more + len(free)) for more in range(1000))
    apart = itertools.product(range(size, size + REACH[min(len(free), len(REACH) - 1)]), repeat=len(free))
    for candidate in itertools.chain(together, apart):
        assigned = {symbol: fixed.get(symbol, 0) for symbol in symbols} | dict(zip(free, candidate))
        if all(holds(constraint, assigned) for constraint in constraints):
            return assigned
    raise ValueError(
        f"sizes: no size from {size} on was found that satisfies the constraints: pass a dictionary with a size for"
        " each symbol"
    )


REACH = (1, 1000, 100, 20, 8)  # the number of sizes that are tried for each symbol, by the number of symbols


def holds(constraint: Any, assigned: Mapping[str, int]) -> bool:
    difference = constraint.diff
    value = difference._evaluate(assigned) if symbols_of(difference) else int(difference)
    return value == 0 if constraint.cmp.name == "EQ" else value >= 0


def symbols_of(extent: Any) -> set[str]:
    return set(extent._get_vars()) if hasattr(extent, "_get_vars") else set()


def drawn(arguments: Any, assigned: Mapping[str, int], rng: np.random.Generator) -> Any:
    """The arguments with arrays of random numbers in the place of shapes."""
    import jax

    def array(leaf: Any) -> Any:
        if not isinstance(leaf, jax.ShapeDtypeStruct):
            return leaf
        shape: list[int] = [extent._evaluate(assigned) if symbols_of(extent) else int(extent) for extent in leaf.shape]
        if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.split(jax.random.key(int(rng.integers(1 << 30))), tuple(shape))
        if jax.dtypes.issubdtype(leaf.dtype, np.bool_):
            return rng.random(shape) < 0.5
        if jax.dtypes.issubdtype(leaf.dtype, np.integer):
            return rng.integers(0, 4, shape).astype(leaf.dtype)
        if jax.dtypes.issubdtype(leaf.dtype, np.complexfloating):
            return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(leaf.dtype)
        return np.asarray(rng.standard_normal(shape)).astype(leaf.dtype)

    return jax.tree_util.tree_map(array, arguments)


def tolerances(want: Any, compute: str, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """The relative and the absolute tolerance for an output. The error of a sum in fewer bits is relative to the terms
    of the sum. The largest number of the output is an estimate of the terms."""
    relative, absolute = TOLERANCES.get(want.dtype.name, (0, 0))
    if compute != "float32" and want.dtype.name in ("float32", "complex64"):
        relative, absolute = TOLERANCES[compute]
        magnitudes = np.abs(np.asarray(want))
        absolute *= max(1.0, float(magnitudes.max(initial=0, where=np.isfinite(magnitudes))))
    return relative if rtol is None else rtol, absolute if atol is None else atol


def compared(name: str, sizes: dict[str, int], got: Any, want: Any, allowed: tuple[float, float]) -> OutputCheck:
    import jax

    if jax.dtypes.issubdtype(want.dtype, jax.dtypes.prng_key):
        want = jax.random.key_data(want)
    want = np.asarray(want)
    kinds = (got.dtype.name, got.shape), (want.dtype.name, want.shape)
    if kinds[0] != kinds[1]:
        reason = "{} {}, JAX has {} {}".format(*kinds[0], *kinds[1])
        return OutputCheck(name, sizes, False, reason, None, None, None, float("inf"), float("inf"))
    wide = np.complex128 if np.iscomplexobj(want) else np.float64
    inexact = jax.dtypes.issubdtype(want.dtype, np.inexact)
    a, b = (got.astype(wide), want.astype(wide)) if inexact else (got, want)
    close = np.isclose(a, b, *allowed, equal_nan=True)
    close = close if inexact else got == want
    if not want.size:
        return OutputCheck(name, sizes, True, "", None, None, None, 0.0, 0.0)
    errors = differences(a, b)
    worst = np.unravel_index(int(np.argmax(errors)), want.shape)
    index = tuple(map(int, worst))
    return OutputCheck(
        name=name,
        sizes=sizes,
        ok=bool(close.all()),
        reason="" if close.all() else f"{int((~close).sum())} of {counted(want.size, 'element')}",
        worst=index,
        got=got[worst],
        want=want[worst],
        error=float(errors[worst]),
        ulps=steps(got[worst], want[worst]),
    )


def differences(a: Any, b: Any) -> Any:
    """Absolute differences: 0 if both numbers are NaN or equal, infinite if they differ and one is NaN or infinite."""
    with np.errstate(invalid="ignore", over="ignore"):
        away = np.abs(a.astype(np.complex128 if np.iscomplexobj(a) else np.float64) - b)
    same = (a == b) | ((a != a) & (b != b))
    return np.where(same, 0.0, np.where(np.isnan(away), np.inf, away))


def steps(got: Any, want: Any) -> float:
    """The distance of `got` and `want` in representable numbers; 0 for integers, infinities and NaN."""
    if np.iscomplexobj(want):
        return max(steps(got.real, want.real), steps(got.imag, want.imag))
    if want.dtype.name not in TOLERANCES or not (np.isfinite(got) and np.isfinite(want)):
        return 0.0
    integers = np.dtype(f"i{want.dtype.itemsize}")

    def ordinal(number: Any) -> int:
        bits = int(np.asarray(number).view(integers))
        return bits if bits >= 0 else -(bits & (2 ** (8 * integers.itemsize - 1) - 1))

    return float(abs(ordinal(got) - ordinal(want)))
