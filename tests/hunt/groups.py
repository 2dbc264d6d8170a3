# SPDX-License-Identifier: Apache-2.0
"""Groups of programs: templates of calls/ (lines) and of programs/ (paragraphs), compositions, transformations."""

import dataclasses
import functools
import pathlib

from program import program
from writer import unwritable, writer

here = pathlib.Path(__file__).resolve().parent


@functools.lru_cache
def templates(name):
    file = here / "calls" / f"{name}.txt"
    if file.exists():
        return [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    paragraphs = (here / "programs" / f"{name}.txt").read_text().split("\n\n")
    return [p.strip("\n") for p in paragraphs if p.strip() and not p.startswith("#")]


def call(write, tables):
    """One template."""
    table = write.one_of(tables)
    result = write.write(write.one_of(templates(table)))
    write.lines.append(f"return {result}")


def composition(write, tables):
    """Two to seven calls that use each other's results."""
    write.reuse = True
    for _ in range(write.integer(2, 7)):
        write.step(write.one_of(templates(write.one_of(tables))))
    results = [v.name for v in write.values if not v.name.startswith("a")][::-1][:3]
    if not results:
        raise unwritable("no step could be typed")
    write.lines.append(f"return {', '.join(results)}")


def gradient(write, tables):
    """Derivatives of a call, and of their batches."""
    call(write, tables)
    transform(write, write.one_of(DERIVATIVES))


def batch(write, tables):
    """vmap of a call, of a derivative of it, or of its vmap."""
    call(write, tables)
    if write.chance(3):
        transform(write, write.one_of(DERIVATIVES))
    transform(write, mapped)
    if write.chance(5):
        transform(write, mapped)


def transform(write, wrap):
    """Turns the program so far into an inner function g and returns the result of `wrap` for it."""
    names = [a.name for a in write.arguments]
    inner = [f"def g({', '.join(names)}):"] + ["  " + line for text in write.lines for line in text.split("\n")]
    write.lines = inner + [f"return {wrap(write, names)}"]


def differentiable(write):
    """One or more of the floating-point arguments."""
    names = [a.name for a in write.arguments if a.dtype in ("float32", "float64", "float16", "bfloat16")]
    if not names:
        raise unwritable("nothing to differentiate for")
    return [n for n in names if write.chance(2)] or names[:1]


def closure(write, names, body):
    """Some differentiable arguments, as a list, and a lambda with these parameters."""
    chosen = ", ".join(differentiable(write))
    return chosen, f"lambda {chosen}: {body.format(', '.join(names))}"


def grad(write, names):
    chosen, inner = closure(
        write, names, write.one_of(["total(g({}))", "total(g({}))", "total(jax.checkpoint(g)({}))"])
    )
    positions = tuple(range(len(chosen.split(", "))))
    return f"jax.{write.one_of(['grad', 'value_and_grad'])}({inner}, {positions})({chosen})"


def jvp(write, names):
    chosen, inner = closure(write, names, "g({})")
    tangents = "".join(f"jnp.ones_like({c}), " for c in chosen.split(", "))
    return f"jax.jvp({inner}, ({chosen},), ({tangents}))"


def jacobian(write, names):
    chosen = differentiable(write)[0]
    return f"jax.{write.one_of(['jacrev', 'jacfwd'])}(lambda {chosen}: g({', '.join(names)}))({chosen})"


def hessian(write, names):
    chosen = differentiable(write)[0]
    return f"jax.hessian(lambda {chosen}: total(g({', '.join(names)})))({chosen})"


DERIVATIVES = [grad, grad, grad, jvp, jacobian, hessian]


def mapped(write, names):
    """vmap over an axis that is added to some of the arguments, keys included."""
    extent = write.extent([3, 2, 1, 4])
    axes = [write.one_of([0, 0, None, -1]) for _ in names]
    if all(axis is None for axis in axes):
        axes[0] = 0
    write.arguments = [with_axis(a, extent, axis) for a, axis in zip(write.arguments, axes)]
    in_axes = ", ".join(str(axis) for axis in axes) + ("," if len(axes) == 1 else "")
    out = write.one_of(["", "", ", out_axes=-1"])
    return f"jax.vmap(g, ({in_axes}){out})({', '.join(names)})"


def with_axis(argument, extent, axis):
    if axis is None:
        return argument
    last = axis == -1 and argument.dtype != "key" and argument.values not in ("spd", "regular", "probabilities")
    shape = (*argument.shape, extent) if last else (extent, *argument.shape)
    return dataclasses.replace(argument, shape=shape)


SMOOTH = ["numpy", "nn", "scipy", "lax", "linalg", "indexing", "control", "models", "lookalikes"]
CALLS = [
    "numpy",
    "lax",
    "nn",
    "scipy",
    "linalg",
    "random",
    "indexing",
    "control",
    "models",
    "lookalikes",
    "images",
    "other",
]
GROUPS = {  # how a program is made, and from which tables
    **{name: (call, [name]) for name in CALLS},
    "compositions": (composition, ["numpy", "numpy", "lax", "indexing", "nn"]),
    "gradients": (gradient, SMOOTH),
    "batches": (batch, [*SMOOTH, "random"]),
}
WEIGHTS = {"numpy": 4, "lax": 3, "indexing": 3, "compositions": 4, "gradients": 5, "batches": 3, "lookalikes": 2}
MIX = [name for name in GROUPS for _ in range(WEIGHTS.get(name, 2))]


def written(choices, x64, symbolic, groups=None):
    """A program, or None if the drawn choices cannot be written."""
    write = writer(choices, x64, ("B", "T") if symbolic else ())
    group = write.one_of(groups or MIX)
    make, tables = GROUPS[group]
    try:
        make(write, tables)
    except unwritable:
        return None
    return program(group, tuple(write.lines), tuple(write.arguments), x64, tuple(choices.made))
