import jax.numpy as jnp
from jax import lax

from table import arr, case, f32, spec

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
