#!/usr/bin/env python3
"""Fails when a primitive of the table has no numeric case: coverage.py --cli build/release/jax2onnx

A row that only refuses (its ONNX column says `refused`) needs none.
"""

import argparse
import pathlib
import re
import subprocess
import sys

USE = re.compile(r"^  (\S+) +\d+", re.M)


def table(cli):
    listed = subprocess.run([cli, "--list-primitives"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 1) for line in listed.splitlines() if line.strip()]
    return {row[0] for row in rows if len(row) < 2 or not row[1].startswith("refused")}


def used(cli, text):
    """The primitives of a text's equations, including those of the syntax for references."""
    inspection = subprocess.run([cli, "--inspect", text], capture_output=True, text=True, check=True).stdout
    return USE.findall(inspection.split("\nprimitives\n")[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", required=True)
    args = parser.parse_args()
    seen = set()
    for text in (pathlib.Path(__file__).parent / "data").glob("*/*.jaxpr"):
        seen.update(used(args.cli, text))
    missing = sorted(table(args.cli) - seen)
    for primitive in missing:
        print(f"no numeric case for primitive '{primitive}'")
    print(f"{len(missing)} primitives without a case")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
