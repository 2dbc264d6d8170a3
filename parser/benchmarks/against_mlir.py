# SPDX-License-Identifier: Apache-2.0
"""Compares the time that MLIR takes to read a function's StableHLO text with the time of this parser on its jaxpr.

    python against_mlir.py path/to/jaxpr_benchmark [equations]

Needs jax. Both sides report CPU time, the best of several runs. The C++ side is the Google Benchmark program
of this folder.
"""

import json
import re
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir


def best_of(runs, action):
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def chain(steps):
    def function(x):
        for _ in range(steps):
            x = jnp.tanh(x @ x + 1)
        return x

    return function


def stablehlo_text(equations):
    # Tracing a loop of this length takes minutes, so this function lowers a chain of one step and repeats its body.
    function = chain(1)
    text = jax.jit(function).lower(jnp.zeros((16, 16), jnp.float32)).as_text()
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if "func.func" in line) + 1
    end = next(i for i, line in enumerate(lines) if line.strip().startswith("return"))
    body = lines[begin:end]
    out = lines[:begin]
    last = "%arg0"
    number = 0
    for step in range(equations // 3):
        names = {}
        for line in body:
            name, _, rest = line.strip().partition(" = ")
            rest = re.sub(r"%\w+", lambda used, known={**names, "%arg0": last}: known[used.group()], rest)
            if name[1:].isdigit():
                names[name] = f"%{number}"
                number += 1
            else:
                names[name] = f"{name}_{step}"
            out.append(f"    {names[name]} = {rest}")
        last = names[name]
    out.append(lines[end].replace(lines[end].split()[1], last))
    return "\n".join(out + lines[end + 1 :]) + "\n"


def parser_seconds(program, equations):
    command = [
        program,
        f"--benchmark_filter=parse_chain/{equations}$",
        "--benchmark_format=json",
        "--benchmark_repetitions=40",
        "--benchmark_min_time=0.02",
    ]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return min(run["cpu_time"] for run in report["benchmarks"] if run["run_type"] == "iteration") / 1e3


def main():
    program = sys.argv[1]
    equations = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
    text = stablehlo_text(equations)
    context = jax_mlir.make_ir_context()
    with context:
        mlir = best_of(5, lambda: ir.Module.parse(text))
    ours = parser_seconds(program, equations)
    print(f"jax {jax.__version__}, {equations} equations")
    print(f"MLIR, StableHLO text:  {mlir * 1e3:8.2f} ms  {len(text) / mlir / 1e6:6.1f} MB/s")
    print(f"jaxpr::parse:          {ours * 1e3:8.2f} ms")
    print(f"ratio:                 {mlir / ours:8.1f}")


if __name__ == "__main__":
    main()
