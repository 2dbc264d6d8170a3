#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every rewrite rule has a test in which it applies, and one for each reason for which it declines.

coverage.py TESTS runs the test program, whose tests log the actions of rules, and compares the log with the rules'
sources: a rule declares the reasons in its function, and in the functions that it calls, as `decline("...")` or as
returned text. A rule that is an equation declares those in quotes; the predicates that all equations share are tested
once, and tests/equations tries each such rule with all types and broadcasts.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2] / "include/jax2onnx/rewrite"
# Reasons in shared functions that one of the rules never gives.
UNREACHABLE = {
    # Sqrt, Exp, IsNaN and the rest of these patterns exist for floating-point types only.
    **dict.fromkeys(("Gelu", "Gelu-tanh", "Elu", "Celu"), {"the element type is not floating-point"}),
    **dict.fromkeys(("GroupNormalization", "GroupNormalization-plain"), {"the element type is not floating-point"}),
    # Reasons that only other kinds of views give.
    **dict.fromkeys(
        ("sink-unary", "sink-axes", "reduce-transposed", "sink-expand"), {"the shape would be computed at run time"}
    ),
    "pick-before-transpose": {
        "the shape would be computed at run time",
        "the transposed value is read elsewhere too",
    },
    # The only factor is -1; a BatchNormalization has a term.
    **dict.fromkeys(("fold-term", "fold-BatchNormalization"), {"a factor is 0, and zeros would lose their signs"}),
}

# Rows that are equations, with the reasons of their conditions and those of the predicates and functions that they
# name.
EQUATION = re.compile(r'equation<"([\w-]+)",((?:\s*"(?:[^"\\]|\\.)*")+)>')
CONDITION = re.compile(r"(\w+)\([^()]*\)(?!\s*')|'([^']+)'")
NAMED = re.compile(r'^    \{"(\w+)", \d,\s*"([^"]+)"', re.M)
FUNCTION = re.compile(
    r"^(?:inline|constexpr|template)[^\n;{]*?(\w+)\([^;{}]*\)[^;{}]*\{(?:[^\n]*\}$|.*?^\})", re.MULTILINE | re.DOTALL
)
ROW = re.compile(r'^    \{"([\w-]+)",(?:(?!^    \{).)*?(?:ops<[^>]*>|operators_with<[^>]*>),\s*(\w+)', re.M | re.S)
REASON = re.compile(r'(?:decline\(|return |[?:] )"((?:[^"\\]|\\.)+)"')
# Named reasons: constants, and the reasons with which rows of views say that a rule leaves or moves such a view.
CONSTANT = re.compile(r'constexpr std::string_view (\w+) = "([^"]+)"')
VIEW = re.compile(r'constexpr view_row (\w+)\{[^;]*?"([^"]+)"')
LEFT = re.compile(r"decline\((\w+)(?:\.stays)?\)|move_view\(c, root, (\w+)")


def sources():
    folders = ("engine", "equations", "views", "rules")
    return [p.read_text() for folder in folders for p in sorted((root / folder).rglob("*.hpp"))]


def declared():
    """The reasons of every rule, by name."""
    texts = sources()
    bodies = {}
    for text in texts:
        for found in FUNCTION.finditer(text):
            bodies.setdefault(found.group(1), "")
            bodies[found.group(1)] += found.group(0)
    reasons_in = {
        name: set(REASON.findall(body)) if "decline(" in body or "string_view" in body else set()
        for name, body in bodies.items()
    }
    texts_of = {
        name: reason for text in texts for pattern in (CONSTANT, VIEW) for name, reason in pattern.findall(text)
    }
    for name, body in bodies.items():
        reasons_in[name] |= {texts_of[word] for found in LEFT.findall(body) for word in found if word in texts_of}
    calls = {name: set(re.findall(r"\b(\w+)\(", body)) & bodies.keys() for name, body in bodies.items()}
    rules = {}
    named = {name: reason for text in texts for name, reason in NAMED.findall(text)}
    for text in texts:
        for name, literals in EQUATION.findall(text):
            equation = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
            statement, *conditions = re.split(r" (?:if|for) ", equation)
            said = [reason for _, reason in CONDITION.findall(" ".join(conditions).partition(" within ")[0]) if reason]
            functions = [named[word] for word in re.findall(r"\b([a-z_]+)\(", statement) if word in named]
            rules[name] = set(said + functions)
        for name, function in ROW.findall(text):
            seen, waiting = set(), [function]
            while waiting:
                f = waiting.pop()
                if f not in seen:
                    seen.add(f)
                    waiting += calls[f]
            rules[name] = {r for f in seen for r in reasons_in[f] if " " in r}
    return rules


def tried(program):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        here = pathlib.Path(__file__).parent
        files = ",".join(f"[#{p.stem}]" for p in sorted([*here.glob("rules/**/*.cpp"), *here.glob("views/*.cpp")]))
        environment = {**os.environ, "JAX2ONNX_RULE_LOG": str(log)}
        subprocess.run([program, "-#", files], env=environment, check=True, stdout=subprocess.DEVNULL)
        return {tuple(line.split("\t")) for line in log.read_text().splitlines()}


def main():
    done = tried(sys.argv[1])
    missing = []
    for rule, reasons in declared().items():
        wanted = {"applied"} | reasons - UNREACHABLE.get(rule, set())
        missing += [f"{rule}: {what}" for what in sorted(wanted) if (rule, what) not in done]
    print("\n".join(missing) or "every rule was applied and declined for each of its reasons")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
