# SPDX-License-Identifier: Apache-2.0
"""Primitives that only older versions of JAX print."""

import jax
from jax import lax
from jax._src.lax.control_flow.for_loop import for_loop

from table import arr, case, f32

JAX_VERSION = "0.4.30"


def double(i, ref):
    ref[i] = ref[i] * 2


def running_sum(i, refs):
    x, total = refs
    total[()] = total[()] + x[i]
    x[i] = total[()]


case("for", "each", lambda x: for_loop(4, double, x), f32(4))
case("for", "two_references", lambda x, t: for_loop(4, running_sum, (x, t)), f32(4), f32())
case("for", "reverse", lambda x, t: for_loop(4, running_sum, (x, t), reverse=True), f32(4), f32())
case("random_gamma_grad", "f32", lax.random_gamma_grad, f32(5).between(0.5, 4), f32(5).between(0.1, 6), atol=1e-4)
for name in ("igamma", "igammac"):
    case(
        name,
        "outside",
        lambda a, x, f=getattr(lax, name): f(a[:, None], x[:, None]),
        arr([0, 0, 2, -1, 3]),
        arr([0, 2, 0, 1, float("inf")]),
    )
case(
    "xla_pmap",
    "axes",
    lambda x, y: jax.pmap(lambda a, b: a + lax.psum(b, "i"), axis_name="i", in_axes=(0, 1), out_axes=1)(x, y),
    f32(4, 3),
    f32(3, 4),
    eager=True,
)
