#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every operator of ONNX at opsets 17 to 28 has a verb, and that the generated files match the onnx
package. Summaries of operators are the first sentences of their documentation.

The operators are counted from the schemas, not from the tables that the generator uses.
"""

import pathlib
import re
import subprocess
import sys

from onnx import defs

root = pathlib.Path(__file__).resolve().parents[2]
FIRST, LAST = 17, 28
# Verbs that are written by hand: operators with bodies, and Constant.
BY_HAND = {
    "If": "dsl/structure/control.hpp", "Loop": "dsl/structure/control.hpp", "Scan": "dsl/structure/control.hpp",
    "SequenceMap": "dsl/structure/control.hpp", "Constant": "dsl/structure/constants.hpp",
}  # fmt: skip


def operators():
    """The names of the operators of ai.onnx that exist in an opset and are not deprecated."""
    versions = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            versions.setdefault(schema.name, []).append(schema)
    found = set()
    for name, schemas in versions.items():
        for opset in range(FIRST, LAST + 1):
            newest = max((s for s in schemas if s.since_version <= opset), key=lambda s: s.since_version, default=None)
            if newest and not newest.deprecated:
                found.add(name)
    return found


def verbs():
    """operator -> header"""
    found = {}
    for header in sorted((root / "include/jax2onnx/ops/verbs").glob("*.hpp")):
        for name in re.findall(r'node_builder n\((?:g, )?"(\w+)"', header.read_text()):
            found[name] = header
    for name, path in BY_HAND.items():
        header = root / "dsl/include/jax2onnx" / path
        if header.exists():
            found[name] = header
    return found


SENTENCES = {
    "Elu of (Tensor<T>), `f(x) = a * (exp(x) - 1.) for x <\n0`, `x` for `x >= 0`., elementwise.\n":
        "Elu of (Tensor), f(x) = a * (exp(x) - 1.) for x < 0, x for x >= 0., elementwise",
    "Pools by **size**,\n e.g. by [strides](Doc.md).\n average pooling <br> follows": "Pools by size, e.g. by strides",
    "General product:\nhttps://example.org": "General product",
    "Mish: an activation\n\nFormula": "Mish: an activation",
    "One line": "One line",
    "": "",
}  # fmt: skip


def wrong_sentences():
    """Summaries that are not the first sentences of the documentation, with the correct ones."""
    sys.path.insert(0, str(root / "scripts/operators"))
    from schemas import first_sentence

    return [
        f"{first_sentence(text)!r} should be {wanted!r}"
        for text, wanted in SENTENCES.items()
        if first_sentence(text) != wanted
    ]


def main():
    wanted, found = operators(), verbs()
    missing = sorted(wanted - set(found))
    print(f"{len(wanted)} operators at opsets {FIRST} to {LAST}, {len(wanted) - len(missing)} have a verb")
    for name in missing:
        print(f"no verb: {name}")
    wrong = wrong_sentences()
    for sentence in wrong:
        print(sentence)
    generator = subprocess.run([sys.executable, root / "scripts/generate-operators", "--check"])
    return 1 if missing or wrong or generator.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
