# SPDX-License-Identifier: Apache-2.0
"""Programs that draw random numbers: samplers, simulators, layers, games, environments."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import Programs, normal

PROGRAMS = Programs()
KEY = jax.random.key(42)


@PROGRAMS.add(KEY)
def monte_carlo_pi(key):
    points = jax.random.uniform(key, (4096, 2), minval=-1.0, maxval=1.0)
    return 4 * jnp.mean(jnp.sum(points**2, axis=1) <= 1.0)


@PROGRAMS.add(KEY)
def monte_carlo_pi_in_rounds(key):
    def round_(i, total):
        x, y = jax.random.uniform(jax.random.fold_in(key, i), (2, 256))
        return total + jnp.sum(x * x + y * y <= 1.0)

    return 4 * lax.fori_loop(0, 16, round_, 0) / (16 * 256)


@PROGRAMS.add(KEY, normal(2))
def random_walk_metropolis(key, x0):
    def logp(x):
        return -0.5 * jnp.sum(x**2) - 0.1 * jnp.sum(x**4)

    def step(carry, key):
        x, lp = carry
        k1, k2 = jax.random.split(key)
        proposal = x + 0.5 * jax.random.normal(k1, x.shape)
        lp_new = logp(proposal)
        accept = jnp.log(jax.random.uniform(k2)) < lp_new - lp
        x, lp = jnp.where(accept, proposal, x), jnp.where(accept, lp_new, lp)
        return (x, lp), x

    _, samples = lax.scan(step, (x0, logp(x0)), jax.random.split(key, 100))
    return samples


@PROGRAMS.add(KEY, normal(3))
def hamiltonian_step(key, q):
    grad = jax.grad(lambda q: 0.5 * jnp.sum(q**2) + jnp.cos(q).sum())
    energy = lambda q, p: 0.5 * jnp.sum(q**2) + jnp.cos(q).sum() + 0.5 * jnp.sum(p**2)
    k_momentum, k_accept = jax.random.split(key)
    p0 = jax.random.normal(k_momentum, q.shape)
    q1, p = q, p0 - 0.05 * grad(q)
    for _ in range(4):
        q1 = q1 + 0.1 * p
        p = p - 0.1 * grad(q1)
    accept = jax.random.uniform(k_accept) < jnp.exp(energy(q, p0) - energy(q1, p))
    return jnp.where(accept, q1, q)


@PROGRAMS.add(KEY, normal(20))
def particle_filter(key, observations):
    count = 64

    def step(carry, y):
        key, particles = carry
        key, k_move, k_resample = jax.random.split(key, 3)
        particles = 0.9 * particles + jax.random.normal(k_move, (count,))
        logw = -0.5 * (y - particles) ** 2
        w = jax.nn.softmax(logw)
        chosen = jax.random.categorical(k_resample, logw, shape=(count,))
        return (key, particles[chosen]), jnp.sum(w * particles)

    start = (key, jnp.zeros(count))
    _, means = lax.scan(step, start, observations)
    return means


@PROGRAMS.add(KEY, normal(5))
def simulated_annealing(key, x):
    cost = lambda x: jnp.sum(x**2 - jnp.cos(3 * x))

    def body(i, state):
        key, x, best = state
        key, k1, k2 = jax.random.split(key, 3)
        t = 0.95**i
        candidate = x + t * jax.random.normal(k1, x.shape)
        delta = cost(candidate) - cost(x)
        take = (delta < 0) | (jax.random.uniform(k2) < jnp.exp(-delta / t))
        x = jnp.where(take, candidate, x)
        best = jnp.where(cost(x) < cost(best), x, best)
        return key, x, best

    return lax.fori_loop(0, 50, body, (key, x, x))[2]


@PROGRAMS.add(KEY, np.float32(100.0))
def black_scholes_paths(key, s0):
    steps, paths, r, sigma = 32, 256, 0.03, 0.2
    dt = 1.0 / steps
    z = jax.random.normal(key, (paths, steps))
    log_returns = (r - 0.5 * sigma**2) * dt + sigma * jnp.sqrt(dt) * z
    path = s0 * jnp.exp(jnp.cumsum(log_returns, axis=1))
    payoff = jnp.maximum(path.mean(axis=1) - 100.0, 0.0)
    return jnp.exp(-r) * payoff.mean()


@PROGRAMS.add(KEY, normal(128))
def euler_maruyama(key, x):
    def step(carry, _):
        x, key = carry
        key, sub = jax.random.split(key)
        x = x - 0.1 * x + jnp.sqrt(0.1) * jax.random.normal(sub, x.shape)
        return (x, key), None

    return lax.scan(step, (x, key), None, length=40)[0][0]


@PROGRAMS.add(KEY, normal(8, 64), normal(64, 64))
def dropout_layer(key, x, w):
    h = jax.nn.relu(x @ w)
    keep = jax.random.bernoulli(key, 0.9, h.shape)
    return jnp.where(keep, h / 0.9, 0.0)


@PROGRAMS.add(KEY, normal(8, 32), normal(32, 8), normal(32, 8), normal(8, 32))
def vae_sample(key, x, w_mean, w_logvar, w_out):
    mean, logvar = x @ w_mean, x @ w_logvar * 0.1
    z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)
    return jax.nn.sigmoid(z @ w_out)


@PROGRAMS.add(KEY, normal(4, 8, 8, 1), np.float32(0.3))
def diffusion_step(key, x, t):
    predicted = jnp.tanh(x) * t
    alpha, beta = 0.98, 0.02
    mean = (x - beta / jnp.sqrt(1 - alpha) * predicted) / jnp.sqrt(alpha)
    noise = jax.random.normal(key, x.shape)
    return mean + jnp.where(t > 0.0, jnp.sqrt(beta), 0.0) * noise


@PROGRAMS.add(KEY, normal(1000))
def top_k_token(key, logits):
    values, indices = lax.top_k(logits / 0.8, 40)
    return indices[jax.random.categorical(key, values)]


@PROGRAMS.add(KEY, normal(2, 200))
def nucleus_token(key, logits):
    order = jnp.argsort(-logits, axis=-1)
    ranked = jnp.take_along_axis(logits, order, axis=-1)
    probabilities = jax.nn.softmax(ranked, axis=-1)
    outside = jnp.cumsum(probabilities, axis=-1) - probabilities > 0.9
    drawn = jax.random.categorical(key, jnp.where(outside, -jnp.inf, ranked), axis=-1)
    return jnp.take_along_axis(order, drawn[:, None], axis=-1)[:, 0]


@PROGRAMS.add(KEY, normal(10))
def bandit_epsilon_greedy(key, means):
    def pull(carry, key):
        counts, values = carry
        k_explore, k_arm, k_reward = jax.random.split(key, 3)
        explore = jax.random.uniform(k_explore) < 0.1
        arm = jnp.where(explore, jax.random.randint(k_arm, (), 0, 10), jnp.argmax(values))
        reward = means[arm] + jax.random.normal(k_reward)
        counts = counts.at[arm].add(1)
        values = values.at[arm].add((reward - values[arm]) / counts[arm])
        return (counts, values), reward

    keys = jax.random.split(key, 64)
    (_, values), rewards = lax.scan(pull, (jnp.zeros(10), jnp.zeros(10)), keys)
    return values, rewards.sum()


@PROGRAMS.add(KEY)
def thompson_sampling_gaussian(key):
    true_means = jnp.array([0.1, 0.5, 0.9])

    def pull(i, state):
        key, n, s = state
        key, k1, k2 = jax.random.split(key, 3)
        theta = s / (n + 1) + jax.random.normal(k1, (3,)) / jnp.sqrt(n + 1)
        arm = jnp.argmax(theta)
        r = jax.random.bernoulli(k2, true_means[arm]).astype(jnp.float32)
        return key, n.at[arm].add(1.0), s.at[arm].add(r)

    return lax.fori_loop(0, 32, pull, (key, jnp.zeros(3), jnp.zeros(3)))[1:]


@PROGRAMS.add(KEY, normal(64, 16))
def shuffled_batches(key, data):
    return jax.random.permutation(key, data).reshape(8, 8, 16).mean(axis=1)


@PROGRAMS.add(KEY)
def initialize_mlp(key):
    sizes = [8, 32, 32, 4]
    params = []
    for k, m, n in zip(jax.random.split(key, len(sizes) - 1), sizes[:-1], sizes[1:]):
        w_key, b_key = jax.random.split(k)
        params.append((jax.random.normal(w_key, (m, n)) * 0.1, jax.random.normal(b_key, (n,)) * 0.1))
    return params


@PROGRAMS.add(KEY)
def ising_sweep(key):
    n = 16
    spins = jnp.where(jax.random.bernoulli(jax.random.fold_in(key, 999), 0.5, (n, n)), 1.0, -1.0)
    parity = (jnp.arange(n)[:, None] + jnp.arange(n)) % 2

    def sweep(i, s):
        for p in range(2):
            field = sum(jnp.roll(s, d, a) for d in (1, -1) for a in (0, 1))
            u = jax.random.uniform(jax.random.fold_in(key, 2 * i + p), (n, n))
            flip = (u < jnp.exp(-0.8 * s * field)) & (parity == p)
            s = jnp.where(flip, -s, s)
        return s

    return lax.fori_loop(0, 10, sweep, spins).mean()


@PROGRAMS.add(np.int32(7))
def seeded_noise(seed):
    key = jax.random.key(seed)
    a, b = jax.random.split(key)
    return jax.random.normal(a, (16,)) + jax.random.laplace(b, (16,))


@PROGRAMS.add(np.array([3, 9], np.uint32))
def raw_key_draws(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return jax.random.uniform(k1, (4,)), jax.random.exponential(k2, (4,)), jax.random.randint(k3, (4,), 0, 6)


@PROGRAMS.add(normal(16))
def constant_key_noise(x):
    key = jax.random.key(0)
    key, sub = jax.random.split(key)
    x = x + jax.random.normal(sub, x.shape)
    for i in range(3):
        x = x * jax.random.bernoulli(jax.random.fold_in(key, i), 0.8, x.shape)
    return x


@PROGRAMS.add(KEY, np.float32(2.0))
def gamma_and_beta(key, a):
    k1, k2 = jax.random.split(key)
    return jax.random.gamma(k1, a, (8,)), jax.random.beta(k2, a, 3.0, (4,))


@PROGRAMS.add(KEY, np.array([0.0, 0.0, 0.1, 0.0], np.float32))
def cartpole_random_policy(key, state):
    def step(carry, key):
        x, v, angle, omega = carry
        force = jnp.where(jax.random.bernoulli(key), 10.0, -10.0)
        cos, sin = jnp.cos(angle), jnp.sin(angle)
        temp = (force + 0.05 * omega**2 * sin) / 1.1
        alpha = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3 - 0.1 * cos**2 / 1.1))
        acc = temp - 0.05 * alpha * cos / 1.1
        new = jnp.stack([x + 0.02 * v, v + 0.02 * acc, angle + 0.02 * omega, omega + 0.02 * alpha])
        return new, (new, jnp.abs(new[2]) > 0.2)

    return lax.scan(step, state, jax.random.split(key, 50))[1]


@PROGRAMS.add(KEY)
def game_2048_tile(key):
    board = jnp.zeros((4, 4), jnp.int32).at[0, 0].set(2)
    for _ in range(3):
        key, k_cell, k_value = jax.random.split(key, 3)
        empty = (board == 0).reshape(-1)
        cell = jax.random.choice(k_cell, 16, p=empty / empty.sum())
        value = jnp.where(jax.random.uniform(k_value) < 0.9, 2, 4)
        board = board.reshape(-1).at[cell].set(value).reshape(4, 4)
    return board


@PROGRAMS.add(KEY, normal(6, 4))
def vmapped_rollouts(key, starts):
    def rollout(key, x):
        def step(x, key):
            return 0.9 * x + 0.1 * jax.random.normal(key, x.shape), x.sum()

        return lax.scan(step, x, jax.random.split(key, 12))

    return jax.vmap(rollout)(jax.random.split(key, 6), starts)


@PROGRAMS.add(KEY, normal(32, 4), normal(32))
def stochastic_gradient_langevin(key, x, y):
    def step(w, key):
        k_batch, k_noise = jax.random.split(key)
        rows = jax.random.randint(k_batch, (8,), 0, 32)
        grad = jax.grad(lambda w: jnp.mean((x[rows] @ w - y[rows]) ** 2))(w)
        return w - 0.01 * grad + 0.01 * jax.random.normal(k_noise, w.shape), None

    return lax.scan(step, jnp.zeros(4), jax.random.split(key, 30))[0]


@PROGRAMS.add(KEY)
def gillespie_birth_death(key):
    def event(carry, _):
        key, n, t = carry
        key, k1, k2 = jax.random.split(key, 3)
        birth, death = 5.0, 0.2 * n
        total = birth + death
        t = t + jax.random.exponential(k1) / total
        n = n + jnp.where(jax.random.uniform(k2) * total < birth, 1.0, -1.0)
        return (key, n, t), (n, t)

    return lax.scan(event, (key, 10.0, 0.0), None, length=40)[1]
