#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory of conversions: memory.py [--conversions 10000] [--gigabytes 2]. Needs the package and JAX, on Linux.

Prints the resident memory after every tenth of the conversions, and fails if the last half grows. Then converts a
function with large weights, saves the model, and prints the peak of the memory without the weights.
"""

import argparse
import os
import resource
import sys
import tempfile

import jax.numpy as jnp
import numpy as np

from jax2onnx_cpp import _core, to_onnx

MB = 1 << 20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversions", type=int, default=10000)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    options = parser.parse_args()
    above = large(options.gigabytes)
    print(f"{options.gigabytes} GB of weights: {above / MB:.0f} MB above them at the peak")
    seen = repeated(options.conversions)
    print("resident MB:", " ".join(f"{size / MB:.1f}" for size in seen))
    growth = seen[-1] - seen[len(seen) // 2]
    return int(growth > 4 * MB or above > 64 * MB)


def repeated(count):
    """Resident memory after each tenth of the conversions. All conversions use one trace, since JAX keeps every
    trace."""
    kernel = np.ones((64, 64), "float32")
    text, seen = to_onnx(lambda x: jnp.tanh(x @ kernel) + 1, "B,64").jaxpr, []
    settings = dict(options=[("target", "ort")], input_names=[], output_names=[], operators=[], applied=set())
    for i in range(count):
        weights = [("kernel", "float32", "f", [64, 64], 4, np.ones((64, 64), "float32"))]
        model = _core.convert(text, weights, progress=None, **settings)
        model.encode("")
        if (i + 1) % max(1, count // 10) == 0:
            seen.append(resident())
    return seen


def large(gigabytes):
    """The peak of the memory that a conversion and the writing of its model add to the resident memory."""
    arrays = [jnp.full((1024, MB // 4), i, "float32") for i in range(int(gigabytes))]
    f = lambda x: sum(x @ array for array in arrays)
    to_onnx(lambda x: x + 1, "3").to_bytes()  # so that imports are not measured
    with tempfile.TemporaryDirectory() as folder:
        before = resident()
        reset_peak()
        model = to_onnx(f, "B,1024")
        model.save(os.path.join(folder, "model.onnx"), external_data=True)
        assert model.report["weight_bytes"] == sum(array.nbytes for array in arrays)
        return peak() - before


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024


if __name__ == "__main__":
    sys.exit(main())
