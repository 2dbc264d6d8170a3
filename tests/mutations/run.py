#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts texts with one random change. The tool must refuse a text with a reason, or write a sound model.

    run.py [--count N] [--seed S] [--judge PYTHON] [--keep DIR] [--as-they-are] [TEXTS...]

TEXTS are files and folders; by default a sample of the recorded cases and of the parser's texts. Each conversion may
take one second of processor time and 256 MB. If PYTHON, which has onnx and onnxruntime, is given, written models are
checked, loaded and run (judge.py). --as-they-are uses the texts unchanged, such as those that a fuzz target left.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import mutate
import recorded

refused = {2, 3, 6}
here = threading.local()


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", type=pathlib.Path, metavar="TEXTS")
    parser.add_argument("--cli", default=os.environ.get("JAX2ONNX", root / "build/release/jax2onnx"))
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge", metavar="PYTHON")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="gets the texts that fail")
    parser.add_argument("--as-they-are", action="store_true")
    parser.add_argument("--load-only", action="store_true", help="check and load models, do not run them")
    parser.add_argument("--seconds", type=float, default=1, help="of processor time for a conversion")
    parser.add_argument("--megabytes", type=int, default=256, help="of memory for a conversion")
    return parser.parse_args(arguments)


def files_of(paths):
    for path in paths:
        yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def sources(options):
    """Names and texts."""
    if options.texts:
        return [(str(path), path.read_bytes()) for path in files_of(options.texts)]
    found = [(path.stem, path.read_bytes()) for path in sorted((root / "parser/tests/data").glob("*/*.jaxpr"))]
    found += [(case.name, case.text.encode()) for case in recorded.cases()]
    return [(name, text) for name, text in found if len(text) < 5000]


def texts(options):
    """Names and texts to convert."""
    found = sources(options)
    if options.as_they_are:
        yield from found
        return
    rng = random.Random(options.seed)
    for number in range(options.count):
        name, text = rng.choice(found)
        yield f"{pathlib.Path(name).name}.{options.seed}.{number}", mutate.mutated(text.decode(), rng).encode()


def limited(options):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(options.seconds * 4) + 1, int(options.seconds * 4) + 2))

    return limit


def conversion(options, text, model):
    """Exit code and messages of the tool, and the bound that it exceeded, if any."""
    command = [options.cli, text, "-o", model, "-q"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limited(options),
    )
    messages = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if seconds > options.seconds:
        return process.returncode, messages, f"time: {seconds:.1f} s"
    if megabytes > options.megabytes:
        return process.returncode, messages, f"memory: {megabytes:.0f} MB"
    return process.returncode, messages, None


def judge(options):
    """The worker of this thread, a separate process, since ONNX Runtime can crash its process."""
    worker = getattr(here, "worker", None)
    if worker is None or worker.poll() is not None:
        command = [options.judge, pathlib.Path(__file__).with_name("judge.py"), *["--load-only"][: options.load_only]]
        here.worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
    return here.worker


def verdict(options, text, model):
    worker = judge(options)
    worker.stdin.write(f"{model}\t{text}\n")
    worker.stdin.flush()
    answer = worker.stdout.readline()
    if not answer:
        worker.wait()
        return None if worker.returncode == -8 else f"load: the runtime died with {worker.returncode}"  # integer / 0
    return answer.strip()


def outcome(options, text):
    """`refused`, `accepted`, or the problem."""
    with tempfile.TemporaryDirectory() as folder:
        source, model = f"{folder}/m.jaxpr", f"{folder}/m.onnx"
        pathlib.Path(source).write_bytes(text)
        code, messages, bound = conversion(options, source, model)
        if code in refused and not bound:
            return "refused" if "error" in messages else "message: none"
        if code != 0:
            return bound or f"exit code {code}: {messages[-300:]}"
        if bound:
            return bound
        return (verdict(options, source, model) if options.judge else None) or "accepted"


def main():
    options = options_of(sys.argv[1:])
    options.cli = str(options.cli)
    listing = subprocess.run([options.cli, "--list-primitives"], capture_output=True, text=True, check=True).stdout
    mutate.known_primitives += re.findall(r"^([a-z]\w*)", listing, re.MULTILINE)
    counts = {"refused": 0, "accepted": 0, "failed": 0}
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for (name, text), result in with_results(pool, options):
            if result in counts:
                counts[result] += 1
                continue
            counts["failed"] += 1
            print(f"{name}: {result}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{pathlib.Path(name).name}.jaxpr").write_bytes(text)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["failed"] or not sum(counts.values()) else 0


def with_results(pool, options):
    """Yields results in order, with a bounded number of texts in memory."""
    waiting = []
    for item in texts(options):
        waiting.append((item, pool.submit(outcome, options, item[1])))
        if len(waiting) >= 64:
            item, future = waiting.pop(0)
            yield item, future.result()
    for item, future in waiting:
        yield item, future.result()


if __name__ == "__main__":
    sys.exit(main())
