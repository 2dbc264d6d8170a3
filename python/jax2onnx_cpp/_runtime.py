"""Models in ONNX Runtime."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

# Element types that ONNX Runtime does not exchange as NumPy arrays: their number in ONNX, and the type of their bits.
BITS = {
    "bfloat16": (16, np.uint16),
    "float8_e4m3fn": (17, np.uint8),
    "float8_e4m3fnuz": (18, np.uint8),
    "float8_e5m2": (19, np.uint8),
    "float8_e5m2fnuz": (20, np.uint8),
}


def session(model):
    """A session for a model's bytes or path."""
    try:
        import onnxruntime
    except ImportError:
        raise ImportError("running a model needs the package onnxruntime: pip install jax2onnx-cpp[run]") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors
    return onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])


def run(session, model, results, arguments) -> Any:
    """The results for the arguments, in the structure of `results`."""
    import jax

    leaves = jax.tree_util.tree_leaves(arguments)
    if len(leaves) != len(model.inputs):
        raise ValueError(f"expected {len(model.inputs)} arrays, found {len(leaves)}")
    binding = session.io_binding()
    keep = [given(leaf, info) for leaf, info in zip(leaves, model.inputs)]
    for info, value in zip(model.inputs, keep):
        binding.bind_ortvalue_input(info.name, value)
    for info in model.outputs:
        binding.bind_output(info.name)
    session.run_with_iobinding(binding)
    types, tree = jax.tree_util.tree_flatten(results)
    outputs = map(taken, binding.get_outputs(), model.outputs, types)
    return jax.tree_util.tree_unflatten(tree, list(outputs))


def given(leaf, info):
    """An argument as ONNX Runtime takes it."""
    from onnxruntime import OrtValue

    array = as_tensor(leaf, info.dtype)
    if info.dtype not in BITS:
        return OrtValue.ortvalue_from_numpy(array)
    number, bits = BITS[info.dtype]
    return OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(bits), number)


def as_tensor(leaf, dtype: str):
    """The array that stands for a leaf in the model: a key's data, complex numbers as pairs."""
    import jax

    if hasattr(leaf, "dtype") and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    array = np.asarray(leaf)
    if np.iscomplexobj(array):
        array = np.stack([array.real, array.imag], -1)
    return np.asarray(array.astype(jax.numpy.dtype(dtype), copy=False), order="C")


def taken(value, info, wanted):
    """A result as a NumPy array of the type that the function returns."""
    import jax

    array = copied(value, jax.numpy.dtype(info.dtype)) if info.dtype in BITS else value.numpy()
    if jax.dtypes.issubdtype(wanted.dtype, np.complexfloating):
        array = array[..., 0] + 1j * array[..., 1]
    return array


def copied(value, dtype):
    shape = tuple(value.shape())
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(value.data_ptr(), size), dtype).reshape(shape)
