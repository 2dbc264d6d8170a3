# SPDX-License-Identifier: Apache-2.0
"""Small networks of eight architectures, which JAX and PyTorch share: configurations of Hugging Face and inputs."""

import dataclasses
import pathlib

import numpy as np
import transformers as hf

LENGTH, IMAGE = 8, 32
BATCHES = {"static": 2, "batch": 3}  # the kinds of models and the batch that runs: fixed, or one of any size

sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
text = sizes | {"vocab_size": 99, "max_position_embeddings": 32}


@dataclasses.dataclass
class network:
    """A configuration, the classes in JAX (after "Flax") and PyTorch, the result to compare, and the inputs."""

    config: object
    model: str
    result: str
    inputs: list[str] = dataclasses.field(default_factory=lambda: ["input_ids"])

    def arrays(self, batch):
        """Random inputs in PyTorch's layout."""
        random = np.random.default_rng(0)
        pixels = random.standard_normal((batch, 3, IMAGE, IMAGE), "f4")
        return [pixels if i == "pixel_values" else random.integers(3, 99, (batch, LENGTH)) for i in self.inputs]


def vision(config, model):
    return network(config, model, "logits", ["pixel_values"])


NETWORKS = {
    "bert": network(hf.BertConfig(**text), "BertModel", "last_hidden_state"),
    "gpt2": network(
        hf.GPT2Config(vocab_size=99, n_positions=32, n_embd=32, n_layer=2, n_head=4), "GPT2LMHeadModel", "logits"
    ),
    "llama": network(hf.LlamaConfig(**text, num_key_value_heads=2), "LlamaForCausalLM", "logits"),
    "vit": vision(hf.ViTConfig(**sizes, image_size=IMAGE, patch_size=8), "ViTForImageClassification"),
    "resnet": vision(
        hf.ResNetConfig(embedding_size=16, hidden_sizes=[32, 64], depths=[2, 2]), "ResNetForImageClassification"
    ),
    "t5": network(
        hf.T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0),
        "T5ForConditionalGeneration",
        "logits",
        ["input_ids", "decoder_input_ids"],
    ),
    "convnext": vision(
        hf.ConvNextConfig(hidden_sizes=[16, 32], depths=[1, 1], num_stages=2), "ConvNextForImageClassification"
    ),
    "electra": network(hf.ElectraConfig(**text, embedding_size=16), "ElectraModel", "last_hidden_state"),
}


def save(model, arrays, results):
    """Writes the files beside a model that runs_in.py reads."""
    pathlib.Path(model).parent.mkdir(parents=True, exist_ok=True)
    np.savez(f"{model}.in.npz", *arrays)
    np.savez(f"{model}.wanted.npz", *results)
