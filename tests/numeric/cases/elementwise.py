# SPDX-License-Identifier: Apache-2.0
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src.lax import lax as lax_internal
from jax.core import ShapedArray
from jax.experimental import pallas
from jax.extend.core import Primitive
from jax.interpreters import mlir
from jax.interpreters.ad import add_jaxvals

from table import NEWEST, arr, boolean, c64, case, dtype_of, edge_pairs, edge_values, edges, f32, given, i32, spec, u32

# A primitive of Pallas that has no lowering outside of kernels.
reciprocal = Primitive("reciprocal")
reciprocal.def_impl(lambda x, **_: 1 / x)
reciprocal.def_abstract_eval(lambda x, **_: ShapedArray(x.shape, x.dtype))
mlir.register_lowering(reciprocal, mlir.lower_fun(lambda x, **_: 1 / x, multiple_results=False))


def newest(name):
    """A function of jax._src.lax.lax that older versions lack."""
    return lambda *operands: getattr(lax_internal, name)(*operands)


for dtype in ["float32", "float64", "float16", "bfloat16"]:
    x64 = dtype == "float64"
    for name in ["neg", "sign", "floor", "ceil", "abs", "is_finite", "square"]:
        case(name, dtype, getattr(lax, name), edges(dtype), x64=x64)
    for name in [
        "exp",
        "tanh",
        "logistic",
        "sin",
        "cos",
        "tan",
        "atan",
        "asinh",
        "sinh",
        "cosh",
        "cbrt",
        "exp2",
        "expm1",
    ]:
        case(name, dtype, getattr(lax, name), spec(dtype, (3, 4)), x64=x64)
    for name in ["log", "log1p", "sqrt", "rsqrt"]:
        case(name, dtype, getattr(lax, name), spec(dtype, (3, 4), 0.1, 4.0), x64=x64)
    for name in ["asin", "acos", "atanh"]:
        case(name, dtype, getattr(lax, name), spec(dtype, (3, 4), -0.9, 0.9), x64=x64)
    for name in ["add", "sub", "mul", "div", "max", "min", "rem", "nextafter"]:
        if name != "nextafter" or dtype in ("float32", "float64"):
            case(name, dtype, getattr(lax, name), *edge_pairs(dtype), x64=x64)
    for name in ["eq", "ne", "lt", "le", "gt", "ge"]:
        case(name, dtype, getattr(lax, name), *edge_pairs(dtype), x64=x64)
    case("pow", dtype, lax.pow, spec(dtype, (3, 4), 0.1, 2.0), spec(dtype, (3, 4)), x64=x64)
    case("atan2", dtype, lax.atan2, spec(dtype, (3, 4)), spec(dtype, (3, 4)), x64=x64)
    case("round", f"away_{dtype}", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), edges(dtype), x64=x64)
    case("round", f"even_{dtype}", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), edges(dtype), x64=x64)
    case(
        "clamp", dtype, lambda x: lax.clamp(jnp.asarray(-1, x.dtype), x, jnp.asarray(2, x.dtype)), edges(dtype), x64=x64
    )

case("exp", "edges", lax.exp, edges("float32"))
case("log", "edges", lax.log, edges("float32"))
case("sqrt", "edges", lax.sqrt, edges("float32"))
case("rsqrt", "edges", lax.rsqrt, arr([0.0, 1.0, 4.0, float("inf"), float("nan"), -1.0]))
case("logistic", "edges", lax.logistic, edges("float32"))
case("tanh", "edges", lax.tanh, edges("float32"))
case("pow", "edges", lax.pow, *edge_pairs("float32"))
case("atan2", "edges", lax.atan2, *edge_pairs("float32"))
case("pow", "int_exponent", lambda x, y: lax.pow(x, y), f32(3, 4), i32(3, 4).between(-3, 3))
for power in [-3, -1, 0, 1, 2, 3, 5, 8]:
    case(
        "integer_pow",
        f"f32_{power}".replace("-", "minus"),
        lambda x, power=power: lax.integer_pow(x, power),
        edges("float32"),
    )
case("integer_pow", "i32_3", lambda x: lax.integer_pow(x, 3), edges("int32"))

for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
    x64 = dtype.endswith("64")
    for name in [
        "add",
        "sub",
        "mul",
        "max",
        "min",
        "div",
        "rem",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "shift_left",
        "shift_right_logical",
        "shift_right_arithmetic",
    ]:
        case(name, dtype, getattr(lax, name), *edge_pairs(dtype), x64=x64)
    for name in ["and", "or", "xor"]:
        case(name, dtype, getattr(lax, f"bitwise_{name}"), *edge_pairs(dtype), x64=x64)
    case("not", dtype, lax.bitwise_not, edges(dtype), x64=x64)
    for name in ["population_count", "clz", "neg", "sign"]:
        case(name, dtype, getattr(lax, name), edges(dtype), x64=x64)
    if dtype.startswith("int"):
        case("abs", dtype, lax.abs, edges(dtype), x64=x64)

case("shift_left", "literal", lambda x: x + (8 << jnp.full((3,), 2, jnp.int32)), i32(3))
case("shift_right_arithmetic", "literal", lambda x: x + (-9 >> jnp.full((3,), 2, jnp.int32)), i32(3))
case(
    "shift_right_logical",
    "literal",
    lambda x: x + lax.shift_right_logical(-9, jnp.full((3,), 2, jnp.int32)),
    i32(3),
)

for name in ["eq", "ne", "max", "min"]:
    case(name, "bool", getattr(lax, name), *edge_pairs("bool"))
for name in ["and", "or", "xor"]:
    case(name, "bool", getattr(lax, f"bitwise_{name}"), *edge_pairs("bool"))
case("not", "bool", lax.bitwise_not, edges("bool"))

kinds = ["float32", "float16", "bfloat16", "int8", "int32", "uint8", "uint32", "bool"]
for source in kinds:
    for target in kinds:
        if source != target:
            case(
                "convert_element_type",
                f"{source}_to_{target}",
                lambda x, target=target: lax.convert_element_type(x, target),
                edges(source),
            )
for source, target in [
    ("float64", "int32"),
    ("float64", "float32"),
    ("int64", "float64"),
    ("uint64", "float32"),
    ("int64", "int8"),
]:
    case(
        "convert_element_type",
        f"{source}_to_{target}",
        lambda x, target=target: lax.convert_element_type(x, target),
        edges(source),
        x64=True,
    )
case("bitcast_convert_type", "f32_to_u32", lambda x: lax.bitcast_convert_type(x, jnp.uint32), edges("float32"))
case(
    "bitcast_convert_type",
    "u32_to_f32",
    lambda x: lax.bitcast_convert_type(x, jnp.float32),
    u32(3, 4).between(0, 1 << 30),
)
case("bitcast_convert_type", "empty", lambda x: lax.bitcast_convert_type(x, jnp.int32), spec("uint8", (0, 4)))
case("reduce_precision", "bf16", lambda x: lax.reduce_precision(x, 8, 7), f32(3, 4))

case("select_n", "scalar_predicate", lambda p, a, b: lax.select(p, a, b), boolean(), f32(3), f32(3))
case(
    "select_n", "three_ways", lambda w, a, b, c: lax.select_n(w, a, b, c), i32(5).between(0, 2), f32(5), f32(5), f32(5)
)
case("select_n", "where", lambda x: jnp.where(x > 0, x, -x), edges("float32"))
case("select_n", "one_way", lambda p, a: lax.select_n(p, a), boolean(4), f32(4))
case("select_n", "bool", lambda p, a, b: lax.select(p, a, b), boolean(4), boolean(4), boolean(4))
case("clamp", "int", lambda x: jnp.clip(x, -3, 3), edges("int32"))
case("clamp", "arrays", lax.clamp, f32(4).between(-1, 0), f32(4), f32(4).between(0, 1))
case("copy", "p", lambda x: jnp.copy(x) + 1, f32(2))
case("add", "rank0", lambda x, y: x + y, f32(), f32())
case("add", "empty", lambda x, y: x + y, f32(0, 3), f32(0, 3))
case("mul", "literal_left", lambda x: 2.5 * x, f32(2, 3))
case("stop_gradient", "identity", lambda x: lax.stop_gradient(x) * 2, f32(2, 3))
for name in [
    "relu",
    "relu6",
    "gelu",
    "silu",
    "elu",
    "selu",
    "celu",
    "softplus",
    "leaky_relu",
    "hard_swish",
    "hard_sigmoid",
    "log_sigmoid",
    "soft_sign",
    "mish",
    "softmax",
    "log_softmax",
    "hard_tanh",
]:
    case("nn", name, getattr(jax.nn, name), f32(3, 5).between(-4, 4))
case("nn", "gelu_exact", lambda x: jax.nn.gelu(x, approximate=False), f32(3, 5))
case("acosh", "edges", lax.acosh, edges("float32"))
case("acosh", "float64", lax.acosh, edges("float64"), x64=True)
case("add_any", "float32", add_jaxvals, f32(3, 4), f32(3, 4))
for name in ["eq_to", "le_to", "lt_to"]:
    fn = getattr(lax, name + "_p").bind
    case(name, "float32", fn, *edge_pairs("float32"))
    case(name, "int32", fn, *edge_pairs("int32"))

# ONNX Runtime compares 64-bit integers by halves: if the upper halves are equal, a lower half of 2^31 counts as
# negative.
halves = [1, 7, 2**31, 2**32 - 1, 2**32, 2**32 + 5, 2**33 - 3, -1, -(2**31), -(2**32)]
for name in ["max", "min"]:
    case(
        name,
        "int64_halves",
        getattr(lax, name),
        arr(np.repeat(halves, 10), "int64"),
        arr(np.tile(halves, 10), "int64"),
        x64=True,
    )
case("clamp", "int64_halves", lambda x: jnp.clip(x, 0, 9), arr(halves, "int64"), x64=True)
case("pow", "int_exponent_rounds", lax.pow, arr([-1.0, -1.0, -0.0, 2.0], "bfloat16"), arr([257, 255, -3, 5], "int32"))
case("is_finite", "float8", lax.is_finite, arr([0.0, 448.0, -1.5, float("nan")], "float8_e4m3fn"))
case(
    "convert_element_type",
    "float8_to_bool",
    lambda x: lax.convert_element_type(x, bool),
    arr([0.0, -0.0, 2.0, float("nan")], "float8_e4m3fn"),
)
for dtype in ["bfloat16", "float16", "float64"]:
    case("nn", f"hard_silu_{dtype}", jax.nn.hard_silu, edges(dtype), x64=dtype == "float64")
case("nn", "silu_opset_26", jax.nn.silu, f32(3, 4), args="--opset 26")

# 1 / x shows that -0 stays -0, unlike a comparison. Otherwise loops of jax.random.binomial would not end.
for dtype in ["float32", "float64"]:
    case(
        "log1p",
        f"negative_zero_{dtype}",
        lambda x: 1 / lax.log1p(x),
        arr([-0.0, 0.0, -1e-30, 0.5], dtype),
        x64=dtype == "float64",
    )
case("select_n", "c64", lambda x: jnp.where(x.real > 0, x, 0), c64(3, 4))

# Defects of ONNX Runtime's own fusions: docs/onnxruntime-defects.md.
for dtype in ["int8", "int32", "int64"]:
    x64 = dtype == "int64"
    divisors = arr([4, 3, 2, 1, -1, -2, -4], dtype), arr([4, 4, -7, 5, 5, 5, 5], dtype)
    case("div", f"one_by_{dtype}", lambda n, y: lax.div(jnp.ones((), n.dtype), n) * y, *divisors, x64=x64)
    case("div", f"floor_one_by_{dtype}", lambda n, y: (1 // n) * y, *divisors, x64=x64)
    case("rem", f"one_by_{dtype}", lambda n, y: (lax.rem(jnp.ones_like(n), n), 1 % n), *divisors, x64=x64)
for dtype in ["float16", "float32", "float64"]:
    x64 = dtype == "float64"
    case(
        "div",
        f"one_of_more_axes_{dtype}",
        lambda x, y: (jnp.ones((1, 1), x.dtype) / x) * y,
        *[spec(dtype, (3,), 1.0)] * 2,
        x64=x64,
    )
    case(
        "clamp",
        f"relu_{dtype}",
        lambda x: jnp.clip(jax.nn.relu(x), -1, 1),
        edges(dtype),
        x64=x64,
    )
    case(
        "clamp",
        f"relu_as_bound_{dtype}",
        lambda x, y: lax.clamp(jnp.asarray(-1, x.dtype), x, jax.nn.relu(y)),
        edges(dtype),
        arr(-2, dtype),
        x64=x64,
    )
case("clamp", "relu_int32", lambda x: jnp.clip(jax.nn.relu(x), -1, 1), edges("int32"))
for dtype in ["float32", "float64"]:
    x64 = dtype == "float64"
    ones = np.ones((1, 3), dtype)
    case(
        "nn",
        f"standardize_of_more_axes_{dtype}",
        lambda x, ones=ones: jax.nn.standardize(x) * (2 * ones) + ones,
        spec(dtype, (3,)),
        x64=x64,
    )
case("nn", "standardize_large_float16", jax.nn.standardize, spec("float16", (4, 6)).between(-400, 400))
case("nn", "gelu_of_more_axes", lambda x: 0.5 * np.ones((1, 1), "f4") * (x * (1 + lax.erf(x / np.sqrt(2)))), f32(3))
case("nn", "silu_of_more_axes", lambda x: x * jax.nn.sigmoid(np.full((1, 1), 1.702, "f4") * x), f32(3))

FLOAT8 = {
    "": [jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float8_e4m3fnuz, jnp.float8_e5m2fnuz],
    "_e8m0fnu": [jnp.float8_e8m0fnu],
}


def float8_borders(types):
    """Numbers of the types, midpoints between neighbours, numbers next to these, and ones beyond the largest."""
    bits = np.arange(256, dtype=np.uint8)
    found = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, 480, 61440, 62000, 65504, 65536, 1e6, -61440, -480, -1e6]
    for t in types:
        numbers = np.unique(bits.view(np.dtype(t)).astype(float))
        numbers = numbers[np.isfinite(numbers)][::3]
        halfway = (numbers[1:] + numbers[:-1]) / 2
        found += [*numbers, *halfway, *halfway * (1 + 1e-6), *np.nextafter(halfway, 0), numbers[-1] * 1.07]
    return np.array(found)


for suffix, types in FLOAT8.items():
    to_float8 = lambda x, types=types: [x.astype(t).astype(jnp.float32) for t in types]
    options = {"args": "--opset 24"} if suffix else {"signs": True}
    for dtype in ["float16", "bfloat16", "float32", "float64"]:
        numbers = float8_borders(types)
        numbers = numbers[abs(numbers) > 1e-37] if suffix else numbers
        case(
            "convert_element_type",
            f"float8{suffix}_from_{dtype}",
            to_float8,
            arr(numbers, dtype),
            x64=dtype == "float64",
            **options,
        )
    integers = arr([0, 1, -3, 5, 6, 7, 464, 465, 480, 57344, 61439, 61440, 65535, 10**6, -480, -61440], "int32")
    case("convert_element_type", f"float8{suffix}_from_int32", to_float8, integers, **options)
    case("convert_element_type", f"float8{suffix}_from_bool", to_float8, arr([False, True], "bool"), **options)
    case(
        "convert_element_type",
        f"float8{suffix}_from_bits",
        lambda x, types=types: [lax.bitcast_convert_type(x, t).astype(jnp.float32) for t in types],
        arr(np.arange(256), "uint8"),
        **options,
    )
case(
    "convert_element_type",
    "float8_after_clip",
    lambda x: jnp.clip(x, -448, 448).astype(jnp.float8_e4m3fn).astype(x.dtype),
    edges("float32"),
)
case(
    "add",
    "float8_e5m2_overflows",
    lambda x: sum([x.astype(jnp.float8_e5m2)] * 2).astype(jnp.float32),
    arr([57344, 32768, -49152, 1, np.nan]),
)

# Zeros of both signs. The remaining differences are listed in docs/numerics.md.
ODD = [lax.sign, lax.cbrt, lax.round, lax.floor, lax.ceil, lax.sin, lax.tan, lax.asin, lax.atan, lax.sinh, lax.tanh]
ODD += [lax.asinh, lax.atanh, lax.expm1, lax.log1p, lax.sqrt, lax.neg, lax.bessel_i1e, jnp.trunc, jnp.round]
ODD += [lambda x: lax.reduce_precision(x, 5, 7), lambda x: lax.integer_pow(x, 3), lambda x: lax.integer_pow(x, -1)]
ODD += [lambda x: lax.cumsum(x), lambda x: lax.sort(x), lambda x: jnp.zeros_like(x).at[0].min(x[3])]
DIVISORS = [
    jnp.minimum,
    jnp.maximum,
    lambda x, y: jax.nn.relu(x),
    lambda x, y: jnp.trunc(x),
    lambda x, y: jnp.minimum(x, 0),
]
BINARY = [lax.atan2, lax.nextafter, jnp.copysign, lax.rem, lax.mul, lax.div, lax.add, lax.sub]
zeros = [0.0, -0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75]
for dtype in ["float16", "bfloat16", "float32", "float64"]:
    options = {"signs": True, "x64": dtype == "float64"}
    pairs = arr(np.repeat(zeros, 8), dtype), arr(np.tile(zeros, 8), dtype)
    case("sign", f"zeros_{dtype}", lambda x: [f(x) for f in ODD], arr(zeros, dtype), **options)
    case("atan2", f"zeros_{dtype}", lambda x, y: [f(x, y) for f in BINARY], *pairs, **options)
    case("div", f"by_zeros_{dtype}", lambda x, y: [1 / f(x, y) for f in DIVISORS], *pairs, **options)
    case("sign", f"infinities_{dtype}", lambda x: [lax.sign(x), lax.cbrt(x), lax.round(x)], edges(dtype), **options)
case("rem", "modulo", lambda x: x % 4, arr([-(2**31), -5, -4, -1, 0, 1, 3, 4, 2**31 - 1], "int32"))
case("rem", "modulo_of_minus", lambda x: x % jnp.int32(-3), arr([-(2**31), -4, -3, -1, 0, 2, 3, 2**31 - 1], "int32"))
case("rem", "modulo_64", lambda x: x % 7, arr([-(2**63), -8, -7, -1, 0, 6, 2**63 - 1], "int64"), x64=True)

# Primitives of JAX 0.11 and 0.12.
for dtype in ["float32", "float64", "float16", "bfloat16"]:
    x64 = dtype == "float64"
    case("log2", dtype, lambda x: jnp.log2(x), spec(dtype, (3, 4), 0.1, 4.0), x64=x64, jax=NEWEST)
    case("log2", f"{dtype}_edges", lambda x: jnp.log2(x), edges(dtype), x64=x64, jax=NEWEST)
    case("one_minus_square", dtype, newest("one_minus_square"), edges(dtype), x64=x64, jax=NEWEST)
    for count in [2, 8, 9]:  # nine coefficients become a loop that starts at zero: infinite numbers become NaN
        case(
            "polynomial",
            f"{dtype}_{count}",
            lambda x, count=count: lax.polynomial(x, [1.5 - k / 4 for k in range(count)]),
            edges(dtype),
            x64=x64,
            jax=NEWEST,
        )
case("one_minus_square", "near_one", newest("one_minus_square"), arr([0.999999, 1.0000001, -0.9999999]), jax=NEWEST)
case("one_minus_square", "of_tanh", jax.grad(lambda x: jnp.tanh(x).sum()), f32(3, 4), jax=NEWEST)
for dtype in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
    case("mulhi", dtype, lambda x, y: lax.mulhi(x, y), *edge_pairs(dtype), x64="64" in dtype, jax=NEWEST)
    case("one_minus_square", dtype, newest("one_minus_square"), edges(dtype), x64="64" in dtype, jax=NEWEST)
case("polynomial", "unroll", lambda x: lax.polynomial(x, [1, 2, 3, 4], unroll=2), edges("float32"), jax=NEWEST)
case("polynomial", "long_unrolled", lambda x: lax.polynomial(x, [1.0] * 9, unroll=9), edges("float32"), jax=NEWEST)
case("polynomial", "int32", lambda x: lax.polynomial(x, [1, 2, 3]), edges("int32"), jax=NEWEST)
case("polynomial", "broadcast", lambda x, c: lax.polynomial(x, [1, c, 2]), f32(3, 1), f32(1, 4), jax=NEWEST)
case("polynomial", "constant", lambda x, c: lax.polynomial(x, [c, 0]), f32(1, 1), f32(2, 3), jax=NEWEST)
case("polynomial", "any_size", lambda x: jnp.polyval(jnp.array([2.0, -1, 0.5]), x), f32("B", 3), jax=NEWEST)
case("multiple_of", "int32", lambda x: pallas.multiple_of(x, 4) + 1, i32(3))
case("reciprocal", "float32", lambda x: reciprocal.bind(x, approx=False, full_range=True), edges("float32"))
case("polynomial", "c64", lambda x: lax.polynomial(x, [1, 2 - 1j, 3j]), c64(3, 4), jax=NEWEST)
case("polynomial", "c64_long", lambda x: lax.polynomial(x, [1j, 2.0, 3] * 3), c64(3, 4), jax=NEWEST)


def floats(dtype):
    """Edge values, powers of two and their neighbours, the least normal number and subnormal ones."""
    info = ml_dtypes.finfo(dtype_of(dtype))
    tiny, top = float(info.tiny), float(info.max)
    powers = [2.0**k for k in (-3, -1, 0, 1, 9)]
    values = [*powers, *[v * (1 - float(info.eps) / 2) for v in powers], tiny, -tiny, tiny * 1.5, tiny / 2, -tiny / 2]
    return given(np.concatenate([edge_values(dtype), np.array([*values, top / 2], dtype_of(dtype))]))


for dtype in ["float32", "float64", "float16", "bfloat16"]:
    x64 = dtype == "float64"
    case("Frexp", dtype, lambda x: jnp.frexp(x), floats(dtype), x64=x64, signs=True, jax=NEWEST)
    for shift in [-2000, -126, -1, 0, 1, 127, 2000]:
        case(
            "Ldexp",
            f"{dtype}_{shift}".replace("-", "minus_"),
            lambda x, shift=shift: jnp.ldexp(x, shift),
            floats(dtype),
            x64=x64,
            signs=True,
            jax=NEWEST,
        )
for dtype in ["int8", "uint8", "int16", "uint32", "int64", "uint64"]:
    case(
        "Ldexp", f"by_{dtype}", lambda x, n: jnp.ldexp(x[:, None], n), floats("float32"), edges(dtype),
        x64="64" in dtype, signs=True, jax=NEWEST,
    )  # fmt: skip
case("Frexp", "any_size", lambda x: jnp.frexp(x), f32("B", 3), jax=NEWEST)
case(
    "sign",
    "large_int64",
    lax.sign,
    arr([2684354560, 2**31, -(2**31) - 1, 2**63 - 1, -(2**63), 3, 0, 4294967295, -7, 9], "int64"),
    x64=True,
)
case(
    "convert_element_type",
    "subnormal_bfloat16_to_bool",
    lambda x: x.astype(bool),
    arr([1e-39, -1e-39, 1.2e-38, jnp.nan, 0], "bfloat16"),
    jax=NEWEST,
)
