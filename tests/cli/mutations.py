#!/usr/bin/env python3
"""Converts texts with seeded damage: the tool must write a model, or a message with an exit code for bad input.

mutations.py [--count N] [--seed S] [--keep DIR]      DIR gets the texts that crashed the tool
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from tool import root, run

expected = {0, 2, 3, 6}
token = re.compile(r"-?\d+(?:\.\d+)?|[A-Za-z_]\w*|\S")
number = re.compile(r"-?\d+")
numbers = (
    "0 1 -1 2 7 100 4096 2147483647 -2147483648 9223372036854775807 99999999999999999999 nan None True B () (1,)"
).split()
dtypes = ["f32", "f64", "i32", "i64", "u8", "bool", "bf16", "c64", "f16", "key<fry>", "i4", "f8_e4m3fn"]


def replaced(text, rng, found, new):
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def damaged(text, rng):
    tokens = list(token.finditer(text))
    lines = text.split("\n")
    kind = rng.randrange(6)
    if kind == 0:
        return replaced(text, rng, [t for t in tokens if number.fullmatch(t.group())], rng.choice(numbers))
    if kind == 1:
        return replaced(text, rng, [t for t in tokens if t.group() in dtypes], rng.choice(dtypes))
    if kind == 2:
        return replaced(text, rng, tokens, "")
    if kind == 3:
        return replaced(text, rng, tokens, rng.choice(tokens).group() if tokens else "")
    if kind == 4:
        return (
            "\n".join(lines[:1] + rng.sample(lines[1:], len(lines) - 1))
            if rng.random() < 0.3
            else "\n".join(lines[:-1])
        )
    keys = list(re.finditer(r"\w+=", text))
    return replaced(text, rng, keys, rng.choice(keys).group() if keys else "")


def outcome(folder):
    """How the tool failed on m.jaxpr, or None."""
    try:
        done = run("m.jaxpr", "-q", cwd=folder)
    except subprocess.TimeoutExpired:
        return "it does not end"
    well = done.code in expected and (done.code == 0 or "error" in done.err)
    return "" if well else f"exit code {done.code}: {done.err[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    rng, failures = random.Random(args.seed), 0
    texts = sorted(p for p in (root / "tests/numeric/data").glob("*/*.jaxpr") if p.stat().st_size < 5000)
    with tempfile.TemporaryDirectory() as folder:
        for i in range(args.count):
            source = rng.choice(texts)
            text = source.read_text()
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                text = damaged(text, rng)
            (pathlib.Path(folder) / "m.jaxpr").write_text(text)
            problem = outcome(folder)
            if not problem:
                continue
            failures += 1
            print(f"{source.stem}, damage {i}: {problem}")
            if args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"{args.seed}-{i}.jaxpr").write_text(text)
    print(f"{args.count - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
