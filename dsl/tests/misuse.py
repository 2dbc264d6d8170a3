#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles programs that must be refused, and checks the compilers' messages.

    misuse.py [--update] [--compiler KIND[=COMMAND]]... [NAME...]

Compiles each dsl/tests/misuse/NAME.cpp with GCC and with Clang, if installed. The compiler must fail with one error of
at most 12 lines, not counting the chain of includes above them. The first line must quote the problem, or a static
assertion or the comment beside a deleted function must give the reason. GCC 12 must print NAME.gcc.txt, and Clang 16
must print NAME.clang.txt. Other versions must print the same quoted text. --compiler gcc or --compiler "clang=zig c++"
tries only the given compilers.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "dsl/tests/misuse"
MOST_LINES = 12
COMPILERS = {"gcc": ["g++-12", "g++"], "clang": ["clang++-16", "clang++"]}
EXACT_VERSIONS = {"gcc": 12, "clang": 16}


def installed(names):
    """The first of these commands that is installed; None if there is none."""
    commands = map(shlex.split, names)
    return next((command for command in commands if shutil.which(command[0])), None)


def major(compiler):
    out = subprocess.run([*compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout
    return int(out.split(".")[0])


def flags():
    roots = [f"-I{ROOT / folder}" for folder in ("include", "dsl/include", "parser")]
    return ["-std=c++20", "-fdiagnostics-color=never", "-DJAX2ONNX_COMPILED", *roots]


def precompiled(kind, compiler, folder):
    """Precompiles the header of the DSL in `folder`. Returns the options that include this header."""
    header = pathlib.Path(folder) / "dsl.hpp"
    header.write_text("#include <jax2onnx/dsl.hpp>\n")
    suffix = ".gch" if kind == "gcc" else ".pch"
    subprocess.run([*compiler, *flags(), "-x", "c++-header", header, "-o", f"{header}{suffix}"], check=True)
    return ["-include", header] if kind == "gcc" else ["-include-pch", f"{header}{suffix}"]


def normalized(text):
    """The messages without paths, line numbers, the count of errors, and the chain of includes."""
    lines = []
    for line in text.splitlines():
        if re.match(r"In file included from|                 from |\d+ errors? generated|compilation terminated", line):
            continue
        line = re.sub(r"(?:[^\s:]*/)?([\w.]+\.[ch]pp)(?::\d+)*:", r"\1:", line)
        line = re.sub(r"^\s*\d* \| ", "  | ", line)
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def quoted(text):
    """The quoted parts of the first line that names message_line, joined; empty if there is no such line."""
    return "".join(re.findall(r'"([^"]*)"', next((line for line in text.splitlines() if "message_line" in line), "")))


def says_why(text):
    """Returns whether the first line, a static assertion, or the comment on a deleted function gives the reason."""
    if "message_line" in text.splitlines()[0] or "= delete;  // " in text:
        return True
    return any("static assertion failed" in line and "see the quoted text" not in line for line in text.splitlines())


def run(compiler, options, case):
    done = subprocess.run([*compiler, *flags(), *options, "-fsyntax-only", case], capture_output=True, text=True)
    return done.returncode, normalized(done.stderr)


def problems(kind, exact, case, status, text, update):
    expected = case.with_suffix(f".{kind}.txt")
    if status == 0:
        return ["compiles"]
    if update:
        expected.write_text(text)
    found = []
    lines = len(text.splitlines())
    if lines > MOST_LINES:
        found.append(f"the message has {lines} lines")
    if not says_why(text):
        found.append(f"the first line does not say what is wrong: {text.splitlines()[0]}")
    if text.count("error:") != 1:
        found.append(f"{text.count('error:')} errors")
    golden = expected.read_text() if expected.exists() else ""
    if exact and text != golden:
        found.append(f"another message than {expected.name}:\n{text}")
    elif quoted(text) != quoted(golden):
        found.append(f"says '{quoted(text)}' instead of '{quoted(golden)}'")
    return found


def check(kind, names, cases, update):
    compiler = installed(names)
    if not compiler:
        print(f"{kind}: not installed, not checked")
        return 0
    exact, failures, lines = major(compiler) == EXACT_VERSIONS[kind], 0, []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        options = precompiled(kind, compiler, folder)
        for case, (status, text) in zip(cases, pool.map(lambda c: run(compiler, options, c), cases)):
            lines.append(len(text.splitlines()))
            for problem in problems(kind, exact, case, status, text, update):
                print(f"{kind}: {case.name}: {problem}")
                failures += 1
    length = f"{statistics.median(lines):.0f} lines, {max(lines)} at most"
    print(f"{kind}: {len(cases)} programs, {length}, {failures} failures")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compiler", action="append", default=[], metavar="KIND[=COMMAND]")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    cases = [c for c in sorted(CASES.glob("*.cpp")) if not options.names or c.stem in options.names]
    given = [
        (kind, [command] if command else COMPILERS[kind])
        for kind, _, command in (c.partition("=") for c in options.compiler)
    ]
    tried = given or COMPILERS.items()
    return 1 if sum(check(kind, names, cases, options.update) for kind, names in tried) else 0


if __name__ == "__main__":
    sys.exit(main())
