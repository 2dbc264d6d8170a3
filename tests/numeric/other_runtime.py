#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs models in one of the runtimes below; runtimes.py starts this script in an environment that has them.

    other_runtime.py RUNTIME JOBS FIRST

JOBS is a JSON list of {"model", "inputs", "results"}: the inputs are an .npz in the order of the model's, and the
results are written to another. From job number FIRST on, a line for each job says what went wrong, or that it ran.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx


def openvino(path, model, feeds):
    import openvino as ov

    core = ov.Core()
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    request = core.compile_model(core.read_model(path), "CPU", settings).create_infer_request()
    request.infer([ov.Tensor(feed) for feed in feeds.values()])
    return [request.get_output_tensor(i).data.copy() for i in range(len(model.graph.output))]


def tract(path, model, feeds):
    import tract as runtime

    loaded = runtime.onnx().load(path)
    names = [loaded.input_name(i) for i in range(loaded.input_count())]
    symbols = {}
    for declared in model.graph.input:
        for axis, extent in enumerate(declared.type.tensor_type.shape.dim):
            if extent.dim_param:
                symbols[extent.dim_param] = feeds[declared.name].shape[axis]
    for i, name in enumerate(names):
        if not symbols:
            kind = feeds[name].dtype
            written = "bool" if kind.kind == "b" else f"{kind.kind}{8 * kind.itemsize}"
            loaded.set_input_fact(i, ",".join([*map(str, feeds[name].shape), written]))
    typed = loaded.into_model()
    if symbols and all(re.fullmatch(r"\w+", name) for name in symbols):
        typed.transform(runtime.SetSymbols({name: int(size) for name, size in symbols.items()}))
    return [result.to_numpy().copy() for result in typed.into_runnable().run([feeds[name] for name in names])]


def mnn(path, model, feeds):
    import _tools
    import MNN

    converted = f"{path}.mnn"
    _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", path, "--MNNModel", converted, "--bizCode", "x"])
    if not os.path.exists(converted):
        raise RuntimeError("MNN does not convert it")
    express = MNN.expr
    network = MNN.nn.load_module_from_file(converted, list(feeds), [output.name for output in model.graph.output])
    operands = []
    for feed in feeds.values():
        kind, dtype = (express.float, "f4") if feed.dtype.kind == "f" else (express.int, "i4")
        operands.append(express.const(feed.astype(dtype), list(feed.shape), express.NCHW, kind))
    results = network.forward(operands)
    results = results if isinstance(results, list) else [results]
    return [np.array(result.read()).reshape(result.shape or ()) for result in results]


def tvm(path, model, feeds):
    import tvm as runtime
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    shapes = {name: list(feed.shape) for name, feed in feeds.items()}
    module = from_onnx(model, shape_dict=shapes, keep_params_in_input=False)
    module = relax.transform.LegalizeOps()(relax.transform.DecomposeOpsForInference()(module))
    machine = relax.VirtualMachine(runtime.compile(module, target=runtime.target.Target("llvm")), runtime.cpu())
    result = machine["main"](*[runtime.runtime.tensor(feed) for feed in feeds.values()])
    return [one.numpy() for one in ([result] if hasattr(result, "numpy") else result)]


def rten(path, model, feeds):
    """Runs benchmarks/runtimes/rten, which reads and writes raw numbers and a text with their types and extents."""
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, feed) in enumerate(feeds.items()):
            kind, dtype = ("f32", "<f4") if feed.dtype.kind == "f" else ("i32", "<i4")
            feed.astype(dtype).tofile(f"{folder}/in{i}.bin")
            extents = " ".join(map(str, feed.shape))
            pathlib.Path(f"{folder}/in{i}.txt").write_text(f"{name}\n{kind}\n{extents}\n")
        program = pathlib.Path(__file__).resolve().parents[2] / "build/rten/release/rten-runner"
        done = subprocess.run([program, path, folder, str(len(feeds))], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(done.stderr)
        results = []
        for i in range(len(model.graph.output)):
            kind, extents = pathlib.Path(f"{folder}/out{i}.txt").read_text().split("\n")[:2]
            numbers = np.fromfile(f"{folder}/out{i}.bin", {"f32": "<f4", "i32": "<i4"}[kind])
            results.append(numbers.reshape([int(extent) for extent in extents.split()]))
    return results


def main(runtimes):
    """Runs the jobs with one of these functions of a path, a model and its inputs by name."""
    runtime, jobs, first = runtimes[sys.argv[1]], json.loads(pathlib.Path(sys.argv[2]).read_text()), int(sys.argv[3])
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)  # the runtimes print to it
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for job in jobs[first:]:
        try:
            with np.load(job["inputs"]) as inputs:
                arrays = [np.ascontiguousarray(inputs[key]).reshape(inputs[key].shape) for key in inputs.files]
            model = onnx.load(job["model"])
            feeds = {declared.name: array for declared, array in zip(model.graph.input, arrays)}
            np.savez(job["results"], *runtime(job["model"], model, feeds))
            problem = None
        except Exception as error:  # runtimes raise exceptions of many types
            problem = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        print(json.dumps({"problem": problem}), file=answers, flush=True)


if __name__ == "__main__":
    main(globals())
