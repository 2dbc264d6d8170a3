#!/usr/bin/env python3
"""Fails when a row of the lowering tables has no numeric case, or a case is in the wrong place.

    coverage.py --cli build/release/jax2onnx

A row's case is data/FAMILY/PRIMITIVE.NAME.jaxpr and has the primitive among its equations. A row that only says why it
refuses needs none. Cases of single versions of JAX count for every family.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import families

data = pathlib.Path(__file__).resolve().parent / "data"
USE = re.compile(r"^  (\S+) +\d+", re.M)


def used(cli, text):
    """The primitives of a text's equations, state syntax included."""
    inspection = subprocess.run([cli, "--inspect", text], capture_output=True, text=True, check=True).stdout
    return USE.findall(inspection.split("\nprimitives\n")[1])


def unlisted():
    """Texts that cases.json does not have, and the other way round."""
    for folder in sorted(data.iterdir()):
        texts = {text.stem for text in folder.glob("*.jaxpr")}
        for case in sorted(texts ^ json.loads((folder / "cases.json").read_text()).keys()):
            yield f"{folder.name}/{case} is a text or a line of cases.json, not both"


def misplaced(rows):
    """Cases that bear a primitive's name outside of its family."""
    homes = {}
    for family, primitive in rows:
        homes.setdefault(primitive, set()).add(family)
    for text in sorted(data.glob("*/*.jaxpr")):
        folder, primitive = text.parent.name, text.name.split(".", 1)[0]
        if folder not in homes.get(primitive, {folder}) | families.COMPOSITIONS | families.VERSIONS:
            yield f"{folder}/{text.stem} belongs to {' or '.join(sorted(homes[primitive]))}"


def uncovered(cli, rows):
    texts = sorted(data.glob("*/*.jaxpr"))
    with ThreadPoolExecutor() as pool:
        uses = pool.map(lambda text: used(cli, text), texts)
    covered = set()
    for text, primitives in zip(texts, uses):
        folder, primitive = text.parent.name, text.name.split(".", 1)[0]
        if primitive in primitives:
            covered.add((folder, primitive))
    elsewhere = {primitive for folder, primitive in covered if folder in families.VERSIONS}
    for family, primitive in sorted(rows):
        if (family, primitive) not in covered and primitive not in elsewhere:
            yield f"no numeric case for primitive '{primitive}' in {family}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    cli = parser.parse_args().cli
    rows = families.rows(cli)
    problems = [*unlisted(), *misplaced(rows), *uncovered(cli, rows)]
    print(*problems, f"{len(rows)} rows, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
