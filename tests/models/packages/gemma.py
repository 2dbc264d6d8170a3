# SPDX-License-Identifier: Apache-2.0
"""Google DeepMind's Gemma, small."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
from gemma import gm

from table import f32, i32
from zoo import filled, leaves, linen, model


@model("feed_forward", f32("B", 5, 8))
def feed_forward():
    return linen(gm.nn.FeedForward(features=8, hidden_dim=16, transpose_gating_einsum=False), np.zeros((1, 5, 8), "f4"))


@model("rms_norm", f32("B", 5, 8))
def rms_norm():
    return linen(gm.nn.RMSNorm(), np.zeros((1, 5, 8), "f4"))


@model("transformer", i32("B", 6).between(0, 30))
def transformer():
    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(
        base,
        num_embed=32,
        embed_dim=16,
        hidden_dim=32,
        num_heads=2,
        head_dim=8,
        num_kv_heads=1,
        attention_types=base.attention_types[:2],
        sliding_window_size=4,
    )
    return linen(gm.nn.Transformer(config=config, dtype=jnp.float32), np.zeros((1, 6), "i4"))


@model("transformer_any_length", i32("B", "C").between(0, 30))
def any_length():
    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(
        base,
        num_embed=32,
        embed_dim=16,
        hidden_dim=32,
        num_heads=4,
        head_dim=8,
        num_kv_heads=2,
        attention_types=base.attention_types[:3],
        sliding_window_size=4,
    )
    return linen(gm.nn.Transformer(config=config, dtype=jnp.float32), np.zeros((1, 6), "i4"))


@model("transformer_bfloat16", i32("B", 6).between(0, 30), rtol=0.1, atol=0.4)
def half():
    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(
        base,
        num_embed=32,
        embed_dim=16,
        hidden_dim=32,
        num_heads=2,
        head_dim=8,
        num_kv_heads=1,
        attention_types=base.attention_types[:2],
    )
    return linen(gm.nn.Transformer(config=config, dtype=jnp.bfloat16), np.zeros((1, 6), "i4"))


@model("gemma2", i32("B", 6).between(0, 30))
def gemma2():
    base = gm.nn.Gemma2_2B.config
    config = dataclasses.replace(
        base,
        num_embed=32,
        embed_dim=16,
        hidden_dim=32,
        num_heads=2,
        head_dim=8,
        num_kv_heads=1,
        attention_types=base.attention_types[:2],
        sliding_window_size=4,
    )
    return linen(gm.nn.Transformer(config=config, dtype=jnp.float32), np.zeros((1, 6), "i4"))


@model("cached_step", i32(2, 1).between(0, 30))
def cached_step():
    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(
        base,
        num_embed=32,
        embed_dim=16,
        hidden_dim=32,
        num_heads=2,
        head_dim=8,
        num_kv_heads=1,
        attention_types=base.attention_types[:2],
        sliding_window_size=4,
    )
    net = gm.nn.Transformer(config=config, dtype=jnp.float32)
    cache = config.init_cache(batch_size=2, dtype=jnp.float32, cache_length=8)
    mask, positions = jnp.ones((2, 1, 8), bool), jnp.zeros((2, 1), "i4")
    params = filled(jax.eval_shape(lambda: net.init(jax.random.key(0), jnp.zeros((2, 1), "i4"))))
    return leaves(
        lambda ids: (lambda out: (out.logits, out.cache))(
            net.apply(params, ids, cache=cache, positions=positions, attention_mask=mask)
        )
    )
