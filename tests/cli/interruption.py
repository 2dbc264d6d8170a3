#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the old model survives whatever ends a conversion: a signal at any time, a full disk, a read-only folder.
Two conversions to the same name never mix.

    interruption.py TIMES [DISK]      run by scripts/test-interruption

A process that is killed while its files are renamed leaves no other files, since a child process renames them.
"""

import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from arrays import safetensors, sparse_safetensors
from tool import program

text = """{ lambda a:f32[4096,1024]; b:f32[1,4096]. let
    c:f32[1,1024] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] b a
  in (c,) }
"""
ways = {
    "one file": [],
    "external data": ["--external-data"],
    "named data": ["--external-data=w.bin"],
}
old, new = 1.0, 2.0  # the values that the weights are filled with


class folder:
    """A folder with a jaxpr, 16 MB each of old and new weights, and an old model with its data."""

    def __init__(self, path, options=(), sparse=False):
        self.path = pathlib.Path(path)
        self.options = options
        (self.path / "m.jaxpr").write_text(text)
        if sparse:
            sparse_safetensors(self.path / "new.safetensors", {"a": (4096, 1024)})
        else:
            for name, fill in [("old", old), ("new", new)]:
                (self.path / f"{name}.safetensors").write_bytes(safetensors({"a": (4096, 1024)}, fill=fill))
            expect(self.convert("old")[0] == 0, "a conversion that nobody disturbs")
        self.before = self.state()

    def state(self):
        """The names and hashes of all outputs."""
        inputs = ("m.jaxpr", "old.safetensors", "new.safetensors")
        files = [f for f in self.path.iterdir() if f.name not in inputs]
        return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in files}

    def model(self):
        """The value that fills the model's weights, as a reader sees them, and the model's files."""
        content = (self.path / "m.onnx").read_bytes()
        data = re.search(rb"location\x12(.)", content)  # a field with its length
        files = ["m.onnx"] + ([content[data.end() :][: data[1][0]].decode()] if data else [])
        weights = (self.path / files[-1]).read_bytes()
        fills = [fill for fill in (old, new) if struct.pack("<f", fill) * 4096 * 1024 in weights]
        expect(len(fills) == 1, f"the model is neither the old nor the new one, but consists of {files}")
        return fills[0], files

    def left_over(self):
        return sorted(set(self.state()) - set(self.model()[1]))

    def start(self, weights, **environment):
        return subprocess.Popen(
            [program, "m.jaxpr", "-w", f"{weights}.safetensors", "-o", "m.onnx", "-q", *self.options],
            cwd=self.path,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def convert(self, weights):
        tool = self.start(weights)
        said = tool.communicate()[1]
        return tool.returncode, said


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def killed(path, times):
    """Kills conversions. Each must finish or change nothing; the next one removes files that were left over.

    Half of them are killed at random times, the other half when the first file is renamed.
    """
    for way, options in ways.items():
        with tempfile.TemporaryDirectory(dir=path) as inner:
            at = folder(inner, options)
            start = time.monotonic()
            expect(at.convert("old")[0] == 0, "a conversion that nobody disturbs")
            duration, finished, left_over = time.monotonic() - start, 0, 0
            for attempt in range(times):
                tool = at.start("new")
                if attempt % 2:
                    time.sleep(random.uniform(0, 1.1 * duration))
                else:
                    wait_for_change(at.path, tool)
                tool.send_signal(random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
                tool.communicate()
                finished += at.model()[0] == new
                left_over += len(at.left_over())
                expect(at.convert("old")[0] == 0, "the next conversion")
                expect(at.state() == at.before, f"{way}, after attempt {attempt}: {sorted(at.state())}")
            print(
                f"{way}: killed {times} times within {1000 * duration:.0f} ms, {finished} times too late, "
                f"{left_over} files left over"
            )
            expect(left_over == 0, "files are left over")


def wait_for_change(path, tool):
    """Waits until a conversion renames its first file."""
    before = path.stat().st_mtime_ns
    while path.stat().st_mtime_ns == before and tool.poll() is None:
        pass


def together(path, times):
    """Runs two conversions to one name at once: the model must have the weights of one; no other file may be left."""
    for way, options in ways.items():
        with tempfile.TemporaryDirectory(dir=path) as inner:
            at = folder(inner, options)
            won = {old: 0, new: 0}
            for _ in range(times):
                tools = [at.start("old"), at.start("new")]
                for tool in tools:
                    said = tool.communicate()[1]
                    # It is not known which of two names is written first: one conversion may find the other's file.
                    expect(tool.returncode == 0 or "written by another process" in said, said)
                won[at.model()[0]] += 1
                expect(not at.left_over(), f"{way}, two at once: {at.left_over()} left over")
            print(f"{way}: {times} pairs at once, {won[old]} and {won[new]} times the last one")


def full(path):
    """Converts on a small disk: the weights fit, since the file is sparse; the model does not."""
    for way, options in ways.items():
        at = folder(path, options, sparse=True)
        for name in ("m.onnx", "w.bin"):
            (at.path / name).write_text("old " + name)
        before = at.state()
        code, said = at.convert("new")
        expect(code == 4 and "No space left" in said, f"{way}, disk full: exit code {code}, {said}")
        expect(at.state() == before, f"{way}, disk full: {sorted(at.state())}")
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
            [*run_as, program, "m.jaxpr", "-w", "new.safetensors", *options], cwd=path, capture_output=True, text=True
        )
        expect(done.returncode == 4 and "Permission denied" in done.stderr, f"{way}, unwritable folder: {done}")
        expect(at.state() == at.before, f"{way}, unwritable folder: {sorted(at.state())}")
        print(f"{way}: an unwritable folder is exit code 4, the old files stay")
    os.chmod(path, 0o755)


def main():
    times = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as path:
        killed(path, times)
        together(path, max(times // 2, 1))
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o755)
        unwritable(path)
    for disk in sys.argv[2:]:
        full(disk)


if __name__ == "__main__":
    main()
