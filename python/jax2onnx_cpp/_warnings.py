# SPDX-License-Identifier: Apache-2.0
"""Warnings about a model that was made, which are also entries of Model.warnings."""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core
from ._errors import Problem
from ._operators import places


class ConversionWarning(UserWarning):
    """A model was made, but may not be what its user wants. `Model.warnings` lists the same warnings."""


def note(code: str, message: str, help: str) -> Problem:
    """A warning about the whole function."""
    return Problem(code, message, help, None, None, None, None)


def issue(problems: Iterable[Problem]) -> None:
    """Passes warnings to Python, as if the line that called the package had issued them."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for problem in problems:
        warnings.warn(str(problem), ConversionWarning, stacklevel=level)


def narrowed(closed: Any, arguments: Any, names: Sequence[str]) -> list[Problem]:
    """Warnings for arguments whose element type differs from the element type of the model's input."""
    import jax

    leaves = jax.tree_util.tree_leaves(arguments)
    return [
        note(
            "python.narrowed",
            f"the input '{name}' is {aval.dtype}, but its argument is {leaf.dtype}: JAX computes with 32 bits",
            "pass an array of the input's type, or set jax.config.update('jax_enable_x64', True)",
        )
        for name, leaf, aval in zip(names, leaves, closed.in_avals)
        if hasattr(leaf, "dtype") and leaf.dtype != aval.dtype
    ]


def unread(core: _core.Model) -> list[Problem]:
    names = core.unread_inputs
    if not names:
        return []
    listed = ", ".join(f"'{name}'" for name in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return [
        note(
            "python.unread-input",
            f"nothing in the model reads the input{'s' * (len(names) > 1)} {listed}",
            "leave the argument out; if it configures the function, bind it with functools.partial",
        )
    ]


def not_closed_over(closed: Any, weights: Any) -> list[Problem]:
    """A warning if `weights` names none of the arrays that the function closes over."""
    from . import _export

    constants = list(_export.constants_of(closed))
    if _export.constant_names(constants, weights) != _export.constant_names(constants, None):
        return []
    return [
        note(
            "python.unused-weights",
            "weights: the function closes over none of these arrays",
            "pass the pytree of the arrays that the function uses; `weights` only names these arrays",
        )
    ]


def not_applied(operators: Mapping[Any, Any] | None, applied: set[tuple[str, str]], closed: Any) -> list[Problem]:
    """Warnings for entries of `operators` for which the function has no equation."""
    from . import _export

    unused = [what for what in operators or {} if applied.isdisjoint(places(what))]
    if not unused:
        return []
    traced = {equation.primitive.name for jaxpr, _ in _export.jaxprs_of(closed) for equation in jaxpr.eqns}
    found = []
    for what in unused:
        name = what if isinstance(what, str) else getattr(what, "name", None) or getattr(what, "__name__", str(what))
        near = difflib.get_close_matches(name, traced - {name}, 1) if isinstance(what, str) else []
        help = f"did you mean '{near[0]}'?" if near else "Model.jaxpr shows what JAX has traced"
        found.append(note("python.unused-operator", f"operators: the jaxpr calls no '{name}'", help))
    return found
