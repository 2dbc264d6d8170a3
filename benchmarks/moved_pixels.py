#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times operators that move pixels against the operators that JAX prints for them: DepthToSpace and SpaceToDepth
against Reshapes and Transposes, Pad in its modes and a lookup of rolled rows against Slices and Concats, AveragePool
against ReduceMean of blocks.

    pip install numpy onnx onnxruntime && python benchmarks/moved_pixels.py [--threads 1] [--runs 15] [--only Depth]

Works like contrib.py. Channels are before the pixels, or after them in the operand or the result.
"""

import numpy as np
from contrib import compare, node, normal

BEHIND, IN_FRONT = [0, 2, 3, 1], [0, 3, 1, 2]
IMAGES = [(3, 2, 112), (3, 4, 48), (1, 8, 28), (8, 2, 64), (16, 2, 64), (64, 2, 24), (64, 2, 128), (256, 2, 14)]


def moved(op, operand_behind, result_behind):
    for channels, side, size in IMAGES:
        c, h = channels, size
        small, large = [1, h, h, side * side * c], [1, h * side, h * side, c]
        operand, result = (small, large) if op == "DepthToSpace" else (large, small)
        split = [1, h, h, side, side, c] if op == "DepthToSpace" else [1, h, side, h, side, c]
        x = normal(*operand)
        parts = [
            node("Reshape", ["x" if operand_behind else "p", "split"], ["a"]),
            node("Transpose", ["a"], ["b"], perm=[0, 1, 3, 2, 4, 5]),
            node("Reshape", ["b", "merged"], ["y" if result_behind else "q"]),
        ]
        whole = [node(op, ["p" if operand_behind else "x"], ["q" if result_behind else "y"], blocksize=side)]
        if operand_behind:
            whole.insert(0, node("Transpose", ["x"], ["p"], perm=IN_FRONT))
        else:
            parts.insert(0, node("Transpose", ["x"], ["p"], perm=BEHIND))
        if result_behind:
            whole.append(node("Transpose", ["q"], ["y"], perm=BEHIND))
        else:
            parts.append(node("Transpose", ["q"], ["y"], perm=IN_FRONT))
        feed = {"x": x if operand_behind else np.ascontiguousarray(x.transpose(IN_FRONT))}
        yield f"{c}, {side}, {h}x{h}", parts, whole, feed, {"split": np.array(split), "merged": np.array(result)}


def sliced(x, axis, *slices):
    """Slices (from, to, step) of x along an axis: nodes, constants and results."""
    nodes, constants, parts = [], {}, []
    for number, bounds in enumerate(slices):
        names = [f"{name}_{axis}_{number}" for name in ("from", "to", "step", "axis")]
        constants |= {name: np.array([n]) for name, n in zip(names, (*bounds, axis))}
        start, end, step, along = names
        nodes.append(node("Slice", [x, start, end, along, step], [f"part_{axis}_{number}"]))
        parts.append(nodes[-1].output[0])
    return nodes, constants, parts


PADDED = [(1, 3, 256, 256), (1, 16, 64, 64), (1, 64, 32, 32), (1, 256, 14, 14)]


def padding(mode, count):
    """Pads both pixel axes of channels-first images, one after the other."""
    for dims in PADDED:
        parts, constants, x = [], {"pads": np.array([0, 0, count, count] * 2)}, "x"
        for axis in (2, 3):
            n = dims[axis]
            ends = {
                "reflect": [(count, 0, -1), (n - 2, n - 2 - count, -1)],
                "wrap": [(n - count, n, 1), (0, count, 1)],
                "edge": [(0, 1, 1), (n - 1, n, 1)],
            }[mode]
            result = "y" if axis == 3 else "a"
            nodes, more, (front, behind) = sliced(x, axis, *ends)
            if mode == "edge":
                more[f"copies{axis}"] = np.array([count if i == axis else 1 for i in range(4)])
                nodes += [node("Tile", [part, f"copies{axis}"], [part + "t"]) for part in (front, behind)]
                front, behind = front + "t", behind + "t"
            parts += [*nodes, node("Concat", [front, x, behind], [result], axis=axis)]
            constants |= more
            x = result
        whole = [node("Pad", ["x", "pads"], ["y"], mode=mode)]
        yield f"{dims}, {count}", parts, whole, {"x": normal(*dims)}, constants


def rolled():
    for dims, axis in [((56, 56, 96), 0), ((56, 56, 96), 1), ((28, 28, 48), 1), ((64, 64, 16), 1), ((64, 64, 4), 1)]:
        n, by = dims[axis], 3
        nodes, constants, parts = sliced("x", axis, (by, n, 1), (0, by, 1))
        constants["rows"] = np.roll(np.arange(n), -by)
        parts = [*nodes, node("Concat", parts, ["y"], axis=axis)]
        whole = [node("Gather", ["x", "rows"], ["y"], axis=axis)]
        yield f"{dims}, axis {axis}", parts, whole, {"x": normal(*dims)}, constants


def means(behind):
    for channels, side, size in [(16, 2, 32), (16, 8, 32), (64, 2, 64), (8, 4, 256), (256, 2, 14), (3, 2, 224)]:
        c, h, few = channels, size, size // side
        split = [1, few, side, few, side, c] if behind else [1, c, few, side, few, side]
        constants = {"split": np.array(split), "axes": np.array([2, 4] if behind else [3, 5])}
        parts = [node("Reshape", ["p" if behind else "x", "split"], ["b"])]
        parts.append(node("ReduceMean", ["b", "axes"], ["q" if behind else "y"], keepdims=0))
        if behind:
            parts = [
                node("Transpose", ["x"], ["p"], perm=BEHIND),
                *parts,
                node("Transpose", ["q"], ["y"], perm=IN_FRONT),
            ]
        whole = [node("AveragePool", ["x"], ["y"], kernel_shape=[side] * 2, strides=[side] * 2)]
        yield f"{c}, {side}, {h}x{h}", parts, whole, {"x": normal(1, c, h, h)}, constants


PLACES = {
    "": (False, False),
    ", behind in the result": (False, True),
    ", behind in the operand": (True, False),
    ", behind in both": (True, True),
}
GRIDS = {
    **{f"{op}{name}": lambda op=op, behind=behind: moved(op, *behind)
       for op in ("DepthToSpace", "SpaceToDepth") for name, behind in PLACES.items()},
    **{f"Pad, {mode} {count}": lambda mode=mode, count=count: padding(mode, count)
       for mode in ("reflect", "edge", "wrap") for count in (1, 3)},
    "rolled rows": rolled,
    "means of blocks": lambda: means(False),
    "means of blocks, behind in the operand of ReduceMean": lambda: means(True),
}  # fmt: skip

if __name__ == "__main__":
    compare(GRIDS, __doc__, "parts, ms | operator, ms")
