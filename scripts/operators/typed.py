# SPDX-License-Identifier: Apache-2.0
"""Writes include/jax2onnx/dsl/typed/verbs/FAMILY.hpp: the verb of each operator on typed handles. It runs the shape
rule of the operator's record while compiling, and calls the erased verb."""

import schemas

import families
import verbs

# Attributes that the compiler can take: those of the kinds that shape rules read.
FIXED_KINDS = {"integer", "integers", "text"}

# Operators whose number of results depends on more than the types: see dsl/typed/shapes.hpp.
BY_HAND = {"Split"}

# Operators with results beyond the first one that exist in some modes only.
FIRST_RESULT_ONLY = {"BatchNormalization"}


def holds_tensors(schema):
    """True if each operand and result can be a tensor, rather than only a sequence or an optional."""
    constraints = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    for f in [*schema.inputs, *schema.outputs]:
        if not any(t.startswith("tensor(") for t in constraints.get(f.type_str, [f.type_str])):
            return False
    return True


def is_typed(op):
    v = verbs.verb(op)
    return op.name not in families.BY_HAND | BY_HAND and v.kind != "vector" and holds_tensors(op.schema)


def type_name(name):
    return "".join(part.capitalize() for part in name.rstrip("_").split("_")) + "Type"


class fixed_member:
    """An attribute in the struct that is a template argument."""

    def __init__(self, a):
        self.name, self.kind, self.required = a.name, a.kind, a.required
        inner = a.inner
        self.optional = a.type.startswith("std::optional<")
        self.inner = {"ints": "fixed_integers", "std::string": "fixed_string"}.get(inner, inner)
        self.default = a.default
        self.choice = a.choice is not None and a.kind == "text"

    def declaration(self):
        if self.optional:
            return f"fixed_optional<{self.inner}> {self.name} = {{}};"
        if self.required:
            return f"fixed_required<{self.inner}> {self.name};"
        return f"{self.inner} {self.name} = {self.default};"

    def known(self):
        value = f"{self.name}.value" if self.optional or self.required else self.name
        if self.required:
            given = "true"
        elif self.optional:
            given = f"{self.name}.given"
        elif self.inner in ("fixed_integers", "fixed_string"):
            standard = self.default if self.default.startswith("{") else f"({self.default})"
            given = f"!({self.name} == {self.inner}{standard})"
        else:
            given = f"{self.name} != {self.default}"
        member = {"integer": "integer", "integers": "integers", "text": "text"}[self.kind]
        if self.kind == "integer":
            value = f"static_cast<std::int64_t>({value})"
        elif self.kind == "integers":
            value = f"{value}.list()"
        else:
            value = f"jax2onnx::name({value})" if self.choice else f"{value}.view()"
        return f'known_attribute{{.name = "{self.name}", .given = {given}, .{member} = {value}}}'

    def run_time(self):
        value = f"{self.name}.value" if self.optional or self.required else self.name
        if self.optional:
            return f".{self.name} = {self.name}.get()"
        if self.inner == "fixed_integers":
            return f".{self.name} = {value}.vector()"
        if self.inner == "fixed_string":
            return f".{self.name} = std::string({value}.view())"
        return f".{self.name} = {value}"


class typed_verb:
    def __init__(self, op, index, family):
        self.op, self.index, self.family = op, index, family
        self.erased = verbs.verb(op)
        self.name = self.erased.name
        self.fixed = [fixed_member(a) for a in self.erased.attributes if a.kind in FIXED_KINDS]
        if any(a.required and a.kind not in FIXED_KINDS for a in self.erased.attributes):
            self.fixed = []
        self.fixed_struct = f"{self.erased.struct}_of"
        self.results = f"{self.name.rstrip('_')}_results"
        self.params = [verbs.parameter(f.name) for f in self.erased.inputs]
        self.types = [type_name(p) for p in self.params]
        self.has_graph = self.erased.parameters()[:1] == ["graph& g"]

    @property
    def result_count(self):
        return 1 if self.op.name in FIRST_RESULT_ONLY else len(self.erased.outputs)

    def fixed_attributes(self):
        members = "\n  ".join(m.declaration() for m in self.fixed)
        known = ", ".join(m.known() for m in self.fixed)
        given = ", ".join(m.run_time() for m in self.fixed)
        return (
            f"/// The attributes of {self.name} as a template argument.\n"
            f"struct {self.fixed_struct} {{\n  {members}\n"
            f"  /// The attributes as shape rules read them.\n"
            f"  constexpr std::array<known_attribute, {len(self.fixed)}> known() const {{ return {{{known}}}; }}\n"
            f"  /// The attributes as the verb takes them.\n"
            f"  jax2onnx::{self.erased.struct} run_time() const {{ return {{{given}}}; }}\n}};\n"
        )

    def results_struct(self):
        names = self.erased.output_names()
        some = names[: self.result_count]
        types = [type_name(n) for n in some]
        members = "".join(f"  {t} {n};\n" for t, n in zip(types, some))
        if names[self.result_count :]:
            members += f"  value {', '.join(names[self.result_count :])};\n"
        head = ", ".join(f"class {t}" for t in types)
        text = f"/// The results of {self.name}.\ntemplate <{head}>\nstruct {self.results} {{\n{members}"
        if all(self.erased.option(f) == "optional" for f in self.erased.outputs[1:]):
            text += (
                "  /// The first result; the others are optional.\n  /// @{\n"
                f"  const {types[0]}& first_output() const {{ return {names[0]}; }}\n"
                f"  operator const value&() const {{ return {names[0]}; }}\n  /// @}}\n"
            )
        return text + "};\n"

    def operands(self, defaults):
        """Template parameters, function parameters."""
        optional_from = self.erased.optional_from()
        templates, parameters = [], ["graph& g"] if self.has_graph else []
        for i, (f, name, t) in enumerate(zip(self.erased.inputs, self.params, self.types)):
            if self.erased.option(f) == "variadic":
                templates.append(f"class... {t}")
                parameters.append(f"const {t}&... {name}")
                continue
            optional = self.erased.option(f) == "optional"
            templates.append(f"class {t}{' = absent' if optional else ''}")
            parameters.append(f"const {t}& {name}{' = {}' if defaults and i >= optional_from else ''}")
        return templates, parameters

    @property
    def plain(self):
        """True if any operand may be a C++ number: the node has no attributes and one result."""
        return not self.erased.attributes and self.erased.kind == "one" and not self.op.domain and not self.has_graph

    def erased_call(self, attributes):
        if self.plain:
            items = [
                f"as_operand({p})" + ("..." if self.erased.variadic and i == len(self.params) - 1 else "")
                for i, p in enumerate(self.params)
            ]
            return f'detail::plain_node("{self.op.name}", {", ".join(items)})'
        items = ["g"] if self.has_graph else []
        for i, (f, p) in enumerate(zip(self.erased.inputs, self.params)):
            if self.erased.option(f) == "variadic":
                items.append(f"{{as_value({p})...}}")
            else:
                items.append(f"as_value({p})" if i == 0 and not self.has_graph else f"as_operand({p})")
        return f"jax2onnx::{self.name}({', '.join([*items, *attributes])})"

    def constraint(self):
        types = [
            t + ("..." if self.erased.variadic and i == len(self.types) - 1 else "") for i, t in enumerate(self.types)
        ]
        if self.has_graph and not types:
            return ""
        concept = "typed_arguments"
        if not self.plain and not self.has_graph:
            concept = "all_typed" if self.erased.variadic else "typed_operands"
        return f"requires {concept}<{', '.join(types)}>\n"

    def function(self, form, keepdims=None):
        """One overload. `axis` and `axes` name the template argument; with `keepdims` reductions keep it or not."""
        defaults = form != "run_time"
        templates, parameters = self.operands(defaults)
        kind = {
            "default": "default_attributes",
            "run_time": "run_time_attributes",
            "fixed": "fixed_attributes<Attributes>",
        }.get(form)
        passed, types = [], list(self.types)
        given = {} if keepdims is None else {"keepdims": str(keepdims).lower()}
        if form == "axis":
            templates.insert(0, "std::int64_t Axis")
            given["axis"] = "Axis"
        elif form == "axes":
            templates = ["std::int64_t First", "std::int64_t... Rest", templates[0]]
            parameters, types = parameters[:1], [types[0], "known_integers<First, Rest...>"]
        if keepdims:
            parameters.insert(self.erased.optional_from() if form == "axis" else 1, "keepdims_tag")
        if form in ("axis", "axes"):
            order = [m.name for m in self.fixed]
            members = ", ".join(f".{n} = {given[n]}" for n in order if n in given)
            attributes = f"{self.fixed_struct}{{{members}}}" if self.fixed else ""
            kind = f"fixed_attributes<{attributes}>" if members else "default_attributes"
            passed = [f"{attributes}.run_time()"] if members else ["{}"] * bool(self.erased.attributes)
        if form == "run_time":
            required = any(a.required for a in self.erased.attributes)
            parameters.append(f"const jax2onnx::{self.erased.struct}& attributes{' = {}' if required else ''}")
            passed = ["attributes"]
        elif form == "fixed":
            templates.insert(0, f"{self.fixed_struct} Attributes")
            passed = ["Attributes.run_time()"]
        elif form == "default" and self.erased.attributes:
            passed = ["{}"]
        types = [t + ("..." if self.erased.variadic and i == len(types) - 1 else "") for i, t in enumerate(types)]
        call = ", ".join([f"typed_operators::{self.name}", kind, str(self.result_count), *types])
        head = f"template <{', '.join(templates)}>\n" if templates else ""
        lines = [f"using call = typed_call<{call}>;"]
        if self.erased.kind == "one":
            lines.append(f"if constexpr (call::fits) return call::template result<0>({self.erased_call(passed)});")
            lines.append("else return typename refusal<call>::result();")
        else:
            n, names = self.result_count, self.erased.output_names()
            outputs = ", ".join(f"typename call::template output<{i}>" for i in range(n))
            made = [f"call::template result<{i}>(made.{names[i]})" for i in range(n)] + [
                f"made.{name}" for name in names[n:]
            ]
            failed = ["typename refusal<call>::result()"] + ["failed_call()"] * (n - 1) + ["value()"] * (len(names) - n)
            lines.append(f"using results = {self.results}<{outputs}>;")
            lines.append(
                f"if constexpr (call::fits) {{ const auto made = {self.erased_call(passed)}; "
                f"return results{{{', '.join(made)}}}; }}"
            )
            lines.append(f"else return results{{{', '.join(failed)}}};")
        body = "\n  ".join(lines)
        if form == "axes":
            body = body.replace(f"as_operand({self.params[1]})", "as_operand(known_integers<First, Rest...>())")
            constraint, inline = f"requires typed_operands<{self.types[0]}>\n", ""
        else:
            constraint, inline = self.constraint(), "" if templates else "inline "
        return f"{head}{constraint}{inline}auto {self.name}({', '.join(parameters)}) {{\n  {body}\n}}\n"

    def list_forms(self):
        """The verb with a list that is written in place, `{{0, 2}}`, as operand 1."""
        inputs = self.erased.inputs
        if len(inputs) != 2 or self.has_graph or inputs[1].type_str != "tensor(int64)" or self.op.domain:
            return ""
        if self.params[1] not in ("axes", "shape_", "repeats", "split"):
            return ""
        x, t, p = self.params[0], self.types[0], self.params[1]
        text = ""
        for given, passed in [("", "")] + (
            [(f", const jax2onnx::{self.erased.struct}& attributes", ", attributes")] if self.erased.attributes else []
        ):
            text += (
                f"template <class {t}, std::size_t N>\nrequires typed_operands<{t}>\n"
                f"auto {self.name}(const {t}& {x}, const std::int64_t (&{p})[N]{given}) {{\n"
                f"  return {self.name}({x}, std::to_array({p}){passed});\n}}\n"
            )
        return text

    def text(self):
        required = any(a.required for a in self.erased.attributes)
        parts = []
        if self.fixed:
            parts.append(self.fixed_attributes())
        if self.op.name in BY_HAND:
            return "".join(parts)
        if self.erased.kind == "struct":
            parts.append(self.results_struct())
        forms = []
        only_fixed = self.has_graph or (self.erased.variadic and self.erased.attributes)
        if not required and not self.has_graph:
            forms.append(self.function("default"))
        if self.erased.attributes and not only_fixed:
            forms.append(self.function("run_time"))
        if self.fixed:
            forms.append(self.function("fixed"))
        names = {m.name for m in self.fixed}
        needed = {m.name for m in self.fixed if m.required}
        if "axis" in names and needed <= {"axis"} and not self.has_graph:
            keeps = [False, True] if "keepdims" in names else [None]
            forms += [self.function("axis", k) for k in keeps]
        if self.params[1:] == ["axes"]:
            keeps = [False, True] if "keepdims" in names else [None]
            forms += [self.function("axes", k) for k in keeps]
        if lists := self.list_forms():
            forms.append(lists)
        if not forms:
            return ""
        doc = verbs.wrapped(
            f"{schemas.documentation(self.op.schema)} ({self.op.domain + '.' if self.op.domain else ''}{self.op.name})."
        )
        return "\n".join(parts) + ("\n" if parts else "") + f"{doc}\n/// @{{\n" + "".join(forms) + "/// @}\n"


def typed_verbs(family, operators):
    index, found = 0, []
    for op in operators:
        index += len(op.versions)
        if is_typed(op) or op.name in BY_HAND:
            found.append(typed_verb(op, index - 1, family))
    return [v for v in found if v.text() or v.op.name in BY_HAND]


def header(family, operators):
    found = typed_verbs(family, operators)
    written = "\n".join(v.text() for v in found)
    places = "\n".join(f"using {v.name} = operator_at<records::{family}_records, {v.index}>;" for v in found)
    return f"""\
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/operators/records/{family}.hpp>
#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/ops/verbs/{family}.hpp>

/// The {family} operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {{

/// The records of the verbs.
namespace typed_operators {{
{places}
}}  // namespace typed_operators

{written}
}}  // namespace jax2onnx
"""


def all_verbs(found):
    """The header of all families."""
    includes = "\n".join(
        f"#include <jax2onnx/dsl/typed/verbs/{f}.hpp>" for f, ops in sorted(found.items()) if typed_verbs(f, ops)
    )
    return f"""\
#pragma once

// Written by scripts/generate-operators.
{includes}

/// Every operator of ONNX on typed handles.
"""
