#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the models of from_jax.py and from_torch.py in runtimes other than ONNX Runtime, and prints a table of those
that run and compute the same results as JAX, or PyTorch.

    runs_in.py FOLDER [--runtime NAME]... [--python PYTHON] [--only REGEX]
"""

import argparse
import pathlib
import re
import sys
import tempfile

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import runtimes

RUNTIMES = {"openvino": "OpenVINO", "tract": "tract", "rten": "rten", "mnn": "MNN", "tvm": "TVM"}
KINDS = ["jax.static", "torch.static", "jax.batch", "torch.batch"]


def arrays(path):
    with np.load(path) as stored:
        return [stored[name] for name in stored.files]


def problem(job, outcome):
    if outcome["problem"]:
        return outcome["problem"]
    for got, wanted in zip(arrays(job["results"]), arrays(job["wanted"]), strict=True):
        if got.shape != wanted.shape or not np.allclose(got, wanted, 1e-3, 1e-3 * np.abs(wanted).max()):
            return f"wrong: {got.shape} {got.flat[0]}, wanted {wanted.shape} {wanted.flat[0]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runtime", action="append", choices=RUNTIMES, help="default: all")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="", metavar="REGEX")
    options = parser.parse_args()
    print("| runtime |", " | ".join(KINDS), "|\n| --- |", "---: | " * len(KINDS))
    for runtime in options.runtime or RUNTIMES:
        row = []
        for kind in KINDS:
            models = sorted(m for m in options.folder.glob(f"*.{kind}.onnx") if re.search(options.only, m.name))
            ends = {"inputs": "in.npz", "results": "out.npz", "wanted": "wanted.npz"}
            jobs = [{"model": str(m)} | {key: f"{m}.{end}" for key, end in ends.items()} for m in models]
            with tempfile.TemporaryDirectory() as scratch:
                said = runtimes.outcomes(runtime, jobs, pathlib.Path(scratch), options.python)
            problems = {m.name: wrong for m, job, one in zip(models, jobs, said) if (wrong := problem(job, one))}
            for name, wrong in problems.items():
                print(f"{runtime}: {name}: {wrong}", file=sys.stderr, flush=True)
            row.append(f"{len(models) - len(problems)} of {len(models)}")
        print(f"| {RUNTIMES[runtime]} |", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
