#!/usr/bin/env python3
"""The old model survives whatever ends a conversion: a signal at a random moment, a full disk, a read-only folder.

    interruption.py TIMES [DISK]      run by scripts/test-interruption

A SIGKILL in the few microseconds between naming the new file and renaming it leaves a temporary file. On a busy machine
up to one attempt in twenty may hit them.
"""

import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from arrays import sparse_safetensors
from tool import program

text = """{ lambda a:f32[4096,1024]; b:f32[1,4096]. let
    c:f32[1,1024] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] b a
  in (c,) }
"""
ways = {"one file": [], "external data": ["--external-data"]}


class folder:
    """A folder with a text, 16 MB of weights, and an old model with its data."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        (self.path / "m.jaxpr").write_text(text)
        sparse_safetensors(self.path / "w.safetensors", {"a": (4096, 1024)})
        self.reset()

    def reset(self):
        for name in ("m.onnx", "m.onnx.data"):
            (self.path / name).write_text("old " + name)
        self.old = self.state()

    def clean(self):
        """Removes files that the test did not make."""
        extra = [f for f in self.path.iterdir() if f.name not in self.old[0]]
        for file in extra:
            file.unlink()
        return extra

    def state(self):
        """The names of all files, and the contents of the outputs."""
        names = sorted(os.listdir(self.path))
        hashes = {n: hashlib.sha256((self.path / n).read_bytes()).hexdigest() for n in names if n.startswith("m.onnx")}
        return names, hashes

    def start(self, *options, **environment):
        return subprocess.Popen(
            [program, "m.jaxpr", "-w", "w.safetensors", "-q", *options],
            cwd=self.path,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def convert(self, *options, **environment):
        tool = self.start(*options, **environment)
        said = tool.communicate()[1]
        return tool.returncode, said


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def killed(path, times):
    """Kills conversions at random moments. Each has either finished or changed nothing."""
    at = folder(path)
    for way, options in ways.items():
        start = time.monotonic()
        expect(at.convert(*options)[0] == 0, "a conversion that nobody disturbs")
        duration, new, finished = time.monotonic() - start, at.state(), 0
        leftovers = 0
        for attempt in range(times):
            at.reset()
            tool = at.start(*options)
            time.sleep(random.uniform(0, 1.1 * duration))
            tool.send_signal(random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            tool.communicate()
            names, outputs = at.state()
            finished += outputs == new[1]
            leftovers += len(at.clean())
            expect(outputs in (at.old[1], new[1]), f"{way}, killed, attempt {attempt}: {names}")
        print(
            f"{way}: killed {times} times within {1000 * duration:.0f} ms, {finished} times too late, "
            f"{leftovers} files left over"
        )
        expect(leftovers <= times / 20, "temporary files are left over")


def full(path):
    """Converts on a small disk: the weights fit, since the file is sparse; the model does not."""
    at = folder(path)
    for way, options in ways.items():
        code, said = at.convert(*options)
        expect(code == 4 and "No space left" in said, f"{way}, disk full: exit code {code}, {said}")
        expect(at.state() == at.old, f"{way}, disk full: {at.state()[0]}")
        print(f"{way}: a full disk is exit code 4, the old files stay")


def unwritable(path):
    """Converts into a read-only folder, as a user without the rights of root."""
    at = folder(path)
    os.chmod(path, 0o555)
    for file in at.path.iterdir():
        file.chmod(0o444)
    run_as = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    if run_as and not shutil.which("setpriv"):
        return print("unwritable folder: skipped, no setpriv")
    for way, options in ways.items():
        done = subprocess.run(
            [*run_as, program, "m.jaxpr", "-w", "w.safetensors", *options], cwd=path, capture_output=True, text=True
        )
        expect(done.returncode == 4 and "Permission denied" in done.stderr, f"{way}, unwritable folder: {done}")
        expect(at.state() == at.old, f"{way}, unwritable folder: {at.state()[0]}")
        print(f"{way}: an unwritable folder is exit code 4, the old files stay")
    os.chmod(path, 0o755)


def main():
    times = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as path:
        killed(path, times)
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o755)
        unwritable(path)
    for disk in sys.argv[2:]:
        full(disk)


if __name__ == "__main__":
    main()
