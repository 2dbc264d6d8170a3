import jax
import jax.numpy as jnp
from jax import lax

from table import arr, boolean, case, edges, f32, i32, spec

nan = float("nan")
for dtype in ["float32", "float16", "bfloat16", "int8", "int32", "uint8", "uint32"]:
    case("sort", dtype, lambda x: lax.sort(x, dimension=1), spec(dtype, (3, 6)))
    case("sort", f"edges_{dtype}", lambda x: lax.sort(x[::-1]), edges(dtype))
case("sort", "axis0", lambda x: jnp.sort(x, 0), f32(5, 3))
case("sort", "nan_last", lambda x: jnp.sort(x), arr([3, nan, -1, nan, float("inf"), 0, -0.0]))
case("sort", "descending", lambda x: jnp.sort(x, descending=True), f32(7))
case("sort", "argsort_stable", lambda x: jnp.argsort(x), arr([2, 1, 2, 1, 0, 2], "int32"))
case("sort", "argsort_nan", lambda x: jnp.argsort(x), arr([2, nan, 2, 1, nan, -1]))
case("sort", "key_value", lambda k, v: lax.sort((k, v), num_keys=1), i32(8), f32(8))
case("sort", "two_keys", lambda a, b, v: lax.sort((a, b, v), num_keys=2), i32(9).between(0, 2), i32(9).between(0, 2), f32(9))
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
