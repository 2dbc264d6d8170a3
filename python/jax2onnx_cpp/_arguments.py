# SPDX-License-Identifier: Apache-2.0
"""Arguments of a traced function: pytrees of arrays, numbers and shapes. A shape may be a string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SHORT = {"f": "float", "i": "int", "u": "uint", "bf": "bfloat", "c": "complex"}
SHAPE = re.compile(r"\s*(?:(?P<dtype>\w+)\s*)?\[(?P<bracketed>[^\]]*)\]\s*|(?P<plain>[^\[\]]*)")
NUMBERS = re.compile(r"\s*\d+\s*(,\s*\d+\s*)*,?\s*")
SYMBOL = re.compile(r"[A-Za-z_]\w*")
FUNCTIONS = {"mod", "floordiv", "max", "min"}  # in expressions of symbolic dimensions


def long_name(dtype: str) -> str:
    """NumPy's name of an element type that JAX prints as `f32`, `bf16`, `f8_e4m3fn`."""
    found = re.fullmatch(r"(bf|f|i|u|c)(\d+(?:_\w+)?)", dtype)
    return SHORT[found.group(1)] + found.group(2) if found else dtype


def counted(count: int, noun: str) -> str:
    """A number of things: `1 array`, `2 arrays`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def list_of(what: str, given: Any, *types: type) -> list[Any]:
    """The items of a parameter that is a list. Strings and dictionaries are refused, although they are iterable."""
    if isinstance(given, (str, bytes, Mapping, set, frozenset)) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected a list, found {given!r}")
    items = list(given)
    for item in items:
        if not isinstance(item, types):
            raise TypeError(f"{what}: expected {' or '.join(t.__name__ for t in types)} as items, found {item!r}")
    return items


def checked_keywords(
    kwargs: Mapping[str, Any] | None, static: Mapping[str, Any] | None
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The keyword arguments that are inputs of the model, and the keyword arguments with fixed values."""
    for option, given in (("kwargs", kwargs), ("static", static)):
        if not isinstance(given, (Mapping, type(None))) or any(not isinstance(name, str) for name in given or ()):
            raise TypeError(f"{option}: expected a dictionary with names as keys, found {given!r}")
    both = sorted(set(kwargs or ()) & set(static or ()))
    if both:
        raise ValueError(f"static: {both[0]!r} is also in kwargs")
    return kwargs or {}, static or {}


def specified(arguments: Sequence[Any], constraints: Sequence[str] = ()) -> Any:
    """Returns the arguments with shapes in place of strings such as "f32[B,28,28,1]" or "B,28,28,1", and of tuples such
    as ("B", 28, 28, 1). All symbols are in one scope.
    """
    import jax

    places, leaves = [], []
    for index, argument in enumerate(arguments):
        for path, leaf in jax.tree_util.tree_flatten_with_path(argument, is_leaf=is_shape_of_numbers)[0]:
            places.append(f"argument {index}{jax.tree_util.keystr(path)}")
            leaves.append(leaf)
    for place, leaf in zip(places, leaves):
        if isinstance(leaf, list):
            raise TypeError(
                f"{place}: {leaf!r} is a pytree of numbers; write the shape as the tuple {tuple(leaf)!r}, or pass"
                f" arrays: numpy.int32({next(e for e in leaf if type(e) is int)})"
            )
    structure = jax.tree_util.tree_structure(arguments, is_leaf=is_shape_of_numbers)
    leaves = [f"[{','.join(map(str, leaf))}]" if is_shape_of_numbers(leaf) else leaf for leaf in leaves]
    if not any(isinstance(leaf, str) for leaf in leaves):
        if constraints:
            raise ValueError("constraints: no argument is a string or tuple with symbols")
        return arguments
    scope = scope_of(leaves, constraints)
    shapes = [shaped(leaf, scope, place) if isinstance(leaf, str) else leaf for place, leaf in zip(places, leaves)]
    return jax.tree_util.tree_unflatten(structure, shapes)


def is_shape_of_numbers(value: Any) -> bool:
    """True for a tuple or list such as (3, 4) or ("B", 4), whose items JAX would take as scalars."""
    kinds = set(map(type, value)) if type(value) in (tuple, list) else set()
    return int in kinds and kinds <= {int, str}


def scope_of(leaves: Sequence[Any], constraints: Sequence[str]) -> Any:
    """The scope of the symbols; None if there are no symbols."""
    used = {symbol for leaf in leaves if isinstance(leaf, str) for symbol in SYMBOL.findall(extents_of(leaf))}
    for constraint in constraints:
        unknown = sorted(set(SYMBOL.findall(constraint)) - FUNCTIONS - used)
        if unknown:
            raise ValueError(f"constraints: no argument has the symbol {unknown[0]} of {constraint!r}")
    for leaf in leaves:
        for extent in getattr(leaf, "shape", ()):
            if hasattr(extent, "scope"):
                if constraints:
                    raise ValueError(
                        "constraints: an argument has symbols of a scope; give the constraints to that scope"
                    )
                return extent.scope
    if not used and not constraints:
        return None
    try:
        return jax_export().SymbolicScope(constraints)
    except ValueError as problem:
        raise ValueError(f"constraints: {problem}") from None


def extents_of(text: str) -> str:
    """The part of a string between its brackets, or all of a string without brackets; "" if it is not a shape."""
    found = SHAPE.fullmatch(text)
    return (found["plain"] if found["bracketed"] is None else found["bracketed"]) if found else ""


def jax_export() -> Any:
    """The module of JAX that makes symbolic shapes."""
    try:
        import jax.export
    except ModuleNotFoundError as problem:  # JAX 0.4.30 does not declare all its requirements
        raise ModuleNotFoundError(
            f"symbols in shapes need jax.export, which needs a package that is missing: {problem.name}; "
            "with JAX 0.4.30: pip install absl-py",
            name=problem.name,
        ) from None
    return jax.export


def shaped(text: str, scope: Any, place: str) -> Any:
    """The shape that a string states."""
    import jax

    found = SHAPE.fullmatch(text)
    if not found:
        raise ValueError(f"{place}: expected a shape such as 'f32[B,28,28,1]', found {text!r}")
    if found["plain"] is not None:
        refuse_words(text, place)
    extents = extents_of(text)
    dtype = element_type(found["dtype"] or "float32", text, place)
    if not extents.strip():
        return jax.ShapeDtypeStruct((), dtype)
    if NUMBERS.fullmatch(extents):
        return jax.ShapeDtypeStruct(tuple(int(extent) for extent in extents.split(",") if extent.strip()), dtype)
    try:
        shape = jax_export().symbolic_shape(extents, scope=scope)
    except ValueError as problem:
        raise ValueError(f"{place}: expected a shape such as 'f32[B,28,28,1]', found {text!r}: {problem}") from None
    if any(isinstance(extent, int) and extent < 0 for extent in shape):
        raise ValueError(f"{place}: an extent of {text!r} is negative; use a letter for any size")
    return jax.ShapeDtypeStruct(shape, dtype)


def refuse_words(text: str, place: str) -> None:
    """Refuses strings that are hardly shapes: "relu", "f32", "". A letter, or a letter and a digit such as "B2", is a
    shape."""
    word = text.strip()
    if element_type_of(long_name(word)) is not None or not word:
        raise ValueError(f"{place}: {text!r} has no extents; '{word or 'f32'}[]' is a scalar")
    if SYMBOL.fullmatch(word) and not re.fullmatch(r"[A-Za-z]\d?", word):
        raise ValueError(
            f"{place}: {text!r} does not look like a shape; 'f32[{word}]' is a vector with the extent {word}. To"
            " configure the function, pass static= or use functools.partial"
        )


def element_type(name: str, text: str, place: str) -> Any:
    dtype = element_type_of(long_name(name))
    if dtype is None:
        raise ValueError(f"{place}: {name!r} in {text!r} is not an element type; JAX has f32, bf16, i32, u8, bool, ...")
    return dtype


def element_type_of(name: str) -> Any:
    """JAX's element type with this name; None if there is none."""
    import jax
    import numpy as np

    try:
        dtype = jax.numpy.dtype(name)
    except (TypeError, ValueError):  # NumPy reads a comma as a list of fields
        return None
    known = dtype == np.bool_ or jax.dtypes.issubdtype(dtype, np.number)
    return dtype if known and dtype.name == name else None  # NumPy knows abbreviations, such as "B" for uint8
