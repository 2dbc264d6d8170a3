# SPDX-License-Identifier: Apache-2.0
"""Models in ONNX Runtime."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._model import TensorInfo

# Element types that ONNX Runtime does not exchange as NumPy arrays, with their numbers in ONNX and types of their size.
BITS = {
    "bfloat16": (16, np.uint16),
    "float8_e4m3fn": (17, np.uint8),
    "float8_e4m3fnuz": (18, np.uint8),
    "float8_e5m2": (19, np.uint8),
    "float8_e5m2fnuz": (20, np.uint8),
}


def session(model: bytes | str) -> Any:
    """A session for a model's bytes or path."""
    try:
        import onnxruntime
    except ImportError:
        raise ImportError("running a model needs the package onnxruntime: pip install jax2onnx-cpp[run]") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # only errors
    return onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])


def interface(session: Any) -> tuple[list[TensorInfo], list[TensorInfo]]:
    """The inputs and outputs of a model, as its session states them."""

    def described(values: Any) -> list[TensorInfo]:
        return [TensorInfo(value.name, numpy_type(value.type), tuple(value.shape)) for value in values]

    return described(session.get_inputs()), described(session.get_outputs())


def numpy_type(stated: str) -> str:
    """NumPy's or ml_dtypes' name of an element type of ONNX Runtime: `tensor(float)`."""
    name = stated.removeprefix("tensor(").removesuffix(")")
    return ONNX_NAMES.get(name, name.replace("float8e", "float8_e"))


ONNX_NAMES = {"float": "float32", "double": "float64"}


def run(session: Any, model: Any, signature: Any, arguments: Sequence[Any]) -> Any:
    """The results for the arguments, in the structure that the function returns."""
    import jax

    leaves = [
        moved(leaf, NHWC_TO_NCHW) if i in signature.nchw[0] else leaf
        for i, leaf in enumerate(in_order(arguments, model, signature))
    ]
    types, tree = jax.tree_util.tree_flatten(signature.results)
    arrays = computed(session, leaves, model.inputs, model.outputs, types)
    outputs = [moved(a, NCHW_TO_NHWC) if i in signature.nchw[1] else a for i, a in enumerate(arrays)]
    return jax.tree_util.tree_unflatten(tree, outputs)


def computed(session: Any, leaves: Sequence[Any], inputs: Any, outputs: Any, types: Sequence[Any]) -> list[Any]:
    """The outputs for the inputs, both in order, with the element types of the function."""
    binding = session.io_binding()
    keep = [given(leaf, info) for leaf, info in zip(leaves, inputs)]
    for info, value in zip(inputs, keep):
        binding.bind_ortvalue_input(info.name, value)
    for info in outputs:
        binding.bind_output(info.name)
    session.run_with_iobinding(binding)
    return list(map(taken, binding.get_outputs(), outputs, types))


def in_order(arguments: Sequence[Any], model: Any, signature: Any) -> list[Any]:
    """The arrays for the inputs of the model, from the arguments of the function, a dictionary, or arrays alone."""
    import jax

    leaves = jax.tree_util.tree_flatten_with_path(arguments)[0]
    if [path for path, _ in leaves] == signature.paths:
        return [leaf for _, leaf in leaves]
    names = [info.name for info in model.inputs]
    if len(arguments) == 1 and isinstance(arguments[0], Mapping):
        found = arguments[0]
        if set(found) == set(names):
            return [found[name] for name in names]
    elif len(leaves) == len(names) and all(len(path) == 1 for path, _ in leaves):
        return [leaf for _, leaf in leaves]
    raise ValueError(
        f"expected the arguments of the function, or a dictionary with the inputs {', '.join(names) or '(none)'};"
        f" found {', '.join(spelled(path) for path, _ in leaves) or 'no arrays'}"
    )


def spelled(path: Sequence[Any]) -> str:
    import jax

    return f"argument {path[0].idx}{jax.tree_util.keystr(tuple(path[1:]))}"


NHWC_TO_NCHW, NCHW_TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)


def moved(leaf: Any, order: tuple[int, ...]) -> Any:
    array = leaf if hasattr(leaf, "transpose") else np.asarray(leaf)
    return array.transpose(order)


def given(leaf: Any, info: Any) -> Any:
    """An argument as ONNX Runtime takes it."""
    from onnxruntime import OrtValue

    array = as_tensor(leaf, info.dtype)
    if info.dtype not in BITS:
        return OrtValue.ortvalue_from_numpy(array)
    number, bits = BITS[info.dtype]
    return OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(bits), number)


def as_tensor(leaf: Any, dtype: str) -> Any:
    """The array that the model takes for a leaf. A key becomes its data, and complex numbers become pairs."""
    import jax

    if hasattr(leaf, "dtype") and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    array = np.asarray(leaf)
    if np.iscomplexobj(array):
        array = np.stack([array.real, array.imag], -1)
    wanted = jax.numpy.dtype(dtype)
    cast = array.astype(wanted, copy=False)
    integers = array.dtype.kind in "iu" and cast.dtype.kind in "iu"
    if rank(array.dtype) > rank(wanted) or (integers and not np.array_equal(cast, array)):
        raise ValueError(f"an array of {array.dtype} was given for an input of {dtype}, which cannot hold its values")
    return np.asarray(cast, order="C")


def rank(dtype: Any) -> int:
    """Orders element types: bool, integers, floats, others. Arrays may be cast to later types, not to earlier ones."""
    import jax

    kinds = [np.bool_, np.integer, np.inexact]
    return next((i for i, kind in enumerate(kinds) if jax.dtypes.issubdtype(dtype, kind)), 3)


def taken(value: Any, info: Any, wanted: Any) -> Any:
    """A result as a NumPy array of the type that the function returns."""
    import jax

    array = copied(value, jax.numpy.dtype(info.dtype)) if info.dtype in BITS else value.numpy()
    if jax.dtypes.issubdtype(wanted.dtype, np.complexfloating):
        array = array[..., 0] + 1j * array[..., 1]
    return array


def copied(value: Any, dtype: Any) -> Any:
    shape = tuple(value.shape())
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(value.data_ptr(), size), dtype).reshape(shape)
