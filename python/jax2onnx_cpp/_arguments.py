"""Arguments of a traced function: arrays, shapes as texts."""

from __future__ import annotations

import re

SHORT = {"f": "float", "i": "int", "u": "uint", "bf": "bfloat", "c": "complex"}
SHAPE = re.compile(r"\s*(?:(?P<dtype>\w+)\s*)?\[(?P<bracketed>[^\]]*)\]\s*|(?P<plain>[^\[\]]*)")


def long_name(dtype: str) -> str:
    """NumPy's name of an element type that JAX prints as `f32`, `bf16`, `f8_e4m3fn`."""
    found = re.fullmatch(r"(bf|f|i|u|c)(\d+(?:_\w+)?)", dtype)
    return SHORT[found.group(1)] + found.group(2) if found else dtype


def specified(arguments, constraints=()):
    """The arguments with their texts, as "f32[B,28,28,1]" or "B,28,28,1", replaced by shapes of one symbolic scope."""
    import jax

    leaves, tree = jax.tree_util.tree_flatten(arguments)
    if not any(isinstance(leaf, str) for leaf in leaves):
        return arguments
    scope = scope_of(leaves, constraints)
    return jax.tree_util.tree_unflatten(
        tree, [shaped(leaf, scope) if isinstance(leaf, str) else leaf for leaf in leaves]
    )


def scope_of(leaves, constraints):
    import jax.export

    for leaf in leaves:
        for extent in getattr(leaf, "shape", ()):
            if hasattr(extent, "scope"):
                return extent.scope
    return jax.export.SymbolicScope(constraints)


def shaped(text: str, scope):
    import jax
    import jax.export

    found = SHAPE.fullmatch(text)
    if not found:
        raise ValueError(f"expected a shape such as 'f32[B,28,28,1]', found {text!r}")
    extents = found["bracketed"] if found["plain"] is None else found["plain"]
    dtype = jax.numpy.dtype(long_name(found["dtype"] or "float32"))
    if not extents.strip():
        return jax.ShapeDtypeStruct((), dtype)
    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(extents, scope=scope), dtype)
