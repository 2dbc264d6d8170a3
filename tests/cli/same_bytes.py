#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that all builds of the tool write the same bytes: same_bytes.py TOOL TOOL... [--every N].

The inputs are all recorded texts of tests/numeric, or every N-th one. The options of a conversion depend on the text's
name. Compares models, external data, textual forms, messages and exit codes. scripts/test-same-bytes builds the tool
with g++ and clang++, in release and debug mode.
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
sys.path.insert(0, str(root / "tests/numeric"))

import recorded

variants = [
    ["-o", "m.onnx"],
    ["--emit", "text"],
    ["-o", "m.onnx", "--external-data"],
    ["-o", "m.onnx", "--opset", "17"],
    ["-o", "m.onnx", "--no-fuse"],
    ["-o", "m.onnx", "--target", "generic"],
]


def options_for(case):
    return variants[zlib.crc32(case.name.encode()) % len(variants)]


def result(tool, source, options):
    """A digest of everything that a conversion writes."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tool, *source, "-q", *options], capture_output=True, cwd=folder, timeout=300)
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
    cases = list(recorded.cases())[:: arguments.every]

    def differs(case):
        with tempfile.TemporaryDirectory() as folder:
            source = case.extract(pathlib.Path(folder))
            return len({result(tool, source, options_for(case)) for tool in tools}) > 1

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the tools' processes do the work
        differ = [case for case, yes in zip(cases, pool.map(differs, cases)) if yes]
    for case in differ:
        print(case, *options_for(case))
    print(f"{len(differ)} of {len(cases)} differ")
    return 1 if differ or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
