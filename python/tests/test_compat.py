# SPDX-License-Identifier: Apache-2.0
"""The interface of the package jax2onnx."""

import importlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import compat
from jax2onnx_cpp.compat import allclose, onnx_function, to_onnx

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def names(values):
    return [value.name for value in values]


def test_proto():
    model = to_onnx(lambda x, y: (x @ y, x), [("B", 4), (4, 2)], model_name="product")
    onnx.checker.check_model(model, full_check=True)
    assert (names(model.graph.input), names(model.graph.output)) == (["in_0", "in_1"], ["out_0", "out_1"])
    assert model.graph.name == "product"


def test_file(tmp_path):
    kernel = np.ones((600, 600), "float32")
    path = tmp_path / "new" / "model.onnx"
    f = lambda x: x @ kernel
    assert to_onnx(f, [("B", 600)], return_mode="file", output_path=path) == str(path)
    assert (tmp_path / "new" / "model.onnx.data").stat().st_size >= kernel.nbytes
    assert allclose(f, str(path), [(3, 600)]) == (True, "outputs agree")
    to_onnx(f, [("B", 600)], return_mode="file", output_path=tmp_path / "web.onnx", export_mode="web")
    assert not (tmp_path / "web.onnx.data").exists()
    assert allclose(lambda x: x, str(path), [(3, 600)])[0] is False


def test_numbers_as_results(tmp_path):
    path = to_onnx(lambda x: x.size, [(2, 3)], return_mode="file", output_path=str(tmp_path / "model.onnx"))
    assert allclose(lambda x: x.size, path, [(2, 3)])[0]
    assert not allclose(lambda x: x.size + 1, path, [(2, 3)])[0]


def test_parameters_by_name(tmp_path):
    def f(x, *, scale, deterministic):
        return x * scale if deterministic else x

    path = str(tmp_path / "model.onnx")
    parameters = {"scale": jnp.float32(3), "deterministic": True}
    to_onnx(f, [("B", 4)], parameters, return_mode="file", output_path=path)
    assert names(onnx.load(path).graph.input) == ["in_0", "scale"]
    assert allclose(f, path, [(2, 4)], parameters)[0]


def test_parameters_that_are_branched_on():
    f = lambda x, train: x * 2 if train else x
    model = to_onnx(f, [(3,)], {"train": np.array(True)})
    assert names(model.graph.input) == ["in_0"] and model.graph.node[0].op_type == "Mul"


def test_double_precision(tmp_path):
    path = str(tmp_path / "model.onnx")
    to_onnx(jnp.sin, [("B", 4)], enable_double_precision=True, return_mode="file", output_path=path)
    assert onnx.load(path).graph.input[0].type.tensor_type.elem_type == onnx.TensorProto.DOUBLE
    assert allclose(jnp.sin, path, [np.ones((2, 4))], enable_double_precision=True, rtol=1e-12)[0]
    assert not jax.config.jax_enable_x64


def test_layout(tmp_path):
    path = str(tmp_path / "model.onnx")
    turned = dict(inputs_as_nchw=[0], outputs_as_nchw=[0])
    to_onnx(lambda x: x[:, 1:], [("B", 5, 6, 3)], return_mode="file", output_path=path, **turned)
    assert allclose(lambda x: x[:, 1:], path, [(2, 5, 6, 3)], **turned)[0]


def test_shapes_of_other_types():
    spec = jax.ShapeDtypeStruct((3,), jnp.int32)
    model = to_onnx(lambda x, y: x + y, [spec, np.ones(3, "int32")], input_names=["a", "b"], output_names=["c"])
    assert (names(model.graph.input), names(model.graph.output)) == (["a", "b"], ["c"])


def test_normalization_mode():
    operators = {
        mode: {node.op_type for node in to_onnx(jax.nn.standardize, [("B", 8)], normalization_mode=mode).graph.node}
        for mode in ("auto", "force_decomposed")
    }
    assert "LayerNormalization" in operators["auto"] - operators["force_decomposed"]


@pytest.mark.parametrize(
    "error, arguments",
    [
        (ValueError, dict(return_mode="text")),
        (ValueError, dict(return_mode="file")),
        (ValueError, dict(input_names=["a", "b"])),
        (ValueError, dict(output_names=["a", "a"])),
        (TypeError, dict(input_names="a")),
        (TypeError, dict(input_params={1: 2})),
        (ValueError, dict(input_params={"a": 2}, input_names=["a"])),
    ],
)
def test_malformed_arguments(error, arguments):
    with pytest.raises(error):
        to_onnx(jnp.sin, [(3,)], **arguments)


def test_functions_of_the_model(tmp_path):
    @onnx_function(unique=True)
    def shifted(x, by=1):
        return jnp.sin(x) + by

    @onnx_function(name="Doubled")
    def doubled(x):
        return x * 2

    def f(x):
        return doubled(shifted(shifted(x), by=3))

    made = to_onnx(f, [(3,)])
    assert [node.op_type for node in made.graph.node] == ["shifted", "shifted_2", "Doubled"]
    assert {function.name for function in made.functions} == {"shifted", "shifted_2", "Doubled"}
    onnx.save(made, tmp_path / "m.onnx")
    assert float(shifted(0.0)) == 1 and allclose(f, tmp_path / "m.onnx", inputs=[(3,)])[0]


def test_primitives_with_an_implementation_only(tmp_path):
    try:
        from jax.extend.core import Primitive
    except ImportError:  # before JAX 0.4.36
        from jax.core import Primitive
    twice = Primitive("plugin.twice")
    twice.def_impl(lambda x: x * 2)
    f = lambda x: twice.bind(x)
    path = to_onnx(f, [("B", 3)], return_mode="file", output_path=str(tmp_path / "model.onnx"))
    assert allclose(f, path, [(2, 3)])[0]
    assert Primitive.bind.__name__ == "bind"  # as before


@pytest.fixture
def installed(monkeypatch):
    """compat.install(), for one test."""
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    monkeypatch.setitem(sys.modules, "jax2onnx", None)
    keras = pytest.importorskip("keras")
    if keras.backend.backend() != "jax":
        pytest.skip("Keras has another backend")
    lazy = importlib.import_module("keras.src.utils.module_utils")
    if not hasattr(lazy, "jax2onnx"):
        pytest.skip("this Keras does not know the package jax2onnx")
    monkeypatch.setattr(lazy, "jax2onnx", lazy.jax2onnx)
    compat.install()
    return keras


def test_stands_in_for_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax2onnx", None)
    compat.install()
    assert importlib.import_module("jax2onnx").to_onnx is to_onnx


def dense(keras):
    return keras.Sequential([keras.Input((10,)), keras.layers.Dense(4, "relu"), keras.layers.Dense(2)]), (10,)


def quantized(keras):
    net, shape = dense(keras)
    net.quantize("int8")
    return net, shape


def recurrent(keras):
    layer = keras.layers.Bidirectional(keras.layers.LSTM(3))
    return keras.Sequential([keras.Input((5, 4)), layer, keras.layers.Dense(2)]), (5, 4)


def with_names(keras):
    x, y = keras.Input((3,), name="x"), keras.Input((3,), name="y")
    return keras.Model({"x": x, "y": y}, keras.layers.Add()([x, keras.layers.Dense(3)(y)])), {"x": (3,), "y": (3,)}


@pytest.mark.parametrize("build", [dense, quantized, recurrent, with_names])
def test_the_button_of_keras(build, installed, tmp_path):
    import onnxruntime

    def drawn(batch):
        draw = lambda shape: np.random.normal(size=(batch, *shape)).astype("float32")
        return {name: draw(shape) for name, shape in shapes.items()} if isinstance(shapes, dict) else draw(shapes)

    (net, shapes), path = build(installed), str(tmp_path / "net.onnx")
    net(drawn(1))
    net.export(path, format="onnx", verbose=False)
    session = onnxruntime.InferenceSession(path)
    for batch in (1, 3):
        given = drawn(batch)
        feed = given if isinstance(given, dict) else {session.get_inputs()[0].name: given}
        np.testing.assert_allclose(session.run(None, feed)[0], net(given), rtol=1e-4, atol=1e-5)
