# SPDX-License-Identifier: Apache-2.0
"""Converts the values of options in Python to the texts that set these options in every front end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._arguments import list_of


def texts_of(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pairs (key, text) for values given by their names in `to_onnx`. Raises TypeError or ValueError for a wrong
    value."""
    rows = {name: (key, form) for key, name, form, *_ in _core.options}
    found: list[tuple[str, str]] = []
    for name, value in options.items():
        key, form = rows[name]
        found += [(key, text) for text in FORMS[form](name, value)]
    _core.check_options(found)
    return found


def is_integer(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def checked_flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected True or False, found {value!r}")
    return value


def of_flag(name: str, value: Any) -> list[str]:
    return ["on"] if checked_flag(name, value) else []


def of_choice(name: str, value: Any) -> list[str]:
    return [] if value is None else [str(value)]


def of_number(name: str, value: Any) -> list[str]:
    if value is not None and not is_integer(value):
        raise TypeError(f"{name}: expected an integer, found {value!r}")
    return [] if value is None else [str(int(value))]


def of_list(name: str, value: Any) -> list[str]:
    items = [str(item) for item in list_of(name, value, int, str)]
    for item in items:
        if "," in item:
            raise ValueError(f"{name}: {item!r} has a comma: give its index instead")
    return [",".join(items)] if items else []


def of_sizes(name: str, value: Any) -> list[str]:
    if not isinstance(value, (Mapping, type(None))):
        raise TypeError(f"{name}: expected a dictionary such as {{'B': 8}}, found {value!r}")
    for symbol, size in (value or {}).items():
        if not isinstance(symbol, str) or not is_integer(size):
            raise TypeError(f"{name}: expected names and integers, found {symbol!r}: {size!r}")
        if size < 0:
            raise ValueError(f"{name}: the size {size} of the dimension {symbol!r} is negative")
    return [f"{symbol}={int(size)}" for symbol, size in (value or {}).items()]


def of_part(name: str, value: Any) -> list[str]:
    if value is None:
        return []
    is_pair = isinstance(value, tuple) and len(value) == 2 and all(map(is_integer, value))
    if not is_pair or not 0 <= value[0] < value[1]:
        raise TypeError(f"{name}: expected (i, n) with i from 0 to n - 1, found {value!r}")
    return [f"{int(value[0])}/{int(value[1])}"]


#: The function that converts a value to texts, by the form of the option.
FORMS: dict[str, Callable[[str, Any], list[str]]] = {
    "flag": of_flag,
    "on_off": of_flag,
    "choice": of_choice,
    "number": of_number,
    "list": of_list,
    "size": of_sizes,
    "part": of_part,
}
