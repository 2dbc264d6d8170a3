# SPDX-License-Identifier: Apache-2.0
"""Primitives of Equinox and Lineax."""

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import lineax as lx
import optimistix
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import mlir

from table import arr, boolean, case, f32, i32


# Primitives of Equinox, bound directly.
def primitive(name, function):
    p = Primitive(name)
    p.def_impl(function)
    p.def_abstract_eval(lambda x, **_: ShapedArray((), x.dtype) if name.startswith("unvmap") else x)
    mlir.register_lowering(p, mlir.lower_fun(function, multiple_results=False))
    return p


for name, function in [("unvmap_any", jnp.any), ("unvmap_all", jnp.all)]:
    p = primitive(name, function)
    for text, argument in [
        ("matrix", boolean(2, 3)),
        ("scalar", boolean()),
        ("empty", boolean(0)),
        ("symbolic", boolean("B", 2)),
    ]:
        case(name, text, p.bind, argument)
p = primitive("unvmap_max", jnp.max)
case("unvmap_max", "int32", p.bind, i32(2, 3))
case("unvmap_max", "float32", p.bind, f32(4))
for name in ["announce_jaxpr", "nonbatchable", "nondifferentiable", "nondifferentiable_backward", "nontraceable"]:
    p = primitive(name, lambda x, **_: x)
    case(name, "is_the_value", lambda x, p=p: p.bind(x) + 1, f32(3))


# Loops and checks of Equinox, linear solves of Lineax.
def doubled(x, limit):
    """Writes 2, 4, 8, … into a buffer."""
    body = lambda c: (c[0] + 1, c[1].at[c[0]].set(c[1][c[0] - 1] * 2))
    return eqxi.while_loop(lambda c: c[0] < limit, body, (1, x), buffers=lambda c: c[1], max_steps=6, kind="lax")


checked = lambda x: eqx.error_if(x, jnp.any(x > 5), "too large") * 2
newton = optimistix.Newton(1e-5, 1e-5)
case("maybe_set", "buffer", doubled, f32(5), arr(4, "int32"))
case("vprim", "batched_limit", jax.vmap(doubled), f32(2, 5), arr([2, 4], "int32"))
case("vprim", "shared_limit", jax.vmap(doubled, (0, None)), f32(2, 5), arr(3, "int32"))
case("vprim", "shared_buffer", jax.vmap(doubled, (None, 0)), f32(5), arr([1, 5, 2], "int32"))
case("vprim", "any_batch", jax.vmap(doubled), f32("B", 5), i32("B"))
case("unvmap_any", "error_if", checked, f32(3))
case("unvmap_any", "error_if_mapped", jax.vmap(checked), f32(3))
case("select_if_vmap", "one_choice", eqxi.select_if_vmap_p.bind, arr(True, "bool"), f32(3), f32(3))
case(
    "select_if_vmap",
    "checkpointed_gradient",
    jax.grad(
        lambda x: eqxi.while_loop(
            lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x), max_steps=4, kind="checkpointed"
        )[1].sum()
    ),
    f32(2),
)
case(
    "linear_solve",
    "newton",
    lambda y: optimistix.root_find(lambda y, a: y - jnp.tanh(y + 1), newton, y, throw=False).value,
    f32(2).between(0.5, 1),
)
case(
    "linear_solve",
    "diagonal",
    jax.grad(lambda c: optimistix.root_find(lambda y, a: y**3 + y - a, newton, jnp.array(0.5), args=c).value),
    f32(),
)


def solved(matrix_of, solver, *tags):
    return lambda a, b: lx.linear_solve(lx.MatrixLinearOperator(matrix_of(a), tags), b, solver).value


plain = lambda a: a + 4 * jnp.eye(*a.shape)
triangle = lambda a: jnp.tril(a) + 3 * jnp.eye(3)
positive = lambda a: a @ a.T + jnp.eye(3)
psd = lx.positive_semidefinite_tag
rows = {
    "lu": (plain, lx.LU()),
    "qr": (plain, lx.QR()),
    "svd": (plain, lx.SVD()),
    "svd_singular": (lambda a: a.at[2].set(a[0]), lx.SVD(1e-3)),
    "cholesky": (positive, lx.Cholesky(), psd),
    "cholesky_negative": (lambda a: -positive(a), lx.Cholesky(), lx.negative_semidefinite_tag),
    "lower": (triangle, lx.Triangular(), lx.lower_triangular_tag),
    "upper": (lambda a: triangle(a).T, lx.Triangular(), lx.upper_triangular_tag),
    "unit_lower": (
        lambda a: jnp.tril(a, -1) + jnp.eye(3),
        lx.Triangular(),
        lx.lower_triangular_tag,
        lx.unit_diagonal_tag,
    ),
    "tridiagonal_matrix": (lambda a: jnp.triu(jnp.tril(plain(a), 1), -1), lx.Tridiagonal(), lx.tridiagonal_tag),
    "cg": (positive, lx.CG(1e-6, 1e-6), psd),
    "gmres": (plain, lx.GMRES(1e-6, 1e-6)),
    "auto": (plain, lx.AutoLinearSolver(well_posed=None)),
}
for name, row in rows.items():
    case("linear_solve", name, solved(*row), f32(3, 3), f32(3), rtol=1e-3, atol=1e-3)
case("linear_solve", "qr_tall", solved(lambda a: a, lx.QR()), f32(5, 3), f32(5), rtol=1e-3, atol=1e-3)
case("linear_solve", "qr_wide", solved(lambda a: a, lx.QR()), f32(3, 5), f32(3), rtol=1e-3, atol=1e-3)
case("linear_solve", "svd_tall", solved(lambda a: a, lx.SVD()), f32(5, 3), f32(5), rtol=1e-3, atol=1e-3)
case(
    "linear_solve",
    "tridiagonal",
    lambda d, e, b: lx.linear_solve(lx.TridiagonalLinearOperator(d, e, e), b, lx.Tridiagonal()).value,
    f32(4).between(2, 3),
    f32(3).between(-0.5, 0.5),
    f32(4),
)
case(
    "linear_solve",
    "tree",
    lambda x, y: lx.linear_solve(lx.DiagonalLinearOperator((jnp.arange(1.0, 4), jnp.full((2, 2), 3.0))), (x, y)).value,
    f32(3),
    f32(2, 2),
)
case(
    "linear_solve",
    "singular",
    lambda b: (
        lx.linear_solve(lx.MatrixLinearOperator(jnp.diag(jnp.arange(4.0))), b, lx.LU(), throw=False).result._value
    ),
    f32(4),
)
case(
    "linear_solve",
    "solution",
    lambda a, b: [
        (s.value, s.result._value, s.stats.get("rank", 0))
        for s in (lx.linear_solve(lx.MatrixLinearOperator(a), b, k, throw=False) for k in (lx.QR(), lx.SVD()))
    ],
    f32(3, 3),
    f32(3),
    rtol=1e-3,
    atol=1e-3,
)
case(
    "linear_solve",
    "gradient",
    jax.grad(lambda a, b: (solved(plain, lx.LU())(a, b) ** 2).sum(), (0, 1)),
    f32(3, 3),
    f32(3),
    rtol=1e-3,
    atol=1e-3,
)
case(
    "linear_solve",
    "lu_transposed",
    jax.grad(
        lambda a, b: (
            lx.linear_solve(lx.JacobianLinearOperator(lambda y, _: a @ jnp.tanh(y) + 5 * y, b), b, lx.LU()).value ** 2
        ).sum(),
        (0, 1),
    ),
    f32(3, 3),
    f32(3),
    rtol=1e-3,
    atol=1e-3,
)
for name, axes in {"batch": (0, 0), "operators": (0, None), "vectors": (None, 0), "last_axis": (2, 1)}.items():
    sizes = [
        (2, 3, 3) if axes[0] == 0 else (3, 3, 2) if axes[0] else (3, 3),
        (2, 3) if axes[1] == 0 else (3, 2) if axes[1] else (3,),
    ]
    for kind in (lx.LU(), lx.QR(), lx.SVD()):
        case(
            "linear_solve",
            f"mapped_{type(kind).__name__.lower()}_{name}",
            jax.vmap(solved(plain, kind), axes),
            f32(*sizes[0]),
            f32(*sizes[1]),
            rtol=1e-3,
            atol=1e-3,
        )
twice = lambda kind: jax.vmap(jax.vmap(solved(plain, kind), (None, 0)), (0, None))
case("linear_solve", "mapped_twice_lu", twice(lx.LU()), f32(2, 3, 3), f32(4, 3), rtol=1e-3, atol=1e-3)
case("linear_solve", "mapped_twice_svd", twice(lx.SVD()), f32(2, 3, 3), f32(4, 3), rtol=1e-3, atol=1e-3)
case("vprim", "mapped_twice", jax.vmap(jax.vmap(doubled, (0, None)), (None, 0)), f32(2, 5), arr([2, 4, 3], "int32"))

# Operators that are composed of others. CG and GMRES keep no factors, and factors of results that are not read are not
# part of the text: then the matrix is composed.
matrix, diagonal, tagged = lx.MatrixLinearOperator, lx.DiagonalLinearOperator, lx.TaggedLinearOperator
COMPOSED = {
    "negated": (lambda a, d: -matrix(plain(a)), lx.LU()),
    "negated_gmres": (lambda a, d: -matrix(plain(a)), lx.GMRES(1e-6, 1e-6)),
    "scaled": (lambda a, d: matrix(plain(a)) * (2 + d[0]) / 3.0, lx.GMRES(1e-6, 1e-6)),
    "product": (lambda a, d: matrix(plain(a)) @ diagonal(2 + d), lx.QR()),
    "sum_cg": (
        lambda a, d: tagged(matrix(positive(a)) + diagonal(d * d), lx.positive_semidefinite_tag),
        lx.CG(1e-6, 1e-6),
    ),
    "shifted_cg": (
        lambda a, d: tagged(
            matrix(positive(a)) + (1 + d[0] ** 2) * lx.IdentityLinearOperator(jax.eval_shape(lambda: d)),
            lx.positive_semidefinite_tag,
        ),
        lx.CG(1e-6, 1e-6),
    ),
    "unit_diagonal": (
        lambda a, d: matrix(jnp.eye(3), (lx.diagonal_tag, lx.unit_diagonal_tag)),
        lx.AutoLinearSolver(True),
    ),
}
for name, (composed, kind) in COMPOSED.items():
    solve = lambda a, d, b, composed=composed, kind=kind: lx.linear_solve(composed(a, d), b, kind, throw=False).value
    case("linear_solve", f"operator_{name}", solve, f32(3, 3), f32(3), f32(3), rtol=1e-3, atol=1e-3)
    if name in ("sum_cg", "shifted_cg"):
        mapped = jax.vmap(solve, (None, 0, 0))
        case("linear_solve", f"operator_{name}_mapped", mapped, f32(3, 3), f32(2, 3), f32(2, 3), rtol=1e-3, atol=1e-3)
for name, m, n in (("tall", 4, 2), ("wide", 2, 4)):
    normal = solved(plain, lx.Normal(lx.Cholesky()))
    case("linear_solve", f"normal_{name}", normal, f32(m, n), f32(m), rtol=1e-3, atol=1e-3)
    case(
        "linear_solve", f"normal_{name}_mapped", jax.vmap(normal, (0, None)), f32(2, m, n), f32(m), rtol=1e-3, atol=1e-3
    )
    by_cg = solved(plain, lx.Normal(lx.CG(1e-6, 1e-6)))
    case("linear_solve", f"normal_cg_{name}", by_cg, f32(m, n), f32(m), rtol=1e-3, atol=1e-3)
