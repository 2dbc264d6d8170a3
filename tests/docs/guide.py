#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the programs in a page of docs/, such as dsl.md, do what the page says.

    guide.py write PAGE OUT.cpp      a program that has each block of C++ as a function
    guide.py examples PAGE OUT.cpp   the same for a page of operators: each call is followed by the type of its result
    guide.py run PAGE PROGRAM        runs each block in a separate folder that has weights.npz, one array f32[3]; checks
                                     its output and the models it writes

A block must print the block of text after it. Each model that it writes must pass onnx.checker and load in ONNX
Runtime, if these packages are installed. Lines with #include, and blocks that begin with `// header`, are put outside
of functions.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import arrays

BLOCK = re.compile(r"^```cpp\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(page):
    return [(m[1], m[2], page[: m.start()].count("\n") + 2) for m in BLOCK.finditer(page)]


def program(page, file):
    includes, headers, functions = set(), [], []
    for number, (code, _, line) in enumerate(blocks(page)):
        lines = code.splitlines()
        includes.update(text for text in lines if text.startswith("#include"))
        body = "\n".join("" if text.startswith(("#include", "using namespace jax2onnx;")) else text for text in lines)
        place = f'#line {line} "{file}"\n'
        if code.startswith("// header"):
            headers.append(f"{place}{body}\n")
            continue
        functions.append(f"static void block_{number}() {{\n{place}{body}\n}}\n")
    calls = "\n".join(
        f'  if (which == "{n}") return block_{n}(), 0;'
        for n, (code, _, _) in enumerate(blocks(page))
        if not code.startswith("// header")
    )
    return f"""// Written from {file} by tests/docs/guide.py.
#include <iostream>
#include <string>
{chr(10).join(sorted(includes))}

using namespace jax2onnx;

{chr(10).join(headers)}
{chr(10).join(functions)}
int main(int, char** argv) {{
  const std::string which = argv[1];
{calls}
  return 1;
}}
"""


RESULT = re.compile(r"const (?:value|auto) (\w+) = .*;  // (\S+)$")


def examples(page, file):
    """Writes a program that makes each call and compares the types of results."""
    functions = []
    for number, (code, _, line) in enumerate(blocks(page)):
        if code.startswith(("value ", "std::vector<value> ")) or "= " not in code:
            continue  # the signature of a verb
        if re.match(r"\w+_outputs \w+\(", code):
            continue
        lines = [f"static int block_{number}() {{", "graph g(highest_opset);", "int failures = 0;"]
        for offset, text in enumerate(code.splitlines()):
            lines += [f'#line {line + offset} "{file}"', text]
            if found := RESULT.match(text):
                lines.append(f'failures += check({found[1]}, "{found[2]}", {line + offset});')
        functions.append((number, "\n".join([*lines, "return failures;", "}"])))
    calls = "".join(f"  failures += block_{n}();\n" for n, _ in functions)
    return f"""// Written from {file} by tests/docs/guide.py.
#include <iostream>
#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

static int check(const value& v, const char* expected, int line) {{
  if (text(v) == expected) return 0;
  std::cout << "{file}:" << line << ": the result is " << text(v) << "\\n";
  return 1;
}}

{chr(10).join(text for _, text in functions)}
int main() {{
  int failures = 0;
  try {{
{calls}  }} catch (const error& e) {{
    std::cout << "{file}: " << e.what() << "\\n";
    return 1;
  }}
  return failures;
}}
"""


def judge(model):
    try:
        import onnx
        import onnxruntime
    except ImportError:
        return
    onnx.checker.check_model(str(model), full_check=True)
    if not any(n.domain for n in onnx.load(str(model), load_external_data=False).graph.node):
        onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])


def run(page, executable):
    failures = models = 0
    for number, (code, shown, line) in enumerate(blocks(page)):
        if code.startswith("// header"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "weights.npz").write_bytes(arrays.npz(w=arrays.npy([3])))
            done = subprocess.run([executable, str(number)], cwd=folder, capture_output=True, text=True)
            problem = f"exit code {done.returncode}: {done.stderr}" if done.returncode else ""
            if not problem and shown is not None and done.stdout.strip() != shown.strip():
                problem = f"it prints:\n{done.stdout}"
            for model in sorted(pathlib.Path(folder).glob("*.onnx")):
                models += 1
                try:
                    judge(model)
                except Exception as e:
                    problem = problem or f"{model.name}: {e}"
        if problem:
            failures += 1
            print(f"line {line}: {problem}")
    print(f"{len(blocks(page))} blocks, {models} models, {failures} failed")
    return 1 if failures or not models else 0


def main():
    what, page, other = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if what == "run":
        return run(page.read_text(), other.resolve())
    write = examples if what == "examples" else program
    other.write_text(write(page.read_text(), page.name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
