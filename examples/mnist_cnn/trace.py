#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces a convolutional network for 28x28 images, written with Flax, for any batch size B.

    pip install jax flax && python examples/mnist_cnn/trace.py

Writes mnist_cnn.jaxpr (the text), weights.npz (the arrays that the text closes over, in order) and expected.npz (two
images and the logits that JAX computes for them).
"""

import pathlib

import jax
import jax.export
import numpy as np
from flax import linen as nn


class CNN(nn.Module):
    @nn.compact
    def __call__(self, image):
        x = nn.relu(nn.Conv(8, (3, 3))(image))
        x = nn.avg_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Conv(16, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), (2, 2))
        x = x.reshape(x.shape[0], -1)
        x = nn.relu(nn.Dense(32)(x))
        return nn.log_softmax(nn.Dense(10)(x))


def main():
    net, images = CNN(), np.random.default_rng(0).random((2, 28, 28, 1), "f4")
    params = net.init(jax.random.key(0), images)
    model = lambda image: net.apply(params, image)

    batch = jax.export.symbolic_shape("B,28,28,1")
    closed = jax.make_jaxpr(model)(jax.ShapeDtypeStruct(batch, "float32"))

    here = pathlib.Path(__file__).parent
    (here / "mnist_cnn.jaxpr").write_text(f"{closed}\n")
    np.savez_compressed(here / "weights.npz", *closed.consts)
    np.savez_compressed(here / "expected.npz", image=images, logits=jax.jit(model)(images))


if __name__ == "__main__":
    main()
