#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times operators of opset 23 in ONNX Runtime against their parts: Attention and RotaryEmbedding.

    pip install numpy onnx onnxruntime && python benchmarks/attention.py [--threads 1] [--runs 15] [--only attention]

The two models of a row run alternately, so that a busy machine slows both. A row shows the median milliseconds of the
parts and of the operator, and the ratio of operator to parts: below 1 the operator is faster. Prints Markdown.
"""

import argparse
import itertools
import statistics
import time

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

HEAD = 64
CAP = 50.0
DOMAINS = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]


def session(nodes, inputs, outputs, constants, threads):
    def declare(name, array):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    graph = helper.make_graph(
        nodes,
        "g",
        [declare(name, array) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=DOMAINS, ir_version=10)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def paired(parts, whole, feed, runs):
    """Median seconds of both, which run alternately."""
    a, b = parts.run(None, feed)[0], whole.run(None, feed)[0]
    assert np.allclose(a, b, atol=1e-4), np.abs(a - b).max()
    start = time.perf_counter()
    parts.run(None, feed)
    inner = max(1, int(0.002 / (time.perf_counter() - start)))
    times = {parts: [], whole: []}
    for _ in range(runs):
        for s, taken in times.items():
            start = time.perf_counter()
            for _ in range(inner):
                s.run(None, feed)
            taken.append((time.perf_counter() - start) / inner)
    return statistics.median(times[parts]), statistics.median(times[whole])


def report(name, parts, whole):
    print(f"| {name} | {parts * 1e3:.3f} | {whole * 1e3:.3f} | {whole / parts:.2f} |", flush=True)


def attention_of_parts(heads, kv_heads, queries, keys, masked, form):
    """The nodes of attention in models as they are converted today, and their constants."""
    node = helper.make_node
    nodes, q, k, v = [], "q", "k", "v"
    if form == "3-D":
        for name in "qkv":
            nodes.append(node("Reshape", [name, f"{name}_shape"], [f"{name}4"]))
        q, k, v = "q4", "k4", "v4"
    if form == "in front":
        q_heads, v_heads = q, v
        nodes.append(node("Transpose", [k], ["kt"], perm=[0, 1, 3, 2]))
    else:
        q_heads, v_heads = "qt", "vt"
        nodes.append(node("Transpose", [q], ["qt"], perm=[0, 2, 1, 3]))
        nodes.append(node("Transpose", [k], ["kt"], perm=[0, 2, 3, 1]))
        nodes.append(node("Transpose", [v], ["vt"], perm=[0, 2, 1, 3]))
    nodes += [node("MatMul", [q_heads, "kt"], ["s"]), node("Mul", ["s", "scale"], ["scaled"])]
    if masked in ("boolean", "causal"):
        nodes.append(node("Where", ["mask", "scaled", "lowest"], ["chosen"]))
    elif masked == "additive":
        nodes.append(node("Add", ["scaled", "mask"], ["chosen"]))
    elif masked == "softcap":
        nodes += [node("Div", ["scaled", "cap"], ["small"]), node("Tanh", ["small"], ["tanh"])]
        nodes.append(node("Mul", ["tanh", "cap"], ["chosen"]))
    nodes += [
        node("Softmax", ["scaled" if masked == "none" else "chosen"], ["p"], axis=-1),
        node("MatMul", ["p", v_heads], ["y" if form == "in front" else "o"]),
    ]
    if form != "in front":
        nodes.append(node("Transpose", ["o"], ["y4" if form == "3-D" else "y"], perm=[0, 2, 1, 3]))
    if form == "3-D":
        nodes.append(node("Reshape", ["y4", "y_shape"], ["y"]))
    constants = {
        "q_shape": np.array([0, queries, heads, HEAD]),
        "k_shape": np.array([0, keys, kv_heads, HEAD]),
        "v_shape": np.array([0, keys, kv_heads, HEAD]),
        "y_shape": np.array([0, queries, heads * HEAD]),
        "scale": np.float32(HEAD**-0.5),
        "lowest": np.float32(np.finfo("f4").min),
        "cap": np.float32(CAP),
    }
    return nodes, {name: c for name, c in constants.items() if any(name in n.input for n in nodes)}


def attention_of_operator(heads, masked, form):
    node = helper.make_node
    attributes = {"scale": HEAD**-0.5}
    if masked == "causal":
        attributes["is_causal"] = 1
    if masked == "softcap":
        attributes["softcap"] = CAP
    operands = ["q", "k", "v"] + (["mask"] if masked in ("boolean", "additive") else [])
    if form == "3-D":
        return [node("Attention", operands, ["y"], q_num_heads=heads, kv_num_heads=heads, **attributes)]
    if form == "in front":
        return [node("Attention", operands, ["y"], **attributes)]
    nodes = [node("Transpose", [x], [x + "t"], perm=[0, 2, 1, 3]) for x in "qkv"]
    nodes.append(node("Attention", ["qt", "kt", "vt", *operands[3:]], ["o"], **attributes))
    return [*nodes, node("Transpose", ["o"], ["y"], perm=[0, 2, 1, 3])]


def attention(arguments):
    print("| heads, queries, keys, mask, form | parts, ms | Attention, ms | ratio |\n| --- | --- | --- | --- |")
    lengths = [(1, 128), (1, 512), (16, 16), (64, 64), (128, 128), (197, 197), (256, 256), (512, 512)]
    masks = ("none", "boolean", "additive", "causal", "softcap")
    forms = ("3-D", "4-D", "in front")
    for heads, (queries, keys), masked, form in itertools.product((8, 12, 16), lengths, masks, forms):
        if masked == "causal" and queries != keys:
            continue
        random = np.random.default_rng(0)
        feed = {}
        for name, length in (("q", queries), ("k", keys), ("v", keys)):
            dims = {"3-D": (length, heads * HEAD), "4-D": (length, heads, HEAD), "in front": (heads, length, HEAD)}
            feed[name] = random.normal(size=(1, *dims[form])).astype("f4")
        nodes, constants = attention_of_parts(heads, heads, queries, keys, masked, form)
        visible = np.tril(np.ones((queries, keys), bool), keys - queries)
        mask = np.where(visible, 0, -1e9).astype("f4") if masked == "additive" else visible
        fixed = {} if masked in ("none", "softcap") else {"mask": mask}
        parts = session(nodes, feed, ["y"], {**constants, **fixed}, arguments.threads)
        fixed = {} if masked == "causal" else fixed
        whole = session(attention_of_operator(heads, masked, form), feed, ["y"], fixed, arguments.threads)
        report(f"{heads}, {queries}, {keys}, {masked}, {form}", *paired(parts, whole, feed, arguments.runs))


def rotary(arguments):
    print("| heads, length, layout | parts, ms | RotaryEmbedding, ms | ratio |\n| --- | --- | --- | --- |")
    node = helper.make_node
    for heads, length, layout in itertools.product((8, 16), (1, 16, 128, 512), ("BSNH", "BNSH")):
        random = np.random.default_rng(0)
        dims = (1, length, heads, HEAD) if layout == "BSNH" else (1, heads, length, HEAD)
        feed = {"x": random.normal(size=dims).astype("f4")}
        angles = np.arange(length)[:, None] * 10000.0 ** -(np.arange(HEAD // 2) / (HEAD // 2))
        cos, sin = np.cos(angles).astype("f4"), np.sin(angles).astype("f4")
        wide = (1, length, 1, HEAD) if layout == "BSNH" else (1, 1, length, HEAD)
        constants = {
            "cos": np.concatenate([cos, cos], -1).reshape(wide),
            "sin": np.concatenate([sin, sin], -1).reshape(wide),
        }
        nodes = [
            node("Split", ["x"], ["a", "b"], axis=-1, num_outputs=2),
            node("Neg", ["b"], ["minus"]),
            node("Concat", ["minus", "a"], ["turned"], axis=-1),
            node("Mul", ["x", "cos"], ["xc"]),
            node("Mul", ["turned", "sin"], ["ts"]),
            node("Add", ["xc", "ts"], ["y"]),
        ]
        parts = session(nodes, feed, ["y"], constants, arguments.threads)
        operator = [
            node(
                "RotaryEmbedding", ["x" if layout == "BNSH" else "xt", "cos", "sin"], ["y" if layout == "BNSH" else "r"]
            )
        ]
        if layout == "BSNH":
            operator.insert(0, node("Transpose", ["x"], ["xt"], perm=[0, 2, 1, 3]))
            operator.append(node("Transpose", ["r"], ["y"], perm=[0, 2, 1, 3]))
        whole = session(operator, feed, ["y"], {"cos": cos[None], "sin": sin[None]}, arguments.threads)
        report(f"{heads}, {length}, {layout}", *paired(parts, whole, feed, arguments.runs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", choices=("attention", "rotary"))
    chosen = parser.parse_args()
    for name, measure in (("attention", attention), ("rotary", rotary)):
        if chosen.only in (None, name):
            measure(chosen)
