#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The defects of ONNX Runtime: a minimal model for each one, and the form that our models use instead.

    runtime_defects.py [--only REGEX] [--releases 1.22.1,1.32.0]
    runtime_defects.py --update     writes docs/onnxruntime-defects.md
    runtime_defects.py --outcomes   prints those of the onnxruntime that Python imports, as JSON

Runs both forms in releases of ONNX Runtime, by default those that tests/versions.toml lists as watched. Fails if a
release has other defects than those stated in `defect_table` of rewrite/passes/defects.hpp, or if a detour is wrong. A
defect that no supported release has any more needs no detour: remove both.
"""

import argparse
import dataclasses
import json
import multiprocessing
import pathlib
import re
import sys

import numpy as np
import onnx
import onnx.parser

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests"))
import releases

TABLE = root / "include/jax2onnx/rewrite/passes/defects.hpp"
PAGE = root / "docs/onnxruntime-defects.md"
WATCHED = releases.VERSIONS["onnxruntime"]["watched"]
HEAD = f"""\
# Defects of ONNX Runtime

This page lists what {releases.span()} computes wrongly on CPUs. For each defect, it shows the smallest
model that has it, and what our models contain instead. For every target except `generic`, a model avoids the defects of
all releases that load its opset; for a target with a release, such as `ort@1.32`, only those of this release and newer
ones. Detours in lowerings, outside of `rewrite/`, are in models for every target.

`defect_table` of [defects.hpp](../include/jax2onnx/rewrite/passes/defects.hpp) states the releases. The test
`numeric.runtime_defects` compares it with {", ".join(map(releases.short, WATCHED))};
`tests/numeric/runtime_defects.py --update` writes this page.

Models are in ONNX's textual syntax; `z` is the result. How the defects were found:
[0020](decisions/0020-defects-of-runtimes.md); why there is a table by releases:
[0062](decisions/0062-releases-of-onnx-runtime.md)."""
TAIL = """
## What we accept

- A sum with +0 is dropped (NoopElimination): -0 stays -0. XLA does the same.
- `Not` before a `Where`: NotWhereFusion also exchanges the operands of a `Where` that reads the `Not` as a value.
  The rule `turn-where` leaves no `Not` before a `Where`, and there is no kernel for a `Where` of booleans.
- A Cast to a narrower type and back is dropped if a session asks for it
  (`optimization.enable_cast_chain_elimination`). It is off by default, and wrong by design.
- 1 / x * y is y / x, which may be finite where 1 / x overflows. Fused products and other orders of sums change last
  bits.
- `--target generic` has no detours: other runtimes have other defects.
"""
nan, inf = float("nan"), float("inf")


@dataclasses.dataclass
class defect:
    """`name`: of the row in `defect_table`. `model` and `detour`: graphs in ONNX's textual syntax, without the
    signature's outer part."""

    name: str
    title: str
    where: str  # files of this repository
    signature: str
    model: str
    detour: str
    inputs: list
    right: np.ndarray
    note: str = ""
    opset: int = 21
    crashes: bool = False  # run the model in a separate process


def a(values, dtype="float32"):
    return np.array(values, dtype)


REWRITES = [
    defect(
        "integer-reciprocal",
        "Div(1, x) * y of integers becomes y / x",
        "`rewrite/passes/avoid_misfusions.hpp`; `ops/extents.hpp` uses Mod",
        "(int64[1] x, int64[1] y) => (int64[1] z) <int64 one = {1}, int64 minus = {-1}>",
        "q = Div(one, x) z = Mul(q, y)",
        "p = Div(minus, x) q = Neg(p) z = Mul(q, y)",
        [a([4], "int64"), a([4], "int64")],
        a([0], "int64"),
        "DivMulFusion. For floating-point numbers, the rounding differs, and y / x may be finite where 1 / x "
        "overflows; we accept this.",
    ),
    defect(
        "reciprocal-axes",
        "Div(1, x) * y loses the axes of the 1",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[1] x, float[1] y) => (float[1, 1] z) <float[1, 1] one = {1}, int64[1] axis = {0}>",
        "q = Div(one, x) z = Mul(q, y)",
        "u = Unsqueeze(x, axis) q = Div(one, u) z = Mul(q, y)",
        [a([4]), a([4])],
        a([[1]]),
        "DivMulFusion.",
    ),
    defect(
        "reciprocal-of-dropped",
        "A model with (x + 0) Div(1, y) is not loaded",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[1] x, float[1] y) => (float[1] z) <float one = {1}, float zero = {0}>",
        "t = Abs(x) s = Add(t, zero) r = Sqrt(y) q = Div(one, r) z = Mul(s, q)",
        "t = Abs(x) r = Sqrt(y) q = Div(one, r) z = Mul(t, q)",
        [a([3]), a([4])],
        a([1.5]),
        "DivMulFusion and NoopElimination. Other operators that ONNX Runtime drops, such as Identity, likewise.",
    ),
    defect(
        "gelu-axes",
        "x Sigmoid(c x) loses the axes of c",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float x) => (float[1] z) <float[1] c = {2}, int64[1] axis = {0}>",
        "y = Mul(x, c) s = Sigmoid(y) z = Mul(s, x)",
        "u = Unsqueeze(x, axis) y = Mul(u, c) s = Sigmoid(y) z = Mul(s, x)",
        [a(0)],
        a([0]),
        "QuickGeluFusion; GeluFusion likewise.",
    ),
    defect(
        "layer-norm-axes",
        "a layer normalization whose scale has more axes is not loaded",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[2] x) => (double[1, 2] z) <int64[1] axis = {-1}, int64[1] first = {0}, double two = {2},"
        " double eps = {1e-5}, double[1, 2] scale = {1, 1}>",
        "m = ReduceMean(x, axis) d = Sub(x, m) s = Pow(d, two) v = ReduceMean(s, axis) e = Add(v, eps) r = Sqrt(e)"
        " n = Div(d, r) y = Mul(n, scale) z = Add(y, scale)",
        "m = ReduceMean(x, axis) d = Sub(x, m) s = Pow(d, two) v = ReduceMean(s, axis) e = Add(v, eps) r = Sqrt(e)"
        " n = Div(d, r) u = Unsqueeze(n, first) y = Mul(u, scale) z = Add(y, scale)",
        [a([-1, 1], "float64")],
        a([[0, 2]], "float64"),
        "LayerNormFusion.",
    ),
    defect(
        "clip-of-relu",
        "Clip of a Relu is not loaded, except for float32 and float16",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[2] x) => (double[2] z) <double low = {-1}, double high = {1}, double zero = {0}>",
        "r = Relu(x) z = Clip(r, low, high)",
        "r = Max(x, zero) z = Clip(r, low, high)",
        [a([-1, 3], "float64")],
        a([0, 1], "float64"),
        "FuseReluClip.",
    ),
    defect(
        "relu-as-bound",
        "a Relu that is the upper bound of a Clip is dropped",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[2] x, float y) => (float[2] z) <float low = {-1}, float zero = {0}>",
        "r = Relu(y) z = Clip(x, low, r)",
        "r = Max(y, zero) z = Clip(x, low, r)",
        [a([-3, 2]), a(-2)],
        a([-1, 0]),
        "FuseReluClip.",
    ),
    defect(
        "zeros-before-max-pool",
        "zeros around the input of a MaxPool become its own padding, which is -inf",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[1, 1, 2] x) => (float[1, 1, 3] z) <int64[6] pads = {0, 0, 1, 0, 0, 1}, int64[3] axes = {0, 1, 2},"
        " float zero = {0}>",
        "p = Pad(x, pads, zero) z = MaxPool<kernel_shape = [2]>(p)",
        "p = Pad(x, pads, zero, axes) z = MaxPool<kernel_shape = [2]>(p)",
        [a([[[-1, -2]]])],
        a([[[0, -1, 0]]]),
        "PadFusion. Before opset 18, where Pad has no axes, a Max stands in between.",
    ),
    defect(
        "wide-padding",
        "padding as wide as the windows of a pooling operator is not loaded",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[1, 1, 1] x) => (float[1, 1, 4] z) <int64[6] pads = {0, 0, 2, 0, 0, 2}, int64[3] axes = {0, 1, 2},"
        " float zero = {0}>",
        "p = Pad(x, pads, zero) z = AveragePool<kernel_shape = [2], pads = [0, 0], count_include_pad = 1>(p)",
        "p = Pad(x, pads, zero, axes) z = AveragePool<kernel_shape = [2], pads = [0, 0], count_include_pad = 1>(p)",
        [a([[[2]]])],
        a([[[0, 1, 1, 0]]]),
        "PadFusion.",
    ),
    defect(
        "transposed-matrix-vector",
        "the product of a transposed matrix and a vector reads the vector wrongly",
        "`rewrite/rules/products.hpp` (vector-product), `rewrite/passes/avoid_misfusions.hpp`",
        "(float[2, 2] x, float[2] v) => (float[2] z) <int64[1] last = {-1}>",
        "t = Transpose<perm = [1, 0]>(x) z = MatMul(t, v)",
        "t = Transpose<perm = [1, 0]>(x) c = Unsqueeze(v, last) y = MatMul(t, c) z = Squeeze(y, last)",
        [a([[1, 2], [3, 4]]), a([1, 0])],
        a([1, 2]),
        "MatmulTransposeFusion; also with a Cast, or with a product with a number (MatMulScaleFusion), in between.",
    ),
    defect(
        "scaled-f64-product",
        "a scalar factor of a float64 product is rounded to float32",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[1, 2] x) => (double[1, 1] z) <double[2, 1] w = {1, 1}, double c = {1e-50}>",
        "y = MatMul(x, w) z = Mul(y, c)",
        "y = MatMul(x, w) n = Neg(y) p = Neg(n) z = Mul(p, c)",
        [a([[1e50, 2e50]], "float64")],
        a([[3]], "float64"),
        "MatMulScaleFusion. The same happens to quotients, and to factors of the operands.",
    ),
    defect(
        "cast-transposed",
        "a Cast between a Transpose of three axes and a MatMul crashes the process",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float16[2, 1, 1] x, float[2, 1] w) => (float[1, 1, 1] z)",
        "t = Transpose<perm = [1, 2, 0]>(x) c = Cast<to = 1>(t) z = MatMul(c, w)",
        "c = Cast<to = 1>(x) t = Transpose<perm = [1, 2, 0]>(c) z = MatMul(t, w)",
        [a([[[1]], [[2]]], "float16"), a([[3], [4]])],
        a([[[11]]]),
        "MatmulTransposeFusion, where the Transpose moves the first axis.",
        crashes=True,
    ),
    defect(
        "f64-transposed-product",
        "a float64 product with a transposed matrix is not loaded",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[2, 1] x, double[2, 1] w) => (double[1, 1] z)",
        "t = Transpose<perm = [1, 0]>(x) z = MatMul(t, w)",
        "t = Transpose<perm = [1, 0]>(x) n = Neg(t) p = Neg(n) z = MatMul(p, w)",
        [a([[1], [2]], "float64"), a([[3], [4]], "float64")],
        a([[11]], "float64"),
        "MatmulTransposeFusion.",
    ),
    defect(
        "f64-quick-gelu",
        "x Sigmoid(c x) of float64 is not loaded",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[1] x) => (double[1] z)",
        "s = Sigmoid(x) z = Mul(x, s)",
        "s = Sigmoid(x) n = Neg(x) p = Neg(n) z = Mul(p, s)",
        [a([0], "float64")],
        a([0], "float64"),
        "QuickGeluFusion.",
    ),
    defect(
        "expand-to-empty",
        "an Expand of 1 to 0 is dropped",
        "`ops/shape.hpp`: an empty result is a constant",
        "(float[1] x) => (float[0] z) <int64[1] none = {0}, float[0] empty = {}>",
        "y = Neg(x) e = Expand(y, none) z = Exp(e)",
        "z = Exp(empty)",
        [a([1])],
        a([]),
        "ExpandElimination.",
    ),
    defect(
        "descending-range",
        "a Gather of a descending Range is empty",
        "`lower/indexing` reads descending ranges by Slice; `range` of `ops/extents.hpp` starts at 0",
        "(float[2] x, int64 n) => (float[K] z) <int64 one = {1}, int64 minus = {-1}, int64[1] last = {-1},"
        " int64[1] before = {-3}>",
        "i = Range(one, n, minus) z = Gather(x, i)",
        "z = Slice(x, last, before, last, last)",
        [a([1, 2]), a(-1, "int64")],
        a([2, 1]),
        "GatherToSliceFusion.",
    ),
]

KERNELS = [
    defect(
        "max-pool-nan",
        "MaxPool ignores most NaN",
        "`rewrite/passes/propagate_nan.hpp` (decision 0025)",
        "(float[1, 1, 3] x) => (float[1, 1, 2] z) <float nothing = {0}, float half = {0.5}, float two = {2}>",
        "z = MaxPool<kernel_shape = [2]>(x)",
        "n = IsNaN(x) m = Cast<to = 1>(n) w = MaxPool<kernel_shape = [2]>(m) b = Greater(w, nothing)"
        " h = Mul(x, half) p = MaxPool<kernel_shape = [2]>(h) q = Mul(p, two)"
        " k = Div(nothing, nothing) z = Where(b, k, q)",
        [a([[[nan, 1, nan]]])],
        a([[[nan, nan]]]),
    ),
    defect(
        "max-pool-infinity",
        "MaxPool gives -3.4028235e38 for a window of -inf",
        "`rewrite/passes/propagate_nan.hpp` (decision 0025)",
        "(float[1, 1, 2] x) => (float[1, 1, 1] z) <float half = {0.5}, float two = {2}>",
        "z = MaxPool<kernel_shape = [2]>(x)",
        "h = Mul(x, half) p = MaxPool<kernel_shape = [2]>(h) z = Mul(p, two)",
        [a([[[-inf, -inf]]])],
        a([[[-inf]]]),
    ),
    defect(
        "reduced-nan",
        "ReduceMax and ReduceMin ignore NaN",
        "`rewrite/passes/propagate_nan.hpp`",
        "(float[4] x) => (float[1] z)",
        "z = ReduceMax(x)",
        "y = ReduceMax(x) s = ReduceL1(x) z = Min(y, s)",
        [a([1, nan, 2, 3])],
        a([nan]),
    ),
    defect(
        "scattered-nan",
        "scatters to a maximum ignore NaN",
        "`rewrite/passes/propagate_nan.hpp`",
        "(float[2] x, float[1] u) => (float[2] z) <int64[1] i = {0}>",
        'z = ScatterElements<reduction = "max">(x, i, u)',
        'y = ScatterElements<reduction = "max">(x, i, u) p = Abs(x) q = Abs(u)'
        ' s = ScatterElements<reduction = "add">(p, i, q) z = Min(y, s)',
        [a([nan, 1]), a([2])],
        a([nan, 1]),
    ),
    defect(
        "scattered-f16",
        "scatters with a reduction do not run for float16, although the kernels are registered",
        "`rewrite/passes/legalize.hpp`",
        "(float16[2] x, float16[1] u) => (float16[2] z) <int64[1] i = {0}>",
        'z = ScatterElements<reduction = "add">(x, i, u)',
        'p = Cast<to = 1>(x) q = Cast<to = 1>(u) s = ScatterElements<reduction = "add">(p, i, q) z = Cast<to = 10>(s)',
        [a([3, 1], "float16"), a([2], "float16")],
        a([5, 1], "float16"),
    ),
    defect(
        "integer-sums",
        "ReduceSum and ReduceProd of integers accumulate in double and saturate",
        "`exact_sum` of `ops/reduction.hpp`, `lower/reduction/exact_integers.hpp`",
        "(int64[2] x) => (int64[1] z) <int64 half = {4294967296}>",
        "z = ReduceSum(x)",
        "l = Mod(x, half) d = Sub(x, l) h = Div(d, half) p = ReduceSum(h) q = Mul(p, half) s = ReduceSum(l)"
        " z = Add(q, s)",
        [a([2**62, 2**62], "int64")],
        a([-(2**63)], "int64"),
    ),
    defect(
        "int64-extremes",
        "Max and Min of int64 compare the lower halves as signed integers",
        "`extreme` and `reduce_to_extreme` of `lower/reduction/exact_integers.hpp`",
        "(int64[8] x, int64[8] y) => (int64[8] z)",
        "z = Max(x, y)",
        "l = Less(x, y) z = Where(l, y, x)",
        [a([1] * 8, "int64"), a([2**31] * 8, "int64")],
        a([2**31] * 8, "int64"),
    ),
    defect(
        "int64-fmod",
        "Mod with fmod=1 computes int64 in double",
        "`remainder` of `lower/elementwise/arithmetic.hpp`",
        "(int64[1] x, int64[1] y) => (int64[1] z)",
        "z = Mod<fmod = 1>(x, y)",
        "q = Div(x, y) p = Mul(q, y) z = Sub(x, p)",
        [a([2**53 + 1], "int64"), a([3], "int64")],
        a([0], "int64"),
    ),
    defect(
        "int64-power",
        "Pow computes int64 in double",
        "`integer_power` of `lower/elementwise/arithmetic.hpp` multiplies",
        "(int64[1] x) => (int64[1] z) <int64 three = {3}>",
        "z = Pow(x, three)",
        "y = Mul(x, x) z = Mul(y, x)",
        [a([1234567], "int64")],
        a([1234567**3], "int64"),
    ),
    defect(
        "f16-sign",
        "Sign of a float16 NaN is 0",
        "`WRONG` of `scripts/generate_kernel_table.py`",
        "(float16[1] x) => (float16[1] z)",
        "z = Sign(x)",
        "w = Cast<to = 1>(x) s = Sign(w) z = Cast<to = 10>(s)",
        [a([nan], "float16")],
        a([nan], "float16"),
    ),
    defect(
        "where-zero",
        "Where drops the sign of -0",
        "`log1p` of `ops/math.hpp` multiplies by 1 or 0 instead",
        "(bool[1] c, float[1] x) => (float[1] z) <float one = {1}>",
        "w = Where(c, x, one) z = Reciprocal(w)",
        "z = Reciprocal(x)",
        [a([True], "bool"), a([-0.0])],
        a([-inf]),
    ),
    defect(
        "f64-log-softmax",
        "LogSoftmax of float64 gives numbers for rows with NaN",
        "`rewrite/rules/operators/softmax.hpp` declines",
        "(double[1, 2] x) => (double[1, 2] z) <int64[1] axis = {1}>",
        "z = LogSoftmax<axis = 1>(x)",
        "m = ReduceMax(x, axis) d = Sub(x, m) e = Exp(d) s = ReduceSum(e, axis) l = Log(s) z = Sub(d, l)",
        [a([[1, nan]], "float64")],
        a([[nan, nan]], "float64"),
    ),
    defect(
        "log-sum-exp",
        "ReduceLogSumExp over some axes uses 0 as the maximum of rows that begin with -inf",
        "`rewrite/rules/operators/softmax.hpp` declines",
        "(float[1, 2] x) => (float[1] z) <int64[1] axis = {1}>",
        "z = ReduceLogSumExp<keepdims = 0>(x, axis)",
        "m = ReduceMax(x, axis) d = Sub(x, m) e = Exp(d) s = ReduceSum<keepdims = 0>(e, axis) l = Log(s)"
        " n = Squeeze(m, axis) z = Add(l, n)",
        [a([[-inf, -200]])],
        a([-200]),
    ),
    defect(
        "f8-e5m2-overflow",
        "Cast to float8_e5m2 gives NaN for numbers that round to infinity",
        "`ops/convert_element_type.hpp` (decision 0025)",
        "(float[1] x) => (float[1] z) <float limit = {61440}, float zero = {0}>",
        "y = Cast<to = 19, saturate = 0>(x) z = Cast<to = 1>(y)",
        "b = GreaterOrEqual(x, limit) i = Div(x, zero) w = Where(b, i, x) y = Cast<to = 19, saturate = 0>(w)"
        " z = Cast<to = 1>(y)",
        [a([61440])],
        a([inf]),
    ),
    defect(
        "f8-e4m3fn-overflow",
        "Cast to float8_e4m3fn gives 448 for 480, which rounds to NaN",
        "`ops/convert_element_type.hpp` (decision 0025)",
        "(float[1] x) => (float[1] z) <float limit = {464}, float zero = {0}>",
        "y = Cast<to = 17, saturate = 0>(x) z = Cast<to = 1>(y)",
        "b = Greater(x, limit) k = Div(zero, zero) w = Where(b, k, x)"
        " y = Cast<to = 17, saturate = 0>(w) z = Cast<to = 1>(y)",
        [a([480])],
        a([nan]),
    ),
    defect(
        "empty-matmul",
        "MatMul of a matrix without rows and a vector does not run",
        "`matmul` of `ops/linear.hpp`: an empty product is a constant",
        "(float[0, 2] x, float[2] v) => (float[0] z) <float[0] empty = {}>",
        "z = MatMul(x, v)",
        "z = Identity(empty)",
        [a([]).reshape(0, 2), a([1, 2])],
        a([]),
    ),
    defect(
        "empty-scan",
        "Scan rejects sequences of length 0",
        "`lower/control/scan.hpp` writes a Loop where the length may be 0",
        "(float[N] x) => (float z) <float zero = {0}, int64[1] axis = {0}>",
        "z = Scan<num_scan_inputs = 1, body = b (float s, float t) => (float r) { r = Add(s, t) }>(zero, x)",
        "z = ReduceSum<keepdims = 0>(x, axis)",
        [a([])],
        a(0),
    ),
    defect(
        "f64-cos",
        "Cos of float64 has no kernel",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(double[3] x) => (double[3] z) <double one = {1}, double two = {2}>",
        "z = Cos(x)",
        "h = Div(x, two) s = Sin(h) q = Mul(s, s) d = Mul(q, two) z = Sub(one, d)",
        [a([0, 1, 1e6], "float64")],
        np.cos([0, 1, 1e6]),
    ),
    defect(
        "single-dft",
        "DFT without a batch returns one axis too many",
        "`rewrite/passes/avoid_misfusions.hpp`",
        "(float[2, 2] x) => (float[2, 2] z) <int64[1] first = {0}, int64 axis = {0}, int64 next = {1}>",
        "z = DFT(x, , axis)",
        "u = Unsqueeze(x, first) d = DFT(u, , next) z = Squeeze(d, first)",
        [a([[1, 2], [3, 4]])],
        a([[4, 6], [-2, -2]]),
    ),
]


def outcome(graph, case):
    """The result, or the first line of the message."""
    import onnxruntime

    text = f'<ir_version: 10, opset_import: ["": {case.opset}]> g {case.signature} {{ {graph} }}'
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    try:
        model = onnx.parser.parse_model(text)
        onnx.checker.check_model(model, full_check=True)
    except Exception as problem:
        sys.exit(f"{case.title}: {problem}")
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        return session.run(None, {i.name: v for i, v in zip(session.get_inputs(), case.inputs)})[0]
    except Exception as problem:  # several types
        return str(problem).splitlines()[0]


def outcome_apart(graph, case):
    """The result; a message if the process died."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(outcome(graph, case)))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return "the process died"
    finally:
        process.join()


def is_right(result, case):
    if isinstance(result, str) or result.shape != case.right.shape:
        return False
    if result.dtype.kind == "f":
        return np.allclose(result, case.right, 1e-4, 1e-4, equal_nan=True)
    return np.array_equal(result, case.right)


def outcomes():
    """name -> (whether the model is right, the defect of the detour), in the onnxruntime that Python imports."""
    found = {}
    for case in REWRITES + KERNELS:
        result = outcome_apart(case.model, case) if case.crashes else outcome(case.model, case)
        detour = outcome(case.detour, case)
        found[case.name] = is_right(result, case), "" if is_right(detour, case) else str(detour)
    return found


def table():
    """name -> (first, last) release with the defect, as minor versions; None as the last one means the newest."""
    rows = re.findall(r"\{defect::\w+, \"([^\"]+)\", (\d+), (\w+)\}", TABLE.read_text())
    return {name: (int(first), None if last == "newest" else int(last)) for name, first, last in rows}


def problems(version, stated, only):
    found = json.loads(releases.run_in(version, __file__, "--outcomes"))
    runtime, minor = f"ONNX Runtime {version}", releases.minor(version)
    for case in REWRITES + KERNELS:
        if not re.search(only, case.title):
            continue
        right, detour = found[case.name]
        first, last = stated[case.name]
        expected = first <= minor and (last is None or minor <= last)
        if right == expected:
            yield f"{case.title}: {runtime} {'does not have' if right else 'has'} the defect {case.name}"
        if detour:
            yield f"{case.title}: {runtime} is wrong with the detour, too: {detour}"


def span(first, last):
    if last is None:
        return f"1.{first} and newer"
    return f"1.{first} to 1.{last}" if first < last else f"1.{first}"


def page():
    stated, lines = table(), [HEAD]
    for title, cases in (("Rewrites of the graph", REWRITES), ("Kernels", KERNELS)):
        lines += ["", f"## {title}"]
        for case in cases:
            shown = [v.tolist() for v in case.inputs]
            lines += ["", f"### {case.title[0].upper()}{case.title[1:]}", "", "```", f"{case.signature}"]
            lines += [f"  wrong: {case.model}", f"  right: {case.detour}", "```", ""]
            lines += [
                f"Inputs {', '.join(map(str, shown))}: the result is {case.right.tolist()}. {case.note}".strip(),
                "",
            ]
            lines += [f"Releases: {span(*stated[case.name])}. Detour: {case.where}."]
    return "\n".join([*lines, TAIL])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--releases", default=",".join(WATCHED), metavar="A,B")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--outcomes", action="store_true")
    options = parser.parse_args()
    if options.outcomes:
        print(json.dumps(outcomes()))
        return 0
    stated, named = table(), {case.name for case in REWRITES + KERNELS}
    if stated.keys() != named:
        sys.exit(f"only here or only in {TABLE.name}: {', '.join(sorted(stated.keys() ^ named))}")
    if options.update:
        PAGE.write_text(page())
    found = [p for v in options.releases.split(",") for p in problems(v, stated, options.only)]
    if PAGE.read_text() != page():
        found.append(f"{PAGE.name} is not what --update writes")
    print("\n".join([*found, f"{len(stated)} defects in {options.releases}, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
