# SPDX-License-Identifier: Apache-2.0
"""Variants of a model to trace: `forms[name]` maps a row to a variant, or to None if there is no such variant."""

import dataclasses

import jax
import jax.numpy as jnp


def renamed(row, form, **changes):
    return dataclasses.replace(row, name=f"{row.name}_{form}", **changes)


def is_float(argument):
    return getattr(argument, "dtype", "") in ("float16", "bfloat16", "float32", "float64")


def gradient(row):
    """The gradient of a weighted sum of the results with respect to the floating-point arguments."""
    wanted = tuple(i for i, a in enumerate(row.arguments) if is_float(a))

    def weighted(x):
        x = jnp.ravel(x).astype("float32")
        return (x * jnp.cos(jnp.arange(x.size))).sum()

    def build():
        function = row.function()

        def loss(*arguments):
            results = [
                x for x in jax.tree_util.tree_leaves(function(*arguments)) if jnp.issubdtype(x.dtype, jnp.floating)
            ]
            return sum(map(weighted, results))

        return jax.grad(loss, wanted)

    return renamed(row, "gradient", function=build, rtol=5 * row.rtol, atol=5 * row.atol) if wanted else None


def mapped(row):
    """Vectorized over one more axis of every random argument."""
    axes = tuple(0 if hasattr(a, "shape") else None for a in row.arguments)

    def build():
        function = row.function()
        return jax.vmap(function, axes)

    arguments = tuple(dataclasses.replace(a, shape=(3, *a.shape)) if hasattr(a, "shape") else a for a in row.arguments)
    return renamed(row, "mapped", function=build, arguments=arguments) if any(x == 0 for x in axes) else None


def x64(row):
    """With 64-bit types allowed."""
    return renamed(row, "x64", x64=True)


forms = {"plain": lambda row: row, "gradient": gradient, "mapped": mapped, "x64": x64}
