# SPDX-License-Identifier: Apache-2.0
import jax.numpy as jnp

from table import boolean, case, f32, i32

three = ({"B": 2, "T": 3}, {"B": 4, "T": 7})
case("symbolic", "two_dims", lambda x, y: x @ y, f32("B", 4), f32(4, "T"), sizes=three)
case("symbolic", "product", lambda x: x.reshape(-1), f32("B", "T", 2), sizes=three)
case("symbolic", "arange_product", lambda x: jnp.arange(x.shape[0] * x.shape[1]), f32("B", "T"), sizes=three)
case(
    "symbolic",
    "sum_of_dims",
    lambda x, y: jnp.concatenate([x, y]) * (x.shape[0] + y.shape[0]),
    f32("B"),
    f32("T"),
    sizes=three,
)
case(
    "symbolic",
    "mask",
    lambda x: jnp.where(jnp.arange(x.shape[1])[None, :] <= jnp.arange(x.shape[0])[:, None], x, -1e9),
    f32("B", "T"),
    sizes=three,
)
case(
    "symbolic",
    "softmax",
    lambda x: jnp.exp(x - x.max(-1, keepdims=True)) / jnp.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
    f32("B", "T"),
    sizes=three,
)
case(
    "symbolic",
    "attention",
    lambda q, k, v: jnp.einsum("bqk,bkd->bqd", jnp.tanh(jnp.einsum("bqd,bkd->bqk", q, k)), v),
    f32("B", "T", 4),
    f32("B", "T", 4),
    f32("B", "T", 4),
    sizes=three,
)
case("symbolic", "slice_off_last", lambda x: x[:-1] * x[1:], f32("B", 3))
case("symbolic", "slice_strided", lambda x: x[::2], f32("B", 3))
case("symbolic", "pad", lambda x: jnp.pad(x, ((1, 2), (0, 0))), f32("B", 3))
case("symbolic", "ones", lambda x: jnp.ones((x.shape[0], 2)), f32("B", 3))
case("symbolic", "tril", lambda x: jnp.tril(jnp.ones((x.shape[0], x.shape[0]))) @ x, f32("B", 3))
case("symbolic", "reverse", lambda x: x[::-1], f32("B", 3))
case("symbolic", "tile", lambda x: jnp.tile(x, (2, 1)), f32("B", 3))
case(
    "symbolic",
    "embedding_positions",
    lambda i: jnp.arange(20.0).reshape(10, 2)[i] + jnp.arange(i.shape[1])[None, :, None],
    i32("B", "T").between(0, 9),
    sizes=three,
)
case("symbolic", "same_dim_twice", lambda x, y: x + y, f32("B", 3), f32("B", 3))
case("symbolic", "broadcast_against", lambda x, y: x[:, None] + y[None, :], f32("B"), f32("T"), sizes=three)
case("symbolic", "mean_all", lambda x: jnp.mean(x), f32("B", "T"), sizes=three)
case("symbolic", "bool_any", lambda x: x.any(0), boolean("B", 3))
case("symbolic", "roll", lambda x: (jnp.roll(x, -1, 1), jnp.roll(x, 2, 0)), f32("B", "T"), sizes=three)
for name, extent in [("mod_of_one", lambda n: 1 % n), ("floordiv_of_one", lambda n: (1 // n) * n)]:
    case(
        "symbolic",
        name,
        lambda x, extent=extent: jnp.zeros(extent(x.shape[0]) + 1),
        f32("B"),
        sizes=({"B": 1}, {"B": 3}),
    )
case(
    "symbolic",
    "mod_of_negative",
    lambda x: jnp.zeros(((x.shape[0] - x.shape[1]) % 3 + 1, (7 - x.shape[0]) % x.shape[1] + 1)),
    f32("B", "T"),
    sizes=({"B": 2, "T": 3}, {"B": 9, "T": 4}),
)
case("symbolic", "last_of_product", lambda x: x[-1], f32("B*T", "T"), sizes=three)
case(
    "symbolic",
    "factor_of_product",
    lambda x: jnp.arange(x.reshape(-1, x.shape[1], 2).shape[0]),
    f32("2*B*T", "T"),
    sizes=three,
)
case("symbolic", "product_alone", lambda x: jnp.arange(2 * x.shape[0] + 1) + x[-1], f32("B*T"), sizes=three)
