import jax.numpy as jnp
from jax import lax

from table import arr, c64, c128, case, f32, i32

for name in ["neg", "abs", "real", "imag", "conj", "exp", "log", "sqrt", "sin", "cos", "tanh", "square", "sign"]:
    case(name, "c64", getattr(lax, name), c64(3, 4))
for name in ["add", "sub", "mul", "div", "eq", "ne"]:
    case(name, "c64", getattr(lax, name), c64(3, 4), c64(3, 4))
case("pow", "c64", lambda x, y: lax.pow(x, y), c64(3), c64(3))
case("complex", "from_parts", lambda x, y: lax.complex(x, y), f32(3, 4), f32(3, 4))
case("complex", "real_times_complex", lambda x, y: x * y, f32(3, 4), c64(3, 4))
case("complex", "literal", lambda x: x * 2j + (1 - 1j), c64(3))
case("complex", "c128", lambda x, y: x * y + 1, c128(3), c128(3), x64=True)
case("dot_general", "c64", lambda x, y: x @ y, c64(3, 4), c64(4, 2))
case("reduce_sum", "c64", lambda x: jnp.sum(x, 0), c64(3, 4))
case("reshape", "c64", lambda x: x.T.reshape(2, 6), c64(3, 4))
case("concatenate", "c64", lambda x, y: jnp.concatenate([x, y], 1), c64(3, 1), c64(3, 2))
case("broadcast_in_dim", "c64", lambda x: jnp.broadcast_to(x, (2, 3)), c64(3))
case("slice", "c64", lambda x: x[1:, ::2], c64(3, 4))
case("select_n", "c64", lambda x: jnp.where(x.real > 0, x, 0), c64(3, 4))
case("convert_element_type", "f32_to_c64", lambda x: x.astype(jnp.complex64), f32(3))
case("gather", "c64", lambda x, i: x[i], c64(4, 3), i32(5).between(0, 3))
case("transpose", "c64", lambda x: jnp.conj(x.T), c64(3, 4))
equal_real_parts = arr([[1 + 2j, 1 - 3j, 0 + 9j], [-2 - 1j, -2 + 1j, -2 + 0j]], "complex64")
for name, reduction in {"reduce_max": jnp.max, "reduce_min": jnp.min, "reduce_prod": jnp.prod}.items():
    case(name, "c64_ties", lambda x, f=reduction: f(x, 1), equal_real_parts)
    case(name, "c128_axes_0_2", lambda x, f=reduction: f(x, (0, 2)), c128(2, 3, 2), x64=True)
    case(name, "c64_symbolic", lambda x, f=reduction: f(x, 0), c64("B", 3))
case("reduce_prod", "c64_of_nothing", lambda x: jnp.prod(x, 0), c64(0, 3))

case("atan2", "complex64", lax.atan2, c64(3, 4), c64(3, 4))
case("div", "one_by_zero", lambda z: 1 / z, arr([0j, 2j, 1 + 1j], "complex64"))

case("iota", "complex64", lambda x: x + lax.iota("complex64", 3), c64(3))
