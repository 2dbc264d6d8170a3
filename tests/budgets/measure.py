#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the figures of budgets.toml with their limits. They count instructions, bytes, lines and nodes, which do not
depend on the load of the machine, so they are measured in parallel.

    JAX2ONNX=build/release/jax2onnx tests/budgets/measure.py [--update] [--planted] [--compiler g++] [TABLE...]

--planted makes everything cost a few percent more: more equations, one more header, symbols. It fails if a limit does
not notice.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import runpy
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

CONVERT = """#include <jax2onnx/jax2onnx.hpp>
int main() { return static_cast<int>(jax2onnx::convert("", {}).stats.nodes); }
"""
LAYERS = runpy.run_path(str(ROOT / "scripts/typed-compile-time"))
# All memory that GCC asks for, without garbage collection. When GCC collects depends on the machine and on every line,
# so that a rule of ten lines can raise the peak by a fortieth.
COLLECTOR = ["--param", "ggc-min-heapsize=100000000"]
PROGRAMS = {
    "umbrella": "#include <jax2onnx/jax2onnx.hpp>\nint main() {}\n",
    "convert": CONVERT,
    "compiled": f"#define JAX2ONNX_COMPILED\n{CONVERT}",
    "report": "#include <jax2onnx/report.hpp>\nint main() {}\n",
    "typed_layers": "#define JAX2ONNX_COMPILED\n" + LAYERS["program"](LAYERS["BLOCK"], LAYERS["BLOCK_FIRST"], 10),
    "typed": "#include <jax2onnx/dsl/typed/typed_ops.hpp>\nint main() {}\n",
    "parser": "#include <jaxpr/jaxpr.hpp>\nint main() {}\n",
}
# Additional includes and instantiations that limits must notice.
MORE = '#include <regex>\nstd::regex a("a");\nstd::wregex b(L"b");\n'


def variable(i):
    """A variable's name of four letters, as in JAX."""
    return "".join(chr(ord("a") + i // 26**k % 26) for k in range(4))


def chain():
    """A jaxpr of many equations, each of which reads the previous result."""
    lines = [
        f"    {variable(i + 1)}:f32[4] = {('sin', 'tanh', 'exp')[i % 3]} {variable(i)}\n" for i in range(EQUATIONS)
    ]
    return f"{{ lambda ; {variable(0)}:f32[4]. let\n{''.join(lines)}  in ({variable(EQUATIONS)},) }}\n"


def longer(text, more=0):
    """The jaxpr with 50 % more equations, or `more` more, each of which reads the previous result."""
    body, _, results = text.rpartition("\n  in (")
    names = [f"{variable(i)}more" for i in range(more or text.count("\n") // 2)]
    added = "".join(f"\n    {a}:f32[] = sin {b}" for a, b in zip(names, ["1.0:f32[]", *names]))
    return f"{body}{added}\n  in ({names[-1]}, {results}"


def text_of(name, work, planted):
    """Writes a jaxpr; returns its file."""
    text = chain() if name == "chain" else (HERE / "texts" / f"{name}.jaxpr").read_text()
    file = work / f"{name}.jaxpr"
    file.write_text(longer(text) if planted else text)
    return str(file)


def weights_of(name, work, planted):
    """A jaxpr of one product, and a sparse file for its constant of `name` MB."""
    rows = int(name[: -len("mb")]) * 2**20 // 4096
    header = json.dumps({"w": {"dtype": "F32", "shape": [rows, 1024], "data_offsets": [0, rows * 4096]}}).encode()
    weights = work / "weights.safetensors"
    with open(weights, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + rows * 4096)
    text = work / "weights.jaxpr"
    product = (
        f"{{ lambda a:f32[{rows},1024]; b:f32[2,{rows}]. let\n    c:f32[2,1024] = dot_general[\n"
        "      dimension_numbers=(([1], [0]), ([], []))\n    ] b a\n  in (c,) }\n"
    )
    text.write_text(longer(product, EQUATIONS) if planted else product)
    return [str(text), "--weights", str(weights)]


def conversion(name, work, planted):
    """The command that converts a jaxpr."""
    return [str(TOOL), text_of(name, work, planted), "-o", str(work / f"{name}.onnx")]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def peak_kilobytes(command):
    """The peak resident set of a command. GNU time is small; Python's figures would include Python itself."""
    return int(run(["time", "-f", "peak %M", *command]).rpartition("peak ")[2])


def instructions_of(command, work):
    profile = [f"--callgrind-out-file={work / 'callgrind.out'}"]
    return int(re.search(r"Collected : (\d+)", run(["valgrind", "--tool=callgrind", *profile, *command]))[1])


def instructions(name, work, _, planted):
    return instructions_of(conversion(name, work, planted), work)


def parsing(name, work, _, planted):
    return instructions_of([str(TOOL), text_of(name, work, planted), "--check"], work)


def printing(name, work, _, planted):
    return instructions_of([str(TOOL), text_of(name, work, planted), "--dump-jaxpr"], work)


def nodes(name, work, _, planted):
    fused = [*conversion(name, work, planted), "--target", "ort"]
    return int(re.search(r"-> (\d+) nodes?", run(fused))[1])


def memory(name, work, _, planted):
    """The peak heap. A resident set also contains a varying number of pages of the tool's file."""
    profile = work / "massif.out"
    run(
        [
            "valgrind",
            "--tool=massif",
            "--peak-inaccuracy=0",
            f"--massif-out-file={profile}",
            *conversion(name, work, planted),
        ]
    )
    return max(map(int, re.findall(r"mem_heap_B=(\d+)", profile.read_text()))) // 1024


def weights(name, work, _, planted):
    return peak_kilobytes([str(TOOL), *weights_of(name, work, planted), "-o", str(work / "weights.onnx")])


def compile_command(name, work, compiler, planted):
    source = work / f"{name}.cpp"
    source.write_text(
        PROGRAMS[name] + ('#include <regex>\nstd::regex a("a");\nstd::wregex b(L"b");\n' if planted else "")
    )
    roots = [f"-I{ROOT / folder}" for folder in ("include", "dsl/include", "parser")]
    return [compiler, "-std=c++20", "-O2", *COLLECTOR, *roots, str(source)]


def compile_memory(name, work, compiler, planted):
    command = compile_command(name, work, compiler, planted)
    return peak_kilobytes([*command, "-c", "-o", str(work / "out.o")]) // 1024


def compile_lines(name, work, compiler, planted):
    lines = run([*compile_command(name, work, compiler, planted), "-E"]).splitlines()
    return sum(1 for line in lines if line and not line.startswith("#"))


def size(name, work, _, planted):
    file = pathlib.Path(TOOL) if name == "tool" else ROOT / "web/dist/report.html"
    measured = work / "measured"
    if name == "tool" and not planted:
        run(["strip", "-o", measured, file])
    else:
        measured.write_bytes(file.read_bytes() + bytes(2**16 if planted else 0))
    return measured.stat().st_size // 1024


MEASURES = {
    "conversion": (instructions, "instructions"),
    "parse": (parsing, "instructions"),
    "print": (printing, "instructions"),
    "nodes": (nodes, "nodes"),
    "memory": (memory, "KB"),
    "weights": (weights, "KB"),
    "compile_memory": (compile_memory, "MB"),
    "compile_lines": (compile_lines, "lines"),
    "size": (size, "KB"),
}


def renew(name, table, now):
    """Updates the figure `now` of a row of budgets.toml."""
    text = FILE.read_text()
    head, tail = text.split(f"[{table}]\n", 1)
    tail = re.sub(rf"^({name} = .*now = )\d+", rf"\g<1>{now}", tail, count=1, flags=re.MULTILINE)
    FILE.write_text(f"{head}[{table}]\n{tail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="renew the figures `now`")
    parser.add_argument("--planted", action="store_true", help="see whether each limit notices a regression")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(MEASURES))
    options = parser.parse_args()
    budgets = tomllib.loads(FILE.read_text())
    rows = [(table, name) for table in options.tables or budgets for name in budgets[table]]
    work = pathlib.Path(tempfile.mkdtemp())

    def measured(row):
        place = work / "-".join(row)
        place.mkdir()
        return MEASURES[row[0]][0](row[1], place, options.compiler, options.planted)

    failed = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (table, name), value in zip(rows, pool.map(measured, rows)):
                row = budgets[table][name]
                above = value > row["limit"]
                failed += above != options.planted
                verdict = "ABOVE its limit" if above else "at most"
                unit = MEASURES[table][1]
                print(
                    f"{table:15} {name:14} {value:>13,} {unit:12} {verdict} {row['limit']:,} (was {row['now']:,})",
                    flush=True,
                )
                if options.update and not options.planted:
                    renew(name, table, value)
    finally:
        shutil.rmtree(work)
    if failed:
        sys.exit(f"{failed} limits did not notice" if options.planted else f"{failed} figures are above their limits")


if __name__ == "__main__":
    main()
