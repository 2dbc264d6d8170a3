#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces real models of many JAX packages, converts them with the tool, and compares ONNX Runtime with JAX.

    trace_models.py [PACKAGE...] [--only REGEX] [--form plain] [--out build/models] [--again]
                    [--cli build/release/jax2onnx]

A package is a file of packages/; one that is not installed is skipped. Every model is small and has random weights;
nothing is downloaded. A model with symbolic dimensions is traced twice, with integers and, if the package allows that,
with symbols. Traces stay in --out (text, weights, inputs, outputs) until --again.
"""

import argparse
import importlib
import os
import pathlib
import re
import sys
import time
import traceback
import warnings

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")  # most of the time is spent compiling
os.environ.setdefault("KERAS_BACKEND", "jax")
sys.path[:0] = [str(here), str(here.parent / "numeric")]

import trace

import jax
import onnx

import recorded
import run
import table
from forms import forms


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(p.stem for p in (here / "packages").glob("*.py"))
    parser.add_argument("packages", nargs="*", default=known, metavar="PACKAGE")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--form", default="plain", choices=sorted(forms), help="of every model: see forms.py")
    parser.add_argument("--out", type=pathlib.Path, default=root / "build/models", metavar="DIR")
    parser.add_argument("--again", action="store_true", help="trace what has been traced, too")
    parser.add_argument("--no-trace", action="store_true", help="convert what has been traced, only")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--args", default="", help="further arguments of the tool")
    options = parser.parse_args()
    verdicts = []
    for package in options.packages:
        if not options.no_trace:
            trace_package(package, options)
        verdicts += judge_package(package, options)
    failed = sum(v != "pass" for v in verdicts)
    print(f"{len(verdicts) - failed} passed, {failed} failed")
    return 1 if failed or not verdicts else 0


# ---- tracing ---------------------------------------------------------------------------------------------------------


def trace_package(package, options):
    try:
        importlib.import_module("packages." + package)
    except Exception as problem:
        return print(f"{package}: cannot be imported ({problem})")
    for row in [r for r in table.rows if r.family == package and re.search(options.only, r.primitive)]:
        for form in [static(row), row] if row.symbolic else [row]:
            form = forms[options.form](form)
            if form:
                record(form, options)


def record(row, options):
    """Saves a model's case as a separate family, so that it is kept if the next one crashes."""
    store = recorded.family(options.out / row.family / row.id)
    if options.again or not store:
        case = traced(row)
        if case:
            store[row.id] = case
            store.save()


def static(row):
    """The row with integers in place of symbols."""
    return table.dataclasses.replace(row, name="static", arguments=tuple(fixed(a, row.sizes[0]) for a in row.arguments))


def fixed(argument, sizes):
    shape = getattr(argument, "shape", None)
    if shape is None:
        return argument
    return table.dataclasses.replace(argument, shape=tuple(sizes.get(d, d) for d in shape))


def traced(row):
    """The model's case; None if it cannot be traced, with the reason printed."""
    begin = time.perf_counter()
    jax.config.update("jax_enable_x64", row.x64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case = trace.trace(table.dataclasses.replace(row, function=row.function()))
        except Exception as problem:
            where = traceback.extract_tb(problem.__traceback__)[-1]
            print(
                f"{row.family}/{row.id}: cannot be traced: {type(problem).__name__}: {str(problem)[:200]!r} "
                f"({where.filename}:{where.lineno})"
            )
            return None
    print(f"{row.family}/{row.id}: traced in {time.perf_counter() - begin:.1f} s", file=sys.stderr)
    return case


# ---- judging ---------------------------------------------------------------------------------------------------------


def judge_package(package, options):
    cases = recorded.cases(data=options.out / package)
    return [judge(package, c, options) for c in cases if re.search(options.only, c.name.partition(".")[0])]


def judge(package, case, options):
    """Converts and compares one model and prints its row of the table. Returns the verdict."""
    model = options.out / package / f"{case.name}.onnx"
    model.unlink(missing_ok=True)
    verdict, seconds = "pass", {}
    try:
        seconds = timed(case, model, options)
    except run.failure as problem:
        verdict = " ".join(str(problem).split())[:300]
    except Exception as problem:
        verdict = f"{type(problem).__name__}: {problem}"[:300]
    kilobytes = len(case.text) / 1024
    nodes = count(onnx.load(model).graph) if model.exists() else 0
    times = "".join(f"{what} {seconds[what]:6.2f} s  " for what in seconds)
    print(f"{package + '/' + case.name:48s} {kilobytes:8.0f} kB {nodes:6d} nodes  {times}{verdict}", flush=True)
    return verdict


def timed(case, model, options):
    """The seconds of each step. Raises run.failure if the model is wrong."""
    source = case.extract(model.parent)
    at = [time.perf_counter()]
    run.convert(source, model, options.cli, options.args.split())
    at.append(time.perf_counter())
    session = run.load(model)
    at.append(time.perf_counter())
    run.check_outputs(case, session)
    at.append(time.perf_counter())
    return dict(zip(["convert", "load", "run"], (b - a for a, b in zip(at, at[1:]))))


def count(graph):
    return sum(1 + sum(count(a.g) for a in node.attribute if a.HasField("g")) for node in graph.node)


if __name__ == "__main__":
    sys.exit(main())
