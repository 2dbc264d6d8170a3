# SPDX-License-Identifier: Apache-2.0
"""Diffrax, Lineax and Optimistix: differential equations, linear systems, roots and minima."""

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import lineax as lx
import optimistix as optx

from table import f32, key
from zoo import filled, leaves, model


def solve(field, y0, solver, controller=dfx.ConstantStepSize(), saveat=None, adjoint=dfx.DirectAdjoint(), **options):
    return dfx.diffeqsolve(
        dfx.ODETerm(field),
        solver,
        0.0,
        1.0,
        0.1,
        y0,
        stepsize_controller=controller,
        saveat=saveat or dfx.SaveAt(t1=True),
        adjoint=adjoint,
        max_steps=64,
        **options,
    ).ys


def decay(t, y, args):
    return -0.5 * y + jnp.sin(t)


for name in ["Euler", "Heun", "Midpoint", "Tsit5", "Dopri5", "Dopri8", "Bosh3"]:

    @model(name.lower(), f32(3))
    def explicit(name=name):
        return leaves(lambda y: solve(decay, y, getattr(dfx, name)()))


@model("tsit5_adaptive", f32(3))
def adaptive():
    return leaves(lambda y: solve(decay, y, dfx.Tsit5(), dfx.PIDController(1e-3, 1e-4)))


@model("dopri5_save_steps", f32(3))
def save_steps():
    return leaves(
        lambda y: solve(decay, y, dfx.Dopri5(), dfx.PIDController(1e-3, 1e-4), dfx.SaveAt(ts=jnp.linspace(0, 1, 5)))
    )


@model("kvaerno3", f32(2))
def implicit():
    return leaves(
        lambda y: solve(
            lambda t, y, a: -jnp.stack([y[0] * 3, y[1] ** 3]), y, dfx.Kvaerno3(), dfx.PIDController(1e-3, 1e-4)
        )
    )


@model("implicit_euler", f32(2))
def implicit_euler():
    return leaves(lambda y: solve(lambda t, y, a: -2 * y, y, dfx.ImplicitEuler(root_finder=optx.Newton(1e-4, 1e-4))))


@model("neural_ode", f32("B", 2))
def neural_ode():
    net = filled(
        eqx.filter_eval_shape(lambda k: eqx.nn.MLP(2, 2, 8, 1, activation=jax.nn.softplus, key=k), jax.random.key(0))
    )
    return leaves(
        jax.vmap(lambda y: solve(lambda t, y, a: net(y), y, dfx.Tsit5(), saveat=dfx.SaveAt(ts=jnp.linspace(0, 1, 3))))
    )


@model("neural_ode_adaptive_batch", f32(3, 2))
def neural_ode_adaptive():
    net = filled(
        eqx.filter_eval_shape(lambda k: eqx.nn.MLP(2, 2, 8, 1, activation=jax.nn.softplus, key=k), jax.random.key(0))
    )
    return leaves(jax.vmap(lambda y: solve(lambda t, y, a: net(y), y, dfx.Tsit5(), dfx.PIDController(1e-3, 1e-4))))


@model("gradient_direct", f32(2))
def gradient_direct():
    return jax.grad(lambda y: solve(decay, y, dfx.Tsit5()).sum())


@model("gradient_checkpointed", f32(2))
def gradient_checkpointed():
    return jax.grad(lambda y: solve(decay, y, dfx.Tsit5(), adjoint=dfx.RecursiveCheckpointAdjoint()).sum())


@model("gradient_backsolve", f32(2))
def gradient_backsolve():
    return jax.grad(lambda y: solve(decay, y, dfx.Tsit5(), adjoint=dfx.BacksolveAdjoint()).sum())


@model("brownian_sde", f32(2), key(1))
def sde():
    def run(y, k):
        motion = dfx.VirtualBrownianTree(0, 1, tol=1e-2, shape=(2,), key=k)
        terms = dfx.MultiTerm(dfx.ODETerm(decay), dfx.ControlTerm(lambda t, y, a: 0.1 * jnp.eye(2), motion))
        return dfx.diffeqsolve(terms, dfx.Euler(), 0.0, 1.0, 0.1, y, adjoint=dfx.DirectAdjoint(), max_steps=64).ys

    return leaves(run)


@model("neural_cde", f32(6, 3))
def cde():
    net = filled(
        eqx.filter_eval_shape(lambda k: eqx.nn.MLP(4, 12, 8, 1, activation=jnp.tanh, key=k), jax.random.key(0))
    )

    def run(xs):
        ts = jnp.linspace(0, 1, 6)
        control = dfx.CubicInterpolation(ts, dfx.backward_hermite_coefficients(ts, xs))
        term = dfx.ControlTerm(lambda t, y, a: net(y).reshape(4, 3), control).to_ode()
        return dfx.diffeqsolve(
            term, dfx.Tsit5(), 0.0, 1.0, 0.1, jnp.ones(4), adjoint=dfx.DirectAdjoint(), max_steps=64
        ).ys

    return leaves(run)


@model("steady_state_event", f32(2))
def event():
    return leaves(
        lambda y: (
            dfx.diffeqsolve(
                dfx.ODETerm(lambda t, y, a: -y),
                dfx.Tsit5(),
                0.0,
                5.0,
                0.1,
                y,
                event=dfx.Event(lambda t, y, args, **kw: jnp.max(jnp.abs(y)) < 0.3),
                adjoint=dfx.DirectAdjoint(),
                max_steps=128,
            ).ys
        )
    )


@model("interpolation", f32(6), f32(4).between(0, 1))
def interpolation():
    return leaves(lambda ys, t: jax.vmap(dfx.LinearInterpolation(jnp.linspace(0, 1, 6), ys).evaluate)(t))


for name in ["LU", "QR", "CG", "GMRES", "BiCGStab", "AutoLinearSolver"]:

    @model("lineax_" + name.lower(), f32(4, 4), f32(4), rtol=2e-3, atol=1e-3)
    def linear(name=name):
        solver = (
            lx.AutoLinearSolver(well_posed=True)
            if name == "AutoLinearSolver"
            else getattr(lx, name)(*((1e-5, 1e-5) if name in ("CG", "GMRES", "BiCGStab") else ()))
        )
        tags = lx.positive_semidefinite_tag if name == "CG" else ()
        return leaves(
            lambda a, b: lx.linear_solve(lx.MatrixLinearOperator(a @ a.T + 3 * jnp.eye(4), tags), b, solver).value
        )


@model("lineax_cholesky", f32(4, 4), f32(4), rtol=2e-3)
def cholesky():
    return leaves(
        lambda a, b: (
            lx.linear_solve(
                lx.MatrixLinearOperator(a @ a.T + jnp.eye(4), lx.positive_semidefinite_tag), b, lx.Cholesky()
            ).value
        )
    )


triangle = lambda a: jnp.tril(a) + 3 * jnp.eye(a.shape[0])
positive = lambda a: a @ a.T + jnp.eye(a.shape[0])
lineax_rows = {
    "qr_tall": ((6, 4), lambda a: lx.MatrixLinearOperator(a), lambda: lx.QR()),
    "qr_wide": ((4, 6), lambda a: lx.MatrixLinearOperator(a), lambda: lx.QR()),
    "svd": ((4, 4), lambda a: lx.MatrixLinearOperator(a), lambda: lx.SVD()),
    "svd_tall": ((6, 4), lambda a: lx.MatrixLinearOperator(a), lambda: lx.SVD()),
    "svd_singular": ((4, 4), lambda a: lx.MatrixLinearOperator(a.at[3].set(a[0] + a[1])), lambda: lx.SVD(1e-4)),
    "auto_any": ((6, 4), lambda a: lx.MatrixLinearOperator(a), lambda: lx.AutoLinearSolver(well_posed=False)),
    "auto_none": ((6, 4), lambda a: lx.MatrixLinearOperator(a), lambda: lx.AutoLinearSolver(well_posed=None)),
    "auto_positive": (
        (4, 4),
        lambda a: lx.MatrixLinearOperator(positive(a), lx.positive_semidefinite_tag),
        lambda: lx.AutoLinearSolver(well_posed=True),
    ),
    "negative": (
        (4, 4),
        lambda a: lx.MatrixLinearOperator(-positive(a), lx.negative_semidefinite_tag),
        lambda: lx.Cholesky(),
    ),
    "lower": ((4, 4), lambda a: lx.MatrixLinearOperator(triangle(a), lx.lower_triangular_tag), lambda: lx.Triangular()),
    "upper": (
        (4, 4),
        lambda a: lx.MatrixLinearOperator(triangle(a).T, lx.upper_triangular_tag),
        lambda: lx.Triangular(),
    ),
    "unit_lower": (
        (4, 4),
        lambda a: lx.MatrixLinearOperator(
            jnp.tril(a, -1) + jnp.eye(4), (lx.lower_triangular_tag, lx.unit_diagonal_tag)
        ),
        lambda: lx.Triangular(),
    ),
    "diagonal": ((4, 4), lambda a: lx.DiagonalLinearOperator(jnp.diag(a).at[1].set(0)), lambda: lx.Diagonal()),
    "diagonal_well_posed": (
        (4, 4),
        lambda a: lx.DiagonalLinearOperator(jnp.diag(a)),
        lambda: lx.Diagonal(well_posed=True),
    ),
    "jacobian": (
        (4, 4),
        lambda a: lx.JacobianLinearOperator(lambda y, _: a @ jnp.tanh(y) + 5 * y, jnp.ones(4)),
        lambda: lx.LU(),
    ),
    "composed": (
        (4, 4),
        lambda a: lx.MatrixLinearOperator(positive(a)) @ lx.DiagonalLinearOperator(jnp.arange(1.0, 5)),
        lambda: lx.AutoLinearSolver(well_posed=True),
    ),
}
for name, (shape, operator, solver) in lineax_rows.items():

    @model("lineax_" + name, f32(*shape), f32(shape[0]), rtol=5e-3, atol=2e-3)
    def linear_row(operator=operator, solver=solver):
        return leaves(lambda a, b: lx.linear_solve(operator(a), b, solver()).value)


for name, axes in {"batch": (0, 0), "operators": (0, None), "vectors": (None, 0), "last_axis": (2, 1)}.items():
    for kind in ["LU", "QR", "SVD", "Cholesky"]:
        sizes = [
            (3, 4, 4) if axes[0] == 0 else (4, 4, 3) if axes[0] else (4, 4),
            (3, 4) if axes[1] == 0 else (4, 3) if axes[1] else (4,),
        ]

        @model(f"lineax_mapped_{kind.lower()}_{name}", f32(*sizes[0]), f32(*sizes[1]), rtol=5e-3, atol=2e-3)
        def linear_mapped(axes=axes, kind=kind):
            tags = lx.positive_semidefinite_tag if kind == "Cholesky" else ()
            return leaves(
                jax.vmap(
                    lambda a, b: (
                        lx.linear_solve(lx.MatrixLinearOperator(positive(a), tags), b, getattr(lx, kind)()).value
                    ),
                    axes,
                )
            )


@model("lineax_solution", f32(4, 4), f32(4), rtol=5e-3, atol=2e-3)
def solution():
    return leaves(
        lambda a, b: [
            (lambda s: (s.value, s.result._value))(lx.linear_solve(lx.MatrixLinearOperator(a), b, solver, throw=False))
            for solver in (lx.LU(), lx.QR(), lx.SVD())
        ]
    )


@model("lineax_singular", f32(4), rtol=5e-3, atol=2e-3)
def singular():
    return leaves(
        lambda b: (lambda s: s.result._value)(
            lx.linear_solve(lx.MatrixLinearOperator(jnp.diag(jnp.arange(4.0))), b, lx.LU(), throw=False)
        )
    )


for kind in ["LU", "QR", "SVD", "Cholesky", "CG"]:

    @model("lineax_gradient_" + kind.lower(), f32(4, 4), f32(4), rtol=5e-3, atol=2e-3)
    def linear_gradient(kind=kind):
        tags = lx.positive_semidefinite_tag if kind in ("Cholesky", "CG") else ()
        solver = getattr(lx, kind)(*((1e-6, 1e-6) if kind == "CG" else ()))
        return jax.grad(
            lambda a, b: (lx.linear_solve(lx.MatrixLinearOperator(positive(a), tags), b, solver).value ** 2).sum(),
            (0, 1),
        )


@model("lineax_tree", f32(3), f32(2, 2))
def tree():
    def run(x, y):
        operator = lx.DiagonalLinearOperator((jnp.arange(1.0, 4), jnp.full((2, 2), 3.0)))
        return lx.linear_solve(operator, (x, y)).value

    return leaves(run)


@model("lineax_tridiagonal", f32(4).between(2, 3), f32(3).between(-0.5, 0.5), f32(4))
def tridiagonal():
    return leaves(lambda d, e, b: lx.linear_solve(lx.TridiagonalLinearOperator(d, e, e), b, lx.Tridiagonal()).value)


@model("optimistix_newton", f32(2).between(0.5, 1))
def newton():
    return leaves(lambda y: optx.root_find(lambda y, a: y - jnp.tanh(y + 1), optx.Newton(1e-5, 1e-5), y).value)


@model("optimistix_bisection", f32())
def bisection():
    return leaves(
        lambda c: (
            optx.root_find(
                lambda y, a: y**3 + y - c, optx.Bisection(1e-5, 1e-5), 0.0, options=dict(lower=-3, upper=3)
            ).value
        )
    )


@model("optimistix_fixed_point", f32(2))
def fixed_point():
    return leaves(
        lambda y: optx.fixed_point(lambda y, a: jnp.cos(y) * 0.5, optx.FixedPointIteration(1e-5, 1e-5), y).value
    )


@model("optimistix_bfgs", f32(2), rtol=1e-2, atol=1e-2)
def bfgs():
    return leaves(
        lambda y: (
            optx.minimise(
                lambda y, a: jnp.sum((y - 1) ** 2) + jnp.sum((y[0] - y[1]) ** 2), optx.BFGS(1e-4, 1e-4), y, throw=False
            ).value
        )
    )


@model("optimistix_levenberg_marquardt", f32(2).between(0.5, 1), rtol=1e-2, atol=1e-2)
def levenberg():
    return leaves(
        lambda y: (
            optx.least_squares(
                lambda y, a: jnp.stack([y[0] - 1, 2 * (y[1] - y[0] ** 2)]),
                optx.LevenbergMarquardt(1e-4, 1e-4),
                y,
                throw=False,
            ).value
        )
    )


for name in [
    "GaussNewton",
    "Dogleg",
    "IndirectLevenbergMarquardt",
    "NonlinearCG",
    "GradientDescent",
    "Chord",
    "OptaxMinimiser",
]:

    @model("optimistix_" + name.lower(), f32(2).between(0.5, 1), rtol=1e-2, atol=1e-2)
    def optimistix_row(name=name):
        residual = lambda y, a: jnp.stack([y[0] - 1, 2 * (y[1] - y[0] ** 2)])
        if name == "OptaxMinimiser":
            import optax

            return leaves(
                lambda y: (
                    optx.minimise(
                        lambda y, a: (residual(y, a) ** 2).sum(),
                        optx.OptaxMinimiser(optax.adam(0.1), 1e-3, 1e-3),
                        y,
                        throw=False,
                    ).value
                )
            )
        solver = getattr(optx, name)(*((0.05,) if name == "GradientDescent" else ()), rtol=1e-4, atol=1e-4)
        if name == "Chord":
            return leaves(lambda y: optx.root_find(residual, solver, y, throw=False).value)
        if name in ("NonlinearCG", "GradientDescent"):
            return leaves(
                lambda y: optx.minimise(lambda y, a: (residual(y, a) ** 2).sum(), solver, y, throw=False).value
            )
        return leaves(lambda y: optx.least_squares(residual, solver, y, throw=False).value)


@model("optimistix_golden", f32(), rtol=1e-2, atol=1e-2)
def golden():
    return leaves(
        lambda c: (
            optx.minimise(
                lambda y, a: (y - c) ** 2,
                optx.GoldenSearch(1e-4, 1e-4),
                0.0,
                options=dict(lower=-3, upper=3),
                throw=False,
            ).value
        )
    )


@model("optimistix_mapped_newton", f32(5), rtol=1e-3, atol=1e-3)
def mapped_newton():
    return jax.vmap(
        lambda c: optx.root_find(lambda y, a: y**3 + y - a, optx.Newton(1e-5, 1e-5), jnp.array(0.5), args=c).value
    )


@model("optimistix_nelder_mead", f32(2), rtol=1e-2, atol=1e-2)
def nelder_mead():
    return leaves(
        lambda y: optx.minimise(lambda y, a: jnp.sum((y - 1) ** 2), optx.NelderMead(1e-3, 1e-3), y, throw=False).value
    )


@model("optimistix_gradient", f32())
def root_gradient():
    return jax.grad(
        lambda c: optx.root_find(lambda y, a: y**3 + y - a, optx.Newton(1e-5, 1e-5), jnp.array(0.5), args=c).value
    )
