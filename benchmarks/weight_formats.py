#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares --weight-format and --compute with onnxruntime's tools: size, memory, time and error of a model's formats.

    pip install numpy onnx onnx_ir onnxruntime
    benchmarks/weight_formats.py model.jaxpr -w model.safetensors --example io.npz [--cli build/release/jax2onnx]

The example has the arrays `x`, the model's only input, and `y`, JAX's result. All models are made first. Each is loaded
in a separate process, and the runs are timed alternately. An error is the largest difference, relative to the largest
result; memory is the growth of the process after a run. onnxruntime's tools get our float32 model. Prints Markdown.
"""

import argparse
import multiprocessing
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

FORMATS = ["float16", "bfloat16", "int8", "int4"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jaxpr")
    parser.add_argument("-w", "--weights", required=True)
    parser.add_argument("--example", required=True)
    parser.add_argument("--cli", default=pathlib.Path(__file__).parents[1] / "build/release/jax2onnx")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = made(options, pathlib.Path(folder))
        print("| model | size, MB | memory, MB | time, ms | error |\n| --- | --- | --- | --- | --- |")
        for name, row in measured(models, options).items():
            print(f"| {name} | {row['size']:.0f} | {row['memory']:.0f} | {row['time']:.1f} | {row['error']:.1e} |")


def made(options, folder):
    """Makes all models; returns their paths by name."""
    models = {"float32": folder / "float32.onnx"}
    convert(options, models["float32"])
    for form in FORMATS:
        models[f"`--weight-format {form}`"] = folder / f"{form}.onnx"
        convert(options, folder / f"{form}.onnx", "--weight-format", form)
    models["`--compute float16`"] = folder / "computed.onnx"
    convert(options, models["`--compute float16`"], "--compute", "float16")
    for name, tool in TOOLS.items():
        models[name] = folder / f"{tool.__name__}.onnx"
        tool(models["float32"], models[name])
    return models


def convert(options, model, *arguments):
    subprocess.run([options.cli, options.jaxpr, "-w", options.weights, "-o", model, "-q", *arguments], check=True)


def dynamic(model, result):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    kinds = ["MatMul", "Gemm", "Gather"]  # from our Attention it would make a QAttention that does not load
    quantize_dynamic(model, result, op_types_to_quantize=kinds, per_channel=True, weight_type=QuantType.QInt8)


def nbits(model, result, bits=4):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer, QuantFormat

    quantizer = MatMulNBitsQuantizer(
        onnx.load(model),
        bits=bits,
        block_size=32,
        is_symmetric=True,
        accuracy_level=4,
        quant_format=QuantFormat.QOperator,
        op_types_to_quantize=("MatMul", "Gather"),
    )
    quantizer.process()
    quantizer.model.save_model_to_file(str(result), use_external_data_format=False)


def narrow(model, result):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(onnx.load(model), keep_io_types=True), result)


TOOLS = {
    "onnxruntime `convert_float_to_float16`": narrow,
    "onnxruntime `quantize_dynamic`, int8 per channel": dynamic,
    "onnxruntime `MatMulNBitsQuantizer`, int4 in blocks of 32": nbits,
}


def measured(models, options):
    """Size, memory, time and error of each model."""
    start = multiprocessing.get_context("spawn")
    workers, rows = {}, {}
    for name, path in models.items():
        here, there = start.Pipe()
        process = start.Process(target=work, args=(path, options.example, there), daemon=True)
        process.start()
        rows[name] = here.recv() | {"size": path.stat().st_size / 1e6, "times": []}
        workers[name] = here
    for _ in range(options.rounds):
        for name, pipe in workers.items():
            pipe.send(True)
            rows[name]["times"].append(pipe.recv())
    for row in rows.values():
        row["time"] = np.percentile(row["times"], 20) * 1e3
    return rows


def memory():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def work(path, example, pipe):
    arrays = np.load(example)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads, settings.log_severity_level = 1, 3
    before = memory()
    session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    feed = {session.get_inputs()[0].name: arrays["x"]}
    result = session.run(None, feed)[0]
    error = np.abs(result - arrays["y"]).max() / np.abs(arrays["y"]).max()
    pipe.send({"memory": memory() - before, "error": error})
    while pipe.recv():
        session.run(None, feed)
        start = time.perf_counter()
        session.run(None, feed)
        pipe.send(time.perf_counter() - start)


if __name__ == "__main__":
    main()
