#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hunts for differences between JAX and the models into which the tool converts random programs.

    hunt.py [--seed N] [--programs N | --minutes M] [--groups numpy,control,...] [--jobs N] [--cli TOOL]

Prints how many programs agree, are refused, and differ; the failing programs, shrunk; and the primitives that were
reached. The exit code is 1 if a program differs in a way that known.toml does not list.
"""

import argparse
import collections
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
PATIENCE = 300  # seconds for a dozen programs; a hang counts as a failure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same programs")
    parser.add_argument("--programs", type=int, help="stop after so many")
    parser.add_argument("--minutes", type=float, help="start no new programs after this time (default: 60)")
    parser.add_argument("--groups", default="", help="only these, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument(
        "--shrink", type=int, default=150, help="how often a failing program is tried while it is shrunk"
    )
    parser.add_argument(
        "--failures", type=pathlib.Path, metavar="FILE", help="also append failing programs to this file"
    )
    options = parser.parse_args()
    if options.programs is None and options.minutes is None:
        options.minutes = 60
    os.environ["JAX2ONNX"] = str(pathlib.Path(options.cli).resolve())
    tally = report(options)
    for ending in (signal.SIGINT, signal.SIGTERM):  # also in the background, where a shell ignores SIGINT
        signal.signal(ending, signal.default_int_handler)
    try:
        for job, answer in work(options, tally.seen):
            tally.add(job, answer)
    except KeyboardInterrupt:
        print("interrupted")
    return tally.print()


def chunks(options):
    """Yields jobs without end, each with one mode: 64-bit types or not, symbolic dimensions or not."""
    index = 0
    while True:
        yield {"seed": options.seed, "chunk": index, "x64": index % 4 == 1, "symbolic": index % 4 == 2, "count": 96,
               "groups": options.groups.split(",") if options.groups else None, "shrink": options.shrink}  # fmt: skip
        index += 1


def work(options, seen):
    """Yields (job, answer) from worker processes. If one dies or hangs, the programs in process are lost."""
    jobs, idle, busy, begin, begun = chunks(options), [], {}, time.time(), 0

    def more():
        if options.programs is not None:
            return begun < options.programs
        return time.time() - begin < 60 * options.minutes

    while more() or busy:
        while more() and len(busy) < options.jobs:
            worker, job = idle.pop() if idle else start(), next(jobs)
            if options.programs is not None:
                job["count"] = min(job["count"], options.programs - begun)
            else:
                job["until"] = begin + 60 * options.minutes
            begun += job["count"]
            job["seen"] = seen()
            worker.stdin.write(json.dumps(job) + "\n")
            worker.stdin.flush()
            busy[worker] = job, time.time()
        ready, _, _ = select.select([w.stdout for w in busy], [], [], 1)
        for worker in list(busy):
            job, since = busy[worker]
            if worker.stdout in ready:
                line = worker.stdout.readline()
                del busy[worker]
                if line:
                    idle.append(worker)
                    yield job, json.loads(line)
                else:
                    yield job, lost(worker, f"the process died ({worker.wait()})")
            elif time.time() - max(since, worker.progress.stat().st_mtime) > PATIENCE:
                del busy[worker]
                worker.kill()
                worker.wait()
                yield job, lost(worker, "no answer")
    for worker in idle:
        worker.stdin.close()
        worker.wait()


def start():
    handle, progress = tempfile.mkstemp(prefix="hunt.")
    os.close(handle)
    worker = subprocess.Popen([sys.executable, here / "worker.py", progress], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)  # fmt: skip
    worker.progress = pathlib.Path(progress)
    return worker


def lost(worker, why):
    """The answer for a worker that died: the suspects are the programs that it was processing. JAX may also hang."""
    stage, _, suspects = worker.progress.read_text().partition("\n")
    worker.progress.unlink()
    if stage == "JAX":
        none = {"refusals": {}, "primitives": {}, "failures": []}
        return {"groups": {"?": {"invalid": 1}}, "remarks": {f"{why} while JAX was at it": 1}, **none}
    example = {"group": "?", "detail": why, "reproducer": suspects}
    failing = {"cause": ["crash", suspects, []], "example": example, "programs": 1}
    return {"groups": {"?": {"differing": 1}}, "refusals": {}, "remarks": {}, "primitives": {}, "failures": [failing]}


class report:
    def __init__(self, options):
        self.options, self.begin = options, time.time()
        self.groups = collections.defaultdict(collections.Counter)
        self.refusals, self.remarks, self.primitives = (collections.Counter() for _ in range(3))
        self.failures = collections.Counter()

    def add(self, job, answer):
        for group, counts in answer["groups"].items():
            self.groups[group].update(counts)
        for name in ("refusals", "remarks", "primitives"):
            getattr(self, name).update(answer[name])
        for failing in answer["failures"]:
            cause = json.dumps(failing["cause"])
            self.failures[cause] += failing["programs"]
            if failing["example"]:
                self.show(failing["cause"], failing["example"], job)

    def show(self, cause, example, job):
        kind, _, primitives = cause
        text = (f"# {len(self.failures)}. {kind} ({example['group']}, seed {job['seed']}, chunk {job['chunk']})\n"
                f"# {example['detail']}\n# primitives: {', '.join(primitives)}\n{example['reproducer']}\n")  # fmt: skip
        print(text, flush=True)
        if self.options.failures:
            with open(self.options.failures, "a") as file:
                file.write(text + "\n")

    def seen(self):
        return [json.loads(cause) for cause in self.failures]

    def print(self):
        columns = ["agreeing", "known", "refused", "differing", "invalid"]
        total = collections.Counter()
        print(f"{'group':14s}" + "".join(f"{c:>11s}" for c in ["programs", *columns]))
        for group, counts in sorted(self.groups.items()):
            total.update(counts)
            print(self.row(group, counts, columns))
        print(self.row("all", total, columns))
        for title, counter in (("refused", self.refusals), ("accepted differences", self.remarks)):
            print(f"\n{title}:")
            for what, count in counter.most_common(60):
                print(f"{count:7d}  {what}")
        print("\ncauses of differences:")
        for cause, count in self.failures.most_common():
            kind, message, primitives = json.loads(cause)
            print(f"{count:7d}  {kind}: {message[:100] or ', '.join(primitives)}")
        known = listed(self.options.cli)
        missed = sorted(known - set(self.primitives))
        print(f"\n{len(self.primitives)} primitives reached; of those that can be converted not: {' '.join(missed)}")
        print(f"{sum(total[c] for c in columns[:4])} programs, {len(self.failures)} causes of differences, "
              f"{time.time() - self.begin:.0f} s")  # fmt: skip
        return 1 if self.failures else 0

    @staticmethod
    def row(name, counts, columns):
        programs = sum(counts[c] for c in columns[:4])
        return f"{name:14s}{programs:11d}" + "".join(f"{counts[c]:11d}" for c in columns)


def listed(cli):
    said = subprocess.run([cli, "--list-primitives"], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in said.splitlines() if line.strip()}


if __name__ == "__main__":
    sys.exit(main())
