#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times ONNX Runtime's own operators (com.microsoft) against the standard operators of our models.

    pip install numpy onnx onnxruntime && python benchmarks/contrib.py [--threads 1] [--runs 15] [--only Gelu]

As in attention.py: the two models of a row run alternately; a row shows median milliseconds and their ratio, below 1 if
ONNX Runtime's own operator is faster. ONNX Runtime optimizes both models, so parts that it fuses by itself are not
slower. Prints Markdown.
"""

import argparse
import itertools

import numpy as np
from attention import HEAD, paired, report, session
from onnx import helper


def node(op, inputs, outputs, **attributes):
    domain = "" if op[0] != "~" else "com.microsoft"
    return helper.make_node(op.lstrip("~"), inputs, outputs, domain=domain, **attributes)


def normal(*dims):
    return np.random.default_rng(sum(dims)).normal(size=dims).astype("f4")


SHAPES = [(1, 768), (128, 768), (197, 768), (512, 1024), (128, 3072)]


def gelu(approximate):
    """A product, a bias and Gelu."""
    for rows, width in SHAPES:
        feed, constants = {"x": normal(rows, 256)}, {"w": normal(256, width) / 16, "b": normal(width)}
        start = [node("MatMul", ["x", "w"], ["m"])]
        parts = [node("Add", ["m", "b"], ["a"]), node("Gelu", ["a"], ["y"], approximate=approximate)]
        own = "~BiasGelu" if approximate == "none" else "~FastGelu"
        yield f"{rows}x{width}", start + parts, start + [node(own, ["m", "b"], ["y"])], feed, constants


def quick_gelu():
    """x sigmoid(1.702 x), and SiLU."""
    for (rows, width), alpha in itertools.product(SHAPES, (1.702, 1.0)):
        scaled = [node("Mul", ["x", "alpha"], ["s"])] if alpha != 1 else []
        parts = [*scaled, node("Sigmoid", ["s" if scaled else "x"], ["g"]), node("Mul", ["x", "g"], ["y"])]
        constants = {"alpha": np.float32(alpha)} if scaled else {}
        yield (
            f"{rows}x{width}, {alpha}",
            parts,
            [node("~QuickGelu", ["x"], ["y"], alpha=alpha)],
            {"x": normal(rows, width)},
            constants,
        )


def skip_layer_normalization():
    for rows, width in SHAPES:
        feed, constants = {"x": normal(rows, width), "z": normal(rows, width)}, {"s": normal(width), "b": normal(width)}
        parts = [node("Add", ["x", "z"], ["a"]), node("LayerNormalization", ["a", "s", "b"], ["y"], epsilon=1e-5)]
        own = [node("~SkipLayerNormalization", ["x", "z", "s", "b"], ["y"], epsilon=1e-5)]
        yield f"{rows}x{width}", parts, own, feed, constants


def fused_matmul():
    """Scaled products with a transposed operand."""
    for heads, rows, inner in ((12, 1, 64), (12, 128, 64), (8, 512, 64), (1, 512, 512)):
        feed = {"x": normal(heads, rows, inner), "z": normal(heads, rows, inner)}
        parts = [
            node("Transpose", ["z"], ["t"], perm=[0, 2, 1]),
            node("MatMul", ["x", "t"], ["m"]),
            node("Mul", ["m", "c"], ["y"]),
        ]
        own = [node("~FusedMatMul", ["x", "z"], ["y"], transB=1, alpha=0.125)]
        yield f"{heads}x{rows}x{inner}", parts, own, feed, {"c": np.float32(0.125)}


def fused_conv():
    for channels, size, kernel in ((16, 56, 3), (64, 28, 3), (64, 56, 1), (256, 14, 3)):
        pads = [kernel // 2] * 4
        feed, constants = {"x": normal(1, channels, size, size)}, {"w": normal(channels, channels, kernel, kernel) / 16}
        parts = [node("Conv", ["x", "w"], ["c"], pads=pads), node("Relu", ["c"], ["y"])]
        own = [node("~FusedConv", ["x", "w"], ["y"], pads=pads, activation="Relu")]
        yield f"{channels}x{size}x{size}, {kernel}", parts, own, feed, constants


def multi_head_attention():
    """Against opset 23's Attention, on (batch, length, heads * 64)."""
    lengths = [16, 128, 197, 512, 768, 1024, 1500, 3000]
    cross = [(1, 128), (1, 2048), (128, 2048), (448, 1500), (512, 2048), (2048, 128), (2048, 512)]
    for heads, (queries, keys) in itertools.product((8, 12), [*zip(lengths, lengths), *cross]):
        width = heads * HEAD
        feed = {"q": normal(1, queries, width), "k": normal(1, keys, width), "v": normal(1, keys, width) + 1}
        standard = [node("Attention", ["q", "k", "v"], ["y"], q_num_heads=heads, kv_num_heads=heads, scale=HEAD**-0.5)]
        own = [node("~MultiHeadAttention", ["q", "k", "v"], ["y"], num_heads=heads, scale=HEAD**-0.5)]
        yield f"{heads} heads, {queries}, {keys}", standard, own, feed, {}


def causal_attention():
    """MultiHeadAttention against Attention, both with their own causal masks."""
    for heads, length in itertools.product((8, 12), (16, 128, 512, 1024)):
        feed = {name: normal(1, length, heads * HEAD) + i for i, name in enumerate("qkv")}
        groups = {"q_num_heads": heads, "kv_num_heads": heads}
        standard = [node("Attention", ["q", "k", "v"], ["y"], scale=HEAD**-0.5, is_causal=1, **groups)]
        own = [node("~MultiHeadAttention", ["q", "k", "v"], ["y"], num_heads=heads, scale=HEAD**-0.5, unidirectional=1)]
        yield f"{heads} heads, {length}", standard, own, feed, {}


def group_query_attention():
    """A decode step: one query, with a cache. Attention concatenates, GroupQueryAttention appends."""
    for heads, groups, past in ((8, 2, 127), (12, 12, 127), (8, 2, 1023), (12, 12, 1023)):
        cache = {"pk": normal(1, groups, past, HEAD), "pv": normal(1, groups, past, HEAD) + 1}
        new = {"q": normal(1, 1, heads * HEAD), "k": normal(1, 1, groups * HEAD), "v": normal(1, 1, groups * HEAD)}
        standard = [
            node("Attention", ["q", "k", "v", "", "pk", "pv"], ["y", "nk", "nv"], q_num_heads=heads,
                 kv_num_heads=groups, scale=HEAD**-0.5)
        ]  # fmt: skip
        lengths = {"seqlens": np.array([past], "i4"), "total": np.array(past + 1, "i4")}
        own = [
            node("~GroupQueryAttention", ["q", "k", "v", "pk", "pv", "seqlens", "total"], ["y", "nk", "nv"],
                 num_heads=heads, kv_num_heads=groups, scale=HEAD**-0.5)
        ]  # fmt: skip
        yield f"{heads} heads, {groups} groups, {past}", standard, own, new | cache, lengths


GRIDS = {
    "BiasGelu": lambda: gelu("none"),
    "FastGelu": lambda: gelu("tanh"),
    "QuickGelu": quick_gelu,
    "SkipLayerNormalization": skip_layer_normalization,
    "FusedMatMul": fused_matmul,
    "FusedConv": fused_conv,
    "MultiHeadAttention": multi_head_attention,
    "MultiHeadAttention, causal": causal_attention,
    "GroupQueryAttention": group_query_attention,
}


def compare(grids, description, columns):
    """Prints a table for each grid. A grid generates names, the nodes of two models, inputs and constants."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    for name, grid in grids.items():
        if options.only not in name:
            continue
        print(f"\n| {name} | {columns} | ratio |\n| --- | --- | --- | --- |")
        for what, standard, own, feed, constants in grid():
            models = []
            for nodes in (standard, own):
                read = {n: c for n, c in constants.items() if any(n in x.input for x in nodes)}
                models.append(session(nodes, feed, ["y"], read, options.threads))
            report(what, *paired(*models, feed, options.runs))


if __name__ == "__main__":
    compare(GRIDS, __doc__, "standard, ms | own, ms")
