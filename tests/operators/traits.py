#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rows of operators/traits.hpp: tries each trait of each operator on ONNX's reference implementation, with
NaN, infinities and signed zeros if the trait is about all numbers. Fails for a row whose operator cannot be tried and
is not listed as such."""

import pathlib
import re
import sys

import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRAITS = ROOT / "include/jax2onnx/operators/traits.hpp"
ROW = re.compile(r'^ +\{"(\w+)"(?:, ([\w |]*?))?(?:, (-?[\w.]+))?\},$', re.M)
OPSET = 24

# Attributes that operators need to run, or to do something worth testing.
ATTRIBUTES = {
    "Cast": {"to": TensorProto.FLOAT}, "BitShift": {"direction": "RIGHT"}, "Concat": {"axis": 0},
    "DepthToSpace": {"blocksize": 2}, "SpaceToDepth": {"blocksize": 2}, "MaxPool": {"kernel_shape": [2]},
    "AveragePool": {"kernel_shape": [2], "pads": [1, 1]}, "Einsum": {"equation": "ij,jk->ik"},
    "Split": {"num_outputs": 2}, "ReverseSequence": {"time_axis": 0, "batch_axis": 1},
}  # fmt: skip
ODD = np.float32([-2.5, -1, -0.0, 0, 0.25, 1, 3, 7.5, np.inf, -np.inf, np.nan])
INTEGERS = np.int32([-5, -1, 0, 1, 2, 9])
OF_INTEGERS = {"BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor"}
OF_TRUTHS = {"And", "Not", "Or", "Xor"}
ONE_BASED = np.arange(1, 25, dtype=np.int64)
GRID = ONE_BASED.reshape(2, 3, 4)

# Operands after the first one, which is an array of numbers, for operators that are neither unary nor broadcasting.
OTHERS = {
    "Compress": [np.bool_([True, False, True])], "Concat": [GRID], "Expand": [np.int64([2, 2, 3, 4])],
    "Gather": [np.int64([1, 0, -1])], "GatherElements": [np.zeros((2, 3, 4), np.int64)],
    "GatherND": [np.int64([[1, 2], [0, 1]])], "Pad": [np.int64([0, 0, 1, 0, 0, 1])],
    "Reshape": [np.int64([4, 6])], "Unsqueeze": [np.int64([0])], "ReverseSequence": [np.int64([1, 2, 1])],
    "ScatterElements": [np.zeros((1, 3, 4), np.int64), GRID[:1]], "ScatterND": [np.int64([[1]]), GRID[:1]],
    "Slice": [np.int64([1]), np.int64([3]), np.int64([2])], "Tile": [np.int64([2, 1, 1])], "Trilu": [],
    "TopK": [np.int64([2])], "CumSum": [np.int64(1)], "CumProd": [np.int64(1)],
}  # fmt: skip
FIRST = {
    "DepthToSpace": np.arange(32, dtype=np.int64).reshape(1, 4, 2, 4),
    "SpaceToDepth": np.arange(32, dtype=np.int64).reshape(1, 2, 4, 4),
    "Squeeze": GRID[None], "MaxPool": GRID, "AveragePool": GRID, "GlobalAveragePool": GRID,
    "Gemm": GRID[0], "MatMul": GRID[0], "Einsum": GRID[0], "Conv": GRID,
    "LayerNormalization": GRID, "RMSNormalization": GRID,
}  # fmt: skip
SECOND = {
    "Gemm": GRID[0].T.copy(), "MatMul": GRID[0].T.copy(), "Einsum": GRID[0].T.copy(),
    "Conv": np.arange(1, 19, dtype=np.int64).reshape(2, 3, 3), "Where": GRID % 5,
    "LayerNormalization": np.ones(4, np.int64), "RMSNormalization": np.ones(4, np.int64),
}  # fmt: skip
# Not in the reference implementation of this version, or with several results or states.
NOT_TRIED = {"If", "Loop", "Scan", "RotaryEmbedding", "TensorScatter", "CumProd", "Mean", "Sum"}


def rows():
    """operator -> (traits, identity element or None)"""
    text = TRAITS.read_text()
    table = text[text.index("traits_table[] = {") : text.index("consteval bool is_complete")]
    numbers = {"infinity": np.inf, "-infinity": -np.inf}
    found = {}
    for name, traits, neutral in ROW.findall(re.sub(r"\n +(?=[|\w-])", " ", table)):
        neutral = numbers.get(neutral, float(neutral) if neutral and neutral not in numbers else None)
        found[name] = set(traits.replace("|", " ").split()), neutral
    return found


def run(op, inputs, attributes=None):
    inputs = [np.asarray(x) for x in inputs]
    names = [f"x{i}" for i in range(len(inputs))]
    attributes = ATTRIBUTES.get(op, {}) if attributes is None else attributes
    outputs = ["y", "z"] if op in ("Split", "TopK") else ["y"]
    node = helper.make_node(op, names, outputs, **attributes)
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for n, x in zip(names, inputs, strict=True)
    ]
    results = [helper.make_empty_tensor_value_info(o) for o in outputs]
    graph = helper.make_graph([node], "g", infos, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    with np.errstate(all="ignore"):
        return ReferenceEvaluator(model).run(None, dict(zip(names, inputs, strict=True)))[0]


def same(a, b):
    """Returns whether arrays are equal, with NaN equal to NaN and -0 different from 0."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
        return False
    return a.dtype.kind != "f" or np.array_equal(np.signbit(a[~np.isnan(a)]), np.signbit(b[~np.isnan(b)]))


def equal(a, b):
    """Returns whether numbers are equal, with 0 equal to -0: Max, Min and Relu may return either zero."""
    return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")


def numbers_for(op):
    if op in OF_TRUTHS:
        return np.bool_([True, False])
    if op == "BitShift":
        return np.uint32([0, 1, 5, 9])
    return INTEGERS if op in OF_INTEGERS else ODD


def unary_operands(op, x):
    bounds = [np.array(-1, x.dtype), np.array(2, x.dtype)] if op == "Clip" else []
    return [x, *bounds]


def is_unary(op):
    x = numbers_for(op)
    whole = run(op, unary_operands(op, x))
    return whole.shape == x.shape and all(
        same(whole[i : i + 1], run(op, unary_operands(op, x[i : i + 1]))) for i in range(len(x))
    )


def broadcast_operands(op):
    x = numbers_for(op)
    if op == "Mod":
        x = np.int32([-5, -1, 1, 2, 9])
    if op == "Where":
        return [np.bool_([[True], [False]]), ODD, ODD[::-1].copy()]
    return [x[:, None], x]


def is_broadcasting(op):
    operands = broadcast_operands(op)
    whole = run(op, operands)
    wide = np.broadcast_arrays(*operands)
    picked = [(0, 0), (0, -1), (1, 1), (-1, 0)]
    return whole.shape == wide[0].shape and all(
        same(whole[place], run(op, [x[place].reshape(1) for x in wide])[0]) for place in picked
    )


def one_operand(traits):
    return "unary" in traits or "reduction" in traits


def result_of_odd(op, traits):
    """The results for operands with all kinds of numbers."""
    if "broadcasting" in traits:
        return run(op, broadcast_operands(op))
    if "reduction" in traits or op == "Softmax":
        return np.concatenate([np.ravel(run(op, [ODD[i : i + 3]])) for i in range(len(ODD) - 2)])
    return run(op, unary_operands(op, numbers_for(op)))


def operands_of(op, traits, map_numbers=lambda x: x):
    """The operands of an operator that moves, orders or adds elements, with all numbers mapped."""
    first = FIRST.get(op, GRID)
    if op == "Where":
        return [GRID % 2 == 0, map_numbers(GRID), map_numbers(SECOND["Where"])]
    if op in SECOND:
        return [map_numbers(first), map_numbers(SECOND[op])]
    if "broadcasting" in traits:
        return [map_numbers(first), map_numbers(first[::-1].copy())]
    if op == "Clip":
        return [map_numbers(first), map_numbers(np.array(5)), map_numbers(np.array(9))]
    others = OTHERS.get(op, [])
    if op in ("Concat", "ScatterElements", "ScatterND"):
        others = [*others[:-1], map_numbers(others[-1])]
    return [map_numbers(first), *others]


def is_selecting(op, traits):
    operands = operands_of(op, traits)
    return set(np.ravel(run(op, operands))) <= set(np.ravel(operands[0]))


def commutes_with(op, traits, map_numbers):
    """Returns whether mapping the operands' numbers maps the result's, or leaves booleans and positions unchanged."""
    before, after = run(op, operands_of(op, traits)), run(op, operands_of(op, traits, map_numbers))
    return same(after, before) or same(after, map_numbers(before))


def is_ring(op, traits):
    """Returns whether truncating int64 results to 8 bits equals the results for truncated operands."""

    def cut(x):
        return x.astype(np.uint8).astype(np.int64)

    return same(cut(run(op, operands_of(op, traits))), cut(run(op, operands_of(op, traits, lambda x: x + 256))))


def is_neutral(op, number):
    x = np.bool_([True, False]) if op in OF_TRUTHS else ODD
    return same(run(op, [x, np.array([number]).astype(x.dtype)]), x)


def is_finite(op, traits):
    x = np.float32([-3, -0.5, -0.0, 0.5, 2])
    if op == "Pow":
        return np.isfinite(run(op, [np.abs(x) + 1, x])).all()
    if op == "Where":
        return np.isfinite(run(op, [x > 0, x, x])).all()
    if "broadcasting" in traits:
        return np.isfinite(run(op, [x, x + 8])).all()
    if one_operand(traits):
        return np.isfinite(run(op, unary_operands(op, x))).all()
    return np.isfinite(run(op, operands_of(op, traits, lambda n: n.astype(np.float32) - 6))).all()


def is_exact_in_wider(op):
    x = np.float16([-2.5, -1, -0.0, 0, 1 / 3, 0.5, 1.5, 2049, 65504])
    return equal(run(op, [x.astype(np.float32)]), run(op, [x]).astype(np.float32))


def is_reduction(op):
    x = GRID.astype(np.float32)
    whole = run(op, [x, np.int64([1])], {"keepdims": 1})
    return whole.shape == (2, 1, 4) and all(
        same(whole[i, 0, j], run(op, [x[i, :, j], np.int64([0])], {"keepdims": 0})) for i in (0, 1) for j in (0, 3)
    )


def is_normalization(op):
    x, scale = GRID.astype(np.float32), np.float32([1, 2, 3, 4])
    whole = run(op, [x, scale], {"axis": -1})
    return all(same(whole[i, j], run(op, [x[i, j], scale], {"axis": 0})) for i in (0, 1) for j in (0, 2))


def is_product(op):
    a, b = (np.asarray(x, np.float64) for x in (FIRST[op], SECOND[op]))
    return same(run(op, [a * 2, b]), run(op, [a, b]) * 2) and same(run(op, [a, b * 4]), run(op, [a, b]) * 4)


def is_averaging(op, traits):
    x = GRID.astype(np.float32)
    y = run(op, [x])
    return (y <= x.max()).all() and (y >= 0).all()


def fails_out_of_range(op, traits):
    if op == "GatherElements":  # the reference reads other elements
        return True
    operands = operands_of(op, traits)
    operands[1] = operands[1] + 100
    try:
        run(op, operands)
    except (IndexError, ValueError):
        return True
    return False


CHECKS = {
    "unary": lambda op, traits: is_unary(op),
    "broadcasting": lambda op, traits: is_broadcasting(op),
    "reshapes": lambda op, traits: same(np.ravel(run(op, operands_of(op, traits))), np.ravel(FIRST.get(op, GRID))),
    "reduction": lambda op, traits: is_reduction(op),
    "normalization": lambda op, traits: is_normalization(op),
    "product": lambda op, traits: is_product(op),
    "moves": lambda op, traits: commutes_with(op, traits, lambda x: -x * x),
    "rings": is_ring,
    "orders": lambda op, traits: commutes_with(op, traits, lambda x: 3 * x - 40),
    "commutes": lambda op, traits: equal(run(op, (x := broadcast_operands(op))), run(op, x[::-1])),
    "selects": is_selecting,
    "averages": is_averaging,
    "keeps_finite": is_finite,
    "exact_in_wider": lambda op, traits: is_exact_in_wider(op),
    "nonnegative": lambda op, traits: not (result_of_odd(op, traits) < 0).any(),
    "bounded_below": lambda op, traits: (np.nan_to_num(result_of_odd(op, traits), nan=0.0) > -4).all(),
    "no_negative_zero": lambda op, traits: not ((y := result_of_odd(op, traits)) == 0)[np.signbit(y)].any(),
    "reads_places": fails_out_of_range,
    "writes_places": fails_out_of_range,
    "takes_part": is_selecting,
}
# The C++ test compares these rows with the records.
OF_RECORDS = {"mixed_types", "divides", "has_loop_body"}


def main():
    problems, tried = [], 0
    found = rows()
    if len(found) < 200 or found["Add"] != ({"broadcasting", "rings", "commutes", "keeps_finite"}, -0.0):
        problems.append(f"{TRAITS.name} is not read right: {len(found)} rows")
    for op, (traits, neutral) in found.items():
        if op in NOT_TRIED:
            continue
        for trait in sorted(traits - OF_RECORDS):
            tried += 1
            try:
                if not CHECKS[trait](op, traits):
                    problems.append(f"{op} is not {trait}")
            except Exception as e:  # the reference raises exceptions of many types
                problems.append(f"{op} cannot be tried for {trait}: {type(e).__name__}: {str(e)[:200]}")
        if neutral is not None:
            tried += 1
            if not is_neutral(op, neutral):
                problems.append(f"{op}(x, {neutral}) is not x")
    print(*problems, f"{len(problems)} of {tried} traits are wrong", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
