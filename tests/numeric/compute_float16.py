#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts recorded cases with --compute float16: ONNX Runtime must load each model, and its results must be JAX's up
to the digits of float16.

    compute_float16.py [FAMILY...] [--cli build/release/jax2onnx] [--only REGEX] [--every N] [--args "--target ort"]

A result may differ from JAX's by a hundredth of its largest finite number, and must be finite where JAX's is. Integers
and truth values must be equal. --every takes a sample of one case in N.
"""

import argparse
import pathlib
import shlex
import sys
import tempfile

import numpy as np

import recorded
import run

MOST, LEAST = 0.01, 1e-5  # the largest difference: of the largest result, or in all

# Results that depend on digits which float16 lacks.
SENSITIVE = {
    "control/scan.delta_grows": "products of matrices grow beyond 65504",
    "control/scan.memory_bonus": "rounded keys are matched with values for many steps",
    "jax_0_12/scan.grad": "derivatives of a long recurrence",
    "jax_0_12/scan.symbolic_grad": "derivatives of a long recurrence",
    "linalg/svd.complex64_two_by_two_values": "entries beyond 65504",
    **{
        f"linear/reduce_window_max.nan_after_relu_{t}": "inputs beyond 65504"
        for t in ("bfloat16", "float32", "opset_18")
    },
    "linalg/tridiagonal_solve.small_pivots": "divides by pivots that cancel",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: all")
    parser.add_argument("--data", type=pathlib.Path, default=recorded.DATA, metavar="DIR")
    parser.add_argument("--cli", default=run.here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--args", default="", help="further arguments of the tool")
    options = parser.parse_args()
    cases = recorded.cases(options.families, options.only, options.data)
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            if case.entry.get("xfail") or not case.in_sample(options.every):
                continue
            try:
                check(case, pathlib.Path(scratch) / "model.onnx", options)
                passed += 1
            except run.failure as problem:
                failed.append(f"{case}: {problem}")
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


def check(case, model, options):
    arguments = ["--compute", "float16", *shlex.split(options.args), *case.options]
    run.convert(case.extract(model.parent), model, options.cli, arguments)
    session = run.load(model)
    for record in case.records:
        outputs = case.outputs(record)
        for index, (got, want) in enumerate(zip(run.run(session, case.inputs(record), len(outputs)), outputs)):
            problem = difference(got, run.plain(want))
            if problem and f"{case}" not in SENSITIVE:
                raise run.failure(f"output {index}{record}: {problem}")


def difference(got, want):
    """A description of the error of a result; None if it is right."""
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return f"{got.dtype}{list(got.shape)}, JAX has {want.dtype}{list(want.shape)}"
    if got.dtype.kind in "biu":
        return None if (got == want).all() else f"{(got != want).sum()} of {got.size} differ"
    got, want = got.astype("f8"), want.astype("f8")
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True) or not np.isfinite(got[finite]).all():
        return "other numbers are finite"
    far = np.abs(got[finite] - want[finite]).max(initial=0)
    largest = np.abs(want[finite]).max(initial=0)
    return f"differs by {far:.2g}, the largest is {largest:.2g}" if far > max(MOST * largest, LEAST) else None


if __name__ == "__main__":
    sys.exit(main())
