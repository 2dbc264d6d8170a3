# SPDX-License-Identifier: Apache-2.0
"""Writes include/jax2onnx/operators/records/FAMILY.hpp: what the specification says of each operator, as data."""

import textwrap

import schemas

import families

GROUPS = {
    "basic_types": [
        "f16", "f32", "f64", "i16", "i32", "i64", "i8", "u16", "u32", "u64", "u8", "c64", "c128", "string", "boolean",
    ],
    "numbers": ["f16", "f32", "f64", "i16", "i32", "i64", "i8", "u16", "u32", "u64", "u8"],
    "floats": ["f16", "f32", "f64"], "signed_integers": ["i16", "i32", "i64", "i8"],
    "unsigned_integers": ["u16", "u32", "u64", "u8"], "complex_numbers": ["c128", "c64"],
    "float8s": ["f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz"], "int4s": ["i4", "u4"], "int2s": ["i2", "u2"],
}  # fmt: skip


def dtype_set(dtypes):
    left, parts = set(dtypes), []
    for name, members in GROUPS.items():
        if left.issuperset(members):
            parts.append(name)
            left -= set(members)
    if left:
        parts.append(f"types({{{', '.join(sorted(left))}}})")
    return " | ".join(parts)


def type_set(allowed):
    return "{" + ", ".join(f".{kind} = {dtype_set(dtypes)}" for kind, dtypes in allowed.items()) + "}"


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class family_records:
    def __init__(self):
        self.blocks, self.names = [], {}

    def shared(self, stem, version, kind, entries):
        """The name of an array. Versions of an operator share it if their entries are the same."""
        if not entries:
            return "{}"
        body = f"{{{', '.join(entries)}}}"
        known = self.names.setdefault((stem, kind), {})
        if body not in known:
            suffix = f"_{version}" if known else ""
            known[body] = f"{stem}_{SUFFIXES[kind]}{suffix}"
            cpp_type = {"result": "formal"}.get(kind, kind)
            self.blocks.append(f"inline constexpr {cpp_type} {known[body]}[] = {body};")
        return known[body]

    def add(self, op, schema):
        stem, version = op.verb.rstrip("_"), schema.since_version
        if schema is op.versions[0]:
            self.blocks.append(f"// {op.name}")
        constraints = constraints_of(schema)
        names = [name for name, _ in constraints]
        inputs = self.shared(stem, version, "formal", [formal(f, names) for f in schema.inputs])
        outputs = self.shared(stem, version, "result", [formal(f, names) for f in schema.outputs])
        allowed = self.shared(
            stem, version, "type_constraint", [f"{{{quoted(n)}, {type_set(t)}}}" for n, t in constraints]
        )
        given = sorted(schema.attributes.values(), key=lambda a: a.name)
        given = [a for a in given if schemas.kind_of(a) not in ("sparse", "tensors")]
        attributes = self.shared(stem, version, "formal_attribute", [self.attribute(stem, version, a) for a in given])
        rule = f"{{rules::{op.rule}, true}}" if op.rule in families.ANY_TYPE else f"{{rules::{op.rule}}}"
        random = ", false" if op.name in families.RANDOM else ""
        return (
            f"{{{quoted(op.name)}, {quoted(op.domain)}, {version}, {inputs}, {outputs}, {allowed}, {attributes}, "
            f"{schema.min_input}, {schema.min_output}, {rule}, {quoted(schemas.documentation(schema))}{random}}}"
        )

    def attribute(self, stem, version, a):
        kind, default = schemas.kind_of(a), schemas.default_of(a)
        need = "required" if a.required else "optional" if default is None else "defaulted"
        parts = [quoted(a.name), kind]
        if need != "optional":
            parts.append(need)
        if need == "defaulted" and default not in (0, [], ""):
            value = quoted(default) if kind == "text" else repr(default)
            if kind == "integers":
                value = self.shared(f"{stem}_{a.name}", version, "std::int64_t", [str(n) for n in default])
            if kind in ("integer", "real", "text", "integers"):
                parts.append(f"{{.{kind} = {value}}}")
        return f"{{{', '.join(parts)}}}"


SUFFIXES = {
    "formal": "inputs",
    "result": "outputs",
    "type_constraint": "types",
    "formal_attribute": "attributes",
    "std::int64_t": "default",
}


def constraints_of(schema):
    """Type variables, then fixed types under their own names."""
    found = [(c.type_param_str, schemas.type_sets(c.allowed_type_strs)) for c in schema.type_constraints]
    known = {name for name, _ in found}
    for f in [*schema.inputs, *schema.outputs]:
        if f.type_str not in known:
            known.add(f.type_str)
            found.append((f.type_str, schemas.type_sets([f.type_str])))
    return found


def formal(f, names):
    parts = [quoted(f.name), str(names.index(f.type_str))]
    presence = str(f.option).split(".")[-1].lower()
    if presence != "single":
        parts.append(f"presence::{presence}")
    if presence == "variadic" and not f.is_homogeneous:
        parts.append("false")
    return f"{{{', '.join(parts)}}}"


def header(family, operators):
    written = family_records()
    rows = [written.add(op, schema) for op in operators for schema in op.versions]
    blocks = "\n".join(written.blocks)
    table = ",\n    ".join(rows)
    return (
        textwrap.dedent(f"""\
        #pragma once

        // Written by scripts/generate-operators from the schemas of the onnx package.
        #include <jax2onnx/operators/records/record.hpp>
        #include <jax2onnx/operators/rules/{family}.hpp>

        namespace jax2onnx::records {{

        using enum dtype;
        using enum attribute_kind;
        using enum formal_attribute::need;

        @BLOCKS@

        inline constexpr op_record {family}_records[] = {{
            @ROWS@,
        }};

        }}  // namespace jax2onnx::records
        """)
        .replace("@BLOCKS@", blocks)
        .replace("@ROWS@", table)
    )


def names(found):
    """The names of all operators of ai.onnx, sorted, so that they can be checked while compiling."""
    names = sorted(op.name for operators in found.values() for op in operators if not op.domain)
    listed = ", ".join(quoted(name) for name in names)
    return f"""\
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <string_view>

namespace jax2onnx::records {{

/// The operators of ai.onnx, sorted by name.
inline constexpr std::string_view names[] = {{{listed}}};

}}  // namespace jax2onnx::records
"""
