import jax
import jax.numpy as jnp
from jax import lax

from table import case, f32, spec


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
case("conv_general_dilated", "rank3", conv(("NCDHW", "OIDHW", "NCDHW"), (1, 1, 1)), f32(1, 2, 4, 4, 4), f32(3, 2, 2, 2, 2))
case("conv_general_dilated", "no_spatial", conv(("NC", "OI", "NC"), (), ()), f32(2, 3), f32(4, 3))
case("conv_general_dilated", "symbolic_batch", conv(nhwc), f32("B", 6, 7, 3), f32(3, 2, 3, 4))
case("conv_general_dilated", "transpose_same", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), f32(1, 4, 5, 3), f32(3, 3, 3, 2))
case("conv_general_dilated", "transpose_valid", lambda x, k: lax.conv_transpose(x, k, (2, 1), "VALID"), f32(1, 4, 5, 3), f32(3, 3, 3, 2))
for dtype in ["float16", "bfloat16", "int32", "int8"]:
    case("conv_general_dilated", dtype, conv(nchw), spec(dtype, (1, 2, 5, 5)), spec(dtype, (3, 2, 3, 3)))
case("conv_general_dilated", "float64", conv(nchw), spec("float64", (1, 2, 5, 5)), spec("float64", (3, 2, 3, 3)), x64=True)
case("conv_general_dilated", "preferred", conv(nchw, preferred_element_type=jnp.float32), spec("bfloat16", (1, 2, 5, 5)), spec("bfloat16", (3, 2, 3, 3)))
case("conv_general_dilated", "everything", conv(nchw, (2, 1), ((1, 2), (-1, 3)), lhs_dilation=(1, 2), rhs_dilation=(2, 1), feature_group_count=3), x, f32(6, 1, 2, 3))
case("conv_general_dilated", "transpose_groups", conv(nchw, padding=((2, 2), (1, 2)), lhs_dilation=(2, 2), feature_group_count=2), f32(1, 4, 3, 4), f32(6, 2, 3, 3))
case("conv_general_dilated", "transpose_wide_padding", conv(nchw, padding=((5, 4), (3, 7)), lhs_dilation=(2, 1)), x, k)
case("conv_general_dilated", "transpose_output_padding", conv(nchw, padding=((2, 3), (1, 3)), lhs_dilation=(3, 3)), x, k)
case("conv_general_dilated", "transpose_strided", conv(nchw, (2, 1), ((2, 2), (1, 1)), lhs_dilation=(3, 2)), x, k)
case("conv_general_dilated", "transpose_dilated_kernel", conv(nchw, padding=((2, 2), (1, 1)), lhs_dilation=(2, 2), rhs_dilation=(2, 1)), x, k)
case("conv_general_dilated", "transpose_symbolic_batch", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), f32("B", 4, 5, 3), f32(3, 3, 3, 2))
case("conv_general_dilated", "symbolic_same_strided", conv(nhwc, (2, 2)), f32("B", "C", "D", 3), f32(3, 3, 3, 2))
case("conv_general_dilated", "symbolic_same_dilated", conv(nhwc, (2, 2), rhs_dilation=(2, 1)), f32("B", "C", "D", 3), f32(3, 3, 3, 2))
case("conv_general_dilated", "symbolic_valid", conv(nhwc, (2, 1), "VALID"), f32("B", "C", "D", 3), f32(2, 3, 3, 2))
case("conv_general_dilated", "symbolic_int", conv(nhwc, (2, 2), "SAME"), spec("int32", ("B", "C", "D", 3), -9, 9), spec("int32", (3, 3, 3, 2), -9, 9))
case("conv_general_dilated", "complex", conv(nchw), spec("complex64", (1, 2, 5, 5)), spec("complex64", (3, 2, 3, 3)))
case("conv_general_dilated", "int_groups", conv(nchw, (2, 1), "SAME", rhs_dilation=(1, 2), feature_group_count=2), spec("int16", (1, 4, 5, 6), -99, 99), spec("int16", (4, 2, 3, 2), -99, 99))
case("conv_general_dilated", "int8_to_int32", conv(nchw, preferred_element_type=jnp.int32), spec("int8", (1, 4, 5, 6), -99, 99), spec("int8", (2, 4, 3, 2), -99, 99))
case("conv_general_dilated", "float64_batch_groups", conv(nchw, batch_group_count=2), spec("float64", (4, 2, 5, 5)), spec("float64", (4, 2, 3, 3)), x64=True)
case("conv_general_dilated", "rank1_transposed", conv(("NWC", "WIO", "NWC"), (1,), ((2, 2),), lhs_dilation=(2,)), f32(2, 7, 3), f32(3, 3, 4))
case("conv_general_dilated", "no_spatial_groups", conv(("NC", "OI", "NC"), (), (), feature_group_count=2), f32(2, 4), f32(6, 2))
case("conv_general_dilated", "empty_batch", conv(nchw), f32(0, 3, 6, 7), k)
case("conv_general_dilated", "no_features", conv(nchw), f32(2, 0, 6, 7), f32(4, 0, 3, 2))
case("conv_general_dilated", "same_lower", conv(nchw, (2, 2), "SAME_LOWER"), x, k)
case("conv_general_dilated", "gradient_of_kernel", lambda x, k: jax.grad(lambda k: jnp.sum(conv(nhwc, (2, 2))(x, k) ** 2))(k), f32(2, 6, 7, 3), f32(3, 3, 3, 2))
case("conv_general_dilated", "gradient_of_input", lambda x, k: jax.grad(lambda x: jnp.sum(conv(nhwc, (2, 2))(x, k) ** 2))(x), f32(2, 6, 7, 3), f32(3, 3, 3, 2))

case("conv_general_dilated", "no_spatial_dimensions", lambda x, w: lax.conv_general_dilated(x, w, (), ()), spec("float16", (2, 3)), spec("float16", (4, 3)))
