# SPDX-License-Identifier: Apache-2.0
"""Optax: losses and whole training steps, gradients included."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from table import f32, i32
from zoo import leaves, model

rng = np.random.default_rng(0)
params = {
    "a": rng.normal(size=(4, 8)).astype("f4") * 0.3,
    "b": np.zeros(8, "f4"),
    "c": rng.normal(size=(8, 3)).astype("f4") * 0.3,
}


def network(params, x):
    return jax.nn.relu(x @ params["a"] + params["b"]) @ params["c"]


def loss(params, x, labels):
    return optax.softmax_cross_entropy_with_integer_labels(network(params, x), labels).mean()


def training_step(optimizer):
    state = optimizer.init(params)

    def step(a, b, c, x, labels):
        weights = {"a": a, "b": b, "c": c}
        value, gradients = jax.value_and_grad(loss)(weights, x, labels)
        updates, new = optimizer.update(gradients, state, weights)
        return value, optax.apply_updates(weights, updates), new

    return leaves(step)


optimizers = {
    "sgd": lambda: optax.sgd(0.1),
    "momentum": lambda: optax.sgd(0.1, 0.9, nesterov=True),
    "adam": lambda: optax.adam(1e-2),
    "adamw": lambda: optax.adamw(1e-2),
    "adagrad": lambda: optax.adagrad(0.1),
    "rmsprop": lambda: optax.rmsprop(0.01, momentum=0.5),
    "lion": lambda: optax.lion(1e-3),
    "lamb": lambda: optax.lamb(1e-2),
    "lars": lambda: optax.lars(1e-2),
    "adafactor": lambda: optax.adafactor(1e-2),
    "nadam": lambda: optax.nadam(1e-2),
    "radam": lambda: optax.radam(1e-2),
    "adabelief": lambda: optax.adabelief(1e-2),
    "amsgrad": lambda: optax.amsgrad(1e-2),
    "novograd": lambda: optax.novograd(1e-2),
    "yogi": lambda: optax.yogi(1e-2),
    "sm3": lambda: optax.sm3(0.1),
    "noisy_sgd": lambda: optax.noisy_sgd(0.1),
    "fromage": lambda: optax.fromage(0.1),
    "rprop": lambda: optax.rprop(0.1),
    "adan": lambda: optax.adan(1e-2),
    "adadelta": lambda: optax.adadelta(0.1),
    "clipped_warmup": lambda: optax.chain(
        optax.clip_by_global_norm(0.5),
        optax.add_decayed_weights(1e-3),
        optax.scale_by_adam(),
        optax.scale_by_schedule(optax.warmup_cosine_decay_schedule(0.0, 1e-2, 10, 100)),
        optax.scale(-1),
    ),
    "lookahead_multi": lambda: optax.chain(
        optax.adaptive_grad_clip(0.1), optax.centralize(), optax.trace(0.9), optax.ema(0.9), optax.scale(-0.1)
    ),
    "multi_steps": lambda: optax.MultiSteps(optax.adam(1e-2), 3),
    "apply_if_finite": lambda: optax.apply_if_finite(optax.adam(1e-2), 3),
    "schedule_free": lambda: optax.contrib.schedule_free_adamw(1e-2),
    "prodigy": lambda: optax.contrib.prodigy(1.0),
    "muon": lambda: optax.contrib.muon(1e-2),
}
for name in optimizers:

    @model(name, f32(4, 8), f32(8), f32(8, 3), f32(5, 4), i32(5).between(0, 2), rtol=1e-3, atol=1e-4)
    def step(name=name):
        return training_step(optimizers[name]())


@model("losses", f32("B", 5), f32("B", 5).between(0, 1))
def losses():
    def all_of(x, y):
        return (
            optax.l2_loss(x, y),
            optax.huber_loss(x, y),
            optax.sigmoid_binary_cross_entropy(x, y),
            optax.softmax_cross_entropy(x, y),
            optax.cosine_similarity(x, y + 1),
            optax.log_cosh(x, y),
            optax.kl_divergence(jax.nn.log_softmax(x), jax.nn.softmax(y)),
            optax.hinge_loss(x, 2 * y - 1),
            optax.losses.poly_loss_cross_entropy(x, y),
            optax.squared_error(x, y),
            optax.sigmoid_focal_loss(x, jnp.round(y)),
        )

    return leaves(all_of)


@model("ctc_loss", f32(2, 6, 5), i32(2, 3).between(1, 4))
def ctc():
    return leaves(lambda logits, labels: optax.ctc_loss(logits, jnp.zeros((2, 6)), labels, jnp.zeros((2, 3))))


@model("projections", f32(6))
def projections():
    return leaves(
        lambda x: (
            optax.projections.projection_simplex(x),
            optax.projections.projection_l1_ball(x, 1.0),
            optax.projections.projection_l2_ball(x, 1.0),
            optax.projections.projection_box(x, -0.5, 0.5),
        )
    )


@model("lbfgs_step", f32(4), rtol=5e-3, atol=1e-3)
def lbfgs():
    def step(x):
        value = lambda x: jnp.sum((x - 1) ** 4) + jnp.sum(x**2)
        solver = optax.lbfgs()
        state = solver.init(x)
        for _ in range(2):
            v, g = optax.value_and_grad_from_state(value)(x, state=state)
            updates, state = solver.update(g, state, x, value=v, grad=g, value_fn=value)
            x = optax.apply_updates(x, updates)
        return x

    return leaves(step)
