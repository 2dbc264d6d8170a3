# SPDX-License-Identifier: Apache-2.0
"""Compares a result of ONNX Runtime with JAX's.

Integers and booleans must be equal. Floating-point numbers may differ by a tolerance of their type, relative to the
number and, with a smaller factor, to the largest one of the result. Larger differences are accepted in two cases: if
the model is nearer to the result in float64 than JAX is; or if JAX's own result changes as much when the arguments, or
sums and transcendental functions inside, change by a rounding error. Other differences must be listed in known.toml.
"""

import dataclasses
import pathlib
import re

import jax
import ml_dtypes
import numpy as np
import tomllib

from program import MESSY, compiled
from run import plain

here = pathlib.Path(__file__).resolve().parent
TOLERANCES = {  # relative to the number, relative to the largest one of the result and the arguments (at least 1)
    "float64": (1e-7, 1e-9), "float32": (5e-5, 5e-6), "float16": (5e-3, 2e-3), "bfloat16": (3e-2, 1e-2),
}  # fmt: skip
PRECISION = ["float64", "float32", "float16", "bfloat16"]  # anything else is less precise
REAL = {"complex64": "float32", "complex128": "float64"}
KNOWN = tomllib.loads((here / "known.toml").read_text())["difference"]


@dataclasses.dataclass
class evidence:
    """The facts about a program that are used to compare its results."""

    primitives: frozenset
    precision: str  # the least precise floating-point type in it
    magnitude: float  # of the arguments
    finite: bool  # whether all arguments are
    # The others are functions that compute results with JAX when they are needed.
    truth: object  # in float64, or None
    nearby: object  # for perturbed arguments
    inside: object  # with a rounding error added to each intermediate value
    single: object  # without jit


def compare(index, got, want, known):
    """((kind, detail) or None, remarks)."""
    if want.dtype == jax.dtypes.float0:  # the tangent of an integer
        return None, set()
    name = REAL.get(want.dtype.name, want.dtype.name)
    wanted = plain(want)
    if got.dtype != wanted.dtype:
        return ("dtype", f"result {index}: {got.dtype}, JAX has {wanted.dtype}"), set()
    if got.shape != wanted.shape:
        return ("shape", f"result {index}: {list(got.shape)}, JAX has {list(wanted.shape)}"), set()
    wrong, remarks = differing(got, wanted, name, known.magnitude), set()
    for remark, accepted in acceptances(index, got, want, name, known):
        if not wrong.any():
            break
        settled = wrong & accepted()
        if settled.any():
            remarks.add(remark)
            wrong &= ~settled
    if not wrong.any():
        return None, remarks
    first = tuple(map(int, np.argwhere(wrong)[0]))
    where = f"{wrong.sum()} of {wrong.size} differ, first at {list(first)}"
    detail = f"result {index}: {where}: {got[first]}, JAX has {wanted[first]}"
    return (kind_of(got[wrong], wanted[wrong]), detail), remarks


def differing(got, want, name, magnitude):
    if got.dtype.kind in "biu":
        return got != want
    g, w = got.astype("f8"), want.astype("f8")
    with np.errstate(all="ignore"):
        near = np.abs(g - w) <= tolerance(w, name, magnitude)
    return ~(near | (g == w) | (np.isnan(g) & np.isnan(w)))


def tolerance(want, name, magnitude):
    relative, absolute = TOLERANCES.get(name, (0.13, 0.1))
    return relative * np.abs(want) + absolute * max(1.0, magnitude, largest(want))


def largest(array):
    """The largest finite number, unless it is so large that it would hide all other differences."""
    sizes = np.abs(array.astype("f8")) if array.dtype.kind != "c" else np.abs(array)
    sizes = sizes[sizes < 1e5]
    return sizes.max() if sizes.size else 0.0


def is_finite(array):
    return array.dtype.kind in "biu" or bool(np.isfinite(plain(array)).all())


def kind_of(got, want):
    if got.dtype.kind != "f":
        return "integers differ" if got.dtype.kind in "iu" else "booleans differ"
    if (np.isnan(got) != np.isnan(want)).any():
        return "NaN differs"
    return "infinity differs" if (np.isinf(got) != np.isinf(want)).any() else "numbers differ"


def acceptances(index, got, want, name, known):
    """Yields (remark, function that returns which elements it explains), cheap ones first."""
    for row in KNOWN:
        if applies(row, known) and row["when"] in PREDICATES:
            yield "known: " + row["name"], lambda row=row: PREDICATES[row["when"]](got, plain(want), want.dtype.kind)
    if got.dtype.kind == "f" and known.precision != name:
        yield "less precise inside", lambda: ~differing(got, plain(want), known.precision, known.magnitude)
    yield "nearer to float64", lambda: nearer(got, want, name, known, index)
    yield "ill-conditioned", lambda: ill_conditioned(got, want, known.nearby(), index)
    yield "ill-conditioned inside", lambda: ill_conditioned(got, want, known.inside(), index)
    single = next(row for row in KNOWN if row["when"] == "as without jit")
    yield "known: " + single["name"], lambda: as_single(got, want, known.single(), name, known.magnitude, index)


def applies(row, known):
    """Returns whether a row of known.toml applies to such a program."""
    of_these = not row["primitives"] or set(row["primitives"]) & known.primitives
    all_of_these = set(row.get("all_of", ())) <= known.primitives
    return of_these and all_of_these and not (row.get("infinite") and known.finite)


def nearer(got, want, name, known, index):
    """By element: whether the model is at most about as far from the result in float64 as JAX's result, which must be
    near it; or whether the model agrees with it or is nearer, and no type inside is narrower than the result."""
    truth = known.truth()
    if truth is None or got.dtype.kind != "f" or truth[index].shape != want.shape:
        return np.zeros(got.shape, bool)
    g, w, t = (a.astype("f8") for a in (got, plain(want), plain(truth[index])))
    with np.errstate(all="ignore"):
        ours, jaxs, allowed = np.abs(g - t), np.abs(w - t), tolerance(t, name, known.magnitude)
        better = (ours <= allowed) | (ours <= jaxs) & np.isfinite(jaxs)
        return (ours <= 2 * jaxs + allowed / 4) & (jaxs <= 1000 * allowed) | better & (known.precision == name)


def ill_conditioned(got, want, nearby, index):
    """By element: whether rounding errors change JAX's result by as much as the model differs."""
    if not nearby:
        return np.zeros(got.shape, bool)
    others = [plain(n[index]).astype("f8") for n in nearby]
    w = plain(want).astype("f8")
    with np.errstate(all="ignore"):
        spread = np.max([np.where(np.isnan(o) != np.isnan(w), np.inf, np.abs(o - w)) for o in others], axis=0)
        return np.abs(got.astype("f8") - w) <= 8 * spread if got.dtype.kind == "f" else spread > 0


def as_single(got, want, single, name, magnitude, index):
    """By element: whether the model has the results that JAX computes one primitive at a time."""
    if single is None or single[index].shape != want.shape:
        return np.zeros(got.shape, bool)
    return ~differing(got, plain(single[index]), name, magnitude)


def single_of(traced, inputs):
    """JAX's results if it computes one primitive at a time."""
    with jax.disable_jit():
        results = jax.core.eval_jaxpr(traced.closed.jaxpr, traced.closed.consts, *inputs)
    return [np.asarray(y) for y in results]


def truth_of(program, sizes):
    """JAX's results if every floating-point type is float64."""
    if program.x64 and not any(re.search(r"float16|float32|complex64", a.dtype) for a in program.arguments):
        return None
    source = re.sub(r"\bb?float(16|32)\b", "float64", program.source).replace("complex64", "complex128")
    with jax.enable_x64(True):
        inputs = [widened(v) for v in program.inputs(sizes)]
        return [np.asarray(y) for y in jax.tree.leaves(jax.jit(compiled(source))(*inputs))]


def widened(value):
    name = value.dtype.name if value.dtype != object else ""
    if name in ("float16", "float32", "bfloat16"):
        return value.astype("f8")
    return value.astype("c16") if name == "complex64" else value


def perturbed(program, inputs, traced):
    """JAX's results for arguments that differ by a few rounding errors.

    Numbers with few digits are not changed: functions jump at them.
    """
    rng, results = np.random.default_rng(0), []
    function = jax.jit(lambda *a: jax.core.eval_jaxpr(traced.closed.jaxpr, traced.closed.consts, *a))
    for _ in range(6):
        moved = [moved_by_rounding(rng, v) if a.values not in MESSY else v for a, v in zip(program.arguments, inputs)]
        if all(m is v for m, v in zip(moved, inputs)):
            return None
        results.append([np.asarray(y) for y in function(*moved)])
    return results


def perturbed_inside(inputs, traced):
    """JAX's results, computed one primitive at a time, with rounding errors where libraries may differ: in the terms of
    sums and in the results of transcendental functions. A loop is one primitive."""
    rng = np.random.default_rng(0)
    with jax.disable_jit():
        return [[np.asarray(v) for v in evaluated_with_errors(traced.closed, inputs, rng)] for _ in range(6)]


def evaluated_with_errors(closed, inputs, rng):
    values = dict(zip(closed.jaxpr.constvars, closed.consts)) | dict(zip(closed.jaxpr.invars, inputs))

    def value_of(atom):
        return atom.val if hasattr(atom, "val") else values[atom]

    for equation in closed.jaxpr.eqns:
        operands = [value_of(v) for v in equation.invars]
        if equation.primitive.name in SUMS:
            operands = [moved_by_rounding(rng, v) if has_fractions(v) else v for v in operands]
        if equation.primitive.name in CALLS:
            results = evaluated_with_errors(equation.params[CALLS[equation.primitive.name]], operands, rng)
        else:
            arguments = [o for o, v in zip(operands, equation.invars) if not hasattr(v, "val")]
            results = jax.core.eval_jaxpr(alone(equation, closed.jaxpr), (), *arguments)
        if equation.primitive.name in ROUNDED:
            results = [moved_by_rounding(rng, v) for v in results]
        values.update(zip(equation.outvars, results))
    return [value_of(v) for v in closed.jaxpr.outvars]


def alone(equation, jaxpr):
    """A jaxpr of one equation, whose variables are its arguments."""
    variables = [v for v in equation.invars if not hasattr(v, "val")]
    return jaxpr.replace(constvars=(), invars=variables, outvars=equation.outvars, eqns=[equation])


CALLS = {"jit": "jaxpr", "pjit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}
SUMS = {"dot_general", "conv_general_dilated", "reduce_sum", "cumsum", "reduce_window_sum", "fft"}
ROUNDED = {"integer_pow", "pow", "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
           "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "logistic", "erf", "erfc", "erf_inv", "lgamma",
           "digamma", "polygamma", "igamma", "igammac", "rsqrt", "cbrt", "while", "scan", "cond"}  # fmt: skip


def has_fractions(value):
    """Returns whether sums of such numbers are rounded, unlike those of small integers."""
    value = np.asarray(value)
    return value.dtype.kind == "V" or bool((np.abs(value) >= 2**20).any() or (value != np.round(value)).any())


def moved_by_rounding(rng, value):
    if value.dtype.name not in ("float16", "float32", "float64", "bfloat16", "complex64", "complex128"):
        return value
    epsilon = float(ml_dtypes.finfo(value.real.dtype).eps)
    return (value * (1 + 2 * epsilon * rng.choice([-1.0, 0.0, 1.0], value.shape))).astype(value.dtype)


def subnormal_or_zero(array):
    return np.abs(array.astype("f8")) < np.finfo("f4").tiny


def broken(array, kind):
    """True for numbers that are not finite; a complex number is not if one of its parts is not."""
    parts = ~np.isfinite(array)
    return np.broadcast_to(parts.any(axis=-1, keepdims=True), array.shape) if kind == "c" else parts


PREDICATES = {
    "subnormal": lambda got, want, kind: (got.dtype.kind == "f") & subnormal_or_zero(got) & subnormal_or_zero(want),
    "not finite": lambda got, want, kind: broken(got, kind) & broken(want, kind),
    "any": lambda got, want, kind: np.ones(got.shape, bool),
    "NaN": lambda got, want, kind: np.isnan(got) | np.isnan(want),
    "one for NaN": lambda got, want, kind: np.isnan(got) & (want == 1),
    "sign": lambda got, want, kind: (
        (got.dtype.kind == "f") & ~differing(np.abs(got), np.abs(want), got.dtype.name, 1.0)
    ),
    "not finite, complex": lambda got, want, kind: (kind == "c") & broken(got, kind) & broken(want, kind),
}
