# SPDX-License-Identifier: Apache-2.0
"""Writes tests/ops/verbs/FAMILY.cpp: calls each verb with what a node of a model has."""

import families
import verbs


def source(family, operators):
    rows = "\n".join(row(verbs.verb(op)) for op in operators if op.name not in families.BY_HAND)
    return f"""\
// Written by scripts/generate-operators.
#include <jax2onnx/ops/verbs/{family}.hpp>

#include "ops/verbs/rebuild.hpp"

namespace jax2onnx {{

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding {family}_rebuildings[];
const rebuilding {family}_rebuildings[] = {{
{rows}
    {{}},
}};

}}  // namespace jax2onnx
"""


def row(v):
    call_operands = []
    if v.parameters()[0] == "graph& g":
        call_operands.append("n.g")
    for index, f in enumerate(v.inputs):
        call_operands.append(f"n.rest({index})" if v.option(f) == "variadic" else f"n.in({index})")
    if v.attributes:
        members = ", ".join(f'.{a.name} = n.get<{a.plain}>("{a.name}"{fallback(a)})' for a in v.attributes)
        call_operands.append(f"{{{members}}}")
    call = f"jax2onnx::{v.name}({', '.join(call_operands)})"
    if v.kind == "one":
        body = f"return {{{call}}};"
    elif v.kind == "vector":
        body = f"return {call};"
    else:
        names = v.output_names()
        body = f"const auto r = {call}; return {{{', '.join(f'r.{n}' for n in names)}}};"
    return f'    {{"{v.op.domain}", "{v.op.name}", [](const node_parts& n) -> std::vector<value> {{ {body} }}}},'


def fallback(a):
    return "" if a.required or a.default in ("{}", "std::nullopt", None) else f", {a.default}"
