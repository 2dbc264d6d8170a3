# SPDX-License-Identifier: Apache-2.0
"""Keras 3 on JAX: layers and applications."""

import os

os.environ["KERAS_BACKEND"] = "jax"
import keras
import numpy as np
from keras import layers as L

from table import f32, i32
from zoo import leaves, model


def stateless(net):
    """The network as a pure function with weights, for inference."""
    rng = np.random.default_rng(0)
    scale = lambda v: 0.5 / max(1, np.prod(v.shape[:-1])) ** 0.5 + 0.02
    trainable = [
        (rng.normal(size=v.shape) * scale(v) + ("gamma" in v.path)).astype("f4") for v in net.trainable_variables
    ]
    fixed = [
        v.value if v.dtype in ("uint32", "int32") else np.abs(rng.normal(size=v.shape)).astype("f4") + 0.5
        for v in net.non_trainable_variables
    ]
    return leaves(lambda *a: net.stateless_call(trainable, fixed, *a, training=False)[0])


def sequential(name, *arguments, layers, **options):
    @model(name, *arguments, **options)
    def build():
        shape = arguments[0].shape[1:]
        dtype = arguments[0].dtype
        return stateless(keras.Sequential([L.Input(shape, dtype=dtype), *layers()]))


sequential(
    "mlp",
    f32("B", 6),
    layers=lambda: [
        L.Dense(16, "relu"),
        L.BatchNormalization(),
        L.Dense(8, "gelu"),
        L.Dropout(0.5),
        L.Dense(3, "softmax"),
    ],
)
sequential(
    "cnn",
    f32("B", 12, 12, 3),
    layers=lambda: [
        L.Conv2D(8, 3, activation="relu"),
        L.MaxPooling2D(),
        L.SeparableConv2D(8, 3, padding="same"),
        L.BatchNormalization(),
        L.Activation("swish"),
        L.GlobalAveragePooling2D(),
        L.Dense(5),
    ],
)
sequential(
    "lstm",
    f32("B", 6, 4),
    layers=lambda: [L.LSTM(8, return_sequences=True), L.GRU(6, return_sequences=True), L.SimpleRNN(4)],
)
sequential(
    "bidirectional",
    i32("B", 6).between(0, 10),
    layers=lambda: [L.Embedding(11, 8, mask_zero=True), L.Bidirectional(L.LSTM(4)), L.Dense(1, "sigmoid")],
)
sequential(
    "conv_lstm", f32("B", 3, 6, 6, 2), layers=lambda: [L.ConvLSTM2D(4, 3, padding="same"), L.Flatten(), L.Dense(2)]
)
sequential(
    "conv1d",
    f32("B", 16, 3),
    layers=lambda: [
        L.Conv1D(8, 3, padding="causal", dilation_rate=2),
        L.LayerNormalization(),
        L.LeakyReLU(),
        L.AveragePooling1D(2),
        L.GlobalMaxPooling1D(),
        L.PReLU(),
    ],
)
sequential(
    "conv3d",
    f32("B", 4, 6, 6, 2),
    layers=lambda: [
        L.Conv3D(4, 3, padding="same"),
        L.MaxPooling3D(),
        L.UpSampling3D(),
        L.Cropping3D(1),
        L.GlobalAveragePooling3D(),
    ],
)
sequential(
    "upsampling",
    f32("B", 5, 5, 3),
    layers=lambda: [
        L.Conv2DTranspose(4, 3, strides=2, padding="same"),
        L.UpSampling2D(2, interpolation="bilinear"),
        L.ZeroPadding2D(1),
        L.DepthwiseConv2D(3),
        L.GroupNormalization(2),
        L.Cropping2D(1),
        L.UnitNormalization(),
    ],
)
sequential(
    "resizing",
    f32("B", 8, 8, 3),
    layers=lambda: [
        L.Resizing(5, 6),
        L.Rescaling(1 / 255, -0.5),
        L.CenterCrop(4, 4),
        L.Normalization(mean=0.1, variance=2.0),
        L.Permute((3, 1, 2)),
        L.Reshape((3, 16)),
        L.Lambda(lambda x: x * 2),
    ],
)


@model("attention", f32("B", 6, 8))
def attention():
    x = L.Input((6, 8))
    y = L.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
    y = L.LayerNormalization()(L.Add()([x, y]))
    return stateless(
        keras.Model(x, L.GroupQueryAttention(4, 4, 2)(y, y) + L.Attention()([y, y]) + L.AdditiveAttention()([y, y]))
    )


@model("functional_multi", f32("B", 4), i32("B", 3).between(0, 10))
def functional():
    a, b = L.Input((4,)), L.Input((3,), dtype="int32")
    y = L.Concatenate()([L.Dense(4)(a), L.Flatten()(L.Embedding(11, 2)(b))])
    net = keras.Model([a, b], [L.Dense(2)(y), L.Maximum()([y, y * 2]), L.Dot(1)([y, y])])
    return lambda *inputs, f=stateless(net): f(list(inputs))


applications = {
    "mobilenet_v2": lambda: keras.applications.MobileNetV2((32, 32, 3), alpha=0.35, weights=None, classes=5),
    "mobilenet_v3_small": lambda: keras.applications.MobileNetV3Small((32, 32, 3), weights=None, classes=5),
    "efficientnet_b0": lambda: keras.applications.EfficientNetB0(input_shape=(32, 32, 3), weights=None, classes=5),
    "efficientnet_v2_b0": lambda: keras.applications.EfficientNetV2B0(input_shape=(32, 32, 3), weights=None, classes=5),
    "resnet50": lambda: keras.applications.ResNet50(input_shape=(32, 32, 3), weights=None, classes=5),
    "resnet50_v2": lambda: keras.applications.ResNet50V2(input_shape=(32, 32, 3), weights=None, classes=5),
    "densenet121": lambda: keras.applications.DenseNet121(input_shape=(32, 32, 3), weights=None, classes=5),
    "convnext_tiny": lambda: keras.applications.ConvNeXtTiny(input_shape=(32, 32, 3), weights=None, classes=5),
    "nasnet_mobile": lambda: keras.applications.NASNetMobile(input_shape=(32, 32, 3), weights=None, classes=5),
    "xception": lambda: keras.applications.Xception(input_shape=(71, 71, 3), weights=None, classes=5),
}
for name, (create) in applications.items():
    size = 71 if name == "xception" else 32

    @model(name, f32("B", size, size, 3), rtol=5e-3, atol=5e-4)
    def application(create=create):
        return stateless(create())
