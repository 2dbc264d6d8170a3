import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from table import arr, boolean, case, f32, i32, spec

table = np.linspace(-1, 1, 12, dtype="f4").reshape(4, 3)
bounds = arr([-9, -4, -1, 0, 3, 4, 99], "int32")
case("gather", "embedding", lambda i: jnp.asarray(table)[i], i32(2, 3).between(0, 3))
case("gather", "embedding_symbolic", lambda i: jnp.asarray(table)[i], i32("B", 3).between(0, 3))
for mode in ["clip", "fill", "promise_in_bounds"]:
    indices = bounds if mode != "promise_in_bounds" else arr([0, 3, 1, 1], "int32")
    case("gather", f"take_{mode}", lambda x, i, mode=mode: x.at[i].get(mode=mode), f32(4, 3), indices)
    case("gather", f"take_axis1_{mode}", lambda x, i, mode=mode: x.at[:, i].get(mode=mode), f32(2, 4), indices)
case("gather", "fill_int", lambda x, i: x.at[i].get(mode="fill"), i32(4), bounds)
case("gather", "fill_u8", lambda x, i: x.at[i].get(mode="fill"), spec("uint8", (4,)), bounds)
case("gather", "fill_value", lambda x, i: x.at[i].get(mode="fill", fill_value=5), f32(4), bounds)
case("gather", "fill_bool", lambda x, i: x.at[i].get(mode="fill"), boolean(4), bounds)
case("gather", "points", lambda x, i, j: x[i, j], f32(4, 5), i32(6).between(0, 3), i32(6).between(0, 4))
case("gather", "points_broadcast", lambda x, i, j: x[i, j], f32(4, 5), i32(3, 1).between(0, 3), i32(2).between(0, 4))
case("gather", "row_static", lambda x: x[1], f32(4, 5))
case("gather", "row_negative", lambda x, i: x[i], f32(4, 5), arr(-2, "int32"))
case("gather", "take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), f32(3, 4), i32(3, 2).between(0, 3))
case("gather", "batched", lambda x, i: jax.vmap(lambda r, k: r[k])(x, i), f32(3, 4), i32(3, 2).between(0, 3))
case("gather", "window", lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1, 2), (), (0, 1)), (2, 3), mode="clip"), f32(4, 5), arr([[0, 0], [1, 1], [9, -3]], "int32"))
case("gather", "window_collapsed", lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1,), (0,), (0, 1)), (1, 3), mode="fill"), f32(4, 5), arr([[0, 0], [3, 2], [1, 4]], "int32"))
case("gather", "empty_indices", lambda x, i: x[i], f32(4, 3), i32(0))
case("dynamic_slice", "clamped", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), f32(4, 5), arr(9, "int32"), arr(-7, "int32"))
case("dynamic_slice", "middle", lambda x, i: lax.dynamic_slice_in_dim(x, i, 2, 1), f32(4, 5), arr(2, "int32"))
case("dynamic_slice", "u8_start", lambda x, i: lax.dynamic_slice(x, (i,), (2,)), f32(5), arr(200, "uint8"))
case("dynamic_slice", "literal_start", lambda x: lax.dynamic_slice(x, (1, 7), (2, 3)), f32(4, 5))
case("dynamic_update_slice", "clamped", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)), f32(4, 5), f32(2, 5), arr(9, "int32"))
case("dynamic_update_slice", "middle", lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)), f32(4, 5), f32(2, 2), arr(1, "int32"), arr(2, "int32"))
case("dynamic_update_slice", "bool", lambda x, u, i: lax.dynamic_update_slice(x, u, (i,)), boolean(5), boolean(2), arr(1, "int32"))
