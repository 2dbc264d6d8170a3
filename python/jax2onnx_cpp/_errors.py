# SPDX-License-Identifier: Apache-2.0
"""Errors and problems, with their positions in the user's program."""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Iterable, Sequence

from . import _core


@dataclasses.dataclass(frozen=True)
class Problem:
    """One problem, or one warning."""

    code: str  #: stable, listed in docs/diagnostics.md: "lower.unsupported"
    message: str
    help: str  #: what to do about it; may be empty
    source: str | None  #: "model.py:12 (block)": the line of the user's program; None if the trace does not know it
    equation: str | None  #: the line of the printed jaxpr, without the source
    line: int | None  #: in the printed jaxpr, from 1; None if the problem has no position in it
    column: int | None  #: in code points, from 1

    @property
    def primitive(self) -> str | None:
        """The primitive of the equation, if the problem is about one."""
        found = re.search(r"=\s+([\w.-]+)", self.equation or "")
        return found.group(1) if found else None

    def __str__(self) -> str:
        lines = [f"{self.source + ': ' if self.source else ''}{self.message} [{self.code}]"]
        if self.equation:
            lines.append(f"  in: {self.equation}")
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class ConversionError(Exception):
    """A function cannot be converted. Lists every problem that was found.

    >>> import jax, jax2onnx_cpp
    >>> def refused(x):
    ...     return jax.pure_callback(lambda v: v, x, x)
    >>> try:
    ...     jax2onnx_cpp.to_onnx(refused, "f32[3]")
    ... except jax2onnx_cpp.ConversionError as error:
    ...     problem = error.problems[0]
    >>> problem.code, problem.primitive
    ('lower.unsupported', 'pure_callback')
    """

    def __init__(self, kind: str, problems: Iterable[Problem]):
        self.kind = kind  #: "unsupported", "malformed", "io", "unsafe" or "internal"
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[ConversionError], tuple[str, tuple[Problem, ...]], dict[str, object]]:
        """Pickles the arguments of the class. By default, an exception is pickled with its message as the only
        argument."""
        return type(self), (self.kind, self.problems), self.__dict__


class UnsupportedError(ConversionError, NotImplementedError):
    """ONNX cannot express what the function does."""


class OptionError(ConversionError, ValueError):
    """The value of an option does not fit the function. The message begins with the option's name."""


#: Maps the code of a problem to the options that cause it.
OPTIONS = {
    "convert.dim": "dims",
    "convert.names": "inputs_as_nchw, outputs_as_nchw",
    "convert.nchw": "inputs_as_nchw, outputs_as_nchw",
    "convert.opset": "opset",
}


def conversion_error(failure: _core.Failure, text: str) -> ConversionError:
    """The exception for a `_core.Failure` about `text`."""
    kind, found = failure.args
    described = problems(found, text)
    if all(problem.code in OPTIONS for problem in described):
        return OptionError(kind, [dataclasses.replace(p, message=f"{OPTIONS[p.code]}: {p.message}") for p in described])
    return (UnsupportedError if kind == "unsupported" else ConversionError)(kind, described)


def problems(found: Sequence[_core.Diagnostic], text: str) -> tuple[Problem, ...]:
    """Problems for the converter's diagnostics (code, message, help, begin, end). A range counts bytes of the text."""
    encoded = text.encode() if found else b""
    breaks = [match.start() for match in re.finditer(b"\n", encoded)]
    return tuple(
        problem(code, in_python(message), in_python(help), begin, end, encoded, breaks)
        for code, message, help, begin, end in found
    )


def problem(code: str, message: str, help: str, begin: int, end: int, text: bytes, breaks: list[int]) -> Problem:
    if not end:
        return Problem(code, message, help, None, None, None, None)
    line = bisect.bisect_left(breaks, begin)
    start = breaks[line - 1] + 1 if line else 0
    stop = breaks[line] if line < len(breaks) else len(text)
    equation, _, source = text[start:stop].decode().partition(" # ")
    column = len(text[start:begin].decode()) + 1
    return Problem(code, message, help, place(source), equation.strip(), line + 1, column)


# Members of C++ in messages, and what Python says instead. Options are not here: the core spells them as Python does.
TERMS = [
    (
        r"a program that uses the library can add a lowering \(options::lowerers\)",
        "operators= can map it to an operator or a function",
    ),
    (r"options::lowerers", "operators or lowers"),
    (r"; a program that uses the parser can raise .*", ""),
]


def in_python(message: str) -> str:
    """A message of the converter without members of C++."""
    if "::" in message:
        for pattern, replacement in TERMS:
            message = re.sub(pattern, replacement, message)
    return message


def place(comment: str) -> str | None:
    """Shortens the position that JAX prints, `model.py:12:8 (block)` (before JAX 0.7 with `# []` after it), to
    `model.py:12 (block)`."""
    found = re.match(r"\s*(.+?:\d+)(?::\d+)?(?:-\d+)?\s*(\(.*\))?\s*$", comment.partition(" # ")[0])
    return " ".join(filter(None, found.groups())) if found else None
