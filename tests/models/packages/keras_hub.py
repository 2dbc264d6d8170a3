# SPDX-License-Identifier: Apache-2.0
"""Keras Hub's backbones from small configurations, on JAX."""

import os

os.environ["KERAS_BACKEND"] = "jax"
import keras
import keras_hub
import numpy as np

from table import f32, i32
from zoo import leaves, model

M = keras_hub.models
small = dict(vocabulary_size=64, num_layers=2, num_heads=2, hidden_dim=16, intermediate_dim=32)
ids, mask, segments = i32("B", 7).between(0, 60), i32("B", 7).between(1, 1), i32("B", 7).between(0, 1)
image = f32("B", 32, 32, 3)


def backbone(name, *arguments, inputs):
    """`create` makes the backbone; `inputs` names the arguments."""

    def add(create):
        @model(name, *arguments)
        def build():
            net = create()
            rng = np.random.default_rng(0)
            weights = [
                rng.normal(size=v.shape).astype("f4") * 0.2 + ("gamma" in v.path or "scale" in v.path)
                for v in net.trainable_variables
            ]
            fixed = [
                v.value if v.dtype != "float32" else np.abs(rng.normal(size=v.shape)).astype("f4") + 0.5
                for v in net.non_trainable_variables
            ]
            return leaves(
                lambda *a: net.stateless_call(weights, fixed, dict(zip(inputs, a)) if inputs else a[0], training=False)[
                    0
                ]
            )

        return create

    return add


def text(name, create):
    backbone(name, ids, mask, inputs=("token_ids", "padding_mask"))(create)


text("gpt2", lambda: M.GPT2Backbone(**small, max_sequence_length=16))
text(
    "llama",
    lambda: M.LlamaBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1
    ),
)
text(
    "llama3",
    lambda: M.Llama3Backbone(
        **{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1
    ),
)
text(
    "mistral",
    lambda: M.MistralBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"},
        num_query_heads=2,
        num_key_value_heads=1,
        sliding_window=4,
    ),
)
text(
    "gemma",
    lambda: M.GemmaBackbone(
        vocabulary_size=64,
        num_layers=2,
        num_query_heads=2,
        num_key_value_heads=1,
        hidden_dim=16,
        intermediate_dim=64,
        head_dim=8,
    ),
)
text(
    "phi3",
    lambda: M.Phi3Backbone(
        **{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1
    ),
)
text(
    "qwen",
    lambda: M.QwenBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1
    ),
)
text(
    "qwen3",
    lambda: M.Qwen3Backbone(
        **{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1, head_dim=8
    ),
)
text(
    "mixtral",
    lambda: M.MixtralBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"},
        num_query_heads=2,
        num_key_value_heads=1,
        num_experts=4,
        top_k=2,
    ),
)
text("gpt_neo_x", lambda: M.GPTNeoXBackbone(**small, max_sequence_length=16))
text(
    "falcon",
    lambda: M.FalconBackbone(
        vocabulary_size=64, num_layers=2, num_attention_heads=2, hidden_dim=16, intermediate_dim=32
    ),
)
text("opt", lambda: M.OPTBackbone(**small, max_sequence_length=16))
text("bloom", lambda: M.BloomBackbone(**small, max_sequence_length=16))
text("roberta", lambda: M.RobertaBackbone(**small, max_sequence_length=16))
text("xlm_roberta", lambda: M.XLMRobertaBackbone(**small, max_sequence_length=16))
text("distil_bert", lambda: M.DistilBertBackbone(**small, max_sequence_length=16))
text("deberta_v3", lambda: M.DebertaV3Backbone(**small, max_sequence_length=16, bucket_size=8))
backbone("bert", ids, mask, segments, inputs=("token_ids", "padding_mask", "segment_ids"))(
    lambda: M.BertBackbone(**small, max_sequence_length=16)
)
backbone("albert", ids, mask, segments, inputs=("token_ids", "padding_mask", "segment_ids"))(
    lambda: M.AlbertBackbone(**small, embedding_dim=8, max_sequence_length=16)
)
backbone("f_net", ids, segments, inputs=("token_ids", "segment_ids"))(
    lambda: M.FNetBackbone(vocabulary_size=64, num_layers=2, hidden_dim=16, intermediate_dim=32, max_sequence_length=16)
)
backbone(
    "t5",
    ids,
    mask,
    ids,
    mask,
    inputs=("encoder_token_ids", "encoder_padding_mask", "decoder_token_ids", "decoder_padding_mask"),
)(lambda: M.T5Backbone(**small))
backbone(
    "bart",
    ids,
    mask,
    ids,
    mask,
    inputs=("encoder_token_ids", "encoder_padding_mask", "decoder_token_ids", "decoder_padding_mask"),
)(lambda: M.BartBackbone(**small, max_sequence_length=16))
backbone("resnet", image, inputs=())(
    lambda: M.ResNetBackbone(
        [64], [3], [64, 64], [1, 1], [1, 2], "basic_block", use_pre_activation=True, image_shape=(32, 32, 3)
    )
)
backbone("resnet_vd", image, inputs=())(
    lambda: M.ResNetBackbone([8], [3], [64, 64], [1, 1], [1, 2], "bottleneck_block_vd", image_shape=(32, 32, 3))
)
backbone("vgg", image, inputs=())(lambda: M.VGGBackbone([1, 1], [8, 16], image_shape=(32, 32, 3)))
backbone("densenet", image, inputs=())(lambda: M.DenseNetBackbone([2, 2], growth_rate=8, image_shape=(32, 32, 3)))
backbone("mit", image, inputs=())(
    lambda: M.MiTBackbone([1, 1], 2, [1, 2], [2, 1], 0.0, [7, 3], [4, 2], hidden_dims=[8, 16], image_shape=(32, 32, 3))
)
backbone("vit", image, inputs=())(lambda: M.ViTBackbone((32, 32, 3), 8, 2, 2, 16, 32))
backbone("swin_transformer", image, inputs=())(
    lambda: M.SwinTransformerBackbone((32, 32, 3), 8, (2, 1), (2, 2), 4, patch_size=2)
)
backbone("cspnet", image, inputs=())(
    lambda: M.CSPNetBackbone(
        8,
        3,
        2,
        [1, 1],
        [1, 2],
        [16, 32],
        "dark_block",
        stage_type="csp",
        bottle_ratio=[0.5],
        block_ratio=[0.5],
        expand_ratio=[1.0],
        image_shape=(32, 32, 3),
    )
)
backbone("dark_net", image, inputs=())(
    lambda: M.CSPNetBackbone(
        8,
        3,
        1,
        [1, 1],
        [2, 2],
        [16, 32],
        "dark_block",
        stage_type="dark",
        bottle_ratio=[0.5],
        block_ratio=[1.0],
        image_shape=(32, 32, 3),
    )
)
backbone("deit", image, inputs=())(lambda: M.DeiTBackbone((32, 32, 3), 8, 2, 2, 16, 32))
backbone("dinov2", image, inputs=())(
    lambda: M.DINOV2Backbone(
        8, 2, 16, 2, 32, num_register_tokens=2, image_shape=(32, 32, 3), position_embedding_shape=(40, 40, 3)
    )
)
backbone("dinov3", image, inputs=())(lambda: M.DINOV3Backbone(8, 2, 16, 2, 32, image_shape=(32, 32, 3)))
backbone("vit_det", image, inputs=())(
    lambda: M.ViTDetBackbone(
        16, 2, 32, 2, [1], image_shape=(32, 32, 3), patch_size=4, num_output_channels=8, window_size=3
    )
)
backbone("segformer", image, inputs=())(
    lambda: M.SegFormerBackbone(
        M.MiTBackbone(
            [1, 1, 1, 1],
            4,
            [1, 2, 2, 2],
            [4, 2, 1, 1],
            0.0,
            [7, 3, 3, 3],
            [4, 2, 2, 2],
            hidden_dims=[8, 16, 16, 16],
            image_shape=(32, 32, 3),
        ),
        16,
    )
)
backbone("xception", image, inputs=())(
    lambda: M.XceptionBackbone([[8, 8], [16, 16]], [True, False], image_shape=(32, 32, 3))
)
backbone("hgnetv2", image, inputs=())(
    lambda: M.HGNetV2Backbone(
        [1, 1],
        16,
        [16, 32],
        [3, 8, 16],
        "relu",
        True,
        [[16, 8, 16, 1, 2, 3], [16, 8, 32, 1, 2, 3]],
        [False, True],
        [False, True],
        image_shape=(32, 32, 3),
    )
)
backbone("efficientnet", image, inputs=())(
    lambda: M.EfficientNetBackbone(
        stackwise_width_coefficients=[0.5] * 3,
        stackwise_depth_coefficients=[1.0] * 3,
        stackwise_kernel_sizes=[3, 3, 5],
        stackwise_num_repeats=[1, 1, 1],
        stackwise_input_filters=[16, 16, 24],
        stackwise_output_filters=[16, 24, 40],
        stackwise_expansion_ratios=[1, 4, 4],
        stackwise_squeeze_and_excite_ratios=[0.25] * 3,
        stackwise_strides=[1, 2, 2],
        stackwise_block_types=["v1", "v1", "fused"],
        num_features=32,
        input_shape=(32, 32, 3),
    )
)
backbone("vae_encoder", image, inputs=())(
    lambda: keras_hub.src.models.vae.vae_backbone.VAEBackbone([8, 16], [1, 1], [16, 8], [1, 1], (32, 32, 3))
)
text(
    "electra",
    lambda: M.ElectraBackbone(
        vocab_size=64,
        num_layers=2,
        num_heads=2,
        hidden_dim=16,
        embedding_dim=8,
        intermediate_dim=32,
        max_sequence_length=16,
    ),
)
text("esm", lambda: M.ESMBackbone(**small, max_sequence_length=16))
text(
    "qwen_moe",
    lambda: M.QwenMoeBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"},
        num_query_heads=2,
        num_key_value_heads=1,
        moe_intermediate_dim=16,
        shared_expert_intermediate_dim=16,
        num_experts=4,
        top_k=2,
    ),
)
text(
    "gpt_oss",
    lambda: M.GptOssBackbone(
        **{k: v for k, v in small.items() if k != "num_heads"},
        num_query_heads=2,
        num_key_value_heads=1,
        num_experts=4,
        top_k=2,
        sliding_window=4,
        head_dim=8,
    ),
)
text(
    "smollm3",
    lambda: M.SmolLM3Backbone(
        vocabulary_size=64,
        hidden_dim=16,
        intermediate_dim=32,
        num_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        attention_bias=False,
        attention_dropout=0.0,
        rope_layer_enabled_list=[True, False],
        layer_types=["full_attention"] * 2,
        mlp_bias=False,
        layer_norm_epsilon=1e-6,
        max_position_embeddings=32,
        rope_theta=1e4,
        partial_rotary_factor=1.0,
    ),
)
text(
    "gemma3",
    lambda: M.Gemma3Backbone(
        vocabulary_size=64,
        image_size=32,
        num_layers=2,
        num_query_heads=2,
        num_key_value_heads=1,
        hidden_dim=16,
        intermediate_dim=64,
        head_dim=8,
        use_sliding_window_attention=True,
        sliding_window_size=4,
        use_post_ffw_norm=True,
        use_post_attention_norm=True,
    ),
)
backbone("roformer_v2", ids, segments, inputs=("token_ids", "segment_ids"))(
    lambda: M.RoformerV2Backbone(**small, head_size=8)
)
backbone(
    "whisper", f32("B", 32, 80), ids, mask, inputs=("encoder_features", "decoder_token_ids", "decoder_padding_mask")
)(lambda: M.WhisperBackbone(**small, max_encoder_sequence_length=32, max_decoder_sequence_length=16))


@model("clip", i32("B", 7).between(0, 60), image)
def clip():
    vision = M.CLIPVisionEncoder(8, 16, 2, 2, 32, intermediate_output_index=None, image_shape=(32, 32, 3))
    words = M.CLIPTextEncoder(64, 16, 16, 2, 2, 32, max_sequence_length=7)
    net = M.CLIPBackbone(vision, words, 8)
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=v.shape).astype("f4") * 0.2 + ("gamma" in v.path) for v in net.trainable_variables]
    return leaves(
        lambda ids, pixels: net.stateless_call(
            weights,
            [v.value for v in net.non_trainable_variables],
            {"images": pixels, "token_ids": ids},
            training=False,
        )[0]
    )


@model("gpt2_generate_step", i32("B", 7).between(0, 60))
def generate_step():
    """One step of the decoding loop with a cache, as CausalLM.generate runs it."""
    net = M.GPT2CausalLM(M.GPT2Backbone(**small, max_sequence_length=16))
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=v.shape).astype("f4") * 0.2 for v in net.trainable_variables]

    def run(ids):
        with keras.StatelessScope(state_mapping=list(zip(net.trainable_variables, weights))):
            cache = np.zeros((1, 2, 2, 7, 2, 8), "f4") * ids[:, None, None, :, None, None]
            logits, hidden, cache = net.call_with_cache(ids[:, 3:4], cache, 3)
        return logits, cache

    return leaves(run)
