# SPDX-License-Identifier: Apache-2.0
"""Complex numbers: their parts, and the primitives that treat them differently from real numbers.

Primitives that treat both alike, such as `reshape` and `dot_general`, have their complex cases in their own families.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import lax as lax_internal
from jax.interpreters.ad import add_jaxvals

from table import NEWEST, arr, c64, c128, case, f32, given, i32, spec

for name in ["real", "imag", "conj"]:
    case(name, "c64", getattr(lax, name), c64(3, 4))
case("complex", "from_parts", lambda x, y: lax.complex(x, y), f32(3, 4), f32(3, 4))
case("complex", "real_times_complex", lambda x, y: x * y, f32(3, 4), c64(3, 4))
case("complex", "literal", lambda x: x * 2j + (1 - 1j), c64(3))
case("complex", "c128", lambda x, y: x * y + 1, c128(3), c128(3), x64=True)
for name in ["neg", "abs", "sign", "square", "sqrt", "rsqrt", "exp", "exp2", "expm1", "log", "log1p", "logistic"]:
    case(name, "c64", getattr(lax, name), c64(3, 4))
for name in ["sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh"]:
    case(name, "c64", getattr(lax, name), c64(3, 4))
for name in ["add", "sub", "mul", "div", "eq", "ne", "max", "min"]:
    case(name, "c64", getattr(lax, name), c64(3, 4), c64(3, 4))
case("add_any", "c64", add_jaxvals, c64(3), c64(3))
INFINITE = [complex(x, y) for x in (np.inf, -np.inf, 1, -2) for y in (0.0, -0.0, 1, np.inf, -np.inf)]
SPECIAL = ["sqrt", "rsqrt", "square", "sin", "cos", "sinh", "cosh", "tanh", "tan"]
for name in [*SPECIAL, "asin", "acos", "atan", "asinh", "acosh", "atanh"]:
    case(name, "c64_infinities", getattr(lax, name), given(np.array(INFINITE, "complex64")))
case("integer_pow", "c64_3", lambda x: lax.integer_pow(x, 3), c64(3, 4))
case("integer_pow", "c64_minus2", lambda x: lax.integer_pow(x, -2), c64(3, 4))
case("pow", "c64", lambda x, y: lax.pow(x, y), c64(3), c64(3))
case("pow", "c64_by_integers", lambda x, y: lax.pow(x, y), c64(5), i32(5).between(-2, 3))
zero_powers = arr([0, 2, 0.5, -1, 1 + 1j, -1j, complex(2, -0.0)], "complex64")
case("pow", "c64_of_zero", lambda w: lax.pow(jnp.zeros(7, "complex64"), w), zero_powers)
case("atan2", "complex64", lax.atan2, c64(3, 4), c64(3, 4))
case("div", "one_by_zero", lambda z: 1 / z, arr([0j, 2j, 1 + 1j], "complex64"))
by_infinities = [complex(np.inf, 1), complex(-2, -np.inf), complex(-np.inf, np.inf), 2j]
for dtype, x64 in [("complex64", False), ("complex128", True)]:
    case("div", f"by_infinities_{dtype}", lambda x, y: x / y, spec(dtype, (4,)), arr(by_infinities, dtype), x64=x64)
clamped = arr([1 + 2j, 1 - 3j, 0 + 9j, complex(np.nan, 1), complex(0, np.nan), complex(-np.inf, 2)], "complex64")
case("clamp", "complex64", lax.clamp, c64(6), clamped, c64(6))
case("clamp", "complex64_scalars", lambda x: lax.clamp(jnp.complex64(1 - 1j), x, jnp.complex64(1 + 1j)), clamped)
case("convert_element_type", "f32_to_c64", lambda x: x.astype(jnp.complex64), f32(3))

equal_real_parts = arr([[1 + 2j, 1 - 3j, 0 + 9j], [-2 - 1j, -2 + 1j, -2 + 0j]], "complex64")
for name, reduction in {"reduce_max": jnp.max, "reduce_min": jnp.min, "reduce_prod": jnp.prod}.items():
    case(name, "c64_ties", lambda x, f=reduction: f(x, 1), equal_real_parts)
    case(name, "c128_axes_0_2", lambda x, f=reduction: f(x, (0, 2)), c128(2, 3, 2), x64=True)
    case(name, "c64_symbolic", lambda x, f=reduction: f(x, 0), c64("B", 3))
case("reduce_prod", "c64_of_nothing", lambda x: jnp.prod(x, 0), c64(0, 3))

case("log2", "c64", lambda x: jnp.log2(x), c64(3, 4), jax=NEWEST)
case("one_minus_square", "c64", lambda x: lax_internal.one_minus_square(x), c64(3, 4), jax=NEWEST)
