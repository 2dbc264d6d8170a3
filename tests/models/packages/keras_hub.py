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
            weights = [rng.normal(size=v.shape).astype("f4") * 0.2 + ("gamma" in v.path or "scale" in v.path) for v in net.trainable_variables]
            fixed = [v.value if v.dtype != "float32" else np.abs(rng.normal(size=v.shape)).astype("f4") + 0.5 for v in net.non_trainable_variables]
            return leaves(lambda *a: net.stateless_call(weights, fixed, dict(zip(inputs, a)) if inputs else a[0], training=False)[0])

        return create

    return add


def text(name, create):
    backbone(name, ids, mask, inputs=("token_ids", "padding_mask"))(create)


text("gpt2", lambda: M.GPT2Backbone(**small, max_sequence_length=16))
text("llama", lambda: M.LlamaBackbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1))
text("llama3", lambda: M.Llama3Backbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1))
text("mistral", lambda: M.MistralBackbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1, sliding_window=4))
text("gemma", lambda: M.GemmaBackbone(vocabulary_size=64, num_layers=2, num_query_heads=2, num_key_value_heads=1, hidden_dim=16, intermediate_dim=64, head_dim=8))
text("phi3", lambda: M.Phi3Backbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1))
text("qwen", lambda: M.QwenBackbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1))
text("qwen3", lambda: M.Qwen3Backbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1, head_dim=8))
text("mixtral", lambda: M.MixtralBackbone(**{k: v for k, v in small.items() if k != "num_heads"}, num_query_heads=2, num_key_value_heads=1, num_experts=4, top_k=2))
text("gpt_neo_x", lambda: M.GPTNeoXBackbone(**small, max_sequence_length=16))
text("falcon", lambda: M.FalconBackbone(vocabulary_size=64, num_layers=2, num_attention_heads=2, hidden_dim=16, intermediate_dim=32))
text("opt", lambda: M.OPTBackbone(**small, max_sequence_length=16))
text("bloom", lambda: M.BloomBackbone(**small, max_sequence_length=16))
text("roberta", lambda: M.RobertaBackbone(**small, max_sequence_length=16))
text("xlm_roberta", lambda: M.XLMRobertaBackbone(**small, max_sequence_length=16))
text("distil_bert", lambda: M.DistilBertBackbone(**small, max_sequence_length=16))
text("deberta_v3", lambda: M.DebertaV3Backbone(**small, max_sequence_length=16, bucket_size=8))
backbone("bert", ids, mask, segments, inputs=("token_ids", "padding_mask", "segment_ids"))(lambda: M.BertBackbone(**small, max_sequence_length=16))
backbone("albert", ids, mask, segments, inputs=("token_ids", "padding_mask", "segment_ids"))(lambda: M.AlbertBackbone(**small, embedding_dim=8, max_sequence_length=16))
backbone("f_net", ids, segments, inputs=("token_ids", "segment_ids"))(lambda: M.FNetBackbone(vocabulary_size=64, num_layers=2, hidden_dim=16, intermediate_dim=32, max_sequence_length=16))
backbone("t5", ids, mask, ids, mask, inputs=("encoder_token_ids", "encoder_padding_mask", "decoder_token_ids", "decoder_padding_mask"))(lambda: M.T5Backbone(**small))
backbone("bart", ids, mask, ids, mask, inputs=("encoder_token_ids", "encoder_padding_mask", "decoder_token_ids", "decoder_padding_mask"))(lambda: M.BartBackbone(**small, max_sequence_length=16))
backbone("resnet", image, inputs=())(lambda: M.ResNetBackbone([8], [3], [8, 16], [1, 1], [1, 2], "basic_block", use_pre_activation=True, image_shape=(32, 32, 3)))
backbone("vgg", image, inputs=())(lambda: M.VGGBackbone([1, 1], [8, 16], image_shape=(32, 32, 3)))
backbone("densenet", image, inputs=())(lambda: M.DenseNetBackbone([2, 2], growth_rate=8, image_shape=(32, 32, 3)))
backbone("mit", image, inputs=())(lambda: M.MiTBackbone([1, 1], 2, [8, 16], [1, 2], [2, 1], [7, 3], [4, 2], image_shape=(32, 32, 3)))
backbone("vit", image, inputs=())(lambda: M.ViTBackbone((32, 32, 3), 8, 2, 2, 16, 32))
backbone("swin_transformer", image, inputs=())(lambda: M.SwinTransformerBackbone((32, 32, 3), 4, 8, [1, 1], [2, 2], 4))
backbone("cspnet", image, inputs=())(lambda: M.CSPNetBackbone([8], [1, 1], [16, 32], bottle_ratio=0.5, block_ratio=0.5, expand_ratio=1.0, stage_type="csp", block_type="dark_block", stage_depth=[1, 1], stage_strides=[2, 2], stage_filters=[16, 32], image_shape=(32, 32, 3)))
