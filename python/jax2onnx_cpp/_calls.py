# SPDX-License-Identifier: Apache-2.0
"""Keeps calls in a Python program as calls of functions in the model."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ._arguments import list_of


@contextlib.contextmanager
def kept(functions: Sequence[Any]) -> Iterator[list[str]]:
    """Yields the names by which JAX prints calls of these functions.

    In the context, calls of instances of the given classes run under jax.jit.
    """
    with contextlib.ExitStack() as stack:
        yield [kept_one(f, stack) for f in list_of("functions", functions, object)]


def kept_one(function: Any, stack: contextlib.ExitStack) -> str:
    if isinstance(function, str):
        return function
    if isinstance(function, type):
        stack.enter_context(calls_by_jit(function))
        return function.__name__
    if callable(function) and hasattr(function, "__wrapped__") and hasattr(function, "__name__"):
        return str(function.__name__)  # a function under jax.jit, jax.custom_jvp, jax.custom_vjp or called_by_jit()
    raise TypeError(
        "functions: expected functions under jax.jit, jax.custom_jvp or jax.custom_vjp, classes of modules, or names,"
        f" found {function!r}"
    )


@contextlib.contextmanager
def calls_by_jit(module: type) -> Iterator[None]:
    """In the context, each call of an instance of the class becomes an equation of the trace, named after the class."""
    if "__call__" not in dir(module):
        raise TypeError(f"functions: {module.__name__} has no __call__")
    own = module.__dict__.get("__call__")
    setattr(module, "__call__", called_by_jit(module.__call__, module.__name__))  # noqa: B010
    try:
        yield
    finally:
        if own is None:
            delattr(module, "__call__")
        else:
            setattr(module, "__call__", own)  # noqa: B010


def called_by_jit(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that runs `function` under jax.jit while JAX traces. Leaves of arguments that are not arrays are
    static."""
    import jax

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = jax.tree_util.tree_flatten((args, kwargs))
        if not any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return function(*args, **kwargs)
        is_array = [isinstance(leaf, (jax.Array, np.ndarray)) for leaf in leaves]

        def body(*arrays: Any) -> Any:
            rest = iter(arrays)
            same = [next(rest) if array else leaf for leaf, array in zip(leaves, is_array)]
            inner_args, inner_kwargs = jax.tree_util.tree_unflatten(structure, same)
            return function(*inner_args, **inner_kwargs)

        body.__name__ = name
        return jax.jit(body)(*[leaf for leaf, array in zip(leaves, is_array) if array])

    call.__name__ = name
    return call
