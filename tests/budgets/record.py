#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces the programs whose conversion is measured, and writes their jaxprs to texts/. Needs JAX.

python tests/budgets/record.py

Parameters are arguments, so that no weights are needed. The chain of equations is written without JAX.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
from jax.experimental.pallas.ops.gpu.attention import mha
from jax.experimental.pallas.ops.tpu.matmul import matmul
from jax.sharding import PartitionSpec as P

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples"))
import export

jax.config.update("jax_num_cpu_devices", 4)
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
    """A convolution and a batch normalization with the statistics of training."""
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


def on_devices(function, in_specs, out_specs):
    """Applies the function to a part of its arguments on each of four devices."""
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    return jax.shard_map(function, mesh=mesh, in_specs=in_specs, out_specs=out_specs)


def decoder_block(heads, total):
    """A transformer block that is divided among devices by heads and features; `total` adds their results."""

    def split(y):
        return y.reshape(*y.shape[:2], heads, -1).transpose(0, 2, 1, 3)

    def function(x, p):
        y = normalized(x, p["scale1"], p["shift1"])
        q, k, v = (split(y @ p[name]) for name in "qkv")
        scores = q @ k.transpose(0, 1, 3, 2) / q.shape[-1] ** 0.5
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[2:], bool)), scores, -1e30)
        mixed = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1)
        x = x + total(mixed @ p["out"])
        hidden = jax.nn.gelu(normalized(x, p["scale2"], p["shift2"]) @ p["up"] + p["up_bias"])
        return x + total(hidden @ p["down"]) + p["down_bias"]

    return function


def mixture(exchange, give_back):
    """A mixture of experts, each on one device; tokens are sent to their experts and back."""

    def function(x, gate, up, down):
        experts, capacity = gate.shape[1], x.shape[0] // 2
        weights = jax.nn.softmax(x @ gate)
        chosen = jnp.argmax(weights, -1)
        place = jnp.cumsum(jax.nn.one_hot(chosen, experts, dtype=jnp.int32), 0) - 1
        place = jnp.take_along_axis(place, chosen[:, None], 1)[:, 0]
        sent = jax.nn.one_hot(chosen, experts)[:, :, None] * jax.nn.one_hot(place, capacity)[:, None]
        tokens = exchange(jnp.einsum("nec,nd->ecd", sent, x))
        y = give_back(jnp.einsum("ecf,efd->ecd", jax.nn.relu(jnp.einsum("ecd,edf->ecf", tokens, up)), down))
        return jnp.einsum("nec,ecd->nd", sent, y) * jnp.max(weights, -1)[:, None]

    return function


def step_of_training(mean):
    def function(p, x, y):
        def loss(p):
            return mean(jnp.mean(jnp.sum((jax.nn.relu(x @ p[0] + p[1]) @ p[2] + p[3] - y) ** 2, -1)))

        value, gradient = jax.value_and_grad(loss)(p)
        return value, [a - 0.1 * g for a, g in zip(p, gradient)]

    return function


def same(x):
    return x


def programs_of_devices():
    """Programs for one device, and the same divided among devices."""

    def total(x):
        return jax.lax.psum(x, "x")

    columns, rows = P(None, "x"), P("x")
    shapes = dict.fromkeys(("q", "k", "v", "out"), (64, 64)) | {"up": (64, 256), "up_bias": (256,), "down": (256, 64)}
    shapes |= dict.fromkeys(("down_bias", "scale1", "shift1", "scale2", "shift2"), (64,))
    parts = dict.fromkeys(shapes, P()) | dict.fromkeys(("q", "k", "v", "up"), columns)
    parts |= dict.fromkeys(("out", "down", "up_bias"), rows)
    arguments = (f32(2, 32, 64), specs(shapes))
    yield "block", decoder_block(4, same), arguments
    yield "block_of_devices", on_devices(decoder_block(1, total), (P(), parts), P()), arguments
    arguments = (f32(64, 32), f32(32, 8), f32(8, 32, 64), f32(8, 64, 32))

    def exchange(x):
        return jax.lax.all_to_all(x, "x", 0, 1, tiled=True)

    def give_back(x):
        return jax.lax.all_to_all(x, "x", 1, 0, tiled=True)

    def groups(x, *weights):
        grouped = jax.vmap(mixture(same, same), (0, None, None, None))(x.reshape(4, 16, 32), *weights)
        return grouped.reshape(x.shape)

    yield "mixture", groups, arguments
    specs_of_experts = (rows, P(), rows, rows)
    yield "mixture_of_devices", on_devices(mixture(exchange, give_back), specs_of_experts, rows), arguments
    arguments = ([f32(32, 64), f32(64), f32(64, 10), f32(10)], f32(64, 32), f32(64, 10))
    yield "step", step_of_training(same), arguments
    step = step_of_training(lambda x: jax.lax.pmean(x, "x"))
    yield "step_of_devices", on_devices(step, (P(), rows, rows), P()), arguments


def kernels():
    """Kernels of JAX that work block by block."""
    heads = f32(2, 256, 4, 64)
    yield "flash_attention", lambda q, k, v: mha(q, k, v, segment_ids=None, interpret=True), (heads, heads, heads)
    tiles = {"block_shape": (128, 128), "block_k": 128}
    yield "tiled_product", lambda a, b: matmul(a, b, **tiles), (f32(512, 512), f32(512, 512))


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
    yield from programs_of_devices()
    yield from kernels()


def main():
    for name, function, arguments in programs():
        text, constants, _, _ = export.trace(function, *arguments)
        assert not constants
        (TEXTS / f"{name}.jaxpr").write_text(text + "\n")


if __name__ == "__main__":
    main()
