"""What went wrong, with the place in the user's program."""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class Problem:
    """One problem, or one warning."""

    code: str  #: stable, listed in docs/diagnostics.md: "lower.unsupported"
    message: str
    help: str  #: what to do about it; may be empty
    source: str | None  #: "model.py:12 (block)": the line of the user's program; None if the trace does not know it
    equation: str | None  #: the line of the printed jaxpr, without the source
    line: int | None  #: of the printed jaxpr, from 1; None if the problem has no place there
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


class UnsupportedError(ConversionError, NotImplementedError):
    """There is no ONNX for what the function does."""


def conversion_error(failure, text: str) -> ConversionError:
    """The exception for a `_core.Failure` about `text`."""
    kind, found = failure.args
    return (UnsupportedError if kind == "unsupported" else ConversionError)(kind, problems(found, text))


def problems(found, text: str) -> tuple[Problem, ...]:
    """The diagnostics of the converter: (code, message, help, begin, end). The range counts bytes of the text."""
    encoded = text.encode() if found else b""
    breaks = [match.start() for match in re.finditer(b"\n", encoded)]
    return tuple(problem(*row, encoded, breaks) for row in found)


def problem(code, message, help, begin, end, text: bytes, breaks: list[int]) -> Problem:
    if not end:
        return Problem(code, message, help, None, None, None, None)
    line = bisect.bisect_left(breaks, begin)
    start = breaks[line - 1] + 1 if line else 0
    stop = breaks[line] if line < len(breaks) else len(text)
    equation, _, source = text[start:stop].decode().partition(" # ")
    column = len(text[start:begin].decode()) + 1
    return Problem(code, message, help, place(source), equation.strip(), line + 1, column)


def place(comment: str) -> str | None:
    """`model.py:12 (block)` of what JAX prints: `model.py:12:8 (block)`, before JAX 0.7 with `# []` behind it."""
    found = re.match(r"\s*(.+?:\d+)(?::\d+)?(?:-\d+)?\s*(\(.*\))?\s*$", comment.partition(" # ")[0])
    return " ".join(filter(None, found.groups())) if found else None
