"""Recurrences: linear attention and state spaces as scans over steps, filters, averages."""

import jax
import jax.numpy as jnp
import numpy as np

from . import Programs, normal, uniform

PROGRAMS = Programs()
STEPS, HEADS, WIDTH = 256, 4, 32


def sequence(*shape):
    return normal(STEPS, *shape)


HEADS_QKV = [sequence(HEADS, WIDTH) for _ in range(3)]


@PROGRAMS.add(*HEADS_QKV)
def linear_attention(q, k, v):
    """Katharopoulos et al.: transformers are RNNs."""
    q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1

    def step(carry, qkv):
        s, z = carry
        q, k, v = qkv
        s = s + k[:, :, None] * v[:, None, :]
        z = z + k
        return (s, z), jnp.einsum("hd,hde->he", q, s) / (jnp.einsum("hd,hd->h", q, z)[:, None] + 1e-6)

    zero = jnp.zeros((HEADS, WIDTH, WIDTH)), jnp.zeros((HEADS, WIDTH))
    return jax.lax.scan(step, zero, (q, k, v))[1]


@PROGRAMS.add(*HEADS_QKV)
def retnet(q, k, v):
    decay = 1 - 2.0 ** (-5 - jnp.arange(HEADS))

    def step(s, qkv):
        q, k, v = qkv
        s = decay[:, None, None] * s + k[:, :, None] * v[:, None, :]
        return s, jnp.einsum("hd,hde->he", q, s)

    return jax.lax.scan(step, jnp.zeros((HEADS, WIDTH, WIDTH)), (q, k, v))[1]


@PROGRAMS.add(*HEADS_QKV, sequence(HEADS, WIDTH))
def gated_linear_attention(q, k, v, gate):
    a = jax.nn.sigmoid(gate) ** (1 / 16)

    def step(s, inputs):
        q, k, v, a = inputs
        s = a[:, :, None] * s + k[:, :, None] * v[:, None, :]
        return s, jnp.einsum("hd,hde->he", q, s)

    return jax.lax.scan(step, jnp.zeros((HEADS, WIDTH, WIDTH)), (q, k, v, a))[1]


@PROGRAMS.add(*HEADS_QKV, sequence(HEADS))
def mamba2(c, b, x, dt):
    """State space duality: one decay for each head and step."""
    dt = jax.nn.softplus(dt)
    a = jnp.exp(-dt * jnp.arange(1, HEADS + 1) / HEADS)

    def step(h, inputs):
        a, dt, b, c, x = inputs
        h = a[:, None, None] * h + jnp.einsum("h,hn,hp->hnp", dt, b, x)
        return h, jnp.einsum("hn,hnp->hp", c, h)

    return jax.lax.scan(step, jnp.zeros((HEADS, WIDTH, WIDTH)), (a, dt, b, c, x))[1]


@PROGRAMS.add(*HEADS_QKV, sequence(HEADS))
def delta_rule(q, k, v, beta):
    k = k / jnp.linalg.norm(k, axis=-1, keepdims=True)
    beta = jax.nn.sigmoid(beta)

    def step(s, inputs):
        q, k, v, beta = inputs
        error = v - jnp.einsum("hd,hde->he", k, s)
        s = s + beta[:, None, None] * k[:, :, None] * error[:, None, :]
        return s, jnp.einsum("hd,hde->he", q, s)

    return jax.lax.scan(step, jnp.zeros((HEADS, WIDTH, WIDTH)), (q, k, v, beta))[1]


@PROGRAMS.add(sequence(64), sequence(64), sequence(16), sequence(16), -uniform(64, 16))
def mamba(x, dt, b, c, a):
    """The selective scan of Mamba-1."""
    dt = jax.nn.softplus(dt)

    def step(h, inputs):
        x, dt, b, c = inputs
        h = jnp.exp(dt[:, None] * a) * h + (dt * x)[:, None] * b
        return h, h @ c

    return jax.lax.scan(step, jnp.zeros((64, 16)), (x, dt, b, c))[1]


@PROGRAMS.add(*HEADS_QKV, sequence(HEADS, WIDTH), normal(HEADS, WIDTH))
def rwkv6(r, k, v, w, bonus):
    w = jnp.exp(-jnp.exp(w - 2))

    def step(s, inputs):
        r, k, v, w = inputs
        kv = k[:, :, None] * v[:, None, :]
        y = jnp.einsum("hd,hde->he", r, s + bonus[:, :, None] * kv)
        return w[:, :, None] * s + kv, y

    return jax.lax.scan(step, jnp.zeros((HEADS, WIDTH, WIDTH)), (r, k, v, w))[1]


@PROGRAMS.add(sequence(64), sequence(64), uniform(64), normal(64))
def rwkv4(k, v, decay, bonus):
    """The stable form, with a running maximum of exponents."""

    def step(state, kv):
        a, b, top = state
        k, v = kv
        q = jnp.maximum(top, bonus + k)
        e1, e2 = jnp.exp(top - q), jnp.exp(bonus + k - q)
        y = (e1 * a + e2 * v) / (e1 * b + e2)
        q = jnp.maximum(top - decay, k)
        e1, e2 = jnp.exp(top - decay - q), jnp.exp(k - q)
        return (e1 * a + e2 * v, e1 * b + e2, q), y

    zero = jnp.zeros(64)
    return jax.lax.scan(step, (zero, zero, zero - 1e30), (k, v))[1]


@PROGRAMS.add(sequence(16), uniform(64, low=0.8, high=0.99), uniform(64, high=3.0), normal(64, 16), normal(16, 64))
def lru(x, radius, angle, b, c):
    """The linear recurrent unit: a complex diagonal, as two reals."""
    re, im = radius * jnp.cos(angle), radius * jnp.sin(angle)

    def step(h, u):
        h = (re * h[0] - im * h[1] + u, re * h[1] + im * h[0])
        return h, h[0]

    zero = jnp.zeros(64)
    return jax.lax.scan(step, (zero, zero), x @ b.T)[1] @ c.T


@PROGRAMS.add(sequence(16), uniform(64, low=0.8, high=0.99), uniform(64, high=3.0), normal(64, 16), normal(16, 64))
def s5(x, radius, angle, b, c):
    """S5 by a scan over complex numbers."""
    a = radius * jnp.exp(1j * angle)

    def step(h, u):
        h = a * h + u
        return h, h

    states = jax.lax.scan(step, jnp.zeros(64, jnp.complex64), (x @ b.T).astype(jnp.complex64))[1]
    return (states @ c.T.astype(jnp.complex64)).real


@PROGRAMS.add(sequence(16), uniform(64, low=0.8, high=0.99), normal(64, 16))
def s5_associative(x, a, b):
    def combine(left, right):
        return left[0] * right[0], left[1] * right[0] + right[1]

    return jax.lax.associative_scan(combine, (jnp.broadcast_to(a, (STEPS, 64)), x @ b.T))[1]


@PROGRAMS.add(sequence(8), normal(8, 16, 16), normal(8, 16), normal(8, 16))
def s4_dense(x, a, b, c):
    """Dense small state matrices, one for each channel."""
    a = a / (2 * jnp.linalg.norm(a, axis=(1, 2), keepdims=True))

    def step(h, u):
        h = jnp.einsum("cij,cj->ci", a, h) + b * u[:, None]
        return h, (c * h).sum(-1)

    return jax.lax.scan(step, jnp.zeros((8, 16)), x)[1]


@PROGRAMS.add(normal(2048))
def biquad(x):
    """A low-pass filter of second order, direct form II transposed."""
    b0, b1, b2, a1, a2 = 0.0675, 0.1349, 0.0675, -1.1430, 0.4128

    def step(state, x):
        s1, s2 = state
        y = b0 * x + s1
        return (b1 * x - a1 * y + s2, b2 * x - a2 * y), y

    return jax.lax.scan(step, (0.0, 0.0), x)[1]


@PROGRAMS.add(normal(2048), normal(4))
def direct_form_one(x, a):
    """An all-pole filter of fourth order, by a buffer of past outputs."""
    a = 0.2 * a

    def step(past, x):
        y = x - past @ a
        return jnp.concatenate([y[None], past[:-1]]), y

    return jax.lax.scan(step, jnp.zeros(4), x)[1]


@PROGRAMS.add(normal(1024, 8))
def exponential_average(x):
    def step(m, x):
        m = 0.95 * m + 0.05 * x
        return m, m

    return jax.lax.scan(step, x[0], x)[1]


@PROGRAMS.add(normal(1024), uniform(1024))
def discounted_returns(reward, done):
    def step(g, inputs):
        r, d = inputs
        g = r + 0.99 * g * (d < 0.95)
        return g, g

    return jax.lax.scan(step, 0.0, (reward, done), reverse=True)[1]


@PROGRAMS.add(normal(128, 16), normal(129, 16), uniform(128, 16))
def generalized_advantage(reward, value, done):
    live = 1.0 - (done > 0.95)
    delta = reward + 0.99 * value[1:] * live - value[:-1]

    def step(a, inputs):
        d, alive = inputs
        a = d + 0.99 * 0.95 * alive * a
        return a, a

    return jax.lax.scan(step, jnp.zeros(16), (delta, live), reverse=True)[1]


@PROGRAMS.add(normal(1000))
def one_pole_high_pass(x):
    def step(carry, x):
        y, last = carry
        y = 0.97 * (y + x - last)
        return (y, x), y

    return jax.lax.scan(step, (0.0, 0.0), x)[1]


@PROGRAMS.add(normal(256, 2), normal(4, 4))
def kalman_fixed_gain(z, noise):
    """The steady-state filter of a constant-velocity model: a small matrix is the recurrence."""
    f = jnp.array([[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]], float)
    h = jnp.eye(2, 4)
    gain = jnp.array([[0.4, 0], [0, 0.4], [0.1, 0], [0, 0.1]]) + 1e-3 * noise[:, :2]

    def step(x, z):
        x = f @ x
        x = x + gain @ (z - h @ x)
        return x, x

    return jax.lax.scan(step, jnp.zeros(4), z)[1]


@PROGRAMS.add(sequence(64), sequence(64), normal(64, 64) / 8, normal(64, 64) / 8)
def min_gru(x, y, wz, wh):
    """Were RNNs all we needed: gates that do not see the state."""
    z, candidate = jax.nn.sigmoid(x @ wz), y @ wh

    def step(h, inputs):
        z, c = inputs
        h = (1 - z) * h + z * c
        return h, h

    return jax.lax.scan(step, jnp.zeros(64), (z, candidate))[1]


@PROGRAMS.add(sequence(32), sequence(32), sequence(32), sequence(), sequence())
def mlstm(q, k, v, gate_in, gate_out):
    """The matrix memory of xLSTM, with the stabilizer."""
    log_f = jax.nn.log_sigmoid(gate_out)

    def step(state, inputs):
        c, n, m = state
        q, k, v, i, f = inputs
        top = jnp.maximum(f + m, i)
        i, f = jnp.exp(i - top), jnp.exp(f + m - top)
        c = f * c + i * jnp.outer(v, k)
        n = f * n + i * k
        return (c, n, top), c @ q / jnp.maximum(jnp.abs(n @ q), 1.0)

    zero = jnp.zeros((32, 32)), jnp.zeros(32), 0.0
    return jax.lax.scan(step, zero, (q, k / np.sqrt(32), v, gate_in, log_f))[1]


@PROGRAMS.add(normal(8, 300))
def karplus_strong(noise):
    """A plucked string: a delay line of 50 samples with a mean of two."""

    def step(line, _):
        y = line[:, 0]
        return jnp.concatenate([line[:, 1:], 0.498 * (y + line[:, 1])[:, None]], 1), y

    return jax.lax.scan(step, noise[:, :50], None, length=300)[1]
