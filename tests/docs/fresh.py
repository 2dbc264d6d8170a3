#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that documents match the sources: diagnostic codes, options, primitives, rewrites, public names.

fresh.py --update writes docs/primitives.md, docs/rewrites.md, the pages docs/api-*.md, docs/differences.md and the
index of docs/decisions.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import api

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ.get("JAX2ONNX", root / "build/release/jax2onnx")
primitives = root / "docs/primitives.md"
rewrites = root / "docs/rewrites.md"
differences = root / "docs/differences.md"
decisions = root / "docs/decisions/README.md"


PRIMITIVES_HEADING = """# Primitives that can be converted

Written by `tests/docs/fresh.py --update` from the rows in `include/jax2onnx/lower/`, a section for each family.

- **takes**: the number of operands → the number of results.
- **parameters**: the parameters that the conversion reads, with their types. An axis is one of operand 0; an extent may
  be symbolic. In a program that calls `lower_primitive()`, a list is a braced list, a structure is
  `parameters{{name, value}, …}`, a jaxpr is a `computation`, a dtype a `dtype`, and a name is the string that JAX
  prints (`GatherScatterMode.CLIP`). For None, pass `std::nullopt`, or leave the parameter out.
- **ONNX**: the operators that a primitive becomes.
- **refuses**: cases that are reported as unsupported.
- **ignores**: parameters that do not change the results; `key=VALUE` is ignored only with that value. Any other
  parameter is an error.

"""

DECISIONS_HEADING = """# Decisions

There is a record for each decision that had an alternative: the question, the choice, and its cost. A new record
takes the next number; `tests/docs/fresh.py --update` writes this list.

"""

REWRITES_HEADING = """# Rewrite rules

Written by `tests/docs/fresh.py --update` from the rows in `include/jax2onnx/rewrite/rules/` and `views/`, and from
their order in `rules/all_rules.hpp`.

A rule replaces the operator on the left of its equation by the expression on the right. At each node, rules are tried
in this order; those of earlier stages are tried again in later ones. Tests check that no rules undo one another, on
models of both sides of all equations and on recorded jaxprs. `tidy` and `exact` rules always run, the others unless
`--no-fuse` is given; `--no-fuse=RULE` leaves out one rule of any stage.

In an equation, `x y` is a product, `c`, `d` and `e` are constants, and a prime marks a value that is permuted to match.
A shape is static if none of its extents is computed at run time.

Six passes are not rules, but can also be disabled by name:

- `common-subexpressions` merges equal nodes.
- `hoist-invariants` moves values that are the same in every iteration out of loops, and values that both branches only
  pass on out of Ifs.
- `known-branches` replaces an If whose condition is known by its branch.
- `flat-rows` reshapes values of three or more axes between products with weights to matrices, so that a product and its
  bias become a Gemm ([0047](decisions/0047-rows-are-matrices.md)).
- `reshape-splits` replaces the Reshapes of the parts of a Split by one Reshape before it
  ([0052](decisions/0052-caches-and-masks-of-decoders.md)).
- `joint-draws` merges calls of threefry that do not depend on each other
  ([0079](decisions/0079-threefry-of-uint32.md)).

The last three run after the rules.

"""


DIFFERENCES_HEADING = """# Known differences from JAX

Written by `tests/docs/fresh.py --update` from [tests/hunt/known.toml](../tests/hunt/known.toml). Models compute what
JAX computes on a CPU, except in the cases below, which will not change. The [hunt](../tests/hunt/README.md) reports
every other difference.

| difference | why | primitives |
| --- | --- | --- |
"""


def public_page(tier):
    return root / f"docs/{tier}.md"


def said(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


@functools.cache
def options():
    """The values of each option of a conversion, by its key."""
    keys = re.findall(r'\brow\("([a-z-]+)"', (root / "include/jax2onnx/convert/option_table.inl.hpp").read_text())
    script = said("--completion", "fish")

    def values(key):
        return re.search(rf"^complete -c jax2onnx -l {key}\b(?:.* -a '([^']*)')?", script, re.M)[1] or ""

    return {key: values(key).split() for key in keys}


def primitives_page():
    return PRIMITIVES_HEADING + said("--list-primitives=markdown")


def rewrites_page():
    return REWRITES_HEADING + said("--list-rewrites=markdown")


def differences_page():
    """A row for each table of known.toml, read without a parser, which Python has from 3.11 on."""
    rows = []
    for table in (root / "tests/hunt/known.toml").read_text().split("[[difference]]")[1:]:
        field = dict(re.findall(r'^(\w+) = (".*"|\[.*\])$', table, re.M))
        primitives = ", ".join(f"`{p}`" for p in json.loads(field["primitives"])) or "all"
        rows.append(f"| {json.loads(field['name'])} | {json.loads(field['reason'])} | {primitives} |\n")
    return DIFFERENCES_HEADING + "".join(rows)


def decisions_page():
    """A line for each record, which begins with its number and its title."""
    lines = []
    for number, record in enumerate(sorted(decisions.parent.glob("0*.md")), 1):
        heading = re.match(rf"# {number:04}: (.+)\n", record.read_text())
        if not heading or not record.name.startswith(f"{number:04}-"):
            raise ValueError(f"{record.name} is not record {number} with a heading of its number and title")
        lines.append(f"- [{number:04}]({record.name}) {heading[1]}\n")
    return DECISIONS_HEADING + "".join(lines)


class documents(unittest.TestCase):
    maxDiff = None

    def test_messages_name_options_by_their_keys(self):
        """Front ends spell them; what only a program in C++ can set is said to be so."""
        wrong = []
        for header in sorted(p for d in ("include", "dsl/include", "parser/jaxpr") for p in (root / d).rglob("*.hpp")):
            if header.name == "option_table.inl.hpp":
                continue
            code = re.sub(r"^ *//.*$", "", header.read_text(), flags=re.M)
            for literals in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
                message = re.sub(r'"\s*"', "", literals)
                of_tool = re.search(r"(?<![\w-])--[a-z]", message)
                unknown = set(re.findall(r"\boption ([a-z]+(?:-[a-z]+)*)", message)) - set(options())
                of_library = re.search(r"\b[a-z_]+::[a-z_]+", message) and " " in message
                explained = "a program that uses" in message or "the program that converts" in message
                if of_tool or unknown or (of_library and not explained):
                    wrong.append(f"{header.relative_to(root)}: {message}")
        self.assertEqual(wrong, [])

    def test_the_c_header_lists_the_keys_of_options(self):
        header = (root / "include/jax2onnx/jax2onnx.h").read_text()
        listed = re.search(r"named without its dashes: (.*?); and name,", header, re.S)[1]
        self.assertEqual(set(re.findall(r"[a-z][a-z-]+[a-z]", listed)), set(options()))

    def test_the_manual_page_states_the_values_of_options(self):
        manual = (root / "docs/jax2onnx.1").read_text()
        for option, values in re.findall(r"--([a-z-]+) ([a-z0-9-]+(?:\|[a-z0-9-]+)+)", said("--help")):
            self.assertIn(f"Fl -{option} Ar {values}\n", manual)

    def test_controls_of_the_page_are_options(self):
        page = (root / "web/converter/page.html").read_text()
        controls = re.search(r'<fieldset id="options">(.*?)</fieldset>', page, re.S)[1]
        self.assertLessEqual(set(re.findall(r'<(?:select|input) id="([\w-]+)"', controls)), set(options()))
        for key, choices in re.findall(r'<select id="([\w-]+)">(.*?)</select>', controls, re.S):
            shown = [value or text for value, text in re.findall(r'<option(?: value="([^"]+)")?>([^<]*)<', choices)]
            self.assertEqual(shown, [value for value in options()[key] if "@" not in value])

    def test_every_diagnostic_code_is_explained(self):
        code = re.compile(r'"((?:parse|lower|rewrite|convert|weights|file)\.[a-z]+(?:-[a-z]+)*)"')
        sources = [p for d in ("parser/jaxpr", "include", "dsl/include", "tools") for p in (root / d).rglob("*.?pp")]
        used = {c for p in sources for c in code.findall(p.read_text())}
        explained = set(re.findall(r"^\| `(\w+\.[\w-]+)`", (root / "docs/diagnostics.md").read_text(), re.M))
        self.assertEqual(used, explained)

    def test_every_option_is_in_the_manual_page(self):
        options = set(re.findall(r"--([a-z-]+)", said("--help").split("Examples:")[0]))
        manual = set(re.findall(r"Fl -([a-z-]+)", (root / "docs/jax2onnx.1").read_text()))
        self.assertEqual(options, manual)

    def test_listings_of_the_page_about_deployment(self):
        page = (root / "docs/deployment.md").read_text()
        listings = re.findall(r"^```(?!sh\n)\w+\n(.*?)^```", page, re.M | re.S)
        texts = [file.read_text() for file in (root / "examples/deploy").iterdir()]
        self.assertEqual(sorted(listings), sorted(re.sub(r".*SPDX-License-Identifier.*\n", "", text) for text in texts))

    def test_the_list_of_primitives(self):
        self.assertEqual(primitives.read_text(), primitives_page())

    def test_the_list_of_public_names(self):
        for tier in api.TIERS:
            self.assertEqual(public_page(tier).read_text(), api.page(tier))

    def test_every_public_name_is_documented(self):
        for tier in api.TIERS:
            self.assertEqual([line for line in api.page(tier).splitlines() if line.endswith("` |  |")], [])

    def test_the_list_of_rewrites(self):
        self.assertEqual(rewrites.read_text(), rewrites_page())

    def test_the_list_of_decisions(self):
        self.assertEqual(decisions.read_text(), decisions_page())

    def test_the_list_of_differences(self):
        self.assertEqual(differences.read_text(), differences_page())


if __name__ == "__main__":
    if "--update" in sys.argv:
        primitives.write_text(primitives_page())
        for name in api.TIERS:
            public_page(name).write_text(api.page(name))
        rewrites.write_text(rewrites_page())
        differences.write_text(differences_page())
        decisions.write_text(decisions_page())
    else:
        unittest.main()
