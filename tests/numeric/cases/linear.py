# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, convolutions, pooling, Fourier transforms."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen
from jax import lax
from jax._src.lax import windowed_reductions

from table import NEWEST, arr, c64, c128, case, edges, f32, f64, i32, spec

# Products.
case("dot_general", "vector_vector", jnp.dot, f32(5), f32(5))
case("dot_general", "matrix_vector", jnp.dot, f32(3, 5), f32(5))
case("dot_general", "matrix_matrix", jnp.dot, f32(3, 5), f32(5, 2))
case(
    "dot_general", "vector_as_scores", lambda x, w, v: jax.nn.softmax(x @ w) @ v, f32(2, 3, 4, 5), f32(5), f32(2, 4, 6)
)
case("dot_general", "rows_by_vector", lambda x, w: x @ w, f32("B", 3, 5), f32(5))
case("dot_general", "pairs", lambda x, y: jnp.einsum("bci,bci->bc", x, y), f32(3, 4, 5), f32(3, 4, 5))
# Enough rows of few elements that they take other forms.
case("dot_general", "narrow_rows", lambda x, s, m: (x / s) @ m, f32(300, 3), spec("float32", (300, 1), 1, 2), f32(3, 2))
case("dot_general", "narrow_lines", lambda x, y, m: (x * y) @ m, f32(20, 20, 4), f32(20, 1, 4), f32(4, 2))
case("dot_general", "narrow_columns", lambda x: jnp.dot(x[:, 0] * x[:, 2], x[:, 1]), f32(70, 3))
case("dot_general", "batch", jnp.matmul, f32(2, 3, 5), f32(2, 5, 4))
case("dot_general", "broadcast_batch", jnp.matmul, f32(2, 3, 5), f32(5, 4))
case("dot_general", "transposed", lambda x, y: lax.dot_general(x, y, (((1,), (1,)), ((), ()))), f32(3, 5), f32(4, 5))
case(
    "dot_general", "both_transposed", lambda x, y: lax.dot_general(x, y, (((0,), (1,)), ((), ()))), f32(5, 3), f32(4, 5)
)
case(
    "dot_general",
    "two_contracting",
    lambda x, y: lax.dot_general(x, y, (((1, 2), (2, 0)), ((), ()))),
    f32(2, 3, 4),
    f32(4, 5, 3),
)
case(
    "dot_general",
    "batch_in_the_middle",
    lambda x, y: lax.dot_general(x, y, (((2,), (0,)), ((1,), (2,)))),
    f32(2, 3, 4),
    f32(4, 5, 3),
)
case(
    "dot_general",
    "two_batches",
    lambda x, y: lax.dot_general(x, y, (((3,), (2,)), ((0, 1), (1, 0)))),
    f32(2, 3, 4, 5),
    f32(3, 2, 5, 6),
)
case("dot_general", "no_contracting", lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))), f32(2, 3), f32(4))
case("dot_general", "batch_only", lambda x, y: lax.dot_general(x, y, (((), ()), ((0,), (0,)))), f32(2, 3), f32(2))
case("dot_general", "empty_contraction", jnp.dot, f32(3, 0), f32(0, 2))
case("dot_general", "symbolic", jnp.dot, f32("B", 5), f32(5, 2))
case("dot_general", "symbolic_batch", jnp.matmul, f32("B", 3, 5), f32("B", 5, 2))
case("dot_general", "symbolic_self", lambda x: x @ x.T, f32("B", 5))
for dtype in ["float16", "bfloat16", "int32", "int8", "uint8", "uint32"]:
    case("dot_general", dtype, lambda x, y: lax.dot(x, y), spec(dtype, (3, 5)), spec(dtype, (5, 2)))
case("dot_general", "float64", lambda x, y: lax.dot(x, y), spec("float64", (3, 5)), spec("float64", (5, 2)), x64=True)
case(
    "dot_general",
    "preferred_i32",
    lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32),
    spec("int8", (3, 5), -99, 99),
    spec("int8", (5, 2), -99, 99),
)
case(
    "dot_general",
    "preferred_f32",
    lambda x, y: lax.dot(x, y, preferred_element_type=jnp.float32),
    spec("bfloat16", (3, 5)),
    spec("bfloat16", (5, 2)),
)
case(
    "dot_general",
    "wrapping_i32",
    lambda x, y: lax.dot(x, y),
    i32(2, 3).between(1 << 20, 1 << 30),
    i32(3, 2).between(1 << 20, 1 << 30),
)
case("einsum", "attention_scores", lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k), f32(2, 3, 2, 4), f32(2, 5, 2, 4))
case("einsum", "outer_sum", lambda x, y: jnp.einsum("ij,jk,k->i", x, y, np.ones(4, "f4")), f32(2, 3), f32(3, 4))
case("einsum", "trace", lambda x: jnp.einsum("ii->i", x), f32(3, 3))
weights, bias = np.linspace(-1, 1, 15, dtype="f4").reshape(5, 3), np.arange(3, dtype="f4")
for left, right in [("int8", "int8"), ("uint8", "int8"), ("uint8", "uint8")]:
    case(
        "dot_general",
        f"quantized_{left}_{right}",
        lambda x, y: lax.dot_general(x, y, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32),
        spec(left, ("B", 70), -128 if left == "int8" else 0, 256 if left == "uint8" else 128),
        spec(right, (64, 70), -128 if right == "int8" else 0, 256 if right == "uint8" else 128),
    )
case("dot_general", "dense", lambda x: x @ weights + bias, f32(2, 5))
case("dot_general", "dense_symbolic", lambda x: x @ weights + bias, f32("B", 5))
case("dot_general", "bool", lambda x, y: lax.dot(x, y), spec("bool", (3, 4)), spec("bool", (4, 2)))
case("dot_general", "vector_matrix", jnp.dot, f32(3), f32(3, 4))
case("dot_general", "batched_vectors", lambda x, y: jnp.einsum("bi,bi->b", x, y), f32(3, 4), f32(3, 4))
case("dot_general", "batched_outer", lambda x, y: jnp.einsum("bi,bj->bij", x, y), f32(3, 4), f32(3, 5))
case("dot_general", "three_leading", lambda x, y: x @ y, f32(2, 3, 4, 5), f32(5, 6))
case("dot_general", "to_heads", lambda x, y: jnp.einsum("btd,dhk->bthk", x, y), f32("B", "N", 4), f32(4, 2, 3))
case("dot_general", "from_heads", lambda x, y: jnp.einsum("bthk,hkd->btd", x, y), f32("B", "N", 2, 3), f32(2, 3, 4))
case("dot_general", "complex", lambda x, y: lax.dot(x, y), spec("complex64", (3, 4)), spec("complex64", (4, 2)))
case(
    "dot_general",
    "int16_wrapping",
    lambda x, y: lax.dot(x, y),
    spec("int16", (3, 4), -30000, 30000),
    spec("int16", (4, 2), -30000, 30000),
)
case(
    "dot_general",
    "uint64",
    lambda x, y: lax.dot(x, y),
    spec("uint64", (3, 4), 0, 2**62),
    spec("uint64", (4, 2), 0, 2**62),
    x64=True,
)
case(
    "dot_general",
    "float32_to_bfloat16",
    lambda x, y: lax.dot(x, y, preferred_element_type=jnp.bfloat16),
    f32(3, 4),
    f32(4, 2),
)
for lhs, rhs, to in (
    ("float32", "float32", "int32"),
    ("float32", "float32", "uint8"),
    ("float16", "float16", "bool"),
    ("int8", "float32", "uint32"),
    ("float32", "uint8", "int32"),
    ("int32", "float32", "bool"),
    ("float32", "float32", "complex64"),
    ("float32", "int8", "complex64"),
    ("complex64", "complex64", "float32"),
    ("complex64", "float32", "float32"),
):
    case(
        "dot_general",
        f"preferred_{lhs}_{rhs}_{to}",
        lambda x, y, to=to: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=to),
        spec(lhs, (3, 4)),
        spec(rhs, (4, 2)),
    )
case("dot_general", "empty_rows", lambda x, y: x @ y, f32(0, 4), f32(4, 2))
case(
    "dot_general",
    "float64_scaled",
    lambda x, y: ((x @ y) * 0.3, (x / 3) @ y, (x * 0.3).T @ y, x @ (y.T * 0.3) * 2, (x @ y) * 0.5 / 3, (x @ y) * 0.5),
    spec("float64", (3, 3)),
    spec("float64", (3, 3)),
    x64=True,
    rtol=1e-14,
    atol=1e-14,
)
case("dot_general", "empty_rows_by_vector", lambda x, y: x @ y, f32(0, 4), f32(4))
case("dot_general", "scalars", lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))), f32(), f32(2, 3))
sizes = arr([2, 0, 3], "int32")
numbers = lax.RaggedDotDimensionNumbers
case("ragged_dot_general", "rows", lax.ragged_dot, f32(6, 4), f32(3, 4, 5), sizes)
case(
    "ragged_dot_general",
    "contracting",
    lambda x, y, s: lax.ragged_dot_general(x, y, s, numbers((((1,), (0,)), ((), ())), (1,), ())),
    f32(4, 6),
    f32(6, 5),
    sizes,
)
nan_in_row_2 = arr([[1, 2], [3, 4], [np.nan, 5], [6, 7], [8, np.inf]])
case(  # a NaN stays in its group, whichever operand has it; the last row is in no group
    "ragged_dot_general",
    "contracting_nan",
    lambda x, y, s: [
        lax.ragged_dot_general(a, b, s, numbers((((0,), (0,)), ((), ())), (0,), ())) for a, b in ((x, y), (y, x))
    ],
    f32(5, 3),
    nan_in_row_2,
    arr([2, 0, 2], "int32"),
)
case(
    "ragged_dot_general",
    "contracting_batch",
    lambda x, y, s: lax.ragged_dot_general(x, y, s, numbers((((2,), (1,)), ((1,), (0,))), (2,), ())),
    f32(3, 2, 5),
    f32(2, 5, 4, 3),
    arr([[2, 0, 2], [1, 3, 1]], "int32"),
)
case(
    "ragged_dot_general",
    "batch",
    lambda x, y, s: lax.ragged_dot_general(x, y, s, numbers((((2,), (1,)), ((0,), (0,))), (0,), ())),
    f32(3, 4, 6),
    f32(3, 6, 5),
    arr([1, 2], "int32"),
)
case(
    "ragged_dot_general",
    "batched_rows",
    lambda x, y, s: lax.ragged_dot_general(x, y, s, numbers((((2,), (2,)), ((0,), (0,))), (1,), (1,))),
    f32(2, 6, 4),
    f32(2, 3, 4, 5),
    arr([[2, 0, 3], [1, 1, 4]], "int32"),
)
case("ragged_dot_general", "bfloat16", lax.ragged_dot, spec("bfloat16", (6, 4)), spec("bfloat16", (3, 4, 5)), sizes)
case(
    "ragged_dot_general",
    "gradient",
    lambda x, y, s: jax.grad(lambda x, y: jnp.sum(lax.ragged_dot(x, y, s) ** 2), (0, 1))(x, y),
    f32(6, 4),
    f32(3, 4, 5),
    sizes,
)
case("dot_general", "nothing_to_sum", lambda a, b: a @ b + 1, f32(2, 0), f32(0, 3))
case(
    "dot_general",
    "nothing_to_sum_vectors",
    lambda xs, a, c: lax.scan(lambda c, x: (c + a @ x, a @ x), c * 3, xs),
    f32(3, 0),
    f32(2, 0),
    f32(2),
)
case("dot_general", "transposed_vector", lambda a, v: jnp.abs(a).T @ v, f32(2, 4), f32(2))
case("dot_general", "vector_transposed", lambda a, v: v @ jnp.abs(a).T, f32(2, 4), f32(4))
case("dot_general", "transposed_batch_vector", lambda a, v: jnp.abs(a).swapaxes(1, 2) @ v, f32(3, 2, 4), f32(2))

# Complex operands.
case("dot_general", "c64", lambda x, y: x @ y, c64(3, 4), c64(4, 2))


# Convolutions.
def conv(numbers, strides=(1, 1), padding="SAME", **options):
    return lambda x, k: lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=numbers, **options)


nchw, nhwc = ("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC")
x, k = f32(2, 3, 6, 7), f32(4, 3, 3, 2)
case("conv_general_dilated", "nchw", conv(nchw), x, k)
case("conv_general_dilated", "nhwc", conv(nhwc), f32(2, 6, 7, 3), f32(3, 2, 3, 4))
case("conv_general_dilated", "odd_layout", conv(("CHWN", "HOIW", "HNCW")), f32(3, 6, 7, 2), f32(3, 4, 3, 2))
case("conv_general_dilated", "valid_strided", conv(nchw, (2, 3), "VALID"), x, k)
case("conv_general_dilated", "explicit_pads", conv(nchw, padding=((2, 0), (1, 3))), x, k)
case("conv_general_dilated", "negative_pads", conv(nchw, padding=((-1, 0), (0, -2))), x, k)
case("conv_general_dilated", "kernel_dilation", conv(nchw, rhs_dilation=(2, 1)), x, k)
case("conv_general_dilated", "input_dilation", conv(nchw, padding=((0, 1), (2, 0)), lhs_dilation=(2, 3)), x, k)
case("conv_general_dilated", "groups", conv(nchw, feature_group_count=3), x, f32(6, 1, 3, 3))
case("conv_general_dilated", "depthwise_nhwc", conv(nhwc, feature_group_count=3), f32(2, 6, 7, 3), f32(3, 3, 1, 3))
case("conv_general_dilated", "batch_groups", conv(nchw, batch_group_count=2), f32(4, 3, 6, 7), f32(4, 3, 3, 2))
case("conv_general_dilated", "rank1", conv(("NWC", "WIO", "NWC"), (1,)), f32(2, 7, 3), f32(3, 3, 4))
case(
    "conv_general_dilated",
    "rank3",
    conv(("NCDHW", "OIDHW", "NCDHW"), (1, 1, 1)),
    f32(1, 2, 4, 4, 4),
    f32(3, 2, 2, 2, 2),
)
case("conv_general_dilated", "no_spatial", conv(("NC", "OI", "NC"), (), ()), f32(2, 3), f32(4, 3))
case("conv_general_dilated", "symbolic_batch", conv(nhwc), f32("B", 6, 7, 3), f32(3, 2, 3, 4))
case("conv_general_dilated", "symbolic_groups", jax.vmap(jnp.convolve), f32("B", 7), f32("B", 3))
case(
    "conv_general_dilated",
    "symbolic_groups_nhwc",
    jax.vmap(conv(nhwc, (2, 1), "SAME", rhs_dilation=(1, 2))),
    f32("B", 2, 6, 7, 3),
    f32("B", 3, 2, 3, 4),
)
case("conv_general_dilated", "symbolic_groups_c64", jax.vmap(jnp.convolve), c64("B", 5), c64("B", 2))
for stride in (1, 2):
    case(
        "conv_general_dilated",
        f"symbolic_kernel_stride_{stride}",
        lambda x, w, s=stride: jax.grad(
            lambda x, w: jnp.sum(conv(nhwc, (s, 1), ((1, 1), (1, 0)))(x, w) ** 2),
            (0, 1),
        )(x, w),
        f32("B", "2*C + 1", 6, 3),
        f32(3, 2, 3, 4),
    )
case(
    "conv_general_dilated",
    "transpose_same",
    lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"),
    f32(1, 4, 5, 3),
    f32(3, 3, 3, 2),
)
case(
    "conv_general_dilated",
    "transpose_valid",
    lambda x, k: lax.conv_transpose(x, k, (2, 1), "VALID"),
    f32(1, 4, 5, 3),
    f32(3, 3, 3, 2),
)
for dtype in ["float16", "bfloat16", "int32", "int8"]:
    case("conv_general_dilated", dtype, conv(nchw), spec(dtype, (1, 2, 5, 5)), spec(dtype, (3, 2, 3, 3)))
case(
    "conv_general_dilated",
    "float64",
    conv(nchw),
    spec("float64", (1, 2, 5, 5)),
    spec("float64", (3, 2, 3, 3)),
    x64=True,
)
case(
    "conv_general_dilated",
    "preferred",
    conv(nchw, preferred_element_type=jnp.float32),
    spec("bfloat16", (1, 2, 5, 5)),
    spec("bfloat16", (3, 2, 3, 3)),
)
case(
    "conv_general_dilated",
    "everything",
    conv(nchw, (2, 1), ((1, 2), (-1, 3)), lhs_dilation=(1, 2), rhs_dilation=(2, 1), feature_group_count=3),
    x,
    f32(6, 1, 2, 3),
)
case(
    "conv_general_dilated",
    "transpose_groups",
    conv(nchw, padding=((2, 2), (1, 2)), lhs_dilation=(2, 2), feature_group_count=2),
    f32(1, 4, 3, 4),
    f32(6, 2, 3, 3),
)
case("conv_general_dilated", "transpose_wide_padding", conv(nchw, padding=((5, 4), (3, 7)), lhs_dilation=(2, 1)), x, k)
case(
    "conv_general_dilated", "transpose_output_padding", conv(nchw, padding=((2, 3), (1, 3)), lhs_dilation=(3, 3)), x, k
)
case("conv_general_dilated", "transpose_strided", conv(nchw, (2, 1), ((2, 2), (1, 1)), lhs_dilation=(3, 2)), x, k)
case(
    "conv_general_dilated",
    "transpose_dilated_kernel",
    conv(nchw, padding=((2, 2), (1, 1)), lhs_dilation=(2, 2), rhs_dilation=(2, 1)),
    x,
    k,
)
case(
    "conv_general_dilated",
    "transpose_symbolic_batch",
    lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"),
    f32("B", 4, 5, 3),
    f32(3, 3, 3, 2),
)
case("conv_general_dilated", "symbolic_same_strided", conv(nhwc, (2, 2)), f32("B", "C", "D", 3), f32(3, 3, 3, 2))
case(
    "conv_general_dilated",
    "symbolic_same_dilated",
    conv(nhwc, (2, 2), rhs_dilation=(2, 1)),
    f32("B", "C", "D", 3),
    f32(3, 3, 3, 2),
)
case("conv_general_dilated", "symbolic_valid", conv(nhwc, (2, 1), "VALID"), f32("B", "C", "D", 3), f32(2, 3, 3, 2))
case(
    "conv_general_dilated",
    "symbolic_int",
    conv(nhwc, (2, 2), "SAME"),
    spec("int32", ("B", "C", "D", 3), -9, 9),
    spec("int32", (3, 3, 3, 2), -9, 9),
)
case("conv_general_dilated", "complex", conv(nchw), spec("complex64", (1, 2, 5, 5)), spec("complex64", (3, 2, 3, 3)))
case(
    "conv_general_dilated",
    "int_groups",
    conv(nchw, (2, 1), "SAME", rhs_dilation=(1, 2), feature_group_count=2),
    spec("int16", (1, 4, 5, 6), -99, 99),
    spec("int16", (4, 2, 3, 2), -99, 99),
)
case(
    "conv_general_dilated",
    "int8_to_int32",
    conv(nchw, preferred_element_type=jnp.int32),
    spec("int8", (1, 4, 5, 6), -99, 99),
    spec("int8", (2, 4, 3, 2), -99, 99),
)
case(
    "conv_general_dilated",
    "float64_batch_groups",
    conv(nchw, batch_group_count=2),
    spec("float64", (4, 2, 5, 5)),
    spec("float64", (4, 2, 3, 3)),
    x64=True,
)
case(
    "conv_general_dilated",
    "rank1_transposed",
    conv(("NWC", "WIO", "NWC"), (1,), ((2, 2),), lhs_dilation=(2,)),
    f32(2, 7, 3),
    f32(3, 3, 4),
)
case(
    "conv_general_dilated",
    "no_spatial_groups",
    conv(("NC", "OI", "NC"), (), (), feature_group_count=2),
    f32(2, 4),
    f32(6, 2),
)


def kernel_gradient(numbers, strides=(1, 1), padding="SAME", **options):
    forward = conv(numbers, strides, padding, **options)
    return lambda x, k: jax.grad(lambda k: jnp.sum(forward(x, k) ** 2))(k)


case("conv_general_dilated", "kernel_gradient", kernel_gradient(nhwc), f32(5, 6, 6, 3), f32(3, 3, 3, 2), rtol=1e-4)
case(
    "conv_general_dilated", "kernel_gradient_runs", kernel_gradient(nhwc), f32(2, 6, 7, 16), f32(3, 2, 16, 2), rtol=1e-4
)
case(
    "conv_general_dilated",
    "kernel_gradient_nchw",
    kernel_gradient(nchw, (2, 1), ((2, -1), (0, 1)), rhs_dilation=(1, 2)),
    f32(2, 17, 9, 6),
    f32(3, 17, 3, 2),
    rtol=1e-4,
)
case(
    "conv_general_dilated",
    "kernel_gradient_strided",
    kernel_gradient(nhwc, (2, 2)),
    f32(3, 8, 8, 2),
    f32(3, 3, 2, 3),
    rtol=1e-4,
)
case(
    "conv_general_dilated",
    "kernel_gradient_rank1",
    kernel_gradient(("NWC", "WIO", "NWC"), (1,)),
    f32(2, 7, 3),
    f32(3, 3, 4),
    rtol=1e-4,
)
case("conv_general_dilated", "empty_batch", conv(nchw), f32(0, 3, 6, 7), k)
case("conv_general_dilated", "no_features", conv(nchw), f32(2, 0, 6, 7), f32(4, 0, 3, 2))
case("conv_general_dilated", "same_lower", conv(nchw, (2, 2), "SAME_LOWER"), x, k)
case(
    "conv_general_dilated",
    "gradient_of_kernel",
    lambda x, k: jax.grad(lambda k: jnp.sum(conv(nhwc, (2, 2))(x, k) ** 2))(k),
    f32(2, 6, 7, 3),
    f32(3, 3, 3, 2),
)
case(
    "conv_general_dilated",
    "gradient_of_input",
    lambda x, k: jax.grad(lambda x: jnp.sum(conv(nhwc, (2, 2))(x, k) ** 2))(x),
    f32(2, 6, 7, 3),
    f32(3, 3, 3, 2),
)

case(
    "conv_general_dilated",
    "no_spatial_dimensions",
    lambda x, w: lax.conv_general_dilated(x, w, (), ()),
    spec("float16", (2, 3)),
    spec("float16", (4, 3)),
)


# Pooling.
def window(init, op, size, strides, padding="VALID", **options):
    return lambda x: lax.reduce_window(x, np.asarray(init, x.dtype), op, size, strides, padding, **options)


image = f32(2, 6, 7, 3)
case("reduce_window_max", "nhwc", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), image)
case("reduce_window_max", "same", window(-jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), image)
case("reduce_window_max", "nchw", window(-jnp.inf, lax.max, (1, 1, 3, 2), (1, 1, 1, 1)), f32(2, 3, 6, 7))
case("reduce_window_max", "rank1", window(-jnp.inf, lax.max, (3,), (1,)), edges("float32"))
case("reduce_window_max", "all_axes", window(-jnp.inf, lax.max, (2, 3), (1, 1)), f32(4, 5))
case(
    "reduce_window_max",
    "dilated",
    window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), window_dilation=(1, 2, 2, 1)),
    image,
)
case("reduce_window_max", "i32", window(-(2**31), lax.max, (2, 2), (2, 2)), i32(4, 6))
case("reduce_window_min", "nhwc", window(jnp.inf, lax.min, (1, 2, 2, 1), (1, 2, 2, 1)), image)
case("reduce_window_sum", "nhwc", window(0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1)), image)
case("reduce_window_sum", "same", window(0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), image)
case("reduce_window_sum", "rank2", window(0, lax.add, (2, 2), (1, 2)), f32(4, 6))
case("reduce_window_sum", "base_dilation", window(0, lax.add, (3,), (1,), base_dilation=(2,)), f32(5))
case("reduce_window_sum", "i32", window(0, lax.add, (2, 2), (2, 2)), i32(4, 6))
case(
    "reduce_window_sum",
    "average",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4,
    image,
)
case("reduce_window_max", "symbolic_batch", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), f32("B", 6, 7, 3))
case(
    "reduce_window_max",
    "bfloat16",
    window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)),
    spec("bfloat16", (1, 4, 4, 2)),
)
case("reduce_window", "product", window(1, lax.mul, (2, 2), (1, 1)), f32(3, 4))


def fold(body, init, size, strides, padding="VALID", **options):
    return lambda x: lax.reduce_window(x, np.asarray(init, x.dtype), body, size, strides, padding, **options)


case(
    "reduce_window_max",
    "symbolic_same",
    window(-jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    f32("B", "C", "D", 2),
)
case(
    "reduce_window_sum", "symbolic_same", window(0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), f32("B", "C", "D", 2)
)
case(
    "reduce_window_max",
    "wide_padding",
    window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 2, 1), ((0, 0), (3, 0), (-1, 2), (0, 0))),
    image,
)
case(
    "reduce_window_sum",
    "wide_padding",
    window(0, lax.add, (1, 2, 2, 1), (1, 1, 2, 1), ((0, 0), (3, 0), (-1, 2), (0, 0))),
    image,
)
case(
    "reduce_window_max",
    "five_dimensions",
    window(-jnp.inf, lax.max, (1, 1, 2, 2, 1), (1, 1, 2, 2, 1)),
    f32(2, 3, 4, 6, 2),
)
case(
    "reduce_window_max",
    "three_spatial",
    window(-jnp.inf, lax.max, (1, 2, 2, 2, 1), (1, 1, 2, 2, 1)),
    f32(2, 3, 4, 6, 2),
)
case("reduce_window_max", "four_spatial", window(-jnp.inf, lax.max, (2, 2, 2, 2), (1, 1, 2, 2)), f32(2, 3, 4, 6))
case("reduce_window_max", "base_dilation", window(-jnp.inf, lax.max, (1, 3), (1, 2), base_dilation=(1, 2)), f32(2, 5))
case(
    "reduce_window_max",
    "float64",
    window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)),
    spec("float64", (2, 4, 4, 2)),
    x64=True,
)
case(
    "reduce_window_sum",
    "float64",
    window(0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1)),
    spec("float64", (2, 4, 4, 2)),
    x64=True,
)
case("reduce_window_sum", "strided_ones", window(0, lax.add, (1, 1), (2, 3)), f32(5, 7))
case("reduce_window_sum", "long", window(0, lax.add, (40,), (1,), ((39, 0),)), f32(40))
for dtype in ["uint8", "int16", "uint16"]:
    case(
        "reduce_window_min",
        dtype,
        window(np.iinfo(dtype).max, lax.min, (2, 2), (1, 2), "SAME"),
        spec(dtype, (4, 5), 0, 99),
    )
    case(
        "reduce_window_max",
        dtype,
        window(np.iinfo(dtype).min, lax.max, (2, 2), (1, 2), "SAME"),
        spec(dtype, (4, 5), 0, 99),
    )
case("reduce_window", "or", window(False, lax.bitwise_or, (2, 2), (1, 1), "SAME"), spec("bool", (4, 5)))
case("reduce_window", "and", window(True, lax.bitwise_and, (2, 2), (1, 1), "SAME"), spec("bool", (4, 5)))
case("reduce_window", "product_padded", window(1, lax.mul, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "sum_from_three", window(3, lax.add, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "own_body", fold(lambda a, b: a + 2 * jnp.abs(b), 0, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "xor", window(0, lax.bitwise_xor, (2, 3), (1, 1)), i32(4, 5))
case("reduce_window", "symbolic_body", fold(lambda a, b: jnp.where(b > a, b, a), -9, (1, 2), (1, 2)), f32("B", 6))
case(
    "reduce_window",
    "two_operands",
    lambda x, i: lax.reduce_window(
        (x, i),
        (-jnp.inf, -1),
        lambda a, b: (jnp.maximum(a[0], b[0]), jnp.where(b[0] > a[0], b[1], a[1])),
        (2, 2),
        (2, 2),
        "VALID",
    ),
    f32(4, 6),
    i32(4, 6),
)
case(
    "select_and_scatter_add",
    "gradient_of_max",
    jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2, 3, 1), (1, 2, 2, 1), "SAME")(x) ** 2)),
    image,
)
case(
    "select_and_scatter_add",
    "gradient_of_min",
    jax.grad(lambda x: jnp.sum(window(jnp.inf, lax.min, (1, 2, 2, 1), (1, 2, 2, 1))(x) ** 2)),
    image,
)
case(
    "select_and_scatter_add",
    "ties",
    jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2), (1, 1))(x))),
    arr([[1, 1, 0, 0, 2, 2]]),
)
case(
    "select_and_scatter_add",
    "symbolic",
    jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1))(x) ** 2)),
    f32("B", 4, 6, 2),
)


def scatter_selected(prim, sizes):
    return lambda source, x: windowed_reductions._select_and_scatter_add(
        source, x, prim, sizes, sizes, [(0, 0)] * len(sizes)
    )


nan, inf = np.nan, np.inf
side_by_side = [[1, 1, nan, 2, 3, nan, -inf], [-inf, -inf, nan, nan, 0, 1, 5], [1, nan, 2, 4, 4, 4, inf]]
for name, prim in [("ge", lax.ge_p), ("le", lax.le_p)]:
    case(
        "select_and_scatter_add",
        f"side_by_side_{name}",
        scatter_selected(prim, (1, 3)),
        arr([[inf, -1], [2, nan], [3, 4]]),
        arr(side_by_side),
    )
case(
    "select_and_scatter_add",
    "side_by_side_planes",
    scatter_selected(lax.ge_p, (1, 2, 2)),
    f32("B", 2, 3),
    f32("B", 5, 6),
)
case(
    "select_and_scatter_add",
    "side_by_side_int",
    scatter_selected(lax.ge_p, (2, 2, 1)),
    spec("int32", (2, 2, 3), -9, 9),
    spec("int32", (4, 5, 3), -2, 3),
)
case(
    "select_and_scatter_add",
    "side_by_side_float64",
    scatter_selected(lax.le_p, (1, 2, 2, 1)),
    spec("float64", (1, 2, 2, 2)),
    spec("float64", (1, 4, 4, 2)),
    x64=True,
)
case(
    "select_and_gather_add",
    "tangent_of_max",
    lambda x, t: jax.jvp(window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"), (x,), (t,))[1],
    image,
    image,
)
case(
    "select_and_gather_add",
    "windows_of_minus_infinity",
    lambda x, t: jax.jvp(window(-jnp.inf, lax.max, (1, 3), (1, 1), "SAME"), (x,), (t,))[1],
    arr([[-jnp.inf, -jnp.inf, -jnp.inf, 2.0, -jnp.inf, -jnp.inf]]),
    arr([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]),
)
for name, size, counted in [
    ("with_padding", 9, True),
    ("without_padding", 9, False),
    ("without_padding_large", 40, False),
]:
    case(
        "reduce_window_sum",
        f"mean_{name}",
        lambda x, counted=counted: linen.avg_pool(x, (3, 3), strides=(2, 2), padding="SAME", count_include_pad=counted),
        f32(1, size, size, 2),
    )
case(
    "reduce_window_sum",
    "mean_symbolic",
    lambda x: linen.avg_pool(x, (3, 3), padding="SAME", count_include_pad=False),
    f32("B", 5, 5, 2),
)

# Integers whose extremes float32 cannot represent.
for dtype in ["int32", "int64", "uint32", "uint64"]:
    top = np.iinfo(dtype).max
    extremes = arr([[top, 5, 7], [top, top - 9, 3], [3, 2**31, 2**31 - 1] if top > 2**31 else [3, 4, top]], dtype)
    case(
        "reduce_window_min",
        dtype,
        lambda x, top=top: lax.reduce_window(x, x.dtype.type(top), lax.min, (2, 1), (1, 1), "SAME"),
        extremes,
        x64="64" in dtype,
    )

# Fourier transforms.
case("fft", "fft", lambda x: jnp.fft.fft(x), c64(2, 8), atol=1e-4)
case("fft", "ifft", lambda x: jnp.fft.ifft(x), c64(2, 8), atol=1e-4)
case("fft", "rfft", lambda x: jnp.fft.rfft(x), f32(2, 8), atol=1e-4)
case("fft", "irfft", lambda x: jnp.fft.irfft(x), c64(2, 5), atol=1e-4)
case("fft", "odd_length", lambda x: jnp.fft.fft(x), c64(7), atol=1e-4)
case("fft", "irfft_odd", lambda x: jnp.fft.irfft(x, 7), c64(2, 4), atol=1e-4)
case("fft", "fft2", lambda x: jnp.fft.fft2(x), c64(4, 6), atol=1e-4)
case("fft", "rfft2", lambda x: jnp.fft.rfft2(x), f32(4, 6), atol=1e-4)
case("fft", "real_input", lambda x: jnp.abs(jnp.fft.fft(x)), f32(6), atol=1e-4)
case("fft", "one_element", lambda x: jnp.fft.fft(x), c64(3, 1), atol=1e-6)
case("fft", "double", lambda x: jnp.fft.fft(x), c128(2, 15), x64=True, rtol=1e-13, atol=1e-13)
case("fft", "middle_axes", lambda x: jnp.fft.fft2(x, axes=(0, 1)), c64(3, 4, 5), atol=1e-5)
case("fft", "three_axes", lambda x: jnp.fft.irfftn(jnp.fft.rfftn(x)[..., :3], x.shape), f32(2, 3, 4, 5), atol=1e-5)
case("fft", "symbolic_batch", lambda x: jnp.fft.rfft(x), f32("B", 12), atol=1e-5)
case("fft", "prime", lambda x: jnp.fft.ifft(x), c64(263), atol=1e-5)
# Two steps: 14 * 15, the first of which have fewer rows or columns for real operands and results.
case("fft", "two_steps", lambda x: jnp.fft.fft(x), c64(2, 210), atol=1e-4)
case("fft", "two_steps_back", lambda x: jnp.fft.ifft(x), c64(2, 210), atol=1e-5)
case("fft", "two_steps_double", lambda x: jnp.fft.ifft(x), c128(210), x64=True, rtol=1e-13, atol=1e-13)
case("fft", "two_steps_real", lambda x: jnp.fft.rfft(x), f32(2, 1190), atol=1e-3)
case("fft", "two_steps_real_odd", lambda x: jnp.fft.rfft(x), f32(1155), atol=1e-3)
case("fft", "two_steps_to_real", lambda x: jnp.fft.irfft(x), c64(2, 596), atol=1e-5)
case("fft", "two_steps_to_real_odd", lambda x: jnp.fft.irfft(x, 1155), c64(578), atol=1e-5)
case("fft", "two_steps_of_an_axis", lambda x: jnp.fft.fft2(x), c64(2, 210, 3), atol=1e-4)
case("fft", "long_prime", lambda x: jnp.fft.fft(x), c64(1031), atol=1e-3)

# NaN at many positions in windows, and windows of infinities only. ONNX Runtime's MaxPool ignores most NaN.
holed = np.full((1, 10, 9, 2), 0.5)
holed[0, ::4, ::4, 0] = np.nan
holed[0, 5:, 5:, 0] = -np.inf
holed[0, :5, 5:, 1] = np.inf
holed[0, 2, 6, 1] = np.nan
holed[0, 8, 1, 1] = -np.inf


def pools(body, init):
    apart = ((0, 0), (1, 1), (1, 1), (0, 0))  # with this dilation, some windows contain no element
    return lambda x: (
        window(init, body, (1, 2, 2, 1), (1, 2, 2, 1))(x),
        window(init, body, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")(x),
        window(init, body, (1, 5, 1, 1), (1, 1, 1, 1))(x),
        window(init, body, (1, 2, 2, 1), (1, 1, 1, 1), apart, window_dilation=(1, 4, 4, 1))(x[:, :3, :3]),
        window(init, body, (1, 2, 2, 2, 1), (1, 1, 1, 1, 1))(x.reshape(1, 2, 5, 9, 2)),
    )


for dtype in ["float16", "bfloat16", "float32", "float64"]:
    wide = {"x64": dtype == "float64"}
    case("reduce_window_max", f"nan_{dtype}", pools(lax.max, -np.inf), arr(holed, dtype), **wide)
    case("reduce_window_min", f"nan_{dtype}", pools(lax.min, np.inf), arr(holed, dtype), **wide)
    positive = lambda x: pools(lax.max, -np.inf)(jax.nn.relu(x))
    case("reduce_window_max", f"nan_after_relu_{dtype}", positive, arr(holed, dtype), **wide)
case("reduce_window_max", "nan_after_relu_opset_18", positive, arr(holed), args="--opset 18")
lowest = -3.4028235e38
case(
    "reduce_window_max",
    "lowest",
    window(-jnp.inf, lax.max, (1, 2), (1, 1)),
    arr([[-np.inf, lowest, lowest, -np.inf, -np.inf, 1, np.nan]]),
)
case(
    "reduce_window_max",
    "symbolic_after_relu",
    lambda x: window(-jnp.inf, lax.max, (1, 2, 1), (1, 2, 1))(jax.nn.relu(x)),
    f32("B", "C", 2),
)

# JAX adds the real and the imaginary parts in complex64, also for results of complex128.
case(
    "conv_general_dilated",
    "complex_preferred",
    conv(nchw, preferred_element_type=jnp.complex128),
    spec("complex64", (1, 2, 5, 5)),
    spec("complex64", (3, 2, 3, 3)),
    x64=True,
    rtol=1e-12,
    atol=1e-12,
)
case(
    "conv_general_dilated",
    "complex128",
    conv(nchw),
    spec("complex128", (1, 2, 5, 5)),
    spec("complex128", (3, 2, 3, 3)),
    x64=True,
)

# Defects of ONNX Runtime's own fusions: docs/onnxruntime-defects.md.
for name, args in [("", ""), ("_opset_17", "--opset 17")]:
    case(
        "reduce_window_max",
        f"zero_padded{name}",
        lambda x: lax.reduce_window(
            jnp.pad(x, ((0, 0), (0, 0), (1, 1), (2, 1))), -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME"
        ),
        f32(1, 2, 5, 5).between(-2, -1),
        args=args,
    )
case(
    "reduce_window_max",
    "zero_padded_channels_last",
    lambda x, w: lax.reduce_window(
        jnp.pad(conv(nhwc)(x, w), ((0, 0), (1, 1), (1, 1), (0, 0))),
        -jnp.inf,
        lax.max,
        (1, 3, 3, 1),
        (1, 2, 2, 1),
        "VALID",
    ),
    f32(1, 6, 6, 2).between(1, 2),
    f32(1, 1, 2, 2).between(-2, -1),
)
case(
    "reduce_window_sum",
    "zero_padded_mean",
    lambda x: (
        lax.reduce_window(
            jnp.pad(x, ((0, 0), (0, 0), (1, 1), (2, 1))),
            0.0,
            lax.add,
            (1, 1, 2, 2),
            (1, 1, 1, 1),
            ((0, 0), (0, 0), (1, 1), (0, 1)),
        )
        / 4
    ),
    f32(1, 2, 5, 5),
)
case(
    "dot_general",
    "scaled_transposed_by_vector",
    lambda a, v: ((a.T * 3) @ v, a.T / 3, (a.T / 3) @ v),
    f32(4, 4),
    f32(4),
)
case(
    "dot_general",
    "cast_transposed_by_vector",
    lambda a, v: (a.T.astype(jnp.float32) @ v, a.T),
    spec("float16", (4, 4)),
    f32(4),
)
case(
    "dot_general",
    "transposed_by_vector_without_rules",
    lambda a, v: a.T @ v,
    f32(4, 4),
    f32(4),
    args="--no-fuse=all,vector-product",
)

for dtype in ["float16", "bfloat16"]:  # a Cast between the Transpose and the MatMul crashes ONNX Runtime
    case(
        "dot_general",
        f"first_of_three_axes_{dtype}",
        lambda x, y: lax.dot_general(x, y, (((0,), (1,)), ((), ()))),
        spec(dtype, (3, 5, 1)),
        spec(dtype, (1, 3)),
    )

# Products with the weights of linear interpolation.
case("dot_general", "resize_up", lambda x: jax.image.resize(x, (1, 12, 12, 32), "linear"), f32(1, 6, 6, 32))
case(
    "dot_general",
    "resize_any_batch",
    lambda x: jax.image.resize(x, (x.shape[0], 12, 12, 32), "linear"),
    f32("B", 6, 6, 32),
)
case(
    "dot_general",
    "resize_down",
    lambda x: jax.image.resize(x, (1, 2, 3, 20, 2), "linear", antialias=False),
    f32(1, 2, 6, 40, 2),
)
case("dot_general", "resize_by_three", lambda x: jax.image.resize(x, (1, 18, 6, 32), "linear"), f32(1, 6, 4, 32))
case("dot_general", "resize_planes", lambda x: jax.image.resize(x, (2, 96, 64), "linear"), f32(2, 96, 48))
case("dot_general", "resize_antialias", lambda x: jax.image.resize(x, (1, 4, 4, 32), "linear"), f32(1, 8, 8, 32))
case("dot_general", "resize_cubic", lambda x: jax.image.resize(x, (1, 8, 8, 32), "cubic"), f32(1, 4, 4, 32))
case("dot_general", "resize_lanczos", lambda x: jax.image.resize(x, (1, 6, 6, 2), "lanczos3"), f32(1, 4, 4, 2))
with_nan = np.zeros((1, 6, 6, 32), "f4")
with_nan[0, 1, 2, ::3] = np.nan
case("dot_general", "resize_nan", lambda x: jax.image.resize(x, (1, 12, 12, 32), "linear"), arr(with_nan))

# Products with one-hot vectors, including classes out of bounds.
classes = arr([[0, 7, 199], [200, -1, 2147483647]], "int32")
rows = np.random.default_rng(0).standard_normal((200, 3)).astype("f4")
broken = np.where(np.arange(600).reshape(200, 3) == 100, np.nan, rows)
case("dot_general", "one_hot", lambda i: jax.nn.one_hot(i, 200) @ rows, classes)
case("dot_general", "one_hot_of_one", lambda i: jax.nn.one_hot(i, 200) @ rows, arr([3], "int32"))
case("dot_general", "one_hot_in_bounds", lambda i: jax.nn.one_hot(jnp.clip(i, 0, 150), 200) @ rows, classes)
case("dot_general", "one_hot_any_batch", lambda i: jax.nn.one_hot(i, 200) @ rows, i32("B", 2))
case("dot_general", "one_hot_nan", lambda i: jax.nn.one_hot(i, 200) @ broken, classes)
case("dot_general", "one_hot_int64", lambda i: jax.nn.one_hot(i, 200) @ rows, arr([3, -1, 200], "int64"), x64=True)

case(
    "dot_general",
    "one_hot_finite",
    lambda i, w: jax.nn.one_hot(i, 128) @ w,
    arr([0, 127, -1, 128, 5], "int32"),
    f32(128, 3),
    args="--assume-finite",
)

# Primitives of JAX 0.12.


def einsum(subscripts, **options):
    """Einsum as one primitive, which jax.numpy.einsum does not bind yet."""

    def function(*operands):
        from jax._src.numpy.hijax import Einsum

        types = [jax.typeof(x) for x in operands]
        return Einsum(*types, subscripts=subscripts, **options)(*operands)

    return function


case("Einsum", "product", einsum("ij,jk->ik"), f32(3, 4), f32(4, 5), jax=NEWEST)
case("Einsum", "three", einsum("ij,jk,kl->li", optimize=True), f32(3, 4), f32(4, 5), f32(5, 2), jax=NEWEST)
case("Einsum", "batch", einsum("bij,bkj->ibk"), f32(2, 3, 4), f32(2, 5, 4), jax=NEWEST)
case("Einsum", "outer", einsum("i,j->ji"), f32(3), f32(4), jax=NEWEST)
case("Einsum", "sums", einsum("ij,k->i"), f32(3, 4), f32(5), jax=NEWEST)
case("Einsum", "kept_by_a_later", einsum("ij,i,j->"), f32(3, 4), f32(3), f32(4), jax=NEWEST)
case("Einsum", "diagonal", einsum("iij->ji"), f32(3, 3, 4), jax=NEWEST)
case("Einsum", "trace", einsum("ii,ij->j"), f32(3, 3), f32(3, 2), jax=NEWEST)
case("Einsum", "int32", einsum("ij,jk->ik"), i32(3, 4), i32(4, 2), jax=NEWEST)
case("Einsum", "bfloat16", einsum("ij,jk->ik"), spec("bfloat16", (3, 4)), spec("bfloat16", (4, 2)), jax=NEWEST)
case(
    "Einsum",
    "preferred",
    einsum("ij,jk->ik", preferred_element_type=jnp.float32),
    spec("bfloat16", (3, 4)),
    spec("bfloat16", (4, 2)),
    jax=NEWEST,
)


def scaled_dot(numbers, **options):
    def function(a, b, a_scale, b_scale):
        return lax.scaled_dot(a, b, lhs_scale=a_scale, rhs_scale=b_scale, dimension_numbers=numbers, **options)

    return function


def scaled(m, k, n, blocks, batch=()):
    """Operands [.., m, k] and [.., k, n] with a scale for each block along k."""
    exponents = np.random.default_rng(k).integers(-4, 5, (*batch, m, blocks))
    return (
        spec("float8_e4m3fn", (*batch, m, k), -2.0, 2.0),
        spec("float8_e4m3fn", (*batch, k, n), -2.0, 2.0),
        arr(2.0**exponents, "float8_e8m0fnu"),
        arr(2.0 ** np.resize(exponents, (*batch, blocks, n)), "float8_e8m0fnu"),
    )


plain_numbers, batched_numbers = (((1,), (0,)), ((), ())), (((2,), (1,)), ((0,), (0,)))
case("scaled_dot", "blocks", scaled_dot(plain_numbers), *scaled(4, 64, 5, 2), jax=NEWEST)
case("scaled_dot", "one_block", scaled_dot(plain_numbers), *scaled(4, 64, 5, 1), jax=NEWEST)
case("scaled_dot", "batch", scaled_dot(batched_numbers), *scaled(4, 64, 5, 2, (3,)), jax=NEWEST)
case(
    "scaled_dot",
    "float32",
    scaled_dot(plain_numbers, preferred_element_type=jnp.float32),
    *scaled(4, 64, 5, 2),
    jax=NEWEST,
)


def scaled_matmul(a, b, a_scale, b_scale):
    return jax.nn.scaled_matmul(a, jnp.swapaxes(b, 1, 2), a_scale, jnp.swapaxes(b_scale, 1, 2))


case("scaled_matmul_wrapper", "blocks", scaled_matmul, *scaled(4, 64, 5, 2, (2,)), jax=NEWEST)


# Attention block by block
def attention_by_blocks(q, k, v, start=-np.inf, power=jnp.exp, size=2):
    best = jnp.full((*q.shape[:-1], 1), start, q.dtype)
    total, mixed = jnp.zeros_like(best), jnp.zeros_like(q)
    for i in range(0, k.shape[-2], size):
        scores = q @ jnp.swapaxes(k[..., i : i + size, :], -1, -2)
        next_best = jnp.maximum(best, scores.max(-1, keepdims=True))
        weights, kept = power(scores - next_best), power(best - next_best)
        total = total * kept + weights.sum(-1, keepdims=True)
        mixed = mixed * kept + weights @ v[..., i : i + size, :]
        best = next_best
    return mixed / total


def with_low_rows(seed, low):
    """Queries of which the second one has scores `low` with keys of ones, and the third one is NaN."""
    q = np.random.default_rng(seed).normal(size=(5, 4)).astype("float32")
    q[1], q[2, 0] = low, np.nan
    return arr(q)


from_low = functools.partial(attention_by_blocks, start=-1e30)
ones = arr(np.ones((6, 4)))
case("dot_general", "attention_by_blocks", attention_by_blocks, f32(3, 4), f32(6, 4), f32(6, 4))
case("dot_general", "attention_by_blocks_batch", from_low, f32(2, 5, 4), f32(2, 6, 4), f32(2, 6, 4))
case("dot_general", "attention_by_blocks_low", from_low, with_low_rows(0, -1e33), ones, f32(6, 4))
case("dot_general", "attention_by_blocks_infinite", attention_by_blocks, with_low_rows(1, -np.inf), ones, f32(6, 4))
case("dot_general", "attention_by_blocks_positive", from_low, with_low_rows(2, np.inf), ones, f32(6, 4))
case(
    "dot_general",
    "attention_by_blocks_base_2",
    functools.partial(attention_by_blocks, power=jnp.exp2, size=3),
    f32(3, 4),
    f32(7, 4),
    f32(7, 4),
)
case(
    "dot_general",
    "attention_by_blocks_double",
    attention_by_blocks,
    f64(3, 4),
    f64(6, 4),
    f64(6, 4),
    x64=True,
    rtol=1e-13,
    atol=1e-14,
)


def masked_attention_by_blocks(mask, *args, low=-jnp.inf, **options):
    """Scores that are masked out are `low`."""
    blocks = iter(jnp.split(mask, mask.shape[1] // 2, 1))

    def attend(q, k, v):
        best = jnp.full((*q.shape[:-1], 1), options.get("start", -np.inf), q.dtype)
        total, mixed = jnp.zeros_like(best), jnp.zeros_like(q)
        for i, block in zip(range(0, k.shape[0], 2), blocks):
            scores = jnp.where(block, q @ k[i : i + 2].T, low)
            next_best = jnp.maximum(best, scores.max(-1, keepdims=True))
            power = options.get("power", jnp.exp)
            weights, kept = power(scores - next_best), power(best - next_best)
            total = total * kept + weights.sum(-1, keepdims=True)
            mixed = mixed * kept + weights @ v[i : i + 2]
            best = next_best
        return mixed / total

    return attend(*args)


some_keys = np.ones((4, 6), bool)
some_keys[1, :2] = some_keys[2] = some_keys[3, 2:4] = False
by_masks = (arr(some_keys, "bool"), f32(4, 4), f32(6, 4), f32(6, 4))
case("dot_general", "attention_by_blocks_masks", masked_attention_by_blocks, *by_masks)
low = {"low": -1e30, "start": -1e30}
case("dot_general", "attention_by_blocks_low_masks", functools.partial(masked_attention_by_blocks, **low), *by_masks)
low_powers = functools.partial(masked_attention_by_blocks, **low, power=jnp.exp2)
case("dot_general", "attention_by_blocks_low_powers", low_powers, *by_masks)
from_low_to_infinite = functools.partial(masked_attention_by_blocks, start=-1e30)
case("dot_general", "attention_by_blocks_low_start", from_low_to_infinite, *by_masks)


def other_rows(q, k, v):
    """The sums divide columns instead of rows."""
    s = q @ k[:2].T
    best = s.max(-1, keepdims=True)
    p = jnp.exp(s - best)
    total, mixed = p.sum(-1), p @ v[:2]
    s = q @ k[2:].T
    next_best = jnp.maximum(best, s.max(-1, keepdims=True))
    p, kept = jnp.exp(s - next_best), jnp.exp(best - next_best)
    return (mixed * kept + p @ v[2:]) / (total * kept[:, 0] + p.sum(-1))


case("dot_general", "attention_by_blocks_other_rows", other_rows, f32(4, 4), f32(4, 4), f32(4, 4))
case("dot_general", "blocks_of_terms", lambda a, b: a[:, :3] @ b[:3] + a[:, 3:] @ b[3:], f32(4, 7), f32(7, 5))
case("dot_general", "sum_over_batch", lambda a, b: jnp.einsum("smk,skn->smn", a, b).sum(0), f32(3, 4, 2), f32(3, 2, 5))
