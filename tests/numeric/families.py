# SPDX-License-Identifier: Apache-2.0
"""The rows of the lowering tables by family: the folder of include/jax2onnx/lower with the table's header."""

import pathlib
import re
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]

# Folders of cases that are not families. Cases for one version of JAX count for rows of all families.
COMPOSITIONS = {"devices", "gradients", "models", "quantized", "symbolic"}
VERSIONS = {"old", "versions", "jax_0_12"}

TABLE = re.compile(r"\blowering \w+\[\] = \{\n(.*?)^\};", re.S | re.M)
ROW = re.compile(r'^ {4}\{"([\w-]+)"', re.M)  # deeper ones are the parameters of a signature
RENAMES = re.compile(r"\brename primitives\[\] = \{\n(.*?)^\};", re.S | re.M)


def renamed():
    """The tables' names of primitives that are printed under other names."""
    header = (root / "include/jax2onnx/lower/compat.hpp").read_text()
    return dict(re.findall(r'\{"(\S+)", "(\S+)"\}', RENAMES.search(header)[1]))


def listed(program):
    """The primitives that the tool lists, each with its operators."""
    lines = subprocess.run([program, "--list-primitives"], capture_output=True, text=True, check=True).stdout
    return dict((line + " ").split(" ", 1) for line in lines.splitlines())


def rows(program):
    """The operators of every row, by (family, primitive); without rows that only give the reason for a refusal.

    A primitive has two rows if complex numbers have a separate one.
    """
    operators = listed(program)
    found = {
        (header.parent.name, primitive)
        for header in (root / "include/jax2onnx/lower").glob("*/*.hpp")
        for table in TABLE.findall(header.read_text())
        for primitive in ROW.findall(table)
    }
    if {primitive for _, primitive in found} != set(operators):
        raise SystemExit("families.py reads other rows from the headers than --list-primitives shows")
    return {row: operators[row[1]] for row in found if not operators[row[1]].strip().startswith("refused")}
