#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies tools of the ONNX ecosystem to the models of recorded cases, runs the results in ONNX Runtime, compares with
JAX's results, and fails if fewer are right than tools.toml says (docs/runtimes.md).

    tools.py [FAMILY...] [--tool NAME]... [--python build/tools/bin/python] [--cli build/release/jax2onnx]
    [--only REGEX] [--args "--target ort"] [--every N] [--verbose]

Quantizers and the conversion to float16 change numbers, by at most the tolerances in tools.toml. They are applied to
the models of networks and gradients that multiply by a constant matrix and have finite values. The other tools are
applied to these models and to a sample of one in N of the rest.
"""

import argparse
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np
import onnx
import tomllib

import other_tool
import recorded
import run
import runtimes

runtimes.SECONDS = 60  # a process of them imports much before its first model

FAMILIES = ["models", "gradients", "control", "libraries"]
LAYERS = FAMILIES[:2]  # families in which constant matrices are weights


class sample:
    """A converted case with its inputs of each recorded size."""

    def __init__(self, case, model):
        self.name = f"{case}"
        self.prepared = [runtimes.prepared(case, model, record) for record in case.records]
        values = [x for record in case.records for x in case.inputs(record) + case.outputs(record)]
        has_layers = case.family in LAYERS and other_tool.dense_weights(onnx.load(model))
        self.quantizable = bool(has_layers) and all(map(finite, values))


def finite(array):
    return array.dtype.kind in "biu" or (array.dtype.kind == "f" and np.isfinite(array).all())


def samples(options, scratch):
    """The sampled cases for which ONNX Runtime gives JAX's results."""
    for case in recorded.cases(options.families or FAMILIES):
        if case.entry.get("xfail") or not re.search(options.only, case.name):
            continue
        model = scratch / f"{case}.onnx"
        try:
            run.check(case, model, options)
        except run.failure:
            continue
        found = sample(case, model)
        if found.quantizable or case.in_sample(options.every):
            yield found


def distance(prepared):
    """The distance of results from JAX's, relative to their norm; the maximum over the outputs."""
    return max(
        np.linalg.norm(got.astype("f8") - want) / max(np.linalg.norm(want.astype("f8")), 1e-3)
        for got, want in zip(prepared.results(), prepared.wanted, strict=True)
    )


def judged(tool, found, options, scratch, tolerance):
    """The problems of a tool's models, and with a tolerance their distances from JAX, by the names of the cases."""
    jobs = [(one.name, prepared) for one in found for prepared in one.prepared]
    said = runtimes.outcomes(tool, [prepared.job for _, prepared in jobs], scratch, options.python, "other_tool.py")
    problems, distances = {}, {}
    for (name, prepared), outcome in zip(jobs, said):
        problem = None
        if tolerance is None or outcome["problem"]:
            problem = prepared.problem(outcome)
        else:
            distances[name] = max(distance(prepared), distances.get(name, 0))
            if distances[name] > tolerance:
                problem = f"wrong: differs by {distances[name]:.2g} of the norm"
        if problem:
            problems[name] = problem
    return problems, distances


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = run.here.parents[1]
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: models gradients control libraries")
    parser.add_argument("--tool", action="append", choices=other_tool.TOOLS, help="default: all")
    parser.add_argument("--python", default=root / "build/tools/bin/python")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--args", default="", help="arguments of the converter")
    parser.add_argument("--every", type=int, default=6, metavar="N", help="takes one in N of the other cases [6]")
    parser.add_argument("--verbose", action="store_true", help="every problem, not only kinds of problems")
    options = parser.parse_args()
    limits = tomllib.loads((run.here / "tools.toml").read_text())
    too_few = False
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        found = list(samples(options, scratch))
        for tool in options.tool or other_tool.TOOLS:
            tolerance = limits["tolerance"].get(tool)
            taken = [one for one in found if one.quantizable or tolerance is None]
            wrong, distances = judged(tool, taken, options, scratch, tolerance)
            runtimes.show(wrong, options.verbose)
            kept = len(taken) - len(wrong)
            far = [distances[name] for name in distances if name not in wrong]
            errors = f"; distance {statistics.median(far):.1e} in the median, {max(far):.1e} at most" if far else ""
            print(f"{tool}: {kept} of {len(taken)} are kept{errors}", flush=True)
            sampled = options.every == 6 and not options.families and not options.only
            too_few |= kept < limits["at_least"][tool] and sampled
    return 1 if too_few or not found else 0


if __name__ == "__main__":
    sys.exit(main())
