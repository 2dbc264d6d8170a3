import jax.numpy as jnp
from jax import lax

from table import case, edges, f32, i32, spec


def window(init, op, size, strides, padding="VALID", **options):
    return lambda x: lax.reduce_window(x, jnp.asarray(init, x.dtype), op, size, strides, padding, **options)


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
