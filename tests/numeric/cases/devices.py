# SPDX-License-Identifier: Apache-2.0
"""Programs of several devices: every device computes its part, and collectives exchange data."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from table import arr, c64, case, f32, i32


@functools.cache
def mesh(*sizes):
    return jax.make_mesh(sizes, ("x", "y")[: len(sizes)], axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))


def mapped(f, in_specs=P("x"), out_specs=P("x"), sizes=(4,), **options):
    return lambda *args: jax.shard_map(f, mesh=mesh(*sizes), in_specs=in_specs, out_specs=out_specs, **options)(*args)


def own(x):
    """A number that differs between devices."""
    return lax.axis_index("x").astype(x.dtype)


# Collectives
case("psum", "sum", mapped(lambda x: x / lax.psum(x, "x")), f32(8, 3))
case("psum", "of_what_is_the_same", mapped(lambda x: x + lax.psum(jnp.float32(2), "x")), f32(4))
case("psum", "one_of_two", mapped(lambda x: lax.psum(x, "y"), P("x", "y"), P("x"), (2, 4)), f32(4, 8))
case("psum", "both", mapped(lambda x: lax.psum(x, ("x", "y")), P("x", "y"), P(), (2, 4)), f32(4, 8))
case("psum", "groups", mapped(lambda x: lax.psum(x, "x", axis_index_groups=[[0, 2], [3, 1]]), check_vma=False), f32(8))
case("psum", "complex", mapped(lambda x: x - lax.pmean(x, "x")), c64(4, 2))
case("pmax", "and_pmin", mapped(lambda x: lax.pmax(x, "x") - lax.pmin(x, "x"), out_specs=P()), f32(8, 3))
case(
    "axis_index",
    "of_two",
    mapped(lambda x: x + lax.axis_index(("x", "y")), P("x", "y"), P("x", "y"), (2, 4)),
    i32(2, 4),
)
case("all_gather", "stacked", mapped(lambda x: lax.all_gather(x, "x", axis=1), check_vma=False), f32(8, 3))
case(
    "all_gather", "tiled", mapped(lambda x: lax.all_gather(x, "x", axis=1, tiled=True), P(None, "x"), P("x")), f32(2, 8)
)
case(
    "all_gather",
    "of_both_reversed",
    mapped(lambda x: lax.all_gather(x, ("y", "x"), tiled=True), P("x", "y"), P("x", "y"), (2, 4)),
    f32(4, 8),
)
for split, join in [(0, 1), (1, 0), (1, 1), (0, 2)]:
    case(
        "all_to_all",
        f"from_{split}_to_{join}",
        mapped(lambda x, s=split, j=join: lax.all_to_all(x, "x", s, j, tiled=True)),
        f32(16, 4, 3),
    )
case(
    "reduce_scatter",
    "sums",
    mapped(lambda x: lax.psum_scatter(x, "x", scatter_dimension=1), P(None, "x"), P("x")),
    f32(3, 16),
)
case("reduce_scatter", "tiles", mapped(lambda x: lax.psum_scatter(x, "x", tiled=True)), f32(16, 3))
case("ppermute", "rotation", mapped(lambda x: lax.ppermute(x, "x", [(i, (i + 1) % 4) for i in range(4)])), f32(8, 3))
case("ppermute", "some_send_nothing", mapped(lambda x: lax.ppermute(x, "x", [(3, 0), (1, 2)])), i32(8))
case("ppermute", "reversal", mapped(lambda x: lax.pshuffle(x, "x", [3, 2, 1, 0])), f32(4, 2))

# Differences between devices in primitives without native support for leading axes
case(
    "dot_general",
    "both_differ",
    mapped(lambda x, y: x @ y.T, (P("x"), P("y")), P("x", "y"), (2, 4)),
    f32(4, 3),
    f32(8, 3),
)
case(
    "dot_general",
    "sharded_contraction",
    mapped(lambda x, y: lax.psum(x @ y, "x"), (P(None, "x"), P("x")), P()),
    f32(3, 8),
    f32(8, 5),
)
case(
    "dot_general",
    "batches",
    mapped(lambda x, y: jnp.einsum("bij,bkj->bik", x * own(x), y), (P(), P("x", None)), P("x"), check_vma=False),
    f32(2, 3, 4),
    f32(8, 5, 4),
)
case("gather", "indices_differ", mapped(lambda i, t: t[i], (P("x"), P())), i32(8).between(0, 5), f32(6, 3))
case("gather", "table_differs", mapped(lambda t, i: t[:, i], (P("x"), P())), f32(8, 6), i32(3).between(0, 5))
case("gather", "both_differ", mapped(lambda t, i: t[i], (P("x"), P("x"))), f32(12, 2), i32(8).between(0, 2))
case("scatter", "both_differ", mapped(lambda t, i: t.at[i].set(7), (P("x"), P("x"))), f32(12, 2), i32(8).between(0, 2))
case(
    "scatter-add",
    "same_indices",
    mapped(lambda t, i: t.at[i].add(1 + own(t)), (P("x"), P())),
    f32(12),
    i32(4).between(0, 2),
)
case(
    "dynamic_slice",
    "starts_differ",
    mapped(lambda x: lax.dynamic_slice(x, (lax.axis_index("x"), 0), (2, 3)), P()),
    f32(6, 3),
)
case(
    "dynamic_slice",
    "array_differs",
    mapped(lambda x, i: lax.dynamic_slice(x, (i,), (2,)), (P("x"), P())),
    f32(16),
    i32(),
)
case(
    "dynamic_update_slice",
    "starts_differ",
    mapped(lambda x, u: lax.dynamic_update_slice(x, u, (lax.axis_index("x"),)), (P(), P("x")), P("x")),
    f32(6),
    f32(8),
)
case(
    "conv_general_dilated",
    "images_differ",
    mapped(lambda x, w: lax.conv(x, w, (1, 1), "SAME"), (P("x"), P())),
    f32(8, 3, 5, 5),
    f32(4, 3, 3, 3),
)
case(
    "conv_general_dilated",
    "kernels_differ",
    mapped(lambda x, w: lax.conv(x, w, (1, 1), "SAME"), (P(), P("x")), P(None, "x")),
    f32(2, 3, 5, 5),
    f32(8, 3, 3, 3),
)
case(
    "conv_general_dilated",
    "both_differ",
    mapped(lambda x, w: lax.conv(x, w, (1, 1), "SAME"), (P("x"), P("x"))),
    f32(4, 3, 5, 5),
    f32(8, 3, 3, 3),
)
case("sort", "rows", mapped(lambda x: jnp.sort(x, axis=-1)), f32(8, 5))
case(
    "reduce_window_max",
    "pools",
    mapped(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 2), "VALID")),
    f32(8, 4),
)
case("pad", "edges", mapped(lambda x: jnp.pad(x, ((0, 1), (2, 0)))), f32(4, 3))
case("triangular_solve", "systems", mapped(lambda x: jnp.linalg.solve(jnp.eye(3) * (2 + own(x)), x)), f32(12))
case(
    "random_bits",
    "keys_differ",
    mapped(
        lambda x: x + jax.random.uniform(jax.random.fold_in(jax.random.key(0), lax.axis_index("x")), (2,)),
        check_vma=False,
    ),
    f32(8),
)

# Loops, branches, calls
case(
    "scan",
    "carry_begins_to_differ",
    mapped(lambda x: lax.scan(lambda c, v: (c + own(v), c * v), jnp.float32(1), x)[1], check_vma=False),
    f32(12),
)
case(
    "scan",
    "ring",
    mapped(
        lambda x: lax.fori_loop(0, 4, lambda i, c: lax.ppermute(c, "x", [(j, (j + 1) % 4) for j in range(4)]) + x, x)
    ),
    f32(8),
)
case(
    "while",
    "counts_differ",
    mapped(
        lambda x: lax.while_loop(lambda c: c[0].sum() < 5, lambda c: (c[0] + 1, c[1] * 2), (x, x))[1], check_vma=False
    ),
    f32(4).between(0, 4),
)
case(
    "cond",
    "choices_differ",
    mapped(lambda x: lax.cond(lax.axis_index("x") < 2, jnp.sin, lambda v: v * 2, x), check_vma=False),
    f32(8),
)
case(
    "cond",
    "same_choice",
    mapped(
        lambda x, p: lax.cond(p > 0, lambda v: lax.psum(v, "x") + v, lambda v: v, x), (P("x"), P()), check_vma=False
    ),
    f32(8),
    i32(),
)
case("custom_jvp_call", "gelu", mapped(lambda x: jax.nn.gelu(jax.nn.relu(x))), f32(8))
case(
    "shard_map",
    "in_shard_map",
    lambda x: jax.shard_map(
        lambda v: (
            jax.shard_map(
                lambda u: u + lax.axis_index("y"), in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"}
            )(v)
            * own(v)
        ),
        mesh=mesh(2, 4),
        in_specs=P("x"),
        out_specs=P("x"),
        axis_names={"x"},
    )(x),
    f32(4, 8),
)
case(
    "shard_map",
    "pmap",
    lambda x, y: jax.pmap(lambda a, b: a + lax.psum(b, "i"), axis_name="i", in_axes=(0, 1), out_axes=1)(x, y),
    f32(4, 3),
    f32(3, 4),
)
case(
    "shard_map",
    "gradient",
    jax.grad(lambda w, x: jnp.sum(mapped(lambda w, x: jnp.tanh(x @ w), (P(), P("x")))(w, x) ** 2)),
    f32(3, 2),
    f32(8, 3),
)
case("shard_map", "symbolic", mapped(lambda x: x - lax.pmean(x, "x"), P("x"), P("x")), f32(4, "B"))


# Whole programs
def two_layers(x, w, b, v):
    """Columns of the first matrix and rows of the second on each device."""
    return lax.psum(jax.nn.gelu(x @ w + b) @ v, "x")


def heads_apart(x, q, k, v, o):
    """Attention with some of the heads on each device."""

    def split(y):
        return y.reshape(y.shape[0], 2, -1).transpose(1, 0, 2)

    scores = split(x @ q) @ split(x @ k).transpose(0, 2, 1)
    mixed = (jax.nn.softmax(scores) @ split(x @ v)).transpose(1, 0, 2).reshape(x.shape[0], -1)
    return x + lax.psum(mixed @ o, "x")


def ring_attention(q, k, v):
    """The keys are passed around a ring; sums are rescaled when the maximum grows."""
    turn = [(i, (i + 1) % 4) for i in range(4)]

    def step(carry, _):
        best, total, mixed, k, v = carry
        scores = q @ k.T
        next_best = jnp.maximum(best, scores.max(-1, keepdims=True))
        weights, kept = jnp.exp(scores - next_best), jnp.exp(best - next_best)
        total, mixed = total * kept + weights.sum(-1, keepdims=True), mixed * kept + weights @ v
        return (next_best, total, mixed, lax.ppermute(k, "x", turn), lax.ppermute(v, "x", turn)), None

    start = (jnp.full((q.shape[0], 1), -jnp.inf), jnp.zeros((q.shape[0], 1)), jnp.zeros_like(q), k, v)
    (_, total, mixed, _, _), _ = lax.scan(step, start, None, length=4)
    return mixed / total


def pipeline(w, x):
    """A layer on each device; a part of the batch enters in every step."""
    stage = lax.axis_index("x")

    def step(carry, t):
        y, out = carry
        y = jnp.tanh(jnp.where(stage == 0, x[jnp.minimum(t, 4)], y) @ w[0])
        last = (stage == 3) & (t >= 3)
        out = jnp.where(last, lax.dynamic_update_index_in_dim(out, y, jnp.maximum(t - 3, 0), 0), out)
        return (lax.ppermute(y, "x", [(i, (i + 1) % 4) for i in range(4)]), out), None

    (_, out), _ = lax.scan(step, (jnp.zeros_like(x[0]), jnp.zeros_like(x)), jnp.arange(8))
    return lax.psum(jnp.where(stage == 3, out, 0), "x")


def pipeline_of(stage, turns=True):
    """A part of the batch enters in every step; the last device keeps its results, row by row."""

    def run(weights, x):
        device, (parts, *_) = lax.axis_index("x"), x.shape
        turn = [(i, (i + 1) % 4) for i in range(4 if turns else 3)]

        def step(t, carry):
            y, out = carry
            y = stage(weights[0], jnp.where(device == 0, x[jnp.minimum(t, parts - 1)], y))
            row = jnp.maximum(t - 3, 0)
            out = out.at[row].set(jnp.where((device == 3) & (t >= 3), y, out[row]))
            return lax.ppermute(y, "x", turn), out

        _, out = lax.fori_loop(0, parts + 3, step, (jnp.zeros_like(x[0]), jnp.zeros_like(x)))
        return lax.psum(jnp.where(device == 3, out, 0), "x")

    return run


def stacked_pipeline(w, x):
    """All devices stack their results; only those of the last one are used."""
    device = lax.axis_index("x")

    def step(y, part):
        y = jnp.tanh(jnp.where(device == 0, part, y) @ w[0])
        return lax.ppermute(y, "x", [(i, (i + 1) % 4) for i in range(4)]), y

    return lax.scan(step, jnp.zeros_like(x[0]), jnp.concatenate([x, x[:3]]))[1][None, 3:]


def unrolled_pipeline(collect):
    """The pipeline with steps that Python unrolls; `collect` extracts the last device's results from all results."""

    def run(w, x):
        device, y, results = lax.axis_index("x"), jnp.zeros_like(x[0]), []
        for t in range(len(x) + 3):
            y = jnp.where(device == 0, x[t], y) if t < len(x) else y
            y = residual(w[0], y)
            results.append(y)
            y = lax.ppermute(y, "x", [(i, (i + 1) % 4) for i in range(4)])
        return collect(device, results[3:])

    return run


def pipeline_of_documentation(layers):
    """The pipeline of JAX's documentation: parts and results go around all devices; each has several layers."""

    def run(w, b, x):
        device, stages, parts = lax.axis_index("x"), 4, len(x)
        state, out = (jnp.full((layers // stages, *x.shape[1:]), jnp.nan), jnp.full_like(x, jnp.nan))

        def turned(v):
            return lax.ppermute(v, "x", [(i, (i + 1) % stages) for i in range(stages)])

        for t in range(parts * stages + layers - 1):
            row = (t - layers + 1) % parts
            state = state.at[0].set(jnp.where(device == 0, x[t % parts], state[0]))
            state = jax.vmap(lambda w, b, v: jnp.tanh(v @ w + b))(w, b, state)
            out = out.at[row].set(jnp.where(device == stages - 1, state[-1], out[row]))
            state = jnp.roll(state, 1, axis=0).at[0].set(turned(state[-1]))
            x = turned(x) if t % parts == parts - 1 else x
            out = turned(out) if row == parts - 1 else out
        return turned(out)

    return run


def residual(w, x):
    centered = x - x.mean(-1, keepdims=True)
    return x + jax.nn.relu(centered @ w)


def training_step(w, b, x, y):
    loss, (dw, db) = jax.value_and_grad(lambda p: jnp.mean((jax.nn.relu(x @ p[0] + p[1]) - y) ** 2))((w, b))
    return lax.pmean(loss, "x"), w - lax.pmean(dw, "x"), b - lax.psum(db, "x")


columns, rows = P(None, "x"), P("x")
case(
    "programs",
    "two_layers",
    mapped(two_layers, (P(), columns, rows, rows), P()),
    f32(2, 3, 4),
    f32(4, 8),
    f32(8),
    f32(8, 5),
)
case(
    "programs",
    "heads",
    mapped(heads_apart, (P(), columns, columns, columns, rows), P()),
    f32(5, 4),
    *(f32(4, 16) for _ in range(3)),
    f32(16, 4),
)
attention_of_ring = mapped(ring_attention, (rows, rows, rows), check_vma=False)
case("programs", "ring_attention", attention_of_ring, f32(12, 4), f32(12, 4), f32(12, 4))
odd_keys = np.random.default_rng(0).normal(size=(12, 4)).astype("float32")
odd_keys[5] = np.nan
case("programs", "ring_attention_nan", attention_of_ring, f32(12, 4), arr(odd_keys), f32(12, 4))
case("programs", "pipeline", mapped(pipeline, (rows, P()), P(), check_vma=False), f32(4, 3, 3), f32(5, 2, 3))
case(
    "programs",
    "pipeline_with_residuals",
    mapped(pipeline_of(residual), (rows, P()), P(), check_vma=False),
    f32(4, 3, 3),
    f32(5, 2, 3),
)
case(
    "programs",
    "pipeline_that_does_not_turn",
    mapped(pipeline_of(lambda w, x: jnp.tanh(x @ w), turns=False), (rows, P()), P(), check_vma=False),
    f32(4, 3, 3),
    f32(5, 2, 3),
)
case(
    "programs",
    "pipeline_stacked",
    lambda w, x: mapped(stacked_pipeline, (rows, P()), rows, check_vma=False)(w, x)[-1],
    f32(4, 3, 3),
    f32(5, 2, 3),
)
for name, collect in {
    "unrolled": lambda device, y: lax.psum(jnp.stack([jnp.where(device == 3, v, 0) for v in y]), "x"),
    "unrolled_gathered": lambda device, y: lax.all_gather(jnp.concatenate(y), "x")[3],
    "unrolled_kept": lambda device, y: jnp.stack(y),  # the results of all devices are read
}.items():
    case(
        "programs",
        f"pipeline_{name}",
        mapped(unrolled_pipeline(collect), (rows, P()), rows if name == "unrolled_kept" else P(), check_vma=False),
        f32(4, 3, 3),
        f32(5, 2, 3),
    )
case(
    "programs",
    "pipeline_of_split_rows",
    mapped(
        lambda w, x: unrolled_pipeline(lambda device, y: lax.psum(jnp.where(device == 3, jnp.concatenate(y), 0), "x"))(
            w, jnp.split(x, 3)
        ),
        (rows, P()),
        P(),
        check_vma=False,
    ),
    f32(4, 3, 3),
    f32(6, 3),
)
for layers in (4, 8):
    case(
        "programs",
        f"pipeline_of_documentation_{layers}",
        mapped(pipeline_of_documentation(layers), (rows, rows, rows), rows, check_vma=False),
        f32(layers, 3, 3),
        f32(layers, 3),
        f32(8, 2, 3),
    )
case(
    "stack",
    "rows",
    mapped(lambda x, y: jnp.stack([x, y], 1), (rows, rows), rows, check_vma=False),
    f32(8, 3),
    f32(8, 3),
)
case("unstack", "columns", mapped(lambda x: jnp.unstack(x, axis=1)[1], rows, rows, check_vma=False), f32(8, 3))
case(
    "programs",
    "training_step",
    mapped(training_step, (P(), P(), rows, rows), P(), check_vma=False),
    f32(3, 5),
    f32(5),
    f32(8, 3),
    f32(8, 5),
)
