# SPDX-License-Identifier: Apache-2.0
"""Modules of the libraries that are installed."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import to_onnx, verify

pytest.importorskip("onnxruntime")


def test_linen():
    linen = pytest.importorskip("flax.linen")

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x):
            x = linen.Conv(4, (3, 3))(x)
            x = linen.BatchNorm(use_running_average=True)(x)
            return linen.Dense(3)(linen.relu(x).reshape(x.shape[0], -1))

    net = Net()
    params = net.init(jax.random.key(0), jnp.ones((1, 8, 8, 1)))

    def forward(image):
        return net.apply(params, image)

    model = to_onnx(forward, "B,8,8,1")
    assert verify(model, forward, "B,8,8,1")
    assert "params.params.Dense_0.kernel" in model.text()
    with pytest.raises(TypeError, match="module.apply"):
        to_onnx(net, "B,8,8,1")


def test_nnx():
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.dense = nnx.Linear(4, 3, rngs=rngs)
            self.norm = nnx.BatchNorm(3, rngs=rngs)
            self.drop = nnx.Dropout(0.5, rngs=rngs)

        def __call__(self, x):
            return self.drop(self.norm(self.dense(x)))

        def encode(self, x):
            return self.dense(x)

    net = Net(nnx.Rngs(0))
    net.eval()
    model = to_onnx(net, "B,4")
    assert verify(model, net, "B,4")
    assert model.inputs[0].name == "x"
    assert "dense.kernel" in model.text()
    assert verify(to_onnx(net.encode, "B,4"), net.encode, "B,4")
    net.train()  # statistics change while the module is traced
    assert to_onnx(net, "B,4").outputs[0].shape == ("B", 3)


def test_equinox():
    equinox = pytest.importorskip("equinox")
    net = equinox.nn.MLP(4, 3, 8, 2, key=jax.random.key(0))
    model = to_onnx(net, "f32[4]")
    assert verify(model, net, "f32[4]")
    assert "layers.0.weight" in model.text()
    batched = jax.vmap(net)
    assert verify(to_onnx(batched, "B,4"), batched, "B,4")


def test_haiku():
    haiku = pytest.importorskip("haiku")
    net = haiku.without_apply_rng(haiku.transform(lambda x: haiku.nets.MLP([8, 3])(x)))
    params = net.init(jax.random.key(0), jnp.ones((1, 4)))

    def forward(x):
        return net.apply(params, x)

    model = to_onnx(forward, "B,4")
    assert verify(model, forward, "B,4")
    assert "linear_0" in model.text()
    with pytest.raises(TypeError, match="fn.apply"):
        to_onnx(net, "B,4")


def test_keras(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    keras = pytest.importorskip("keras")
    net = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3, activation="relu")])
    model = to_onnx(net, "B,4")
    x = np.ones((2, 4), "float32")
    np.testing.assert_allclose(model.run(x), np.asarray(net(x)), rtol=1e-5)


def test_functions_of_the_model():
    """Layers of one class are calls of one function, in NNX and Equinox, and the class is unchanged afterwards."""
    nnx, equinox = pytest.importorskip("flax.nnx"), pytest.importorskip("equinox")

    class Block(nnx.Module):
        def __init__(self, rngs):
            self.dense = nnx.Linear(4, 4, rngs=rngs)

        def __call__(self, x):
            return x + nnx.gelu(self.dense(x))

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.blocks = nnx.List([Block(rngs), Block(rngs)])

        def __call__(self, x):
            for block in self.blocks:
                x = block(x)
            return x

    class Layer(equinox.Module):
        linear: equinox.nn.Linear

        def __call__(self, x):
            return jnp.tanh(self.linear(x))

    net, call = Net(nnx.Rngs(0)), Block.__call__
    made = to_onnx(net, "B,4", functions=[Block])
    assert made.report["operators"]["Block"] == 2 and verify(made, net, "B,4")
    assert Block.__call__ is call and not made.warnings
    layers = [Layer(equinox.nn.Linear(4, 4, key=jax.random.key(i))) for i in range(3)]
    stack = equinox.nn.Sequential([equinox.nn.Lambda(layer) for layer in layers])
    made = to_onnx(stack, "f32[4]", functions=[Layer])
    assert made.report["operators"]["Layer"] == 3 and verify(made, stack, "f32[4]")


def test_functions_that_are_no_functions():
    gelu = jax.jit(jax.nn.gelu)
    with pytest.raises(TypeError, match="functions: expected functions under jax.jit"):
        to_onnx(gelu, "3", functions=[3])
    with pytest.warns(match="no equation calls a function of this name"):
        to_onnx(gelu, "3", functions=["glue"])
    assert to_onnx(lambda x: gelu(x), "3", functions=[gelu]).report["operators"]["gelu"] == 1
