# SPDX-License-Identifier: Apache-2.0
"""Attention in forms that occur in programs: masks, groups, windows, softcaps."""

import jax
import jax.numpy as jnp
import numpy as np

from . import Programs, integers, normal

PROGRAMS = Programs()
LENGTH, HEADS, WIDTH = 128, 8, 64
QKV = [normal(2, LENGTH, HEADS, WIDTH) for _ in range(3)]
GROUPED = [normal(2, LENGTH, HEADS, WIDTH), normal(2, LENGTH, 2, WIDTH), normal(2, LENGTH, 2, WIDTH)]


@PROGRAMS.add(*QKV)
def causal(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@PROGRAMS.add(*GROUPED, integers(LENGTH, 2, low=1))
def grouped_with_lengths(q, k, v, lengths):
    return jax.nn.dot_product_attention(q, k, v, key_value_seq_lengths=lengths)


@PROGRAMS.add(*QKV, integers(2, 2, LENGTH).astype(bool))
def masked_by_finfo(q, k, v, valid):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH)
    s = jnp.where(valid[:, None, None], s, jnp.finfo(s.dtype).min)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)


@PROGRAMS.add(*QKV)
def sliding_window(q, k, v):
    i = jnp.arange(LENGTH)
    mask = (i[:, None] >= i) & (i[:, None] - i < 32)
    return jax.nn.dot_product_attention(q, k, v, mask=mask[None, None])


@PROGRAMS.add(*GROUPED)
def softcap_grouped(q, k, v):
    """Gemma 2's scores, with the groups as an axis."""
    q = q.reshape(2, LENGTH, 2, 4, WIDTH) / np.sqrt(WIDTH)
    s = jnp.einsum("bqhgd,bkhd->bqkhg", q, k)
    s = 50 * jnp.tanh(s / 50)
    s = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool))[None, :, :, None, None], s, -1e30)
    return jnp.einsum("bqkhg,bkhd->bqhgd", jax.nn.softmax(s, axis=2), v)


@PROGRAMS.add(*GROUPED)
def grouped_causal(q, k, v):
    """Gemma's scores, whose heads are joined again."""
    q = q.reshape(2, LENGTH, 2, 4, WIDTH) / np.sqrt(WIDTH)
    s = jnp.einsum("btkgh,bskh->btkgs", q, k).reshape(2, LENGTH, HEADS, LENGTH)
    s = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool))[None, :, None], s, -2.3e38)
    p = jax.nn.softmax(s).reshape(2, LENGTH, 2, 4, LENGTH)
    return jnp.einsum("btkgs,bskh->btkgh", p, v).reshape(2, LENGTH, HEADS, WIDTH)


@PROGRAMS.add(*QKV, normal(HEADS, 2 * LENGTH - 1))
def relative_bias(q, k, v, table):
    i = jnp.arange(LENGTH)
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH)
    s = s + table[:, i[:, None] - i + LENGTH - 1]
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)


@PROGRAMS.add(*QKV)
def alibi(q, k, v):
    slopes = 2.0 ** -jnp.arange(1, HEADS + 1)
    distance = jnp.arange(LENGTH) - jnp.arange(LENGTH)[:, None]
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH) + slopes[:, None, None] * distance
    s = jnp.where(distance > 0, -jnp.inf, s)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)


@PROGRAMS.add(*QKV, normal(WIDTH), normal(WIDTH))
def normalized_queries(q, k, v, gq, gk):
    def rms(x, g):
        return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * g

    return jax.nn.dot_product_attention(rms(q, gq), rms(k, gk), v, is_causal=True)


@PROGRAMS.add(normal(2, 1, HEADS, WIDTH), *[normal(2, 512, 2, WIDTH) for _ in range(4)], integers(511, 2))
def decode_step(q, k, v, k_new, v_new, position):
    """One token against a cache of 512, written at a position for each row."""
    write = jax.vmap(lambda c, n, p: jax.lax.dynamic_update_slice_in_dim(c, n, p, 0))
    k, v = write(k, k_new[:, :1], position), write(v, v_new[:, :1], position)
    mask = jnp.arange(512) <= position[:, None]
    return jax.nn.dot_product_attention(q, k, v, mask=mask[:, None, None]), k, v


@PROGRAMS.add(normal(4, 64, 256), normal(4, 77, 128), *[normal(*s) / 16 for s in ((256, 256), (128, 256), (128, 256))])
def cross_attention(x, context, wq, wk, wv):
    split = lambda y: y.reshape(*y.shape[:2], HEADS, 32)
    return jax.nn.dot_product_attention(split(x @ wq), split(context @ wk), split(context @ wv)).reshape(4, 64, 256)


@PROGRAMS.add(normal(2, 64, 64), normal(64), normal(64, 64) / 8)
def additive_attention(x, w, m):
    """Bahdanau's scores of all pairs."""
    s = jnp.tanh((x @ m)[:, :, None] + x[:, None]) @ w
    return jax.nn.softmax(s) @ x


@PROGRAMS.add(normal(2, 196, 3 * 128))
def window_attention(qkv):
    """Swin's windows of 7 x 7 pixels."""
    x = qkv.reshape(2, 2, 7, 2, 7, 3, 4, 32).transpose(5, 0, 1, 3, 6, 2, 4, 7).reshape(3, 8, 4, 49, 32)
    s = jax.nn.softmax(x[0] @ x[1].swapaxes(-1, -2) / np.sqrt(32))
    y = (s @ x[2]).reshape(2, 2, 2, 4, 7, 7, 32)
    return y.transpose(0, 1, 4, 2, 5, 3, 6).reshape(2, 196, 128)
