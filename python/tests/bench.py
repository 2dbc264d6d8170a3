#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time that to_onnx adds to tracing and printing.

    bench.py [EQUATIONS...] [--peer MOST], by default 300, 3,000, 30,000.

Prints the least time of five runs, or the time of one run above 10,000 equations; with --peer, also the time of the
package jax2onnx for up to MOST equations. Needs the package jax2onnx_cpp and JAX.
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

from jax2onnx_cpp import to_onnx

kernels = [jnp.asarray(np.random.default_rng(i).standard_normal((64, 64), "float32")) for i in range(10)]


def function(equations):
    """Layers of three equations: dot_general, add, tanh."""

    def f(x):
        for i in range(equations // 3):
            x = jnp.tanh(jax.lax.dot(x, kernels[i % len(kernels)]) + i)
        return x

    return f


def peer_seconds(f):
    import jax2onnx

    start = time.perf_counter()
    jax2onnx.to_onnx(f, [("B", 64)])
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("equations", nargs="*", type=int, default=[300, 3000, 30000])
    parser.add_argument("--peer", type=int, default=0, metavar="MOST")
    options = parser.parse_args()
    to_onnx(function(3), "B,64")  # so that imports are not measured
    if options.peer:
        peer_seconds(function(3))
    print("equations   trace s   print s   beyond s   beyond %    total s" + "  jax2onnx s" * bool(options.peer))
    for equations in options.equations:
        runs = [measured(equations) for _ in range(1 if equations > 10000 else 5)]
        count = runs[0][0]
        trace, printing, total = (min(column) for column in list(zip(*runs))[1:])
        beyond = min(total - trace - printing for _, trace, printing, total in runs)
        peer = f" {peer_seconds(function(equations)):10.3f}" if equations <= options.peer else ""
        print(
            f"{count:9} {trace:9.3f} {printing:9.3f} {beyond:10.3f} {100 * beyond / (trace + printing):10.1f}"
            f" {total:10.3f}{peer}",
            flush=True,
        )


def measured(equations):
    """The number of equations, the seconds of tracing, the seconds of printing, and the seconds in all."""
    f = function(equations)
    start = time.perf_counter()
    model = to_onnx(f, "B,64")
    total = time.perf_counter() - start
    seconds = model.report["seconds"]
    return model.report["equations"], seconds["trace"], seconds["print"], total


if __name__ == "__main__":
    main()
