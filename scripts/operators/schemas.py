# SPDX-License-Identifier: Apache-2.0
"""The operators of the installed onnx package, as what the generated headers need of them."""

import collections
import dataclasses
import re

import numpy as np
import onnx
from onnx import defs

import families

ATTRIBUTE_KINDS = {
    "INT": "integer", "FLOAT": "real", "STRING": "text", "INTS": "integers", "FLOATS": "reals", "STRINGS": "texts",
    "TENSOR": "tensor", "GRAPH": "body", "TYPE_PROTO": "type", "SPARSE_TENSOR": "sparse", "TENSORS": "tensors",
}  # fmt: skip

DTYPES = {
    "float": "f32", "uint8": "u8", "int8": "i8", "uint16": "u16", "int16": "i16", "int32": "i32", "int64": "i64",
    "string": "string", "bool": "boolean", "float16": "f16", "double": "f64", "uint32": "u32", "uint64": "u64",
    "complex64": "c64", "complex128": "c128", "bfloat16": "bf16", "float8e4m3fn": "f8_e4m3fn",
    "float8e4m3fnuz": "f8_e4m3fnuz", "float8e5m2": "f8_e5m2", "float8e5m2fnuz": "f8_e5m2fnuz", "uint4": "u4",
    "int4": "i4", "float4e2m1": "f4_e2m1fn", "float8e8m0": "f8_e8m0fnu", "uint2": "u2", "int2": "i2",
}  # fmt: skip

KINDS = {
    r"tensor\((.*)\)": "tensors", r"seq\(tensor\((.*)\)\)": "sequences", r"optional\(tensor\((.*)\)\)": "optionals",
    r"optional\(seq\(tensor\((.*)\)\)\)": "optional_sequences",
}  # fmt: skip


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def member_name(name):
    """The name of an output in the struct of a verb."""
    return {"float": "values"}.get(name, snake_case(name))


@dataclasses.dataclass
class operator:
    name: str
    domain: str
    family: str
    rule: str
    versions: list  # schemas in use, oldest first

    @property
    def verb(self):
        return families.NAMES.get(self.name, snake_case(self.name))

    @property
    def schema(self):
        return self.versions[-1]

    def choice(self, attribute):
        return families.CHOICES.get(f"{self.name}.{attribute}", families.CHOICES.get(attribute))


def in_use(schemas, first, last):
    """The schemas that a version from `first` to `last` of their domain has."""
    ordered = sorted(schemas, key=lambda s: s.since_version)
    ends = [s.since_version for s in ordered[1:]] + [10**6]
    return [s for s, end in zip(ordered, ends) if s.since_version <= last and end > first and not s.deprecated]


def operators():
    """All operators, by family, in the order of their names."""
    by_name = collections.defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        by_name[schema.domain, schema.name].append(schema)
    places = {
        op: (family, rule)
        for family, rules in families.FAMILIES.items()
        for rule, ops in rules.items()
        for op in ops.split()
    }
    found = collections.defaultdict(list)
    for (domain, name), schemas in sorted(by_name.items()):
        if domain not in families.DOMAINS or name in families.WITHOUT_VERBS:
            continue
        versions = in_use(schemas, *families.DOMAINS[domain])
        if not versions:
            continue
        if name not in places:
            raise SystemExit(f"families.py has no family for {domain or 'ai.onnx'}.{name}")
        found[places[name][0]].append(operator(name, domain, *places[name], versions))
    return {family: found[family] for family in families.FAMILIES}


# Links with their texts, code, emphasis, LaTeX, and tags: `<` beside a letter or a slash. Neither `x < 0` nor `a * b`.
MARKUP = re.compile(r"\[(?P<text>[^]]*)\]\([^)]*\)|`|\*\*|(?<!\s)\*|\*(?!\s)|</?[A-Za-z][^<>]*>|\\\w+|[{}$]")
# A sentence ends with its paragraph, at a colon that ends a line, or at a full stop that is not an abbreviation's.
SENTENCE = re.compile(r".+?(?=\n\s*\n|:\s*\n|(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)\.\s|[.:]?\s*\Z)", re.DOTALL)


def first_sentence(text):
    """The first sentence of Markdown as plain text in a line, without its full stop."""
    plain = MARKUP.sub(lambda found: found["text"] or "", text).strip()
    sentence = SENTENCE.match(plain)
    return " ".join(sentence[0].split()).encode("ascii", "ignore").decode() if sentence else ""


def documentation(schema):
    """The summary of an operator, in a sentence."""
    return families.SUMMARIES.get(schema.name) or first_sentence(schema.doc or "") or snake_case(schema.name)


def type_sets(allowed):
    """The members of a type_set: kind of value to dtypes. Maps are left out."""
    sets = collections.defaultdict(list)
    for text in sorted(allowed):
        for pattern, kind in KINDS.items():
            match = re.fullmatch(pattern, text)
            if match and match[1] in DTYPES:
                sets[kind].append(DTYPES[match[1]])
    return {kind: sorted(set(sets[kind])) for kind in KINDS.values() if sets[kind]}


def kind_of(attribute):
    return ATTRIBUTE_KINDS[str(attribute.type).split(".")[-1]]


def default_of(attribute):
    """The default as a Python value; None without one."""
    proto = attribute.default_value
    if proto.type == onnx.AttributeProto.UNDEFINED:
        return None
    value = onnx.helper.get_attribute_value(proto)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        return float(np.format_float_scientific(np.float32(value), unique=True))
    if isinstance(value, onnx.TensorProto):
        return None
    return [v.decode() if isinstance(v, bytes) else v for v in value] if isinstance(value, (list, tuple)) else value
