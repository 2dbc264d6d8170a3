import jax.numpy as jnp

from table import arr, boolean, case, f32, i32, spec

bounds = arr([-9, -1, 0, 3, 4, 99], "int32")
for operation in ["set", "add", "multiply", "min", "max"]:
    for mode in ["drop", "clip"]:
        update = f32(3) if mode == "clip" and operation == "set" else f32(6, 3)  # setting a place twice has no defined result
        case("scatter", f"{operation}_{mode}", lambda x, i, u, operation=operation, mode=mode: getattr(x.at[i], operation)(u, mode=mode),
             f32(4, 3), bounds, update)  # fmt: skip
    case("scatter", f"{operation}_points", lambda x, i, j, u, operation=operation: getattr(x.at[i, j], operation)(u), f32(4, 5),
         arr([0, 3, 1], "int32"), arr([4, 0, 2], "int32"), f32(3))  # fmt: skip
    case("scatter", f"{operation}_int", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u), i32(5), arr([4, 0], "int32"), i32(2))
case("scatter", "add_duplicates", lambda x, i, u: x.at[i].add(u), f32(4, 2), arr([1, 1, 3, 1], "int32"), f32(4, 2))
case("scatter", "set_row", lambda x, u: x.at[1].set(u), f32(4, 3), f32(3))
case("scatter", "set_column_slice", lambda x, u: x.at[:, 1:3].set(u), f32(4, 5), f32(4, 2))
case("scatter", "set_scalar", lambda x: x.at[2, 1].set(7.0), f32(4, 3))
case("scatter", "set_bool", lambda x, i: x.at[i].set(True), boolean(5), arr([1, 3], "int32"))
case("scatter", "add_column", lambda x, i, u: x.at[:, i].add(u), f32(4, 5), arr([4, 0], "int32"), f32(4, 2))
case("scatter", "add_bfloat16", lambda x, i, u: x.at[i].add(u), spec("bfloat16", (4,)), arr([1, 3], "int32"), spec("bfloat16", (2,)))
case("scatter", "segment_sum", lambda x, i: jnp.zeros((3, 2)).at[i].add(x), f32(5, 2), arr([0, 2, 2, 1, 0], "int32"))
case("scatter", "bincount", lambda x: jnp.bincount(x, length=5), i32(9).between(0, 4))
case("scatter", "symbolic_updates", lambda x, i: jnp.zeros((3, 2)).at[i].add(x), f32("B", 2), i32("B").between(0, 2))
