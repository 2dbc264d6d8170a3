import jax
import jax.numpy as jnp

from table import case, f32, key, u32

case("random_bits", "u32", lambda k: jax.random.bits(k, (3, 5)), key(1))
case("random_bits", "odd_size", lambda k: jax.random.bits(k, (7,)), key(2))
case("random_bits", "u8", lambda k: jax.random.bits(k, (5,), "uint8"), key(3))
case("random_bits", "u16", lambda k: jax.random.bits(k, (5,), "uint16"), key(3))
case("random_bits", "scalar", lambda k: jax.random.bits(k), key(4))
case("random_seed", "argument", lambda s: jax.random.bits(jax.random.key(s), (3,)), u32())
case("random_wrap", "raw_key", lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (3,)), u32(2).between(0, 1 << 30))
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
