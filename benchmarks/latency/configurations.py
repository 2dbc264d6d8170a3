# SPDX-License-Identifier: Apache-2.0
"""Configurations of Hugging Face and inputs, shared by the networks of both sides."""

import pathlib
import sys

import numpy as np
import transformers as hf

LENGTH = 128

CONFIGURATIONS = {
    "bert": hf.BertConfig(),
    "gpt2": hf.GPT2Config(),
    "vit": hf.ViTConfig(),
    "resnet50": hf.ResNetConfig(),
    "roberta": hf.RobertaConfig(),
    "t5": hf.T5Config(decoder_start_token_id=0, use_cache=False),
    "gemma": hf.GemmaConfig(
        vocab_size=32000,
        hidden_size=1024,
        intermediate_size=4096,
        num_hidden_layers=6,
        num_attention_heads=4,
        num_key_value_heads=1,
        head_dim=256,
        use_cache=False,
    ),
    "mistral": hf.MistralConfig(
        hidden_size=1024,
        intermediate_size=3584,
        num_hidden_layers=6,
        num_attention_heads=8,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        use_cache=False,
    ),
    "distilbert": hf.DistilBertConfig(),
    "dinov2": hf.Dinov2Config(hidden_size=384, num_attention_heads=6, image_size=224, patch_size=14),
    "bart": hf.BartConfig(
        d_model=768,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=3072,
        decoder_ffn_dim=3072,
        use_cache=False,
    ),
    "whisper": hf.WhisperConfig(use_cache=False),
    "albert": hf.AlbertConfig(hidden_size=768, num_attention_heads=12, intermediate_size=3072),
    "electra": hf.ElectraConfig(),
    "beit": hf.BeitConfig(),
    "clip": hf.CLIPConfig(),
    "wav2vec2": hf.Wav2Vec2Config(do_stable_layer_norm=True, feat_extract_norm="layer"),
}


def export_all(export, networks):
    """The program FOLDER [NAME...], which calls export(name, folder). It continues if a network fails."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or networks:
        try:
            export(name, folder)
        except Exception as problem:
            print(f"{name}: {type(problem).__name__}: {str(problem)[-3000:]}", flush=True)


def tokens(seed=0):
    return np.random.default_rng(seed).integers(3, 1000, (1, LENGTH), "i4")


def sound():
    """A second of sound at 16 kHz."""
    return np.random.default_rng(0).standard_normal((1, 16000), "f4")


def image(size):
    return np.random.default_rng(0).standard_normal((1, 3, size, size), "f4")
