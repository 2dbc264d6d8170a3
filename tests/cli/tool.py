# SPDX-License-Identifier: Apache-2.0
"""Runs the tool for the tests beside this file."""

import os
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ.get("JAX2ONNX", root / "build/release/jax2onnx")
# Sanitizers need additional memory and stack.
sanitized = b"__asan_" in pathlib.Path(program).read_bytes()


class result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr.decode(errors="replace")


def run(*arguments, stdin=b"", cwd=None, environment=None):
    done = subprocess.run(
        [program, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=60,
        env={**os.environ, **(environment or {})},
    )
    return result(done)
