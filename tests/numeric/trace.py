#!/usr/bin/env python3
"""Traces the rows of cases/*.py with JAX and records what JAX computes, below data/<family>/:

    <primitive>.<name>.jaxpr          the text
    <primitive>.<name>.npz            in0, in1, ... out0, ...; with symbolic dimensions again at other sizes: in0_b, ...
    <primitive>.<name>.weights.npz    the closed-over arrays, if any
    cases.json                        dtypes, tolerances and so on, one line a case

    trace.py [FAMILY...] [--only REGEX]     needs: pip install -r tests/numeric/requirements-trace.txt

Traced are the cases that have no record yet, and those whose name matches REGEX.

A module with JAX_VERSION, and a row with `jax`, is traced by that version of JAX only.
"""

import argparse
import importlib
import json
import os
import pathlib
import re
import sys
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")  # bfloat16 is rounded where the text says so
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "examples")]

import jax
import jax.export
import numpy as np

import export
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
        arrays[f"{prefix}{index}{suffix}"] = export.to_numpy(value) if is_key else np.asarray(value)
    return dtypes


def trace(row, folder):
    """Writes a row's files; returns its entry of cases.json."""
    text, constants, _, _ = export.trace(row.function, *abstract(row, jax.export.SymbolicScope()))
    (folder / f"{row.id}.jaxpr").write_text(text + "\n")
    if constants:
        np.savez_compressed(folder / f"{row.id}.weights.npz", *map(export.to_numpy, constants))
    arrays, rng = {}, row.rng()
    for suffix, sizes in zip(["", "_b"] if row.symbolic else [""], row.sizes):
        inputs = [a.make(rng, sizes) for a in row.arguments]
        function = row.function if row.eager else jax.jit(row.function)
        outputs = jax.tree_util.tree_leaves(function(*inputs))
        entry = {"inputs": record(arrays, "in", suffix, inputs), "outputs": record(arrays, "out", suffix, outputs)}
    np.savez_compressed(folder / f"{row.id}.npz", **arrays)
    defaults = {"sizes": 1, "rtol": None, "atol": None, "args": "", "signs": False, "xfail": ""}
    options = {k: getattr(row, k) for k in defaults} | {"sizes": 2 if row.symbolic else 1}
    return entry | {k: v for k, v in options.items() if v != defaults[k]}


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
    """Writes a family's files and removes those without a row. Returns what could not be traced."""
    folder = here / "data" / family
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "cases.json"
    old = json.loads(index.read_text()) if index.exists() else {}
    entries, problems = {}, []
    for row in rows:
        if row.id in entries:
            problems.append(f"{family}: two rows are called {row.id}")
        recorded = row.id in old and (only is None or not re.search(only, row.id))
        if recorded or row.jax not in ("", jax.__version__):
            if row.id in old:
                entries[row.id] = old[row.id]
            else:
                print(f"{family}/{row.id}: left alone, JAX {row.jax} traces it")
            continue
        with enable_x64(row.x64), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                entries[row.id] = trace(row, folder)
            except Exception as problem:
                problems.append(f"{family}/{row.id}: {type(problem).__name__}: {problem}")
    lines = [f"{json.dumps(name)}: {json.dumps(entries[name])}" for name in sorted(entries)]
    index.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    for file in folder.iterdir():
        if file != index and re.sub(r"(\.weights)?\.\w+$", "", file.name) not in entries:
            file.unlink()
    print(f"{family}: {len(entries)} cases")
    return problems


if __name__ == "__main__":
    main()
