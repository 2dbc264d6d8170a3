#!/usr/bin/env python3
"""Every build of the tool writes the same bytes: same_bytes.py TOOL TOOL... [--every N].

The inputs are every N-th text of tests/numeric/data; the options vary. Compares models, external data, textual forms
and exit codes. scripts/test-same-bytes builds the tool with g++ and clang++, for release and for debugging.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
variants = [
    ["-o", "m.onnx"],
    ["--emit", "text"],
    ["-o", "m.onnx", "--external-data"],
    ["-o", "m.onnx", "--opset", "17"],
    ["-o", "m.onnx", "--no-fuse"],
    ["-o", "m.onnx", "--target", "generic"],
]


def result(tool, case, options):
    """A digest of everything that a conversion writes."""
    command = [tool, f"{case}.jaxpr", "-q", *options]
    for weights in (f"{case}.weights.npz", f"{case}.safetensors"):
        command += ["-w", weights] if os.path.exists(weights) else []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, cwd=folder, timeout=300)
        digest = hashlib.sha256(done.stdout + done.stderr + str(done.returncode).encode())
        for file in sorted(pathlib.Path(folder).iterdir()):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    cases = sorted((root / "tests/numeric/data").glob("*/*.jaxpr"))[:: arguments.every]
    differ = []
    for index, text in enumerate(cases):
        case, options = text.with_suffix(""), variants[index % len(variants)]
        if len({result(pathlib.Path(tool).resolve(), case, options) for tool in arguments.tools}) > 1:
            differ.append(f"{text.relative_to(root)} {' '.join(options)}")
    print(*differ, f"{len(differ)} of {len(cases)} differ", sep="\n")
    return 1 if differ or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
