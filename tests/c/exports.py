# SPDX-License-Identifier: Apache-2.0
"""The shared library must export the names in src/c/exports.txt, which the header declares: exports.py LIBRARY."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    listed = (ROOT / "src/c/exports.txt").read_text().split()
    header = re.sub(r"/\*.*?\*/", "", (ROOT / "include/jax2onnx/jax2onnx.h").read_text(), flags=re.S)
    declared = sorted(set(re.findall(r"\b(jax2onnx_\w+)\(", header)))
    symbols = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], check=True, capture_output=True, text=True)
    exported = sorted(line.split()[-1].split("@")[0] for line in symbols.stdout.splitlines())
    for what, names in (("declared", declared), ("exported", exported)):
        for name in sorted(set(names) ^ set(listed)):
            print(f"{name}: {'listed, but not' if name in listed else 'not listed, but'} {what}")
    return 0 if declared == listed == exported else 1


if __name__ == "__main__":
    sys.exit(main())
