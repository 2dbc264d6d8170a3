#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The public surface: names in namespace jax2onnx, header by header, with the first sentence of their documentation. A
page for each tier: docs/api-converting.md, api-building.md, api-extending.md.

tests/docs/fresh.py --update writes the pages, tests/docs/fresh.py compares them with the headers.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDES = (ROOT / "include/jax2onnx", ROOT / "dsl/include/jax2onnx")

# The tiers: file, title, promise, and header -> promised names; "*" are all that it declares.
TIERS = {
    "api-converting": (
        "Converting",
        "Names for converting jaxprs and weights to models: `#include <jax2onnx/jax2onnx.hpp>`. Reports have\n"
        "their own header and the target `jax2onnx::report`. These names keep their meaning within a major version.\n",
        {
            "convert/convert.hpp": "*",
            "convert/options.hpp": "*",
            "convert/conversion.hpp": "*",
            "lower/lowering_options.hpp": "*",
            "rewrite/optimize.hpp": "rewrite_options rewrite_names()",
            "rewrite/engine/target.hpp": "runtime target name_of() target_named() target_names()",
            "rewrite/targets/obstacles.hpp": "obstacle obstacles() obstacle_warnings()",
            "rewrite/driver/report.hpp": "*",
            "weights/read_weights.hpp": "*",
            "weights/borrowed_source.hpp": "*",
            "weights/weight.hpp": "*",
            "weights/weights_file.hpp": "*",
            "emit/model.hpp": "*",
            "emit/options.hpp": "*",
            "emit/summary.hpp": "*",
            "emit/text.hpp": "*",
            "emit/proto.hpp": "*",
            "graph/graph.hpp": "graph graph_limits",
            "support/error.hpp": "diagnostic failure error limit_error",
            "support/file_error.hpp": "*",
            "lower/problem.hpp": "conversion_error",
            "support/progress.hpp": "*",
            "report.hpp": "*",
        },
    ),
    "api-building": (
        "Building graphs",
        "Names for building and reading models: `#include <jax2onnx/dsl.hpp>` ([guide](dsl.md)) and the headers\n"
        "below. There is a verb for [each operator](operators/README.md). These names keep their meaning within a\n"
        "major version.\n",
        {
            "graph/graph.hpp": "graph graph_options value value_id node_id block_id node block attribute ints "
            "model_function node_note text() same_value() output()",
            "graph/dtype.hpp": "dtype name() dtype_named() is_floating() is_integer() is_complex() is_boolean() bits()",
            "graph/dim.hpp": "*",
            "graph/tensor_type.hpp": "*",
            "ops/call/operand.hpp": "operand operands required_operand",
            "ops/call/operators.hpp": "operator-()",
            "ops/constants.hpp": "scalar() array() int64s()",
            "dsl/typed/element.hpp": "*",
            "dsl/evaluate/evaluate.hpp": "*",
            "dsl/evaluate/ndarray.hpp": "*",
            "dsl/structure/constants.hpp": "*",
            "dsl/structure/control.hpp": "*",
            "dsl/structure/functions.hpp": "*",
            "dsl/structure/notes.hpp": "*",
            "dsl/structure/own_operators.hpp": "*",
            "dsl/typed/tensor.hpp": "*",
            "dsl/typed/shapes.hpp": "*",
            "dsl/typed/extent.hpp": "extent",
            "dsl/typed/literal.hpp": 'operator""_d()',
            "dsl/typed/extent_math.hpp": "operator+() operator*() operator-() operator/()",
            "dsl/typed/functions.hpp": "*",
            "dsl/typed/mismatch.hpp": "does_not_fit",
            "facts/verify.hpp": "*",
            "graph/functions/inline.hpp": "*",
            "read/read_model.hpp": "*",
            "read/read_options.hpp": "*",
            "read/join.hpp": "*",
            "emit/model.hpp": "write_model()",
            "rewrite/optimize.hpp": "rewrite_options optimize() rewrite_names()",
            "support/error.hpp": "error build_error opset_error symbol_error limit_error",
        },
    ),
    "api-extending": (
        "Extending the converter",
        "Names for your own lowerers, the verbs that lowerings share, and lowerings without a jaxpr:\n"
        "`#include <jax2onnx/extend.hpp>` ([example](../examples/own_primitive.cpp)). These names may change in a\n"
        "minor version, which the changelog then says. Rules are added in the sources\n"
        "([architecture](architecture.md#to-add-a-rewrite-rule)).\n",
        {
            "lower/user_lowerers.hpp": "*",
            "lower/site.hpp": "*",
            "lower/jax_value.hpp": "*",
            "lower/aval.hpp": "aval element element_class",
            "lower/problem.hpp": "unsupported_error",
            "lower/dispatch.hpp": "*",
            "lower/builtin.hpp": "*",
            "lower/table.hpp": "lowering family",
            "lower/direct/lower_primitive.hpp": "*",
            "lower/direct/parameters.hpp": "*",
            "lower/direct/array_type.hpp": "*",
            "ops/elementwise.hpp": "*",
            "ops/math.hpp": "*",
            "ops/bits.hpp": "*",
            "ops/shape.hpp": "broadcast_to() filled() reshape() transpose() unsqueeze() squeeze()",
            "ops/slice.hpp": "*",
            "ops/indexing.hpp": "*",
            "ops/linear.hpp": "*",
            "ops/reduction.hpp": "reduce() softmax()",
            "ops/cumulative.hpp": "*",
            "ops/pooling.hpp": "*",
            "ops/convert_element_type.hpp": "*",
            "ops/constants.hpp": "scalar() array() int64s() identity_element()",
            "ops/extents.hpp": "shape_of() dim_value() shape_value() range()",
            "ops/control.hpp": "*",
            "ops/call/node_builder.hpp": "*",
            "graph/constant_integers.hpp": "*",
            "graph/dim_table.hpp": "*",
            "operators/records/find.hpp": "find_record() records_of() all_records()",
            "operators/records/record.hpp": "op_record",
            "rewrite/optimize.hpp": "rewrite_rules() rewrite_order()",
            "support/bytes.hpp": "*",
        },
    ),
}

HEAD = """# The public surface: {title}

Written by `tests/docs/fresh.py --update` from the headers; [the other tiers, and what holds for all](api.md).

{promise}"""

TYPE = re.compile(r"(?:template <.*> *)?(?:class|struct|enum class|concept|using) (\w+)(?!\w|::)")
FUNCTION = re.compile(r"(?:[\w:<>,&*\[\]. ]|\.\.\.)*?\b(operator\S+?|\w+)\(")


def declared(line):
    """The name that a line at namespace scope declares, or None."""
    line = re.sub(r"^(?:template <.*?>\s+)?(?:requires\(.*?\)+\s+)?", "", line)
    line = re.sub(r"^(?:inline|constexpr|consteval|JAX2ONNX_INLINE|\[\[noreturn\]\]) (?:constexpr )?", "", line)
    if found := TYPE.match(line):
        return None if line.rstrip().endswith(";") and line.startswith(("class", "struct")) else found[1]
    if line.startswith(("return", "namespace", "static_assert", "requires", "template", "friend")):
        return None
    found = FUNCTION.match(line)
    if not found or " " not in line[: found.start(1)].rstrip() + " " or line[: found.start(1)].endswith("::"):
        return None  # members defined outside of their class are documented inside
    return f"{found[1]}()"


def first_sentence(comment):
    paragraph = comment[: comment.index("")] if "" in comment else comment
    text = " ".join(paragraph).strip()
    return re.split(r"(?<=[.:]) (?=[A-Z`])", text, maxsplit=1)[0].rstrip(":").replace("|", "\\|")


def names(path):
    """(name, first sentence) of each name that a header declares in jax2onnx itself, or in ops, the verbs of lowerings.
    A comment above `@{` is for a group."""
    scope, comment, group, found = [], [], [], {}
    for line in path.read_text().splitlines():
        if opened := re.match(r"(?:inline )?namespace ([\w:]+) \{", line):
            scope.append("" if line.startswith("inline") else opened[1])
            comment = []
            if line.rstrip().endswith("}"):
                scope.pop()
        elif line.startswith("}  // namespace"):
            scope.pop()
        elif line.startswith("/// @"):
            group = comment if line == "/// @{" else []
        elif line.startswith("///"):
            comment.append(line.removeprefix("///").strip())
        elif line and not line[0].isspace() and line[0] not in "}#/":
            if (
                [s for s in scope if s] in (["jax2onnx"], ["jax2onnx::ops"])
                and (name := declared(line))
                and not found.get(name)
            ):
                found[name] = first_sentence(comment or group)
            if line.endswith((";", "}", "{")):
                comment = []
        elif not line:
            comment = []
    return found


def header(name):
    return next(i / name for i in INCLUDES if (i / name).exists())


def promised(name, wanted):
    """The names that a tier promises from a header: name -> first sentence."""
    declared_here = names(header(name))
    if wanted == "*":
        return declared_here
    return {w: declared_here[w] for w in wanted.split()}


def page(tier):
    title, promise, headers = TIERS[tier]
    out = HEAD.format(title=title, promise=promise)
    for name, wanted in headers.items():
        out += f"\n### `<jax2onnx/{name}>`\n\n| name | |\n| --- | --- |\n"
        out += "".join(f"| `{n}` | {what} |\n" for n, what in promised(name, wanted).items())
    return out


if __name__ == "__main__":
    for tier, (_, _, headers) in TIERS.items():
        print(tier, len({n for name, wanted in headers.items() for n in promised(name, wanted)}), "names")
