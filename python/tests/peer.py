#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts the examples and tests that the package jax2onnx registers, with jax2onnx_cpp.compat or with jax2onnx.

    peer.py [--by ours|peer] [--every N] [--only REGEX]

Each package runs in a separate process, since jax2onnx patches JAX's functions while it traces. ONNX Runtime runs the
models of both packages. Needs an environment with jax2onnx, onnxruntime and jax2onnx_cpp; continuous integration does
not run it.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import jax
import jax2onnx
import numpy as np
from jax2onnx.plugins import plugin_system

from jax2onnx_cpp import compat

SECONDS = 60  # the time limit of a case


def cases():
    """Yields the name and the test case of each case of the plugins and of the examples."""
    for name, plugin in [*plugin_system.PLUGIN_REGISTRY.items(), *plugin_system.EXAMPLE_REGISTRY.items()]:
        metadata = plugin if isinstance(plugin, dict) else getattr(plugin, "metadata", {})
        for case in metadata.get("testcases", []):
            yield f"{name}/{case['testcase']}", case


def outcome(convert, case, path):
    """`pass`, or the reason why a case fails."""
    double = bool(case.get("run_only_f64_variant") or case.get("enable_double_precision"))
    with time_limit(), compat.double_precision(double):
        fn, specs, arrays = prepared(case, np.float64 if double else np.float32)
        options = {key: case[key] for key in ("input_params", "inputs_as_nchw", "outputs_as_nchw") if key in case}
        try:
            convert(
                fn,
                specs,
                opset=case.get("opset_version", 23),
                enable_double_precision=double,
                return_mode="file",
                output_path=path,
                normalization_mode=case.get("normalization_mode", "auto"),
                **options,
            )
        except Exception as error:
            return f"refused: {type(error).__name__}: {first_line(error)}"
        try:
            if case.get("skip_numeric_validation"):
                compat.session(path)
                return "pass"
            tolerances = {key: case[key] for key in ("rtol", "atol") if key in case}
            agrees, why = compat.allclose(fn, path, arrays, enable_double_precision=double, **tolerances, **options)
            return "pass" if agrees else f"differs: {why}"
        except Exception as error:
            return f"does not run: {type(error).__name__}: {first_line(error)}"


def prepared(case, floating):
    """The function, the inputs as `to_onnx` takes them, and arrays for them."""
    fn = case["callable"]
    if hasattr(fn, "with_dtype"):
        fn = fn.with_dtype(floating).instantiate()
    if "input_values" in case:
        arrays = [cast(np.asarray(value), floating) for value in case["input_values"]]
        return fn, [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in arrays], arrays
    shapes = [shape if isinstance(shape, (tuple, list)) else (shape,) for shape in case.get("input_shapes", [])]
    types = case.get("input_dtypes") or [floating] * len(shapes)
    specs = [jax.ShapeDtypeStruct(tuple(shape), np.dtype(t)) for shape, t in zip(shapes, types)]
    rng = np.random.default_rng(0)
    arrays = [
        np.asarray(2 * rng.random([3 if isinstance(e, str) else e for e in s.shape])).astype(s.dtype) for s in specs
    ]
    return fn, specs, arrays


def cast(array, floating):
    return array.astype(floating) if array.dtype in (np.float32, np.float64) else array


def first_line(error):
    return str(error).strip().split("\n")[0][:200]


@contextlib.contextmanager
def time_limit():
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def late(*_):
    raise TimeoutError(f"over {SECONDS} s")


def judge(by, options):
    """Prints a row for each case that does not pass, then a row of JSON with what has passed."""
    convert = jax2onnx.to_onnx if by == "peer" else compat.to_onnx
    signal.signal(signal.SIGALRM, late)
    plugin_system.import_all_plugins()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, case in itertools.islice(cases(), 0, None, options.every):
            if not re.search(options.only, name):
                continue
            spent = []
            try:
                result = outcome(timed(convert, spent), case, os.path.join(folder, "model.onnx"))
            except Exception as error:
                result = f"no case: {type(error).__name__}: {first_line(error)}"
            rows.append((name, result, sum(spent)))
            if result != "pass":
                print(f"{by}: {name}: {result}", flush=True)
    print(json.dumps(rows))


def timed(convert, spent):
    def run(*arguments, **options):
        begin = time.perf_counter()
        try:
            return convert(*arguments, **options)
        finally:
            spent.append(time.perf_counter() - begin)

    return run


def judged(by):
    """The rows of `judge` in another process."""
    command = [sys.executable, __file__, *sys.argv[1:], "--by", by]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        last = ""
        for line in process.stdout:
            print(last, end="", flush=True)
            last = line
    return json.loads(last)


def summary(by, rows):
    counts = collections.Counter(result.partition(":")[0] for _, result, _ in rows)
    seconds = sum(spent for _, _, spent in rows)
    share = 100 * counts["pass"] / len(rows)
    print(f"{by}: {counts['pass']} of {len(rows)} pass ({share:.1f} %), {seconds:.0f} s in to_onnx; {dict(counts)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("ours", "peer"), help="only this converter, with the outcomes as JSON")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th case")
    parser.add_argument("--only", default="", metavar="REGEX", help="only the cases whose name has a match")
    options = parser.parse_args()
    if options.by:
        return judge(options.by, options)
    rows = {by: judged(by) for by in ("ours", "peer")}
    for by in rows:
        summary(by, rows[by])
    both = [(ours, peer) for (_, a, ours), (_, b, peer) in zip(rows["ours"], rows["peer"]) if a == b == "pass"]
    ours, peer = map(sum, zip(*both))
    print(f"of the {len(both)} that pass with both: {ours:.0f} s, jax2onnx {peer:.0f} s")


if __name__ == "__main__":
    main()
