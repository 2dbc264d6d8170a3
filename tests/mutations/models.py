#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads, optimizes and writes models with random changes. Models that read_model accepts must stay sound and
compute the same.

    models.py --tool build/fuzz/fuzz/changed_models [--way WAY] [--count N] [--seed S] [--keep DIR] [MODELS...]

WAY is `bytes`, `fields` (of the messages), `operators` (models of random operators), or `none`: the models unchanged.
MODELS are files and folders; by default the seeds of the fuzz target and ONNX's own node tests. A model that is not
refused must be written as one that onnx.checker accepts, unchanged and optimized. If the checker and ONNX Runtime
accept the model itself, both written models must also load and give the same results for random inputs, including NaN,
infinities and zeros.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import models_judge

root = pathlib.Path(__file__).resolve().parents[2]
slow = 5  # seconds, with sanitizers on a busy machine


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path, metavar="MODELS")
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--way", choices=["bytes", "fields", "operators", "none"], default="fields")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="gets the models that fail")
    return parser.parse_args(arguments)


def node_tests():
    """Models of ONNX's node tests, which are in the onnx package."""
    import onnx.backend.test

    return sorted(pathlib.Path(onnx.backend.test.__file__).parent.glob("data/node/*/model.onnx"))


def seeds(options):
    if not options.models:
        return [*sorted((root / "fuzz/seeds/model").iterdir()), *node_tests()]
    files = [p for path in options.models for p in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [p for p in files if p.is_file()]


class changed_models:
    """The program that changes, reads and writes models. It is restarted if it dies."""

    def __init__(self, options, folder):
        self.options, self.folder, self.seeds = options, folder, seeds(options)
        if options.way == "none":
            options.count = len(self.seeds)

    def outcomes(self):
        """Yields for each model its number, the time, and the outcome."""
        number, end = self.options.seed, self.options.seed + self.options.count
        while number < end:
            offset = number - self.options.seed if self.options.way == "none" else 0
            files = self.seeds[offset:]
            command = [self.options.tool, self.options.way, number, end - number, self.folder, *files]
            with tempfile.TemporaryFile(mode="w+") as errors:
                process = subprocess.Popen(
                    [str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
                )
                for line in process.stdout:
                    at, seconds, said = line.rstrip("\n").split(" ", 2)
                    yield int(at), float(seconds), said
                    number = int(at) + 1
                    process.stdin.write("\n")
                    process.stdin.flush()
                if process.wait() != 0:
                    errors.seek(0)
                    yield number, 0, f"crash: {summary(errors.read())}"
                    number += 1


def summary(errors):
    """The first lines of a sanitizer's report."""
    lines = [line.strip() for line in errors.splitlines()]
    places = [line for line in lines if re.search(r"runtime error|ERROR: |Assertion|jax2onnx/(?!support)", line)]
    return " | ".join(places[:4]) or errors[-300:]


def main():
    options = options_of(sys.argv[1:])
    counts = {"refused": 0, "same": 0, "sound": 0, "failed": 0}
    with tempfile.TemporaryDirectory() as name, models_judge.worker() as judge:
        folder = pathlib.Path(name)
        for number, seconds, said in changed_models(options, folder).outcomes():
            files = [folder / f"{number}{ending}.onnx" for ending in ("", ".written", ".optimized")]
            kind, problem = ("sound", judge.verdict(*files)) if said == "ok" else ("refused", None)
            if said == "ok" and problem == "same":
                kind, problem = "same", None
            if said.startswith(("internal", "crash")):
                problem = said
            elif seconds > slow:
                problem = f"time: {seconds:.1f} s"
            counts["failed" if problem else kind] += 1
            if problem:
                print(f"{options.way} {number}: {problem}", flush=True)
            for file in files:
                if problem and options.keep and file.exists():
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{options.way}_{file.name}").write_bytes(file.read_bytes())
                file.unlink(missing_ok=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()), flush=True)
    return 1 if counts["failed"] or not sum(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
