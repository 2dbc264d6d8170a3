# SPDX-License-Identifier: Apache-2.0
"""Writes include/jax2onnx/ops/verbs/FAMILY.hpp: a function for each operator, which takes its operands and a struct of
its attributes."""

import schemas

import families

KEYWORDS = {"shape", "and", "or", "not", "default", "value", "operand", "operands", "scalar"}

PLAIN_TYPES = {
    "integer": "std::int64_t", "real": "float", "text": "std::string", "integers": "ints",
    "reals": "std::vector<float>",
    "texts": "std::vector<std::string>", "tensor": "tensor_constant", "type": "tensor_type",
}  # fmt: skip
BY_NAME = 4  # verbs with at least this many operands also take them by name
EMPTY_IF_ABSENT = {"text", "integers", "reals", "texts"}


def member(text):
    """An enumerator for a string."""
    return text.lower()


def parameter(name):
    name = schemas.snake_case(name)
    return f"{name}_" if name in KEYWORDS else name


def given_attributes(op):
    """The attributes that callers give, in the order of the struct: not those that became operands, nor bodies."""
    first = {name: i for i, name in enumerate(families.FIRST_ATTRIBUTES)}
    return [
        a
        for a in sorted(op.schema.attributes.values(), key=lambda a: (first.get(a.name, len(first)), a.name))
        if schemas.kind_of(a) not in ("body", "sparse", "tensors")
    ]


class member_variable:
    def __init__(self, op, a):
        self.name, self.kind, self.choice = a.name, schemas.kind_of(a), op.choice(a.name)
        self.required, default = a.required, schemas.default_of(a)
        if self.choice and self.kind == "text":
            self.type = f"jax2onnx::{self.choice[0]}"
            self.default = f"jax2onnx::{self.choice[0]}::{member(default)}" if default is not None else None
        elif self.kind == "integer" and self.name in families.FLAGS:
            self.type, self.default = "flag", None if default is None else str(bool(default)).lower()
        elif self.kind == "integer" and self.name in families.DTYPES:
            self.type = "jax2onnx::dtype"
            self.default = f"static_cast<jax2onnx::dtype>({default})" if default else "jax2onnx::dtype::undefined"
            if default and default in DTYPE_NUMBERS:
                self.default = f"jax2onnx::dtype::{DTYPE_NUMBERS[default]}"
        else:
            self.type, self.default = PLAIN_TYPES[self.kind], literal(self.kind, default)
        self.absent = default is None
        self.inner = self.type
        if self.required:
            self.type = f"required<{self.inner}, struct {op.verb}_needs_{self.name}>"
        elif self.choice and self.kind == "text":
            self.type = f"chosen<{self.inner}>"
        elif self.absent and self.type not in ("jax2onnx::dtype",) and self.kind not in EMPTY_IF_ABSENT:
            self.type, self.default = f"std::optional<{self.type}>", "std::nullopt"
        elif self.absent and self.kind in EMPTY_IF_ABSENT and not self.choice:
            self.default = "{}"

        self.plain = self.inner if self.type.startswith(("required<", "chosen<")) else self.type

    def declaration(self):
        initial = "" if self.required else f" = {self.default}"
        return f"{self.type} {self.name}{initial};"

    def setting(self):
        """The statement that passes it on."""
        plain = self.required or self.absent or (self.kind in ("integer",) and "undefined" in self.default)
        if plain:
            return f'n.set("{self.name}", attributes.{self.name});'
        if self.type.startswith("chosen<"):
            return f'n.set("{self.name}", attributes.{self.name}.value, {self.default});'
        standard = self.default if self.type != "std::string" else f"std::string({self.default})"
        if self.kind in ("integers", "reals", "texts"):
            standard = f"{self.type}{self.default}"
        return f'n.set("{self.name}", attributes.{self.name}, {standard});'


DTYPE_NUMBERS = {1: "f32", 7: "i64", 6: "i32", 10: "f16", 11: "f64"}


def literal(kind, default):
    if default is None:
        return "{}"
    if kind == "real":
        text = repr(float(default))
        return f"{text}f"
    if kind == "text":
        return '"' + default.replace("\\", "\\\\") + '"'
    if kind == "texts":
        return "{" + ", ".join(f'"{d}"' for d in default) + "}"
    if kind in ("integers", "reals"):
        return "{" + ", ".join(str(d) for d in default) + "}"
    return str(default)


class verb:
    def __init__(self, op):
        self.op, self.name = op, op.verb
        self.attributes = [member_variable(op, a) for a in given_attributes(op)]
        self.inputs, self.outputs = list(op.schema.inputs), list(op.schema.outputs)
        self.struct = f"{self.name.rstrip('_')}_attributes"
        self.results = f"{self.name.rstrip('_')}_outputs"

    @staticmethod
    def option(formal):
        return str(formal.option).split(".")[-1].lower()

    @property
    def variadic(self):
        return bool(self.inputs) and self.option(self.inputs[-1]) == "variadic"

    @property
    def kind(self):
        """The kind of its return type: one value, a vector, or a struct."""
        if len(self.outputs) == 1:
            return "vector" if self.option(self.outputs[0]) == "variadic" else "one"
        return "struct"

    def output_names(self):
        return [parameter(f.name) for f in self.outputs]

    def result_type(self):
        return {"one": "value", "vector": "std::vector<value>", "struct": self.results}[self.kind]

    def structs(self):
        text = ""
        if self.attributes:
            members = "\n  ".join(a.declaration() for a in self.attributes)
            text += f"/// The attributes of {self.name}.\nstruct {self.struct} {{\n  {members}\n}};\n"
        if self.kind == "struct":
            names = self.output_names()
            text += f"/// The results of {self.name}.\nstruct {self.results} {{\n  value {', '.join(names)};\n"
            if all(self.option(f) == "optional" for f in self.outputs[1:]):
                text += "  /// The first result; the others are optional.\n"
                text += f"  operator const value&() const {{ return {names[0]}; }}\n"
            text += "};\n"
        return text

    def parameters(self):
        found = [] if self.inputs and self.option(self.inputs[0]) != "optional" else ["graph& g"]
        optional_from = self.optional_from()
        for i, f in enumerate(self.inputs):
            if self.option(f) == "variadic":
                found.append(f"const operands& {parameter(f.name)}")
                continue
            found.append(f"const operand& {parameter(f.name)}{' = {}' if i >= optional_from else ''}")
        if self.attributes:
            found.append(f"const {self.struct}& attributes = {{}}")  # required<T> says which one is left out
        return found

    def optional_from(self):
        """The index from which on all operands are optional."""
        first = len(self.inputs)
        while first > 0 and self.option(self.inputs[first - 1]) == "optional":
            first -= 1
        return first

    def doc(self):
        since = self.op.versions[0].since_version
        first = min(
            s.since_version
            for s in schemas.defs.get_all_schemas_with_history()
            if (s.name, s.domain) == (self.op.name, self.op.domain)
        )
        since = f", opset {first}" if first > 17 and not self.op.domain else ""
        domain = f"{self.op.domain}." if self.op.domain else ""
        return wrapped(f"{schemas.documentation(self.op.schema)} ({domain}{self.op.name}{since}).")

    def count(self):
        """The number of results that a verb asks for, as an expression."""
        special = {
            "BatchNormalization": "attributes.training_mode ? 3 : 1",
            "Adagrad": "(inputs.get().size() + 2) / 3 * 2",  # of variables, gradients and a state: all but gradients
            "Adam": "(inputs.get().size() + 3) / 4 * 3",
            "Momentum": "(inputs.get().size() + 2) / 3 * 2",
            "Split": "detail::split_count(split, attributes.num_outputs)",
        }
        return special.get(self.op.name, str(len(self.outputs)))

    def body(self):
        names = [parameter(f.name) for f in self.inputs if self.option(f) != "variadic"]
        names = ["detail::listed(shape_)" if n == "shape_" else n for n in names]  # `{}` is the shape of a scalar
        domain = f', "{self.op.domain}"' if self.op.domain else ""
        if self.inputs and self.parameters()[0] != "graph& g":
            first = f'node_builder n("{self.op.name}", {{{", ".join(names)}}}{domain});'
        else:
            first = f'node_builder n(g, "{self.op.name}"{domain});'
            if names:
                first += f" n.add_all({{{', '.join(names)}}});"
        lines = [first]
        if self.variadic:
            lines.append(f"n.add({parameter(self.inputs[-1].name)});")
        lines += [a.setting() for a in self.attributes]
        if self.kind == "one":
            lines.append("return n.build();")
        elif self.kind == "vector":
            lines.append(f"return n.build({self.count()});")
        elif self.op.name == "BatchNormalization":
            lines.append(f"auto results = n.build({self.count()}); results.resize(3);")
            lines.append("return {results[0], results[1], results[2]};")
        else:
            items = ", ".join(f"results[{i}]" for i in range(len(self.outputs)))
            lines.append(f"const auto results = n.build({self.count()}); return {{{items}}};")
        return "\n  ".join(lines)

    def operands_struct(self):
        """Operands by name, of verbs that have many: a struct, and the verb that takes it."""
        if len(self.inputs) < BY_NAME or self.variadic or self.parameters()[0] == "graph& g":
            return ""
        name = f"{self.name.rstrip('_')}_operands"
        names = [parameter(f.name) for f in self.inputs]
        required = [n for n, f in zip(names, self.inputs) if self.option(f) != "optional"]
        needs = {n: f"required_operand<struct {self.name}_needs_{n.rstrip('_')}>" for n in required}
        members = "".join(f"  {needs[n]} {n};\n" if n in needs else f"  operand {n} = {{}};\n" for n in names)
        attributes = self.parameters()[-1] if self.attributes else ""
        passed = ", ".join([f"given.{n}" for n in names] + (["attributes"] if attributes else []))
        example = ", ".join(f".{n} = {n.rstrip('_')}" for n in required[:2]) + (", ..." if len(required) > 2 else "")
        head = ", ".join([f"const {name}& given"] + ([attributes] if attributes else []))
        return (
            f"/// The operands of {self.name} by name.\nstruct {name} {{\n{members}}};\n"
            f"/// Takes the operands by name: `{self.name}({{{example}}})`.\n"
            f"inline {self.result_type()} {self.name}({head}) {{\n  return {self.name}({passed});\n}}\n"
        )

    def text(self):
        head = f"inline {self.result_type()} {self.name}({', '.join(self.parameters())})"
        return f"{self.structs()}{self.doc()}\n{head} {{\n  {self.body()}\n}}\n"


def wrapped(text):
    lines, line = [], "///"
    for word in text.split():
        if len(line) + len(word) + 1 > 118:
            lines.append(line)
            line = "///"
        line += f" {word}"
    return "\n".join([*lines, line])


def header(family, operators):
    written = "\n".join(verb(op).text() for op in operators if op.name not in families.BY_HAND)
    split = "\n#include <jax2onnx/ops/call/split_count.hpp>" if family == "shape" else ""
    return f"""\
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>{split}
#include <jax2onnx/ops/verbs/choices.hpp>

/// The {family} operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {{

{written}
}}  // namespace jax2onnx
"""


def by_name(found):
    """The verbs that take operands by name, in a header of their own: few programs that include verbs need them."""
    structs = {
        f: text for f, ops in found.items() if (text := "\n".join(t for op in ops if (t := verb(op).operands_struct())))
    }
    includes = "\n".join(f"#include <jax2onnx/ops/verbs/{f}.hpp>" for f in sorted(structs))
    written = "\n".join(structs.values())
    return f"""\
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
{includes}

/// Operators with many operands, which are given by name.
namespace jax2onnx {{

{written}
}}  // namespace jax2onnx
"""


def choices(found):
    """The enumerations of attributes that are one of a few strings."""
    texts = {}
    for name, members in families.CHOICES.values():
        texts[name] = members
    blocks = []
    for name, members in sorted(texts.items()):
        enumerators = ", ".join(member(m) for m in members)
        names = ", ".join(f'"{m}"' for m in members)
        blocks.append(
            f"/// Attributes of type {name}.\nenum class {name} : std::uint8_t {{ {enumerators} }};\n"
            "/// The name of the value in models.\n"
            f"constexpr std::string_view name({name} c) {{ return detail::text_of(c, {{{names}}}); }}\n"
        )
    body = "\n".join(blocks)
    return f"""\
#pragma once

// Written by scripts/generate-operators.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

/// Attributes that are one of a few texts, as enumerations.
namespace jax2onnx {{

namespace detail {{

template <class Choice>
constexpr std::string_view text_of(Choice c, std::initializer_list<std::string_view> texts) {{
  return texts.begin()[static_cast<std::size_t>(c)];
}}

}}  // namespace detail

/// An attribute that is an enumerator of these.
template <class Choice>
struct chosen {{
  /// As given.
  constexpr chosen(Choice c) : value(c) {{}}
  /// Does not compile.
  chosen(const char*) : value() {{ static_assert(std::is_void_v<Choice>, "an enumerator is wanted, not a text"); }}
  /// As given.
  constexpr operator Choice() const {{ return value; }}
  Choice value;  ///< as given
}};

{body}
}}  // namespace jax2onnx
"""


def verbs(found):
    """The header of all families."""
    includes = "\n".join(f"#include <jax2onnx/ops/verbs/{family}.hpp>" for family in sorted([*found, "choices"]))
    return f"""\
#pragma once

// Written by scripts/generate-operators.
{includes}

/// Every operator of ONNX as a verb: one node for each call, which is checked where it is made.
"""
