#!/usr/bin/env python3
"""The examples and tests that the package jax2onnx registers, by jax2onnx_cpp.compat: peer.py [--peer] [--every N].

With --peer by that package itself, in a process of its own, since it patches JAX's functions while it traces. ONNX
Runtime judges both. Needs an environment with jax2onnx, onnxruntime and jax2onnx_cpp; continuous integration does not
run it.
"""

import argparse
import collections
import contextlib
import itertools
import os
import signal
import tempfile

import jax
import jax2onnx
import numpy as np
from jax2onnx.plugins import plugin_system

from jax2onnx_cpp import compat

SECONDS = 60  # for a case


def cases():
    """(name, test case): those of the plugins, and the examples."""
    for name, plugin in [*plugin_system.PLUGIN_REGISTRY.items(), *plugin_system.EXAMPLE_REGISTRY.items()]:
        metadata = plugin if isinstance(plugin, dict) else getattr(plugin, "metadata", {})
        for case in metadata.get("testcases", []):
            yield f"{name}/{case['testcase']}", case


def outcome(convert, case, path):
    """What becomes of a case: `pass`, or why not."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th case")
    parser.add_argument("--peer", action="store_true", help="judge the package jax2onnx")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    plugin_system.import_all_plugins()
    convert = jax2onnx.to_onnx if options.peer else compat.to_onnx
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, case in itertools.islice(cases(), 0, None, options.every):
            try:
                result = outcome(convert, case, os.path.join(folder, "model.onnx"))
            except Exception as error:
                result = f"no case: {type(error).__name__}: {first_line(error)}"
            counts[result.partition(":")[0]] += 1
            if result != "pass":
                print(f"{name}: {result}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
