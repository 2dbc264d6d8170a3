# SPDX-License-Identifier: Apache-2.0
"""Equimo's models: vision, audio, time series, tables. Equimo 2 needs Python 3.13; Equimo 1 has fewer models."""

import importlib
import importlib.util

import equinox as eqx
import jax
import jax.numpy as jnp

from table import f32
from zoo import filled, leaves, model

second = importlib.util.find_spec("equimo.vision") is not None
net = lambda kind: importlib.import_module(f"equimo.{'vision.' if second else ''}models.{kind}")


def weighted(create):
    return eqx.nn.inference_mode(filled(eqx.filter_eval_shape(create, jax.random.key(0))))


def vision(name, create, size=64):
    @model(name, f32("B", 3, size, size), rtol=2e-3, atol=2e-4)
    def build():
        made = weighted(create)
        return leaves(jax.vmap(lambda x: made(x, key=jax.random.key(0), inference=True)))


def small_vit(**options):
    return lambda k: net("vit").VisionTransformer(
        **{
            **dict(img_size=32, in_channels=3, dim=16, patch_size=8, num_heads=[2], depths=[2], num_classes=5, key=k),
            **options,
        }
    )


rope = dict(use_local_pos_embed=True) if second else dict(use_rope_pos_embed=True)
vision("vit", small_vit(), 32)
vision(
    "dinov3",
    small_vit(
        num_classes=0,
        reg_tokens=2,
        use_global_pos_embed=False,
        **rope,
        **(dict(eps=1e-5) if second else dict(layer_norm_eps=1e-5)),
    ),
    32,
)
vision(
    "vit_normed_queries",
    small_vit(qk_norm=True, norm_layer="rmsnorm" if second else eqx.nn.RMSNorm, init_values=1e-2, global_pool="avgmax"),
    32,
)
vision(
    "vit_swiglu", small_vit(ffn_layer="swiglu" if second else "mlp", act_layer="silu" if second else jax.nn.silu), 32
)
vision(
    "convnext",
    lambda k: net("convnext").ConvNeXt(in_channels=3, dims=[8, 16, 16, 16], depths=[1, 1, 1, 1], num_classes=5, key=k),
)
vision("attnet", lambda k: net("attnet").AttNet(3, dims=[32, 32, 64, 64], depths=[1, 1, 1, 1], num_classes=5, key=k))
vision("iformer", lambda k: net("iformer").iformer_t(in_channels=3, num_classes=5, key=k))
vision(
    "lowformer",
    lambda k: net("lowformer").lowformer_backbone_b0(
        in_channels=3, **({} if second else dict(attention_type="softmax")), num_classes=5, key=k
    ),
)
vision("mobilenetv3_small", lambda k: net("mobilenet").mobilenetv3_small(in_channels=3, num_classes=5, key=k))
vision("mobilenetv3_large", lambda k: net("mobilenet").mobilenetv3_large(in_channels=3, num_classes=5, key=k))
vision("reduceformer", lambda k: net("reduceformer").reduceformer_backbone_b1(in_channels=3, num_classes=5, key=k))
vision(
    "shvit",
    lambda k: net("shvit").SHViT(
        3, dim=[32, 32, 32], pdim=[8, 8, 8], qk_dim=[8, 8, 8], depths=[1, 1, 1], num_classes=5, key=k
    ),
    128,
)
vision(
    "mlla",
    lambda k: net("mlla").Mlla(
        img_size=64, in_channels=3, dim=16, patch_size=4, depths=[1, 1], num_heads=[2, 4], num_classes=5, key=k
    ),
)
vision(
    "vssd",
    lambda k: net("vssd").Vssd(
        64, 3, dim=16, patch_size=4, depths=[1, 1, 1, 1], num_heads=[2, 2, 4, 4], num_classes=5, key=k
    ),
)
vision(
    "fastervit",
    lambda k: net("fastervit").FasterViT(
        64, 3, 16, 8, [2, 2, 2, 2], [False, False, True, False], [1, 1, 1, 1], [7, 7, 2, 2], 2, num_classes=5, key=k
    ),
)
vision(
    "partialformer",
    lambda k: net("partialformer").PartialFormer(
        64, 3, 16, [2, 2, 2, 2], [1, 1, 1, 1], (0.8, 0.4), patch_size=4, num_classes=5, key=k
    ),
)
if second:
    vision("convnextv2", lambda k: net("convnext").convnextv2_atto(in_channels=3, num_classes=5, key=k))
    vision("convnext_rms", lambda k: net("convnext").convnext_zepto_rms(in_channels=3, num_classes=5, key=k))
    vision("parcae", lambda k: net("parcae").vision_parcae_tiny_patch16_224(img_size=64, num_classes=5, key=k))


@model("audio_spectrogram", f32("B", 64, 32), rtol=2e-3, atol=2e-4)
def audio():
    from equimo.audio.models import ast

    made = weighted(lambda k: ast.AudioSpectrogramTransformer(32, 64, 16, 8, 8, 8, [2], [2], num_classes=5, key=k))
    return leaves(jax.vmap(lambda x: made(x, key=jax.random.key(0), inference=True)))


@model("time_series", f32(2, 64), rtol=2e-3, atol=2e-4)
def series():
    from equimo.timeseries.models import t0

    made = weighted(lambda k: t0.T0(embed_dim=16, num_layers=3, num_heads=2, mlp_hidden_dim=32, patch_size=8, key=k))
    return leaves(lambda x: made(x, horizon=8, key=jax.random.key(0)) if callable(made) else made.predict(x, 8))


@model("tables", f32(12, 4), f32(8).between(0, 1), rtol=2e-3, atol=2e-4)
def tables():
    from equimo.tabular.models import tabpfn

    made = weighted(
        lambda k: tabpfn.TabPFN(
            num_classes=4,
            dim=16,
            depths=(1, 1, 2),
            num_heads=(2, 2, 2),
            num_inducing_points=4,
            num_cls_tokens=2,
            decoder_head_dim=8,
            decoder_num_heads=2,
            key=k,
        )
    )
    return leaves(lambda x, y: made(x, jnp.round(y), key=jax.random.key(0), inference=True))
