# SPDX-License-Identifier: Apache-2.0
"""Examples on the pages of operators: a call on erased and on typed handles, with the type of the result. Operands and
attributes are those of a test of the onnx package."""

import collections
import functools

import numpy as np
import onnx
import schemas
import typed
from onnx.backend.test.case.node import collect_testcases

import families
import verbs

CPP = {
    "f32": "float", "f64": "double", "f16": "float16", "bf16": "bfloat16", "boolean": "bool", "string": "std::string",
    "u4": "uint4", "i4": "int4", "u2": "uint2", "i2": "int2", "f4_e2m1fn": "float4_e2m1fn",
    "c64": "complex64", "c128": "complex128",
    **{f"{s}{n}": f"std::{'u' if s == 'u' else ''}int{n}_t" for s in "iu" for n in (8, 16, 32, 64)},
    **{n: n.replace("f8", "float8") for n in ("f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz", "f8_e8m0fnu")},
}  # fmt: skip

# Operands that are written in place.
LISTS = {
    "axes",
    "axis",
    "shape",
    "repeats",
    "split",
    "pads",
    "starts",
    "ends",
    "steps",
    "sizes",
    "k",
    "output_shape",
    "depth",
}


@functools.cache
def tests():
    """Models of one node, by domain and operator."""
    found = collections.defaultdict(list)
    for case in collect_testcases(None):
        if case.model is not None and len(case.model.graph.node) == 1:
            node = case.model.graph.node[0]
            found[node.domain, node.op_type].append(case)
    return found


def dtype_of(tensor_type):
    name = onnx.TensorProto.DataType.Name(tensor_type.elem_type).lower()
    return schemas.DTYPES[name]


def extents(tensor_type):
    if not tensor_type.HasField("shape") or any(not d.HasField("dim_value") for d in tensor_type.shape.dim):
        raise ValueError
    return [d.dim_value for d in tensor_type.shape.dim]


def quoted(text):
    """A string as C++."""
    return '"' + text.replace("\\", r"\\").replace('"', r"\"") + '"'


def literal(member, a):
    """An attribute as C++."""
    value = onnx.helper.get_attribute_value(a)
    if member.kind == "text":
        text = value.decode()
        return f"{member.choice[0]}::{verbs.member(text)}" if member.choice else quoted(text)
    if member.kind == "integer":
        if "dtype" in member.type:
            name = onnx.TensorProto.DataType.Name(value).lower()
            return f"dtype::{schemas.DTYPES[name]}"
        return str(bool(value)).lower() if member.inner == "flag" else str(value)
    if member.kind == "real":
        return f"{np.format_float_positional(np.float32(value), trim='0')}f"
    if member.kind == "integers":
        return "{" + ", ".join(map(str, value)) + "}"
    if member.kind == "reals":
        return "{" + ", ".join(f"{np.format_float_positional(np.float32(v), trim='0')}f" for v in value) + "}"
    if member.kind == "texts":
        return "{" + ", ".join(quoted(v.decode()) for v in value) + "}"
    raise ValueError


def type_text(dtype, dims):
    return f"{'bool' if dtype == 'boolean' else dtype}[{','.join(map(str, dims))}]"


class example:
    """The example of one test. Raises a ValueError for a test that examples cannot show."""

    def __init__(self, op, case):
        self.v, node = verbs.verb(op), case.model.graph.node[0]
        types = {i.name: i.type for i in [*case.model.graph.input, *case.model.graph.output]}
        data = dict(zip((i.name for i in case.model.graph.input), case.data_sets[0][0]))
        self.declared, self.operands, self.typed_operands = [], [], []
        variadic = []
        used = set()
        for i, name in enumerate(node.input):
            formal = self.v.inputs[min(i, len(self.v.inputs) - 1)]
            is_variadic = self.v.option(formal) == "variadic"
            if not name:
                self.put("{}", "{}", variadic if is_variadic else None)
                continue
            tensor = types[name].tensor_type
            if not types[name].HasField("tensor_type"):
                raise ValueError
            dtype, dims, array = dtype_of(tensor), extents(tensor), data[name]
            number = formal.name.lower() in LISTS and dtype in ("i64", "i32") and len(dims) < 2 and np.size(array) <= 8
            if number and not is_variadic and (self.operands or node.op_type == "ConstantOfShape"):
                numbers = [int(n) for n in np.ravel(array)]
                text = str(numbers[0]) if not dims else "{" + ", ".join(map(str, numbers)) + "}"
                self.put(text, None if not self.list_form(i) else text, None)
                continue
            variable = verbs.parameter(formal.name) if not is_variadic else f"x{i}"
            variable = {"int": "i", "float": "f", "size": "size_of", self.v.name: f"{variable}_in"}.get(
                variable, variable
            )
            if variable in used:
                raise ValueError
            used.add(variable)
            shape = ", ".join(map(str, dims))
            self.declared.append(f'const value {variable} = g.input({{dtype::{dtype}, {{{shape}}}}}, "{variable}");')
            as_typed = f"tensor<{', '.join([CPP[dtype], *map(str, dims)])}>({variable})"
            self.put(variable, as_typed, variadic if is_variadic else None)
        if variadic:
            self.operands.append("{" + ", ".join(e for e, _ in variadic) + "}")
            self.typed_operands += [t for _, t in variadic]
        given = {a.name: a for a in node.attribute}
        members = [m for m in self.v.attributes if m.name in given]
        if len(members) != len(given):
            raise ValueError
        self.attributes = ", ".join(f".{m.name} = {literal(m, given[m.name])}" for m in members)
        self.fixed = all(m.kind in typed.FIXED_KINDS for m in members)
        if not node.output[0] or self.v.kind == "vector" or not types[node.output[0]].HasField("tensor_type"):
            raise ValueError
        result = types[node.output[0]].tensor_type
        self.result = type_text(dtype_of(result), extents(result))
        if not self.declared:
            raise ValueError

    def list_form(self, i):
        return (
            len(self.v.inputs) == 2
            and i == 1
            and self.v.parameters()[1].split()[-1] in ("axes", "shape_", "repeats", "split")
        )

    def put(self, erased, as_typed, variadic):
        if variadic is not None:
            variadic.append((erased, as_typed))
        else:
            self.operands.append(erased)
            self.typed_operands.append(as_typed)

    def member(self):
        return f".{self.v.output_names()[0]}" if self.v.kind == "struct" else ""

    def padded(self, operands):
        """Absent operands before attributes."""
        missing = len(self.v.inputs) - len(operands) if self.attributes and not self.v.variadic else 0
        return [*operands, *["{}"] * missing]

    def erased_call(self):
        attributes = [f"{{{self.attributes}}}"] if self.attributes else []
        return f"{self.v.name}({', '.join([*self.padded(self.operands), *attributes])}){self.member()}"

    def typed_call(self, op):
        """None if the verb has no typed form for it."""
        if not typed.is_typed(op) or None in self.typed_operands:
            return None
        t = typed.typed_verb(op, 0, op.family)
        if not self.attributes:
            if any(m.required for m in self.v.attributes):
                return None
            return f"{self.v.name}({', '.join(self.typed_operands)}){self.member()}"
        if self.fixed and t.fixed:
            return (
                f"{self.v.name}<{t.fixed_struct}{{{self.attributes}}}>({', '.join(self.typed_operands)}){self.member()}"
            )
        if self.v.variadic:
            return None
        return (
            f"{self.v.name}({', '.join([*self.padded(self.typed_operands), f'{{{self.attributes}}}'])}){self.member()}"
        )

    def lines(self, op):
        name = "result" if "y" in self.v.output_names() or any(" y = " in d for d in self.declared) else "y"
        text = families.EXAMPLE_RESULTS.get(op.name, self.result)
        found = [*self.declared, f"const value {name} = {self.erased_call()};  // {text}"]
        if (call := self.typed_call(op)) and op.name not in families.WITHOUT_TYPED_EXAMPLE:
            found.append(f"const auto typed_{name} = {call};  // {text}")
        return found


def lines(op):
    """The lines of an operator's example; none if no test of it is fit."""
    if op.name in families.BY_HAND or op.name in families.WITHOUT_EXAMPLE:
        return []
    cases = [c for c in tests()[op.domain, op.name] if "_expanded" not in c.name]
    for case in cases:
        try:
            return example(op, case).lines(op)
        except (ValueError, KeyError, AttributeError, IndexError):
            continue
    return []
