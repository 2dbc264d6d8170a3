#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts the files that trace.py saved, runs the models in ONNX Runtime and compares with JAX: compare.py DIR."""

import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import recorded
import run


def main():
    folder, problems = pathlib.Path(sys.argv[1]), 0
    for case in recorded.cases(["export"], data=folder):
        base = folder / case.name
        source, model = [f"{base}.jaxpr", "-w", f"{base}.safetensors"], folder / f"{case.name}.onnx"
        try:
            run.convert(source, model, root / "build/release/jax2onnx", [])
            run.check_outputs(case, run.load(model))
            print(f"pass  {case}")
        except run.failure as problem:
            problems += 1
            print(f"{case}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
