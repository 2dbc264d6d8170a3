# SPDX-License-Identifier: Apache-2.0
"""Modules that change while they are traced: warnings name the state that the model loses."""

import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import ConversionWarning, to_onnx


def warned(fn, *args):
    """Codes and messages of the warnings of a conversion, which Python gets as well."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = to_onnx(fn, *args)
    texts = [str(warning.message) for warning in caught if warning.category is ConversionWarning]
    assert texts == list(map(str, model.warnings))
    return [(warning.code, warning.message) for warning in model.warnings]


def lost(*names):
    return [
        ("python.lost-state", f"the function writes {name} but does not return it: in the model it never changes")
        for name in names
    ]


def drawn(names):
    return [
        (
            "python.constant-key",
            f"the function draws random numbers from a stored key ({names}): in the model, these numbers are constants",
        )
    ]


def test_nnx():
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.norm = nnx.BatchNorm(3, rngs=rngs)
            self.drop = nnx.Dropout(0.5, rngs=rngs)

        def __call__(self, x):
            return self.drop(self.norm(x))

        def statistics(self, x):
            return self.norm(x), self.norm.mean[...], self.norm.var[...]

    net = Net(nnx.Rngs(0))
    assert [code for code, _ in warned(net, "B,3")] == ["python.lost-state"] * 2 + ["python.constant-key"]
    assert warned(net, "B,3")[:2] == lost("norm.mean (BatchStat)", "norm.var (BatchStat)")
    assert warned(net.statistics, "B,3") == []  # the statistics are outputs
    net.eval()
    assert warned(net, "B,3") == warned(net.statistics, "B,3") == []


def test_nnx_caches():
    nnx = pytest.importorskip("flax.nnx")
    net = nnx.MultiHeadAttention(2, 4, decode=True, rngs=nnx.Rngs(0))
    net.init_cache((1, 5, 4))
    assert sorted(warned(net, "f32[1,1,4]")) == sorted(
        lost("cache_index (Cache)", "cached_key (Cache)", "cached_value (Cache)")
    )


def test_nnx_values_for_the_caller():
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __call__(self, x):
            self.sow(nnx.Intermediate, "seen", x)
            return x + 1

    assert warned(Net(), "3") == []


def test_linen():
    linen = pytest.importorskip("flax.linen")

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x, train):
            return linen.BatchNorm(use_running_average=not train)(linen.Dense(3)(x))

    net = Net()
    params = net.init(jax.random.key(0), jnp.ones((1, 4)), False)

    def forward(x, train=True, keep=False):
        results = net.apply(params, x, train, mutable=["batch_stats"])
        return results if keep else results[0]

    names = ["batch_stats.BatchNorm_0.mean", "batch_stats.BatchNorm_0.var"]
    assert warned(forward, "B,4") == lost(*names)
    assert warned(lambda x: forward(x, keep=True), "B,4") == []
    assert warned(lambda x: forward(x, train=False), "B,4") == []
    assert warned(lambda x: net.apply(params, x, False), "B,4") == []


def test_haiku():
    haiku = pytest.importorskip("haiku")

    def norm(x, training):
        return haiku.BatchNorm(True, True, 0.9)(x, training)

    net = haiku.without_apply_rng(haiku.transform_with_state(norm))
    params, state = net.init(jax.random.key(0), jnp.ones((2, 4)), True)
    found = warned(lambda x: net.apply(params, state, x, True)[0], "B,4")
    assert found and {code for code, _ in found} == {"python.lost-state"}
    assert "batch_norm/~/mean_ema.average" in str(found)
    assert warned(lambda x: net.apply(params, state, x, True), "B,4") == []
    assert warned(lambda x: net.apply(params, state, x, False)[0], "B,4") == []


def test_equinox():
    equinox = pytest.importorskip("equinox")

    class Net(equinox.Module):
        norm: equinox.nn.BatchNorm
        drop: equinox.nn.Dropout

        def __init__(self):
            self.norm = equinox.nn.BatchNorm(3, axis_name="batch")
            self.drop = equinox.nn.Dropout(0.5)

        def __call__(self, x, state, key=None):
            y, state = jax.vmap(self.norm, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(x, state)
            return self.drop(y, key=key), state

    net, state = equinox.nn.make_with_state(Net)()
    key = jax.random.key(0)
    fixed = equinox.nn.inference_mode(net)
    x = np.ones((2, 3), "float32")
    assert warned(lambda x: net(x, state, key)[0], x) == [
        *lost("net.norm.BatchNorm (in training mode)"),
        *drawn("net.drop.Dropout"),
    ]
    assert warned(lambda x, key: net(x, state, key), x, key) == []
    assert warned(lambda x: fixed(x, state)[0], x) == []


def test_keras(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    keras = pytest.importorskip("keras")
    layers = [keras.layers.Input((4,)), keras.layers.BatchNormalization(), keras.layers.Dropout(0.5)]
    net = keras.Sequential(layers)
    assert warned(net, "B,4") == []

    def training(x):
        return net(x, training=True)

    found = warned(training, "B,4")
    assert [code for code, _ in found] == ["python.lost-state"] * 2 + ["python.constant-key"]
    assert "moving_mean" in found[0][1] and "moving_variance" in found[1][1]
    assert "seed_generator_state" in found[2][1]
    assert np.isfinite(np.asarray(net(np.ones((2, 4), "float32")))).all()  # the module holds no traced value


def test_keras_state_of_recurrent_layers(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    keras = pytest.importorskip("keras")
    layers = [keras.layers.Input((3, 4), batch_size=2), keras.layers.LSTM(2, stateful=True, unroll=True)]
    ((code, message),) = warned(keras.Sequential(layers), "f32[2,3,4]")  # the LSTM's other state is its output
    assert code == "python.lost-state" and "lstm" in message


def test_keras_without_weights(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    keras = pytest.importorskip("keras")
    with pytest.raises(TypeError, match="has no weights yet"):
        to_onnx(keras.Sequential([keras.layers.Dense(3)]), "B,4")
