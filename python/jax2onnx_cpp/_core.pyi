# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from os import PathLike
from typing import Callable

__version__: str
# key, name in to_onnx, form, meaning, values
options: list[tuple[str, str, str, str, list[str]]]

# code, message, help, first byte and the byte after the last one in the text
Diagnostic = tuple[str, str, str, int, int]
# name, JAX's element type, extents
Value = tuple[str, str, tuple[int | str, ...]]
# name, NumPy's element type and kind, shape, bytes of an element, an object with the buffer protocol
Weight = tuple[str, str, str, list[int], int, object]

class Failure(RuntimeError):
    args: tuple[str, list[Diagnostic]]

class Model:
    @property
    def opset(self) -> int: ...
    @property
    def inputs(self) -> list[Value]: ...
    @property
    def outputs(self) -> list[Value]: ...
    @property
    def operators(self) -> dict[str, int]: ...
    @property
    def statistics(self) -> dict[str, float]: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    def obstacles(self) -> dict[str, list[Diagnostic]]: ...
    # operator, (id, whether it is a constant) of each operand, (id, name, element type, extents) of each result
    def nodes(
        self, most: int
    ) -> list[tuple[str, list[tuple[int, bool]], list[tuple[int, str, str, tuple[int | str, ...]]]]]: ...
    @property
    def unread_inputs(self) -> list[str]: ...
    # ids of the inputs and of the outputs
    @property
    def ends(self) -> tuple[list[int], list[int]]: ...
    def save(self, path: str | PathLike[str], data_file: str | None, threshold: int, graph_name: str) -> None: ...
    def encode(self, graph_name: str) -> bytes: ...
    # needs a model that was converted with keep_events
    def report(self, file: str, name: str) -> bytes: ...
    def text(self) -> str: ...

# NumPy's element type, shape, elements
Array = tuple[str, list[int], bytes]
# JAX's element type, extents
Type = tuple[str, tuple[int | str, ...]]

class Tensor:
    @property
    def type(self) -> Type: ...
    @property
    def name(self) -> str: ...

class Builder:
    @property
    def opset(self) -> int: ...
    @property
    def results(self) -> list[Type]: ...
    def node(self, op: str, operands: list[object], attributes: dict[str, object], results: int) -> list[Tensor]: ...
    def own_node(
        self,
        domain: str,
        op: str,
        operands: list[object],
        attributes: dict[str, object],
        types: Sequence[tuple[str, list[int | str]]],
    ) -> list[Tensor]: ...
    def constant(self, array: Array) -> Tensor: ...

def convert(
    text: str,
    weights: list[Weight],
    options: Sequence[tuple[str, str]],
    input_names: Sequence[str],
    output_names: Sequence[str],
    operators: list[tuple[str, str, tuple[str, str, Sequence[str]] | Callable[..., object]]],
    applied: set[tuple[str, str]],
    progress: Callable[[str, int, int], object] | None,
    keep_events: bool = ...,
) -> Model: ...

# raises ValueError for an invalid option
def check_options(options: Sequence[tuple[str, str]]) -> None: ...
def names_report_format(file: str) -> bool: ...
def primitives() -> list[str]: ...
def rewrites() -> list[str]: ...
def tool(arguments: Sequence[bytes]) -> int: ...
