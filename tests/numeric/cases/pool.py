import jax
import jax.numpy as jnp
import numpy as np
from flax import linen
from jax import lax

from table import arr, case, edges, f32, i32, spec


def window(init, op, size, strides, padding="VALID", **options):
    return lambda x: lax.reduce_window(x, np.asarray(init, x.dtype), op, size, strides, padding, **options)


nhwc = f32(2, 6, 7, 3)
case("reduce_window_max", "nhwc", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), nhwc)
case("reduce_window_max", "same", window(-jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), nhwc)
case("reduce_window_max", "nchw", window(-jnp.inf, lax.max, (1, 1, 3, 2), (1, 1, 1, 1)), f32(2, 3, 6, 7))
case("reduce_window_max", "rank1", window(-jnp.inf, lax.max, (3,), (1,)), edges("float32"))
case("reduce_window_max", "all_axes", window(-jnp.inf, lax.max, (2, 3), (1, 1)), f32(4, 5))
case("reduce_window_max", "dilated", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), window_dilation=(1, 2, 2, 1)), nhwc)
case("reduce_window_max", "i32", window(-(2**31), lax.max, (2, 2), (2, 2)), i32(4, 6))
case("reduce_window_min", "nhwc", window(jnp.inf, lax.min, (1, 2, 2, 1), (1, 2, 2, 1)), nhwc)
case("reduce_window_sum", "nhwc", window(0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1)), nhwc)
case("reduce_window_sum", "same", window(0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), nhwc)
case("reduce_window_sum", "rank2", window(0, lax.add, (2, 2), (1, 2)), f32(4, 6))
case("reduce_window_sum", "base_dilation", window(0, lax.add, (3,), (1,), base_dilation=(2,)), f32(5))
case("reduce_window_sum", "i32", window(0, lax.add, (2, 2), (2, 2)), i32(4, 6))
case("reduce_window_sum", "average", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4, nhwc)
case("reduce_window_max", "symbolic_batch", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), f32("B", 6, 7, 3))
case("reduce_window_max", "bfloat16", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), spec("bfloat16", (1, 4, 4, 2)))
case("reduce_window", "product", window(1, lax.mul, (2, 2), (1, 1)), f32(3, 4))
def fold(body, init, size, strides, padding="VALID", **options):
    return lambda x: lax.reduce_window(x, np.asarray(init, x.dtype), body, size, strides, padding, **options)


case("reduce_window_max", "symbolic_same", window(-jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), f32("B", "C", "D", 2))
case("reduce_window_sum", "symbolic_same", window(0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), f32("B", "C", "D", 2))
case("reduce_window_max", "wide_padding", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 2, 1), ((0, 0), (3, 0), (-1, 2), (0, 0))), nhwc)
case("reduce_window_sum", "wide_padding", window(0, lax.add, (1, 2, 2, 1), (1, 1, 2, 1), ((0, 0), (3, 0), (-1, 2), (0, 0))), nhwc)
case("reduce_window_max", "five_dimensions", window(-jnp.inf, lax.max, (1, 1, 2, 2, 1), (1, 1, 2, 2, 1)), f32(2, 3, 4, 6, 2))
case("reduce_window_max", "three_spatial", window(-jnp.inf, lax.max, (1, 2, 2, 2, 1), (1, 1, 2, 2, 1)), f32(2, 3, 4, 6, 2))
case("reduce_window_max", "four_spatial", window(-jnp.inf, lax.max, (2, 2, 2, 2), (1, 1, 2, 2)), f32(2, 3, 4, 6))
case("reduce_window_max", "base_dilation", window(-jnp.inf, lax.max, (1, 3), (1, 2), base_dilation=(1, 2)), f32(2, 5))
case("reduce_window_max", "float64", window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1)), spec("float64", (2, 4, 4, 2)), x64=True)
case("reduce_window_sum", "float64", window(0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1)), spec("float64", (2, 4, 4, 2)), x64=True)
case("reduce_window_sum", "strided_ones", window(0, lax.add, (1, 1), (2, 3)), f32(5, 7))
case("reduce_window_sum", "long", window(0, lax.add, (40,), (1,), ((39, 0),)), f32(40))
for dtype in ["uint8", "int16", "uint16"]:
    case("reduce_window_min", dtype, window(np.iinfo(dtype).max, lax.min, (2, 2), (1, 2), "SAME"), spec(dtype, (4, 5), 0, 99))
    case("reduce_window_max", dtype, window(np.iinfo(dtype).min, lax.max, (2, 2), (1, 2), "SAME"), spec(dtype, (4, 5), 0, 99))
case("reduce_window", "or", window(False, lax.bitwise_or, (2, 2), (1, 1), "SAME"), spec("bool", (4, 5)))
case("reduce_window", "and", window(True, lax.bitwise_and, (2, 2), (1, 1), "SAME"), spec("bool", (4, 5)))
case("reduce_window", "product_padded", window(1, lax.mul, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "sum_from_three", window(3, lax.add, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "own_body", fold(lambda a, b: a + 2 * jnp.abs(b), 0, (2, 2), (1, 1), "SAME"), f32(3, 4))
case("reduce_window", "xor", window(0, lax.bitwise_xor, (2, 3), (1, 1)), i32(4, 5))
case("reduce_window", "symbolic_body", fold(lambda a, b: jnp.where(b > a, b, a), -9, (1, 2), (1, 2)), f32("B", 6))
case("reduce_window", "two_operands", lambda x, i: lax.reduce_window((x, i), (-jnp.inf, -1), lambda a, b: (jnp.maximum(a[0], b[0]), jnp.where(b[0] > a[0], b[1], a[1])), (2, 2), (2, 2), "VALID"), f32(4, 6), i32(4, 6))
case("select_and_scatter_add", "gradient_of_max", jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2, 3, 1), (1, 2, 2, 1), "SAME")(x) ** 2)), nhwc)
case("select_and_scatter_add", "gradient_of_min", jax.grad(lambda x: jnp.sum(window(jnp.inf, lax.min, (1, 2, 2, 1), (1, 2, 2, 1))(x) ** 2)), nhwc)
case("select_and_scatter_add", "ties", jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2), (1, 1))(x))), arr([[1, 1, 0, 0, 2, 2]]))
case("select_and_scatter_add", "symbolic", jax.grad(lambda x: jnp.sum(window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1))(x) ** 2)), f32("B", 4, 6, 2))
case("select_and_gather_add", "tangent_of_max", lambda x, t: jax.jvp(window(-jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"), (x,), (t,))[1], nhwc, nhwc)
for name, size, counted in [("with_padding", 9, True), ("without_padding", 9, False), ("without_padding_large", 40, False)]:
    case("reduce_window_sum", f"mean_{name}", lambda x, counted=counted: linen.avg_pool(x, (3, 3), strides=(2, 2), padding="SAME", count_include_pad=counted), f32(1, size, size, 2))
case("reduce_window_sum", "mean_symbolic", lambda x: linen.avg_pool(x, (3, 3), padding="SAME", count_include_pad=False), f32("B", 5, 5, 2))
