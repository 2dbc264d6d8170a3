# SPDX-License-Identifier: Apache-2.0
"""Whole training steps: losses, gradients, dropout keys, batch statistics, optimisers, mixed precision."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax import nnx

from table import f32, i32, key
from zoo import filled, leaves, model


def parameters(net, *arguments, **options):
    return filled(
        jax.eval_shape(
            lambda *a: net.init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, *a, **options), *arguments
        )
    )


class Convolutional(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        for width in (8, 16):
            x = nn.Conv(width, (3, 3), use_bias=False)(x)
            x = nn.relu(nn.BatchNorm(use_running_average=not train)(x))
            x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.Dropout(0.3, deterministic=not train)(x.reshape(x.shape[0], -1))
        return nn.Dense(5)(x)


def step_of(net, variables, optimizer, loss_of):
    """A step that returns the loss, the new parameters and the new statistics."""
    state = optimizer.init(variables["params"])
    rest = {k: v for k, v in variables.items() if k != "params"}

    def step(x, y, k):
        def loss(params):
            out, changed = net.apply({"params": params, **rest}, x, True, rngs={"dropout": k}, mutable=list(rest))
            return loss_of(out, y), changed

        (value, changed), gradients = jax.value_and_grad(loss, has_aux=True)(variables["params"])
        updates, _ = optimizer.update(gradients, state, variables["params"])
        return value, optax.apply_updates(variables["params"], updates), changed

    return leaves(step)


def cross_entropy(out, y):
    return optax.softmax_cross_entropy_with_integer_labels(out, y).mean()


optimizers = {
    "sgd_momentum": lambda: optax.sgd(0.1, 0.9, nesterov=True),
    "adamw_clipped": lambda: optax.chain(
        optax.clip_by_global_norm(1.0), optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 1e-2, 5, 50))
    ),
    "lion": lambda: optax.lion(1e-3),
    "accumulated": lambda: optax.MultiSteps(optax.adam(1e-3), 2),
}
for name, create in optimizers.items():

    @model("convolutional_" + name, f32(4, 8, 8, 3), i32(4).between(0, 4), key(3), rtol=5e-3, atol=1e-3)
    def build(create=create):
        net = Convolutional()
        return step_of(net, parameters(net, np.zeros((4, 8, 8, 3), "f4"), train=True), create(), cross_entropy)


@model("convolutional_batch", f32("B", 8, 8, 3), i32("B").between(0, 4), key(3), rtol=5e-3, atol=1e-3)
def convolutional_batch():
    net = Convolutional()
    return step_of(net, parameters(net, np.zeros((4, 8, 8, 3), "f4"), train=True), optax.adam(1e-3), cross_entropy)


class Language(nn.Module):
    dtype: str = "float32"

    @nn.compact
    def __call__(self, tokens, train):
        x = nn.Embed(32, 16, dtype=self.dtype)(tokens) + nn.Embed(8, 16, dtype=self.dtype)(jnp.arange(tokens.shape[1]))
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            y = nn.LayerNorm(dtype=self.dtype)(x)
            x = x + nn.MultiHeadDotProductAttention(2, dtype=self.dtype, dropout_rate=0.1, deterministic=not train)(
                y, y, mask=mask
            )
            y = nn.Dense(32, dtype=self.dtype)(nn.LayerNorm(dtype=self.dtype)(x))
            x = x + nn.Dropout(0.1, deterministic=not train)(nn.Dense(16, dtype=self.dtype)(nn.gelu(y)))
        return nn.Dense(32, dtype=self.dtype)(nn.LayerNorm(dtype=self.dtype)(x)).astype(jnp.float32)


def next_token(out, y):
    return optax.softmax_cross_entropy_with_integer_labels(out[:, :-1], y[:, 1:]).mean()


for dtype, tolerance in {"float32": 5e-3, "bfloat16": 6e-2}.items():

    @model(
        "language_" + dtype,
        i32("B", 8).between(0, 31),
        i32("B", 8).between(0, 31),
        key(4),
        rtol=tolerance,
        atol=tolerance,
    )
    def language(dtype=dtype):
        net = Language(dtype)
        return step_of(net, parameters(net, np.zeros((2, 8), "i4"), train=True), optax.adamw(1e-3), next_token)


@model("loss_scaled_float16", f32(4, 6), f32(4, 3), rtol=2e-2, atol=2e-2)
def loss_scaled():
    w = jnp.asarray(np.random.default_rng(0).normal(size=(6, 3)).astype("f4"))

    def step(x, y):
        def loss(w):
            out = x.astype(jnp.float16) @ w.astype(jnp.float16)
            return jnp.mean((out.astype(jnp.float32) - y) ** 2) * 1024

        value, g = jax.value_and_grad(loss)(w)
        g = g / 1024
        finite = jnp.isfinite(g).all()
        return value / 1024, jnp.where(finite, w - 0.1 * g, w), jnp.where(finite, 2048.0, 512.0)

    return leaves(step)


@model("gan_step", f32("B", 4), f32("B", 6), rtol=5e-3, atol=1e-3)
def gan():
    rng = np.random.default_rng(1)
    g, d = (
        [jnp.asarray(rng.normal(size=s).astype("f4") * 0.3) for s in shapes]
        for shapes in (((4, 16), (16, 6)), ((6, 16), (16, 1)))
    )
    generator = lambda w, z: jnp.tanh(jax.nn.leaky_relu(z @ w[0], 0.2) @ w[1])
    critic = lambda w, x: (jax.nn.leaky_relu(x @ w[0], 0.2) @ w[1])[:, 0]

    def step(z, x):
        def penalty(w):
            slope = jax.vmap(jax.grad(lambda x: critic(w, x[None])[0]))(x)
            return jnp.mean((jnp.linalg.norm(slope, axis=-1) - 1) ** 2)

        critic_loss = lambda w: (
            (jax.nn.softplus(critic(w, generator(g, z))) + jax.nn.softplus(-critic(w, x))).mean() + penalty(w)
        )
        return jax.value_and_grad(critic_loss)(d), jax.value_and_grad(
            lambda w: jax.nn.softplus(-critic(d, generator(w, z))).mean()
        )(g)

    return leaves(step)


@model("contrastive_step", f32("B", 6), f32("B", 6), rtol=5e-3, atol=1e-3)
def contrastive():
    w = jnp.asarray(np.random.default_rng(2).normal(size=(6, 4)).astype("f4"))

    def loss(w, a, b):
        a, b = (x / jnp.linalg.norm(x, axis=-1, keepdims=True) for x in (a @ w, b @ w))
        logits = a @ b.T / 0.07
        labels = jnp.arange(a.shape[0])
        return (
            optax.softmax_cross_entropy_with_integer_labels(logits, labels)
            + optax.softmax_cross_entropy_with_integer_labels(logits.T, labels)
        ).mean()

    return leaves(lambda a, b: jax.value_and_grad(loss)(w, a, b))


@model("ppo_step", f32("B", 4), i32("B").between(0, 2), f32("B"), f32("B"), f32("B"), rtol=5e-3, atol=1e-3)
def ppo():
    class Agent(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.tanh(nn.Dense(16)(x))
            return nn.Dense(3)(x), nn.Dense(1)(x)[..., 0]

    net = Agent()
    params = parameters(net, np.zeros((1, 4), "f4"))
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(3e-4, eps=1e-5))

    def step(x, action, advantage, target, old):
        def loss(params):
            logits, value = net.apply(params, x)
            log = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
            ratio = jnp.exp(log - old * 0.1)
            scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            actor = -jnp.minimum(ratio * scaled, jnp.clip(ratio, 0.8, 1.2) * scaled).mean()
            entropy = -(jax.nn.softmax(logits) * jax.nn.log_softmax(logits)).sum(-1).mean()
            return actor + 0.5 * jnp.square(value - target).mean() - 0.01 * entropy

        value, gradients = jax.value_and_grad(loss)(params)
        return value, optimizer.update(gradients, optimizer.init(params), params)[0]

    return leaves(step)


@model("diffusion_step", f32("B", 8, 8, 1), key(5), rtol=5e-3, atol=1e-3)
def diffusion():
    class Denoiser(nn.Module):
        @nn.compact
        def __call__(self, x, t):
            e = nn.Dense(8)(jnp.stack([jnp.sin(t), jnp.cos(t)], -1))
            h = nn.silu(nn.GroupNorm(2)(nn.Conv(8, (3, 3))(x) + e[:, None, None]))
            return nn.Conv(1, (3, 3))(h)

    net = Denoiser()
    params = parameters(net, np.zeros((1, 8, 8, 1), "f4"), np.zeros(1, "f4"))
    alphas = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, 100))

    def step(x, k):
        a, b = jax.random.split(k)
        t = jax.random.randint(a, (x.shape[0],), 0, 100)
        noise = jax.random.normal(b, x.shape)
        alpha = alphas[t][:, None, None, None]
        noisy = jnp.sqrt(alpha) * x + jnp.sqrt(1 - alpha) * noise
        return jax.value_and_grad(lambda p: jnp.mean((net.apply(p, noisy, t / 100.0) - noise) ** 2))(params)

    return leaves(step)


@model("epoch_scan", f32(6, 4, 3), f32(6, 4), rtol=5e-3, atol=1e-3)
def epoch():
    optimizer = optax.adam(0.05)
    w = jnp.zeros(3)

    def run(xs, ys):
        def one(carry, batch):
            w, state = carry
            value, g = jax.value_and_grad(lambda w: jnp.mean((batch[0] @ w - batch[1]) ** 2))(w)
            updates, state = optimizer.update(g, state)
            return (optax.apply_updates(w, updates), state), value

        (w_new, _), losses = jax.lax.scan(one, (w, optimizer.init(w)), (xs, ys))
        return w_new, losses

    return leaves(run)


@model("maml", f32(3, 5, 2), f32(3, 5), rtol=5e-3, atol=1e-3)
def maml():
    loss = lambda w, x, y: jnp.mean((jnp.tanh(x @ w) - y) ** 2)

    def outer(w, xs, ys):
        adapted = jax.vmap(lambda x, y: w - 0.1 * jax.grad(loss)(w, x, y))(xs, ys)
        return jax.vmap(loss)(adapted, xs, ys).mean()

    return leaves(lambda xs, ys: jax.value_and_grad(outer)(jnp.ones(2), xs, ys))


@model("per_example_clipping", f32("B", 4), i32("B").between(0, 2), key(6), rtol=5e-3, atol=1e-3)
def private():
    w = jnp.asarray(np.random.default_rng(3).normal(size=(4, 3)).astype("f4"))

    def step(x, y, k):
        g = jax.vmap(jax.grad(lambda w, x, y: cross_entropy((x @ w)[None], y[None])), (None, 0, 0))(w, x, y)
        norms = jnp.sqrt((g**2).sum((1, 2)))
        clipped = (g * jnp.minimum(1, 1 / norms)[:, None, None]).sum(0)
        return clipped + 0.1 * jax.random.normal(k, w.shape)

    return leaves(step)


@model("nnx_dropout_step", f32(4, 6), f32(4, 3), key(7), rtol=5e-3, atol=1e-3)
def nnx_dropout():
    class Net(nnx.Module):
        def __init__(self, rngs):
            self.a, self.b = nnx.Linear(6, 8, rngs=rngs), nnx.Linear(8, 3, rngs=rngs)
            self.drop, self.norm = nnx.Dropout(0.4), nnx.BatchNorm(8, rngs=rngs)

        def __call__(self, x, k):
            return self.b(self.drop(nnx.relu(self.norm(self.a(x))), rngs=nnx.Rngs(dropout=k)))

    net = Net(nnx.Rngs(0))
    graph, params, rest = nnx.split(net, nnx.Param, ...)

    def step(x, y, k):
        def loss(params):
            net = nnx.merge(graph, params, rest, copy=True)
            value = ((net(x, k) - y) ** 2).mean()
            return value, nnx.state(net, nnx.BatchStat)

        return jax.value_and_grad(loss, has_aux=True)(params)

    return leaves(step)


@model("ema_and_schedule", f32(4), i32(), rtol=1e-3, atol=1e-4)
def ema():
    schedules = [
        optax.cosine_decay_schedule(0.1, 100, 0.01),
        optax.piecewise_constant_schedule(0.1, {3: 0.5, 6: 0.1}),
        optax.linear_onecycle_schedule(100, 0.1),
        optax.exponential_decay(0.1, 10, 0.9, staircase=True),
        optax.polynomial_schedule(0.1, 0.01, 2, 50),
        optax.sgdr_schedule([dict(init_value=0.0, peak_value=0.1, decay_steps=10, warmup_steps=2, end_value=0.01)] * 2),
    ]
    average = optax.ema(0.9)
    return leaves(lambda x, step: ([s(jnp.abs(step)) for s in schedules], average.update(x, average.init(x))))
