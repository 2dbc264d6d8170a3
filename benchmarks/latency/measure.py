#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures networks of JAX's ecosystem: our models in ONNX Runtime, JAX's own jit, and other exporters' models.

    measure.py FOLDER [NAME...] [--rounds 15] [--plot latency.svg] [--cli build/release/jax2onnx] [--args='--opset 21']

FOLDER may hold NAME.torch.onnx (torch_models.py) and NAME.exporter.onnx (exporter_models.py). Each network is traced
and converted. Then all contenders run alternately in one process, first on one core and then on all. Finally each runs
once in a fresh process on one core, to measure the time to its first result and its memory. Writes
FOLDER/results.json and prints Markdown (report.py).
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys

import report

here = pathlib.Path(__file__).resolve().parent


class step_failed(Exception):
    pass


def step(*arguments):
    """The result of a step of contenders.py."""
    command = [sys.executable, here / "contenders.py", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise step_failed(f"{' '.join(map(str, arguments))}: exit {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def measured(name, options):
    convert = ["--cli", options.cli, f"--args={options.args}"]
    turns = ["--rounds", options.rounds, *["--no-jax"] * options.no_jax]
    step("convert", options.folder, name, *convert)
    result = {}
    for cores in options.cores:
        every = step("turns", options.folder, name, *turns, *["--all-cores"] * (cores == "all"))
        result |= {"nodes": every["nodes"], cores: every["seconds"]}
    if not options.no_first:
        contenders = result[options.cores[0]]
        result["first"] = {c: step("first", options.folder, name, c) for c in contenders}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="default: all networks")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cores", type=lambda text: text.split(","), default=["one", "all"], help="one, all, or both")
    parser.add_argument("--no-jax", action="store_true", help="leave out JAX's jit")
    parser.add_argument("--no-first", action="store_true", help="leave out the first result and memory")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE.svg", help="needs matplotlib")
    parser.add_argument("--cli", type=pathlib.Path, default=here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--args", default="--target ort", help="further arguments of the tool")
    options = parser.parse_args()
    if not set(options.cores) <= {"one", "all"}:
        parser.error("--cores: one, all, or one,all")
    options.folder.mkdir(parents=True, exist_ok=True)
    results = {"cores": len(os.sched_getaffinity(0)), "machine": platform.machine(), "networks": {}}
    for name in options.names or step("names"):
        print(name, file=sys.stderr, flush=True)
        try:
            results["networks"][name] = measured(name, options)
        except step_failed as problem:
            print(problem, file=sys.stderr)
        (options.folder / "results.json").write_text(json.dumps(results, indent=1))
    print(report.markdown(results))
    if options.plot:
        report.plot(results, options.plot)


if __name__ == "__main__":
    main()
