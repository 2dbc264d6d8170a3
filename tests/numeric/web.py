#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the recorded cases in ONNX Runtime Web and compares with JAX's results.

    (cd web && npm ci --ignore-scripts) && web.py [FAMILY...] [--provider wasm|webgpu] [--cli build/release/jax2onnx]
    [--only REGEX] [--args "--target web"] [--every N] [--verbose]

Cases that also fail in ONNX Runtime's Python package are not counted. --every takes a sample of one case in N.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import recorded
import run

# ONNX's codes and the names of ONNX Runtime Web
TYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64",
}  # fmt: skip


class prepared:
    """A converted case on inputs of one size: files for the runtime, and JAX's results."""

    def __init__(self, case, model, record):
        self.name, self.entry, self.model = f"{case}{record}", case.entry, model
        self.inputs = list(map(run.plain, case.inputs(record)))
        self.wanted = case.outputs(record)
        self.results = model.with_suffix(f".results{record}")

    def job(self):
        loaded = onnx.load(self.model, load_external_data=False)
        feeds = []
        for i, (declared, array) in enumerate(zip(loaded.graph.input, self.inputs)):
            file = pathlib.Path(f"{self.results}.in{i}")
            file.write_bytes(np.ascontiguousarray(array).tobytes())
            kind = TYPES[declared.type.tensor_type.elem_type]
            feeds.append({"name": declared.name, "type": kind, "dims": array.shape, "file": str(file)})
        return {"model": str(self.model), "feeds": feeds, "results": str(self.results)}

    def problem(self, outcome):
        if "problem" in outcome:
            return outcome["problem"]
        data, at = self.results.read_bytes(), 0
        try:
            for i, (output, want) in enumerate(zip(outcome["outputs"], self.wanted)):
                dtype = np.dtype(output["type"])
                count = int(np.prod(output["dims"], dtype=int))
                got = np.frombuffer(data, dtype, count, at).reshape(output["dims"])
                at += got.nbytes
                run.compare(f"output {i}", got, want, self.entry)
        except run.failure as different:
            return str(different)
        return None


def cases(options, scratch):
    """The cases for which ONNX Runtime's Python package gives JAX's results, and the number of the others."""
    found, others = [], 0
    for case in recorded.cases(options.families):
        if case.entry.get("xfail") or not re.search(options.only, case.name) or not case.in_sample(options.every):
            continue
        model = scratch / f"{case}.onnx"
        try:
            run.check(case, model, options)
        except run.failure:
            others += 1
            continue
        loaded = onnx.load(model)
        run.add_casts(loaded.graph)
        onnx.save(loaded, model)
        found += [prepared(case, model, record) for record in case.records]
    return found, others


def outcomes(jobs, scratch, provider):
    """The runtime's answer for each job. After a model that crashes it, a new process continues."""
    listed = scratch / "models.json"
    listed.write_text(json.dumps(jobs))
    found = []
    while len(found) < len(jobs):
        command = ["node", run.here / "web_runtime.mjs", provider, str(len(found)), listed]
        done = subprocess.run(command, capture_output=True, text=True)
        found += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if len(found) < len(jobs):
            found.append({"problem": f"ends the process: {done.stderr.strip()[-200:]}"})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: all")
    parser.add_argument("--provider", choices=["wasm", "webgpu"], default="wasm")
    parser.add_argument("--cli", default=run.here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--args", default="--target web", help="arguments of the tool")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--verbose", action="store_true", help="every problem, not only kinds of problems")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        found, others = cases(options, scratch)
        problems = {}
        for one, outcome in zip(found, outcomes([one.job() for one in found], scratch, options.provider)):
            if problem := one.problem(outcome):
                problems[one.name] = problem
    if options.verbose:
        print("\n".join(f"{name}: {problem}" for name, problem in problems.items()))
    kinds = collections.Counter(re.sub(r"'[^']*'|\d+|\[.*?\]", "*", problem)[:160] for problem in problems.values())
    print("\n".join(f"{count} {kind}" for kind, count in kinds.most_common(40)))
    print(f"{len(found) - len(problems)} of {len(found)} run; {others} do not in the Python package")
    return 1 if problems or not found else 0


if __name__ == "__main__":
    sys.exit(main())
