# SPDX-License-Identifier: Apache-2.0
"""Primitives and functions that a program maps to operators."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._arguments import long_name

CALLS = ("jit", "custom_jvp_call", "custom_vjp_call")  # primitives that name the function which they call


class Operator(NamedTuple):
    """An operator of another domain. An equation that is mapped to the operator becomes one node with the operands and
    results of the equation.

    >>> import jax
    >>> from jax2onnx_cpp import Operator, to_onnx
    >>> def f(x):
    ...     return jax.pure_callback(abs, x, x) + 1
    >>> to_onnx(f, "3", operators={"pure_callback": Operator("com.example", "Lookup")}).report["operators"]
    {'Add': 1, 'Lookup': 1}
    """

    domain: str
    name: str
    attributes: Sequence[str] = ()  #: parameters that become attributes: numbers, strings, lists of integers


class Tensor:
    """A tensor of the model that is built. It can be used until the function that received it returns."""

    def __init__(self, core: _core.Tensor):
        self._core = core

    @property
    def dtype(self) -> str:
        """NumPy's name of the element type; ml_dtypes' name for bfloat16, float8 and 4-bit integers."""
        return long_name(self._core.type[0])

    @property
    def shape(self) -> tuple[int | str, ...]:
        """The extents: numbers, or strings with symbols."""
        return self._core.type[1]

    @property
    def name(self) -> str:
        """The name so far, possibly empty. The model uses it unless another value has the same name."""
        return self._core.name

    def __repr__(self) -> str:
        return f"<Tensor {self.name} {self.dtype}[{','.join(map(str, self.shape))}]>"


class Ops:
    """Builds nodes in place of an equation: each operator of ONNX is a method, under its own name.

    Operands are tensors, NumPy arrays, lists of integers, None for an operand that is left out, and numbers, which get
    the element type of the other operands. Attributes are keyword arguments. Types and attributes are checked against
    ONNX's newest version of the operator; the node gets the form of the model's opset.

    >>> import jax
    >>> from jax2onnx_cpp import to_onnx
    >>> @jax.jit
    ... def squashed(x):
    ...     return jax.pure_callback(abs, x, x)
    >>> def lowered(ops, x, **_):
    ...     return ops.Clip(ops.LeakyRelu(x, alpha=0.2), -1, 1)
    >>> to_onnx(squashed, "B,3", operators={squashed: lowered}).report["operators"]
    {'Clip': 1, 'LeakyRelu': 1}
    """

    def __init__(self, core: _core.Builder):
        self._core = core

    @property
    def opset(self) -> int:
        """The version of ONNX's operators that the model has."""
        return self._core.opset

    @property
    def results(self) -> list[tuple[str, tuple[int | str, ...]]]:
        """Element type and shape of each result that the equation has."""
        return [(long_name(dtype), shape) for dtype, shape in self._core.results]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return functools.partial(self.op, name)

    def op(
        self,
        name: str,
        *operands: Any,
        outputs: int = 1,
        domain: str = "",
        types: Sequence[Any] | None = None,
        **attributes: Any,
    ) -> Any:
        """Adds a node of any operator. Returns its result, or a tuple of its results if there are several.

        Args:
            name: the name of the operator.
            operands: the operands, in ONNX's order.
            outputs: the number of results.
            domain: the domain of an operator that ONNX does not have. The operands of such an operator are tensors and
                arrays.
            types: types of the results of an operator of another domain: pairs of element type and shape, or tensors
                that have the same types; by default `results`.
            attributes: numbers, strings, lists of them, arrays; an element type if ONNX's attribute is a data type.

        Raises:
            ValueError: the call does not fit what ONNX states about the operator.
        """
        given = [self._operand(operand, bool(domain)) for operand in operands]
        named = {key: attribute(value) for key, value in attributes.items() if value is not None}
        if domain:
            stated = self.results if types is None else [(t.dtype, t.shape) if is_tensor(t) else t for t in types]
            made = self._core.own_node(domain, name, given, named, [(str(t), list(shape)) for t, shape in stated])
        else:
            made = self._core.node(name, given, named, outputs)
        return Tensor(made[0]) if len(made) == 1 else tuple(map(Tensor, made))

    def constant(self, array: Any) -> Tensor:
        """A constant of the model."""
        return Tensor(self._core.constant(as_constant(array)))

    def _operand(self, given: Any, only_tensors: bool) -> Any:
        if is_tensor(given):
            return given._core
        if only_tensors or hasattr(given, "dtype"):
            return self.constant(given)._core
        return list(given) if isinstance(given, tuple) else given


REGISTERED: dict[Any, Any] = {}


Target = TypeVar("Target")


def lowers(what: Any) -> Callable[[Target], Target]:
    """Decorates a function that builds the nodes of a primitive, or of a jitted function, in all later conversions.

    `what` is the name of the primitive, the primitive, or a function under `jax.jit`, `jax.custom_jvp` or
    `jax.custom_vjp`, which is known by its name. The decorated function takes an `Ops` and the operands of the
    equation, and the parameters as keyword arguments: Python's values, or the text that JAX prints. It returns a
    `Tensor`, a tuple of tensors for several results, or NotImplemented, which leaves the equation to the converter.
    Complex numbers and keys are tuples of tensors. An exception from the function ends the conversion.

    >>> import jax, jax.numpy as jnp
    >>> from jax2onnx_cpp import lowers, to_onnx
    >>> @jax.jit
    ... def gate(x):
    ...     return x * jax.nn.sigmoid(1.702 * x)
    >>> @lowers(gate)
    ... def lower_gate(ops, x, **_):
    ...     return ops.Mul(x, ops.Sigmoid(ops.Mul(x, 1.702)))
    >>> to_onnx(lambda x: gate(x) + 1, "B,4").report["operators"]
    {'Mul': 2, 'Add': 1, 'Sigmoid': 1}

    An `Operator` can be registered in the place of the function: `lowers("pure_callback")(Operator(...))`. The argument
    `operators` of `to_onnx` takes precedence over registered functions and operators.
    """

    def register(target: Target) -> Target:
        REGISTERED[what] = target
        return target

    return register


def mappings(operators: Mapping[Any, Any] | None) -> list[tuple[str, str, Any]]:
    """Rows for `_core.convert`: primitive, name of the called function or "", an operator or a function to call."""
    given = {}
    for what, target in [*REGISTERED.items(), *(operators or {}).items()]:
        given.update(dict.fromkeys(places(what), target_of(target)))
    return [(*place, target) for place, target in given.items()]


def places(what: Any) -> list[tuple[str, str]]:
    if isinstance(what, str):
        return [(what, "")]
    if hasattr(what, "multiple_results"):  # a primitive
        return [(what.name, "")]
    if hasattr(what, "__name__"):
        return [(call, what.__name__) for call in CALLS]
    raise TypeError(f"operators: expected the name of a primitive, a primitive or a function, found {what!r}")


def target_of(target: Any) -> Any:
    if isinstance(target, Operator):
        return tuple(target)
    if not callable(target):
        raise TypeError(f"operators: expected an Operator or a function, found {target!r}")

    def build(core: _core.Builder, operands: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
        results = target(Ops(core), *map(wrapped, operands), **parameters)
        if results is NotImplemented:
            return results
        several = isinstance(results, (tuple, list)) and len(core.results) != 1
        return [unwrapped(result) for result in (results if several else [results])]

    return build


def wrapped(operand: Any) -> Any:
    return tuple(map(Tensor, operand)) if isinstance(operand, tuple) else Tensor(operand)


def unwrapped(result: Any) -> Any:
    if isinstance(result, (tuple, list)):
        return tuple(map(unwrapped, result))
    if result is not None and not is_tensor(result):
        raise TypeError(f"expected a tensor of the model as a result, found {type(result).__name__}")
    return result and result._core


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def as_constant(array: Any) -> tuple[str, list[int], bytes]:
    array = np.asarray(array)
    return array.dtype.name, list(array.shape), np.ascontiguousarray(array).tobytes()


def attribute(value: Any) -> Any:
    """An attribute as `_core` takes it."""
    if isinstance(value, (np.dtype, type)):
        return np.dtype(value).name
    if hasattr(value, "shape"):
        return as_constant(value)
    return list(value) if isinstance(value, tuple) else value
