# SPDX-License-Identifier: Apache-2.0
"""JAX functions to ONNX models.

    >>> import jax.numpy as jnp
    >>> import jax2onnx_cpp
    >>> model = jax2onnx_cpp.to_onnx(lambda x: jnp.tanh(x) + 1, "f32[B,3]")
    >>> model.save("model.onnx")
    >>> model
    <Model x float32[B,3] -> output float32[B,3]: 2 nodes, opset 22>

`to_onnx` traces a function with JAX and converts it to a model, which can be saved, run and verified. JAX is imported
when it is first needed. jax2onnx_cpp.compat has the interface of the package `jax2onnx`.
"""

from ._convert import to_onnx
from ._core import __version__
from ._errors import ConversionError, OptionError, Problem, UnsupportedError
from ._model import Model, TensorInfo
from ._operators import Operator, Ops, Tensor, lowers
from ._verify import OutputCheck, Verification, verify
from ._warnings import ConversionWarning

__all__ = [
    "ConversionError",
    "ConversionWarning",
    "Model",
    "Operator",
    "Ops",
    "OptionError",
    "OutputCheck",
    "Problem",
    "Tensor",
    "TensorInfo",
    "UnsupportedError",
    "Verification",
    "__version__",
    "lowers",
    "to_onnx",
    "verify",
]
