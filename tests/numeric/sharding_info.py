#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that onnx can read the output of `--sharding-info on`: the devices, and the ShardingSpecs of nodes.

sharding_info.py [--cli build/release/jax2onnx]
"""

import argparse
import pathlib
import subprocess
import tempfile

import onnx

here = pathlib.Path(__file__).resolve().parent
TEXT = """{ lambda ; a:f32[8,6] b:f32[6,4]. let
    c:f32[6,4] = sharding_constraint[
      sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)), spec=P(None, 'y'))
    ] b
    d:f32[8,4] = dot_general[dimension_numbers=(([1], [0]), ([], []))] a c
    e:f32[8,4] = sharding_constraint[
      sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)), spec=P('x', 'y'))
    ] d
    f:f32[8,4] = sharding_constraint[
      sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)), spec=P())
    ] e
    g:f32[8,4] = tanh f
  in (g,) }
"""


def stated(node):
    """A node's statement about each tensor: devices, groups of devices, and axes with their numbers of parts."""
    (configuration,) = node.device_configurations
    assert configuration.configuration_id == "devices"
    return {
        spec.tensor_name: (
            list(spec.device),
            {entry.key: list(entry.value) for entry in spec.index_to_device_group_map},
            [(d.axis, [s.num_shards for s in d.simple_sharding]) for d in spec.sharded_dim],
        )
        for spec in configuration.sharding_spec
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=here.parents[1] / "build/release/jax2onnx")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text, model = pathlib.Path(folder) / "m.jaxpr", pathlib.Path(folder) / "m.onnx"
        text.write_text(TEXT)
        subprocess.run([options.cli, text, "-o", model, "--quiet", "--sharding-info", "on"], check=True)
        onnx.checker.check_model(model, full_check=True)
        made = onnx.load(model)
    (devices,) = made.configuration
    assert (made.ir_version, devices.name, devices.num_devices) == (11, "devices", 8)
    product, tanh = made.graph.node
    columns = ([-1, -2, -3, -4], {-1: [0, 4], -2: [1, 5], -3: [2, 6], -4: [3, 7]}, [(1, [4])])
    tiles = (list(range(8)), {}, [(0, [2]), (1, [4])])
    assert stated(product) == {"input_1": columns, product.output[0]: tiles}, stated(product)
    assert stated(tanh) == {product.output[0]: (list(range(8)), {}, [])}, stated(tanh)
    print("passed")


if __name__ == "__main__":
    main()
