# SPDX-License-Identifier: Apache-2.0
"""Loops of small kernels: simulations, iterations, dynamic programs, filters."""

import jax
import jax.numpy as jnp
from jax import lax

from . import Programs, integers, normal, uniform

PROGRAMS = Programs()


@PROGRAMS.add(integers(2, 16, 16))
def game_of_life(board):
    def step(_, b):
        around = sum(jnp.roll(b, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        return ((around == 3) | ((b == 1) & (around == 2))).astype(b.dtype)

    return lax.fori_loop(0, 20, step, board)


@PROGRAMS.add(normal(32, 4), normal(32))
def gradient_descent(x, y):
    gradient = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))
    return lax.fori_loop(0, 50, lambda _, w: w - 0.1 * gradient(w), jnp.zeros(4))


@PROGRAMS.add(normal(4), normal(30, 2))
def kalman_filter(x, observations):
    f = jnp.eye(4) + 0.1 * jnp.eye(4, k=2)
    h = jnp.eye(2, 4)

    def step(carry, z):
        x, p = carry
        x, p = f @ x, f @ p @ f.T + 0.01 * jnp.eye(4)
        s = h @ p @ h.T + 0.1 * jnp.eye(2)
        k = p @ h.T @ jnp.linalg.inv(s)
        x, p = x + k @ (z - h @ x), (jnp.eye(4) - k @ h) @ p
        return (x, p), x

    return lax.scan(step, (x, jnp.eye(4)), observations)[1]


@PROGRAMS.add(normal(3))
def runge_kutta_lorenz(state):
    def field(s):
        x, y, z = s
        return jnp.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])

    def step(s, _):
        k1 = field(s)
        k2 = field(s + 0.005 * k1)
        k3 = field(s + 0.005 * k2)
        k4 = field(s + 0.01 * k3)
        s = s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return s, s

    return lax.scan(step, state * 0.1 + 1.0, None, length=30)[1]


@PROGRAMS.add(integers(2, 64))
def rule_110(cells):
    rule = jnp.array([0, 1, 1, 1, 0, 1, 1, 0])

    def step(c, _):
        c = rule[4 * jnp.roll(c, 1) + 2 * c + jnp.roll(c, -1)]
        return c, c

    return lax.scan(step, cells, None, length=32)[1]


@PROGRAMS.add(uniform(3, 10, 10), normal(10, 3))
def value_iteration(p, r):
    p = p / p.sum(-1, keepdims=True)

    def step(_, v):
        return jnp.max(r + 0.9 * jnp.einsum("aij,j->ia", p, v), axis=1)

    return lax.fori_loop(0, 60, step, jnp.zeros(10))


@PROGRAMS.add(uniform(8, low=1.0, high=9.0))
def newton_square_roots(a):
    return lax.fori_loop(0, 12, lambda _, x: 0.5 * (x + a / x), a)


@PROGRAMS.add(uniform(low=2.0, high=9.0))
def newton_until_converged(a):
    def go(state):
        return jnp.abs(state * state - a) > 1e-4

    return lax.while_loop(go, lambda x: 0.5 * (x + a / x), a)


@PROGRAMS.add(normal(6, 6))
def power_iteration(a):
    def step(_, v):
        w = a @ v
        return w / jnp.linalg.norm(w)

    v = lax.fori_loop(0, 40, step, jnp.ones(6))
    return v @ a @ v


@PROGRAMS.add(normal(16, 16))
def jacobi_heat(u):
    def step(_, u):
        inner = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        return u.at[1:-1, 1:-1].set(inner)

    return lax.fori_loop(0, 40, step, u)


@PROGRAMS.add(normal(20, 5), normal(5, 5), normal(5))
def viterbi(emissions, transitions, start):
    def step(score, e):
        both = score[:, None] + transitions
        return both.max(0) + e, both.argmax(0)

    last, back = lax.scan(step, start + emissions[0], emissions[1:])
    best, path = lax.scan(lambda s, b: (b[s], s), last.argmax(), back, reverse=True)
    return jnp.concatenate([best[None], path])


@PROGRAMS.add(integers(5, 12), integers(5, 14))
def edit_distance(a, b):
    def row(previous, x):
        def cell(left, at):
            diagonal, up, y = at
            value = jnp.minimum(jnp.minimum(left + 1, up + 1), diagonal + (x != y))
            return value, value

        first = previous[0] + 1
        rest = lax.scan(cell, first, (previous[:-1], previous[1:], b))[1]
        return jnp.concatenate([first[None], rest]), None

    return lax.scan(row, jnp.arange(15), a)[0][-1]


@PROGRAMS.add(normal(8), normal(8))
def adam_steps(x, target):
    gradient = jax.grad(lambda x: jnp.sum((x - target) ** 2))

    def step(i, state):
        x, m, v = state
        g = gradient(x)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        t = i + 1.0
        return x - 0.1 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v

    return lax.fori_loop(0, 40, step, (x, jnp.zeros(8), jnp.zeros(8)))[0]


@PROGRAMS.add(uniform(6, 6, low=0.1))
def sinkhorn(cost):
    k = jnp.exp(-cost / 0.1)

    def step(_, uv):
        u, v = uv
        u = 1.0 / (k @ v)
        return u, 1.0 / (k.T @ u)

    u, v = lax.fori_loop(0, 30, step, (jnp.ones(6), jnp.ones(6)))
    return u[:, None] * k * v


@PROGRAMS.add(normal(5, 5))
def floyd_warshall(a):
    def step(k, d):
        return jnp.minimum(d, d[:, k, None] + d[None, k, :])

    return lax.fori_loop(0, 5, step, jnp.abs(a))


@PROGRAMS.add(normal(3, 2), normal(3, 2))
def planets(position, velocity):
    def acceleration(x):
        d = x[None] - x[:, None]
        r = jnp.sum(d * d, -1) + 0.1
        return jnp.sum(d / r[..., None] ** 1.5, axis=1)

    def step(state, _):
        x, v = state
        v = v + 0.005 * acceleration(x)
        x = x + 0.01 * v
        v = v + 0.005 * acceleration(x)
        return (x, v), x

    return lax.scan(step, (position, velocity), None, length=20)[1]


@PROGRAMS.add(normal(40))
def insertion_sort(x):
    def outer(i, x):
        def inner(j, x):
            a, b = x[j], x[j + 1]
            return x.at[j].set(jnp.minimum(a, b)).at[j + 1].set(jnp.maximum(a, b))

        return lax.fori_loop(0, 7, inner, x)

    return lax.fori_loop(0, 7, outer, x[:8])


@PROGRAMS.add(uniform(4, 4))
def mandelbrot(grid):
    def step(_, state):
        x, y, count = state
        x, y = x * x - y * y - 0.5 + grid, 2 * x * y + 0.3
        inside = x * x + y * y < 4.0
        return jnp.clip(x, -4, 4), jnp.clip(y, -4, 4), count + inside

    zero = jnp.zeros_like(grid)
    return lax.fori_loop(0, 24, step, (zero, zero, jnp.zeros((4, 4), jnp.int32)))[2]


@PROGRAMS.add(normal(30))
def exponential_smoothing_with_trend(y):
    def step(carry, y):
        level, trend = carry
        new = 0.5 * y + 0.5 * (level + trend)
        trend = 0.3 * (new - level) + 0.7 * trend
        return (new, trend), new + trend

    return lax.scan(step, (y[0], y[1] - y[0]), y)[1]


@PROGRAMS.add(normal(2, 6), normal(6, 6), normal(4, 6))
def greedy_decode(x, w, table):
    def step(h, _):
        h = jnp.tanh(h @ w)
        token = (h @ table.T).argmax(-1)
        return h + table[token], token

    return lax.scan(step, x, None, length=16)[1]


@PROGRAMS.add(normal(12))
def pid_controller(setpoints):
    def step(carry, target):
        x, integral, before = carry
        error = target - x
        integral = integral + 0.1 * error
        u = 1.2 * error + 0.5 * integral + 0.05 * (error - before) / 0.1
        x = x + 0.1 * (-x + jnp.clip(u, -2.0, 2.0))
        return (x, integral, error), x

    return lax.scan(step, (0.0, 0.0, 0.0), setpoints)[1]


@PROGRAMS.add(normal(3))
def bounded_runge_kutta(y):
    """A solver as Diffrax writes it: a condition ends steps in two scans of a fixed length, and stages in a third."""
    a = jnp.array([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]], "float32")
    b, c = jnp.array([1, 2, 2, 1], "float32") / 6, jnp.array([0, 0.5, 0.5, 1], "float32")

    def bounded(goes_on, body, state, count):
        turn = lambda s, _: (lax.cond(goes_on(s), body, lambda s: s, s), None)
        return lax.scan(turn, state, None, length=count)[0]

    def step(state):
        t, h, y, accepted = state

        def stage(s):
            i, k = s
            at = y + h * (a[i] @ k)
            return i + 1, k.at[i].set(jnp.sin(t + c[i] * h) - 0.5 * at)

        first = jnp.where(accepted, 0, 1)
        k = bounded(lambda s: s[0] < 4, stage, (first, jnp.zeros((4, 3))), 4)[1]
        small = jnp.max(jnp.abs(k[3] - k[0])) < 1.0
        return t + h, h, jnp.where(small, y + h * (b @ k), y), small

    some = lambda s: bounded(lambda s: s[0] < 1.0, step, s, 16)
    return bounded(lambda s: s[0] < 1.0, some, (jnp.float32(0), jnp.float32(0.05), y, jnp.bool_(True)), 16)[2]


@PROGRAMS.add(integers(12, 40), integers(12, 40))
def page_rank(src, dst):
    deg = jnp.zeros(12).at[src].add(1.0)

    def body(s):
        r, _, i = s
        new = 0.15 / 12 + 0.85 * jax.ops.segment_sum((r / jnp.maximum(deg, 1))[src], dst, 12)
        return new, jnp.abs(new - r).sum(), i + 1

    return lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 50), body, (jnp.ones(12) / 12, jnp.float32(1), 0))[0]


@PROGRAMS.add(normal(14), normal(12))
def dynamic_time_warping(a, b):
    d = jnp.abs(a[:, None] - b[None])

    def row(prev, dr):
        def cell(left, at):
            up, diag, c = at
            v = c + jnp.minimum(jnp.minimum(left, up), diag)
            return v, v

        diag = jnp.concatenate([jnp.array([jnp.inf]), prev[:-1]])
        _, new = lax.scan(cell, jnp.inf, (prev, diag, dr))
        return new, None

    first = jnp.cumsum(d[0])
    return lax.scan(row, first, d[1:])[0][-1]


@PROGRAMS.add(normal(40, 2))
def k_means(x):
    def step(s):
        c, _, i = s
        d = jnp.sum((x[:, None] - c[None]) ** 2, -1)
        a = jnp.argmin(d, 1)
        oh = jax.nn.one_hot(a, 4)
        n = oh.sum(0)
        new = jnp.where(n[:, None] > 0, oh.T @ x / jnp.maximum(n, 1)[:, None], c)
        return new, jnp.sum((new - c) ** 2), i + 1

    return lax.while_loop(lambda s: (s[1] > 1e-6) & (s[2] < 30), step, (x[:4], jnp.float32(1), 0))[0]
