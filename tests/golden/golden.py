#!/usr/bin/env python3
"""Whole models as text: FAMILY/CASE.onnx.txt is what `--emit text` makes of tests/numeric/data/FAMILY/CASE.jaxpr.

    golden.py                            compares
    golden.py --update                   writes all files again, for a person to read the difference
    golden.py --update FAMILY/CASE...    adds or updates these

Where Python has the onnx package, its parser has to read the files, too.
"""

import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
cases = root / "tests/numeric/data"
program = os.environ.get("JAX2ONNX", root / "build/release/jax2onnx")
ending = ".onnx.txt"

try:
    import onnx
    import onnx.parser
except ImportError:
    onnx = None


def case_of(golden):
    return cases / golden.parent.name / golden.name.removesuffix(ending)


def emitted(case):
    command = [program, f"{case}.jaxpr", "--emit", "text", "-q"]
    for weights in (f"{case}.weights.npz", f"{case}.safetensors"):
        command += ["-w", weights] if os.path.exists(weights) else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout or done.stderr


def wrong(golden):
    """What is wrong with a golden file, or None."""
    expected, got = golden.read_text(), emitted(case_of(golden))
    if expected != got:
        return f"{golden.name} should be\n{got}"
    try:
        onnx and onnx.parser.parse_model(got)
    except onnx.parser.ParseError as error:
        return f"{golden.name} is not ONNX's syntax: {error}"
    return None


def main():
    goldens = set(here.glob(f"*/*{ending}"))
    if "--update" in sys.argv:
        goldens |= {here / f"{case}{ending}" for case in sys.argv[1:] if case != "--update"}
        for golden in goldens:
            golden.write_text(emitted(case_of(golden)))
        return 0
    problems = [problem for golden in sorted(goldens) if (problem := wrong(golden))]
    print(*problems, f"{len(problems)} of {len(goldens)} are wrong", sep="\n")
    return 1 if problems or not goldens else 0


if __name__ == "__main__":
    sys.exit(main())
