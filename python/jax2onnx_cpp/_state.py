# SPDX-License-Identifier: Apache-2.0
"""The state that a function changes while it is traced: statistics, caches, counters of random numbers.

A model has no memory: values that a module writes are lost, and values that it reads do not change.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ._errors import Problem
from ._warnings import note

Snapshot = dict[str, tuple[str, Any]]  # the kind and the value of each variable, by its name


class Watch:
    """Notes which variables of modules change."""

    def __init__(self) -> None:
        self.written: dict[Any, tuple[str, str, Any]] = {}  #: the name, kind and new value of each variable

    def compare(self, before: Snapshot, after: Snapshot) -> None:
        """Adds the variables that differ. New variables are not state: modules store values for their caller in
        them."""
        for name, (kind, value) in after.items():
            if name in before and before[name][1] is not value:
                self.written[name] = name, kind, value

    def problems(self, returned: set[int]) -> list[Problem]:
        """Warnings about written variables whose arrays are not results; `returned` has the ids of the results."""
        lost = [(name, kind) for name, kind, value in self.written.values() if id(value) not in returned]
        random = [name for name, kind in lost if kind in RANDOM]
        return [state_warning(name, kind) for name, kind in lost if kind not in RANDOM] + (
            [random_warning(random)] if random else []
        )


RANDOM = ("RngCount", "RngKey", "SeedGenerator")


def state_warning(name: str, kind: str) -> Problem:
    return note(
        "python.lost-state",
        f"the function writes {name}{f' ({kind})' if kind else ''} but does not return it:"
        " in the model it never changes",
        "convert the module for inference (net.eval(), training=False), or a function that takes and returns the state",
    )


def random_warning(names: list[str]) -> Problem:
    return note(
        "python.constant-key",
        f"the function draws random numbers from a stored key ({listed(names)}): in the model, these numbers are"
        " constants",
        "convert the module for inference (net.eval(), training=False), or a function that takes the key",
    )


def listed(names: list[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


# ---- Flax Linen, Haiku: state is explicit, and may be dropped --------------------------------------------------------


@contextlib.contextmanager
def watching(watch: Watch, keras: bool) -> Iterator[None]:
    """Watches modules of Linen and Haiku if these libraries are loaded, and modules of Keras if `keras` is true."""
    with contextlib.ExitStack() as stack:
        for library, snapshot in (("flax.linen", linen_state), ("haiku", haiku_state)):
            if module := sys.modules.get(library):
                stack.enter_context(module.intercept_methods(interceptor(watch, snapshot)))
        if keras:
            stack.enter_context(keras_scope(watch))
        yield


def interceptor(watch: Watch, snapshot: Callable[[Any], Snapshot]) -> Callable[..., Any]:
    """A function that intercepts calls of modules: it compares the state before and after each call, except for calls
    inside of another module's call."""
    inside = False

    def intercept(call: Callable[..., Any], args: Any, kwargs: Any, context: Any) -> Any:
        nonlocal inside
        if inside or context.method_name in ("setup", "__init__"):
            return call(*args, **kwargs)
        inside = True
        try:
            before = snapshot(context.module)
            result = call(*args, **kwargs)
            watch.compare(before, snapshot(context.module))
        finally:
            inside = False
        return result

    return intercept


def linen_state(module: Any) -> Snapshot:
    return {} if module.scope is None else by_path(module.scope.root.variables())


def haiku_state(module: Any) -> Snapshot:
    import haiku

    return by_path(haiku.get_current_state())


def by_path(tree: Any) -> Snapshot:
    """The leaves of a pytree of collections, "batch_stats.norm.mean" and the like."""
    import jax

    from . import _export

    return {
        ".".join(map(_export.path_entry, path)): ("", leaf)
        for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]
    }


# ---- Flax NNX --------------------------------------------------------------------------------------------------------


def nnx_state(nnx: Any, module: Any) -> Snapshot:
    import jax

    from . import _export

    def is_variable(value: Any) -> bool:
        return isinstance(value, nnx.Variable) or (hasattr(value, "type") and hasattr(value, "value"))

    leaves = jax.tree_util.tree_flatten_with_path(nnx.state(module), is_leaf=is_variable)[0]
    found = {}
    for path, variable in leaves:
        kind = variable.type if hasattr(variable, "type") and isinstance(variable.type, type) else type(variable)
        found[".".join(map(_export.path_entry, path))] = kind.__name__, value_of(variable)
    return found


def value_of(variable: Any) -> Any:
    """The array of a variable. The attribute that holds the array has another name in older versions of Flax."""
    if hasattr(variable, "get_raw_value"):
        return variable.get_raw_value()
    return variable.raw_value if hasattr(variable, "raw_value") else variable.value


# ---- Keras -----------------------------------------------------------------------------------------------------------


def keras_scope(watch: Watch) -> Any:
    """A scope that notes changes of variables instead of making them, so that no variable holds a traced value
    later."""
    import keras

    class Scope(keras.StatelessScope):  # type: ignore[misc]
        def add_update(self, update: Any) -> None:
            variable, value = update
            kind = "SeedGenerator" if "seed_generator" in variable.path else ""
            watch.written[id(variable)] = variable.path, kind, value
            super().add_update(update)

    return Scope()


def has_keras_layers(fn: Any) -> bool:
    """True if a function is a layer with weights or refers to such a layer."""
    keras: Any = sys.modules.get("keras")
    if not hasattr(keras, "Layer"):
        return False
    candidates = [fn, getattr(fn, "__self__", None)]
    with contextlib.suppress(TypeError):  # not written in Python
        variables = inspect.getclosurevars(inspect.unwrap(fn))
        candidates += [*variables.nonlocals.values(), *variables.globals.values()]
    return any(isinstance(layer, keras.Layer) and layer.built for layer in candidates)


# ---- Equinox ---------------------------------------------------------------------------------------------------------


def equinox_warnings(weights: Any, arguments: Any, results: Any) -> list[Problem]:
    """Warnings for layers in training mode whose state is not returned, or whose key is not an argument."""
    import jax

    from . import _export

    equinox: Any = sys.modules.get("equinox")
    if not hasattr(equinox, "nn"):
        return []
    has_key = any(map(is_key, jax.tree_util.tree_leaves(arguments)))
    is_state = lambda value: isinstance(value, equinox.nn.State)
    has_state = any(map(is_state, jax.tree_util.tree_leaves(results, is_leaf=is_state)))

    def trains(value: Any) -> bool:
        return isinstance(value, equinox.Module) and getattr(value, "inference", None) is False

    found = []
    for path, layer in jax.tree_util.tree_flatten_with_path(weights, is_leaf=trains)[0]:
        if not trains(layer):
            continue
        name = ".".join([*map(_export.path_entry, path), type(layer).__name__])
        if isinstance(layer, equinox.nn.Dropout):
            found += [random_warning([name])] if layer.p and not has_key else []
        elif not has_state:
            found += [state_warning(name, "in training mode")]
    return found


def is_key(leaf: Any) -> bool:
    """True for a typed key and for the two integers of an old-style key."""
    import jax

    dtype, shape = getattr(leaf, "dtype", None), getattr(leaf, "shape", ())
    return dtype is not None and (
        jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key) or (dtype == "uint32" and shape[-1:] == (2,))
    )
