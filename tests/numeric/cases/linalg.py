# SPDX-License-Identifier: Apache-2.0
"""Decompositions and solves."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax.linalg import geqp3 as linalg_geqp3
from jax._src.lax.linalg import geqrf as linalg_geqrf

from table import arr, c64, c128, case, f32, f64, given


# Solves.
def positive(x):
    return x @ x.T + 2 * jnp.eye(x.shape[0])


case("cholesky", "n3", lambda x: jnp.linalg.cholesky(positive(x)), f32(3, 3))
case(
    "triangular_solve",
    "lower",
    lambda a, b: jax.scipy.linalg.solve_triangular(jnp.tril(a) + 3 * jnp.eye(3), b, lower=True),
    f32(3, 3),
    f32(3, 2),
)
case(
    "triangular_solve",
    "upper_transposed",
    lambda a, b: jax.scipy.linalg.solve_triangular(jnp.triu(a) + 3 * jnp.eye(3), b, trans=1),
    f32(3, 3),
    f32(3, 2),
)
case(
    "triangular_solve",
    "right_side",
    lambda a, b: lax.linalg.triangular_solve(jnp.tril(a) + 3 * jnp.eye(3), b, left_side=False, lower=True),
    f32(3, 3),
    f32(2, 3),
)
for lower in (False, True):
    odd_diagonal = lambda a, b, d, unit, lower=lower: jax.scipy.linalg.solve_triangular(
        jnp.where(jnp.eye(6, dtype=bool), d, a), b, lower=lower, unit_diagonal=unit
    )
    name = "lower" if lower else "upper"
    nan_diagonal = lambda a, b, f=odd_diagonal: f(a, b, jnp.nan, True)
    case("triangular_solve", f"{name}_unit_diagonal_not_read", nan_diagonal, f32(6, 6), f32(6, 2), rtol=1e-3, atol=1e-3)
    infinite = lambda a, b, f=odd_diagonal: f(a, b, jnp.where(jnp.arange(6) == 2, jnp.inf, 3), False)
    case("triangular_solve", f"{name}_infinite_diagonal", infinite, f32(6, 6), f32(6, 2), rtol=1e-3, atol=1e-3)
several = arr(
    [[[4, 1, 2], [1, 5, 3], [2, 3, 6]], [[1, 0, 0], [0, -1, 0], [0, 0, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 1]]]
)
case("cholesky", "batch_not_definite", jnp.linalg.cholesky, several)
case("cholesky", "nine_rows", lambda x: jnp.linalg.cholesky(positive(x)), f32(9, 9), rtol=1e-4, atol=1e-4)
for n in (19, 47, 73):  # rows one by one, in a few blocks, in a Loop over blocks
    more = lambda x: jnp.linalg.cholesky(positive(x) + 9 * jnp.eye(x.shape[0]))
    case("cholesky", f"rows_{n}", more, f32(n, n), rtol=1e-3, atol=1e-3)
case("cholesky", "blocks_not_definite", lambda x: jnp.linalg.cholesky(jnp.eye(50).at[9, 9].set(x)), arr(-1.0))
case("cholesky", "last_zero", lambda x: jnp.linalg.cholesky(jnp.eye(5).at[4, 4].set(x)), arr(0.0))
case("cholesky", "double", lambda x: jnp.linalg.cholesky(positive(x)), f64(9, 9), x64=True)
seventeen_rows = lambda x: jnp.linalg.cholesky(x @ jnp.swapaxes(x, 1, 2) + 9 * jnp.eye(17))
case("cholesky", "batch_of_17_rows", seventeen_rows, f32(3, 17, 17), rtol=1e-3, atol=1e-3)
below = lambda x: lax.linalg.cholesky(x, symmetrize_input=False)
case("cholesky", "lower_only", below, arr([[4, 9, 9], [1, 5, 9], [2, 3, 6]]))
lower_only = arr([[[4, 9, 9], [1, 5, 9], [2, 3, 6]], [[1, 9, 9], [0, 1, 9], [0, 0, 1]]])
case("cholesky", "batch_lower_only", below, lower_only)


def solved(lower, unit, n, change=lambda a, b: (a, b)):
    """A triangular solve whose matrix is well-conditioned before the change; its other triangle is NaN."""

    def solve(b):
        kept = jnp.tril(jnp.ones((n, n), bool)) if lower else jnp.triu(jnp.ones((n, n), bool))
        a = 0.1 * jnp.sin(7.0 * jnp.arange(n)[:, None] + 3.0 * jnp.arange(n)) + 2 * jnp.eye(n)
        a, b = change(jnp.where(kept, a, jnp.nan), b)
        return lax.linalg.triangular_solve(a, b, left_side=True, lower=lower, unit_diagonal=unit)

    return solve


# Rows that are solved before the one with a NaN or an infinity stay finite.
bad = lambda a, b: (a, b.at[7, 0].set(jnp.nan).at[16, 1].set(jnp.inf))
singular = lambda a, b: (a.at[5, 5].set(0), jnp.abs(b))
batch = lambda a, b: (jnp.stack([a, a + 0.1, a]), b)
for lower in (False, True):
    name, close = "lower" if lower else "upper", {"rtol": 1e-3, "atol": 1e-3}
    for n, width in ((20, 1), (19, 110), (73, 3)):  # rows one by one, in blocks, in a Loop over blocks
        case("triangular_solve", f"{name}_{n}_by_{width}", solved(lower, False, n), f32(n, width), **close)
    case("triangular_solve", f"{name}_unit_blocks", solved(lower, True, 21), f32(21, 100), **close)
    case("triangular_solve", f"{name}_batch_of_17_rows", solved(lower, False, 17, batch), f32(3, 17, 2), **close)
    case("triangular_solve", f"{name}_symbolic_columns", solved(lower, False, 12), f32(12, "B"), **close)
    case("triangular_solve", f"{name}_not_finite", solved(lower, False, 24, bad), f32(24, 3), **close)
    case("triangular_solve", f"{name}_not_finite_blocks", solved(lower, False, 24, bad), f32(24, 90), **close)
    case("triangular_solve", f"{name}_zero_diagonal", solved(lower, False, 12, singular), f32(12, 1), **close)
case("cholesky", "symbolic", lambda x: lax.linalg.cholesky(positive(x)), f32("B", "B"), rtol=1e-4, atol=1e-4)
case(
    "triangular_solve",
    "batch_symbolic",
    lambda a, b: lax.linalg.triangular_solve(jnp.tril(a) + 3 * jnp.eye(4), b, left_side=True, lower=True),
    f32("B", 4, 4),
    f32("B", 4, 2),
)
case("lu", "batch_exchanged", lax.linalg.lu, f32(5, 4, 4))
case("lu", "batch_wide", lax.linalg.lu, f32(2, 2, 3, 5))
case("lu", "batch_tall", lax.linalg.lu, f32(2, 5, 3))
case("lu", "batch_symbolic", lax.linalg.lu, f32("B", 3, 3))
case(
    "lu",
    "batch_singular",
    lax.linalg.lu,
    arr([[[0, 0, 0], [0, 2, 1], [0, 4, 1]], [[1, 1, 1], [1, 1, 1], [2, 1, -1]], [[0, 0, 0]] * 3]),
)
case("lu", "nine_rows", lambda a, b: jnp.linalg.solve(positive(a), b), f32(9, 9), f32(9), rtol=1e-3, atol=1e-3)
case("lu", "solve", lambda a, b: jnp.linalg.solve(positive(a), b), f32(3, 3), f32(3))
case("lu", "two_by_two", lax.linalg.lu, f32(2, 2))
case("lu", "det", lambda a: jnp.linalg.det(a), f32(4, 4))
case("lu", "inverse", lambda a: jnp.linalg.inv(positive(a)), f32(3, 3))
case("qr", "reconstruct", lambda a: (lambda q, r: q @ r)(*jnp.linalg.qr(a)), f32(4, 3), atol=1e-4)
case("norm", "frobenius", lambda a: jnp.linalg.norm(a), f32(4, 3))
case("matrix_power", "three", lambda a: jnp.linalg.matrix_power(a, 3), f32(3, 3))

# Decompositions.
linalg = lax.linalg


def rebuilt_from_eigh(a, **options):
    """The matrix rebuilt from its eigenvectors, and the eigenvalues, neither of which depends on the vectors' signs."""
    v, w = linalg.eigh(a, symmetrize_input=False, **options)
    return (v * w[..., None, :]) @ jnp.conj(jnp.swapaxes(v, -1, -2)), w


def rebuilt_from_svd(a, full_matrices):
    """The matrix rebuilt from its factors, s, and the products that show that the vectors are orthonormal."""
    u, s, v = linalg.svd(a, full_matrices=full_matrices)
    adjoint = lambda x: jnp.conj(jnp.swapaxes(x, -1, -2))
    k = s.shape[-1]
    return (u[..., :k] * s[..., None, :]) @ v[..., :k, :], s, adjoint(u) @ u, v @ adjoint(v)


rank_two = given(np.outer([1.0, 2, 3, 4], [1, -1, 2]) + np.outer([1.0, 0, 1, 0], [0, 3, 1]))
clustered = arr([[2, 0, 0, 0], [0, 2, 1e-9, 0], [0, 1e-9, 2, 0], [0, 0, 0, -5]], "float64")

for name, maker in {"f32": f32, "f64": f64, "c64": c64, "c128": c128}.items():
    options = {"x64": name in ("f64", "c128"), "atol": 1e-5 if name in ("f32", "c64") else None}
    case("eigh", f"{name}_batch", rebuilt_from_eigh, maker(2, 4, 4), **options)
    case("eigh", f"{name}_upper_odd", lambda a: rebuilt_from_eigh(a, lower=False), maker(5, 5), **options)
    case("svd", f"{name}_tall_full", lambda a: rebuilt_from_svd(a, True), maker(5, 3), **options)
    case("svd", f"{name}_wide_thin", lambda a: rebuilt_from_svd(a, False), maker(2, 3, 4), **options)
case("eigh", "values", lambda a: jnp.linalg.eigvalsh(a + a.T), f32(3, 3), atol=1e-4)
close = [[1, 1, 1], [2, 1, 2], [1, 3, 3], [0, 0, 0], [-1, 0, -1], [1e-30, 2e-30, 0], [3e37, -3e37, 1e37]]
case("eigh", "values_close", jnp.linalg.eigvalsh, arr([np.diag(d) for d in close]))
case(
    "eigh", "values_upper", lambda a: linalg.eigh(a, lower=False, symmetrize_input=False)[1], f32(2, 6, 3, 3), atol=1e-5
)
case(
    "eigh",
    "values_nan",
    jnp.linalg.eigvalsh,
    arr(
        [
            [[1, 2, 3], [2, np.nan, 4], [3, 4, 5]],
            [[np.inf, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[1, 0, 0], [0, 2, 0], [0, 0, 3]],
        ]
    ),
)
case("eigh", "values_symbolic", lambda a: jnp.linalg.eigvalsh(a), f32("B", 3, 3), atol=1e-5)
case("eigh", "one_by_one", linalg.eigh, f32(1, 1))
case("eigh", "empty", linalg.eigh, f32(2, 0, 0))
case("eigh", "clustered", rebuilt_from_eigh, clustered, x64=True)
case("eigh", "zero", lambda a: linalg.eigh(a)[1], arr(np.zeros((3, 3))))
case("eigh", "nan", linalg.eigh, arr([[1, 2, 3], [2, np.nan, 4], [3, 4, 5]]))
case("eigh", "huge", rebuilt_from_eigh, given(np.array([[1e200, 3e200], [3e200, -2e200]])), x64=True)
case("eigh", "symbolic_batch", rebuilt_from_eigh, f32("B", 3, 3), atol=1e-5)
case("eigh", "symbolic_extent", rebuilt_from_eigh, f32("B", "B"), atol=1e-5)
case("eigh", "two_by_two_vectors", lambda a: abs(linalg.eigh(a)[0]), f32(2, 2), atol=1e-5)
case("eigh", "gradient", jax.grad(lambda a: jnp.sum(jnp.linalg.eigh(a)[0] ** 3)), f32(3, 3), atol=1e-3)
case("svd", "values", lambda a: jnp.linalg.svd(a, compute_uv=False), f32(4, 3), atol=1e-4)
case("svd", "rank_two", lambda a: rebuilt_from_svd(a, True), rank_two, x64=True)
case("svd", "zero", lambda a: rebuilt_from_svd(a, True), arr(np.zeros((3, 2))))
case("svd", "empty_full", lambda a: linalg.svd(a), f32(0, 3))
case("svd", "nan", lambda a: linalg.svd(a), arr([[1, 2], [2, np.nan]]))
case(
    "svd", "tiny", lambda a: linalg.svd(a, compute_uv=False), given(np.array([[1e-300, 2e-300], [0, 3e-300]])), x64=True
)
case(
    "svd",
    "graded",
    lambda a: linalg.svd(a, compute_uv=False),
    given(np.diag([1, 1e-8, 1e-14]) @ np.ones((3, 3)) + np.diag([1, 1e-9, 1e-15])),
    x64=True,
)
case("svd", "symbolic_batch", lambda a: rebuilt_from_svd(a, False), f32("B", 3, 2), atol=1e-5)
case("svd", "symbolic_rows", lambda a: linalg.svd(a, compute_uv=False), f32("C", 5), atol=1e-5)
case("svd", "symbolic_full", lambda a: rebuilt_from_svd(a, True), f32("C", 5), atol=1e-5)
case("svd", "pinv", jnp.linalg.pinv, f32(4, 3), atol=1e-5)
case("svd", "pinv_c64_rank_two", lambda a, b: jnp.linalg.pinv(a @ b), c64(4, 2), c64(2, 3), atol=1e-4)
for number in [0, 1]:
    case("svd", f"full_matrices_{number}", lambda a, n=number: rebuilt_from_svd(a, n), f32(4, 3), atol=1e-5)
case("svd", "least_squares", lambda a, b: jnp.linalg.lstsq(a, b)[:3], f32(5, 3), f32(5, 2), atol=1e-4)
case("svd", "rank", jnp.linalg.matrix_rank, rank_two, x64=True)

for name, maker in {"f32": f32, "f64": f64, "c64": c64, "c128": c128}.items():
    options = {"x64": name in ("f64", "c128")}
    case("hessenberg", f"{name}_batch", linalg.hessenberg, maker(2, 4, 4), **options)
    case("tridiagonal", f"{name}_lower", linalg.tridiagonal, maker(2, 4, 4), **options)
    case("tridiagonal", f"{name}_upper", lambda a: linalg.tridiagonal(a, lower=False), maker(4, 4), **options)
    case(
        "tridiagonal_solve",
        f"{name}_batch",
        linalg.tridiagonal_solve,
        maker(2, 4),
        maker(2, 4),
        maker(2, 4),
        maker(2, 4, 2),
        **options,
        rtol=1e-3 if name[1:] in ("32", "64") else None,
    )
case("hessenberg", "zero", linalg.hessenberg, arr(np.zeros((3, 3))))
case("hessenberg", "one_by_one", linalg.hessenberg, f32(2, 1, 1))
case("hessenberg", "symbolic", linalg.hessenberg, f32("B", 3, 3))
case("tridiagonal", "one_by_one", linalg.tridiagonal, f32(1, 1))
case("tridiagonal_solve", "one_row", linalg.tridiagonal_solve, f32(1), f32(1), f32(1), f32(1, 2))
may_be_empty = {"sizes": ({"B": 1, "N": 1}, {"B": 3, "N": 4})}  # the extents of what follows element 0
dominant = lambda lower, d, u, b: linalg.tridiagonal_solve(lower, d + 4, u, b)
case("tridiagonal_solve", "symbolic_rows", dominant, f32("N"), f32("N"), f32("N"), f32("N", 2), **may_be_empty)
case(
    "tridiagonal_solve",
    "batch_may_be_empty",
    lambda lower, d, u, b: dominant(lower[1:], d[1:], u[1:], b[1:]),
    *[f32("B", 3)] * 3,
    f32("B", 3, 2),
    **may_be_empty,
)
case("eig", "batch_may_be_empty", lambda a: jnp.linalg.eigvals(jnp.triu(a[1:])), f32("B", 3, 3), **may_be_empty)
case(
    "tridiagonal_solve",
    "unused_corners",
    linalg.tridiagonal_solve,
    arr([np.nan, 1, 1]),
    arr([1, 3, 4]),
    arr([1, 2, np.nan]),
    f32(3, 1),
)
case(
    "tridiagonal_solve",
    "singular",
    linalg.tridiagonal_solve,
    arr(np.zeros((2, 3))),
    arr([[1, 0, 1], [1, 2, 1]]),
    arr(np.zeros((2, 3))),
    f32(2, 3, 1),
)
case(
    "tridiagonal_solve",
    "small_pivots",
    linalg.tridiagonal_solve,
    arr([0, 3, 5]),
    arr([1e-7, 1e-7, 0]),
    arr([2, 7, 0]),
    f32(3, 2),
)
case(
    "tridiagonal_solve",
    "symbolic",
    linalg.tridiagonal_solve,
    f32("B", "D"),
    f32("B", "D").between(4, 5),
    f32("B", "D"),
    f32("B", "D", 2),
)

for name, maker in {"f32": f32, "f64": f64, "c64": c64, "c128": c128}.items():
    options = {"x64": name in ("f64", "c128")}
    case("geqrf", f"{name}_tall", linalg_geqrf, maker(2, 4, 3), **options)
    case(
        "householder_product",
        f"{name}_thin",
        lambda a: linalg.householder_product(*linalg_geqrf(a)),
        maker(2, 4, 3),
        **options,
    )
    case("ormqr", f"{name}_left", lambda a, c: linalg.ormqr(*linalg_geqrf(a), c), maker(4, 3), maker(4, 2), **options)
    case(
        "ormqr",
        f"{name}_adjoint_right",
        lambda a, c: linalg.ormqr(*linalg_geqrf(a), c, left=False, transpose=True),
        maker(2, 4, 3),
        maker(2, 2, 4),
        **options,
    )
case("geqrf", "wide", linalg_geqrf, f32(3, 5))
case("geqrf", "column_of_zeros", linalg_geqrf, arr([[0, 1], [0, 2], [0, 3]]))
case("geqrf", "heads_of_negative_zero", linalg_geqrf, arr([[[1, 2], [0, -0.0], [0, 3]], [[-0.0, 1], [1, 0], [0, 2]]]))
case("geqp3", "tall", lambda a: linalg_geqp3(a, jnp.zeros(3, jnp.int32)), f32(4, 3))
case("geqp3", "wide", lambda a: linalg_geqp3(a, jnp.zeros(5, jnp.int32)), f64(3, 5), x64=True)
case("householder_product", "no_reflectors", linalg.householder_product, f32(3, 2), f32(0))
case("lu_pivots_to_permutation", "batch", lambda a: linalg.lu_pivots_to_permutation(linalg.lu(a)[1], 4), f32(3, 4, 4))
case(
    "lu_pivots_to_permutation",
    "longer",
    lambda p: linalg.lu_pivots_to_permutation(p, 5),
    arr([[1, 4, 2], [0, 1, 2]], "int32"),
)
case("cholesky_update", "f32", lambda r, w: linalg.cholesky_update(jnp.triu(r) + 3 * jnp.eye(3), w), f32(3, 3), f32(3))
case("cholesky_update", "zeros", linalg.cholesky_update, arr([[2, 1], [0, 0]]), arr([0, 0]))
case(
    "symmetric_product",
    "scaled",
    lambda a, c: linalg.symmetric_product(a, c + jnp.swapaxes(c, -1, -2), alpha=2.0, beta=-0.5),
    f32(2, 3, 4),
    f32(2, 3, 3),
)


def residuals(a):
    """A v - v w, u^H A - w u^H and the lengths: none depends on the scale of eigenvectors."""
    w, u, v = linalg.eig(a, compute_left_eigenvectors=True)
    adjoint = jnp.conj(jnp.swapaxes(u, -1, -2))
    return w, a @ v - v * w[..., None, :], adjoint @ a - w[..., None] * adjoint, jnp.linalg.norm(v, axis=-2)


def rebuilt_from_schur(a):
    t, z = linalg.schur(a)
    return z @ t @ jnp.conj(jnp.swapaxes(z, -1, -2)), jnp.tril(t, -2), jnp.conj(jnp.swapaxes(z, -1, -2)) @ z


for name, maker in {"f32": f32, "f64": f64, "c64": c64, "c128": c128}.items():
    options = {"x64": name in ("f64", "c128"), "atol": 1e-5 if name in ("f32", "c64") else 1e-9}
    case("eig", f"{name}_batch", residuals, maker(2, 4, 4), **options)
    case("schur", f"{name}_batch", rebuilt_from_schur, maker(2, 4, 4), **options)
values_only = {"compute_left_eigenvectors": False, "compute_right_eigenvectors": False}
case("eig", "values", lambda a: linalg.eig(a, **values_only), f32(5, 5), atol=1e-5)
case("eig", "one_by_one", linalg.eig, f32(2, 1, 1))
case("eig", "empty", linalg.eig, f32(2, 0, 0))
case("eig", "rotation", lambda a: linalg.eig(a, **values_only), arr([[0, -1], [1, 0]]))
case(
    "eig",
    "triangular",
    lambda a: linalg.eig(a, compute_left_eigenvectors=False),
    arr([[1, 2, 3], [0, 4, 5], [0, 0, 6]]),
)
case("eig", "jordan_block", lambda a: linalg.eig(a, **values_only), arr([[2, 1, 0], [0, 2, 1], [0, 0, 2]]))
case(
    "eig",
    "needs_other_shifts",
    lambda a: jnp.sort(linalg.eig(a, **values_only)[0].real),
    arr([[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    atol=1e-5,
)
case(
    "eig",
    "badly_scaled",
    lambda a: linalg.eig(a, **values_only),
    given(np.array([[1, 1e8, 2], [3e-8, 2, 1e-7], [4, 1e8, -1]])),
    x64=True,
)
case("eig", "zero", linalg.eig, arr(np.zeros((3, 3))))
case("eig", "nilpotent", linalg.eig, arr([[0, 1], [0, 0]]))
case("eig", "nan", lambda a: linalg.eig(a, **values_only), arr([[1, np.nan, 0], [1, 2, 3], [4, 5, 6]]))
case("eig", "roots", lambda p: jnp.roots(p, strip_zeros=False), arr([1, -6, 11, -6], "float64"), x64=True)
case("eig", "symbolic_batch", lambda a: linalg.eig(a, **values_only), f32("B", 2, 2), atol=1e-5)
case(
    "schur",
    "form_only",
    lambda a: linalg.schur(a, compute_schur_vectors=False),
    arr([[1, 2], [3, 4]], "float64"),
    x64=True,
)
case("schur", "one_by_one", linalg.schur, f32(1, 1))
case("schur", "symbolic_batch", rebuilt_from_schur, f32("B", 3, 3), atol=1e-5)

# Closed forms of 1 by 1 and 2 by 2 matrices.
two_by_two = [
    [[1, 2], [3, 4]], [[4, 2], [3, 1]], [[1, -2], [3, 1]], [[1, 0], [5, 2]], [[1, 5], [0, 2]], [[1e-20, 0], [1, 1]],
    [[0, 1], [-1, 0]], [[0, 0], [0, 0]], [[2, 1], [1, 2]], [[3e-9, 1e-9], [2e-9, 1e-9]], [[np.nan, 1], [2, 3]],
    [[1, np.inf], [2, 3]], [[-5, 1], [1, 2]], [[2, 0], [0, 1]], [[1, 1e9], [1e-9, 3]],
]  # fmt: skip
finite_hermitian = [m for m in two_by_two[:-1] if np.isfinite(m).all()]
for name in ("float32", "float64", "complex64", "complex128"):
    wide, is_complex = name in ("float64", "complex128"), "complex" in name
    turn = np.array([[1, 1j], [1 - 1j, -1]]) if is_complex else 1
    with np.errstate(invalid="ignore"):
        matrices = arr(np.array(two_by_two) * turn, name)
    case("eig", f"{name}_two_by_two", lambda a: jnp.linalg.eigvals(a), matrices, x64=wide)
    case(
        "eig",
        f"{name}_one_by_one",
        lambda a: linalg.eig(a),
        arr([[[2]], [[-0.0]], [[np.nan]], [[np.inf]]], name),
        x64=wide,
    )
    symmetric = np.array(finite_hermitian) * (np.array([[1, 1j], [1j, 1]]) if is_complex else 1)
    for lower in (True, False):
        case(
            "eigh",
            f"{name}_two_by_two_{'lower' if lower else 'upper'}",
            lambda a, lower=lower: rebuilt_from_eigh(a, lower=lower),
            arr(symmetric, name),
            x64=wide,
            atol=1e-5 if not wide else None,
        )
    case("eigh", f"{name}_one_by_one", linalg.eigh, arr([[[2]], [[-3]], [[np.nan]], [[np.inf]]], name), x64=wide)
    case("svd", f"{name}_two_by_two_values", lambda a: linalg.svd(a, compute_uv=False), matrices, x64=wide)
    case(
        "svd",
        f"{name}_one_by_one_values",
        lambda a: linalg.svd(a, compute_uv=False),
        arr([[[2]], [[-3]], [[0]]], name),
        x64=wide,
    )
    thin = np.array([[[1, 2], [3, 4], [5, 6]], [[1, 2], [2, 4], [3, 6]], [[0, 0], [0, 0], [0, 0]]]) * (
        1j if is_complex else 1
    )
    case(
        "svd",
        f"{name}_two_columns",
        lambda a: rebuilt_from_svd(a, False),
        arr(thin, name),
        x64=wide,
        atol=1e-5 if not wide else None,
    )
case(
    "eigh",
    "two_by_two_signs",
    linalg.eigh,
    arr([[[1, 2], [2, 3]], [[3, -2], [-2, 1]], [[2, 0], [0, 1]], [[-5, 1], [1, 2]]]),
)
case("eigh", "two_by_two_nan", linalg.eigh, arr([[[1, np.nan], [np.nan, 3]]]))
case("eigh", "two_by_two_symbolic", lambda a: jnp.linalg.eigvalsh(a @ jnp.swapaxes(a, 1, 2)), f32("B", 2, 2))
case("svd", "two_by_two_symbolic", lambda a: linalg.svd(a, compute_uv=False), f32("B", 2, 2))
