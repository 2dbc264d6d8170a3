#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole models of tests/models/packages, as live functions, through to_onnx and verify.

    models.py [PACKAGE...] [--only REGEX] [--jax VERSION...]     by default all packages in this environment

With --jax, each version runs in an environment build/models-VERSION, which is made from
requirements-models-VERSION.txt and the wheel build/wheel/*.whl. Packages that an environment does not have are left
out, and models that its versions of the libraries cannot build or trace are counted apart. Continuous integration does
not run it.
"""

import argparse
import collections
import importlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import warnings

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
PACKAGES = ["flax", "equinox", "haiku", "keras", "transformers", "diffrax", "optax", "jax"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--only", default="", metavar="REGEX", help="models whose name has a match")
    parser.add_argument("--jax", nargs="+", metavar="VERSION", help="in environments with these versions")
    options = parser.parse_args()
    if not options.jax:
        return run(options)
    rest = [*options.packages, "--only", options.only]
    return max(
        subprocess.run([environment(version), __file__, *rest], check=False).returncode for version in options.jax
    )


def environment(version):
    """The interpreter of an environment with this JAX."""
    folder = root / "build" / f"models-{version}"
    python = folder / "bin" / "python"
    wanted = (here / f"requirements-models-{version}.txt").read_text()
    record = folder / "installed.txt"
    if not record.exists() or record.read_text() != wanted:
        subprocess.run([interpreter(version), "-m", "venv", "--clear", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", here / f"requirements-models-{version}.txt"], check=True)
        record.write_text(wanted)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"]
    subprocess.run([*pip, "--no-index", "--find-links", root / "build" / "wheel", "jax2onnx-cpp"], check=True)
    return python


def interpreter(version):
    """A Python that can run this JAX: JAX 0.11 and later need a Python newer than 3.11."""
    if tuple(map(int, version.split(".")[:2])) < (0, 11):
        return sys.executable
    command = f"source {shlex.quote(str(root / 'scripts' / 'lib.sh'))}; newest_python"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout.strip()


# ---- in the environment ----------------------------------------------------------------------------------------------


def run(options):
    os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")  # compiling takes longest
    os.environ.setdefault("KERAS_BACKEND", "jax")
    sys.path[:0] = [str(root / "tests" / "models"), str(root / "tests" / "numeric")]
    warnings.simplefilter("ignore")
    import jax

    import table

    print(f"JAX {jax.__version__}, Python {sys.version.split()[0]}")
    counts = collections.Counter()
    for package in options.packages:
        try:
            importlib.import_module("packages." + package)
        except Exception as problem:
            print(f"{package}: cannot be imported ({str(problem)[:150]})")
            continue
        for row in [r for r in table.rows if r.family == package and re.search(options.only, r.primitive)]:
            begin = time.perf_counter()
            kind, text = outcome(row)
            counts[kind] += 1
            print(
                f"{package + '/' + row.primitive:40s} {time.perf_counter() - begin:6.1f} s  {kind} {text}", flush=True
            )
    print(f"JAX {jax.__version__}: {dict(counts)}")
    return 0 if counts["agrees"] and not counts["FAILS"] else 1


def outcome(row):
    """("agrees", figures), ("not traced", why) or ("FAILS", why)."""
    import jax

    from jax2onnx_cpp import ConversionError, to_onnx, verify

    jax.config.update("jax_enable_x64", row.x64)
    try:
        function, arguments = row.function(), list(shapes(row))
    except Exception as problem:
        return "not traced", short(problem)
    try:
        model = to_onnx(function, *arguments)
        jax.eval_shape(lambda *given: function(*given), *arguments)  # fails if the function can be called only once
    except ConversionError as problem:
        return "FAILS", short(problem)
    except Exception as problem:  # a problem of this version of a library, or of JAX
        return "not traced", short(problem)
    try:
        rng, found = row.rng(), []
        for sizes in row.sizes if row.symbolic else row.sizes[:1]:
            given = [argument.make(rng, sizes) for argument in row.arguments]
            found += verify(model, function, *given, rtol=row.rtol, atol=row.atol).checks
    except Exception as problem:
        return "FAILS", short(problem)
    wrong = [check for check in found if not check.ok]
    if wrong:
        return "FAILS", str(wrong[0])
    seconds = model.report["seconds"]
    worst = max((check.error for check in found), default=0)
    return "agrees", (
        f"{model.report['nodes']} nodes, error {worst:.1e}, trace {seconds['trace']:.2f} s,"
        f" print {seconds['print']:.3f} s, convert {seconds['convert']:.3f} s"
    )


def shapes(row):
    """The arguments of the trace: shapes with the symbols of the row."""
    import jax
    import jax.export

    scope = jax.export.SymbolicScope()
    for argument in row.arguments:
        value = argument.make(row.rng(), row.sizes[0])
        shape = getattr(argument, "shape", value.shape)
        if any(isinstance(extent, str) for extent in shape):
            shape = jax.export.symbolic_shape(",".join(map(str, shape)), scope=scope)
        yield value if hasattr(value, "addressable_shards") else jax.ShapeDtypeStruct(shape, value.dtype)


def short(problem):
    return f"{type(problem).__name__}: {str(problem).strip()}".split("\n")[0][:200]


if __name__ == "__main__":
    sys.exit(main())
