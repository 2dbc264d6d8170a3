#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports the networks of networks.py with torch.onnx: FOLDER/NAME.torch.static.onnx and FOLDER/NAME.torch.batch.onnx.

from_torch.py FOLDER
"""

import sys

import torch
import transformers as hf
from networks import BATCHES, NETWORKS, save


class one_result(torch.nn.Module):
    """A network that returns one of its results."""

    def __init__(self, network, result, names):
        super().__init__()
        self.network, self.result, self.names = network, result, names

    def forward(self, *arguments):
        return self.network(**dict(zip(self.names, arguments)))[self.result]


def export(name, folder):
    network = NETWORKS[name]
    network.config.use_cache = False
    network.config._attn_implementation = "eager"  # as in benchmarks/latency/torch_models.py
    torch.manual_seed(0)
    module = one_result(getattr(hf, network.model)(network.config), network.result, network.inputs).eval()
    for kind, batch in BATCHES.items():
        arrays = network.arrays(batch)
        inputs = tuple(map(torch.tensor, arrays))
        path = f"{folder}/{name}.torch.{kind}.onnx"
        sizes = (tuple({0: torch.export.Dim("B")} for _ in inputs),) if kind == "batch" else None
        try:
            program = torch.onnx.export(module, inputs, dynamo=True, dynamic_shapes=sizes, verbose=False)
        except Exception as problem:  # torch.export throws exceptions of several types
            print(f"{name}, {kind}: {type(problem).__name__}: {str(problem)[:300]}", file=sys.stderr)
            continue
        program.save(path)
        with torch.no_grad():
            save(path, arrays, [module(*inputs).numpy()])


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in NETWORKS:
        export(name, sys.argv[1])
