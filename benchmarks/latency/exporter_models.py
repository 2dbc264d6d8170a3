#!/usr/bin/env python3
"""Exports the networks of architectures.py by the Python package jax2onnx to FOLDER/NAME.exporter.onnx.

exporter_models.py FOLDER [NAME...]
"""

import pathlib
import sys
import time

import jax
import numpy as np
from architectures import ARCHITECTURES
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


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or ARCHITECTURES:
        try:
            export(name, folder)
        except Exception as problem:
            print(f"{name}: {type(problem).__name__}: {str(problem)[:300]}", flush=True)


if __name__ == "__main__":
    main()
