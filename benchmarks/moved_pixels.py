#!/usr/bin/env python3
"""Times DepthToSpace and SpaceToDepth against the Reshapes and Transposes that JAX prints.

    pip install numpy onnx onnxruntime && python benchmarks/moved_pixels.py [--threads 1] [--runs 15] [--only Depth]

As in contrib.py. Channels are in front of the pixels, or behind them in the operand or in the result.
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


GRIDS = {
    f"{op}{name}": lambda op=op, behind=behind: moved(op, *behind)
    for op in ("DepthToSpace", "SpaceToDepth")
    for name, behind in {
        "": (False, False),
        ", behind in the result": (False, True),
        ", behind in the operand": (True, False),
        ", behind in both": (True, True),
    }.items()
}

if __name__ == "__main__":
    compare(GRIDS, __doc__, "parts, ms | operator, ms")
