#!/usr/bin/env python3
"""Holds the figures of budgets.toml against their limits. They count instructions, bytes, lines and nodes, which a busy
machine does not change.

    JAX2ONNX=build/release/jax2onnx tests/budgets/measure.py [--update] [--compiler g++] [TABLE...]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE = HERE / "budgets.toml"
TOOL = os.environ.get("JAX2ONNX", ROOT / "build/release/jax2onnx")
EQUATIONS = 5000

PROGRAMS = {
    "umbrella": "#include <jax2onnx/jax2onnx.hpp>\nint main() {}\n",
    "compiled": "#define JAX2ONNX_COMPILED\n#include <jax2onnx/jax2onnx.hpp>\n"
    'int main() { return static_cast<int>(jax2onnx::convert("", {}).stats.nodes); }\n',
    "typed": "#include <jax2onnx/dsl/typed/typed_ops.hpp>\nint main() {}\n",
    "parser": "#include <jaxpr/jaxpr.hpp>\nint main() {}\n",
}


def variable(i):
    """Four letters, as JAX names its variables."""
    return "".join(chr(ord("a") + i // 26**k % 26) for k in range(4))


def chain():
    """A text of many equations, each of which reads the one before."""
    lines = [
        f"    {variable(i + 1)}:f32[4] = {('sin', 'tanh', 'exp')[i % 3]} {variable(i)}\n" for i in range(EQUATIONS)
    ]
    return f"{{ lambda ; {variable(0)}:f32[4]. let\n{''.join(lines)}  in ({variable(EQUATIONS)},) }}\n"


def conversion(name, work):
    """The command that converts a text, and the model that it writes."""
    text = HERE / "texts" / f"{name}.jaxpr"
    if name == "chain":
        text = work / "chain.jaxpr"
        text.write_text(chain())
    return [str(TOOL), str(text), "-o", str(work / f"{name}.onnx")]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def peak_kilobytes(command):
    """The largest resident set of a command. GNU time is small, and what Python would report includes Python's own."""
    return int(run(["time", "-f", "peak %M", *command]).rpartition("peak ")[2])


def instructions(name, work, _):
    profile = [f"--callgrind-out-file={work / 'callgrind.out'}"]
    said = run(["valgrind", "--tool=callgrind", *profile, *conversion(name, work)])
    return int(re.search(r"Collected : (\d+)", said)[1])


def nodes(name, work, _):
    return int(re.search(r"-> (\d+) nodes", run(conversion(name, work)))[1])


def memory(name, work, _):
    return peak_kilobytes(conversion(name, work))


def compile_command(name, work, compiler):
    source = work / f"{name}.cpp"
    source.write_text(PROGRAMS[name])
    roots = [f"-I{ROOT / folder}" for folder in ("include", "dsl/include", "parser")]
    return [compiler, "-std=c++20", "-O2", *roots, str(source)]


def compile_memory(name, work, compiler):
    return peak_kilobytes([*compile_command(name, work, compiler), "-c", "-o", str(work / "out.o")]) // 1024


def compile_lines(name, work, compiler):
    return run([*compile_command(name, work, compiler), "-E"]).count("\n")


def size(_name, work, _):
    stripped = work / "stripped"
    run(["strip", "-o", stripped, TOOL])
    return stripped.stat().st_size // 1024


MEASURES = {
    "conversion": (instructions, "instructions"),
    "nodes": (nodes, "nodes"),
    "memory": (memory, "KB"),
    "compile_memory": (compile_memory, "MB"),
    "compile_lines": (compile_lines, "lines"),
    "size": (size, "KB"),
}


def renew(name, table, now):
    """The figure `now` of a row of budgets.toml."""
    text = FILE.read_text()
    head, tail = text.split(f"[{table}]\n", 1)
    tail = re.sub(rf"^({name} = .*now = )\d+", rf"\g<1>{now}", tail, count=1, flags=re.MULTILINE)
    FILE.write_text(f"{head}[{table}]\n{tail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="renew the figures `now`")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(MEASURES))
    options = parser.parse_args()
    budgets = tomllib.loads(FILE.read_text())
    passed = 0
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        for table in options.tables or budgets:
            measure, unit = MEASURES[table]
            for name, row in budgets[table].items():
                value = measure(name, work, options.compiler)
                passed += value > row["limit"]
                verdict = "ABOVE its limit" if value > row["limit"] else "at most"
                print(f"{table:15} {name:14} {value:>13,} {unit:12} {verdict} {row['limit']:,} (was {row['now']:,})")
                if options.update:
                    renew(name, table, value)
    finally:
        shutil.rmtree(work)
    if passed:
        sys.exit(f"{passed} figures are above their limits")


if __name__ == "__main__":
    main()
