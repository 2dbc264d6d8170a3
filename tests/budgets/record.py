#!/usr/bin/env python3
"""Traces the programs whose conversion is measured, and writes their texts to texts/. Needs JAX.

python tests/budgets/record.py

Parameters are arguments, so that no weights are needed. The chain of equations is written without JAX.
"""

import pathlib

import jax
import jax.numpy as jnp

TEXTS = pathlib.Path(__file__).parent / "texts"


def normalized(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias


def attention(x, p, heads, causal):
    batch, time, width = x.shape
    q, k, v = jnp.split(x @ p["qkv"] + p["qkv_bias"], 3, -1)
    q, k, v = (t.reshape(batch, time, heads, width // heads).transpose(0, 2, 1, 3) for t in (q, k, v))
    scores = q @ k.transpose(0, 1, 3, 2) / (width // heads) ** 0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((time, time), bool)), scores, -jnp.inf)
    mixed = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(batch, time, width)
    return mixed @ p["out"] + p["out_bias"]


def block(x, p, heads, causal):
    x = x + attention(normalized(x, p["scale1"], p["shift1"]), p, heads, causal)
    hidden = jax.nn.gelu(normalized(x, p["scale2"], p["shift2"]) @ p["up"] + p["up_bias"])
    return x + hidden @ p["down"] + p["down_bias"]


def block_shapes(n):
    shapes = {"qkv": (n, 3 * n), "out": (n, n), "up": (n, 4 * n), "down": (4 * n, n)}
    shapes |= {"qkv_bias": (3 * n,), "out_bias": (n,), "up_bias": (4 * n,), "down_bias": (n,)}
    return shapes | dict.fromkeys(("scale1", "shift1", "scale2", "shift2"), (n,))


def specs(shapes):
    return {name: jax.ShapeDtypeStruct(shape, jnp.float32) for name, shape in shapes.items()}


def gpt2(tokens, table, positions, layers, final):
    x = table[tokens] + positions[: tokens.shape[1]]
    for p in layers:
        x = block(x, p, 12, causal=True)
    return normalized(x, final["scale"], final["bias"]) @ table.T


def vit(images, patches, patch_bias, token, positions, layers, final):
    x = jax.lax.conv_general_dilated(images, patches, (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = (x + patch_bias).reshape(images.shape[0], -1, x.shape[-1])
    x = jnp.concatenate([jnp.broadcast_to(token, (x.shape[0], 1, x.shape[2])), x], 1) + positions
    for p in layers:
        x = block(x, p, 12, causal=False)
    return normalized(x[:, 0], final["scale"], final["bias"]) @ final["head"]


def convolution(x, p, stride=1):
    """A convolution and the normalization of a batch with the statistics of training."""
    numbers = ("NHWC", "HWIO", "NHWC")
    y = jax.lax.conv_general_dilated(x, p["kernel"], (stride, stride), "SAME", dimension_numbers=numbers)
    return (y - p["mean"]) * jax.lax.rsqrt(p["variance"] + 1e-5) * p["scale"] + p["bias"]


def resnet(images, stem, stages, head):
    x = jax.nn.relu(convolution(images, stem, 2))
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    for i, blocks in enumerate(stages):
        for j, p in enumerate(blocks):
            stride = 2 if i > 0 and j == 0 else 1
            y = jax.nn.relu(convolution(x, p["reduce"]))
            y = convolution(jax.nn.relu(convolution(y, p["spatial"], stride)), p["expand"])
            x = jax.nn.relu(y + (convolution(x, p["shortcut"], stride) if j == 0 else x))
    return x.mean((1, 2)) @ head


def training_step(layers, inputs, labels):
    def loss(layers):
        x = inputs
        for w, b in layers:
            x = jnp.tanh(x @ w + b)
        return -jnp.mean(jax.nn.log_softmax(x)[jnp.arange(labels.shape[0]), labels])

    return jax.tree.map(lambda p, g: p - 0.1 * g, layers, jax.grad(loss)(layers))


def recurrent(x, state, w, u, b):
    def step(carry, row):
        h, c = carry
        i, f, g, o = jnp.split(row @ w + h @ u + b, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return jax.lax.scan(step, state, x)


def kernel(size, from_channels, to_channels):
    statistics = dict.fromkeys(("mean", "variance", "scale", "bias"), (to_channels,))
    return specs({"kernel": (size, size, from_channels, to_channels)} | statistics)


def bottlenecks(count, from_channels, channels):
    def one(n):
        parts = {"reduce": kernel(1, n, channels), "spatial": kernel(3, channels, channels)}
        return parts | {"expand": kernel(1, channels, 4 * channels)}

    first = one(from_channels) | {"shortcut": kernel(1, from_channels, 4 * channels)}
    return [first, *(one(4 * channels) for _ in range(count - 1))]


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def programs():
    layers = [specs(block_shapes(768)) for _ in range(12)]
    final = specs({"scale": (768,), "bias": (768,)})
    tokens = jax.ShapeDtypeStruct((1, 128), jnp.int32)
    yield "gpt2", gpt2, (tokens, f32(50257, 768), f32(1024, 768), layers, final)
    head = final | {"head": f32(768, 1000)}
    yield "vit", vit, (f32(1, 224, 224, 3), f32(16, 16, 3, 768), f32(768), f32(768), f32(197, 768), layers, head)
    sizes = [(3, 64, 64), (4, 256, 128), (6, 512, 256), (3, 1024, 512)]
    stages = [bottlenecks(*size) for size in sizes]
    yield "resnet", resnet, (f32(1, 224, 224, 3), kernel(7, 3, 64), stages, f32(2048, 1000))
    dense = [(f32(64, 64), f32(64)) for _ in range(24)]
    yield "training_step", training_step, (dense, f32(32, 64), jax.ShapeDtypeStruct((32,), jnp.int32))
    state = (f32(4, 128), f32(4, 128))
    yield "recurrent", recurrent, (f32(50, 4, 64), state, f32(64, 512), f32(128, 512), f32(512))


def main():
    for name, function, arguments in programs():
        (TEXTS / f"{name}.jaxpr").write_text(f"{jax.make_jaxpr(function)(*arguments)}\n")


if __name__ == "__main__":
    main()
