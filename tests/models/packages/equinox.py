# SPDX-License-Identifier: Apache-2.0
"""Equinox's layers and models."""

import equinox as eqx
import jax
import jax.numpy as jnp

from table import f32, i32, key
from zoo import filled, leaves, model


def made(create):
    """The module with weights."""
    return filled(eqx.filter_eval_shape(create, jax.random.key(0)))


def batched(module):
    return leaves(jax.vmap(module))


@model("mlp", f32("B", 4))
def mlp():
    return batched(made(lambda k: eqx.nn.MLP(4, 3, 16, 2, activation=jax.nn.gelu, key=k)))


@model("cnn", f32("B", 1, 14, 14))
def cnn():
    def create(k):
        a, b, c = jax.random.split(k, 3)
        return eqx.nn.Sequential(
            [
                eqx.nn.Conv2d(1, 3, 4, key=a),
                eqx.nn.MaxPool2d(2),
                eqx.nn.Lambda(jax.nn.relu),
                eqx.nn.Conv2d(3, 4, 2, key=b),
                eqx.nn.AvgPool2d(2, 1),
                eqx.nn.Lambda(jnp.ravel),
                eqx.nn.Linear(256, 5, key=c),
                eqx.nn.Lambda(jax.nn.log_softmax),
            ]
        )

    return batched(made(create))


@model("attention", f32("B", 6, 8))
def attention():
    return batched(
        lambda x, a=made(lambda k: eqx.nn.MultiheadAttention(2, 8, use_query_bias=True, key=k)): a(
            x, x, x, mask=jnp.tril(jnp.ones((6, 6), bool))
        )
    )


@model("rotary_attention", f32("B", 6, 8))
def rotary():
    rope = eqx.nn.RotaryPositionalEmbedding(4)
    net = made(lambda k: eqx.nn.MultiheadAttention(2, 8, key=k))
    return batched(
        lambda x: net(x, x, x, process_heads=lambda q, k, v: (jax.vmap(rope, 1, 1)(q), jax.vmap(rope, 1, 1)(k), v))
    )


@model("lstm", f32("B", 5, 4))
def lstm():
    cell = made(lambda k: eqx.nn.LSTMCell(4, 6, key=k))
    zero = (jnp.zeros(6), jnp.zeros(6))
    return batched(lambda xs: jax.lax.scan(lambda c, x: (cell(x, c),) * 2, zero, xs)[1])


@model("gru", f32("B", 5, 4))
def gru():
    cell = made(lambda k: eqx.nn.GRUCell(4, 6, key=k))
    return batched(lambda xs: jax.lax.scan(lambda c, x: (cell(x, c), None), jnp.zeros(6), xs)[0])


@model("norms", f32("B", 4, 6, 6))
def norms():
    group, layer, rms = eqx.nn.GroupNorm(2, 4), eqx.nn.LayerNorm((4, 6, 6)), eqx.nn.RMSNorm((4, 6, 6))
    return batched(lambda x: (group(x), layer(x), rms(x)))


@model("batch_norm", f32(3, 4))
def batch_norm():
    net, state = eqx.nn.make_with_state(eqx.nn.BatchNorm)(4, "batch", mode="batch")
    return leaves(lambda x: jax.vmap(net, in_axes=(0, None), out_axes=(0, None), axis_name="batch")(x, state)[0])


@model("unet", f32("B", 2, 8, 8))
def unet():
    def create(k):
        a, b, c, d = jax.random.split(k, 4)
        return (
            eqx.nn.Conv2d(2, 4, 3, 2, padding=1, key=a),
            eqx.nn.ConvTranspose2d(4, 4, 3, 2, padding=1, output_padding=1, key=b),
            eqx.nn.Conv2d(6, 2, 3, padding="SAME", key=c),
            eqx.nn.PReLU(0.2),
        )

    down, up, out, activation = made(create)
    return batched(lambda x: out(jnp.concatenate([up(activation(down(x))), x])))


@model("embedding_transformer", i32("B", 6).between(0, 10))
def transformer():
    def create(k):
        a, b, c, d = jax.random.split(k, 4)
        return (
            eqx.nn.Embedding(11, 8, key=a),
            eqx.nn.MultiheadAttention(2, 8, key=b),
            eqx.nn.MLP(8, 8, 32, 1, activation=jax.nn.silu, key=c),
            eqx.nn.Linear(8, 11, key=d),
            eqx.nn.RMSNorm(8),
        )

    embed, attend, mlp, head, norm = made(create)

    def net(tokens):
        x = jax.vmap(embed)(tokens)
        y = jax.vmap(norm)(x)
        x = x + attend(y, y, y, mask=jnp.tril(jnp.ones((6, 6), bool)))
        x = x + jax.vmap(mlp)(jax.vmap(norm)(x))
        return jax.vmap(head)(x)

    return batched(net)


@model("dropout", f32(4, 16), key(3))
def dropout():
    return leaves(lambda x, k: eqx.nn.Dropout(0.3)(x, key=k))


@model("while_loop_checkpointed", f32(3))
def checkpointed():
    return leaves(
        jax.grad(
            lambda x: eqx.internal.while_loop(
                lambda c: c[0] < 4, lambda c: (c[0] + 1, jnp.sin(c[1]) * 2), (0, x), max_steps=8, kind="checkpointed"
            )[1].sum()
        )
    )


@model("adaptive_pools", f32("B", 3, 7, 9))
def pools():
    return batched(
        lambda x: (eqx.nn.AdaptiveAvgPool2d((3, 4))(x), eqx.nn.AdaptiveMaxPool2d(2)(x), eqx.nn.MaxPool2d(3, 2, 1)(x))
    )


@model("spectral_norm", f32(4))
def spectral():
    net, state = eqx.nn.make_with_state(lambda k: eqx.nn.SpectralNorm(eqx.nn.Linear(4, 3, key=k), "weight", key=k))(
        jax.random.key(0)
    )
    return leaves(lambda x: net(x, state)[0])
