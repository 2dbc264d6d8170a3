# SPDX-License-Identifier: Apache-2.0
"""The interface of the Python package `jax2onnx`, implemented by this converter: change the import, keep the calls.

    >>> import jax.numpy as jnp
    >>> from jax2onnx_cpp.compat import allclose, to_onnx
    >>> path = to_onnx(jnp.tanh, inputs=[("B", 10)], return_mode="file", output_path="tanh.onnx")
    >>> allclose(jnp.tanh, path, inputs=[(3, 10)])
    (True, 'outputs agree')

docs/python.md says what differs.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arguments import counted
from ._calls import called_by_jit, kept
from ._convert import Trace, convert, trace
from ._model import Model
from ._runtime import as_tensor, numpy_type, session
from ._verify import compared

KEPT: list[Any] = []  # the functions and classes that onnx_function has decorated
NORMALIZATIONS = [r for r in _core.rewrites() if r.startswith(("LayerNorm", "RMSNorm", "GroupNorm"))]


def to_onnx(
    fn: Callable[..., Any],
    inputs: Sequence[Any],
    input_params: Mapping[str, Any] | None = None,
    model_name: str = "jax_model",
    opset: int | None = None,
    *,
    enable_double_precision: bool = False,
    record_primitive_calls_file: str | None = None,
    return_mode: str = "proto",
    output_path: str | os.PathLike[str] | None = None,
    inputs_as_nchw: Sequence[int] | None = None,
    outputs_as_nchw: Sequence[int] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    export_mode: str = "standard",
    normalization_mode: str = "auto",
) -> Any:
    """Converts a function.

    Args:
        fn: a function or module.
        inputs: for each positional argument an array, a `jax.ShapeDtypeStruct`, or a shape as a tuple, `("B", 28, 28)`,
            of float32, or float64 with `enable_double_precision`.
        input_params: keyword arguments. Arrays become inputs of these names, and Python values become constants. If the
            function branches on the value of an array, all arrays become constants.
        model_name: the name of the graph.
        opset: the version of ONNX's operators.
        enable_double_precision: whether JAX traces with 64-bit types.
        record_primitive_calls_file: not supported, with a warning; the model's jaxpr has the same information.
        return_mode: "proto" for an `onnx.ModelProto`, "ir" for an `onnx_ir.Model`, "file" for the path of a file.
        output_path: the path of the file.
        inputs_as_nchw: indices of inputs that are NHWC in JAX and become NCHW in the model.
        outputs_as_nchw: indices of outputs that are NHWC in JAX and become NCHW in the model.
        input_names: names of all positional inputs.
        output_names: names of the outputs.
        export_mode: "web" keeps all weights in one file; "standard" moves weights over 1 MB to a file beside the model.
        normalization_mode: "force_decomposed" keeps normalizations as JAX decomposes them; otherwise they become ONNX's
            operators.

    Raises:
        ValueError, TypeError: an argument is malformed.
        UnsupportedError: ONNX cannot express what the function does.
    """
    choice("return_mode", return_mode, "proto", "ir", "file")
    choice("export_mode", export_mode, "standard", "web")
    choice("normalization_mode", normalization_mode, "auto", "prefer_native", "force_decomposed")
    if return_mode == "file" and output_path is None:
        raise ValueError("return_mode 'file' needs output_path")
    check_names(input_names, output_names, len(inputs), input_params or {})
    if record_primitive_calls_file is not None:
        warnings.warn("record_primitive_calls_file is not supported", stacklevel=2)
    options: dict[str, Any] = dict(
        opset=opset,
        inputs_as_nchw=inputs_as_nchw or (),
        outputs_as_nchw=outputs_as_nchw or (),
        dims={},
        no_fuse=NORMALIZATIONS if normalization_mode == "force_decomposed" else [],
    )

    def converted() -> Model:
        with kept(KEPT) as options["functions"]:
            traced, named = traced_with(fn, shapes(inputs, enable_double_precision), input_params or {})
        positional = len(traced.inputs) - len(named)
        traced.inputs = [*(input_names or numbered("in", positional)), *named]
        traced.outputs = [*(output_names or numbered("out", len(traced.outputs)))]
        return convert(traced, model_name, options)

    with double_precision(enable_double_precision):
        try:
            model = converted()
        except NotImplementedError:
            with implementations_traced():
                model = converted()
    if return_mode == "file" and output_path is not None:
        return saved(model, os.fspath(output_path), export_mode)
    return model.proto() if return_mode == "proto" else ir_model(model)


def allclose(
    fn: Callable[..., Any],
    onnx_model_path: str,
    inputs: Sequence[Any],
    input_params: Mapping[str, Any] | None = None,
    rtol: float = 1e-3,
    atol: float = 1e-5,
    *,
    enable_double_precision: bool = False,
    inputs_as_nchw: Sequence[int] | None = None,
    outputs_as_nchw: Sequence[int] | None = None,
) -> tuple[bool, str]:
    """Compares a model file with a function: returns whether the outputs agree, and a description of the difference.

    A tuple in `inputs` is the shape of a random array, in which a symbol is 2. The other arguments are as in `to_onnx`.
    """
    import jax

    parameters = dict(input_params or {})
    with double_precision(enable_double_precision), jax.default_matmul_precision("float32"):
        arrays = [sampled(given) for given in inputs]
        want = jax.tree_util.tree_leaves(fn(*map(jax.numpy.asarray, arrays), **parameters))
        turned = [np.transpose(a, (0, 3, 1, 2)) if i in (inputs_as_nchw or ()) else a for i, a in enumerate(arrays)]
        got = run_file(onnx_model_path, turned, parameters)
        if len(got) != len(want):
            return False, f"{counted(len(got), 'output')}, JAX has {len(want)}"
        for i, (g, w) in enumerate(zip(got, want)):
            w = w if hasattr(w, "dtype") else np.asarray(w)  # the function returns a Python number
            g = np.transpose(g, (0, 2, 3, 1)) if i in (outputs_as_nchw or ()) else g
            g = g[..., 0] + 1j * g[..., 1] if np.iscomplexobj(w) and not np.iscomplexobj(g) else g
            if g.shape == w.shape and not (enable_double_precision or g.dtype == w.dtype):
                g = g.astype(w.dtype)
            check = compared(f"output {i}", {}, g, w, (rtol, atol))
            if not check.ok:
                return False, str(check)
    return True, "outputs agree"


def onnx_function(
    target: Any = None, *, unique: bool = False, namespace: str | None = None, name: str | None = None, **_: Any
) -> Any:
    """Decorates a function or a class of modules, so that its calls become calls of a function of the model.

    Args:
        target: the function or class; None: a decorator is returned.
        unique: has no effect: functions with equal bodies always become one function.
        namespace: has no effect: the domain is "jax.functions".
        name: the name that the function has in the model, unless `target` is a class; None: the name of `target`.
    """
    if target is None:
        return lambda decorated: onnx_function(decorated, unique=unique, namespace=namespace, name=name)
    kept_call = target if isinstance(target, type) else called_by_jit(target, name or target.__name__)
    KEPT.append(kept_call)
    return kept_call


def install() -> None:
    """Makes `import jax2onnx` find this module, in this process, for libraries that call that package.

    One of them is Keras under JAX: `model.export("model.onnx", format="onnx")`.
    """
    sys.modules["jax2onnx"] = sys.modules[__name__]
    keras: Any = sys.modules.get("keras.src.utils.module_utils")
    if keras is not None and hasattr(keras, "jax2onnx"):
        keras.jax2onnx = sys.modules[__name__]  # Keras keeps the module that it has found


@contextlib.contextmanager
def implementations_traced() -> Iterator[None]:
    """Traces the implementation of each primitive that the converter does not know, if it is written in Python.

    Primitives of plugins often have nothing but an implementation.
    """
    import jax

    jax.clear_caches()  # drops earlier traces with these primitives
    Primitive = primitive_class()
    known, bind = set(_core.primitives()), Primitive.bind

    def traced(self: Any, *arguments: Any, **parameters: Any) -> Any:
        implementation = vars(self).get("impl")
        own = not inspect.isfunction(implementation) or implementation.__module__.partition(".")[0] == "jax"
        if own or self.name in known:
            return bind(self, *arguments, **parameters)
        return implementation(*arguments, **parameters)

    Primitive.bind = traced
    try:
        yield
    finally:
        Primitive.bind = bind


def primitive_class() -> Any:
    try:
        return importlib.import_module("jax.extend.core").Primitive
    except (ImportError, AttributeError):  # before JAX 0.4.36
        return importlib.import_module("jax.core").Primitive


def choice(what: str, given: str, *known: str) -> None:
    if given not in known:
        raise ValueError(f"{what}: expected one of {', '.join(known)}, found {given!r}")


def check_names(
    input_names: Sequence[str] | None, output_names: Sequence[str] | None, inputs: int, parameters: Mapping[str, Any]
) -> None:
    for what, names in (("input_names", input_names), ("output_names", output_names)):
        if isinstance(names, str):
            raise TypeError(f"{what}: expected a sequence of names, found a string")
        for name in names or ():
            if list(names or ()).count(name) > 1:
                raise ValueError(f"{what}: {name!r} is given twice")
            if name in parameters:
                raise ValueError(f"{what}: {name!r} is also in input_params")
    if input_names is not None and len(input_names) != inputs:
        raise ValueError(f"input_names: {counted(len(input_names), 'name')} for {counted(inputs, 'input')}")
    if any(not isinstance(key, str) for key in parameters):
        raise TypeError("input_params: expected names as keys")


@contextlib.contextmanager
def double_precision(enabled: bool) -> Iterator[None]:
    import jax

    config: Any = jax.config  # its options are attributes that JAX adds at run time
    before = config.jax_enable_x64
    config.update("jax_enable_x64", enabled)
    try:
        yield
    finally:
        config.update("jax_enable_x64", before)


def shapes(inputs: Sequence[Any], double: bool) -> list[Any]:
    """The inputs as shapes. Tuples share their symbols. An extent of a `jax.ShapeDtypeStruct` may be a string."""
    return [shape_of(given, np.float64 if double else np.float32) for given in inputs]


def shape_of(given: Any, default: Any) -> Any:
    import jax

    extents, dtype = (given, default) if isinstance(given, (tuple, list)) else (given.shape, given.dtype)
    if any(isinstance(extent, str) for extent in extents):
        return f"{np.dtype(dtype).name}[{','.join(map(str, extents))}]"
    return jax.ShapeDtypeStruct(tuple(extents), dtype)


def traced_with(fn: Any, arguments: list[Any], parameters: Mapping[str, Any]) -> tuple[Trace, Mapping[str, Any]]:
    """The trace of a function with keyword arguments, and the arguments that became inputs.

    Arrays become inputs if the function does not branch on their values.
    """
    import jax

    arrays = {name: value for name, value in parameters.items() if hasattr(value, "shape") and hasattr(value, "dtype")}
    constants = {name: value for name, value in parameters.items() if name not in arrays}
    try:
        return trace(fn, arguments, kwargs=arrays, static=constants), arrays
    except jax.errors.ConcretizationTypeError:
        if not arrays:
            raise
    return trace(fn, arguments, static=parameters), {}


def sampled(given: Any) -> Any:
    if isinstance(given, (tuple, list)) and all(isinstance(extent, (int, str)) for extent in given):
        return np.random.rand(*[2 if isinstance(e, str) else e for e in given]).astype(np.float32)
    return given


def run_file(path: str, arrays: list[Any], parameters: Mapping[str, Any]) -> list[np.ndarray]:
    """The outputs of a model file. An input with the name of a parameter gets its value; the other inputs get `arrays`
    in order."""
    runtime = session(os.fspath(path))
    names = [value.name for value in runtime.get_inputs()]
    positional = iter(arrays)
    feed = {}
    for value in runtime.get_inputs():
        array = parameters[value.name] if value.name in parameters else next(positional)
        feed[value.name] = as_tensor(array, numpy_type(value.type))
    if len(list(positional)) > 0:
        raise ValueError(f"{path} has the inputs {', '.join(names)}, but {counted(len(arrays), 'array')} were given")
    outputs: list[np.ndarray] = runtime.run(None, feed)
    return outputs


def numbered(prefix: str, count: int) -> list[str]:
    return [f"{prefix}_{i}" for i in range(count)]


def saved(model: Model, path: str, export_mode: str) -> str:
    folder, file = os.path.split(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    if export_mode == "web":
        model.save(path, external_data=False)
    else:
        model.save(path, external_data=file + ".data", threshold=1 << 20)
    return path


def ir_model(model: Model) -> Any:
    import onnx_ir

    return onnx_ir.from_proto(model.proto())
