"""What can be converted: functions, and modules of libraries as functions with named weights."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, Callable


def as_function(fn) -> tuple[Callable, Any]:
    """A function to trace, and the pytree of the arrays that it closes over, for their names."""
    for library, adapt in ADAPTERS:
        module = sys.modules.get(library)
        adapted = adapt(module, fn) if module else None
        if adapted:
            return adapted
    if not callable(fn):
        raise TypeError(f"expected a function or a module, found {type(fn).__name__}")
    return fn, captured(fn)


def of_nnx(nnx, fn):
    """Makes a module of the current trace, so that it can change its state, as BatchNorm and Dropout do."""
    import jax

    bound = getattr(fn, "__self__", None)
    module, method = (bound, fn.__name__) if isinstance(bound, nnx.Module) else (fn, "__call__")
    if not isinstance(module, nnx.Module):
        return None
    definition, state = nnx.split(module)

    def function(*arguments):
        return getattr(nnx.merge(definition, jax.tree_util.tree_map(lambda array: array, state)), method)(*arguments)

    function.__signature__ = inspect.signature(fn)
    return function, nnx.to_pure_dict(state) if hasattr(nnx, "to_pure_dict") else state


def of_linen(linen, fn):
    if isinstance(fn, linen.Module) and fn.scope is None:
        raise TypeError("a Linen module has no parameters: pass `lambda x: module.apply(parameters, x)`")


def of_haiku(haiku, fn):
    if isinstance(fn, (haiku.Transformed, haiku.TransformedWithState)):
        raise TypeError("a transformed function has no parameters: pass `lambda x: fn.apply(parameters, key, x)`")


def of_keras(keras, fn):
    if not isinstance(fn, keras.Layer):
        return None
    if keras.backend.backend() != "jax":
        raise TypeError(f"Keras runs on {keras.backend.backend()}: set the environment variable KERAS_BACKEND=jax")

    def function(*arguments):
        return fn(*arguments, training=False)

    function.__signature__ = inspect.signature(fn.call)
    return function, {variable.path: variable.value for variable in fn.variables}


ADAPTERS = (
    ("flax.nnx", of_nnx),
    ("flax.linen", of_linen),
    ("haiku", of_haiku),
    ("keras", of_keras),
)


def captured(fn) -> Any:
    """The arrays in the variables that a function refers to, in its object and in its bound arguments."""
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


def has_arrays(value) -> bool:
    """Whether it is a pytree with arrays in it."""
    import jax

    try:
        leaves = jax.tree_util.tree_leaves(value)
    except Exception:  # such as a dict whose keys cannot be compared: its arrays get numbers
        return False
    return any(hasattr(leaf, "shape") and hasattr(leaf, "dtype") for leaf in leaves)
