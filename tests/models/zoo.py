# SPDX-License-Identifier: Apache-2.0
"""`@model("bert", i32("B", 8))` above a function that builds a model adds a row to the table of tests/numeric.

The decorated function takes no arguments and returns the function to trace, which closes over the weights. It is called
when the model is traced.
"""

import sys

import jax
import numpy as np

import table


def model(name, *arguments, **options):
    package = sys._getframe(1).f_globals["__name__"].rsplit(".", 1)[-1]

    def add(build):
        row = table.row(package, name, "static", build, arguments, **({"rtol": 5e-4, "atol": 5e-5} | options))
        row.name = "batch" if row.symbolic else "static"
        table.rows.append(row)
        return build

    return add


def leaves(function):
    """The function with its result flattened to a tuple of arrays."""

    def flat(*arguments):
        return tuple(x for x in jax.tree_util.tree_leaves(function(*arguments)) if hasattr(x, "dtype"))

    return flat


def filled(shapes, seed=0):
    """Fills a tree of shapes with small random numbers, scales near one, positive variances, and zeros for integers."""
    rng = np.random.default_rng(seed)

    def fill(path, leaf):
        if not isinstance(leaf, jax.ShapeDtypeStruct):
            return leaf
        if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.key(seed)
        name = jax.tree_util.keystr(path[-2:]).lower()
        values = rng.normal(size=leaf.shape) * (0.5 / max(1, np.prod(leaf.shape[:-1])) ** 0.5 + 0.02)
        if jax.numpy.issubdtype(leaf.dtype, jax.numpy.integer) or leaf.dtype == bool:
            values = values * 0
        elif "var" in name or "scale" in name or "count" in name:
            values = 1 + np.abs(values)
        return jax.numpy.asarray(values.astype(leaf.dtype))

    return jax.tree_util.tree_map_with_path(fill, shapes)


def linen(net, *arguments, **options):
    """A Flax Linen (or Haiku) network with weights."""
    params = filled(jax.eval_shape(lambda *a: net.init(jax.random.key(0), *a, **options), *arguments))
    return leaves(lambda *a: net.apply(params, *a, **options))
