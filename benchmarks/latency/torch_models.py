#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports the networks of configurations.py with torch.onnx, with random weights, to FOLDER/NAME.torch.onnx.

    torch_models.py FOLDER [NAME...]

Attention is "eager", that is, plain products and a softmax: torch's own function adds guards for NaN and more nodes,
and cannot be exported for T5.
"""

import time

import torch
import transformers as hf
from configurations import CONFIGURATIONS, export_all, image, sound, tokens

torch.set_num_threads(1)


class first_result(torch.nn.Module):
    """A network that returns one of its results."""

    def __init__(self, network, result, names):
        super().__init__()
        self.network, self.result, self.names = network, result, names

    def forward(self, *arguments):
        return self.network(**dict(zip(self.names, arguments)))[self.result]


def ids(seed=0):
    return torch.tensor(tokens(seed)).long()


def pixels():
    return torch.tensor(image(224))


seq2seq = {"input_ids": ids, "decoder_input_ids": lambda: ids(1)}
NETWORKS = {
    "bert": (hf.BertModel, "last_hidden_state", {"input_ids": ids}),
    "gpt2": (hf.GPT2LMHeadModel, "logits", {"input_ids": ids}),
    "vit": (hf.ViTForImageClassification, "logits", {"pixel_values": pixels}),
    "resnet50": (hf.ResNetForImageClassification, "logits", {"pixel_values": pixels}),
    "roberta": (hf.RobertaModel, "last_hidden_state", {"input_ids": ids}),
    "t5": (hf.T5ForConditionalGeneration, "logits", seq2seq),
    "gemma": (hf.GemmaForCausalLM, "logits", {"input_ids": ids}),
    "mistral": (hf.MistralForCausalLM, "logits", {"input_ids": ids}),
    "distilbert": (hf.DistilBertModel, "last_hidden_state", {"input_ids": ids}),
    "dinov2": (hf.Dinov2Model, "last_hidden_state", {"pixel_values": pixels}),
    "bart": (hf.BartForConditionalGeneration, "logits", seq2seq),
    "whisper": (
        hf.WhisperForConditionalGeneration,
        "logits",
        {"input_features": lambda: torch.zeros(1, 80, 3000), "decoder_input_ids": lambda: ids(1)[:, :32]},
    ),
    "albert": (hf.AlbertModel, "last_hidden_state", {"input_ids": ids}),
    "electra": (hf.ElectraModel, "last_hidden_state", {"input_ids": ids}),
    "beit": (hf.BeitModel, "last_hidden_state", {"pixel_values": pixels}),
    "clip": (hf.CLIPModel, "logits_per_image", {"input_ids": lambda: ids()[:, :77], "pixel_values": pixels}),
    "wav2vec2": (hf.Wav2Vec2Model, "last_hidden_state", {"input_values": lambda: torch.tensor(sound())}),
}


def export(name, folder):
    network, result, inputs = NETWORKS[name]
    config = CONFIGURATIONS[name]
    config.use_cache = False
    config._attn_implementation = "eager"
    module = first_result(network(config), result, list(inputs)).eval()
    begin = time.perf_counter()
    program = torch.onnx.export(module, tuple(make() for make in inputs.values()), dynamo=True, verbose=False)
    program.save(folder / f"{name}.torch.onnx", external_data=True)
    print(f"{name}: {len(program.model.graph)} nodes, {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    export_all(export, NETWORKS)
