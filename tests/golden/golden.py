#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Readable models: the tool's output for a small text for every row of the lowering tables and every rewrite rule.

    golden.py               checks all goldens, and that every row and every rule has one
    golden.py --update      writes the tool's current output; review the difference
    golden.py --add         writes goldens for rows and rules that have none
    golden.py TEXT OPTION...
                            prints the tool's output for such a line of a golden

A golden has sections: a line "# jax2onnx TEXT OPTION...", the command, and then the output of `--emit text`. TEXT is a
recorded case, FAMILY/PRIMITIVE.NAME, or a file.
README.md says where they are. If Python has the onnx package, its parser must also read every model.
The tool is $JAX2ONNX, or else build/release/jax2onnx.
"""

import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
sys.path.insert(0, str(root / "tests/numeric"))

import families
import recorded

try:
    import onnx
    import onnx.parser
except ImportError:
    onnx = None

program = pathlib.Path(os.environ.get("JAX2ONNX", root / "build/release/jax2onnx")).resolve()
rewrites = here / "rewrites"
ENDING = ".onnx.txt"
PROMPT = "# jax2onnx "

# Rules for nodes that occur only in graphs built by hand, or for weights of more than 65536 numbers: tests/rewrite
# tests them.
NOT_FROM_TEXTS = {"drop-identity", "drop-reshape", "fold-shape", "scale-weight"}


def said(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def rule_names():
    return re.search(r"--no-fuse=\) .*?'(.*?) all'", said("--completion", "bash"))[1].split()


def name_of(golden):
    return golden.name.removesuffix(ENDING)


def row_of(golden):
    """The family and the primitive of a golden."""
    return golden.parent.name, golden.name.split(".", 1)[0]


def commands_in(golden):
    return [line.removeprefix(PROMPT) for line in golden.read_text().splitlines() if line.startswith(PROMPT)]


def written(commands, models):
    return "\n".join(f"{PROMPT}{command}\n{model}" for command, model in zip(commands, models))


@functools.cache
def emitted(command):
    """The tool's output for a command: a model, or the reason why there is none."""
    text, *options = shlex.split(command)
    case = recorded.from_file(root / text) if text.endswith(".jaxpr") else recorded.find(text)
    with tempfile.TemporaryDirectory() as folder:
        arguments = [program, *case.extract(pathlib.Path(folder)), *options, "--emit", "text", "-q"]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    return done.stdout or done.stderr


def wrong_golden(golden, commands, models):
    """The problem of a golden."""
    name = golden.relative_to(here)
    if not commands or written(commands, models) != golden.read_text():
        yield f"{name} should be\n{written(commands, models)}"
    if golden.parent != rewrites:
        case = f"{golden.parent.name}/{name_of(golden)}"
        if not commands or shlex.split(commands[0])[0] != case:
            yield f"{name} should be of {case}"
    else:
        rule = name_of(golden)
        if len(commands) != 2 or commands[0] != f"{commands[1]} --no-fuse={rule}":
            yield f"{name} should have a command with --no-fuse={rule}, then the same without"
        elif models[0] == models[1]:
            yield f"{name}: the rule does not apply"
    for model in models:
        try:
            onnx and onnx.parser.parse_model(model)
        except onnx.parser.ParseError as error:
            yield f"{name} is not ONNX's syntax: {error}"


def rows_without(goldens):
    have = set(map(row_of, goldens))
    old = {primitive for folder, primitive in have if folder in families.VERSIONS}
    return sorted(row for row in families.rows(program) if row not in have and row[1] not in old)


def rules_without(goldens):
    have = {name_of(golden) for golden in goldens if golden.parent == rewrites}
    return [rule for rule in rule_names() if rule not in have | NOT_FROM_TEXTS]


def outdated(goldens):
    """Goldens of rows and rules that no longer exist, and texts of rules without a golden."""
    rows, rules = families.rows(program), rule_names()
    primitives = {primitive for _, primitive in rows}
    for golden in goldens:
        family, primitive = row_of(golden)
        if golden.parent == rewrites:
            known = name_of(golden) in rules
        elif family in families.VERSIONS:
            known = primitive in primitives
        else:
            known = family in families.COMPOSITIONS or (family, primitive) in rows
        if not known:
            yield f"{golden.relative_to(here)}: there is no such row or rule"
    named = set(map(name_of, goldens))
    yield from (f"rewrites/{text.name} has no golden" for text in rewrites.glob("*.jaxpr") if text.stem not in named)


def add_row(pool, family, primitive):
    """Writes a golden of the row's shortest case with extents above 0 that has one of the row's operators."""
    operators = set(re.findall(r"\b[A-Z]\w+", families.listed(program)[primitive]))

    def rank(pair):
        case, model = pair
        signature = re.search(r"^main_graph.*", model, re.M)
        empty = not signature or bool(re.search(r"\b0[,\]]", signature[0]))
        aside = bool(operators) and operators.isdisjoint(re.findall(r" = (\w+)", model))
        return empty, aside, model.count("\n"), "float[" not in model, len(model), case

    named = rf"^{re.escape(primitive)}\."
    cases = list(map(str, recorded.cases([family], named) if family in recorded.families() else []))
    cases = cases or list(map(str, recorded.cases(sorted(families.VERSIONS), named)))
    if not cases:
        sys.exit(f"{family}/{primitive}: add a numeric case first")
    case, model = min(zip(cases, pool.map(emitted, cases)), key=rank)
    golden = here / f"{case}{ENDING}"
    golden.parent.mkdir(exist_ok=True)
    golden.write_text(written([case], [model]))


def add_rule(pool, rule):
    """Writes a golden of rewrites/RULE.jaxpr, or else of the shortest recorded case in which the rule applies."""
    own = rewrites / f"{rule}.jaxpr"
    commands = [str(own.relative_to(root))] if own.exists() else list(map(str, recorded.cases()))
    commands = [f"{command} --target=ort" for command in commands]  # this target uses all rules
    models = dict(zip(commands, pool.map(emitted, commands)))
    for command in sorted(commands, key=lambda c: (models[c].count("\n"), c)):
        before, after = f"{command} --no-fuse={rule}", models[command]
        if (without := emitted(before)) != after:
            (rewrites / f"{rule}{ENDING}").write_text(written([before, command], [without, after]))
            return
    sys.exit(f"{rule} applies to no recorded case: write rewrites/{rule}.jaxpr")


def main():
    if sys.argv[1:] and not sys.argv[1].startswith("--"):
        print(emitted(shlex.join(sys.argv[1:])), end="")
        return 0
    goldens = sorted(here.glob(f"*/*{ENDING}"))
    commands = {golden: commands_in(golden) for golden in goldens}
    rows, rules = rows_without(goldens), rules_without(goldens)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if "--add" in sys.argv:
            for row in rows:
                add_row(pool, *row)
            for rule in rules:
                add_rule(pool, rule)
            return 0
        models = {golden: pool.map(emitted, commands[golden]) for golden in goldens}
    models = {golden: list(models[golden]) for golden in goldens}
    if "--update" in sys.argv:
        for golden in goldens:
            golden.write_text(written(commands[golden], models[golden]))
        return 0
    problems = [f"{family}/{primitive} has no golden: golden.py --add" for family, primitive in rows]
    problems += [f"the rule {rule} has no golden: golden.py --add" for rule in rules]
    problems += outdated(goldens)
    for golden in goldens:
        problems += wrong_golden(golden, commands[golden], models[golden])
    print(*problems, f"{len(goldens)} goldens, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
