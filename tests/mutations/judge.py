# SPDX-License-Identifier: Apache-2.0
"""Checks that a model is sound: onnx.checker accepts it, ONNX Runtime loads it, and a run gives the declared types."""

import pathlib
import re
import sys
import threading

import ml_dtypes
import numpy as np
import onnx
import onnxruntime

import declared

onnxruntime.set_default_logger_severity(4)
elements = {
    "f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "bool": "bool", "c64": "float32",
    "c128": "float64", "float0": "bool", "void": "bool", "f8_e4m3fn": "float8_e4m3fn", "f8_e5m2": "float8_e5m2",
    "f8_e4m3fnuz": "float8_e4m3fnuz", "f8_e5m2fnuz": "float8_e5m2fnuz", "f8_e8m0fnu": "float8_e8m0fnu",
    "f4_e2m1fn": "float4_e2m1fn", }  # fmt: skip
elements |= {f"key<{name}>": "uint32" for name in ("fry", "rbg", "urbg", "fry4", "phx2", "phx4")}
elements |= {f"{s}{bits}": f"{long}int{bits}" for s, long in (("i", ""), ("u", "u")) for bits in (2, 4, 8, 16, 32, 64)}
sizes_of_symbols = (3, 2, 5, 4), (6, 7, 4, 8), (128, 130, 64, 100)
ones = (1, 1, 1, 1)  # for which many extents are the same, such as C and ceil(C / 2)
largest_run = 1 << 22  # elements of an input
longest_run = 20  # seconds
by_values = re.compile(  # reasons of a failed run that depend on the values of inputs
    r"indices element out of data bounds|index.*out of bound|out of bounds|invalid indice|division by zero|bad_alloc|"
    r"Failed to allocate memory|exceeds|Starts must|must be within the inclusive range|terminate flag"
)
by_sizes = re.compile(r"Tensor shape.Size\(\) must be >= 0|cannot be reshaped")  # that symbols can cause after a change


def numpy_type(tensor_type):
    """The NumPy dtype of an input or output."""
    number = tensor_type.elem_type
    return onnx.helper.tensor_dtype_to_np_dtype(number)


def extents(value, sizes):
    return [d.dim_value if d.HasField("dim_value") else declared.extent(d.dim_param, sizes)
            for d in value.type.tensor_type.shape.dim]  # fmt: skip


def sizes_of(graph, table=sizes_of_symbols):
    """Sizes for the symbols of the inputs, to be tried in order."""
    params = [d.dim_param for v in graph.input for d in v.type.tensor_type.shape.dim if d.dim_param]
    names = sorted({n for p in params for n in declared.symbols_of(f"[{p}]")})
    for sizes in table[: len(table) if names else 1]:
        yield {n: sizes[i % len(sizes)] for i, n in enumerate(names)}


def operand(dtype, dims, rng):
    values = rng.integers(0, 3, dims) if dtype.kind not in "fV" else rng.uniform(0, 2, dims)
    return np.asarray(values).astype(dtype)


def failure_of_run(graph, session, text):
    """The problem for the first sizes; None if other sizes have none, as a changed text may fit some sizes only."""
    first = None
    for sizes in sizes_of(graph):
        feed = operands(graph, sizes)
        if feed is None:
            break
        problem = failure_for(graph, session, text, sizes, feed)
        if not problem:
            return None
        first = first or problem
    if first and first.startswith("type:"):
        for sizes in sizes_of(graph, [ones]):
            feed = operands(graph, sizes)
            if feed is not None and not failure_for(graph, session, text, sizes, feed):
                return None
    return first


def operands(graph, sizes):
    """A value for each input; None if an input cannot have these sizes or is too large."""
    rng = np.random.default_rng(1)
    feed = {}
    for value in graph.input:
        dims = extents(value, sizes)
        if any(d < 0 for d in dims) or np.prod(dims, dtype=float) > largest_run:
            return None
        feed[value.name] = operand(numpy_type(value.type.tensor_type), dims, rng)
    return feed


def run_for(seconds, session, feed):
    """The results. A run is terminated after some seconds, since a change can make a loop endless."""
    options = onnxruntime.RunOptions()
    timer = threading.Timer(seconds, setattr, (options, "terminate", True))
    timer.start()
    try:
        return session.run(None, feed, options)
    finally:
        timer.cancel()


def failure_for(graph, session, text, sizes, feed):
    values = [*graph.input, *graph.output]
    if any(numpy_type(v.type.tensor_type).name in vars(ml_dtypes) for v in values):
        return None  # ONNX Runtime's Python interface supports none of these types
    try:
        results = run_for(longest_run, session, feed)
    except Exception as problem:
        expected = by_values.search(str(problem)) or (sizes and by_sizes.search(str(problem)))
        return None if expected else f"run: {problem}"
    return difference(declared.result_types(text), graph.output, results, sizes) if declared.nests(text) else None


def difference(types, outputs, results, sizes):
    if len(types) != len(results):
        return f"type: {len(results)} outputs, the text has {len(types)}"
    for number, (printed, output, result) in enumerate(zip(types, outputs, results)):
        if printed is None:
            continue
        element, _ = declared.split_type(printed)
        if declared.symbols_of(printed) - sizes.keys():
            continue  # not in an input, so the extent is unknown
        want = declared.shape_in_onnx(printed, sizes)
        got = numpy_type(output.type.tensor_type).name
        if got != elements.get(element, element) or list(np.shape(result)) != want:
            return f"type: output {number} is {got}{list(np.shape(result))}, the text has {printed}, here {want}"
    return None


def problem_of(path, text, load_only):
    """The defect of the model of a text, in one line; None if it is sound."""
    graph = onnx.load(path).graph
    if not graph.output:
        return None  # ONNX Runtime does not load models without values
    try:
        onnx.checker.check_model(path, full_check=True)
    except Exception as problem:
        return f"checker: {problem}"
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    try:
        session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    except Exception as problem:
        return f"load: {problem}"
    return None if load_only else failure_of_run(graph, session, text)


def main():
    """Reads pairs of lines, a model and its text, and answers each with a line."""
    for line in sys.stdin:
        model, text = line.rstrip("\n").split("\t")
        try:
            problem = problem_of(model, pathlib.Path(text).read_text(), "--load-only" in sys.argv)
        except Exception as unexpected:
            problem = f"judge: {type(unexpected).__name__}: {unexpected}"
        print(" ".join((problem or "").split()), flush=True)


if __name__ == "__main__":
    main()
