#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures small programs, by family: our models in ONNX Runtime against JAX's jit.

    measure.py [FAMILY[.PROGRAM]...] [--cli build/release/jax2onnx] [--args='--target ort'] [--json FILE]
    measure.py --check [...]     compares results and node executions only: no time is taken
    measure.py --update [...]    writes the node executions to executions.json

A family is a module of families/ with a table PROGRAMS. Needs JAX, ONNX Runtime and onnx. Prints Markdown.
"""

import argparse
import contextlib
import functools
import importlib
import json
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "examples"))

import jax
import numpy as np
import onnxruntime

import export

jax.config.update("jax_cpu_enable_async_dispatch", False)
EXECUTIONS = here / "executions.json"
LAUNCH = 0.4e-6  # seconds that ONNX Runtime takes at least to launch a kernel
FAMILIES = sorted(path.stem for path in here.glob("families/[a-z]*.py"))


class failed(Exception):
    pass


def converted(program, folder, options):
    """Converts the program; returns the path of its model."""
    path = folder / "model"
    command = shlex.split(export.save(str(path), program.function, *program.arguments))[1:]
    command = [options.cli, *command, *shlex.split(options.args), "-o", f"{path}.onnx", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    if done.returncode:
        raise failed(" ".join(done.stderr.split())[:200])
    return f"{path}.onnx"


def session_of(path, folder=None):
    """A session on one thread; it profiles into `folder`, if given."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    if folder:
        settings.enable_profiling, settings.profile_file_prefix = True, str(folder / "profile")
    return onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])


def feed_of(session, program):
    """The arguments by name, in the types that the model declares."""
    wide = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
    leaves = map(export.to_numpy, jax.tree.leaves(program.arguments))
    return {i.name: np.asarray(v, wide.get(i.type)) for i, v in zip(session.get_inputs(), leaves)}


def node_executions(path, program, folder):
    """The kernels that one run of the model launches, including those in bodies of loops."""
    session = session_of(path, folder)
    session.run(None, feed_of(session, program))
    events = json.loads(pathlib.Path(session.end_profiling()).read_text())
    return sum(e.get("cat") == "Node" and e["name"].endswith("_kernel_time") for e in events)


def difference(ours, theirs):
    """The largest difference between the results, relative to the largest element of each."""
    worst = 0.0
    for a, b in zip(ours, map(export.to_numpy, theirs), strict=True):
        if np.iscomplexobj(b):
            b = np.stack([b.real, b.imag], -1)
        a, b = np.asarray(a, "f8"), np.asarray(b, "f8")
        if a.shape != b.shape or not np.array_equal(np.isfinite(a), np.isfinite(b)):
            raise failed(f"differs from JAX: {a.shape} and {b.shape}, or where numbers are finite")
        finite = np.isfinite(b)
        if finite.any():
            worst = max(worst, np.abs(a - b)[finite].max() / max(1e-30, np.abs(b[finite]).max()))
    return worst


def times(runs, seconds):
    """The 20th percentile of each runtime's seconds. They alternate; an untimed call precedes each timed one."""
    taken, end = [[] for _ in runs], time.monotonic() + seconds
    while len(taken[0]) < 5 or (len(taken[0]) < 200 and time.monotonic() < end):
        for run, of_one in zip(runs, taken):
            run()
            begin = time.perf_counter()
            run()
            of_one.append(time.perf_counter() - begin)
    return [float(np.percentile(of_one, 20)) for of_one in taken]


def measured(program, options):
    """The measurements of one program, as JSON."""
    with tempfile.TemporaryDirectory() as name, jax.enable_x64(program.x64):
        path = converted(program, folder := pathlib.Path(name), options)
        session = session_of(path)
        feed = feed_of(session, program)
        jitted, arguments = jax.jit(program.function), jax.device_put(program.arguments)
        ours = functools.partial(session.run, None, feed)
        theirs = lambda: jax.tree.leaves(jax.block_until_ready(jitted(*arguments)))
        if (far := difference(ours(), theirs())) > program.tolerance:
            raise failed(f"differs from JAX by {far:.1e}")
        result = {"difference": far, "executions": node_executions(path, program, folder)}
        if not options.check:
            result["ours"], result["xla"] = times([ours, theirs], options.seconds)
        return result


def of_family(family, only, options):
    """The results of a family's programs; prints a row for each."""
    results = {}
    for program in importlib.import_module(f"families.{family}").PROGRAMS:
        if only and program.name not in only:
            continue
        try:
            results[program.name] = result = measured(program, options)
        except Exception as problem:  # several types
            results[program.name] = {"failed": f"{type(problem).__name__}: {problem}"[:300]}
            print(f"| {family}.{program.name} | {results[program.name]['failed']} |", flush=True)
            continue
        row = [f"{family}.{program.name}", result["executions"]]
        if "ours" in result:
            microseconds = [f"{1e6 * result[runtime]:.1f}" for runtime in ("ours", "xla")]
            row += [*microseconds, f"{result['ours'] / result['xla']:.2f}"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    return results


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def summary(results):
    """Markdown: geometric mean and worst of each family, and the mean of what launching the kernels takes at least."""
    print("\n| family | programs | ours / XLA | worst | launches / XLA | failed |")
    print("| --- | --- | --- | --- | --- | --- |")
    everything = []
    for family, programs in [*results.items(), ("all", None)]:
        timed = [r for r in (programs or {}).values() if "ours" in r]
        everything += timed
        timed = timed if programs is not None else everything
        if timed:
            ratios = [r["ours"] / r["xla"] for r in timed]
            launches = geometric_mean([LAUNCH * r["executions"] / r["xla"] for r in timed])
            bad = sum("failed" in r for r in (programs or {}).values())
            row = [family, len(timed), f"{geometric_mean(ratios):.2f}", f"{max(ratios):.1f}", f"{launches:.2f}", bad]
            print("| " + " | ".join(map(str, row)) + " |")


def exceeded(results):
    """The programs that failed, and those that run more nodes than executions.json allows."""
    allowed = json.loads(EXECUTIONS.read_text()) if EXECUTIONS.exists() else {}
    for family, programs in results.items():
        for name, result in programs.items():
            if "failed" in result:
                yield f"{family}.{name}: {result['failed']}"
            elif result["executions"] > (limit := allowed.get(family, {}).get(name, math.inf)):
                yield f"{family}.{name}: {result['executions']} node executions, {limit} are allowed"


def update(results):
    known = json.loads(EXECUTIONS.read_text()) if EXECUTIONS.exists() else {}
    for family, programs in results.items():
        counts = {name: result["executions"] for name, result in programs.items() if "executions" in result}
        known[family] = dict(sorted((known.get(family, {}) | counts).items()))
    EXECUTIONS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="families, or single programs as FAMILY.PROGRAM; default: all")
    parser.add_argument("--cli", type=pathlib.Path, default=here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--args", default="--target ort", help="further arguments of the tool")
    parser.add_argument("--seconds", type=float, default=2, help="of timed rounds for each program")
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a conversion may take")
    parser.add_argument("--json", type=pathlib.Path, help="writes what was measured")
    parser.add_argument("--check", action="store_true", help="no times; fails if a program differs or runs more nodes")
    parser.add_argument("--update", action="store_true", help="writes executions.json; implies --check")
    options = parser.parse_args()
    options.check |= options.update
    with contextlib.suppress(AttributeError):  # Linux only
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))} if not options.check else os.sched_getaffinity(0))
    wanted = {}
    for name in options.names or FAMILIES:
        family, _, program = name.partition(".")
        wanted.setdefault(family, []).extend([program] if program else [])
    print("| program | nodes run | ours, us | XLA, us | ours / XLA |\n| --- | --- | --- | --- | --- |")
    results = {family: of_family(family, only, options) for family, only in wanted.items()}
    if not options.check:
        summary(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    if options.update:
        update(results)
    elif options.check and (problems := list(exceeded(results))):
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
