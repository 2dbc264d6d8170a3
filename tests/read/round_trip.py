#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads, writes and optimizes the models of other tests again.

    round_trip.py --tool build/release/tests/round_trip [--cli build/release/jax2onnx] [--count 200] [--verbose]

The largest texts of tests/numeric and tests/golden are converted; each model is read, written, optimized and
written. The model that was only read and written must give the same bits in ONNX Runtime. So must the optimized one,
which must not have more nodes.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import recorded
import run as numeric


def texts():
    """Recorded cases and texts of goldens, largest first."""
    found = [case for case in recorded.cases() if not case.entry.get("xfail")]
    found += map(recorded.from_file, sorted((root / "tests/golden").rglob("*.jaxpr")))
    return sorted(found, key=lambda case: -len(case.text))


def random_inputs(path):
    """Random inputs of the model's types; symbolic extents are 3."""
    random, inputs = np.random.default_rng(0), []
    for value in onnx.load(path, load_external_data=False).graph.input:
        tensor = value.type.tensor_type
        extents = [d.dim_value if d.HasField("dim_value") else 3 for d in tensor.shape.dim]
        numbers = random.standard_normal(extents) * 2
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        inputs.append(np.abs(numbers).astype(dtype) if dtype.kind == "u" else numbers.astype(dtype))
    return inputs


def same_bits(ours, theirs):
    return len(ours) == len(theirs) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(ours, theirs)
    )


def problem(case, models, said):
    """The problem of a model, or None."""
    before, _, after = said.partition(" ")
    if not before.isdigit():
        return said
    if int(after) > int(before):
        return f"optimize makes {after} nodes of {before}"
    try:
        inputs = case.inputs() if case.entry else random_inputs(models[0])
        count = len(onnx.load(models[0], load_external_data=False).graph.output)
        first, *others = (numeric.run(numeric.load(m), inputs, count) for m in models)
    except numeric.failure as e:
        return str(e).splitlines()[0][:300]
    for what, outputs in zip(("written", "optimized"), others):
        if not same_bits(outputs, first):
            return f"the model that was {what} computes something else"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = []
        for case in texts():
            models = [pathlib.Path(folder) / f"{len(chosen)}{kind}.onnx" for kind in ("", ".written", ".optimized")]
            try:
                numeric.convert(case.extract(models[0].parent), models[0], options.cli, case.options)
            except numeric.failure:
                continue  # a golden of an error
            chosen.append((case, models))
            if len(chosen) == options.count:
                break
        lines = "".join(" ".join(map(str, models)) + "\n" for _, models in chosen)
        done = subprocess.run([options.tool], input=lines, capture_output=True, text=True, check=False)
        said = done.stdout.splitlines()
        if done.returncode or len(said) != len(chosen):
            sys.exit(f"{options.tool} ended with {done.returncode} at model {len(said)}: {done.stderr[-500:]}")
        wrong = 0
        for (case, models), line in zip(chosen, said):
            why = problem(case, models, line)
            wrong += why is not None
            if why or options.verbose:
                print(f"{case}: {why or line}")
    print(f"{len(chosen)} models, {wrong} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
