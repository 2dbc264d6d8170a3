# SPDX-License-Identifier: Apache-2.0
"""With any version of JAX, traces functions whose text depends on it into the family `versions`, like trace.py:

    PYTHON tests/numeric/versions.py     # in an environment with, for example, jax==0.4.20 jaxlib==0.4.20 'numpy<2'

The names of the cases end in the version; cases of other versions stay unchanged. Runs with JAX 0.4.13 and newer.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import recorded

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


def traced(name, function, argument):
    text = jax.make_jaxpr(function)(argument).jaxpr.pretty_print(use_color=False) + "\n"
    outputs = [np.asarray(out) for out in jax.tree_util.tree_leaves(jax.jit(function)(argument))]
    arrays = {"in0": argument} | {f"out{i}": out for i, out in enumerate(outputs)}
    if name.startswith("jit.repeated"):
        arrays["arr_0"] = constant
    entry = {"inputs": [argument.dtype.name], "outputs": [out.dtype.name for out in outputs]}
    return recorded.case("versions", name, entry, text, {n: recorded.to_npy(array) for n, array in arrays.items()})


def main():
    versions = recorded.family(recorded.DATA / "versions")
    for name, (function, argument) in cases.items():
        full = f"{name}_{jax.__version__}"
        versions[full] = traced(full, function, argument)
    versions.save()


if __name__ == "__main__":
    main()
