"""Traces functions whose text depends on the version with any JAX, into data/versions/ as trace.py does:

    PYTHON tests/numeric/versions.py     # in an environment with, for example, jax==0.4.20 jaxlib==0.4.20 'numpy<2'

The names of the cases end in the version; cases of other versions stay unchanged. Runs with JAX 0.4.13 and newer.
"""

import json
import os
import pathlib

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

folder = pathlib.Path(__file__).resolve().parent / "data" / "versions"
constant = jnp.asarray(np.array([0.5, -1.5, 2.0], np.float32))
vector = np.array([1.0, -2.0, 0.25], np.float32)


@jax.jit
def captured(x):
    return x * constant


@jax.jit
def captured_twice(x):
    return captured(x) + captured(x + 1)


def odd(x):
    return x * 3


odd.__name__ = "odd [n] = 3, {x} (y"
odd = jax.jit(odd)


def bfloat16_branches(index):
    return lax.switch(index, [lambda: (jnp.bfloat16(1), np.uint8(2)), lambda: (jnp.bfloat16(3.1), np.uint8(4))])


def step(carry, x):
    return jnp.sin(carry) + x, (carry * x, x)


def total(x):
    carry, (products, _) = lax.scan(step, x[0], x)
    return carry + products.sum()


def referenced(x):
    ref = jax.new_ref(x)

    def body(carry, i):
        ref[i] = ref[i] * carry
        return carry + ref[0], ref[i]

    return lax.scan(body, 1.0, jnp.arange(3)), ref[...]


cases = {
    "jit.repeated_constants": (lambda x: captured_twice(x) + captured_twice(x * 2) + captured(x * 3), vector),
    "jit.unbalanced_name": (lambda x: odd(x) + odd(x + 1), vector),
    "sort.dropped_result": (lambda x: jnp.unique(x, size=3), vector),
    "cond.bfloat16_literals": (bfloat16_branches, np.int32(1)),
    "scan.forwarded": (lambda x: lax.scan(step, x[0], x, reverse=True), vector),
    "scan.grad": (jax.grad(total), vector),
    "scan.grad_checkpoint": (jax.grad(jax.checkpoint(total)), vector),
    "scan.jvp": (lambda x: jax.jvp(total, (x,), (x,)), vector),
    "scan.map": (lambda x: lax.map(jnp.sin, x), vector),
    "zeros_like.softplus": (jax.grad(lambda x: jax.nn.softplus(x).sum()), vector),
}
if hasattr(jax, "new_ref"):
    cases["new_ref.in_scan"] = (referenced, vector)


def save(name, function, argument):
    """Writes a case's files; returns its entry of cases.json."""
    closed = jax.make_jaxpr(function)(argument)
    outputs = [np.asarray(out) for out in jax.tree_util.tree_leaves(jax.jit(function)(argument))]
    (folder / f"{name}.jaxpr").write_text(closed.jaxpr.pretty_print(use_color=False) + "\n")
    if name.startswith("jit.repeated"):
        np.savez_compressed(folder / f"{name}.weights.npz", constant)
    np.savez_compressed(folder / f"{name}.npz", in0=argument, **{f"out{i}": out for i, out in enumerate(outputs)})
    return {"inputs": [argument.dtype.name], "outputs": [out.dtype.name for out in outputs]}


def main():
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "cases.json"
    entries = json.loads(index.read_text()) if index.exists() else {}
    for name, (function, argument) in cases.items():
        full = f"{name}_{jax.__version__}"
        entries[full] = save(full, function, argument)
    index.write_text(
        "{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(entries[n])}" for n in sorted(entries)) + "\n}\n"
    )


if __name__ == "__main__":
    main()
