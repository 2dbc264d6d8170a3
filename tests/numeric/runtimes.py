#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs recorded cases in runtimes other than ONNX Runtime, compares with JAX's results, and fails if fewer are
right than runtimes.toml says (docs/runtimes.md).

    runtimes.py [FAMILY...] [--runtime NAME]... [--python build/runtimes/bin/python] [--cli build/release/jax2onnx]
    [--only REGEX] [--args "--target tract"] [--every N] [--verbose]

Results are compared by value: MNN has neither float64 nor int64. Cases that also fail in ONNX Runtime are not counted.
"""

import argparse
import collections
import json
import pathlib
import re
import select
import subprocess
import sys
import tempfile

import numpy as np
import tomllib

import recorded
import run

RUNTIMES = ["openvino", "tract", "mnn"]
FAMILIES = ["models", "linear", "libraries"]
SECONDS = 10  # limit for a model


class prepared:
    """A converted case on inputs of one size: files for the runtimes, and JAX's results."""

    def __init__(self, case, model, record=""):
        self.name, self.entry = f"{case}", case.entry
        self.wanted = case.outputs(record)
        self.job = {"model": str(model), "inputs": f"{model}.in{record}.npz", "results": f"{model}.out{record}.npz"}
        np.savez(self.job["inputs"], *map(run.plain, case.inputs(record)))

    def results(self):
        with np.load(self.job["results"]) as results:
            return [results[key] for key in results.files]

    def problem(self, outcome):
        if outcome["problem"]:
            return outcome["problem"]
        try:
            for i, (found, want) in enumerate(zip(self.results(), self.wanted, strict=True)):
                run.compare(f"output {i}", found.astype(run.plain(want).dtype), want, self.entry)
        except (run.failure, ValueError) as different:
            return f"wrong: {different}"
        return None


def cases(options, scratch):
    """The sampled cases for which ONNX Runtime gives JAX's results."""
    found = []
    for case in recorded.cases(options.families or FAMILIES):
        if case.entry.get("xfail") or not re.search(options.only, case.name) or not case.in_sample(options.every):
            continue
        try:
            run.check(case, scratch / f"{case}.onnx", options)
            found.append(prepared(case, scratch / f"{case}.onnx"))
        except run.failure:
            pass
    return found


def answers(command):
    """The lines of a process, until it ends or prints nothing for SECONDS."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as process:
        while select.select([process.stdout], [], [], SECONDS)[0] and (line := process.stdout.readline()):
            yield json.loads(line)
        process.kill()


def outcomes(runtime, jobs, scratch, python, script="other_runtime.py"):
    """A runtime's answer for each job. After a model that crashes it or takes too long, a new process continues."""
    listed, found = scratch / "jobs.json", []
    listed.write_text(json.dumps(jobs))
    while len(found) < len(jobs):
        found += answers([python, run.here / script, runtime, listed, str(len(found))])
        if len(found) < len(jobs):
            found.append({"problem": "ends the process, or takes too long"})
    return found


def show(problems, verbose):
    """Prints problems by the names of their cases, or the number of each kind."""
    kinds = collections.Counter(re.sub(r"'[^']*'|\d+|\[.*?\]", "*", p)[:100] for p in problems.values())
    shown = problems.items() if verbose else [(n, kind) for kind, n in kinds.most_common(8)]
    for name, problem in shown:
        print(f"  {name}: {problem}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = run.here.parents[1]
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: models linear libraries")
    parser.add_argument("--runtime", action="append", choices=RUNTIMES, help="default: all")
    parser.add_argument("--python", default=root / "build/runtimes/bin/python")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--args", default="", help="arguments of the tool")
    parser.add_argument("--every", type=int, default=6, metavar="N", help="takes one case in N [6]")
    parser.add_argument("--verbose", action="store_true", help="every problem, not only kinds of problems")
    options = parser.parse_args()
    at_least = tomllib.loads((run.here / "runtimes.toml").read_text())["at_least"]
    too_few = False
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        found = cases(options, scratch)
        for runtime in options.runtime or RUNTIMES:
            said = outcomes(runtime, [case.job for case in found], scratch, options.python)
            problems = {c.name: p for c, s in zip(found, said) if (p := c.problem(s))}
            show(problems, options.verbose)
            right = len(found) - len(problems)
            print(f"{runtime}: {right} of {len(found)} are right", flush=True)
            too_few |= right < at_least[runtime] and options.every == 6 and not options.families
    return 1 if too_few or not found else 0


if __name__ == "__main__":
    sys.exit(main())
