# SPDX-License-Identifier: Apache-2.0
"""A process of the hunt: reads jobs from standard input, a JSON object a line, and answers each with a line."""

import collections
import json
import pathlib
import re
import sys
import time

import jax

from choices import choices, shrink
from groups import written
from judge import judge, judge_all

BATCH = 8
COLUMNS = {"agrees": "agreeing", "known": "known", "refused": "refused", "invalid": "invalid"}


def main():
    progress = pathlib.Path(sys.argv[1])
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps(hunt(json.loads(line), progress)) + "\n")
        answers.flush()
        jax.clear_caches()
    progress.unlink(missing_ok=True)


def hunt(job, progress):
    def before(programs, stage):
        progress.write_text(stage + "\n" + "\n\n".join(p.source for p in programs))

    drawn = generated(job)
    results = {}
    for batch in batches(drawn):
        if time.time() > job.get("until", float("inf")):
            break
        for program, outcome in judge_all(batch, before):
            results[program] = outcome
    answer = summary(results)
    answer["failures"] = list(failures(job, results, before))
    return answer


def draw(job, source):
    return written(source, job["x64"], job["symbolic"], job["groups"])


def generated(job):
    """The programs of a job, which depend only on its seed."""
    seeds = (f"{job['seed']}.{job['chunk']}.{index}" for index in range(job["count"]))
    return [p for p in dict.fromkeys(draw(job, choices(s)) for s in seeds) if p]


def batches(drawn):
    """Yields some programs at a time, either all with symbols or all without."""
    for symbolic in (False, True):
        mine = [p for p in drawn if p.symbolic == symbolic]
        yield from (mine[i : i + BATCH] for i in range(0, len(mine), BATCH))


def summary(results):
    groups = collections.defaultdict(collections.Counter)
    refusals, remarks, primitives = (collections.Counter() for _ in range(3))
    for program, outcome in results.items():
        groups[program.group][COLUMNS.get(outcome.kind, "differing")] += 1
        remarks.update(outcome.remarks)
        if outcome.kind == "refused":
            refusals[reason(outcome.detail)] += 1
        elif outcome.kind != "invalid":
            primitives.update(outcome.primitives)
    return {"groups": groups, "refusals": refusals, "remarks": remarks, "primitives": primitives}


def reason(detail):
    return re.sub(r"\d+", "N", re.sub(r"\[[^\]]*\]", "[...]", detail))[:160]


def failures(job, results, before):
    """The failing programs, shrunk, one for each cause. Failures with a cause in job["seen"] are only counted."""
    seen = [known_cause(*cause) for cause in job["seen"]]
    failing = [(p, o) for p, o in results.items() if o.failed]
    for program, found in sorted(failing, key=lambda item: len(item[1].primitives)):
        cause = next((c for c in seen if c.explains(found)), None)
        if cause is None:
            smaller, found = shrunk(job, results, program, before)
            cause = known_cause(found.kind, message(found), found.primitives)
            cause.example = {
                "group": program.group,
                "detail": found.detail,
                "reproducer": smaller.reproducer(found.sizes),
            }
            seen.append(cause)
        cause.programs += 1
    return [c.json() for c in seen if c.programs]


class known_cause:
    """A kind of failure, with a message or with the primitives that suffice to cause it."""

    def __init__(self, kind, message, primitives):
        self.kind, self.message, self.primitives = kind, message, frozenset(primitives)
        self.example, self.programs = None, 0

    def explains(self, found):
        same = (self.kind, self.message) == (found.kind, message(found))
        return same and (bool(self.message) or self.primitives <= found.primitives)

    def json(self):
        cause = [self.kind, self.message, sorted(self.primitives)]
        return {"cause": cause, "example": self.example, "programs": self.programs}


def message(found):
    """The message of a failure, without names and numbers; empty for results that differ."""
    if found.kind.split()[0] in ("numbers", "integers", "booleans", "NaN", "infinity"):
        return ""
    return re.sub(r"'[^']*'|\d+", "", re.sub(r"\[[^\]]*\]", "", found.detail))[:120]


def shrunk(job, results, program, before):
    """The smallest program found that fails in the same way, and its outcome."""
    kind = results[program].kind

    def fails(candidate):
        smaller = draw(job, source := choices(given=candidate))
        if not smaller:
            return None
        if smaller not in results:
            results[smaller] = judge(smaller, before)
        return source.made if results[smaller].kind == kind else None

    best = draw(job, choices(given=shrink(program.choices, fails, job["shrink"])))
    return best, results[best]


if __name__ == "__main__":
    main()
