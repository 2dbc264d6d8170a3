# SPDX-License-Identifier: Apache-2.0
"""Primitives and functions that a program maps to operators."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import ConversionError, Operator, UnsupportedError, lowers, to_onnx


def scaled_primitive():
    try:
        from jax.extend.core import Primitive
    except ImportError:  # before JAX 0.4.36
        from jax.core import Primitive
    primitive = Primitive("scaled")
    primitive.def_abstract_eval(lambda x, **_: x)
    return primitive


def test_own_operators():
    primitive = scaled_primitive()
    parameters = dict(scale=1.5, axes=(0, 2), mode="fast", exact=True, count=3, function=print)

    def f(x):
        return primitive.bind(x, **parameters)

    def operators(*attributes):
        return {"scaled": Operator("com.example", "Scaled", attributes)}

    text = to_onnx(f, "B,3", operators=operators("scale", "axes", "mode", "exact", "count")).text()
    assert "com.example.Scaled" in text
    for attribute in ("scale = 1.5", "axes = [0, 2]", 'mode = "fast"', "exact = 1", "count = 3"):
        assert attribute in text
    assert "com.example.Scaled" in to_onnx(f, "B,3", operators=operators()).text()
    with pytest.raises(UnsupportedError, match="'function' cannot be an attribute"):
        to_onnx(f, "B,3", operators=operators("function"))
    with pytest.raises(ConversionError, match="missing"):
        to_onnx(f, "B,3", operators=operators("missing"))
    with pytest.raises(ConversionError, match="cannot be a domain"):
        to_onnx(f, "B,3", operators={"scaled": Operator("a b", "Scaled")})
    with pytest.raises(UnsupportedError, match="scaled"):
        to_onnx(f, "B,3")


def called_back(x):
    return jax.pure_callback(lambda v: v, x, x)


def built(lower, fn=called_back, shape="B,3", **options):
    return to_onnx(fn, shape, operators={"pure_callback": lower}, **options)


def test_foreign_functions():
    ffi = pytest.importorskip("jax.ffi", reason="JAX has it since 0.5")
    fn = lambda x: ffi.ffi_call("lookup", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
    model = to_onnx(fn, "f32[4]", operators={"ffi_call": Operator("com.example", "Lookup")})
    assert model.report["operators"] == {"Lookup": 1}


def test_pallas_kernels():
    pallas = pytest.importorskip("jax.experimental.pallas")

    def doubled(x):
        def kernel(source, target):
            target[...] = source[...] * 2

        return pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    model = to_onnx(doubled, "f32[8]", operators={"pallas_call": lambda ops, x, **_: ops.Add(x, x)})
    assert model.report["operators"] == {"Add": 1}


def test_nodes_by_name():
    def lower(ops, x, **parameters):
        assert (x.dtype, x.shape, ops.opset) == ("float32", ("B", 3), 20)
        assert ops.results == [("float32", ("B", 3))]
        assert "callback" in parameters
        low, high = ops.Split(ops.Concat(x, x, axis=0), axis=0, num_outputs=2, outputs=2)
        assert "B,3" in repr(low)
        return ops.Clip(ops.Add(low, ops.Cast(high, to=np.float32)), -1, ops.constant(np.float32(2.5)))

    model = built(lower, opset=20)
    assert model.report["operators"].keys() == {"Concat", "Split", "Cast", "Add", "Clip"}
    assert "2.5" in model.text()


def test_forms_of_older_opsets():
    lower = lambda ops, x, **_: ops.Unsqueeze(ops.ReduceMax(x, [1], keepdims=0), [1])
    fn = lambda x: jax.pure_callback(abs, jax.ShapeDtypeStruct((4, 1), "float32"), x)
    assert "axes = [1]" in built(lower, fn, "4,3", opset=17).text()
    assert "axes" not in built(lower, fn, "4,3", opset=18).text()


def test_parameters_are_values():
    primitive, seen = scaled_primitive(), {}

    def lower(ops, x, **parameters):
        seen.update(parameters)
        return ops.Mul(x, parameters["scale"])

    parameters = dict(scale=1.5, axes=(0, 2), mode="fast", exact=True, nothing=None, where=(1, (2, "b")))
    to_onnx(lambda x: primitive.bind(x, **parameters), "B", operators={primitive: lower})
    assert seen == parameters


def test_complex_numbers_are_pairs():
    def fn(x):
        return jax.pure_callback(abs, (x, x.real), x)

    def lower(ops, x, **_):
        real, imaginary = x
        return (real, ops.Neg(imaginary)), real

    model = built(lower, fn, "complex64[2]")
    assert "Neg" in model.report["operators"]


def test_own_domain():
    def lower(ops, x, **_):
        wide, same = ops.op(
            "Grow", x, np.arange(3), domain="com.example", types=[("float32", ("2*B", 3)), x],
            factor=2, ratio=0.5, mode="fast", axes=[1, 2], names=["a"], table=np.ones((2, 2), "int8"),
        )  # fmt: skip
        assert (wide.shape, same.shape) == (("2*B", 3), ("B", 3))
        return same

    text = built(lower).text()
    for part in ("com.example.Grow", "factor = 2", "ratio = 0.5", 'mode = "fast"', "axes = [1, 2]", 'names = ["a"]'):
        assert part in text


def test_functions_by_name():
    @jax.jit
    def gate(x):
        return x * jax.nn.sigmoid(x)

    fn = lambda x: jnp.tanh(gate(x))
    swapped = {gate: lambda ops, x, **_: ops.Relu(x)}
    assert to_onnx(fn, "B", operators=swapped).report["operators"] == {"Relu": 1, "Tanh": 1}
    left = {gate: lambda *_, **__: NotImplemented}
    assert to_onnx(fn, "B", operators=left).text() == to_onnx(fn, "B").text()


@pytest.mark.skipif(jax.__version_info__ < (0, 5), reason="JAX prints no name of the function")
def test_custom_gradients_by_name():
    @jax.custom_vjp
    def kernel(x):
        return x + 1

    kernel.defvjp(lambda x: (kernel(x), None), lambda _, y: (y,))
    swapped = {kernel: lambda ops, x, **_: ops.Neg(x)}
    assert to_onnx(lambda x: kernel(x), "B", operators=swapped).report["operators"] == {"Neg": 1}


def test_registered():

    @lowers("pure_callback")
    def lower(ops, x, **_):
        return ops.Abs(x)

    assert to_onnx(called_back, "3").report["operators"] == {"Abs": 1}
    assert built(lambda ops, x, **_: ops.Neg(x)).report["operators"] == {"Neg": 1}
    twins = [jax.jit(lambda x: x + 1), jax.jit(lambda x: x + 1)]
    lowers(twins[0])(lambda ops, x, **_: ops.Abs(x))
    named_alike = {twins[1]: lambda ops, x, **_: ops.Neg(x)}
    assert to_onnx(lambda x: twins[0](x), "3", operators=named_alike).report["operators"] == {"Neg": 1}
    lowers("pure_callback")(Operator("com.example", "Lookup"))
    assert to_onnx(called_back, "3").report["operators"] == {"Lookup": 1}


kept = []


def keep(ops, x, **_):
    kept[:] = [ops, x]
    return x


@pytest.mark.parametrize(
    "error, message, lower",
    [
        (ValueError, "the inner dimensions differ", lambda ops, x, **_: ops.MatMul(x, np.ones((5, 5), "float32"))),
        (ValueError, "did you mean 'Relu'", lambda ops, x, **_: ops.Rleu(x)),
        (ValueError, "no attribute 'alpha'", lambda ops, x, **_: ops.Relu(x, alpha=1)),
        (ValueError, "is not an ONNX element type", lambda ops, x, **_: ops.Cast(x, to="floot")),
        (ValueError, "cannot be a domain", lambda ops, x, **_: ops.op("F", x, domain="a b")),
        (ValueError, "after the call", lambda ops, x, **_: ops.Relu(kept[1])),
        (ValueError, "during the call", lambda ops, x, **_: kept[0].Relu(x)),
        (ZeroDivisionError, "division", lambda ops, x, **_: 1 / 0),
        (TypeError, "not of the type", lambda ops, x, **_: ops.Relu("a")),
        (TypeError, "expected a tensor", lambda ops, x, **_: 3),
        (ConversionError, "result 0 is i8", lambda ops, x, **_: ops.Cast(x, to="int8")),
        (ConversionError, "2 parts instead of 1", lambda ops, x, **_: (x, x)),
        (UnsupportedError, "calls back into Python", lambda *_, **__: NotImplemented),
    ],
)
def test_errors(error, message, lower):
    built(keep)
    with pytest.raises(error, match=message):
        built(lower)


def test_malformed_mappings():
    with pytest.raises(TypeError, match="an Operator or a function"):
        built(3)
    with pytest.raises(TypeError, match="the name of a primitive"):
        to_onnx(called_back, "3", operators={3: keep})
