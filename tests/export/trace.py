#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Saves a few functions with examples/export.py and the installed JAX: trace.py DIR.

scripts/test-export runs it with the oldest and the newest JAX, then compare.py.
"""

import os
import pathlib
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")
root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "examples"), str(root / "tests/numeric")]

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.sparse import BCOO, todense

import export
import recorded

rng = np.random.default_rng(0)
layers = [{"kernel": jnp.asarray(rng.random((4, 4), "f4")), "bias": jnp.asarray(rng.random(4, "f4"))} for _ in range(2)]
halves = jnp.asarray(rng.random((4, 3)), jnp.bfloat16)
table = jnp.asarray(rng.random((3, 4), "f4"))
numpy_kernel = rng.random((4, 2), "f4")
key = jax.random.key(7)


def mlp(x):
    for layer in layers:
        x = jnp.tanh(x @ layer["kernel"] + layer["bias"])
    return x


def pytrees(inputs):
    return {"sum": inputs["a"] + inputs["b"][0], "parts": (inputs["a"] * 2, inputs["b"][1])}


@jax.jit
def lookup(i):
    return table[i] * 2


@jax.jit
def deviations(x):
    total, mean = x.sum(), x.mean()
    return total, mean, x * mean - total


x = rng.random((2, 4), "f4")
functions = {  # name: function, example arguments, weights
    "mlp": (mlp, [x], layers),
    "mlp_any_batch": (mlp, [x], layers),
    "pytrees": (pytrees, [{"a": x, "b": [x + 1, x - 1]}], None),
    "bfloat16_weights": (lambda x: x.astype(jnp.bfloat16) @ halves, [x], {"half": halves}),
    "inner_constants": (lambda i: lookup(i) + lookup(i + 1), [np.array([0, 1], "i4")], {"table": table}),
    "constants_inside_a_loop": (
        lambda x: jax.lax.fori_loop(0, 2, lambda k, v: v @ layers[0]["kernel"], x),
        [x],
        layers,
    ),
    "dropped_results_that_are_read": (lambda x: deviations(x)[2], [x], None),
    "typed_key": (lambda x: x + jax.random.uniform(key, x.shape), [x], {"key": key}),
    "numpy_weights": (lambda output: output @ numpy_kernel, [x], {"kernel": numpy_kernel}),
    "sparse_array": (
        lambda data, places: todense(BCOO((data, places), shape=(4,))),
        [x[0], np.array([[0], [2], [2], [4]], "i4")],
        None,
    ),
    "complex_constant": (lambda x: jnp.abs(x * jnp.asarray([1 + 2j, 3, 4j, -1], "complex64")), [x], None),
}


def record(folder, name, function, arguments, weights):
    """Writes the files of one case; returns the case without weights, which are in the files."""
    given = [export.symbolic("B,4")] if name.endswith("any_batch") else arguments
    print(export.save(str(folder / name), function, *given, weights=weights, source_info=True))
    inputs = jax.tree_util.tree_leaves(arguments)
    outputs = list(map(np.asarray, jax.tree_util.tree_leaves(jax.jit(function)(*arguments))))
    arrays = {f"in{i}": a for i, a in enumerate(inputs)} | {f"out{i}": a for i, a in enumerate(outputs)}
    entry = {"inputs": [a.dtype.name for a in inputs], "outputs": [a.dtype.name for a in outputs]}
    text = (folder / f"{name}.jaxpr").read_text(encoding="utf-8")
    return recorded.case("export", name, entry, text, {n: recorded.to_npy(a) for n, a in arrays.items()})


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = recorded.family(folder / "export")
    cases.update({name: record(folder, name, *row) for name, row in functions.items()})
    cases.save()


if __name__ == "__main__":
    main()
