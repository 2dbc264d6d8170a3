#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that both sides of rules that are equations compute the same bits, for every element type that they admit.

run.py SIDES [--texts FILE [--planted]] [--only RULE]

SIDES (equations/sides.cpp) makes models of both sides from the equations alone. This script runs them in ONNX Runtime
on NaN, both zeros, infinities, subnormal and extreme numbers and others, and compares them. With --planted, FILE has
wrong equations, each of which must be found.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort

RUNS = 24
ort.set_default_logger_severity(4)
# Left sides that ONNX Runtime computes wrongly: rule, element type and why.
WRONG_LEFT = {
    ("drop-neutral", "i64"): "Pow of int64 is computed in double",
    ("sum-of-equal", "i32"): "ReduceSum of integers does not wrap",
    ("sum-of-equal", "i64"): "ReduceSum of integers does not wrap",
}


def special_numbers(t):
    """Numbers at which functions have edges, and some between them."""
    if t == np.bool_:
        return np.array([False, True])
    if np.issubdtype(t, np.integer):
        limits = np.iinfo(t)
        numbers = [limits.min, limits.min + 1, limits.max, limits.max - 1, limits.max // 2, 0, 1, 2, 3, 5, 6, 7, 100]
        return np.array([n for n in [*numbers, *(-n for n in numbers[4:])] if limits.min <= n <= limits.max], t)
    limits = np.finfo(t)
    tiny, least, most = float(limits.tiny), float(limits.smallest_subnormal), float(limits.max)
    numbers = [0.0, least, tiny / 2, tiny, most / 2, most, np.inf, 1, 0.5, 2, 3, 6, 0.1, 0.7, 1.5, 4.2, 10, 17.3, 100]
    with np.errstate(over="ignore"):
        return np.array([np.nan, *numbers, *(-n for n in numbers)], dtype=np.float64).astype(t)


def made_inputs(inputs, run, rng):
    """Values for the inputs of a model: all special numbers in turn, then random special ones, then ordinary ones."""
    out = {}
    for number, i in enumerate(inputs):
        t = onnx.helper.tensor_dtype_to_np_dtype(i.type.tensor_type.elem_type)
        shape = [d.dim_value if d.HasField("dim_value") else 4 for d in i.type.tensor_type.shape.dim]
        size = int(np.prod(shape))
        special = special_numbers(t)
        if run >= RUNS - 4 and not np.issubdtype(t, np.floating):
            values = rng.integers(0, 1 + run % 2, size)
        elif run < 8:
            values = special[(np.arange(size) * (1 + number % 3) + run * 5 + number * 7) % len(special)]
        elif run < RUNS // 2 or not np.issubdtype(t, np.floating):
            values = rng.choice(special, size)
        else:
            values = rng.normal(0, 2, size).astype(t)
        out[i.name] = values.astype(t).reshape(shape)
    return out


def session(model):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


EPSILONS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}


def distance(a, b, epsilon):
    """0 for equal bits, NaN aside; a small number for zeros of different signs; otherwise the distance in ulps. Results
    below 1 use the ulps of 1, since sums cancel. Infinite if only one is NaN or infinite."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return np.inf
    if a.size == 0 or not np.issubdtype(a.dtype, np.floating):
        return 0 if np.array_equal(a, b) else np.inf
    finite = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return np.inf
    x, y = a[finite].astype(np.longdouble), b[finite].astype(np.longdouble)
    apart = np.abs(x - y) / (epsilon * np.maximum(1, np.maximum(np.abs(x), np.abs(y))))
    return float(np.where(np.signbit(x) != np.signbit(y), np.maximum(apart, 1e-9), apart).max(initial=0))


class comparison:
    """Runs both sides of a pair and keeps the worst distance of each output."""

    def __init__(self, pair, models):
        self.pair = pair
        self.epsilon = EPSILONS.get(pair["type"], 1)
        self.sides = [session(m) for m in models]
        self.inputs = onnx.load_from_string(models[0]).graph.input
        self.runs = 0
        self.worst = [(0, None)] * len(pair["names"])

    def ends(self, side, values):
        """Returns whether a side fails on these inputs."""
        try:
            self.sides[side].run(None, values)
        except Exception:
            return True
        return False

    def run(self):
        rng = np.random.default_rng(7)
        known = [{i.name for i in s.get_inputs()} for s in self.sides]
        for run in range(RUNS // 2 if self.pair["ordinary"] else 0, RUNS):
            values = made_inputs(self.inputs, run, rng)
            try:
                results = [
                    s.run(None, {k: values[k] for k in names}) for s, names in zip(self.sides, known, strict=True)
                ]
            except Exception:
                if not self.ends(0, {k: values[k] for k in known[0]}):
                    raise
                continue
            self.runs += 1
            for i, (a, b) in enumerate(zip(*results, strict=True)):
                d = distance(a, b, self.epsilon)
                if d > self.worst[i][0]:
                    self.worst[i] = (d, (a, b))
        if self.runs == 0:
            raise ValueError("the left side runs on no inputs")
        return self

    def failures(self):
        return [
            (self.pair["names"][i], d, sides)
            for i, (d, sides) in enumerate(self.worst)
            if d > max(self.pair["ulps"], 1e-9 if self.pair["ulps"] >= 0 else 0)
        ]


def made(sides, *arguments):
    """The lines and the models that the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "out"
        subprocess.run([sides, str(path), *arguments], check=True)
        lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
        models = path.with_suffix(".bin").read_bytes()
    return lines, models


def shown(sides):
    """The first elements that differ."""
    a, b = (np.asarray(s).ravel() for s in sides)
    different = [i for i in range(a.size) if distance(a[i : i + 1], b[i : i + 1], 1e-9) > 0] if a.size == b.size else []
    return "; ".join(f"{a[i]!r} and {b[i]!r}" for i in different[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sides", help="the program equation_sides")
    parser.add_argument("--texts", help="a file with lines NAME: EQUATION")
    parser.add_argument("--only", help="one rule")
    parser.add_argument("--planted", action="store_true", help="all of them are wrong")
    parser.add_argument("--verbose", action="store_true", help="show the distances of those that are alike, too")
    args = parser.parse_args()
    lines, models = made(args.sides, *(["--texts", args.texts] if args.texts else []))
    lines = [line for line in lines if not args.only or line["rule"] == args.only]
    wrong, most, tried = collections.defaultdict(list), collections.defaultdict(float), collections.defaultdict(set)
    for line in lines:
        if (line["rule"], line["type"]) in WRONG_LEFT:
            continue
        if "models" not in line:
            tried[line["rule"], line["form"]] |= {line["type"]} if line["applied"] else set()
            continue
        both = [models[at : at + size] for at, size in line["models"]]
        try:
            c = comparison(line, both).run()
        except Exception as e:
            wrong[line["rule"]].append(f"{line['type']}: {str(e)[:300]}")
            continue
        most[line["rule"]] = max([most[line["rule"]], *(d for d, _ in c.worst)])
        wrong[line["rule"]] += [f"{line['type']}: {name}: {d} ulps: {shown(s)}" for name, d, s in c.failures()]
    for (rule, form), types in tried.items():
        if not types:
            wrong[rule].append(f"form {form} never applies")
    rules = sorted({line["rule"] for line in lines})
    for rule in rules:
        if args.verbose:
            types = " ".join(sorted(set().union(*(t for (r, _), t in tried.items() if r == rule))))
            print(f"{rule}: {len(wrong[rule])} wrong, {most[rule]} ulps; {types}")
        for problem in wrong[rule][:4] if not args.planted else []:
            print(f"{rule}: {problem}")
    found = [rule for rule in rules if wrong[rule]]
    print(f"{len(rules)} rules, {len(found)} of them differ")
    return int(len(found) != len(rules)) if args.planted else int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
