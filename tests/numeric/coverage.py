#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a row of the lowering tables has no numeric case, or if a case is in the wrong family.

    coverage.py --cli build/release/jax2onnx

A row's case is PRIMITIVE.NAME of its family and has the primitive among its equations. A row that only gives the
reason for a refusal needs none. Cases of single versions of JAX count for every family.
"""

import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import families
import recorded

USE = re.compile(r"^  (\S+) +\d+", re.M)
RENAMED = families.renamed()


def used(cli, text):
    """The primitives of a text's equations, as printed and as in the tables, including state syntax."""
    done = subprocess.run([cli, "--inspect", "-"], input=text, capture_output=True, text=True, check=True)
    printed = USE.findall(done.stdout.split("\nprimitives\n")[1])
    return {*printed, *(RENAMED.get(name, name) for name in printed)}


def primitive_of(case):
    return case.name.split(".", 1)[0]


def misplaced(cases, rows):
    """Cases with a primitive's name outside of its family."""
    homes = {}
    for family, primitive in rows:
        homes.setdefault(primitive, set()).add(family)
    for case in cases:
        wanted = homes.get(primitive_of(case), {case.family})
        if case.family not in wanted | families.COMPOSITIONS | families.VERSIONS:
            yield f"{case} belongs to {' or '.join(sorted(wanted))}"


def uncovered(cli, cases, rows):
    with ThreadPoolExecutor() as pool:
        uses = pool.map(lambda case: used(cli, case.text), cases)
    covered = {(c.family, primitive_of(c)) for c, primitives in zip(cases, uses) if primitive_of(c) in primitives}
    elsewhere = {primitive for family, primitive in covered if family in families.VERSIONS}
    for family, primitive in sorted(rows):
        if (family, primitive) not in covered and primitive not in elsewhere:
            yield f"no numeric case for primitive '{primitive}' in {family}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    cli = parser.parse_args().cli
    rows, cases = families.rows(cli), list(recorded.cases())
    problems = [*misplaced(cases, rows), *uncovered(cli, cases, rows)]
    print(*problems, f"{len(rows)} rows, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
