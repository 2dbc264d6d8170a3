#!/usr/bin/env python3
"""Every build of the tool writes the same bytes: same_bytes.py TOOL TOOL... [--every N].

The inputs are all recorded texts of tests/numeric/data, or every N-th one. A text's name decides with which options
it is converted. Compares models, external data, textual forms, messages and exit codes. scripts/test-same-bytes builds
the tool with g++ and clang++, for release and for debugging.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

root = pathlib.Path(__file__).resolve().parents[2]
variants = [
    ["-o", "m.onnx"],
    ["--emit", "text"],
    ["-o", "m.onnx", "--external-data"],
    ["-o", "m.onnx", "--opset", "17"],
    ["-o", "m.onnx", "--no-fuse"],
    ["-o", "m.onnx", "--target", "generic"],
]


def options_for(text):
    return variants[zlib.crc32(text.name.encode()) % len(variants)]


def result(tool, text):
    """A digest of everything that a conversion writes."""
    command = [tool, text, "-q", *options_for(text)]
    for weights in (text.with_suffix(".weights.npz"), text.with_suffix(".safetensors")):
        command += ["-w", weights] if weights.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, cwd=folder, timeout=300)
        digest = hashlib.sha256(done.stdout + done.stderr + str(done.returncode).encode())
        for file in sorted(pathlib.Path(folder).iterdir()):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="+", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    tools = [tool.resolve(strict=True) for tool in arguments.tools]
    texts = sorted((root / "tests/numeric/data").glob("*/*.jaxpr"))[:: arguments.every]

    def differs(text):
        return len({result(tool, text) for tool in tools}) > 1

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the work is in the tools' processes
        differ = [text for text, yes in zip(texts, pool.map(differs, texts)) if yes]
    for text in differ:
        print(text.relative_to(root), *options_for(text))
    print(f"{len(differ)} of {len(texts)} differ")
    return 1 if differ or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
