# SPDX-License-Identifier: Apache-2.0
"""The result of to_onnx."""

from __future__ import annotations

import dataclasses
import html
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from . import _core
from ._arguments import counted, long_name
from ._errors import Problem, problems

PROTOBUF_LIMIT = 2_000_000_000  # the most bytes of weights; the rest of 2 GiB is for the graph


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """An input or output of a model."""

    name: str
    dtype: str  #: NumPy's name; ml_dtypes' name for bfloat16, float8 and 4-bit integers
    shape: tuple[int | str, ...]  #: a string is a symbolic dimension

    def __str__(self) -> str:
        return f"{self.name} {self.dtype}[{','.join(map(str, self.shape))}]"


class Model:
    """An ONNX model. Read-only; several threads may use it.

    >>> import jax.numpy as jnp, numpy as np
    >>> from jax2onnx_cpp import to_onnx
    >>> model = to_onnx(lambda x: {"sum": x.sum(), "twice": x * 2}, np.ones(3, "float32"))
    >>> [str(output) for output in model.outputs]
    ['output.sum float32[]', 'output.twice float32[3]']
    >>> model.run(np.array([1, 2, 3], "float32"))["sum"]
    array(6., dtype=float32)
    """

    def __init__(self, core: _core.Model, made: Made, closed: Any = None):
        self._core, self._made, self._closed = core, made, closed
        self._name, self._signature = made.name, made.signature
        self.jaxpr: str = made.text  #: the jaxpr as JAX has printed it

    @property
    def _compute(self) -> str:
        """The element type in which the model computes values that are float32 in JAX."""
        compute: str = dict(self._made.settings["options"]).get("compute", "float32")
        return compute

    @cached_property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """The inputs in order. A complex input is real with a trailing axis of 2, a key is `uint32[..., 2]`."""
        return described(self._core.inputs)

    @cached_property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """The outputs in order."""
        return described(self._core.outputs)

    @property
    def opset(self) -> int:
        """The version of ONNX's operators."""
        return self._core.opset

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """The warnings of `to_onnx`: about the function as a whole, then about equations, in the order of the jaxpr."""
        return self._made.warnings + problems(self._core.warnings, self.jaxpr)

    def runs_in(self) -> dict[str, tuple[Problem, ...]]:
        """The reasons why runtimes other than ONNX Runtime cannot run the model, by the runtime's name.

        An empty tuple means that no reason is known. `to_onnx(..., target="tract")` makes a model that only uses what
        that runtime supports.

        >>> import numpy as np, jax
        >>> from jax2onnx_cpp import to_onnx
        >>> model = to_onnx(lambda x: jax.lax.while_loop(lambda v: v < 9, lambda v: v * 2, x), np.float32(1))
        >>> [name for name, obstacles in model.runs_in().items() if obstacles]
        ['tract', 'tvm', 'ncnn', 'coreml', 'qnn', 'webnn']
        >>> model.runs_in()["tract"][0].message
        'tract has no Loop: 1 node will not work there (the first is Loop)'
        """
        return {name: problems(found, self.jaxpr) for name, found in self._core.obstacles().items()}

    @cached_property
    def report(self) -> dict[str, Any]:
        """The numbers of equations, nodes and weights, the bytes of the weights, the number of nodes of each operator,
        and the seconds of each phase."""
        counts = self._core.statistics
        phases = ("parse", "lower", "rewrite")
        return {
            "opset": self.opset,
            **{key: counts[key] for key in ("equations", "nodes", "weights", "weight_bytes")},
            "operators": dict(sorted(self._core.operators.items(), key=lambda item: (-item[1], item[0]))),
            "seconds": {**self._made.seconds, **{phase: counts[phase] for phase in phases}},
        }

    def save(
        self, path: str | os.PathLike[str], *, external_data: bool | str | None = None, threshold: int = 1024
    ) -> None:
        """Writes the model. The file appears complete or not at all.

        Args:
            path: the path of the file. Its folder has to exist.
            external_data: whether to write the weights to a file beside the model, or the name of that file. By
                default, such a file is written if the weights have more than 2 GB.
            threshold: arrays of fewer bytes stay in the model's file.

        Raises:
            ConversionError: the file cannot be written, or is larger than 2 GiB without external data.
        """
        if not isinstance(external_data, (bool, str, type(None))):
            raise TypeError(f"external_data: expected True, False or the name of a file, found {external_data!r}")
        if not hasattr(threshold, "__index__") or threshold < 0:
            raise ValueError(f"threshold: expected a number of bytes, found {threshold!r}")
        if external_data is None:
            external_data = self._is_large
        data_file = (external_data if isinstance(external_data, str) else "") if external_data else None
        self._guarded(
            self._core.save, path=os.fspath(path), data_file=data_file, threshold=threshold, graph_name=self._name
        )

    def save_report(self, path: str | os.PathLike[str]) -> None:
        """Writes a report of the conversion: the graph by JAX scope, source lines, rewrites, cost, weights, the jaxpr.

        The suffix of the path selects the format: `.html`, `.json` or `.md`; any other suffix raises ValueError. The
        function is converted once more. The report of an unpickled model lacks the lines of the program.
        """
        from . import _export

        if not _core.names_report_format(os.fspath(path)):
            raise ValueError(f"path: expected FILE.html, FILE.json or FILE.md, found {os.fspath(path)!r}")

        text = self.jaxpr if self._closed is None else _export.printed(self._closed, source_info=True)
        core = self._guarded(_core.convert, text=text, **self._made.settings, keep_events=True)
        content = self._guarded(core.report, file=os.fspath(path), name=self._name or "jaxpr")
        with open(path, "wb") as file:
            file.write(content)

    def to_bytes(self) -> bytes:
        """The model as the bytes of a file. Raises ConversionError if they would be more than 2 GiB."""
        encoded: bytes = self._guarded(self._core.encode, graph_name=self._name)
        return encoded

    def proto(self) -> Any:
        """The model as an `onnx.ModelProto`. Needs the package onnx."""
        import onnx

        return onnx.load_from_string(self.to_bytes())

    def text(self) -> str:
        """The model in ONNX's textual syntax, with large constants left out."""
        text: str = self._guarded(self._core.text)
        return text

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """The results for these arguments, as NumPy arrays in the structure that the function returns.

        Takes the arguments of the function, with the arguments of `to_onnx(kwargs=)` by keyword; or one dictionary with
        an array for each name in `inputs`; or only arrays, in the order of `inputs`. Arrays have the layout that the
        function takes and returns, whatever layout the model has (`inputs_as_nchw`). Computes in ONNX Runtime on the
        CPU; needs the package onnxruntime.
        """
        from ._runtime import run

        return run(self._session, self, self._signature, (*args, *by_name(kwargs, self._signature.keywords)))

    @cached_property
    def _session(self) -> Any:
        from ._runtime import session

        if not self._is_large:
            return session(self.to_bytes())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            self.save(path, external_data=True)
            return session(path)

    def __reduce__(self) -> tuple[Callable[[Made], Model], tuple[Made]]:
        """A pickle contains the input of the conversion. Unpickling converts this input again, which gives the same
        bytes."""
        settings = {key: value for key, value in self._made.settings.items() if key not in ("progress", "applied")}
        if any(callable(target) for *_, target in settings["operators"]):
            raise TypeError("a model cannot be pickled if some of its operators= are functions: save it as a file")
        settings["weights"] = [(*weight[:-1], bytes(weight[-1])) for weight in settings["weights"]]
        return converted, (dataclasses.replace(self._made, settings=settings),)

    @property
    def _is_large(self) -> bool:
        return self._core.statistics["weight_bytes"] > PROTOBUF_LIMIT

    def _guarded(self, work: Callable[..., Any], **arguments: Any) -> Any:
        from ._errors import conversion_error

        try:
            return work(**arguments)
        except _core.Failure as failure:
            raise conversion_error(failure, self.jaxpr) from None

    def __repr__(self) -> str:
        inputs, outputs = listed(self.inputs), listed(self.outputs)
        return f"<Model {inputs} -> {outputs}: {counted(self.report['nodes'], 'node')}, opset {self.opset}>"

    def _repr_html_(self) -> str:
        from ._picture import drawn

        rows = [("input", str(info)) for info in self.inputs] + [("output", str(info)) for info in self.outputs]
        counts = ", ".join(f"{op} {count}" for op, count in self.report["operators"].items())
        rows.append((counted(self.report["nodes"], "node"), counts))
        weights = counted(self.report["weights"], "array")
        rows.append(("weights", f"{weights}, {self.report['weight_bytes']:,} bytes"))
        rows += [("warning", warning.message) for warning in self.warnings]
        body = "".join(f"<tr><th>{side}</th><td>{html.escape(text)}</td></tr>" for side, text in rows)
        title = f"<caption>ONNX model {html.escape(self._name)}, opset {self.opset}</caption>"
        return f"<table>{title}{body}</table>{drawn(self._core, self.inputs)}"


@dataclasses.dataclass(frozen=True)
class Made:
    """The input of a conversion, from which a pickled model is made again."""

    text: str  #: the text of the jaxpr
    settings: dict[str, Any]  #: the other arguments of `_core.convert`
    name: str  #: the name of the graph
    signature: Signature
    seconds: dict[str, float]  #: the seconds of each phase in Python
    warnings: tuple[Problem, ...]  #: the warnings that were found in Python, not by the converter


def converted(made: Made) -> Model:
    """The model that was pickled."""
    settings = {**made.settings, "applied": set(), "progress": None}
    return Model(_core.convert(made.text, **settings), dataclasses.replace(made, settings=settings))


@dataclasses.dataclass(frozen=True)
class Signature:
    """The arguments and results of the function, and how the inputs and outputs of the model differ from them."""

    paths: list[tuple[Any, ...]]  #: the paths of the leaves of the arguments
    results: Any  #: a pytree of element types
    nchw: tuple[
        set[int], set[int]
    ]  #: indices of the inputs and outputs that are NHWC in the function, NCHW in the model
    dims: dict[str, int]  #: sizes that symbols have in the model
    constraints: list[str]
    keywords: list[str]  #: the names of the last arguments, which the function takes by name


def signature(traced: Any, options: Mapping[str, Any]) -> Signature:
    import jax

    return Signature(
        [path for path, _ in jax.tree_util.tree_flatten_with_path(traced.arguments)[0]],
        jax.tree_util.tree_map(lambda leaf: jax.ShapeDtypeStruct((), leaf.dtype), traced.results),
        (
            numbers(options["inputs_as_nchw"], traced.inputs),
            numbers(options["outputs_as_nchw"], traced.outputs),
        ),
        {symbol: int(size) for symbol, size in (options["dims"] or {}).items()},
        traced.constraints,
        traced.keywords,
    )


def by_name(given: Mapping[str, Any], keywords: Sequence[str]) -> list[Any]:
    """Keyword arguments in the order of the model's inputs."""
    if given and set(given) != set(keywords):
        raise TypeError(f"expected the keyword arguments {', '.join(keywords) or '(none)'}, found {', '.join(given)}")
    return [given[name] for name in keywords] if given else []


def numbers(named: Sequence[int | str], names: list[str]) -> set[int]:
    """The indices of values that are given by name or index."""
    return {names.index(name) if name in names else int(name) for name in map(str, named)}


def described(values: Sequence[_core.Value]) -> tuple[TensorInfo, ...]:
    return tuple(TensorInfo(name, long_name(dtype), shape) for name, dtype, shape in values)


def listed(values: Sequence[TensorInfo], most: int = 3) -> str:
    shown = list(map(str, values[:most])) + [f"{len(values) - most} more"] * (len(values) > most)
    return ", ".join(shown) or "nothing"
