#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the models that the example programs wrote to the working directory are valid and correct."""

import sys

import numpy as np
import onnx
import onnxruntime


def outputs(path, *inputs):
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {i.name: x for i, x in zip(session.get_inputs(), inputs)})


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)


image = np.random.default_rng(0).standard_normal((3, 784), "f4")
hidden = np.maximum(image.sum(1, keepdims=True) * 0.01 + 0.1, 0)  # all units are equal
close(outputs("mlp.onnx", image)[0], np.full((3, 10), 0.1))
close(outputs("mlp_of_sizes.onnx", image)[0], np.repeat(hidden * 128 * 0.01 + 0.1, 10, 1))

x = image[:, :4]
scaled, approximate = outputs("own_primitive.onnx", x)
close(scaled, 1.5 * np.tanh(x))
np.testing.assert_allclose(approximate, np.clip(0.2 * 1.5 * np.tanh(x) + 0.5, 0, 1), atol=2e-3)

image = np.random.default_rng(1).random((2, 8, 8, 1), "f4")
padded = np.pad(image[..., 0], ((0, 0), (1, 1), (1, 1)))
windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))[:, ::2, ::2]
pooled = np.maximum(0.1 * windows.sum((3, 4)), 0).sum((1, 2))  # the same for all features
features = np.exp(np.tanh(np.repeat(pooled[:, None] * 4 * 0.02, 5, 1)))
while (features * features).sum() < 100:
    features = features + features
close(outputs("toy_ir.onnx", image)[0], features.reshape(10))
x, w, v = (np.random.default_rng(i).standard_normal((5 if i == 0 else 4, 4)).astype("f4") for i in range(3))


def glu(x, w, v):
    return 1 / (1 + np.exp(-(x @ w))) * (x @ v)


for gated in (True, False):
    small, sums, powers = outputs("structure.onnx", x, w, v, np.array(gated))
    expected = np.cumsum(glu(glu(x, w, v), v, w) if gated else x, 0, dtype="f4")
    close(sums, expected)
    close(powers, expected[-1] * np.array([[1], [2], [4]]))
    last = expected[-1] * 8
    while last.max() > 1:
        last = last * np.float32(0.5)
    close(small, last)
model = onnx.load("structure.onnx")
assert [f.name for f in model.functions] == ["Glu"] and model.graph.node[-1].doc_string


def transformer_step():
    """A step of examples/transformer.cpp: all weights are 0.02, so that queries, keys and values are equal."""
    rng = np.random.default_rng(2)
    batch, tokens, cached, heads, size = 2, 3, 4, 4, 16
    width = heads * size
    x = rng.standard_normal((batch, tokens, width), "f4")
    position = np.tile(np.arange(cached, cached + tokens), (batch, 1))
    angles = np.arange(512)[:, None] * 10000.0 ** (-np.arange(size // 2) / (size // 2))
    cosines, sines = np.cos(angles).astype("f4"), np.sin(angles).astype("f4")
    caches = rng.standard_normal((2, batch, heads, cached, size), "f4")

    def normalized(v):
        return v / np.sqrt((v * v).mean(-1, keepdims=True) + 1e-6) * 0.02

    def rotated(v):
        c, s = cosines[position][:, None], sines[position][:, None]
        a, b = v[..., : size // 2], v[..., size // 2 :]
        return np.concatenate([a * c - b * s, a * s + b * c], -1)

    def by_head(v):
        return v.reshape(batch, tokens, heads, size).transpose(0, 2, 1, 3)

    one = np.full((width, width), 0.02, "f4")
    n = normalized(x)
    q = k = v = by_head(n @ one)
    keys, values = np.concatenate([caches[0], rotated(k)], 2), np.concatenate([caches[1], v], 2)
    scores = rotated(q) @ keys.swapaxes(2, 3) / np.sqrt(size)
    scores = np.where(np.arange(cached + tokens) <= np.arange(tokens)[:, None] + cached, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (weights / weights.sum(-1, keepdims=True)) @ values
    h = x + mixed.transpose(0, 2, 1, 3).reshape(batch, tokens, width) @ one
    gate = normalized(h) @ np.full((width, 4 * width), 0.02, "f4")
    y = h + (gate / (1 + np.exp(-gate)) * gate) @ np.full((4 * width, width), 0.02, "f4")
    for actual, expected in zip(outputs("transformer.onnx", x, position, cosines, sines, *caches), [y, keys, values]):
        close(actual, expected)


transformer_step()
print("mlp, mlp_of_sizes, own_primitive, structure, toy_ir, transformer: as expected", file=sys.stderr)
