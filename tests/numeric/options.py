#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts recorded cases with combinations of the tool's options: each must give JAX's results or be refused.

    options.py [FAMILY...] [--cli build/release/jax2onnx] [--only REGEX] [--sample N] [--seed 0]

The options: every opset and target, --no-fuse, --unroll 0; for a symbolic case also --dim with the recorded sizes.
Of combinations that give the same bytes, one is run. --sample takes N random ones; all of them take half an hour.

A combination passes as in run.py, or if the tool refuses it with exit code 3. A model for other runtimes (--target
generic) must be valid, and ONNX Runtime without graph optimizations must compute JAX's results if it has all of the
kernels. Some of those ignore NaN, -inf and the sign of 0, which such a model does not avoid.
"""

import argparse
import collections
import hashlib
import itertools
import pathlib
import random
import re
import sys
import tempfile

import onnx

import recorded
import run

# Operators that --target generic leaves to the runtime and that ONNX Runtime computes wrong:
# docs/onnxruntime-defects.md.
WRONG_KERNELS = {"ReduceLogSumExp"}
# Cases with squares over 65504 in float16: ONNX Runtime computes chains of such operators in float32, without rounding
# between them. --target generic leaves that to the runtime.
OVERFLOWING = {"nn.standardize_large_float16"}

TARGETS = [
    "",
    *(f"--target {t}" for t in "generic web ort ort-contrib ort@1.32 openvino tract mnn rten tvm ncnn".split()),
]
OPSETS = [f"--opset {n}" for n in range(17, 29)]
HIGHEST = {"--target web": 26}  # the highest opset that the target loads


def combinations(case):
    """(arguments, the records to which a model with these arguments applies)"""
    fixed = case.entry.get("args", "")
    opsets = [fixed] if "--opset" in fixed else [f"{n} {fixed}" for n in OPSETS]
    sizes = [("", case.records)] + [(fixed_sizes(case, r), [r]) for r in case.records if fixed_sizes(case, r)]
    for parts in itertools.product(opsets, TARGETS, ["", "--no-fuse", "--unroll 0"], sizes):
        *words, (dims, wanted) = parts
        opset = int(re.search(r"--opset (\d+)", words[0])[1])
        if opset > HIGHEST.get(words[1], opset):
            continue
        yield " ".join([*words, dims]).split(), wanted


def fixed_sizes(case, record):
    """--dim for every symbol that is an extent of an input."""
    header = re.match(r"[^;]*;(.*?)\. let", case.text, re.DOTALL)
    inputs = re.findall(r":\w+(?:<\w+>)?(?:\[([^]]*)\])?", header[1]) if header else []
    if len(case.records) == 1 or len(inputs) != len(case.entry["inputs"]):
        return ""
    found = {}
    for extents, array in zip(inputs, case.inputs(record)):
        found |= zip(re.split(r",\s*", extents), array.shape)
    return " ".join(f"--dim {d}={n}" for d, n in found.items() if re.fullmatch(r"[A-Za-z_]\w*", d))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: all")
    parser.add_argument("--data", type=pathlib.Path, default=recorded.DATA, metavar="DIR")
    parser.add_argument("--cli", default=run.here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--sample", type=int, metavar="N", help="so many random combinations")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cases = recorded.cases(options.families, options.only, options.data)
    todo = [(c, *rest) for c in cases if not c.entry.get("xfail") for rest in combinations(c)]
    if options.sample:
        todo = random.Random(options.seed).sample(todo, min(options.sample, len(todo)))
    counts, seen = collections.Counter(), set()
    with tempfile.TemporaryDirectory() as scratch:
        for c, arguments, records in todo:
            try:
                counts[outcome(c, arguments, records, pathlib.Path(scratch) / "model.onnx", options.cli, seen)] += 1
            except run.failure as problem:
                counts["failed"] += 1
                print(f"{c} {' '.join(arguments)}: {problem}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts["failed"] or not counts["passed"] else 0


def operators(model):
    return {node.op_type for node in onnx.load(model).graph.node}


def outcome(c, arguments, records, model, cli, seen):
    try:
        run.convert(c.extract(model.parent), model, cli, arguments)
    except run.failure as problem:
        if str(problem).startswith("exit 3:"):
            return "refused"
        raise
    key = str(c), *records, hashlib.sha256(model.read_bytes()).digest()
    if key in seen:
        return "the same bytes"
    seen.add(key)
    try:
        session = run.load(model, optimized="generic" not in arguments)
    except run.failure as problem:
        if "generic" in arguments and "NOT_IMPLEMENTED" in str(problem):
            return "without a kernel"
        raise
    try:
        run.check_outputs(c, session, records)
    except run.failure as problem:
        if "generic" in arguments and "data type is not supported" in str(problem):
            return "without a kernel"  # a kernel for several types detects this only when it runs
        if "generic" in arguments and str(problem).endswith(("JAX has nan", "JAX has inf", "JAX has -inf")):
            return "without a NaN or an infinity"
        if "generic" in arguments and (WRONG_KERNELS & operators(model) or c.name in OVERFLOWING):
            return "by a wrong kernel"
        raise
    return "passed"


if __name__ == "__main__":
    sys.exit(main())
