from jax import lax

from table import c64, c128, case, f32

for name in ["real", "imag", "conj"]:
    case(name, "c64", getattr(lax, name), c64(3, 4))
case("complex", "from_parts", lambda x, y: lax.complex(x, y), f32(3, 4), f32(3, 4))
case("complex", "real_times_complex", lambda x, y: x * y, f32(3, 4), c64(3, 4))
case("complex", "literal", lambda x: x * 2j + (1 - 1j), c64(3))
case("complex", "c128", lambda x, y: x * y + 1, c128(3), c128(3), x64=True)
