# SPDX-License-Identifier: Apache-2.0
"""Small programs as users of packages write them, with the packages' mathematics in plain JAX: samplers, optimizers,
solvers, environments, molecular dynamics, evolution strategies."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import Programs, integers, normal, uniform

PROGRAMS = Programs()


def key_words():
    return np.array([0, 3], np.uint32)


def log_density(x):
    return -0.5 * jnp.sum((x - 1.0) ** 2 / jnp.array([1.0, 2.0]))


@PROGRAMS.add(normal(2), key_words())
def random_walk_sampler(x, key):
    """Blackjax' additive_step_random_walk: the proposal is taken by a cond."""

    def step(state, k):
        x, density = state
        k1, k2 = jax.random.split(k)
        proposal = x + 0.5 * jax.random.normal(k1, (2,))
        proposed = log_density(proposal)
        accepted = jax.random.bernoulli(k2, jnp.clip(jnp.exp(proposed - density), max=1))
        state = lax.cond(accepted, lambda: (proposal, proposed), lambda: (x, density))
        return state, state[0]

    return lax.scan(step, (x, log_density(x)), jax.random.split(key, 20))[1]


@PROGRAMS.add(normal(2), key_words())
def hamiltonian_sampler(x, key):
    """Blackjax' hmc: a loop of leapfrog steps in each step of the chain."""
    value_and_grad = jax.value_and_grad(log_density)

    def leapfrog(_, state):
        x, p, _, g = state
        p = p + 0.05 * g
        x = x + 0.1 * p
        value, g = value_and_grad(x)
        return x, p + 0.05 * g, value, g

    def step(state, k):
        k1, k2 = jax.random.split(k)
        p = jax.random.normal(k1, (2,))
        x, q, value, g = lax.fori_loop(0, 10, leapfrog, (state[0], p, *state[1:]))
        gain = value - 0.5 * q @ q - state[1] + 0.5 * p @ p
        chance = jnp.clip(jnp.exp(jnp.where(jnp.isnan(gain), -jnp.inf, gain)), max=1)
        accepted = jax.random.bernoulli(k2, chance)
        state = lax.cond(accepted, lambda: (x, value, g), lambda: state)
        return state, (state[0], chance)

    return lax.scan(step, (x, *value_and_grad(x)), jax.random.split(key, 10))[1]


@PROGRAMS.add(normal(3), key_words())
def chain_of_while_loops(x, key):
    """TensorFlow Probability's sample_chain: each result takes a while loop of one step, and the key is a state."""

    def one_step(state):
        i, x, key = state
        key, k1, k2 = jax.random.split(key, 3)

        def leapfrog(state):
            j, x, p = state
            p = p - 0.05 * x
            x = x + 0.1 * p
            return j + 1, x, p - 0.05 * x

        p = jax.random.normal(k1, (3,))
        _, y, q = lax.while_loop(lambda s: s[0] < 3, leapfrog, (0, x, p))
        gain = 0.5 * (jnp.sum(p**2) - jnp.sum(q**2) + jnp.sum(x**2) - jnp.sum(y**2))
        return i + 1, jnp.where(jnp.log(jax.random.uniform(k2)) < gain, y, x), key

    def step(state, _):
        state = lax.while_loop(lambda s: s[0] < 1, one_step, (0, *state))[1:]
        return state, state[0]

    return lax.scan(step, (x, key), None, length=10)[1]


@PROGRAMS.add(key_words())
def mountain_car(key):
    """Gymnax: random actions, and a reset where an episode ends."""

    def reset(key):
        return jnp.stack([jax.random.uniform(key, (), minval=-0.6, maxval=-0.4), 0.0])

    def step(state, k):
        k1, k2, k3 = jax.random.split(k, 3)
        action = jax.random.randint(k1, (), 0, 3)
        position, velocity = state
        velocity = jnp.clip(velocity + (action - 1) * 0.001 - 0.0025 * jnp.cos(3 * position), -0.07, 0.07)
        position = jnp.clip(position + velocity, -1.2, 0.6)
        velocity = velocity * (1 - ((position >= 1.2) & (velocity < 0)))
        done = (position >= 0.5) & (velocity >= 0)
        state = jnp.where(done, reset(k3), jnp.stack([position, velocity]))
        return state, (state, -1.0)

    return lax.scan(step, reset(key), jax.random.split(key, 20))[1]


@PROGRAMS.add(key_words())
def evolution_strategy(key):
    """Evosax' Open_ES: antithetic samples, centred ranks, Adam."""

    def step(state, k):
        mean, m, v, count = state
        noise = jax.random.normal(k, (4, 4))
        noise = jnp.concatenate([noise, -noise])
        fitness = jnp.sum((mean + 0.1 * noise) ** 2 - mean, -1)
        ranks = jnp.argsort(jnp.argsort(fitness)) / 7 - 0.5
        weights = lax.cond(jnp.any(jnp.isnan(fitness)), lambda: jnp.zeros(8), lambda: ranks)
        gradient = weights @ noise / 0.8
        count += 1
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
        mean -= 0.1 * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)
        return (mean, m, v, count), mean

    first = (jnp.ones(4), jnp.zeros(4), jnp.zeros(4), 0)
    return lax.scan(step, first, jax.random.split(key, 10))[1]


@PROGRAMS.add(normal(2))
def stages_by_while_loop(y):
    """Diffrax' explicit Runge-Kutta methods: a while loop over the rows of the tableau."""
    tableau = jnp.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    weights = jnp.array([1.0, 2.0, 2.0, 1.0]) / 6

    def field(y):
        return jnp.stack([1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3.0 * y[1]])

    def step(state):
        t, y = state

        def stage(carry):
            i, ks = carry
            return i + 1, ks.at[i].set(0.05 * field(y + tableau[i] @ ks))

        ks = lax.while_loop(lambda c: c[0] < 4, stage, (0, jnp.zeros((4, 2))))[1]
        return t + 0.05, y + weights @ ks

    return lax.while_loop(lambda s: s[0] < 0.975, step, (0.0, y * 0.1 + 1.0))[1]


@PROGRAMS.add(normal(20, 5), normal(20))
def accelerated_gradient_descent(x, y):
    """JAXopt's GradientDescent with acceleration, until the error is small."""
    gradient = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))

    def step(state):
        i, w, v, t, _ = state
        new = v - 0.1 * gradient(v)
        s = 0.5 * (1 + jnp.sqrt(1 + 4 * t**2))
        return i + 1, new, new + (t - 1) / s * (new - w), s, jnp.linalg.norm(new - w) / 0.1

    first = (0, jnp.zeros(5), jnp.zeros(5), 1.0, jnp.inf)
    return lax.while_loop(lambda s: (s[4] > 1e-3) & (s[0] < 30), step, first)[1]


@PROGRAMS.add(uniform(8, 2, high=5.0), normal(8, 2))
def soft_sphere_dynamics(x, v):
    """JAX MD's nve with soft spheres in a periodic box."""

    def energy(x):
        d = jnp.mod(x[:, None] - x[None] + 2.5, 5.0) - 2.5
        r2 = jnp.sum(d**2, -1)
        r = jnp.where(r2 > 0, jnp.sqrt(jnp.where(r2 > 0, r2, 1.0)), 2.0)
        return 0.25 * jnp.sum(jnp.where(r < 1, (1 - r) ** 2, 0.0))

    force = jax.grad(lambda x: -energy(x))

    def step(_, state):
        x, v, f = state
        v = v + 0.005 * f
        x = jnp.mod(x + 0.01 * v, 5.0)
        f = force(x)
        return x, v + 0.005 * f, f

    return lax.fori_loop(0, 20, step, (x, 0.3 * v, force(x)))


@PROGRAMS.add(normal(2))
def quasi_newton(x):
    """Optimistix' BFGS: a step is taken by a cond if it decreases the function."""

    def f(x):
        return (1 - x[0]) ** 2 + 3 * (x[1] - x[0] ** 2) ** 2

    value_and_grad = jax.value_and_grad(f)

    def step(state):
        i, x, value, g, h, size = state
        y = x - size * h @ g

        def accept():
            new, gradient = value_and_grad(y)
            s, d = y - x, gradient - g
            inner = s @ d
            a = jnp.eye(2) - jnp.outer(s, d) / inner
            update = jnp.where(inner > 1e-6, a @ h @ a.T + jnp.outer(s, s) / inner, h)
            return i + 1, y, new, gradient, update, 1.0

        return lax.cond(f(y) < value, accept, lambda: (i + 1, x, value, g, h, 0.5 * size))

    first = (0, x, *value_and_grad(x), jnp.eye(2), 1.0)
    return lax.while_loop(lambda s: (jnp.max(jnp.abs(s[3])) > 1e-3) & (s[0] < 30), step, first)[1]


@PROGRAMS.add(normal(8, 2), normal(10, 2))
def entropic_transport(x, y):
    """OTT's Sinkhorn iterations in the logarithmic domain, with an error after each ten."""
    cost = jnp.sum((x[:, None] - y[None]) ** 2, -1)

    def soft_min(z, axis):
        return -0.5 * jax.nn.logsumexp(-z / 0.5, axis=axis)

    def ten(state):
        i, f, g, _ = state

        def once(_, fg):
            f = soft_min(cost - fg[1][None], 1) + 0.5 * jnp.log(1 / 8)
            return f, soft_min(cost - f[:, None], 0) + 0.5 * jnp.log(1 / 10)

        f, g = lax.fori_loop(0, 10, once, (f, g))
        plan = jnp.exp((f[:, None] + g[None] - cost) / 0.5)
        return i + 1, f, g, jnp.sum(jnp.abs(plan.sum(1) - 1 / 8))

    first = (0, jnp.zeros(8), jnp.zeros(10), jnp.inf)
    _, f, g, _ = lax.while_loop(lambda s: (s[3] > 1e-3) & (s[0] < 5), ten, first)
    return jnp.exp((f[:, None] + g[None] - cost) / 0.5)


@PROGRAMS.add(normal(4), normal(32, 4), normal(32))
def clipped_adam(w, x, y):
    """Optax' chain(clip_by_global_norm, adam) with a cosine schedule, and the last loss as a state."""
    value_and_grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))

    def step(i, state):
        w, m, v, _ = state
        loss, g = value_and_grad(w)
        norm = jnp.sqrt(jnp.sum(g**2))
        g = jnp.where(norm < 1, g, g / norm)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        rate = 0.05 * (1 + jnp.cos(jnp.pi * i / 50))
        w = w - rate * (m / (1 - 0.9 ** (i + 1))) / (jnp.sqrt(v / (1 - 0.999 ** (i + 1))) + 1e-8)
        return w, m, v, loss

    return lax.fori_loop(0, 50, step, (w, jnp.zeros(4), jnp.zeros(4), 0.0))


@PROGRAMS.add(normal(20, 1))
def state_space_likelihood(ys):
    """The log density of TensorFlow Probability's LinearGaussianStateSpaceModel."""
    f, q = jnp.array([[1.0, 0.1], [0.0, 1.0]]), 0.01 * jnp.eye(2)
    h = jnp.array([[1.0, 0.0]])

    def step(state, y):
        m, p = state
        s = h @ p @ h.T + 1.0
        root = jnp.linalg.cholesky(s)
        gain = jax.scipy.linalg.cho_solve((root, True), h @ p).T
        r = y - h @ m
        z = jax.scipy.linalg.solve_triangular(root, r, lower=True)
        log_density = -0.5 * z @ z - jnp.log(root[0, 0]) - 0.5 * jnp.log(2 * jnp.pi)
        m, p = m + gain @ r, (jnp.eye(2) - gain @ h) @ p
        return (f @ m, f @ p @ f.T + q), log_density

    return jnp.sum(lax.scan(step, (jnp.zeros(2), jnp.eye(2)), ys)[1])


@PROGRAMS.add(normal(2))
def adaptive_van_der_pol(y):
    """Diffrax' Bosh3 with a PID controller, at most 60 steps."""

    f = lambda t, y: jnp.array([y[1], 2.0 * (1 - y[0] ** 2) * y[1] - y[0]])
    rtol, atol = 1e-3, 1e-5

    def step(s):
        t, y, k1, h, n = s
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + 0.75 * h, y + 0.75 * h * k2)
        y3 = y + h * (2 / 9 * k1 + 1 / 3 * k2 + 4 / 9 * k3)
        k4 = f(t + h, y3)
        err = h * (-5 / 72 * k1 + 1 / 12 * k2 + 1 / 9 * k3 - 1 / 8 * k4)
        scale = atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(y3))
        e = jnp.sqrt(jnp.mean((err / scale) ** 2))
        factor = jnp.clip(0.9 * e ** (-1 / 3), 0.2, 5.0)
        ok = e <= 1
        t = jnp.where(ok, t + h, t)
        y = jnp.where(ok, y3, y)
        k1 = jnp.where(ok, k4, k1)
        return t, y, k1, jnp.minimum(h * factor, 2.0 - t), n + 1

    s = lax.while_loop(lambda s: (s[0] < 2.0) & (s[4] < 60), step, (0.0, y, f(0.0, y), 0.01, 0))
    return s[1]


@PROGRAMS.add(normal(2), normal(2))
def no_u_turn_trajectory(q, p):
    """A trajectory as in NumPyro's NUTS: it ends where it turns, or after 63 steps."""

    grad = jax.grad(lambda q: 0.5 * jnp.sum(q**2 * jnp.array([1.0, 4.0])) + 0.1 * q[0] ** 4)

    def body(s):
        q, p, g, n, psum, _ = s
        p = p - 0.05 * g
        q = q + 0.1 * p
        g = grad(q)
        p = p - 0.05 * g
        psum = psum + p
        turning = jnp.dot(psum, p) <= 0
        return q, p, g, n + 1, psum, turning

    s = lax.while_loop(lambda s: (s[3] < 63) & ~s[5], body, (q, p, grad(q), 0, p, jnp.bool_(False)))
    return s[0], s[1], s[3]


@PROGRAMS.add(uniform(4), key_words())
def mcts_bandit_tree(prior, key):
    """Mctx: a search in arrays of nodes. Both loops of a simulation end where the tree does."""

    n = 16
    prior = jax.nn.softmax(prior)

    def simulate(i, tree):
        children, visits, values, parents = tree

        def select(s):
            node, action, _ = s
            kids = children[node]
            nv = jnp.where(kids >= 0, visits[kids], 0)
            q = jnp.where(nv > 0, values[kids] / jnp.maximum(nv, 1), 0.0)
            u = prior * jnp.sqrt(visits[node] + 1.0) / (1 + nv)
            a = jnp.argmax(q + 1.25 * u)
            nxt = kids[a]
            return jnp.where(nxt >= 0, nxt, node), a, nxt >= 0

        node, action, _ = lax.while_loop(lambda s: s[2], select, (jnp.int32(0), jnp.int32(0), jnp.bool_(True)))
        children = children.at[node, action].set(i + 1)
        parents = parents.at[i + 1].set(node)
        value = jnp.sin(12.9 * (i + 1.0) + 78.2 * action) * 0.5 + 0.5

        def back(s):
            node, visits, values = s
            return parents[node], visits.at[node].add(1), values.at[node].add(value)

        _, visits, values = lax.while_loop(lambda s: s[0] >= 0, back, (i + 1, visits, values))
        return children, visits, values, parents

    tree = (jnp.full((n, 4), -1), jnp.zeros(n, jnp.int32), jnp.zeros(n), jnp.full(n, -1))
    children, visits, values, _ = lax.fori_loop(0, n - 1, simulate, tree)
    return visits, values


@PROGRAMS.add(integers(4, 20))
def hmm_em(obs):
    """Dynamax' EM of a categorical hidden Markov model."""

    K, M = 3, 4
    onehot = jax.nn.one_hot(obs, M)

    def em(params, _):
        pi, A, B = params
        like = B[:, obs].T

        def fwd(alpha, e):
            a = (alpha @ A) * e
            s = a.sum()
            return a / s, (a / s, s)

        a0 = pi * like[0]
        s0 = a0.sum()
        _, (al, sc) = lax.scan(fwd, a0 / s0, like[1:])
        al = jnp.concatenate([(a0 / s0)[None], al])

        def bwd(beta, inp):
            e, s = inp
            b = A @ (e * beta) / s
            return b, b

        _, be = lax.scan(bwd, jnp.ones(K), (like[1:], sc), reverse=True)
        be = jnp.concatenate([be, jnp.ones((1, K))])
        gamma = al * be
        gamma = gamma / gamma.sum(-1, keepdims=True)
        xi = al[:-1, :, None] * A[None] * (like[1:] * be[1:] / sc[:, None])[:, None]
        A = xi.sum(0) / xi.sum((0, 2))[:, None]
        B = gamma.T @ onehot
        B = B / B.sum(1, keepdims=True)
        return (gamma[0], A, B), jnp.log(sc).sum() + jnp.log(s0)

    A0 = jnp.full((K, K), 0.2) + 0.4 * jnp.eye(K)
    B0 = jax.nn.softmax(jnp.sin(jnp.arange(12.0)).reshape(K, M))
    return lax.scan(em, (jnp.ones(K) / K, A0, B0), None, length=5)


@PROGRAMS.add(normal(2))
def nelder_mead(x0):
    """The simplex method: all candidates are computed, and chosen by where."""

    f = lambda x: (1 - x[0]) ** 2 + 5 * (x[1] - x[0] ** 2) ** 2

    def step(_, s):
        sim, fv = s
        order = jnp.argsort(fv)
        sim, fv = sim[order], fv[order]
        c = sim[:-1].mean(0)
        xr = c + (c - sim[-1])
        fr = f(xr)
        xe = c + 2 * (c - sim[-1])
        fe = f(xe)
        xc = c + 0.5 * (sim[-1] - c)
        fc = f(xc)
        best = jnp.where((fr < fv[0]) & (fe < fr), xe, jnp.where(fr < fv[-2], xr, xc))
        fb = jnp.where((fr < fv[0]) & (fe < fr), fe, jnp.where(fr < fv[-2], fr, fc))
        shrink = (fr >= fv[-2]) & (fc >= fv[-1])
        sh = sim[0] + 0.5 * (sim - sim[0])
        fsh = jax.vmap(f)(sh)
        sim2, fv2 = sim.at[-1].set(best), fv.at[-1].set(fb)
        return jnp.where(shrink, sh, sim2), jnp.where(shrink, fsh, fv2)

    sim = jnp.stack([x0, x0 + jnp.array([0.5, 0.0]), x0 + jnp.array([0.0, 0.5])])
    return lax.fori_loop(0, 25, step, (sim, jax.vmap(f)(sim)))
