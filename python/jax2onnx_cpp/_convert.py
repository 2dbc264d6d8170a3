# SPDX-License-Identifier: Apache-2.0
"""to_onnx: trace, print, convert."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from . import _core, _warnings
from ._arguments import checked_keywords, counted, list_of, specified
from ._calls import kept
from ._errors import Problem, UnsupportedError, conversion_error, place
from ._functions import as_function, with_keywords
from ._model import Made, Model, signature
from ._operators import mappings
from ._options import checked_flag, texts_of


def to_onnx(
    fn: Callable[..., Any],
    *args: Any,
    opset: int | None = None,
    input_names: Sequence[str] = (),
    output_names: Sequence[str] = (),
    inputs_as_nchw: Sequence[int | str] = (),
    outputs_as_nchw: Sequence[int | str] = (),
    dims: Mapping[str, int] | None = None,
    constraints: Sequence[str] = (),
    target: str = "portable",
    fuse: bool = True,
    no_fuse: Sequence[str] = (),
    unroll: int | None = None,
    assume_finite: bool = False,
    weight_format: str | None = None,
    compute: str | None = None,
    operators: Mapping[Any, Any] | None = None,
    functions: Sequence[Any] = (),
    keep_unsupported: bool = False,
    shard: tuple[int, int] | None = None,
    sharding_info: bool = False,
    weights: Any = None,
    name: str = "",
    source_info: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    static: Mapping[str, Any] | None = None,
) -> Model:
    """Converts a function of JAX, or a module of Flax NNX, Equinox or Keras, to an ONNX model.

    >>> import jax.numpy as jnp, numpy as np
    >>> from jax2onnx_cpp import to_onnx
    >>> kernel = np.ones((4, 2), "float32")
    >>> model = to_onnx(lambda x: jnp.maximum(x @ kernel, 0), "B,4")
    >>> model.inputs[0]
    TensorInfo(name='x', dtype='float32', shape=('B', 4))
    >>> model.run(np.ones((3, 4), "float32")).shape
    (3, 2)

    Args:
        fn: the function or module to export. For a module, `__call__` is exported; pass a bound method for another
            one. Modules of Linen and Haiku hold no parameters: pass `lambda x: module.apply(parameters, x)`.
        args: the arguments of `fn`: pytrees of arrays, numbers, `jax.ShapeDtypeStruct` and strings. "f32[B,28,28,1]" is
            a shape with its element type; "B,28,28,1" and the tuple `("B", 28, 28, 1)` are float32; "f32[]" is a
            scalar. A letter is a symbolic dimension: the model accepts any size. The model has inputs in place of
            arrays and numbers, whose values are not used.
        opset: the version of ONNX's operators, from 17 to 28; None: 23, or 22 if opset 22 has all operators of the
            model.
        input_names: names of the first inputs in order; the others are named after the parameters of `fn`.
        output_names: names of the first outputs; the others are named after the paths of the results.
        inputs_as_nchw: names or indices of inputs that are NHWC in JAX and become NCHW in the model.
        outputs_as_nchw: names or indices of outputs that are NHWC in JAX and become NCHW in the model.
        dims: sizes that symbolic dimensions get in the model, as `{"B": 8}`.
        constraints: conditions on symbols, such as `("T >= 2",)`, which JAX needs if it cannot decide a comparison.
        target: the runtime for the model. "portable": ONNX Runtime and every other runtime that can run the model;
            "ort": the fastest form for ONNX Runtime; "ort-contrib": that form, with ONNX Runtime's own operators if
            they are faster; "ort-gpu": float16 and bfloat16 as ONNX Runtime's CUDA provider supports them; "web",
            "openvino", "tract", "mnn", "rten", "tvm", "ncnn": these runtimes; "tensorrt", "coreml", "qnn", "webnn":
            these runtimes, according to their documentation; "generic": the operators of the standard, without casts
            and detours.
        fuse: whether to recover operators that JAX has decomposed, such as LayerNormalization.
        no_fuse: names of rules that do not run; docs/rewrites.md lists them.
        unroll: unrolls loops of at most this many iterations, and scans of at most half as many; 0 unrolls nothing;
            None: a limit that suits the target.
        assume_finite: states that no input, weight or intermediate value is NaN or infinite, except constants that `fn`
            writes. The model gets smaller; its results for NaN and infinity are undefined.
        weight_format: how weights of float32 are stored: "float16", "bfloat16"; "int8" or "int4" for the matrices of
            matrix products and table lookups (docs/quantization.md). None: as they are.
        compute: "float16": computes and stores float32 values in float16, except in operators that would lose too much
            precision. Inputs and outputs keep their types (docs/quantization.md). None or "float32": as in the program.
        operators: maps primitives, their names, or jitted functions to operators: to an `Operator` of another domain,
            such as one of a runtime's extension, or to a function that builds nodes (see `lowers`):
            `{"pure_callback": Operator("com.example", "Lookup")}`.
        functions: functions under jax.jit, classes of Flax NNX or Equinox, or names as JAX prints them. Their calls
            become calls of functions of the model, in the domain "jax.functions". Weights are operands, so that equal
            layers share one function (docs/python.md).
        keep_unsupported: whether primitives that cannot be converted, such as callbacks, become operators of the domain
            "jax", with their parameters as attributes. A runtime needs an extension for these operators.
        shard: `(i, n)`: the model of device i of the n devices of a shard_map or pmap. It takes and returns the parts
            of arrays for this device, and exchanges values by operators of the domain "jax.collectives".
        sharding_info: whether nodes state how sharding constraints, reshards and jit divide tensors among devices.
        weights: a pytree of the arrays that `fn` closes over. Its paths become the names of the initializers. By
            default, the variables of `fn` or the state of the module name the initializers.
        name: the name of the graph.
        source_info: whether nodes say which line of Python they come from. The printed jaxpr is then longer.
        progress: a function that is called, at most twenty times a second, with the phase, the amount of work done and
            the total. An exception from this function ends the conversion.
        kwargs: arguments that `fn` takes by keyword and that become inputs, as `args` do: `{"mask": "bool[B,T]"}`.
        static: arguments that `fn` takes by keyword, whose values are fixed in the model: `{"deterministic": True}`.

    Returns:
        A `Model`. It keeps the arrays that `fn` closes over; they are not copied.

    Raises:
        UnsupportedError: ONNX cannot express what `fn` does. The error lists every problem.
        OptionError: an option does not fit `fn`. This error is a ConversionError and a ValueError.
        ConversionError: weights do not fit. Errors of `fn` under JAX's trace pass through.
        ValueError, TypeError: an option or a shape is malformed.

    Warns (`ConversionWarning`; `Model.warnings` lists the same):
        `fn` changes the state of its module, or draws random numbers from it; an argument of 64 bits has fewer in the
        model; no result depends on an input; an entry of `operators` applies to nothing; an equation is left out.
    """
    given = locals()
    options = {option: given[option] for _, option, *_ in _core.options}
    options["no_fuse"] = no_fuse if checked_flag("fuse", fuse) else ["all"]
    options["functions"] = ()
    texts_of(options)
    check_others(name, operators, progress)
    input_names = list_of("input_names", input_names, str)
    output_names = list_of("output_names", output_names, str)
    keywords = checked_keywords(kwargs, static)
    with kept(functions) as options["functions"]:
        traced = trace(fn, args, list_of("constraints", constraints, str), source_info, *keywords)
    traced.inputs, traced.outputs = completed(input_names, output_names, traced)
    if weights is not None:
        traced.weights = weights
        traced.warnings += _warnings.not_closed_over(traced.closed, weights)
    return convert(traced, name, options, operators=operators, progress=progress)


@dataclasses.dataclass
class Trace:
    """The result of tracing a function."""

    arguments: Any
    results: Any  #: a pytree of shapes
    closed: Any  #: the jaxpr
    text: str
    inputs: list[str]  #: the names of the inputs
    outputs: list[str]
    weights: Any  #: a pytree, whose paths name the constants
    constraints: list[str]  #: the constraints of the symbols in the arguments
    warnings: list[Problem]
    seconds: dict[str, float]
    keywords: list[str]  #: the names of the last arguments, which `fn` takes by keyword


def trace(
    fn: Any,
    args: Sequence[Any],
    constraints: Sequence[str] = (),
    source_info: bool = False,
    kwargs: Mapping[str, Any] = MappingProxyType({}),
    static: Mapping[str, Any] = MappingProxyType({}),
) -> Trace:
    import jax

    from . import _export

    subject = as_function(fn)
    function = with_keywords(subject.function, len(args), list(kwargs), static)
    arguments = specified((*args, *kwargs.values()), constraints)
    start = time.perf_counter()
    closed, results = jax.make_jaxpr(function, return_shape=True)(*arguments)
    traced = time.perf_counter()
    text = _export.printed(closed, source_info)
    seconds = {"trace": traced - start, "print": time.perf_counter() - traced}
    inputs, outputs = _export.interface_names(function, arguments, results)
    warnings = [*_warnings.narrowed(closed, arguments, inputs), *subject.changes(arguments, results)]
    return Trace(
        arguments,
        results,
        closed,
        text,
        inputs,
        outputs,
        subject.weights,
        list(constraints),
        warnings,
        seconds,
        list(kwargs),
    )


def convert(
    traced: Trace,
    name: str,
    options: Mapping[str, Any],
    *,
    operators: Mapping[Any, Any] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Model:
    """Converts a trace to a model. `texts_of` checks `options` and converts them."""
    import jax

    from . import _export

    start = time.perf_counter()
    refuse_strides(traced.closed, [primitive for primitive, function, _ in mappings(operators) if not function])
    constants = list(_export.constants_of(traced.closed))
    names = _export.constant_names(constants, traced.weights)
    applied: set[tuple[str, str]] = set()
    config: Any = jax.config  # its options are attributes that JAX adds at run time
    settings: dict[str, Any] = dict(
        weights=[described(*pair) for pair in zip(names, map(_export.to_numpy, constants))],
        input_names=traced.inputs,
        output_names=traced.outputs,
        options=[*texts_of(options), ("threefry-partitionable", "on" if config.jax_threefry_partitionable else "off")],
        operators=mappings(operators),
        applied=applied,
        progress=progress,
    )
    try:
        core = _core.convert(traced.text, **settings)
    except _core.Failure:
        error = explained(traced.closed, settings)
        _warnings.issue(_warnings.not_applied(operators, applied, traced.closed))
        raise error from None
    traced.seconds["convert"] = time.perf_counter() - start
    traced.warnings += [*_warnings.not_applied(operators, applied, traced.closed), *_warnings.unread(core)]
    made = Made(traced.text, settings, name, signature(traced, options), traced.seconds, tuple(traced.warnings))
    model = Model(core, made, traced.closed)
    _warnings.issue(model.warnings)
    return model


def check_others(name: Any, operators: Any, progress: Any) -> None:
    """Checks the arguments of `to_onnx` that other front ends do not have."""
    if not isinstance(name, str):
        raise TypeError(f"name: expected a string, found {name!r}")
    if not isinstance(operators, (Mapping, type(None))):
        raise TypeError(f"operators: expected a dictionary, found {operators!r}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected a function, found {progress!r}")


def completed(inputs: list[str], outputs: list[str], traced: Trace) -> tuple[list[str], list[str]]:
    """The given names, then the names that the trace found. A found name that repeats another name gets a number."""
    from . import _export

    repeated = sorted({name for name in inputs + outputs if (inputs + outputs).count(name) > 1})
    if repeated:
        raise ValueError(f"input_names, output_names: {repeated[0]!r} is given twice")
    for what, given, found in (("input_names", inputs, traced.inputs), ("output_names", outputs, traced.outputs)):
        if len(given) > len(found):
            raise ValueError(f"{what}: expected at most {counted(len(found), 'name')}, found {len(given)}")
    own = traced.inputs[len(inputs) :], traced.outputs[len(outputs) :]
    free = _export.unique([*inputs, *outputs, *own[0], *own[1]])[len(inputs) + len(outputs) :]
    return inputs + free[: len(own[0])], outputs + free[len(own[0]) :]


def refuse_strides(closed: Any, replaced: Sequence[str]) -> None:
    """Raises an error for slices of references with a stride, except for primitives that the program replaces."""
    from . import _export

    what, help = _export.STRIDE
    found = [
        Problem("lower.unsupported", f"{equation.primitive.name}: {what}", help, place(source), None, None, None)
        for equation, source in _export.strided_accesses(closed, replaced)
    ]
    if found:
        raise UnsupportedError("unsupported", found)


def described(name: str, array: Any) -> tuple[str, str, str, list[int], int, Any]:
    """An array in the form that `_core.convert` takes: its name, its type, its shape, and its memory as bytes."""
    from . import _export

    dtype = array.dtype
    kind = dtype.kind if dtype.isbuiltin == 1 else "V"  # NumPy regards ml_dtypes' types as bits
    return name, dtype.name, kind, list(array.shape), dtype.itemsize, _export.as_bytes(array)


def explained(closed: Any, settings: Mapping[str, Any]) -> Exception:
    """The error of a conversion that failed, with the lines of the user's program.

    Source information makes JAX's printing slower, so the jaxpr is printed with it only after a failure.
    """
    from . import _export

    text = _export.printed(closed, source_info=True)
    try:
        _core.convert(text, **settings)
    except _core.Failure as failure:
        return conversion_error(failure, text)
    return RuntimeError("the conversion fails only without source information: please report this function")
