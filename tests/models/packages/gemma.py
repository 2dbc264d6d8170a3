"""Google DeepMind's Gemma, small."""
import jax
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
    from gemma.gm.nn import _config, _modules

    config = _config.TransformerConfig(num_embed=32, embed_dim=16, hidden_dim=32, num_heads=2, head_dim=8, num_kv_heads=1, final_logit_softcap=30.0, use_post_attn_norm=True, use_post_ffw_norm=True, attention_types=[_modules.AttentionType.LOCAL_SLIDING, _modules.AttentionType.GLOBAL], sliding_window_size=4, max_cache_length=8, num_layers=2) if False else None
    import dataclasses

    base = gm.nn.Gemma3_1B.config
    config = dataclasses.replace(base, num_embed=32, embed_dim=16, hidden_dim=32, num_heads=2, head_dim=8, num_kv_heads=1, attention_types=base.attention_types[:2] if hasattr(base, "attention_types") else None, sliding_window_size=4)

    class Small(gm.nn.Transformer):
        pass

    net = Small(config=config, dtype=jnp.float32)
    return linen(net, np.zeros((1, 6), "i4"))
