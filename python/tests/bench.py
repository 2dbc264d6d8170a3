#!/usr/bin/env python3
"""What to_onnx adds to JAX's own trace and print: bench.py [EQUATIONS...], by default 300, 3,000 and 30,000.

Needs the package jax2onnx_cpp and JAX.
"""

import sys
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


def main():
    to_onnx(function(3), "B,64")  # imports
    print("equations   trace s   print s   beyond s   beyond %")
    for equations in list(map(int, sys.argv[1:])) or [300, 3000, 30000]:
        f = function(equations)
        start = time.perf_counter()
        model = to_onnx(f, "B,64")
        total = time.perf_counter() - start
        seconds = model.report["seconds"]
        jax_alone = seconds["trace"] + seconds["print"]
        beyond = total - jax_alone
        print(
            f"{model.report['equations']:9} {seconds['trace']:9.3f} {seconds['print']:9.3f}"
            f" {beyond:10.3f} {100 * beyond / jax_alone:10.1f}"
        )


if __name__ == "__main__":
    main()
