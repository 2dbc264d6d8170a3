# SPDX-License-Identifier: Apache-2.0
"""Functions to convert, and modules of libraries as functions with named weights."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._errors import Problem
from ._state import Watch, equinox_warnings, has_keras_layers, nnx_state, watching


class Subject:
    """A function to trace, the pytree of the arrays that it closes over, and the state that it changes during a
    trace."""

    def __init__(self, function: Callable[..., Any], weights: Any, original: Any, watch: Watch | None = None):
        self.weights = weights
        self._watch = watch or Watch()
        self._problems: list[Problem] = []
        keras = has_keras_layers(original)

        def watched(*arguments: Any, **keywords: Any) -> Any:
            import jax

            with watching(self._watch, keras):
                results = function(*arguments, **keywords)
            self._problems = self._watch.problems(set(map(id, jax.tree_util.tree_leaves(results))))
            return results

        watched.__name__ = watched.__qualname__ = getattr(original, "__name__", type(original).__name__)
        watched.__wrapped__ = function  # type: ignore[attr-defined]  # for the names of its parameters
        self.function = watched

    def changes(self, arguments: Any, results: Any) -> list[Problem]:
        """Warnings about the last trace, which had these arguments and results."""
        return self._problems + equinox_warnings(self.weights, arguments, results)


def with_keywords(
    function: Callable[..., Any], count: int, names: Sequence[str], static: Mapping[str, Any]
) -> Callable[..., Any]:
    """A function of positional arguments only: the first `count` arguments, then the arguments for the keywords
    `names`."""
    if not names and not static:
        return function

    def called(*arguments: Any) -> Any:
        return function(*arguments[:count], **dict(zip(names, arguments[count:])), **static)

    called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY)
            for name in [*positional_names(function, count), *names]
        ]
    )
    return called


def positional_names(function: Callable[..., Any], count: int) -> list[str]:
    """Names of the first parameters; parameters without a name, as in `*args`, are numbered."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = []  # type: ignore[assignment]
    known = [parameter.name for parameter in parameters if parameter.kind in kinds][:count]
    return known + [f"input_{index}" for index in range(len(known), count)]


def as_function(fn: Any) -> Subject:
    if isinstance(fn, Subject):
        return fn
    for library, adapt in ADAPTERS:
        module = sys.modules.get(library)
        adapted = adapt(module, fn) if module else None
        if adapted:
            return adapted
    if not callable(fn):
        raise TypeError(f"expected a function or a module, found {type(fn).__name__}")
    return Subject(fn, captured(fn), fn)


def of_nnx(nnx: Any, fn: Any) -> Subject | None:
    """A function that rebuilds the module in each trace, so that the module can change its state, as BatchNorm and
    Dropout do. None if `fn` is neither a module of NNX nor a method of one."""
    import jax

    bound = getattr(fn, "__self__", None)
    module, method = (bound, fn.__name__) if isinstance(bound, nnx.Module) else (fn, "__call__")
    if not isinstance(module, nnx.Module):
        return None
    definition, state = nnx.split(module)
    watch = Watch()

    def function(*arguments: Any, **keywords: Any) -> Any:
        traced = nnx.merge(definition, jax.tree_util.tree_map(lambda array: array, state))
        before = nnx_state(nnx, traced)
        results = getattr(traced, method)(*arguments, **keywords)
        watch.compare(before, nnx_state(nnx, traced))
        return results

    function.__signature__ = inspect.signature(fn)  # type: ignore[attr-defined]
    return Subject(function, nnx.to_pure_dict(state) if hasattr(nnx, "to_pure_dict") else state, fn, watch)


def of_linen(linen: Any, fn: Any) -> None:
    if isinstance(fn, linen.Module) and fn.scope is None:
        raise TypeError("a Linen module has no parameters: pass `lambda x: module.apply(parameters, x)`")


def of_haiku(haiku: Any, fn: Any) -> None:
    for kind, state in ((haiku.Transformed, ""), (haiku.TransformedWithState, "state, ")):
        if isinstance(fn, kind):
            raise TypeError(
                f"a transformed function has no parameters: pass `lambda x: fn.apply(parameters, {state}key, x)`"
            )


def of_keras(keras: Any, fn: Any) -> Subject | None:
    if not isinstance(fn, keras.Layer):
        return None
    if keras.backend.backend() != "jax":
        raise TypeError(f"Keras runs on {keras.backend.backend()}: set the environment variable KERAS_BACKEND=jax")
    if not fn.built:
        raise TypeError(f"{fn.name} has no weights yet: call it on an array once, or build it, before you convert it")

    def function(*arguments: Any, **keywords: Any) -> Any:
        return fn(*arguments, **{"training": False, **keywords})

    function.__signature__ = inspect.signature(fn.call)  # type: ignore[attr-defined]
    return Subject(function, {variable.path: variable.value for variable in fn.variables}, fn)


ADAPTERS: tuple[tuple[str, Callable[[Any, Any], Subject | None]], ...] = (
    ("flax.nnx", of_nnx),
    ("flax.linen", of_linen),
    ("haiku", of_haiku),
    ("keras", of_keras),
)


def captured(fn: Any) -> Any:
    """The arrays in the object of a method or callable object, if it has any; otherwise the arrays in the bound
    arguments of the function and in the variables to which it refers."""
    found: dict[str, Any] = {}
    while isinstance(fn, functools.partial):
        found.update({f"argument_{i}": value for i, value in enumerate(fn.args)}, **fn.keywords)
        fn = fn.func
    owner = getattr(fn, "__self__", None)
    if owner is None and not inspect.isroutine(fn) and not hasattr(fn, "__wrapped__"):
        owner = fn  # such as a module of Equinox, which is a pytree
    if has_arrays(owner):
        return owner
    try:
        variables = inspect.getclosurevars(inspect.unwrap(fn))
        found.update({**variables.globals, **variables.nonlocals})
    except TypeError:  # not written in Python
        pass
    return {name: value for name, value in found.items() if has_arrays(value)}


def has_arrays(value: Any) -> bool:
    """True for a pytree with arrays in it."""
    import jax

    try:
        leaves = jax.tree_util.tree_leaves(value)
    except Exception:  # for example, a dict whose keys cannot be compared; its arrays are numbered
        return False
    return any(hasattr(leaf, "shape") and hasattr(leaf, "dtype") for leaf in leaves)
