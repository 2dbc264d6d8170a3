import jax
import jax.numpy as jnp
from jax import lax

from table import case, f32


def positive(x):
    return x @ x.T + 2 * jnp.eye(x.shape[0])


case("cholesky", "n3", lambda x: jnp.linalg.cholesky(positive(x)), f32(3, 3))
case("triangular_solve", "lower", lambda a, b: jax.scipy.linalg.solve_triangular(jnp.tril(a) + 3 * jnp.eye(3), b, lower=True), f32(3, 3), f32(3, 2))
case("triangular_solve", "upper_transposed", lambda a, b: jax.scipy.linalg.solve_triangular(jnp.triu(a) + 3 * jnp.eye(3), b, trans=1), f32(3, 3), f32(3, 2))
case("triangular_solve", "right_side", lambda a, b: lax.linalg.triangular_solve(jnp.tril(a) + 3 * jnp.eye(3), b, left_side=False, lower=True), f32(3, 3), f32(2, 3))
case("lu", "solve", lambda a, b: jnp.linalg.solve(positive(a), b), f32(3, 3), f32(3))
case("lu", "det", lambda a: jnp.linalg.det(a), f32(4, 4))
case("lu", "inverse", lambda a: jnp.linalg.inv(positive(a)), f32(3, 3))
case("qr", "reconstruct", lambda a: (lambda q, r: q @ r)(*jnp.linalg.qr(a)), f32(4, 3), atol=1e-4)
case("norm", "frobenius", lambda a: jnp.linalg.norm(a), f32(4, 3))
case("matrix_power", "three", lambda a: jnp.linalg.matrix_power(a, 3), f32(3, 3))
