# SPDX-License-Identifier: Apache-2.0
"""Writes docs/operators/: a page for each family of verbs, and a table of operators by opset."""

import examples
import schemas

import families
import verbs


def page(family, operators):
    lines = [
        f"# {family.capitalize()} operators",
        "",
        "Written by `scripts/generate-operators`. Each verb makes one node; see [the guide](../dsl.md). In examples,",
        "which a test compiles and runs, `g` is a graph of the newest opset; behind a call is its type.",
        "",
    ]
    for op in operators:
        v = verbs.verb(op)
        lines += [f"## {op.name}", ""]
        if op.name in families.BY_HAND:
            lines += [f"`{v.name}`: see [the guide](../dsl.md).", ""]
        else:
            head = f"{v.result_type()} {v.name}({', '.join(v.parameters())});"
            if any(a.required for a in v.attributes):
                head = head.replace(" = {}", "")
            lines += ["```cpp", head, "```", ""]
        lines += [f"{schemas.documentation(op.schema)}.", ""]
        lines += [f"- versions: {', '.join(str(s.since_version) for s in op.versions)}"]
        for f in op.schema.inputs:
            lines.append(f"- operand `{f.name}`: {v.option(f)}, {f.type_str}".replace(": single", ": required"))
        for a in v.attributes:
            default = "required" if a.required else f"default `{a.default.replace('jax2onnx::', '')}`"
            lines.append(f"- attribute `{a.name}`: `{a.plain.replace('jax2onnx::', '')}`, {default}")
        if v.kind == "struct":
            lines.append(f"- results: {', '.join(f'`{n}`' for n in v.output_names())}")
        if example := examples.lines(op):
            lines += ["", "```cpp", *example, "```"]
        lines.append("")
    return "\n".join(lines)


def table(found):
    first, last = families.DOMAINS[""]
    opsets = list(range(first, last + 1))
    rows = []
    for family, operators in found.items():
        for op in operators:
            v = verbs.verb(op)
            if op.domain:
                cells = ["" for _ in opsets]
                cells[-1] = f"{op.domain} {op.versions[-1].since_version}"
            else:
                cells = [
                    str(max((s.since_version for s in op.versions if s.since_version <= o), default="–"))
                    for o in opsets
                ]
            name = op.name if not op.domain else f"{op.domain}.{op.name}"
            rows.append((name, f"| [{name}]({family}.md#{op.name.lower()}) | `{v.name}` | {' | '.join(cells)} |"))
    head = f"| operator | verb | {' | '.join(map(str, opsets))} |"
    rule = f"|---|---|{'---|' * len(opsets)}"
    body = "\n".join(row for _, row in sorted(rows, key=lambda r: r[0].lower()))
    left_out = ", ".join(sorted(families.WITHOUT_VERBS))
    return f"""# Operators by opset

Written by `scripts/generate-operators`. A cell is the version of the operator that an opset has; the verb writes that
form. Left out, as their operands are maps or their attributes graphs that a runtime differentiates: {left_out}.

{head}
{rule}
{body}
"""
