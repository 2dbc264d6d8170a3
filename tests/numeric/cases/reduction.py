# SPDX-License-Identifier: Apache-2.0
"""Reductions and cumulative reductions."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from table import arr, boolean, c64, c128, case, edges, f32, spec

# Reductions.
for dtype in ["float32", "float16", "bfloat16", "int32", "uint8", "int8", "uint32"]:
    for name in ["sum", "max", "min", "prod"]:
        case(
            "reduce_" + name,
            dtype,
            lambda x, name=name: getattr(lax, "reduce_" + name)(x, axes=(1,)),
            spec(dtype, (3, 5)),
        )
for name in ["sum", "max", "min", "prod", "and", "or", "xor"]:
    floating = name in ("sum", "max", "min", "prod")
    fn = getattr(lax, "reduce_" + name)
    argument = spec("float32" if floating else "int32", (2, 3, 4), -5, 5)
    case("reduce_" + name, "all_axes", lambda x, fn=fn: fn(x, axes=(0, 1, 2)), argument)
    case("reduce_" + name, "outer_axes", lambda x, fn=fn: fn(x, axes=(0, 2)), argument)
    case("reduce_" + name, "no_axes", lambda x, fn=fn: fn(x, axes=()), argument)
    case("reduce_" + name, "empty", lambda x, fn=fn: fn(x, axes=(1,)), spec(argument.dtype, (2, 0)))
    if floating:
        case("reduce_" + name, "edges", lambda x, fn=fn: fn(x, axes=(0,)), edges("float32"))
    else:
        case("reduce_" + name, "bool", lambda x, fn=fn: fn(x, axes=(1,)), boolean(4, 2))
for name in ["sum", "max", "prod"]:
    case(
        "reduce_" + name,
        "float64",
        lambda x, name=name: getattr(lax, "reduce_" + name)(x, axes=(0,)),
        spec("float64", (3, 2)),
        x64=True,
    )
case("reduce_sum", "keepdims", lambda x: jnp.sum(x, 1, keepdims=True), f32(4, 8))
case("reduce_sum", "symbolic", lambda x: jnp.sum(x, 0), f32("B", 3))
case("reduce_sum", "mean", lambda x: jnp.mean(x, 1), f32(4, 8))
case("reduce_sum", "mean_symbolic", lambda x: jnp.mean(x, 0), f32("B", 3))
case("reduce_sum", "variance", lambda x: jnp.var(x, 1), f32(4, 8))
case("argmax", "select", lambda x: jnp.select([x > 0], [x], -1.0), arr([1, -1, 0, -0.0, jnp.nan]))
case("argmax", "select_symbolic", lambda x: jnp.select([x > 0], [x], -1.0), f32("B", 3, "C"))
for name in ["argmax", "argmin"]:
    fn = getattr(lax, name)
    case(name, "ties", lambda x, fn=fn: fn(x, 1, jnp.int32), arr([[1, 3, 3, 0, 0], [2, 2, 2, 2, 2]]))
    case(name, "nan", lambda x, fn=fn: fn(x, 1, jnp.int32), arr([[1, float("nan"), 3, float("nan")], [1, 2, 3, 4]]))
    case(name, "int", lambda x, fn=fn: fn(x, 0, jnp.int32), spec("int32", (4, 3), -9, 9))
    case(name, "bool", lambda x, fn=fn: fn(x, 0, jnp.int32), boolean(4, 3))
case("reduce", "custom_max", lambda x: lax.reduce(x, -jnp.inf, lax.max, (1,)), f32(3, 4))
case("reduce", "custom_logical", lambda x: lax.reduce(x, True, lax.bitwise_and, (0,)), boolean(3, 4))


# Forms for ONNX Runtime.
def of_pairs(a, b, size):
    d = a[:, None] - b[None]
    return (d**2).sum(-1), jnp.abs(d).max(-1), (d / (size[..., None] + 2.5)).sum(1)


case("reduce_sum", "pairs", of_pairs, f32(24, 3), f32(32, 3), f32(24, 32))
case(
    "reduce_sum",
    "separate_axes",
    lambda x: (x.sum((1, 3)), x.mean((1, 3), keepdims=True), x.max((1, 3)), jnp.linalg.norm(x, axis=(1, 3))),
    f32(4, 8, 4, 32),
)
case("reduce_sum", "few_rows", lambda x: (x.sum(0), (x * x).sum(0)), f32(3, 1400))
case("reduce_sum", "logsumexp", lambda x: jnp.log(jnp.sum(jnp.exp(x), -1)), f32(3, 4))
argmax_body = lambda a, b: (jnp.where(b[0] > a[0], b[0], a[0]), jnp.where(b[0] > a[0], b[1], a[1]))
case(
    "reduce",
    "two_operands",
    lambda x, i: lax.reduce((x, i), (-jnp.inf, -1), argmax_body, (1,)),
    f32(3, 4),
    spec("int32", (3, 4), 0, 9),
)
case(
    "reduce",
    "two_operands_all_axes",
    lambda x, i: lax.reduce((x, i), (-jnp.inf, -1), argmax_body, (0, 1)),
    f32(3, 4),
    spec("int32", (3, 4), 0, 9),
)
case("reduce", "own_body", lambda x: lax.reduce(x, 1.0, lambda a, b: a * 0.5 + b, (1,)), f32(3, 4))
case("reduce", "middle_axes", lambda x: lax.reduce(x, 1.0, lambda a, b: a * 0.5 + b, (1, 3)), f32(2, 3, 2, 2))
case("reduce", "sum_from_two", lambda x: lax.reduce(x, 2.0, lax.add, (0,)), f32(3, 4))
case("reduce", "symbolic_body", lambda x: lax.reduce(x, 1.0, lambda a, b: jnp.maximum(a, b * b), (1,)), f32("B", 4))
case("reduce", "symbolic_axis", lambda x: lax.reduce(x, 1.0, lambda a, b: jnp.maximum(a, b * b), (0,)), f32("B", 4))
case("reduce", "empty_axis", lambda x: lax.reduce(x, 1.0, lambda a, b: jnp.maximum(a, b * b), (0,)), f32(0, 4))
case("reduce", "complex_product", lambda x: lax.reduce(x, 1 + 0j, lax.mul, (0,)), spec("complex64", (4, 2)))

# Sums and products of integers wrap, sums of 64 bits are exact; compare the comparisons by halves of elementwise.py.
for dtype in ["int32", "int64", "uint32", "uint64"]:
    top = 2 ** int(dtype[-2:]) // (1 if dtype[0] == "u" else 2) - 1
    numbers = arr([[top, 5, 7], [top, top - 9, 3], [3, 2**31, 2**31 - 1] if top > 2**31 else [3, 4, top]], dtype)
    for name in ["reduce_sum", "reduce_prod", "reduce_max", "reduce_min"]:
        case(name, f"{dtype}_wraps", lambda x, f=getattr(lax, name): f(x, (1,)), numbers, x64="64" in dtype)
case(
    "reduce_sum",
    "int64_53_bits",
    lambda x: jnp.sum(x, (0, 2)),
    arr([[[2**53 + 1, 2]], [[4, -(2**60)]]], "int64"),
    x64=True,
)
case("reduce_max", "int64_axes", lambda x: jnp.max(x, (0, 2)), arr([[[2**32 - 1, 2]], [[4, 9]]], "int64"), x64=True)
case("reduce_max", "int64_symbolic", lambda x: jnp.max(x, 0), spec("int64", ("B", 2), 2**33, 2**34), x64=True)
case("reduce_prod", "int32_symbolic", lambda x: lax.reduce_prod(x, (0, 1)), spec("int32", ("B", 2), 900, 999))
case("reduce_prod", "int8_wraps", lambda x: lax.reduce_prod(x, (0, 1)), spec("int8", (3, 4), 90, 99))
case("cummax", "int64_halves", lambda x: lax.cummax(x), arr([1, 2**32 - 1, 5, 2**32], "int64"), x64=True)
case("reduce_sum", "c64", lambda x: jnp.sum(x, 0), c64(3, 4))

# Cumulative reductions.
nan = float("nan")
for name in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    fn = getattr(lax, name)
    case(name, "axis0", lambda x, fn=fn: fn(x, axis=0), f32(4, 3))
    case(name, "axis1_reverse", lambda x, fn=fn: fn(x, axis=1, reverse=True), f32(3, 4))
    case(name, "empty", lambda x, fn=fn: fn(x, axis=0), f32(0, 3))
    case(name, "one", lambda x, fn=fn: fn(x, axis=0), f32(1))
    case(name, "bfloat16", lambda x, fn=fn: fn(x, axis=0), spec("bfloat16", (4,)))
    case(name, "symbolic_other_axis", lambda x, fn=fn: fn(x, axis=1), f32("B", 4))
    case(name, "symbolic_axis", lambda x, fn=fn: fn(x, axis=0), f32("B", 3))
    if name != "cumlogsumexp":
        case(name, "i32", lambda x, fn=fn: fn(x, axis=0), spec("int32", (5,), -9, 9))
        case(name, "u8", lambda x, fn=fn: fn(x, axis=0), spec("uint8", (5,), 0, 99))
for name in ["cummax", "cummin", "cumsum"]:
    case(name, "nan", lambda x, name=name: getattr(lax, name)(x), arr([1, 3, nan, 2, 5]))
case("cumsum", "jnp_bool", lambda x: jnp.cumsum(x > 0), f32(6))
for name in ["cumsum", "cumprod", "cummax", "cummin"]:
    fn = getattr(lax, name)
    for dtype in ["int8", "uint16", "uint32", "float16", "complex64"]:
        case(name, f"reverse_{dtype}", lambda x, fn=fn: fn(x, axis=1, reverse=True), spec(dtype, (2, 4), 0, 5))
    case(name, "symbolic_reverse", lambda x, fn=fn: fn(x, axis=1, reverse=True), f32("B", "N", 2))
    for dtype in ["float64", "int64", "uint64"]:
        case(name, dtype, lambda x, fn=fn: fn(x, axis=0), spec(dtype, (5, 2), 0, 9), x64=True)
case("cumlogsumexp", "infinities", lambda x: lax.cumlogsumexp(x), arr([-jnp.inf, -jnp.inf, 1, jnp.inf, 2, jnp.inf]))
case("cumlogsumexp", "large", lambda x: lax.cumlogsumexp(x), arr([1000, 999, -1000, 1001]))
for name, axis in {"axis0": 0, "axis1": 1}.items():
    backward = axis == 1
    case("cumlogsumexp", f"c64_{name}", lambda x, a=axis, b=backward: lax.cumlogsumexp(x, a, b), c64(3, 4))
wide_angles = arr([[0 + 4j, 1 - 7j, -2 + 11j, jnp.inf, 0]], "complex64")
case("cumlogsumexp", "c64_angles", lambda x: lax.cumlogsumexp(x, 1), wide_angles)
case("cumlogsumexp", "c64_one", lambda x: lax.cumlogsumexp(x, 0), wide_angles)
case("cumlogsumexp", "c64_empty", lambda x: lax.cumlogsumexp(x, 0), c64(0, 3))
case("cumlogsumexp", "c128_symbolic", lambda x: lax.cumlogsumexp(x, 0), c128("B", 3), x64=True)
case(
    "reduce_sum",
    "int64_wraps_opset_17",
    lambda x: jnp.sum(x, 1),
    arr([[2**62, 2**62, 7], [-(2**63), -1, 5], [2**53 + 1, -3, 2**40]], "int64"),
    x64=True,
    args="--opset 17",
)
for name in ["argmax", "argmin"]:
    for dtype in ["float16", "float32", "float64"]:
        case(
            name,
            f"finite_{dtype}",
            lambda x, fn=getattr(jnp, name): (fn(x, axis=1), jnp.max(x, axis=1)),
            spec(dtype, (3, 4)),
            args="--assume-finite",
            x64=True,
        )

# Sums of blocks.
zeros_below = np.float32([[-0.0, -0.0]] * 4 + [[1, -0.0]])
case("reduce_sum", "blocks", lambda x: x[:2].sum(0) + x[2:].sum(0), arr(zeros_below))
case(
    "reduce_sum",
    "signed_to_unsigned",
    lambda x: jnp.sum(x.astype(jnp.uint64)),
    arr([-1, 5, -7, 2**31 - 1], "int32"),
    x64=True,
)
