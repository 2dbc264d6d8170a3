"""Google DeepMind's Gemma, small."""
import dataclasses

import jax.numpy as jnp
import numpy as np
from gemma import gm

from table import f32, i32
from zoo import linen, model


@model("feed_forward", f32("B", 5, 8))
def feed_forward():
    return linen(gm.nn.FeedForward(features=8, hidden_dim=16, transpose_gating_einsum=False), np.zeros((1, 5, 8), "f4"))


@model("rms_norm", f32("B", 5, 8))
def rms_norm():
    return linen(gm.nn.RMSNorm(), np.zeros((1, 5, 8), "f4"))


@model("transformer", i32("B", 6).between(0, 30))
def transformer():
    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(base, num_embed=32, embed_dim=16, hidden_dim=32, num_heads=2, head_dim=8, num_kv_heads=1, attention_types=base.attention_types[:2], sliding_window_size=4)
    return linen(gm.nn.Transformer(config=config, dtype=jnp.float32), np.zeros((1, 6), "i4"))
