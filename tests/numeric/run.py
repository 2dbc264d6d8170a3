#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts recorded cases with the jax2onnx tool, runs the models in ONNX Runtime and compares with JAX's results.

    run.py [FAMILY...] [--cli build/release/jax2onnx] [--only REGEX] [--keep DIR] [--args "--opset 21"]

A case passes if the tool exits with 0, onnx.checker accepts the model, and every output has JAX's dtype, shape and
values (NaN equals NaN; 0 equals -0 unless the case compares signs). Complex tensors are compared as real ones with a
trailing axis of 2, keys as uint32[..., 2].
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import onnx
import onnxruntime

import recorded

here = pathlib.Path(__file__).resolve().parent
tolerances = {  # relative, absolute
    "float64": (1e-7, 1e-9), "float32": (1e-4, 2e-5), "float16": (5e-3, 2e-3), "bfloat16": (3e-2, 1e-2),
    "complex64": (1e-4, 2e-5), "complex128": (1e-7, 1e-9),
}  # fmt: skip
# Disables rounding to 8 bits of the operands of products with weights of few bits.
EXACT_PRODUCTS = ("session.qdq_matmulnbits_accuracy_level", "1")


class failure(Exception):
    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="default: all")
    parser.add_argument("--data", type=pathlib.Path, default=recorded.DATA, metavar="DIR")
    parser.add_argument("--cli", default=here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--keep", metavar="DIR", help="keep the texts and the models there")
    parser.add_argument("--args", default="", help="further arguments of the tool")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, too")
    options = parser.parse_args()
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for case in recorded.cases(options.families, options.only, options.data):
            problem = outcome(case, pathlib.Path(options.keep or scratch) / f"{case}.onnx", options)
            passed += not problem
            failed += [f"{case}: {problem}"] if problem else []
            if options.verbose and not problem:
                print(f"pass  {case}")
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


def outcome(case, model, options):
    """The failure, or None. A case that is expected to fail fails if it passes."""
    expected = case.entry.get("xfail")
    try:
        check(case, model, options)
    except failure as problem:
        return None if expected else str(problem)
    return f"passes, though expected to fail: {expected}" if expected else None


def check(case, model, options):
    convert(case.extract(model.parent), model, options.cli, [*shlex.split(options.args), *case.options])
    check_outputs(case, load(model))


def check_outputs(case, session, records=None):
    for record in records or case.records:
        outputs = case.outputs(record)
        for index, (got, want) in enumerate(zip(run(session, case.inputs(record), len(outputs)), outputs)):
            compare(f"output {index}{record}", got, want, case.entry)


def convert(source, model, cli, arguments):
    """Writes the model of a text. `source` is the text's file, followed by `-w` and the files of weights."""
    done = subprocess.run(
        [cli, *source, "-o", model, "-q", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        raise failure(f"exit {done.returncode}: {errors[0] if errors else done.stderr.strip()[:200]}")


def load(path, optimized=True):
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as problem:
        raise failure(f"{type(problem).__name__}: {problem}") from None
    return session_of(onnx.load(path), optimized)


def session_of(model, optimized=True):
    try:
        add_casts(model.graph)
        options = onnxruntime.SessionOptions()
        options.log_severity_level, options.intra_op_num_threads = 4, 1
        options.add_session_config_entry(*EXACT_PRODUCTS)
        if not optimized:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    except Exception as problem:
        raise failure(f"{type(problem).__name__}: {problem}") from None


def add_casts(graph):
    """Inputs and outputs of bfloat16, float8 and 4-bit integers, which NumPy lacks, become float32."""
    proto = onnx.TensorProto
    exotic = {getattr(proto, n) for n in dir(proto) if re.match(r"BFLOAT16$|FLOAT8|FLOAT4|U?INT[24]$", n)}

    def widen(value):
        tensor, inner = value.type.tensor_type, value.name
        dtype, tensor.elem_type, value.name = tensor.elem_type, proto.FLOAT, inner + "/float32"
        return inner, value.name, dtype

    for value in graph.input:
        if value.type.tensor_type.elem_type in exotic:
            inner, outer, dtype = widen(value)
            graph.node.insert(0, onnx.helper.make_node("Cast", [outer], [inner], to=dtype))
    for value in graph.output:
        if value.type.tensor_type.elem_type in exotic:
            inner, outer, _ = widen(value)
            graph.node.append(onnx.helper.make_node("Cast", [inner], [outer], to=proto.FLOAT))


def plain(array):
    """The array in a dtype that ONNX Runtime's Python interface supports."""
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    return array.astype(np.float32) if array.dtype.name in vars(ml_dtypes) else array


def run(session, inputs, outputs):
    feed = session.get_inputs()
    if len(feed) != len(inputs):
        raise failure(f"the model has {len(feed)} inputs, the jaxpr {len(inputs)}")
    try:
        results = session.run(None, {f.name: plain(array) for f, array in zip(feed, inputs)})
    except Exception as problem:
        raise failure(f"{type(problem).__name__}: {problem}") from None
    if len(results) != outputs:
        raise failure(f"the model has {len(results)} outputs, the jaxpr {outputs}")
    return results


def compare(what, got, want, entry):
    name, want = want.dtype.name, plain(want)
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        raise failure(f"{what}: {got.dtype}{list(got.shape)}, JAX has {want.dtype}{list(want.shape)}")
    if got.dtype.kind in "biu":
        wrong = got != want
    else:
        rtol, atol = tolerances.get(name, (0.13, 0.1))
        rtol, atol = entry.get("rtol", rtol), entry.get("atol", atol)
        wrong = ~np.isclose(got.astype("f8"), want.astype("f8"), rtol, atol, equal_nan=True)
        if entry.get("signs"):
            wrong |= ((got == 0) | (want == 0)) & (np.signbit(got) != np.signbit(want))
    if wrong.any():
        first = tuple(map(int, np.argwhere(wrong)[0]))
        raise failure(
            f"{what}: {wrong.sum()} of {wrong.size} differ, first at {list(first)}: {got[first]}, JAX has {want[first]}"
        )


if __name__ == "__main__":
    sys.exit(main())
