#!/usr/bin/env python3
"""Models that other tests make, read and written again, and optimized again.

    round_trip.py --tool build/release/tests/round_trip [--cli build/release/jax2onnx] [--count 200] [--verbose]

The largest texts of tests/numeric/data and tests/golden are converted; each model is read, written, optimized and
written. The model that was only read and written has to give the same bits in ONNX Runtime; the optimized one, too, and
it must not have more nodes.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import run as numeric


def texts():
    """(size, text without its ending, recorded case or None), largest first."""
    found = []
    for family in sorted((root / "tests/numeric/data").iterdir()):
        for name, entry in json.loads((family / "cases.json").read_text()).items():
            if not entry.get("xfail"):
                case = family / name
                found.append((pathlib.Path(f"{case}.jaxpr").stat().st_size, case, entry))
    for text in sorted((root / "tests/golden").rglob("*.jaxpr")):
        found.append((text.stat().st_size, text.with_suffix(""), {}))
    return sorted(found, key=lambda t: -t[0])


def random_inputs(path):
    """Inputs of a model's types; symbolic extents are 3."""
    random, inputs = np.random.default_rng(0), []
    for value in onnx.load(path, load_external_data=False).graph.input:
        tensor = value.type.tensor_type
        extents = [d.dim_value if d.HasField("dim_value") else 3 for d in tensor.shape.dim]
        numbers = random.standard_normal(extents) * 2
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        inputs.append(np.abs(numbers).astype(dtype) if dtype.kind == "u" else numbers.astype(dtype))
    return inputs


def inputs_of(case, entry, model):
    if not entry:
        return random_inputs(model)
    with np.load(f"{case}.npz") as arrays:
        return [numeric.typed(arrays[f"in{i}"], t) for i, t in enumerate(entry["inputs"])]


def same_bits(ours, theirs):
    return len(ours) == len(theirs) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(ours, theirs)
    )


def problem(case, entry, models, said):
    """What is wrong with a model, or None."""
    before, _, after = said.partition(" ")
    if not before.isdigit():
        return said
    if int(after) > int(before):
        return f"optimize makes {after} nodes of {before}"
    try:
        inputs = inputs_of(case, entry, models[0])
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
        for _, case, entry in texts():
            models = [pathlib.Path(folder) / f"{len(chosen)}{kind}.onnx" for kind in ("", ".written", ".optimized")]
            try:
                numeric.convert(case, models[0], options.cli, entry.get("args", "").split())
            except numeric.failure:
                continue  # goldens of errors
            chosen.append((case, entry, models))
            if len(chosen) == options.count:
                break
        lines = "".join(" ".join(map(str, models)) + "\n" for _, _, models in chosen)
        done = subprocess.run([options.tool], input=lines, capture_output=True, text=True, check=False)
        said = done.stdout.splitlines()
        if done.returncode or len(said) != len(chosen):
            sys.exit(f"{options.tool} ended with {done.returncode} at model {len(said)}: {done.stderr[-500:]}")
        wrong = 0
        for (case, entry, models), line in zip(chosen, said):
            why = problem(case, entry, models, line)
            wrong += why is not None
            if why or options.verbose:
                print(f"{case.relative_to(root)}: {why or line}")
    print(f"{len(chosen)} models, {wrong} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
