# SPDX-License-Identifier: Apache-2.0
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from table import NEWEST, arr, case, edges, f32, spec

for name, low, high in [
    ("erf", -3, 3),
    ("erfc", -3, 3),
    ("erf_inv", -0.95, 0.95),
    ("lgamma", 0.2, 8),
    ("digamma", 0.2, 8),
    ("bessel_i0e", -4, 4),
    ("bessel_i1e", -4, 4),
]:
    for dtype in ["float32", "bfloat16"]:
        case(name, dtype, getattr(lax, name), spec(dtype, (3, 4), low, high))
    case(name, "float64", getattr(lax, name), spec("float64", (3, 4), low, high), x64=True)
case("lgamma", "negative", lax.lgamma, f32(8).between(-5.4, -0.1), rtol=1e-3, atol=1e-3)
case("erf", "edges", lax.erf, edges("float32"))
case("erfc", "edges", lax.erfc, edges("float32"))
case("igamma", "f32", lax.igamma, f32(5).between(0.5, 4), f32(5).between(0.1, 6), atol=1e-4)
case("igammac", "f32", lax.igammac, f32(5).between(0.5, 4), f32(5).between(0.1, 6), atol=1e-4)
case(
    "regularized_incomplete_beta",
    "f32",
    lax.betainc,
    f32(5).between(0.5, 3),
    f32(5).between(0.5, 3),
    f32(5).between(0.1, 0.9),
    atol=1e-4,
)
case("zeta", "f32", lax.zeta, f32(5).between(1.5, 5), f32(5).between(0.5, 3), rtol=1e-3)
case("polygamma", "f32", lax.polygamma, f32(5).between(1, 3), f32(5).between(0.5, 3), rtol=1e-3, atol=1e-3)
case("logsumexp", "scipy", lambda x: jax.scipy.special.logsumexp(x, axis=1), f32(3, 4))
case("xlogy", "scipy", jax.scipy.special.xlogy, f32(4).between(0, 2), f32(4).between(0.1, 2))
case("igamma_grad_a", "f32", lax.igamma_grad_a, f32(5).between(0.5, 4), f32(5).between(0.1, 6), atol=1e-4)

numbers = [-2.5, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, float("inf"), float("-inf"), float("nan")]
case("zeta", "edges", lax.zeta, arr(np.repeat(numbers, 14)), arr(np.tile(numbers, 14)))
case(
    "lgamma",
    "largest",
    lax.lgamma,
    arr([-1.7976931348623157e308, 1.7976931348623157e308, 2.5e305], "float64"),
    x64=True,
)

# JAX 0.11.2 and newer have poles at both signed zeros.
for dtype in ["float32", "float64", "float16", "bfloat16"]:
    case(
        "digamma", f"poles_{dtype}", lambda x: jnp.log2(x) * 0 + lax.digamma(x), arr([0.0, -0.0, -1, 0.5], dtype),
        x64=dtype == "float64", jax=NEWEST,
    )  # fmt: skip
case("polygamma", "poles", lambda x: lax.polygamma(jnp.zeros_like(x), x), arr([0.0, -0.0, -1, 0.5]), jax=NEWEST)
