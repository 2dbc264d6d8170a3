#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports the networks of architectures.py with the Python package jax2onnx to FOLDER/NAME.exporter.onnx.

exporter_models.py FOLDER [NAME...]
"""

import time

import jax
import numpy as np
from architectures import ARCHITECTURES
from configurations import export_all
from jax2onnx import to_onnx


def export(name, folder):
    function, arguments = ARCHITECTURES[name]()
    leaves, tree = jax.tree.flatten(arguments)

    def flat(*values):
        return tuple(jax.tree.leaves(function(*jax.tree.unflatten(tree, values))))

    specs = [jax.ShapeDtypeStruct(np.shape(x), np.asarray(x).dtype) for x in leaves]
    begin = time.perf_counter()
    to_onnx(flat, specs, return_mode="file", output_path=str(folder / f"{name}.exporter.onnx"))
    print(f"{name}: {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    export_all(export, ARCHITECTURES)
