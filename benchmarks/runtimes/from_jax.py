#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts the networks of networks.py with jax2onnx: FOLDER/NAME.jax.static.onnx and FOLDER/NAME.jax.batch.onnx.

from_jax.py FOLDER [--args "--target ort"] [--cli build/release/jax2onnx]
"""

import argparse
import pathlib
import shlex
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import transformers as hf
from flax import linen as nn

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / folder) for folder in ("examples", "tests/models", "tests/numeric")]

from networks import BATCHES, IMAGE, LENGTH, NETWORKS, save

import export
from zoo import filled


class ConvNext(nn.Module):
    """ConvNeXt, which Hugging Face lacks for Flax."""

    config: object

    @nn.compact
    def __call__(self, x):
        x = nn.LayerNorm(epsilon=1e-6)(nn.Conv(self.config.hidden_sizes[0], (4, 4), (4, 4), name="patches")(x))
        for stage, (width, depth) in enumerate(zip(self.config.hidden_sizes, self.config.depths)):
            if stage > 0:
                x = nn.Conv(width, (2, 2), (2, 2))(nn.LayerNorm(epsilon=1e-6)(x))
            for block in range(depth):
                y = nn.LayerNorm(epsilon=1e-6)(nn.Conv(width, (7, 7), feature_group_count=width)(x))
                y = nn.Dense(width)(nn.gelu(nn.Dense(4 * width)(y), approximate=False))
                x += y * self.param(f"scale_{stage}_{block}", nn.initializers.ones, (width,))
        return nn.Dense(self.config.num_labels)(nn.LayerNorm(epsilon=1e-6)(x.mean((1, 2))))


def function_of(name):
    """The network as a function of inputs in PyTorch's layout."""
    network = NETWORKS[name]
    if name == "convnext":
        net = ConvNext(network.config)
        image = jnp.zeros((1, IMAGE, IMAGE, 3))
        weights = filled(jax.eval_shape(lambda: net.init(jax.random.key(0), image)))
        return lambda pixels: net.apply(weights, pixels.transpose(0, 2, 3, 1))
    shape = (1, IMAGE, IMAGE, 3) if network.inputs == ["pixel_values"] else (1, LENGTH)
    options = {} if name == "t5" else {"input_shape": shape}
    net = getattr(hf, f"Flax{network.model}")(network.config, _do_init=False, seed=0, **options)
    net._is_initialized = True
    net.params = filled(net.params_shape_tree)
    return lambda *inputs: net(**dict(zip(network.inputs, inputs)))[network.result]


def shapes(arrays, kind):
    if kind == "static":
        return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arrays]
    scope = jax.export.SymbolicScope()
    return [export.symbolic(",".join(["B", *map(str, a.shape[1:])]), a.dtype, scope) for a in arrays]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--args", default="", help="arguments of the tool")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, network in NETWORKS.items():
        function = function_of(name)
        for kind, batch in BATCHES.items():
            arrays = [a.astype("i4") if a.dtype.kind == "i" else a for a in network.arrays(batch)]
            path = f"{options.folder}/{name}.jax.{kind}"
            command = shlex.split(export.save(path, function, *shapes(arrays, kind)))[1:]
            command = [options.cli, *command, *shlex.split(options.args), "-o", f"{path}.onnx", "-q"]
            subprocess.run(command, check=True)
            save(f"{path}.onnx", arrays, [np.asarray(function(*arrays))])


if __name__ == "__main__":
    main()
