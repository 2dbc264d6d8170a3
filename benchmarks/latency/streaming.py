#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast weights are read: one row through products as large as GPT-2's, in all forms of ONNX Runtime,
alternating with JAX's jit.

    streaming.py [--rounds 40]

A decode step reads each weight once and computes little with it. If two runtimes read weights at different speeds, the
ratio of their times for such networks tends to the ratio of these speeds.
"""

import argparse
import statistics
import time

import contenders
import numpy as np

LAYERS, WIDTH = 8, 768
SIZES = [(WIDTH, 3 * WIDTH), (3 * WIDTH, WIDTH), (WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)] * LAYERS
# For each form: the operator, the shape of the row, the layout of the weights of an (inputs, outputs) matrix, and
# whether they are the first operand, as a column of outputs requires.
FORMS = {
    "Gemm": ("Gemm", [1, WIDTH], lambda w: w, False),
    "MatMul by weights with a leading axis": ("MatMul", [1, 1, WIDTH], lambda w: w[None], False),
    "Gemm of transposed weights and a column": ("Gemm", [WIDTH, 1], lambda w: w.T, True),
    "Conv of one pixel": ("Conv", [1, WIDTH, 1, 1], lambda w: w.T[:, :, None, None], False),
}


def matrices():
    rng = np.random.default_rng(0)
    return [rng.standard_normal(size, "f4") / np.float32(size[0] ** 0.5) for size in SIZES]


def by_runtime(op, shape, arranged, weights_first):
    """Returns a function that multiplies a row in ONNX Runtime."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    nodes, weights, row = [], [], "x"
    for i, matrix in enumerate(matrices()):
        weights.append(numpy_helper.from_array(np.ascontiguousarray(arranged(matrix)), f"w{i}"))
        operands = [f"w{i}", row] if weights_first else [row, f"w{i}"]
        row = f"y{i}"
        nodes.append(helper.make_node(op, operands, [row]))
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in (("x", shape), (row, None))
    ]
    graph = helper.make_graph(nodes, "row", values[:1], values[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    feed = {"x": np.ones(shape, "f4")}
    return lambda: session.run(None, feed)


def by_jax():
    weights = matrices()

    def of_row(x):
        for w in weights:
            x = x @ w
        return x

    return contenders.by_jax(of_row, (np.ones((1, WIDTH), "f4"),))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    contenders.use_one_core()
    runs = {form: by_runtime(*description) for form, description in FORMS.items()} | {"JAX jit": by_jax()}
    taken = {name: [] for name in runs}
    for _ in range(1 + options.rounds):
        for name, run in runs.items():
            begin = time.process_time()
            run()
            taken[name].append(time.process_time() - begin)
    size = sum(4 * inputs * outputs for inputs, outputs in SIZES)
    print(f"{size / 1e6:.0f} MB of weights\n\n| form | GB/s | time relative to Gemm |\n| --- | --- | --- |")
    medians = {name: statistics.median(seconds[1:]) for name, seconds in taken.items()}
    for name, seconds in medians.items():
        print(f"| {name} | {size / seconds / 1e9:.1f} | {seconds / medians['Gemm']:.2f} |")


if __name__ == "__main__":
    main()
