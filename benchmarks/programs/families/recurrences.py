# SPDX-License-Identifier: Apache-2.0
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


@PROGRAMS.add(*[normal(2, STEPS, HEADS, 16) for _ in range(3)], normal(2, STEPS, HEADS), tolerance=1e-4)
def gated_retention(q, k, v, gate):
    """RetNet with a gate, for a batch, as products of columns and rows."""
    sequences = [jnp.moveaxis(a, 1, 0) for a in (q, k, v, jax.nn.sigmoid(gate + 2))]

    def step(s, inputs):
        q, k, v, a = inputs
        s = s * a[..., None, None] + k[..., :, None] @ v[..., None, :]
        return s, (q[..., None, :] @ s)[..., 0, :]

    state, out = jax.lax.scan(step, jnp.zeros((2, HEADS, 16, 16)), sequences)
    return jnp.moveaxis(out, 0, 1), state


@PROGRAMS.add(*[sequence(HEADS, 16) for _ in range(3)], normal(HEADS, 16), normal(HEADS, 16), tolerance=1e-4)
def rwkv5(r, k, v, decay, bonus):
    """Decays of each channel, some of them fast."""
    decay = jnp.exp(-jnp.exp(decay))

    def step(s, inputs):
        r, k, v = inputs
        kv = jnp.einsum("hk,hv->hkv", k, v)
        return s * decay[..., None] + kv, jnp.einsum("hk,hkv->hv", r, s + bonus[..., None] * kv)

    return jax.lax.scan(step, jnp.zeros((HEADS, 16, 16)), (r, k, v))[1]


@PROGRAMS.add(sequence(4, 8), sequence(4, 8), tolerance=1e-4)
def lightning_attention(q, k):
    v, slopes = jnp.tanh(k), jnp.exp(-jnp.arange(1, 5) / 4)

    def step(kv, inputs):
        q, k, v = inputs
        kv = slopes[:, None, None] * kv + k[..., None] * v[..., None, :]
        return kv, (q[..., None] * kv).sum(-2)

    o = jax.lax.scan(step, jnp.zeros((4, 8, 8)), (q, k, v))[1]
    return o / jnp.sqrt((o**2).mean(-1, keepdims=True) + 1e-6)


@PROGRAMS.add(*[sequence(HEADS, 16) for _ in range(3)], sequence(HEADS), sequence(HEADS), tolerance=1e-4)
def gated_delta_rule(q, k, v, beta, gate):
    k = k / jnp.linalg.norm(k, axis=-1, keepdims=True)

    def step(s, inputs):
        q, k, v, beta, gate = inputs
        s = gate[:, None, None] * s
        error = (v - jnp.einsum("hkv,hk->hv", s, k)) * beta[:, None]
        s = s + jnp.einsum("hk,hv->hkv", k, error)
        return s, jnp.einsum("hkv,hk->hv", s, q)

    gates = jax.nn.sigmoid(beta), jax.nn.sigmoid(gate + 3)
    return jax.lax.scan(step, jnp.zeros((HEADS, 16, 16)), (q, k, v, *gates))[1]


@PROGRAMS.add(*[normal(2, STEPS, 4, 8) for _ in range(3)], normal(2, STEPS, 4), normal(2, STEPS, 4), tolerance=1e-4)
def mlstm_batch(q, k, v, i, f):
    def head(q, k, v, i, f):
        def step(carry, inputs):
            c, n, m = carry
            q, k, v, i, f = inputs
            top = jnp.maximum(f + m, i)
            i, f = jnp.exp(i - top), jnp.exp(f + m - top)
            c, n = f * c + i * jnp.outer(k, v), f * n + i * k
            return (c, n, top), q @ c / jnp.maximum(jnp.abs(q @ n), jnp.exp(-top))

        return jax.lax.scan(step, (jnp.zeros((8, 8)), jnp.zeros(8), 0.0), (q, k / np.sqrt(8), v, i, f))[1]

    heads = jax.vmap(head, in_axes=1, out_axes=1)
    return jax.vmap(heads)(q, k, v, i, jax.nn.log_sigmoid(f))


@PROGRAMS.add(
    *(normal(2, STEPS, 32), normal(2, STEPS, 32), normal(2, STEPS, 8), normal(2, STEPS, 8)), uniform(32, 8), normal(32)
)
def mamba_batch(x, dt, b, c, a, skip):
    dt = jax.nn.softplus(dt)

    def one(x, dt, b, c):
        decay = jnp.exp(jnp.einsum("ld,dn->ldn", dt, -a))
        added = jnp.einsum("ld,ln,ld->ldn", dt, b, x)

        def step(h, inputs):
            decay, added, c = inputs
            h = decay * h + added
            return h, jnp.einsum("dn,n->d", h, c)

        return jax.lax.scan(step, jnp.zeros((32, 8)), (decay, added, c))[1] + skip * x

    return jax.vmap(one)(x, dt, b, c)


@PROGRAMS.add(sequence(32), sequence(32), sequence(32), uniform(32), tolerance=1e-4)
def rg_lru(x, r, i, rate):
    """The recurrent unit of Griffin."""
    a = jnp.exp(-8 * jax.nn.softplus(rate) * jax.nn.sigmoid(r))
    y = jnp.sqrt(1 - a**2) * jax.nn.sigmoid(i) * x

    def step(h, inputs):
        h = inputs[0] * h + inputs[1]
        return h, h

    return jax.lax.scan(step, jnp.zeros(32), (a, y))[1]


@PROGRAMS.add(
    sequence(8),
    uniform(8, 16, low=0.1),
    *(normal(8, 16) for _ in range(3)),
    uniform(8, low=0.01, high=0.1),
    tolerance=1e-4,
)
def s4d(u, re, im, c_re, c_im, dt):
    a = jnp.exp((-re + 1j * im) * dt[:, None])
    b, c = (a - 1) / (-re + 1j * im), c_re + 1j * c_im

    def step(x, u):
        x = a * x + b * u[:, None]
        return x, 2 * (c * x).sum(-1).real

    return jax.lax.scan(step, jnp.zeros((8, 16), jnp.complex64), u)[1]


@PROGRAMS.add(*[sequence(32) for _ in range(4)], tolerance=1e-4)
def gateloop(q, k, v, a):
    """Complex gates of each step."""
    gates = jax.nn.sigmoid(a) * jnp.exp(1j * k)

    def step(h, inputs):
        h = inputs[0] * h + inputs[1]
        return h, h

    h = jax.lax.scan(step, jnp.zeros(32, jnp.complex64), (gates, (k * v).astype(jnp.complex64)))[1]
    return (q * h).real


@PROGRAMS.add(sequence(32), uniform(32, 4), uniform(32, 4), normal(32, 4), normal(32, 4), tolerance=1e-4)
def mega(x, p, d, b, c):
    """The damped average of several dimensions."""
    q = 1 - p * d

    def step(h, x):
        h = q * h + p * b * x[:, None]
        return h, (c * h).sum(-1)

    return jax.lax.scan(step, jnp.zeros((32, 4)), x)[1]


@PROGRAMS.add(normal(1024), normal(5, 6), tolerance=1e-4)
def second_order_sections(x, sections):
    """scipy's sosfilt: a scan over filters of a scan over steps."""

    def section(x, c):
        b0, b1, b2, _, a1, a2 = c

        def step(z, x):
            y = b0 * x + z[0]
            return jnp.stack([b1 * x - 0.1 * a1 * y + z[1], b2 * x - 0.1 * a2 * y]), y

        return jax.lax.scan(step, jnp.zeros(2), x)[1], None

    return jax.lax.scan(section, x, sections)[0]


@PROGRAMS.add(normal(512), normal(4), normal(4), tolerance=1e-4)
def lfilter(x, b, a):
    def step(z, x):
        y = b[0] * x + z[0]
        return jnp.append(z[1:], 0.0) + b[1:] * x - 0.2 * a[1:] * y, y

    return jax.lax.scan(step, jnp.zeros(3), x)[1]


@PROGRAMS.add(normal(300), tolerance=1e-4)
def comb_filter(x):
    """An echo, by a buffer of 37 samples."""

    def step(buffer, x):
        y = x + 0.7 * buffer[-1]
        return jnp.concatenate([y[None], buffer[:-1]]), y

    return jax.lax.scan(step, jnp.zeros(37), x)[1]


@PROGRAMS.add(normal(512, 4))
def cusum(x):
    """Changes of a mean: sums that stop at 0 from both sides."""

    def step(carry, x):
        high, low = jnp.maximum(0, carry[0] + x - 0.5), jnp.minimum(0, carry[1] + x + 0.5)
        return (high, low), (high > 5) | (low < -5)

    return jax.lax.scan(step, (jnp.zeros(4), jnp.zeros(4)), x)[1]


@PROGRAMS.add(normal(256, 16))
def running_normalization(x):
    def step(carry, x):
        mean, variance = carry
        d = x - mean
        mean, variance = mean + 0.1 * d, 0.9 * (variance + 0.1 * d * d)
        return (mean, variance), (x - mean) / jnp.sqrt(variance + 1e-5)

    return jax.lax.scan(step, (jnp.zeros(16), jnp.ones(16)), x)[1]


@PROGRAMS.add(
    normal(2, 4, 128, 16), normal(2, 4, 128, 16), normal(2, 4, 128, 16), normal(2, 4, 128, 16), tolerance=1e-4
)
def gated_linear_attention_loop(q, k, v, gk):
    """A loop over the second last axis, as in the reference code of kernels."""
    gk = jax.nn.log_sigmoid(gk) / 16
    q = q * 16**-0.5

    def body(i, carry):
        o, h = carry
        kv = k[:, :, i, :, None] * v[:, :, i, None, :]
        h = h * jnp.exp(gk[:, :, i])[..., None] + kv
        o = o.at[:, :, i].set((q[:, :, i, :, None] * h).sum(-2))
        return o, h

    return jax.lax.fori_loop(0, 128, body, (jnp.zeros((2, 4, 128, 16)), jnp.zeros((2, 4, 16, 16))))


@PROGRAMS.add(
    normal(STEPS, 16),
    uniform(32, low=0.1),
    normal(32),
    normal(32, 16),
    normal(32, 16),
    normal(16, 32),
    normal(16, 32),
    normal(16),
    uniform(32, low=0.01, high=0.1),
    tolerance=1e-4,
)
def s5_zero_order_hold(u, re, im, b_re, b_im, c_re, c_im, d, step):
    """S5 as its code has it: discretized, with an associative scan over complex numbers."""
    lam = -re + 1j * im
    bt = b_re + 1j * b_im
    ct = c_re + 1j * c_im
    lam_bar = jnp.exp(lam * step)
    b_bar = (1 / lam * (lam_bar - 1))[..., None] * bt
    elements = lam_bar * jnp.ones((u.shape[0], lam.shape[0]))
    bu = jax.vmap(lambda u: b_bar @ u)(u)

    def binary_operator(q_i, q_j):
        a_i, b_i = q_i
        a_j, b_j = q_j
        return a_j * a_i, a_j * b_i + b_j

    _, xs = jax.lax.associative_scan(binary_operator, (elements, bu))
    ys = jax.vmap(lambda x: 2 * (ct @ x).real)(xs)
    return ys + jax.vmap(lambda u: d * u)(u)


@PROGRAMS.add(normal(128, 8), uniform(8, 16), normal(8, 16), normal(16), normal(8), tolerance=1e-4)
def state_space_with_skip(u, a, b, c, d):
    """A diagonal state space whose steps add the input to what they read."""
    a = jnp.exp(-a)

    def step(h, u):
        h = a * h + b * u[:, None]
        return h, h @ c + d * u

    return jax.lax.scan(step, jnp.zeros((8, 16)), u)[1]


@PROGRAMS.add(normal(4, 512), normal(7), normal(7), tolerance=1e-4)
def direct_form_two(x, b, a):
    """Filters of sixth order by registers, for a batch."""
    a = a / 10

    def one(x):
        def step(z, x):
            w = x - jnp.dot(a[1:], z)
            y = b[0] * w + jnp.dot(b[1:], z)
            return jnp.concatenate([jnp.array([w]), z[:-1]]), y

        return jax.lax.scan(step, jnp.zeros(6), x)[1]

    return jax.vmap(one)(x)


@PROGRAMS.add(normal(512), uniform(512, low=0.05, high=0.4), tolerance=1e-4)
def swept_filter(x, g):
    """A state variable filter whose cutoff moves."""

    def step(s, t):
        x, g = t
        a = 1 / (1 + g * (g + 1.4))
        v3 = x - s[1]
        v1 = a * s[0] + a * g * v3
        v2 = s[1] + g * v1
        return jnp.stack([2 * v1 - s[0], 2 * v2 - s[1]]), v2

    return jax.lax.scan(step, jnp.zeros(2), (x, g))[1]


@PROGRAMS.add(normal(100, 2), tolerance=1e-4)
def kalman_constant_model(z):
    """A Kalman filter whose gains depend on constants only."""
    f = jnp.array([[1.0, 0.1], [0, 1.0]])
    q, r = 0.01 * jnp.eye(2), 0.5
    h = jnp.array([[1.0, 0.0]])

    def step(c, z):
        x, p = c
        x = f @ x
        p = f @ p @ f.T + q
        s = (h @ p @ h.T)[0, 0] + r
        k = p @ h.T / s
        x = x + k @ (z[:1] - h @ x)
        p = (jnp.eye(2) - k @ h) @ p
        return (x, p), x

    return jax.lax.scan(step, (jnp.zeros(2), jnp.eye(2)), z)[1]


@PROGRAMS.add(normal(256))
def local_level(y):
    """The Kalman filter of a random walk, on numbers."""

    def step(carry, y):
        m, p = carry
        p = p + 0.1
        k = p / (p + 0.5)
        m = m + k * (y - m)
        p = (1 - k) * p
        return (m, p), (m, p)

    return jax.lax.scan(step, (0.0, 10.0), y)[1]


@PROGRAMS.add(*[normal(128, 4, 16) for _ in range(6)], tolerance=1e-4)
def rwkv7(r, w, k, v, a, kk):
    """The generalized delta rule."""
    w = jnp.exp(-0.606531 * jax.nn.sigmoid(w))
    kk = kk / jnp.maximum(jnp.linalg.norm(kk, axis=-1, keepdims=True), 1e-12)
    a = jax.nn.sigmoid(a)
    k = k * (1 + (a - 1) * 0.5)

    def step(s, t):
        r, w, k, v, kk, a = t
        s = s * w[:, None, :] - (s @ kk[:, :, None]) * (kk * a)[:, None, :] + v[:, :, None] * k[:, None, :]
        return s, (s @ r[:, :, None])[..., 0]

    return jax.lax.scan(step, jnp.zeros((4, 16, 16)), (r, w, k, v, kk, a))[1]
