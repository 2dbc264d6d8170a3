#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the conversion time of this project's tool with that of the Python package jax2onnx, which traces itself.

    pip install jax jax2onnx && python benchmarks/against_exporter.py [--cli build/release/jax2onnx]

The tool's time includes make_jaxpr, printing, writing the files and starting the process. Prints
only a note if the package is missing.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax2onnx import to_onnx
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

weights = [np.random.default_rng(0).standard_normal((64, 64), "f4") for _ in range(8)]


def mlp(x):
    for w in weights:
        x = jnp.tanh(x @ w)
    return x


def softmax(x):
    return jax.nn.softmax(x @ weights[0], axis=-1)


def chain(length):
    def function(x):
        for _ in range(length):
            x = jnp.tanh(x + 1.0)
        return x

    return function


functions = {"softmax": softmax, "mlp of 8 layers": mlp, "chain of 200": chain(200), "chain of 2000": chain(2000)}


def by_tool(function, x, cli, folder):
    closed = jax.make_jaxpr(function)(x)
    (folder / "m.jaxpr").write_text(str(closed))
    np.savez(folder / "w.npz", *closed.consts)
    options = ["-w", folder / "w.npz"] if closed.consts else []
    subprocess.run([cli, folder / "m.jaxpr", *options, "-o", folder / "m.onnx", "-q"], check=True)


def by_exporter(function, x, cli, folder):
    to_onnx(function, [x.shape], return_mode="file", output_path=str(folder / "theirs.onnx"))


def seconds(convert, *arguments):
    convert(*arguments)  # once to warm up
    times = []
    for _ in range(3):
        start = time.perf_counter()
        convert(*arguments)
        times.append(time.perf_counter() - start)
    return sorted(times)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=pathlib.Path(__file__).resolve().parents[1] / "build/release/jax2onnx")
    cli = parser.parse_args().cli
    x = np.ones((4, 64), "f4")
    print(f"{'function':20} {'this tool':>12} {'Python':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name, function in functions.items():
            ours, theirs = (seconds(c, function, x, cli, pathlib.Path(folder)) for c in (by_tool, by_exporter))
            print(f"{name:20} {1e3 * ours:9.1f} ms {1e3 * theirs:9.1f} ms")


if __name__ == "__main__":
    main()
