#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One step of measure.py, run in a separate process. The last line of its output is its result as JSON.

    contenders.py names                               the networks
    contenders.py convert FOLDER NAME                 traces and converts it: NAME.onnx, NAME.inputs.npz
    contenders.py turns FOLDER NAME [--all-cores]     seconds of each round and contender
    contenders.py first FOLDER NAME CONTENDER         seconds to the first result, bytes of memory

A contender is "ours" (NAME.onnx), "jax" (its jit), "torch" (NAME.torch.onnx), or "exporter" (NAME.exporter.onnx).
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
SPIN = 0.02  # seconds before ONNX Runtime's idle threads stop spinning, which would slow the next contender
FILES = {"ours": ".onnx", "torch": ".torch.onnx", "exporter": ".exporter.onnx"}


def architecture(name):
    from architectures import ARCHITECTURES  # imports JAX, which most steps must not load

    return ARCHITECTURES[name]()


def names(_):
    from architectures import ARCHITECTURES

    return list(ARCHITECTURES)


def convert(options):
    sys.path.insert(0, str(root / "examples"))
    import jax

    import export

    function, arguments = architecture(options.name)
    path = options.folder / options.name
    command = shlex.split(export.save(str(path), function, *arguments))[1:]
    command = [options.cli, *command, *shlex.split(options.args), "-o", f"{path}.onnx", "--external-data", "-q"]
    subprocess.run(command, check=True)
    np.savez(f"{path}.inputs.npz", *map(np.asarray, jax.tree.leaves(arguments)))


def stored_inputs(options):
    with np.load(options.folder / f"{options.name}.inputs.npz") as stored:
        return [stored[f"arr_{i}"] for i in range(len(stored.files))]


def model_of(options, contender):
    return options.folder / (options.name + FILES[contender])


def in_runtime(options, contender):
    """A function that runs a model in ONNX Runtime. It converts its values to the declared types, by position."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 0 if options.all_cores else 1
    settings.log_severity_level = 3
    path = str(model_of(options, contender))
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    wide = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
    feed = {i.name: np.asarray(v, wide.get(i.type)) for i, v in zip(session.get_inputs(), stored_inputs(options))}
    return lambda: session.run(None, feed)


def by_jax(function, arguments):
    import jax

    compiled = jax.jit(function)
    return lambda: jax.tree.leaves(jax.block_until_ready(compiled(*arguments)))


def nodes_of(graph):
    return sum(1 + sum(nodes_of(a.g) for a in n.attribute if a.HasField("g")) for n in graph.node)


def difference(ours, theirs):
    """The largest difference between the results, relative to the largest element of each."""
    pairs = [(np.asarray(a, "f8"), np.asarray(b, "f8")) for a, b in zip(ours, theirs) if np.size(a)]
    return max(np.abs(a - b).max() / max(1e-30, np.abs(b).max()) for a, b in pairs)


def turns(options):
    import onnx

    runs, nodes = {}, {}
    for contender in (c for c in FILES if model_of(options, c).exists()):
        try:
            runs[contender] = in_runtime(options, contender)
            runs[contender]()
        except Exception as problem:  # several types
            runs.pop(contender, None)
            print(f"{options.name}: the model of {contender} does not run: {str(problem)[:200]}", file=sys.stderr)
            continue
        nodes[contender] = nodes_of(onnx.load(model_of(options, contender), load_external_data=False).graph)
    if not options.no_jax:
        runs["jax"] = by_jax(*architecture(options.name))
        if (far := difference(runs["ours"](), runs["jax"]())) > 2e-3:
            print(f"{options.name}: differs from JAX by {far:.1e}", file=sys.stderr)
    clock = time.perf_counter if options.all_cores else time.process_time
    taken = {contender: [] for contender in runs}
    for _ in range(options.rounds):
        for contender, run in runs.items():
            time.sleep(SPIN if options.all_cores else 0)
            begin = clock()
            run()
            taken[contender].append(clock() - begin)
    return {"seconds": taken, "nodes": nodes}


def first(options):
    network = architecture(options.name) if options.contender == "jax" else None
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak: tracing is excluded, JAX's weights are not
    begin = time.perf_counter()
    run = by_jax(*network) if network else in_runtime(options, options.contender)
    run()
    seconds = time.perf_counter() - begin
    status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    return {"seconds": seconds, "bytes": 1024 * int(status["VmHWM"].split()[0])}


def use_one_core():
    """Must be called before libraries create their threads."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["names", "convert", "turns", "first"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("name", nargs="?")
    parser.add_argument("contender", nargs="?")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--all-cores", action="store_true")
    parser.add_argument("--no-jax", action="store_true")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--args", default="--target ort")
    options = parser.parse_args()
    if options.step in ("turns", "first") and not options.all_cores:
        use_one_core()
    steps = {"names": names, "convert": convert, "turns": turns, "first": first}
    print(json.dumps(steps[options.step](options)))


if __name__ == "__main__":
    main()
