#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces the rows of cases/*.py with JAX and records JAX's results (recorded.py).

    trace.py [FAMILY...] [--only REGEX]     needs: pip install -r tests/numeric/requirements-trace.txt

Traces the cases that have no record yet, and those whose name matches REGEX.

A module with JAX_VERSION, or a row with `jax`, is traced by that version of JAX only.
"""

import argparse
import importlib
import os
import pathlib
import re
import sys
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# bfloat16 is rounded where the jaxpr says so; meshes have up to eight devices.
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false --xla_force_host_platform_device_count=8")
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "examples")]

import jax
import jax.export
import numpy as np

import export
import recorded
import table

enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64


def load(families):
    """Imports the modules of cases; returns the families that this version of JAX traces."""
    for name in families:
        wanted = getattr(importlib.import_module("cases." + name), "JAX_VERSION", None)
        if wanted in (None, jax.__version__):
            yield name
        else:
            print(f"{name}: left alone, JAX {wanted} traces it")


def abstract(row, scope):
    """The abstract arguments of the trace: symbolic dimensions stay symbolic."""
    made = [a.make(row.rng(), row.sizes[0]) for a in row.arguments]
    for argument, value in zip(row.arguments, made):
        if any(isinstance(d, str) for d in getattr(argument, "shape", ())):
            yield export.symbolic(",".join(map(str, argument.shape)), value.dtype, scope)
        else:
            yield value if isinstance(value, jax.Array) else jax.ShapeDtypeStruct(value.shape, value.dtype)


def record(arrays, prefix, suffix, values):
    """Adds the values to `arrays`; returns their dtypes."""
    dtypes = []
    for index, value in enumerate(values):
        is_key = jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key)
        dtypes.append("key" if is_key else value.dtype.name)
        arrays[f"{prefix}{index}{suffix}"] = recorded.to_npy(export.to_numpy(value) if is_key else np.asarray(value))
    return dtypes


def trace(row):
    """The case of a row."""
    text, constants, _, _ = export.trace(row.function, *abstract(row, jax.export.SymbolicScope()))
    arrays = {f"arr_{i}": recorded.to_npy(export.to_numpy(constant)) for i, constant in enumerate(constants)}
    rng = row.rng()
    for suffix, sizes in zip(["", "_b"] if row.symbolic else [""], row.sizes):
        inputs = [a.make(rng, sizes) for a in row.arguments]
        function = row.function if row.eager else jax.jit(row.function)
        outputs = jax.tree_util.tree_leaves(function(*inputs))
        entry = {"inputs": record(arrays, "in", suffix, inputs), "outputs": record(arrays, "out", suffix, outputs)}
    defaults = {"sizes": 1, "rtol": None, "atol": None, "args": "", "signs": False, "xfail": ""}
    options = {k: getattr(row, k) for k in defaults} | {"sizes": 2 if row.symbolic else 1}
    entry |= {k: v for k, v in options.items() if v != defaults[k]}
    return recorded.case(row.family, row.id, entry, text + "\n", arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(p.stem for p in (here / "cases").glob("*.py"))
    parser.add_argument("families", nargs="*", default=known, metavar="FAMILY")
    parser.add_argument("--only", metavar="REGEX", help="trace recorded cases again whose name matches; '' matches all")
    arguments = parser.parse_args()
    problems = []
    for family in list(load(arguments.families)):
        problems += trace_family(family, [r for r in table.rows if r.family == family], arguments.only)
    sys.exit("\n".join(problems) or 0)


def trace_family(family, rows, only):
    """Records a family's cases and removes those without a row. Returns the cases that could not be traced."""
    store = recorded.family(recorded.DATA / family)
    cases, problems = {}, []
    for row in rows:
        if row.id in cases:
            problems.append(f"{family}: two rows are called {row.id}")
        stays = row.id in store and (only is None or not re.search(only, row.id))
        if stays or row.jax not in ("", jax.__version__):
            if row.id in store:
                cases[row.id] = store[row.id]
            else:
                print(f"{family}/{row.id}: left alone, JAX {row.jax} traces it")
            continue
        with enable_x64(row.x64), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                cases[row.id] = trace(row)
            except Exception as problem:
                problems.append(f"{family}/{row.id}: {type(problem).__name__}: {problem}")
    store.clear()
    store.update(cases)
    store.save()
    print(f"{family}: {len(cases)} cases")
    return problems


if __name__ == "__main__":
    main()
