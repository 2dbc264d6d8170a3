# SPDX-License-Identifier: Apache-2.0
"""Gather, scatter, slices with dynamic indices, sort."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from table import NEWEST, arr, boolean, c64, case, edges, f32, i32, spec

# Gather.
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
case(
    "gather",
    "points_many",
    lambda x, i, j: x[i, j],
    f32(4, 5),
    i32(16, 16).between(-6, 5),
    i32(16, 16).between(-7, 7),
)
case("gather", "elements_many", lambda x, i: x[i], edges("float32"), i32(16, 16).between(-9, 9))
case(
    "gather",
    "rows_negative",
    lambda x, i, j: x[i, j],
    f32(4, 5, 2),
    i32(6).between(-6, 5),
    i32(6).between(-7, 7),
)
case("gather", "points_broadcast", lambda x, i, j: x[i, j], f32(4, 5), i32(3, 1).between(0, 3), i32(2).between(0, 4))
case("gather", "row_static", lambda x: x[1], f32(4, 5))
case("gather", "reflected", lambda x: x[:, jnp.array([2, 1, 0, 1, 2, 3, 2])], f32(3, 4, 2))
case("gather", "row_negative", lambda x, i: x[i], f32(4, 5), arr(-2, "int32"))
case("gather", "take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), f32(3, 4), i32(3, 2).between(0, 3))
case("gather", "batched", lambda x, i: jax.vmap(lambda r, k: r[k])(x, i), f32(3, 4), i32(3, 2).between(0, 3))
case(
    "gather",
    "window",
    lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1, 2), (), (0, 1)), (2, 3), mode="clip"),
    f32(4, 5),
    arr([[0, 0], [1, 1], [9, -3]], "int32"),
)
case(
    "gather",
    "window_collapsed",
    lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1,), (0,), (0, 1)), (1, 3), mode="fill"),
    f32(4, 5),
    arr([[0, 0], [3, 2], [1, 4]], "int32"),
)
case("gather", "empty_indices", lambda x, i: x[i], f32(4, 3), i32(0))
case(
    "dynamic_slice",
    "clamped",
    lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)),
    f32(4, 5),
    arr(9, "int32"),
    arr(-7, "int32"),
)
case("dynamic_slice", "middle", lambda x, i: lax.dynamic_slice_in_dim(x, i, 2, 1), f32(4, 5), arr(2, "int32"))
case("dynamic_slice", "u8_start", lambda x, i: lax.dynamic_slice(x, (i,), (2,)), f32(5), arr(200, "uint8"))
case("dynamic_slice", "literal_start", lambda x: lax.dynamic_slice(x, (1, 7), (2, 3)), f32(4, 5))
case(
    "dynamic_update_slice",
    "clamped",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)),
    f32(4, 5),
    f32(2, 5),
    arr(9, "int32"),
)
case(
    "dynamic_update_slice",
    "middle",
    lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)),
    f32(4, 5),
    f32(2, 2),
    arr(1, "int32"),
    arr(2, "int32"),
)
case(
    "dynamic_update_slice",
    "bool",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i,)),
    boolean(5),
    boolean(2),
    arr(1, "int32"),
)
rows = arr([[4, 0], [1, 2], [3, 9]], "int32")
for mode in ["clip", "fill"]:
    case("gather", f"batched_points_{mode}", jax.vmap(lambda x, i, mode=mode: x.at[i].get(mode=mode)), f32(3, 5), rows)
    case("gather", f"batched_rows_{mode}", jax.vmap(lambda x, i, mode=mode: x.at[i].get(mode=mode)), f32(3, 5, 2), rows)
    case(
        "gather",
        f"batched_columns_{mode}",
        jax.vmap(lambda x, i, mode=mode: x.at[:, i].get(mode=mode), (1, 0), 1),
        f32(4, 3, 5),
        rows,
    )
    case(
        "gather",
        f"batched_slices_{mode}",
        jax.vmap(lambda x, i: lax.dynamic_slice(x, (i,), (2,))),
        f32(3, 5),
        arr([0, 4, -3], "int32"),
    )
    case(
        "gather",
        f"point_in_the_middle_{mode}",
        lambda x, i, j, mode=mode: x.at[:, i, j].get(mode=mode),
        f32(2, 3, 4),
        arr([0, 2, 9], "int32"),
        arr([0, 3, 1], "int32"),
    )
    case(
        "gather",
        f"two_rows_apart_{mode}",
        lambda x, i, j, mode=mode: x.at[i, :, j].get(mode=mode),
        f32(2, 3, 4),
        arr([0, 1, 9], "int32"),
        arr([0, 3, 1], "int32"),
    )
    case("gather", f"scalar_{mode}", lambda x, i, mode=mode: x.at[i].get(mode=mode), f32(4, 3), arr(7, "int32"))
    case("gather", f"complex_{mode}", lambda x, i, mode=mode: x.at[i].get(mode=mode), spec("complex64", (4,)), bounds)
    case("gather", f"symbolic_operand_{mode}", lambda x, i, mode=mode: x.at[i].get(mode=mode), f32("B", 3), bounds)
    case("gather", f"symbolic_axis1_{mode}", lambda x, i, mode=mode: x.at[:, i].get(mode=mode), f32("B", "N"), bounds)
    case("gather", f"symbolic_points_{mode}", lambda x, i, mode=mode: x.at[i, i].get(mode=mode), f32("B", "N"), bounds)
    case(
        "gather",
        f"one_window_{mode}",
        lambda x, i, mode=mode: lax.gather(x, i, lax.GatherDimensionNumbers((0, 1), (), (0, 1)), (2, 3), mode=mode),
        f32(4, 5),
        arr([3, 1], "int32"),
    )
    case(
        "gather",
        f"swapped_map_{mode}",
        lambda x, i, mode=mode: lax.gather(x, i, lax.GatherDimensionNumbers((), (0, 1), (1, 0)), (1, 1), mode=mode),
        f32(4, 5),
        arr([[3, 1], [4, 3], [0, 4]], "int32"),
    )
    case(
        "gather",
        f"partial_rest_{mode}",
        lambda x, i, mode=mode: lax.gather(x, i, lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 3), mode=mode),
        f32(4, 5),
        arr([[3], [4], [0]], "int32"),
    )
    case(
        "gather",
        f"uint8_indices_{mode}",
        lambda x, i, mode=mode: x.at[i].get(mode=mode),
        f32(300),
        arr([0, 200, 255], "uint8"),
    )
    case(
        "gather",
        f"take_along_axis_symbolic_{mode}",
        lambda x, i, mode=mode: jnp.take_along_axis(x, i, 1, mode=mode),
        f32("B", 4),
        i32("B", 2).between(0, 3),
    )
    case(
        "gather",
        f"uint64_indices_{mode}",
        lambda x, i, mode=mode: x.at[i].get(mode=mode),
        f32(4),
        arr([0, 3, 2**63 + 1], "uint64"),
        x64=True,
    )
case("gather", "fill_i16", lambda x, i: x.at[i].get(mode="fill"), spec("int16", (4,)), bounds)
case(
    "gather",
    "whole_dimension",
    lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1, 2), (), (0,)), (4, 2), mode="clip"),
    f32(4, 5),
    arr([[3], [0]], "int32"),
)
case("gather", "take_along_axis0", lambda x, i: jnp.take_along_axis(x, i, 0), f32(3, 4), i32(2, 4).between(0, 2))
case(
    "gather",
    "batch_of_shifted_windows",
    jax.vmap(lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3))),
    f32(3, 5, 6),
    arr([0, 9, 1], "int32"),
    arr([-2, 1, 2], "int32"),
)
case("dynamic_slice", "symbolic", lambda x, i: lax.dynamic_slice_in_dim(x, i, 1, 0), f32("B", 3), arr(1, "int32"))
case(
    "dynamic_slice",
    "symbolic_size",
    lambda x, i: lax.dynamic_slice(x, (i, 0), (x.shape[0], 2)),
    f32("B", 3),
    arr(1, "int32"),
)
case(
    "dynamic_slice", "complex", lambda x, i: lax.dynamic_slice(x, (i,), (2,)), spec("complex64", (5,)), arr(2, "int32")
)
case(
    "dynamic_slice",
    "single",
    lambda x, i, j: lax.dynamic_slice(x, (i, j), (1, 1)),
    f32(4, 5),
    arr(2, "int32"),
    arr(9, "int32"),
)
case(
    "dynamic_update_slice",
    "one_row",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)),
    f32(4, 5),
    f32(1, 5),
    arr(2, "int32"),
)
case(
    "dynamic_update_slice",
    "one_element",
    lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)),
    f32(4, 5),
    f32(1, 1),
    arr(2, "int32"),
    arr(-9, "int32"),
)
case(
    "dynamic_update_slice",
    "second_axis",
    lambda x, u, i: lax.dynamic_update_slice_in_dim(x, u, i, 1),
    f32(2, 5),
    f32(2, 2),
    arr(4, "int32"),
)
case("dynamic_update_slice", "literal_start", lambda x, u: lax.dynamic_update_slice(x, u, (1, 9)), f32(4, 5), f32(2, 2))
case(
    "dynamic_update_slice",
    "three_axes",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 1, i)),
    f32(4, 5, 3),
    f32(2, 2, 2),
    arr(1, "int32"),
)
case(
    "dynamic_update_slice",
    "whole",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)),
    f32(4, 5),
    f32(4, 5),
    arr(1, "int32"),
)
case(
    "dynamic_update_slice",
    "symbolic",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (0, i, 0)),
    f32("B", "N", 2),
    f32("B", 1, 2),
    arr(1, "int32"),
)
case(
    "dynamic_update_slice",
    "empty_update",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i,)),
    f32(4),
    f32(0),
    arr(1, "int32"),
)


def row_of_causal_mask(i, keys):
    positions = jnp.arange(80)
    return lax.dynamic_slice(positions[:, None] >= positions, (i, 0), (1, keys))[0]


def keys_of_token(i):
    return (jnp.arange(4) < i + 1) & row_of_causal_mask(i, 4)


def keys_in_window(i):
    """The last three keys, as decoders with a sliding window mask them."""
    positions = jnp.arange(80)
    window = jnp.triu(positions[:, None] >= positions, k=-2)
    return (jnp.arange(4) < i + 1) & lax.dynamic_slice(window, (i, 0), (1, 4))[0]


for name, i in {"first": 0, "last": 4, "beyond": 99, "from_the_end": -2, "before": -99, "largest": 2**31 - 1}.items():
    i = arr(i, "int32")
    case("dynamic_slice", f"row_of_causal_mask_{name}", lambda i: row_of_causal_mask(i, 4), i)
    case("dynamic_slice", f"keys_of_token_{name}", keys_of_token, i)
    case("dynamic_slice", f"keys_in_window_{name}", keys_in_window, i)
    case("dynamic_slice", f"part_of_row_{name}", lambda x, i: lax.dynamic_slice(x, (i, 1), (1, 3)), f32(5, 6), i)
    case("dynamic_update_slice", f"cache_{name}", lambda x, u, i: lax.dynamic_update_slice_in_dim(x, u, i, 1),
         f32(1, 5, 2), f32(1, 1, 2), i)  # fmt: skip
case("dynamic_update_slice", "cache_of_rows", lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, 0, j, 0)),
     f32(3, 1, 5, 2), f32(1, 1, 1, 2), arr(1, "int32"), arr(-1, "int32"))  # fmt: skip
dims = jax.lax.GatherDimensionNumbers(
    offset_dims=(2,),
    collapsed_slice_dims=(),
    start_index_map=(2,),
    operand_batching_dims=(0, 1),
    start_indices_batching_dims=(0, 1),
)
case(
    "gather",
    "batched_axis_of_one",
    lambda x, i: jax.lax.gather(x, i, dims, (1, 1, 1), mode="clip"),
    f32(3, 2, 1),
    i32(3, 2, 1),
)

for dtype, top in [("uint32", 2**32 - 1), ("uint64", 2**64 - 1), ("uint64", 2**32 - 1)]:
    case(
        "gather",
        f"{dtype}_{top}_clipped",
        lambda x, i: jnp.take(x, i, mode="clip"),
        f32(4),
        arr([top, 2**31, 1, 0], dtype),
        x64=dtype == "uint64",
    )

# Complex operands.
case("gather", "c64", lambda x, i: x[i], c64(4, 3), i32(5).between(0, 3))

# Scatter.
rows_in_and_out = arr([-9, -1, 0, 3, 4, 99], "int32")
for operation in ["set", "add", "multiply", "min", "max"]:
    for mode in ["drop", "clip"]:
        update = (
            f32(3) if mode == "clip" and operation == "set" else f32(6, 3)
        )  # the result of writing an element twice is undefined
        case(
            "scatter",
            f"{operation}_{mode}",
            lambda x, i, u, operation=operation, mode=mode: getattr(x.at[i], operation)(u, mode=mode),
            f32(4, 3),
            rows_in_and_out,
            update,
        )
    case(
        "scatter",
        f"{operation}_points",
        lambda x, i, j, u, operation=operation: getattr(x.at[i, j], operation)(u),
        f32(4, 5),
        arr([0, 3, 1], "int32"),
        arr([4, 0, 2], "int32"),
        f32(3),
    )
    case(
        "scatter",
        f"{operation}_int",
        lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u),
        i32(5),
        arr([4, 0], "int32"),
        i32(2),
    )
# One computed index of a small array, in and out of range, counted from the end.
for index in (-6, -5, -1, 4, 5):
    name = f"one_{index}".replace("-", "minus_")
    at = arr(index, "int32")
    case("scatter", f"{name}_set", lambda x, i, u: x.at[i].set(u), f32(5), at, f32())
    case("scatter", f"{name}_add_row", lambda x, i, u: x.at[i].add(u), f32(5, 3), at, f32(3))
    case("scatter", f"{name}_point", lambda x, i, j: x.at[i, j].set(9), i32(5, 4), at, arr(-1, "int32"))
    case("scatter", f"{name}_bool", lambda x, i, u: x.at[i].set(u), boolean(5), at, boolean())
# One computed point or row is combined with an update.
for name, primitive in {"add": "scatter-add", "multiply": "scatter-mul", "min": "scatter-min"}.items():
    for index in (-5, -4, -1, 3, 4):
        at = arr(index, "int32")
        point = lambda x, i, j, u, name=name: getattr(x.at[i, j], name)(u)
        case(primitive, f"point_{index}".replace("-", "minus_"), point, f32(4, 3), at, arr(-1, "int32"), f32())
    change = lambda x, i, j, u, name=name: getattr(x.at[i, j], name)(u, mode="clip")
    far = arr(2**31 - 1, "int32")
    case(primitive, "point_clip", change, f32(4, 3, 2), arr(-(2**31), "int32"), far, f32(2))
    remainder = lambda x, i, u, name=name: getattr(x.at[i % 4], name)(u)
    case(primitive, "element_in_range", remainder, f32(4), arr(-5, "int32"), f32())
    case(primitive, "row_in_range", remainder, f32(4, 3), arr(6, "int32"), f32(3))
    case(primitive, "point_large", point, f32(40, 30), arr(-1, "int32"), arr(30, "int32"), f32())
special = arr([0.0, -0.0, jnp.nan, jnp.inf])
for i in range(4):
    case("scatter-add", f"special_{i}", lambda x, i: x.at[i % 4].add(-0.0), special, arr(i, "int32"))
case(
    "scatter-add",
    "integers_wrap",
    lambda x, i, u: x.at[i % 2].add(u),
    arr([2**31 - 1, 5], "int32"),
    arr(4, "int32"),
    i32(),
)
case("scatter", "set_of_sum", lambda x, i, u: x.at[i % 4].set(x[i % 4] + u), f32(4), arr(7, "int32"), f32())
repeated = lambda x, i: jax.lax.fori_loop(0, 9, lambda k, s: s.at[i[k] % 4].add(1.5), x)
case("scatter-add", "duplicates_in_loop", repeated, f32(4), i32(9))
case("scatter", "add_duplicates", lambda x, i, u: x.at[i].add(u), f32(4, 2), arr([1, 1, 3, 1], "int32"), f32(4, 2))
case("scatter", "set_row", lambda x, u: x.at[1].set(u), f32(4, 3), f32(3))
case("scatter", "set_column_slice", lambda x, u: x.at[:, 1:3].set(u), f32(4, 5), f32(4, 2))
case("scatter", "set_scalar", lambda x: x.at[2, 1].set(7.0), f32(4, 3))
case("scatter", "set_bool", lambda x, i: x.at[i].set(True), boolean(5), arr([1, 3], "int32"))
case("scatter", "add_column", lambda x, i, u: x.at[:, i].add(u), f32(4, 5), arr([4, 0], "int32"), f32(4, 2))
case(
    "scatter",
    "add_bfloat16",
    lambda x, i, u: x.at[i].add(u),
    spec("bfloat16", (4,)),
    arr([1, 3], "int32"),
    spec("bfloat16", (2,)),
)
case("scatter", "segment_sum", lambda x, i: jnp.zeros((3, 2)).at[i].add(x), f32(5, 2), arr([0, 2, 2, 1, 0], "int32"))
# Updates that are out of bounds, and an array that is filled with one number.
out_of_bounds = arr([0, -7, 2, 3, -1, -3, 99, 2], "int32")
for operation in ["set", "add", "max"]:
    case(
        "scatter",
        f"filled_{operation}",
        lambda u, i, operation=operation: getattr(jnp.full((3, 2), -0.0).at[i], operation)(u, mode="drop"),
        arr([[1, -0.0], [jnp.nan, 1], [2, -jnp.inf], [jnp.nan, 5], [3, 4], [-5, -6], [7, 8], [9, jnp.nan]]),
        out_of_bounds if operation != "set" else arr([0, -7, 2, 3, -2, 5, 99, -4], "int32"),
    )
case("scatter", "filled_axis1", lambda u, i: jnp.ones((2, 3), int).at[:, i].multiply(u), i32(2, 8), out_of_bounds)
case("scatter", "bincount_outside", lambda x: jnp.bincount(x, length=5), arr([0, 1, 1, 4, 5, 9, -1, 4], "int32"))
case("scatter", "bincount", lambda x: jnp.bincount(x, length=5), i32(9).between(0, 4))
case("scatter", "symbolic_updates", lambda x, i: jnp.zeros((3, 2)).at[i].add(x), f32("B", 2), i32("B").between(0, 2))
for operation in ["set", "add", "max"]:
    case(
        "scatter",
        f"{operation}_batched",
        jax.vmap(lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u)),
        f32(3, 5),
        arr([[4, 0], [1, 2], [3, 9]], "int32"),
        f32(3, 2),
    )
    case(
        "scatter",
        f"{operation}_batched_rows",
        jax.vmap(lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u)),
        f32(3, 5, 2),
        arr([[4, 0], [1, 2], [3, 9]], "int32"),
        f32(3, 2, 2),
    )
    case(
        "scatter",
        f"{operation}_one",
        lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u),
        f32(5, 3),
        arr(3, "int32"),
        f32(3),
    )
    case(
        "scatter",
        f"{operation}_one_outside",
        lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u),
        f32(5, 3),
        arr(7, "int32"),
        f32(3),
    )
    case(
        "scatter",
        f"{operation}_one_column",
        lambda x, i, u, operation=operation: getattr(x.at[:, i], operation)(u),
        f32(5, 3),
        arr(1, "int32"),
        f32(5),
    )
    case(
        "scatter",
        f"{operation}_along_axis",
        lambda x, i, u, operation=operation: getattr(x.at[jnp.arange(3)[:, None], i], operation)(u),
        f32(3, 5),
        arr([[4, 0], [1, 2], [3, 0]], "int32"),
        f32(3, 2),
    )
    for mode in ["clip", "drop"]:
        windows = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
        which = {"set": lax.scatter, "add": lax.scatter_add, "max": lax.scatter_max}[operation]
        case(
            "scatter",
            f"{operation}_windows_{mode}",
            lambda x, i, u, which=which, windows=windows, mode=mode: which(x, i, u, windows, mode=mode),
            f32(6, 7),
            arr([[0, 0], [3, 4], [5, 1], [2, 2]] if operation != "set" else [[0, 0], [4, 5], [9, 0]], "int32"),
            f32(4 if operation != "set" else 3, 2, 2),
        )
    case(
        "scatter",
        f"{operation}_partial_window",
        lambda x, i, u, which=which: which(x, i, u, lax.ScatterDimensionNumbers((1,), (0,), (0,))),
        f32(6, 7),
        arr([[0], [3]], "int32"),
        f32(2, 4),
    )
    case(
        "scatter",
        f"{operation}_symbolic_window",
        lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u),
        f32("B", "C"),
        arr([1, 0], "int32"),
        f32(2, "C"),
    )
    case(
        "scatter",
        f"{operation}_symbolic_drop",
        lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u, mode="drop"),
        f32("B", 3),
        arr([1, 99], "int32"),
        f32(2, 3),
    )
    case(
        "scatter",
        f"{operation}_static_slice",
        lambda x, u, operation=operation: getattr(x.at[1:3, 2], operation)(u),
        f32(5, 4),
        f32(2),
    )
    if operation == "max":
        case(
            "scatter",
            f"{operation}_bool",
            lambda x, i, u, operation=operation: getattr(x.at[i], operation)(u),
            boolean(5),
            arr([1, 3], "int32"),
            boolean(2),
        )
case("scatter", "apply", lambda x, i: x.at[i].apply(jnp.sin), f32(5, 3), arr([1, 4], "int32"))
case(
    "scatter",
    "apply_unique",
    lambda x, i: x.at[i].apply(lambda v: v * 2 + 1, unique_indices=True),
    f32(5, 3),
    arr([1, 4], "int32"),
)
case("scatter", "apply_one", lambda x, i: x.at[i].apply(jnp.exp), f32(5, 3), arr(2, "int32"))
case("scatter-sub", "repeated", lambda x, i, u: x.at[i].subtract(u), f32(5), arr([1, 1], "int32"), f32(2))
case("scatter", "divide", lambda x, i, u: x.at[i].divide(u), f32(5), arr([1, 2], "int32"), f32(2).between(1, 2))
case(
    "scatter",
    "multiply_complex",
    lambda x, i, u: x.at[i].multiply(u),
    spec("complex64", (5,)),
    arr([1, 1], "int32"),
    spec("complex64", (2,)),
)
case(
    "scatter",
    "add_complex",
    lambda x, i, u: x.at[i].add(u),
    spec("complex64", (5,)),
    arr([1, 1], "int32"),
    spec("complex64", (2,)),
)
case("scatter", "add_uint8_indices", lambda x, i, u: x.at[i].add(u), f32(300), arr([1, 255], "uint8"), f32(2))
case("scatter", "no_updates", lambda x, i, u: x.at[i].add(u), f32(5), i32(0), f32(0))
case("scatter", "whole", lambda x, u: x.at[:].set(u), f32(5, 2), f32(5, 2))

# NaN is an extreme; the derivative of a scatter gathers with the out-of-bounds indices of rows_in_and_out.
nans = arr([1.0, float("nan"), 3.0, -2.0])
for name in ["max", "min"]:
    case(
        f"scatter-{name}",
        "nan",
        lambda x, u, f=name: getattr(x.at[jnp.array([0, 1, 2, 2])], f)(u),
        nans,
        arr([float("nan"), 2.0, 5.0, 7.0]),
    )
    case(
        f"scatter-{name}",
        "nan_along",
        lambda x, u, f=name: jax.vmap(lambda a, i, b: getattr(a.at[i], f)(b))(x, jnp.array([[1, 1], [0, 2]]), u),
        f32(2, 3),
        arr([[float("nan"), 1.0], [2.0, 9.0]]),
    )
    case(
        f"scatter-{name}",
        "float8_dropped",
        lambda x, u, f=name: getattr(x.at[jnp.array([0, 7])], f)(u),
        spec("float8_e4m3fn", (3,)),
        spec("float8_e4m3fn", (2,)),
    )
case(
    "scatter",
    "derivative_out_of_bounds",
    jax.grad(lambda x, u: jnp.sum(jnp.sin(x.at[jnp.array([0, 7, 0])].set(u))), (0, 1)),
    f32(4, 2),
    f32(3, 2),
)
case(
    "scatter-add",
    "uint32_clipped",
    lambda x, i, u: x.at[i].add(u, mode="clip"),
    f32(4),
    arr([2**32 - 1, 2**31, 1], "uint32"),
    f32(3),
)
numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
for name in ["add", "sub", "mul", "min", "max"]:
    combine = getattr(lax, f"scatter_{name}")
    case(
        f"scatter-{name}",
        "elements",
        lambda x, i, u, f=combine: f(x, i, u, numbers, mode="promise_in_bounds"),
        f32(5),
        arr([[4], [1]], "int32"),
        f32(2),
    )

# Sort.
nan = float("nan")
for dtype in ["float32", "float16", "bfloat16", "int8", "int32", "uint8", "uint32"]:
    case("sort", dtype, lambda x: lax.sort(x, dimension=1), spec(dtype, (3, 6)))
    case("sort", f"edges_{dtype}", lambda x: lax.sort(x[::-1]), edges(dtype))
case("sort", "axis0", lambda x: jnp.sort(x, 0), f32(5, 3))
case("sort", "nan_last", lambda x: jnp.sort(x), arr([3, nan, -1, nan, float("inf"), 0, -0.0]))
case("sort", "descending", lambda x: jnp.sort(x, descending=True), f32(7))
for dtype in ["float32", "float64", "float16"]:
    rows = arr([[1, -0.0], [jnp.inf, -jnp.inf], [jnp.nan, 0]], dtype)
    places = arr([0, 1, 2, 3, -1, -3, -4, 2**31 - 1, -(2**31)], "int32")
    case(
        "gather",
        f"rows_or_nan_{dtype}",
        lambda x, i: x.at[i].get(mode="fill"),
        rows,
        places,
        x64=dtype == "float64",
        signs=True,
    )
case(
    "gather",
    "rows_of_vmap",
    lambda x, i: jax.vmap(lambda j: lax.dynamic_index_in_dim(x, j, keepdims=False))(i),
    f32(5, 4),
    arr([0, 4, 5, -1, -6, 2], "int32"),
)
case("sort", "argsort_stable", lambda x: jnp.argsort(x), arr([2, 1, 2, 1, 0, 2], "int32"))
for dtype in ["float16", "float32", "float64"]:
    case(
        "sort",
        f"finite_{dtype}",
        lambda x: jnp.sort(x),
        arr([2, -0.0, 2, 0, -1e4, 1e4], dtype),
        args="--assume-finite",
        x64=True,
    )
    case(
        "top_k",
        f"finite_{dtype}",
        lambda x: lax.top_k(x, 3),
        arr([2, -0.0, 2, 0, -1e4, 1e4], dtype),
        args="--assume-finite",
        x64=True,
    )
case("sort", "argsort_nan", lambda x: jnp.argsort(x), arr([2, nan, 2, 1, nan, -1]))
case("sort", "key_value", lambda k, v: lax.sort((k, v), num_keys=1), i32(8), f32(8))
case(
    "sort",
    "two_keys",
    lambda a, b, v: lax.sort((a, b, v), num_keys=2),
    i32(9).between(0, 2),
    i32(9).between(0, 2),
    f32(9),
)
case("sort", "bool", lambda x: lax.sort(x), boolean(6))
case("sort", "one", lambda x: lax.sort(x), f32(1))
case("sort", "empty", lambda x: lax.sort(x), f32(0))
case("sort", "symbolic", lambda x: jnp.sort(x, -1), f32("B", 4))
case("top_k", "f32", lambda x: lax.top_k(x, 3), f32(2, 6))
case("top_k", "ties", lambda x: lax.top_k(x, 3), arr([1, 3, 3, 3, 0, 3]))
case("top_k", "i32", lambda x: lax.top_k(x, 2), i32(2, 6))
case("top_k", "all", lambda x: lax.top_k(x, 4), f32(4))
case("top_k", "nan", lambda x: lax.top_k(x, 2), arr([1, nan, 3, 2]))
case("sort", "median", lambda x: jnp.median(x), f32(7))
case("sort", "searchsorted", lambda x, q: jnp.searchsorted(jnp.sort(x), q), f32(7), f32(3))
case("sort", "unique_sized", lambda x: jnp.unique(x, size=4, fill_value=-1), i32(6).between(0, 3))
case("argsort", "ranks", lambda x: jnp.argsort(jnp.argsort(x)), f32(6))
case("random_permutation", "jax", lambda x: jax.random.permutation(jax.random.key(1), x), f32(6))
case("sort", "complex", lambda x: lax.sort(x), spec("complex64", (9,)))
case("sort", "symbolic_axis", lambda x: jnp.sort(x, 0), f32("B", 3))
case(
    "sort",
    "nan_keys",
    lambda a, b: lax.sort((a, b), num_keys=2),
    arr([1, nan, 1, nan, 0, 1]),
    arr([2, 5, nan, 1, 3, -jnp.inf]),
)
case(
    "sort",
    "three_keys",
    lambda a, b, c: lax.sort((a, b, c), num_keys=3),
    i32(9).between(0, 1),
    spec("uint8", (9,), 0, 1),
    f32(9),
)
case("sort", "payload_complex", lambda a, b: lax.sort((a, b), num_keys=1), i32(6), spec("complex64", (6,)))
case("sort", "uint16", lambda x: lax.sort(x), spec("uint16", (9,), 0, 65535))
for dtype in ["float64", "int64", "uint64"]:
    case("sort", f"edges_{dtype}", lambda x: lax.sort(x[::-1]), edges(dtype), x64=True)
    case(
        "top_k",
        f"edges_{dtype}",
        lambda x: lax.top_k(x[x == x], 4) if False else lax.top_k(x, 2)[0],
        spec(dtype, (7,), 0, 99),
        x64=True,
    )
case(
    "sort",
    "nan_float64",
    lambda x, y: lax.sort((x, y), num_keys=1),
    arr([1, nan, jnp.inf, nan, -1, jnp.inf], "float64"),
    arr([0, 1, 2, 3, 4, 5], "int32"),
    x64=True,
)
for dtype in ["float16", "bfloat16", "uint8", "uint32", "int8"]:
    case("top_k", dtype, lambda x: lax.top_k(x, 3), spec(dtype, (2, 6), 0, 99))
case("top_k", "infinities", lambda x: lax.top_k(x, 6), arr([1, jnp.inf, nan, -jnp.inf, nan, jnp.inf]))
case("top_k", "axis0", lambda x: lax.top_k(x, 2, axis=0), f32(5, 3))
case("top_k", "symbolic", lambda x: lax.top_k(x, 2), f32("B", 5))
case("top_k", "none", lambda x: lax.top_k(x, 0), f32(5))
case("approx_top_k", "max", lambda x: lax.approx_max_k(x, 3), f32(2, 9))
case("approx_top_k", "min_axis0", lambda x: lax.approx_min_k(x, 3, reduction_dimension=0), f32(9, 2))
for dtype in ("float32", "float64", "float16"):
    x = arr([[1, nan, 3, 2, -jnp.inf], [0, -1, jnp.inf, nan, nan]], dtype)
    case("top_k", f"negated_nan_{dtype}", lambda x: lax.top_k(-x, 4), x, x64=dtype == "float64")
    case("partition", f"nan_{dtype}", lambda x: jnp.sort(jnp.partition(x, 2)[:, :3]), x, x64=dtype == "float64")
case("argpartition", "smallest", lambda x: jnp.sort(jnp.partition(x, 3)[:4]), f32(9))

# Plain indexing promises that indices are in bounds. JAX clamps those of gathers and drops those of scatters.
outside = [-99, -9, -5, -4, -1, 0, 3, 4, 5, 99]
unsigned = [0, 1, 3, 4, 5, 9, 99, 127]
for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
    index = arr(unsigned if dtype[0] == "u" else outside, dtype)
    wide = {"x64": dtype.endswith("64")}
    case("gather", f"outside_{dtype}", lambda x, i: x[i], f32(4, 3), index, **wide)
    case("scatter", f"outside_{dtype}", lambda x, i: x.at[i].set(7), f32(4, 3), index, **wide)
    case(
        "dynamic_slice",
        f"outside_{dtype}",
        lambda x, i: lax.dynamic_slice_in_dim(x, i[-1], 2),
        f32(4, 3),
        index,
        **wide,
    )
far = arr([2**63 - 1, -(2**63), 2**32, -(2**32) - 1], "int64")
huge = arr([2**63, 2**64 - 1, 2**32, 0], "uint64")
case("gather", "outside_far", lambda x, i: x[i], f32(4, 3), far, x64=True)
case("gather", "outside_points_far", lambda x, i: x[i, i[::-1]], f32(4, 3), far, x64=True)
case("gather", "outside_huge", lambda x, i: x[i], f32(4, 3), huge, x64=True)
case("scatter-add", "outside_far", lambda x, i: x.at[i].add(1), f32(4, 3), far, x64=True)
for k in range(2):
    case(
        "dynamic_slice",
        f"huge_start_{k}",
        lambda x, i, k=k: lax.dynamic_slice(x, (i[k],), (2,)),
        f32(5),
        huge,
        x64=True,
    )
    case(
        "dynamic_update_slice",
        f"huge_start_{k}",
        lambda x, u, i, k=k: lax.dynamic_update_slice(x, u, (i[k],)),
        f32(5),
        f32(2),
        huge,
        x64=True,
    )
i = arr(outside, "int32")
case("gather", "outside_bool", lambda x, i: x.at[i].get(), boolean(4), i)
case("gather", "outside_complex", lambda x, i: x[i], spec("complex64", (4,)), i)
case("gather", "outside_column", lambda x, i: x[i, 0], f32(4, 3), i)
case("gather", "outside_points", lambda x, i: x[i, i], f32(4, 7), i)
case("gather", "outside_symbolic", lambda x, i: x[i], f32("B", 3), i)
case("gather", "outside_symbolic_points", lambda x, i: x[i, i], f32("B", "N"), i)
case("gather", "outside_batched", jax.vmap(lambda x, i: x[i], (0, None)), f32(3, 4), i)
case("gather", "outside_rows", jax.vmap(lambda x, i: x[i]), f32(10, 4), i)
case(
    "gather",
    "outside_along_axis",
    lambda x, i: jnp.take_along_axis(x, i[:, None], 1, mode="promise_in_bounds"),
    f32(10, 4),
    i,
)
case("gather", "outside_static", lambda x: x[np.array([-9, -4, -1, 0, 9])], f32(4, 3))
case("gather", "outside_scalar", lambda x, i: x[i], f32(4, 3), arr(9, "int32"))
case("gather", "outside_hidden", lambda x, i: jnp.where((i >= 0) & (i < 4), x[i], 0), f32(4), i)
case("gather", "outside_gradient", jax.grad(lambda x, i: (x[i] ** 2).sum()), f32(4, 3), i)
case("gather", "outside_gradient_points", jax.grad(lambda x, i: (x[i, i] ** 2).sum()), f32(4, 7), i)
case("gather", "outside_hessian", jax.hessian(lambda x, i: (x[i] ** 3).sum()), f32(4), i)
for order in [0, 1]:
    case(
        "gather",
        f"map_coordinates_{order}",
        lambda x, c, order=order: jax.scipy.ndimage.map_coordinates(x, [c, c[::-1]], order),
        f32(5, 6),
        arr([-7, -0.6, 0, 1.5, 3.9, 4, 5.2, 99]),
    )
case(
    "scatter-add",
    "map_coordinates_gradient",
    jax.grad(lambda x, c: jax.scipy.ndimage.map_coordinates(x, [c, c[::-1]], 1).sum()),
    f32(5, 6),
    arr([-7, -0.6, 0, 1.5, 3.9, 4, 5.2, 99]),
)
for name, primitive in {
    "set": "scatter",
    "add": "scatter-add",
    "multiply": "scatter-mul",
    "min": "scatter-min",
    "max": "scatter-max",
}.items():
    change = lambda x, i, u, name=name: getattr(x.at[i], name)(u, mode="promise_in_bounds", unique_indices=True)
    case(primitive, "outside_promise", change, f32(4, 3), arr([-9, -4, 3, 2, 4], "int32"), f32(5, 3))
    case(primitive, "outside_promise_symbolic", change, f32("B", 3), arr([-99, -1, 0, 1, 99], "int32"), f32(5, 3))
    case(primitive, "outside_promise_scalar", change, f32(4, 3), arr(4, "int32"), f32(3))

# Indices that are proven to be in bounds.
case("gather", "range_argmax", lambda x: x[jnp.argmax(x, 0)], f32(4, 3))
case("gather", "range_argmax_symbolic", lambda x: x[jnp.argmax(x, 0)], f32("B", 3))
case("gather", "range_remainder", lambda x, i: x[i % 4], f32(4, 3), i)
case("gather", "range_remainder_i64", lambda x, i: x[i % 4], f32(4, 3), far, x64=True)
case("gather", "range_remainder_symbolic", lambda x, i: x[i % x.shape[0]], f32("B", 3), i)
case("gather", "range_clip", lambda x, i: x[jnp.clip(i, 0, 3)], f32(4, 3), i)
case("gather", "range_clip_negative", lambda x, i: x[jnp.clip(i, -4, 3)], f32(4, 3), i)
case("gather", "range_clip_too_far", lambda x, i: x[jnp.clip(i, -5, 4)], f32(4, 3), i)
case("gather", "range_hidden", lambda x, i: x[jnp.where((i >= 0) & (i < 4), i, 0)], f32(4, 3), i)
case("gather", "range_mask", lambda x, i: x[(i > 2).astype("int32")], f32(2, 3), i)
case("gather", "range_top_k", lambda x: x[lax.top_k(x, 3)[1]], f32(5))
case("gather", "range_sorted", lambda x: x[jnp.argsort(x)], f32("B"))
case("gather", "range_iota", lambda x: x[jnp.arange(x.shape[0])[::-1]], f32("B", 3))
case("gather", "range_overflow", lambda x, i: x[jnp.clip(i, 0, 100).astype("int8") + jnp.int8(100)], f32(100), i)
case(
    "gather",
    "range_counter",
    lambda x: lax.fori_loop(0, 4, lambda k, s: s + x[k], jnp.zeros(3)),
    f32(4, 3),
)
case(
    "gather",
    "range_counter_too_far",
    lambda x: lax.fori_loop(-2, 7, lambda k, s: s + x[k] * k, jnp.zeros(3)),
    f32(4, 3),
)
case(
    "gather",
    "range_counter_while",
    lambda x, n: lax.fori_loop(0, n, lambda k, s: s + x[k] * k, jnp.zeros(3)),
    f32(4, 3),
    arr(6, "int32"),
)
case(
    "gather",
    "range_counter_batched",
    lambda x, n: jax.vmap(lambda n: lax.fori_loop(0, n, lambda k, s: s + x[k] * k, jnp.zeros(3)))(n),
    f32(4, 3),
    arr([0, 2, 4, 6], "int32"),
)
case(
    "gather",
    "fill_value_wraps",
    lambda x, i: [x.at[i].get(mode="fill", fill_value=-1), x.astype("int8").at[i].get(mode="fill", fill_value=300)],
    spec("uint8", (5, 3)),
    arr([-6, -2, 1], "int32"),
)

# Lookups of the nearest pixels.
case("gather", "resize_up", lambda x: jax.image.resize(x, (1, 2, 6, 6), "nearest"), f32(1, 2, 3, 2))
case("gather", "resize_any_batch", lambda x: jax.image.resize(x, (x.shape[0], 6, 6, 3), "nearest"), f32("B", 3, 2, 3))
case("gather", "resize_down", lambda x: jax.image.resize(x, (5, 3, 2), "nearest"), f32(10, 7, 2))
case("gather", "resize_both", lambda x: jax.image.resize(x, (2, 7, 3), "nearest"), f32(2, 3, 7))
case("gather", "resize_uint8", lambda x: jax.image.resize(x, (4, 6, 3), "nearest"), spec("uint8", (2, 3, 3)))
case("gather", "resize_float64", lambda x: jax.image.resize(x, (4, 6), "nearest"), spec("float64", (2, 3)), x64=True)

# JAX 0.11 and newer print is_stable.
for dtype in ["float32", "int32", "bool"]:
    case(
        "top_k",
        f"stable_{dtype}",
        lambda x: lax.top_k(x, 3, is_stable=True),
        arr([[1, 0, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0]], dtype),
        jax=NEWEST,
    )

case(
    "gather",
    "fill_bool_by_number",
    lambda x, i: jnp.stack([x.at[i].get(mode="fill", fill_value=v) for v in (0, 5)]),
    boolean(4),
    bounds,
)

# Primitives of JAX 0.12.
unsorted = [2.0, -1, nan, 0, -0.0, jnp.inf, -1, -jnp.inf, nan, 0.5]
asked = [0.0, -0.0, nan, jnp.inf, -jnp.inf, -1, 3, 0.25]
for dtype in ["float32", "float64", "float16", "bfloat16", "complex64"]:
    for side in ["left", "right"]:
        for method in ["scan", "compare_all", "sort"]:
            case(
                "SearchSorted",
                f"{dtype}_{side}_{method}",
                lambda a, v, side=side, method=method: jnp.searchsorted(jnp.sort(a), v, side=side, method=method),
                arr(unsorted, dtype),
                arr(asked, dtype),
                x64=dtype == "float64",
                jax=NEWEST,
            )
for method in ["scan", "scan_unrolled", "compare_all", "sort"]:
    case(
        "SearchSorted",
        f"unsorted_{method}",
        lambda a, v, method=method: jnp.searchsorted(a, v, method=method),
        arr(unsorted),
        arr(asked),
        jax=NEWEST,
    )
for dtype in ["bool", "int8", "uint16", "int32", "uint32", "int64", "uint64"]:
    case(
        "SearchSorted", dtype, lambda a, v: jnp.searchsorted(a, v), edges(dtype), edges(dtype),
        x64="64" in dtype, jax=NEWEST,
    )  # fmt: skip
for n in [0, 1, 2, 7, 8, 600]:
    case(
        "SearchSorted",
        f"in_{n}",
        lambda a, v: jnp.searchsorted(jnp.sort(a), v, side="right"),
        f32(n),
        f32(2, 3),
        jax=NEWEST,
    )
case("SearchSorted", "nothing", lambda a, v: jnp.searchsorted(a, v), f32(4), f32(0), jax=NEWEST)
case("SearchSorted", "scalar", lambda a, v: jnp.searchsorted(a, v), f32(4), f32(), jax=NEWEST)
case("SearchSorted", "rows", lambda a, v: jax.vmap(jnp.searchsorted)(jnp.sort(a), v), f32(3, 5), f32(3, 2), jax=NEWEST)
case(
    "SearchSorted",
    "rows_of_columns",
    lambda a, v: jax.vmap(jax.vmap(jnp.searchsorted, (1, None)))(jnp.sort(a, 1), v),
    f32(3, 5, 2),
    f32(3, 2),
    jax=NEWEST,
)
case("SearchSorted", "any_query", lambda a, v: jnp.searchsorted(jnp.sort(a), v), f32(5), f32("B", 2), jax=NEWEST)
case("SearchSorted", "digitize", lambda a, v: jnp.digitize(v, jnp.sort(a)[::-1]), f32(5), f32(4), jax=NEWEST)
for dtype in ["bool", "int8", "uint32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]:
    for size in [2, 9]:
        case(
            "Nonzero",
            f"{dtype}_{size}",
            lambda x, size=size: jnp.nonzero(x, size=size, fill_value=(-1, 7)),
            arr([[0, 1, 0, 1], [1, 0, 0, 1]], dtype),
            x64="64" in dtype and dtype != "complex64",
            jax=NEWEST,
        )
case("Nonzero", "nan", lambda x: jnp.nonzero(x, size=4), arr([nan, -0.0, 0, jnp.inf, 1]), jax=NEWEST)
case("Nonzero", "none_of_them", lambda x: jnp.nonzero(x, size=0), f32(3), jax=NEWEST)
case("Nonzero", "empty", lambda x: jnp.nonzero(x, size=3, fill_value=5), f32(0, 4), jax=NEWEST)
case("Nonzero", "rank3", lambda x: jnp.argwhere(x, size=9), i32(2, 3, 4).between(0, 1), jax=NEWEST)
case("Nonzero", "rows", lambda x: jax.vmap(lambda r: jnp.nonzero(r, size=3)[0])(x), boolean(4, 5), jax=NEWEST)
case(
    "Nonzero",
    "columns_and_fills",
    lambda x, f: jax.vmap(lambda c, v: jnp.nonzero(c, size=3, fill_value=v)[0], (1, 0))(x, f),
    boolean(4, 5),
    i32(5),
    jax=NEWEST,
)
case("Nonzero", "any_size", lambda x: jnp.nonzero(x, size=4, fill_value=-1), boolean("B", 3), jax=NEWEST)
case("Nonzero", "any_count", lambda x: jnp.nonzero(x, size=x.shape[0] + 3), boolean("B"), jax=NEWEST)
