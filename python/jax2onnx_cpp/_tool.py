# SPDX-License-Identifier: Apache-2.0
"""The command line tool `jax2onnx`. It is part of the extension module, so that the wheel contains the library once.
`jax2onnx export`, which calls JAX, is written in Python."""

import os
import signal
import sys

from . import _core


def main() -> int:
    """Runs the tool with the arguments of this process; returns its exit code."""
    if len(sys.argv) > 2 and sys.argv[1] == "export":
        from .__main__ import main as export

        return export(sys.argv[2:])
    for name in ("SIGINT", "SIGPIPE"):  # the tool needs the system's actions, not Python's
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    return _core.tool([os.fsencode(argument) for argument in sys.argv])
