#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nodes and milliseconds of recorded models with and without rewrites: the family `models` of tests/numeric.

    pip install numpy onnx onnxruntime && python benchmarks/latency/rewrites.py [--cli build/release/jax2onnx]
    [--seconds 60]

Prints Markdown. The two models of a row run alternately on one thread. This only reports: no time makes it fail.
It ends after --seconds, with the models measured until then.
"""

import argparse
import math
import pathlib
import statistics
import sys
import tempfile
import time

import onnx

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import recorded
import run


def nodes_of(graph):
    return sum(1 + sum(nodes_of(a.g) for a in n.attribute if a.HasField("g")) for n in graph.node)


def converted(case, cli, *options):
    """The nodes of the model, and a function that runs it."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "m.onnx"
        run.convert(case.extract(model.parent), model, cli, ["--target", "ort", *options])
        return nodes_of(onnx.load(model).graph), run.load(model)


def inputs(case, session):
    """The recorded inputs of a case, by name."""
    return {declared.name: value for declared, value in zip(session.get_inputs(), case.inputs())}


def milliseconds(sessions, feed, rounds=15):
    times = [[] for _ in sessions]
    for _ in range(rounds):
        for session, taken in zip(sessions, times):
            begin = time.perf_counter()
            session.run(None, feed)
            taken.append(1e3 * (time.perf_counter() - begin))
    return [statistics.median(taken) for taken in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    cli, end = options.cli, time.monotonic() + options.seconds
    print("| model | nodes | with --no-fuse | ms | with --no-fuse |\n| --- | --- | --- | --- | --- |")
    nodes, times = [], []
    for case in recorded.cases(["models"]):
        if "bfloat16" in case.entry["inputs"]:  # not a NumPy type
            continue
        if time.monotonic() > end:
            print(f"\nended after {options.seconds:g} seconds, before {case.name}")
            break
        (count, session), (plain_count, plain) = converted(case, cli), converted(case, cli, "--no-fuse")
        feed = inputs(case, session)
        fused_time, plain_time = milliseconds([session, plain], feed)
        nodes.append(count / plain_count)
        times.append(fused_time / plain_time)
        print(f"| {case.name} | {count} | {plain_count} | {fused_time:.3f} | {plain_time:.3f} |")
    for what, ratios in (("nodes", nodes), ("time", times)):
        print(f"\n{what}: {math.exp(statistics.fmean(map(math.log, ratios))):.2f} of those without rewrites")


if __name__ == "__main__":
    main()
