import jax
import jax.numpy as jnp
from jax import lax

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
for operation in ["set", "add", "max"]:
    case("scatter", f"{operation}_batched", jax.vmap(lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u)), f32(3, 5), arr([[4, 0], [1, 2], [3, 9]], "int32"), f32(3, 2))
    case("scatter", f"{operation}_batched_rows", jax.vmap(lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u)), f32(3, 5, 2), arr([[4, 0], [1, 2], [3, 9]], "int32"), f32(3, 2, 2))
    case("scatter", f"{operation}_one", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u), f32(5, 3), arr(3, "int32"), f32(3))
    case("scatter", f"{operation}_one_outside", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u), f32(5, 3), arr(7, "int32"), f32(3))
    case("scatter", f"{operation}_one_column", lambda x, i, u, operation=operation: getattr(x.at[:, i], operation)(u), f32(5, 3), arr(1, "int32"), f32(5))
    case("scatter", f"{operation}_along_axis", lambda x, i, u, operation=operation: getattr(x.at[jnp.arange(3)[:, None], i], operation)(u), f32(3, 5), arr([[4, 0], [1, 2], [3, 0]], "int32"), f32(3, 2))
    for mode in ["clip", "drop"]:
        numbers = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
        which = {"set": lax.scatter, "add": lax.scatter_add, "max": lax.scatter_max}[operation]
        case("scatter", f"{operation}_windows_{mode}", lambda x, i, u, which=which, numbers=numbers, mode=mode: which(x, i, u, numbers, mode=mode), f32(6, 7), arr([[0, 0], [3, 4], [5, 1], [2, 2]] if operation != "set" else [[0, 0], [4, 5], [9, 0]], "int32"), f32(4 if operation != "set" else 3, 2, 2))
    case("scatter", f"{operation}_partial_window", lambda x, i, u, which=which: which(x, i, u, lax.ScatterDimensionNumbers((1,), (0,), (0,))), f32(6, 7), arr([[0], [3]], "int32"), f32(2, 4))
    case("scatter", f"{operation}_symbolic_window", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u), f32("B", "C"), arr([1, 0], "int32"), f32(2, "C"))
    case("scatter", f"{operation}_symbolic_drop", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u, mode="drop"), f32("B", 3), arr([1, 99], "int32"), f32(2, 3))
    case("scatter", f"{operation}_static_slice", lambda x, u, operation=operation: getattr(x.at[1:3, 2], operation)(u), f32(5, 4), f32(2))
    if operation == "max":
        case("scatter", f"{operation}_bool", lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u), boolean(5), arr([1, 3], "int32"), boolean(2))
case("scatter", "apply", lambda x, i: x.at[i].apply(jnp.sin), f32(5, 3), arr([1, 4], "int32"))
case("scatter", "apply_unique", lambda x, i: x.at[i].apply(lambda v: v * 2 + 1, unique_indices=True), f32(5, 3), arr([1, 4], "int32"))
case("scatter", "apply_one", lambda x, i: x.at[i].apply(jnp.exp), f32(5, 3), arr(2, "int32"))
case("scatter", "subtract", lambda x, i, u: x.at[i].subtract(u), f32(5), arr([1, 1], "int32"), f32(2))
case("scatter", "divide", lambda x, i, u: x.at[i].divide(u), f32(5), arr([1, 2], "int32"), f32(2).between(1, 2))
case("scatter", "multiply_complex", lambda x, i, u: x.at[i].multiply(u), spec("complex64", (5,)), arr([1, 1], "int32"), spec("complex64", (2,)))
case("scatter", "add_complex", lambda x, i, u: x.at[i].add(u), spec("complex64", (5,)), arr([1, 1], "int32"), spec("complex64", (2,)))
case("scatter", "add_uint8_indices", lambda x, i, u: x.at[i].add(u), f32(300), arr([1, 255], "uint8"), f32(2))
case("scatter", "no_updates", lambda x, i, u: x.at[i].add(u), f32(5), i32(0), f32(0))
case("scatter", "whole", lambda x, u: x.at[:].set(u), f32(5, 2), f32(5, 2))

# NaN is an extreme; the numbering of a scatter's derivative is gathered with indices out of bounds.
nans = arr([1.0, float("nan"), 3.0, -2.0])
for name in ["max", "min"]:
    case(f"scatter-{name}", "nan", lambda x, u, f=name: getattr(x.at[jnp.array([0, 1, 2, 2])], f)(u), nans, arr([float("nan"), 2.0, 5.0, 7.0]))
    case(f"scatter-{name}", "nan_along", lambda x, u, f=name: jax.vmap(lambda a, i, b: getattr(a.at[i], f)(b))(x, jnp.array([[1, 1], [0, 2]]), u), f32(2, 3), arr([[float("nan"), 1.0], [2.0, 9.0]]))
    case(f"scatter-{name}", "float8_dropped", lambda x, u, f=name: getattr(x.at[jnp.array([0, 7])], f)(u), spec("float8_e4m3fn", (3,)), spec("float8_e4m3fn", (2,)))
case("scatter", "derivative_out_of_bounds", jax.grad(lambda x, u: jnp.sum(jnp.sin(x.at[jnp.array([0, 7, 0])].set(u))), (0, 1)), f32(4, 2), f32(3, 2))
case("scatter-add", "uint32_clipped", lambda x, i, u: x.at[i].add(u, mode="clip"), f32(4), arr([2**32 - 1, 2**31, 1], "uint32"), f32(3))
