#!/usr/bin/env python3
"""Times networks of JAX's ecosystem: our models in ONNX Runtime, JAX's own jit, and other exporters' models.

    measure.py FOLDER [NAME...] [--rounds 15] [--all-cores] [--cli build/release/jax2onnx] [--args='--opset 21']

FOLDER may hold NAME.torch.onnx (torch_models.py) and NAME.exporter.onnx (exporter_models.py). All of them run in one
process, on one core, in turns. The table has the least milliseconds of all rounds, and ours relative to the others':
below 1 we are faster. On one core that is the process's own time, which other work on the machine does not count in.
Prints Markdown.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

if "--all-cores" not in sys.argv:  # before JAX and ONNX Runtime make their threads
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "examples"))

import jax
import numpy as np
import onnx
import onnxruntime as ort
from architectures import ARCHITECTURES

import export


@dataclasses.dataclass
class contender:
    """Something that computes a network's results."""

    run: callable
    nodes: int = 0
    first: float = 0.0  # seconds from the saved model to the first result
    times: list = dataclasses.field(default_factory=list)

    @property
    def least(self):
        return min(self.times)


def nodes_of(graph):
    return sum(1 + sum(nodes_of(a.g) for a in n.attribute if a.HasField("g")) for n in graph.node)


def in_runtime(path, values, threads):
    """A model in ONNX Runtime. It takes the values by position, as the types that it declares."""
    begin = time.perf_counter()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    wide = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
    feed = {i.name: np.asarray(v, wide.get(i.type)) for i, v in zip(session.get_inputs(), values)}
    results = session.run(None, feed)
    first = time.perf_counter() - begin
    nodes = nodes_of(onnx.load(path, load_external_data=False).graph)
    return contender(lambda: session.run(None, feed), nodes, first), results


def by_jax(function, arguments):
    begin = time.perf_counter()
    compiled = jax.jit(function)
    results = jax.block_until_ready(compiled(*arguments))
    return contender(lambda: jax.block_until_ready(compiled(*arguments)), 0, time.perf_counter() - begin), results


def convert(name, function, arguments, folder, options):
    path = folder / name
    command = shlex.split(export.save(str(path), function, *arguments))[1:]
    model = path.with_suffix(".onnx")
    subprocess.run(
        [options.cli, *command, *shlex.split(options.args), "-o", model, "--external-data", "-q"], check=True
    )
    return model


def difference(ours, theirs):
    """The largest difference of the results, relative to the largest number of each."""
    pairs = [(np.asarray(a, "f8"), np.asarray(b, "f8")) for a, b in zip(ours, theirs) if np.size(a)]
    return max(np.abs(a - b).max() / max(1e-30, np.abs(b).max()) for a, b in pairs)


def contenders_for(name, folder, options):
    function, arguments = ARCHITECTURES[name]()
    values = [np.asarray(x) for x in jax.tree.leaves(arguments)]
    threads = 0 if options.all_cores else 1
    ours, results = in_runtime(convert(name, function, arguments, folder, options), values, threads)
    found = {"ours": ours}
    if not options.no_jax:
        found["JAX jit"], expected = by_jax(function, arguments)
        if (far := difference(results, jax.tree.leaves(expected))) > 2e-3:
            print(f"{name}: differs from JAX by {far:.1e}", file=sys.stderr)
    for other in ("torch", "exporter"):
        if not (path := folder / f"{name}.{other}.onnx").exists():
            continue
        try:
            found[other], _ = in_runtime(path, values, threads)
        except Exception as problem:
            print(f"{name}: the model of {other} does not run: {str(problem)[:200]}", file=sys.stderr)
    return found


def take_turns(contenders, rounds, clock):
    for _ in range(rounds):
        for c in contenders.values():
            begin = clock()
            c.run()
            c.times.append(clock() - begin)


def cells(found, others):
    ours = found["ours"]
    yield f"{ours.nodes}"
    yield f"{ours.least * 1e3:.2f}"
    yield f"{ours.first:.2f}"
    for other in others:
        c = found.get(other)
        nodes = [f"{c.nodes}" if c else ""] if other != "JAX jit" else []
        yield from [
            *nodes,
            *((f"{c.least * 1e3:.2f}", f"{ours.least / c.least:.2f}", f"{c.first:.2f}") if c else ("", "", "")),
        ]


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=list(ARCHITECTURES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--all-cores", action="store_true")
    parser.add_argument("--no-jax", action="store_true", help="leave out JAX's jit")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--args", default="", help="further arguments of the tool")
    options = parser.parse_args()
    clock = time.perf_counter if options.all_cores else time.process_time
    options.folder.mkdir(parents=True, exist_ok=True)
    others = ["JAX jit", "torch", "exporter"]
    header = ["network", "nodes", "ms", "first, s"]
    for other in others:
        header += ([f"{other}: nodes"] if other != "JAX jit" else []) + [f"{other}: ms", "ratio", "first, s"]
    print("| " + " | ".join(header) + " |\n|" + " --- |" * len(header), flush=True)
    ratios = {other: [] for other in others}
    for name in options.names:
        found = contenders_for(name, options.folder, options)
        take_turns(found, options.rounds, clock)
        for other in others:
            if other in found:
                ratios[other].append(found["ours"].least / found[other].least)
        print(f"| {name} | " + " | ".join(cells(found, others)) + " |", flush=True)
    for other, values in ratios.items():
        if values:
            summary = f"{mean(values):.3f} as geometric mean, at most {max(values):.2f}"
            print(f"\nours / {other}: {summary}, {len(values)} networks")


if __name__ == "__main__":
    main()
