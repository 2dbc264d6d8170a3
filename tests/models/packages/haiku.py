# SPDX-License-Identifier: Apache-2.0
"""DeepMind's Haiku."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np

from table import f32, i32
from zoo import filled, leaves, model


def transformed(function, *arguments):
    """The network as a function of its inputs. Running averages exist only when it is initialised for training."""
    net = hk.transform_with_state(function)
    params, state = filled(jax.eval_shape(lambda *a: net.init(jax.random.key(0), *a), *arguments))
    return leaves(lambda *a: net.apply(params, state, jax.random.key(1), *a)[0])


@model("mlp", f32("B", 6))
def mlp():
    return transformed(lambda x: hk.nets.MLP([16, 8, 3], activation=jax.nn.silu)(x), np.zeros((1, 6), "f4"))


@model("resnet18", f32("B", 32, 32, 3))
def resnet():
    return transformed(
        lambda x: hk.nets.ResNet18(5, resnet_v2=True)(x, is_training=hk.running_init()), np.zeros((1, 32, 32, 3), "f4")
    )


@model("resnet50", f32("B", 32, 32, 3))
def resnet50():
    return transformed(lambda x: hk.nets.ResNet50(5)(x, is_training=hk.running_init()), np.zeros((1, 32, 32, 3), "f4"))


@model("resnet18_training", f32(4, 64, 64, 3))
def resnet_training():
    return transformed(lambda x: hk.nets.ResNet18(5)(x, is_training=True), np.zeros((4, 64, 64, 3), "f4"))


@model("mobilenet", f32("B", 32, 32, 3))
def mobilenet():
    return transformed(
        lambda x: hk.nets.MobileNetV1(channels=(8, 8, 16), strides=(1, 2, 2), num_classes=4)(
            x, is_training=hk.running_init()
        ),
        np.zeros((1, 32, 32, 3), "f4"),
    )


@model("lstm", f32("B", 6, 4))
def lstm():
    def net(x):
        core = hk.LSTM(5)
        return hk.dynamic_unroll(core, x, core.initial_state(x.shape[0]), time_major=False)

    return transformed(net, np.zeros((1, 6, 4), "f4"))


@model("gru_static_unroll", f32("B", 4, 4))
def gru():
    def net(x):
        core = hk.GRU(5)
        return hk.static_unroll(core, x, core.initial_state(x.shape[0]), time_major=False)

    return transformed(net, np.zeros((1, 4, 4), "f4"))


@model("conv_lstm", f32(2, 4, 6, 6, 3))
def conv_lstm():
    def net(x):
        core = hk.Conv2DLSTM((6, 6), 4, 3)
        return hk.dynamic_unroll(core, x, core.initial_state(2), time_major=False)

    return transformed(net, np.zeros((2, 4, 6, 6, 3), "f4"))


@model("attention", f32("B", 6, 8))
def attention():
    return transformed(
        lambda x: hk.MultiHeadAttention(2, 4, w_init=hk.initializers.RandomNormal())(x, x, x), np.zeros((1, 6, 8), "f4")
    )


@model("transformer", i32("B", 6).between(0, 10))
def transformer():
    def net(tokens):
        x = hk.Embed(11, 8)(tokens)
        mask = jnp.tril(jnp.ones((1, 1, 6, 6)))
        for _ in range(2):
            y = hk.LayerNorm(-1, True, True)(x)
            x = x + hk.MultiHeadAttention(2, 4, model_size=8, w_init=hk.initializers.RandomNormal())(y, y, y, mask=mask)
            y = hk.LayerNorm(-1, True, True)(x)
            x = x + hk.Linear(8)(jax.nn.gelu(hk.Linear(32)(y)))
        return hk.Linear(11)(hk.RMSNorm(-1)(x))

    return transformed(net, np.zeros((1, 6), "i4"))


@model("vq_vae", f32(2, 4, 4, 8))
def vq_vae():
    def net(x):
        result = hk.nets.VectorQuantizer(8, 16, 0.25)(x, is_training=False)
        return result["quantize"], result["encoding_indices"], result["loss"], result["perplexity"]

    return transformed(net, np.zeros((2, 4, 4, 8), "f4"))


@model("conv_transpose", f32("B", 5, 5, 3))
def conv_transpose():
    return transformed(
        lambda x: jnp.tanh(hk.Conv2DTranspose(4, 3, stride=2)(hk.InstanceNorm(True, True)(hk.Conv2D(6, 3)(x)))),
        np.zeros((1, 5, 5, 3), "f4"),
    )


@model("group_norm_depthwise", f32("B", 6, 6, 4))
def depthwise():
    return transformed(
        lambda x: hk.GroupNorm(2)(hk.SeparableDepthwiseConv2D(2, 3)(hk.DepthwiseConv2D(1, 3)(x))),
        np.zeros((1, 6, 6, 4), "f4"),
    )


@model("spectral_norm", f32("B", 4))
def spectral():
    def net(x):
        return hk.Bias()(
            x @ hk.SpectralNorm()(hk.get_parameter("w", (4, 5), init=hk.initializers.RandomNormal()), update_stats=True)
        )

    return transformed(net, np.zeros((1, 4), "f4"))


@model("dropout", f32(4, 16))
def dropout():
    return transformed(lambda x: hk.dropout(hk.next_rng_key(), 0.5, x), np.zeros((4, 16), "f4"))
