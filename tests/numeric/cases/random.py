# SPDX-License-Identifier: Apache-2.0
import importlib

import jax
import jax.numpy as jnp
from jax._src.random.prng import iota_2x32_shape_p
from jax.extend.random import threefry2x32_p

from table import NEWEST, arr, case, edges, f32, i32, key, u32

case("random_bits", "u32", lambda k: jax.random.bits(k, (3, 5)), key(1))
case("random_bits", "odd_size", lambda k: jax.random.bits(k, (7,)), key(2))
case("random_bits", "u8", lambda k: jax.random.bits(k, (5,), "uint8"), key(3))
case("random_bits", "u16", lambda k: jax.random.bits(k, (5,), "uint16"), key(3))
case("random_bits", "scalar", lambda k: jax.random.bits(k), key(4))
case("random_seed", "argument", lambda s: jax.random.bits(jax.random.key(s), (3,)), u32())
case(
    "random_wrap",
    "raw_key",
    lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (3,)),
    u32(2).between(0, 1 << 30),
)
case("random_split", "three", lambda k: [jax.random.bits(s, (2,)) for s in jax.random.split(k, 3)], key(5))
case("random_split", "output_keys", lambda k: jax.random.split(k), key(6))
case("random_fold_in", "literal", lambda k: jax.random.bits(jax.random.fold_in(k, 7), (2,)), key(7))
case("random_unwrap", "key_data", lambda k: jax.random.key_data(k), key(8))
case("random", "uniform", lambda k: jax.random.uniform(k, (3, 4)), key(9))
case("random", "uniform_range", lambda k: jax.random.uniform(k, (3, 4), minval=-2.0, maxval=3.0), key(9))
case("random", "normal", lambda k: jax.random.normal(k, (3, 4)), key(10))
case("random", "normal_bfloat16", lambda k: jax.random.normal(k, (4,), "bfloat16"), key(10))
case("random", "bernoulli", lambda k: jax.random.bernoulli(k, 0.3, (9,)), key(11))
case("random", "randint", lambda k: jax.random.randint(k, (9,), -5, 17), key(12))
case("random", "categorical", lambda k, x: jax.random.categorical(k, x), key(13), f32(4, 5))
case("random", "truncated_normal", lambda k: jax.random.truncated_normal(k, -1.0, 1.0, (5,)), key(14))
case("random", "exponential", lambda k: jax.random.exponential(k, (5,)), key(15))
case("random", "gumbel", lambda k: jax.random.gumbel(k, (5,)), key(16))
case("random", "permutation", lambda k: jax.random.permutation(k, 8), key(17))
case("random", "closed_over_key", lambda x: x + jax.random.uniform(jax.random.key(3), (3,)), f32(3))
case("random", "dropout", lambda k, x: jnp.where(jax.random.bernoulli(k, 0.8, x.shape), x / 0.8, 0), key(18), f32(3, 4))

# Every width, batches of keys, seeds of every integer type, other key implementations.
case("random_bits", "u64", lambda k: jax.random.bits(k, (5,), "uint64"), key(3), x64=True)
case("random_bits", "batch", lambda k: jax.vmap(lambda v: jax.random.bits(v, (3, 2)))(jax.random.split(k, 4)), key(3))
case(
    "random_bits",
    "batch_u8",
    lambda k: jax.vmap(lambda v: jax.random.bits(v, (3,), "uint8"))(jax.random.split(k, 2)),
    key(3),
)
case("random_bits", "empty", lambda k: jax.random.bits(k, (0, 3)), key(3))
case("random_bits", "large", lambda k: jax.random.bits(k, (40, 50))[17:19], key(3))
case("random_bits", "constant_key", lambda x: jax.random.bits(jax.random.key(7), (3,)) + x, u32())
case("random_bits", "constant_key_large", lambda x: jax.random.bits(jax.random.key(7), (1500,))[-3:] + x, u32())
case("random_bits", "empty_symbolic", lambda x: jax.random.bits(jax.random.key(7), x.shape), f32(0, "B"))
case("random_bits", "symbolic", lambda x: jax.random.bits(jax.random.key(7), x.shape), f32("B", 3))
case("random_split", "shape", lambda k: [jax.random.bits(s) for s in jax.random.split(k, (2, 2)).reshape(-1)], key(5))
case(
    "random_split",
    "batch",
    lambda k: jax.random.key_data(jax.vmap(lambda v: jax.random.split(v, 3))(jax.random.split(k, 2))),
    key(5),
)
case(
    "random_fold_in",
    "argument",
    lambda k, i: jax.random.key_data(jax.random.fold_in(k, i)),
    key(7),
    i32().between(-9, -1),
)
case(
    "random_fold_in",
    "batch",
    lambda k, i: jax.random.key_data(jax.vmap(jax.random.fold_in, (None, 0))(k, i)),
    key(7),
    i32(5),
)
for dtype, number in [
    ("int8", -3),
    ("uint8", 200),
    ("int16", -3),
    ("int32", -3),
    ("uint32", 4000000000),
    ("int64", -3),
    ("int64", 1 << 40),
    ("uint64", (1 << 63) + 5),
]:
    case(
        "random_seed",
        f"{dtype}_{number}".replace("-", "minus"),
        lambda s: jax.random.key_data(jax.random.key(s)),
        arr(number, dtype),
        x64=True,
    )
case("random_seed", "batch", lambda s: jax.random.key_data(jax.vmap(jax.random.key)(s)), i32(3))
case("random_seed", "literal", lambda: jax.random.key_data(jax.random.key(-5)))
case("random_clone", "same", lambda k: jax.random.key_data(jax.random.clone(k)), key(5))
case(
    "random", "keys_in_arrays", lambda k: jax.random.key_data(jax.random.split(k, 6).reshape(2, 3)[::-1].T[1:]), key(5)
)
case(
    "random",
    "choice_of_keys",
    lambda k, p: jax.random.key_data(jnp.where(p, jax.random.split(k, 3), k)),
    key(5),
    arr([True, False, True], "bool"),
)
case("rbg", "bits", lambda s: jax.random.bits(jax.random.key(s, impl="rbg"), (7,)), i32())
case("rbg", "bits_u8", lambda s: jax.random.bits(jax.random.key(s, impl="rbg"), (7,), "uint8"), i32())
case("rbg", "bits_u64", lambda s: jax.random.bits(jax.random.key(s, impl="rbg"), (5,), "uint64"), i32(), x64=True)
case("rbg", "split", lambda s: jax.random.key_data(jax.random.split(jax.random.key(s, impl="rbg"), 3)), i32())
case("rbg", "fold_in", lambda s: jax.random.key_data(jax.random.fold_in(jax.random.key(s, impl="rbg"), 9)), i32())
case(
    "rbg",
    "batch",
    lambda s: jax.vmap(lambda k: jax.random.bits(k, (3,)))(jax.random.split(jax.random.key(s, impl="rbg"), 2)),
    i32(),
)
unsafe = lambda s: jax.random.key(s, impl="unsafe_rbg")
numbers = arr([[3, 0, 7], [1, 2, -4]], "int32")
case(
    "unsafe_rbg",
    "fold_in_of_rows",
    lambda s, n: jax.random.key_data(jax.vmap(jax.vmap(lambda i: jax.random.fold_in(unsafe(s), i)))(n)),
    i32(),
    numbers,
)
case(
    "unsafe_rbg",
    "fold_in_of_each",
    lambda s, n: jax.random.key_data(jax.vmap(jax.random.fold_in)(jax.random.split(unsafe(s), 2), n)),
    i32(),
    arr([5, 6], "int32"),
)
case("unsafe_rbg", "gamma", lambda s, a: jax.random.gamma(unsafe(s), a, (3, 2)), i32(), arr([0.4, 3.0]))
case(
    "unsafe_rbg",
    "gamma_of_each",
    lambda s, a: jax.vmap(lambda k, a: jax.random.loggamma(k, a, (3,)))(jax.random.split(unsafe(s), 2), a),
    i32(),
    arr([0.4, 3.0]),
)
case("unsafe_rbg", "bits", lambda s: jax.random.bits(jax.random.key(s, impl="unsafe_rbg"), (7,)), i32())
case(
    "unsafe_rbg",
    "split",
    lambda s: jax.random.key_data(jax.random.split(jax.random.key(s, impl="unsafe_rbg"), 3)),
    i32(),
)
case(
    "unsafe_rbg",
    "fold_in",
    lambda s: jax.random.key_data(jax.random.fold_in(jax.random.key(s, impl="unsafe_rbg"), 9)),
    i32(),
)
case(
    "threefry2x32",
    "broadcast",
    lambda a, b: threefry2x32_p.bind(a, a[:1] + jnp.zeros_like(a), b, b * 3),
    u32(4),
    u32(4),
)
for name in ["RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX"]:
    for shape in [(), (7,), (3, 4), (3, 5)]:
        case(
            "rng_bit_generator",
            f"{name}_{len(shape)}_{sum(shape)}",
            lambda k, shape=shape, name=name: jax.lax.rng_bit_generator(
                k, shape, algorithm=getattr(jax.lax.RandomAlgorithm, name)
            ),
            arr([4294967295, 2, 4294967294, 4294967295], "uint32"),
        )
case("iota_2x32_shape", "matrix", lambda: iota_2x32_shape_p.bind(shape=(3, 4)))
shapes = [0.01, 0.3, 0.99, 1, 1.5, 3, 10, 1000, 0, -0.5, float("nan"), float("inf")]
for dtype in ["float16", "bfloat16", "float32", "float64"]:
    case("random_gamma", dtype, jax.random.gamma, key(3), arr(shapes, dtype), x64=dtype == "float64")
    case("random_gamma", f"log_{dtype}", jax.random.loggamma, key(4), arr(shapes, dtype), x64=dtype == "float64")
case("random_gamma", "scalar", lambda k: jax.random.gamma(k, 2.5), key(6))
case("random_gamma", "of_nothing", lambda k: jax.random.gamma(k, 2.5, (0,)), key(6))
case(
    "random_gamma", "keys", lambda k: jax.vmap(lambda q: jax.random.gamma(q, 0.5, (3,)))(jax.random.split(k, 4)), key(6)
)
case("random_gamma", "rbg", lambda s: jax.random.gamma(jax.random.key(s, impl="rbg"), 1.2, (20,)), i32())
case("random_gamma", "symbolic", jax.random.gamma, key(7), f32("B", 2).between(0.5, 3))
case("random_gamma", "dirichlet", lambda k: jax.random.dirichlet(k, jnp.array([0.5, 2, 3])), key(8))


# The key implementations of JAX 0.11, and their ciphers.
def cipher(name, *words):
    """The results of a cipher of jax._src.random."""
    return getattr(importlib.import_module(f"jax._src.random.{name}"), f"{name}_p").bind(*words)


for impl, count in [("threefry4x32", 8), ("philox2x32", 3), ("philox4x32", 6)]:

    def seeded(seed, impl=impl):
        return jax.random.key(seed, impl=impl)

    word = u32(2, 3).between(0, (1 << 32) - 1)
    case(impl, "words", lambda *words, impl=impl: cipher(impl, *words), *[word] * count, jax=NEWEST)
    case(
        impl,
        "broadcast",
        lambda *words, impl=impl: cipher(impl, *words),
        *[u32().between(0, (1 << 32) - 1)] * (count - 1),
        word,
        jax=NEWEST,
    )
    for dtype in ["int8", "int32", "int64"]:
        case(
            "random_seed",
            f"{impl}_{dtype}",
            lambda s, key=seeded: jax.vmap(key)(s),
            edges(dtype),
            x64=dtype == "int64",
            jax=NEWEST,
        )
    for dtype in ["uint8", "uint16", "uint32", "uint64"]:
        case(
            "random_bits",
            f"{impl}_{dtype}",
            lambda s, key=seeded, dtype=dtype: jax.random.bits(key(s), (3, 2), dtype),
            i32(),
            x64=dtype == "uint64",
            jax=NEWEST,
        )
    case("random_split", impl, lambda s, key=seeded: jax.random.split(key(s), (2, 3)), i32(), jax=NEWEST)
    case(
        "random_fold_in",
        impl,
        lambda s, key=seeded: jax.vmap(jax.random.fold_in)(jax.random.split(key(s), 4), jnp.arange(-1, 3)),
        i32(),
        jax=NEWEST,
    )
    case("random_unwrap", impl, lambda s, key=seeded: jax.random.key_data(key(s)), i32(), jax=NEWEST)
    case(
        "random_wrap",
        impl,
        lambda words, impl=impl: jax.random.normal(jax.random.wrap_key_data(words, impl=impl), (3,)),
        u32({"threefry4x32": 4, "philox2x32": 1, "philox4x32": 2}[impl]),
        jax=NEWEST,
    )
    case("random_gamma", impl, lambda s, key=seeded: jax.random.gamma(key(s), 1.2, (3,)), i32(), jax=NEWEST)
