#!/usr/bin/env python3
"""Writes include/jax2onnx/rewrite/passes/kernel_table.hpp: the element types that each operator takes, by ONNX's
schemas and by the kernels of ONNX Runtime's CPU provider.

    scripts/generate_kernel_table.py     needs: pip install onnx onnxruntime
"""

import collections
import itertools
import pathlib
import re

import onnx.defs
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state

LOWEST, HIGHEST = 17, 26
CODES = {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10,
    "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16, "float8e4m3fn": 17, "float8e4m3fnuz": 18,
    "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23, "float8e8m0": 24,
    "uint2": 25, "int2": 26,
}  # fmt: skip
# Kernels that exist but compute wrong results: (operator, type), and what is wrong.
WRONG = {
    ("Sign", "float16"): "0 for NaN",
    ("Sign", "bfloat16"): "0 for NaN",
}
# Kernels that ONNX Runtime Web 1.30, its newest release, does not have: tests/numeric/web.py finds them.
LACKING_IN_WEB = {"Where": {"int8", "uint32"}}
# Operators without a kernel, and the types for which all operators of their function bodies have one.
EXPANDED = {
    "HardSwish": {"float", "float16"},
    "Mish": {"float", "float16"},
    "Swish": {"float", "float16", "double"},
}
# Operators that take values of any type, or whose attributes state the type.
SKIPPED = {"CastLike", "Constant", "ConstantOfShape", "EyeLike", "BitCast"}


def mask(types):
    return sum(1 << CODES[t] for t in {re.sub(r"^tensor\((.*)\)$", r"\1", t) for t in types} if t in CODES)


def kernels():
    """The CPU provider's kernels: (operator, constraint) -> [(first opset, last opset, mask)]."""
    found = collections.defaultdict(list)
    for k in onnxruntime_pybind11_state.get_all_opkernel_def():
        if k.provider == "CPUExecutionProvider" and k.domain == "":
            for constraint, types in k.type_constraints.items():
                right = [t for t in types if (k.op_name, t[7:-1]) not in WRONG]
                found[k.op_name, constraint].append((*k.version_range, mask(right)))
    return found


def row(schema, opset, ort):
    """The inputs and outputs as letters of type variables, then each variable's masks: by ONNX, by ONNX Runtime."""
    constraints = {c.type_param_str: mask(c.allowed_type_strs) for c in schema.type_constraints}
    used = [f.type_str for f in itertools.chain(schema.inputs, schema.outputs)]
    names = sorted((n for n in constraints if n in used and constraints[n]), key=used.index)
    letters = dict(zip(names, "abcdefgh"))
    spell = lambda formals: "".join(letters.get(f.type_str, "-") for f in formals)
    have = []
    for n in names:
        m = mask(EXPANDED.get(schema.name, ()))
        for first, last, types in ort[schema.name, n]:
            m |= types if first <= opset <= last else 0
        have.append(m & constraints[n])
    return spell(schema.inputs), spell(schema.outputs), tuple(constraints[n] for n in names), tuple(have)


def rows():
    ort = kernels()
    for name in sorted({s.name for s in onnx.defs.get_all_schemas() if s.domain == ""} - SKIPPED):
        previous = None
        for opset in range(LOWEST, HIGHEST + 1):
            try:
                schema = onnx.defs.get_schema(name, opset, "")
            except onnx.defs.SchemaError:
                continue
            if schema.deprecated or any(
                f.type_str.startswith(("seq", "optional")) for f in [*schema.inputs, *schema.outputs]
            ):
                continue
            this = row(schema, opset, ort)
            if this != previous and any(this[2]):
                yield name, opset, *this
            previous = this


def main():
    lists = lambda masks: "{" + ", ".join(f"0x{m:x}" for m in masks) + "}"
    lines = [
        f'    {{"{n}", {since}, "{i}", "{o}", {lists(by_onnx)}, {lists(by_ort)}}},'
        for n, since, i, o, by_onnx, by_ort in rows()
    ]
    gaps = "\n".join(f'    {{"{op}", 0x{mask(types):x}}},' for op, types in sorted(LACKING_IN_WEB.items()))
    path = pathlib.Path(__file__).resolve().parents[1] / "include/jax2onnx/rewrite/passes/kernel_table.hpp"
    made_from = f"onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}"
    path.write_text(
        f"""#pragma once

// Written by scripts/generate_kernel_table.py from {made_from}; do not edit.

#include <cstdint>
#include <string_view>

namespace jax2onnx::rewrite::detail {{

/// The element types that an operator takes since an opset. `inputs` and `outputs` name the type variable of each
/// parameter: 'a', 'b', …, or '-' for a fixed type; the last one holds for all further parameters. A mask has the bits
/// 1 << dtype. A mask of 0 means that there is no kernel; a runtime may use the operator's function body instead.
struct kernel_row {{
  std::string_view op;
  int since;
  std::string_view inputs, outputs;
  std::uint32_t by_onnx[5];
  std::uint32_t by_ort[5];  // of the CPU provider
}};

/// Types for which an operator has kernels in ONNX Runtime, but not in the newest ONNX Runtime Web.
struct web_gap {{
  std::string_view op;
  std::uint32_t types;
}};
inline constexpr web_gap web_gaps[] = {{
{gaps}
}};

// clang-format off
/// Sorted by operator, then opset.
inline constexpr kernel_row kernel_table[] = {{
"""
        + "\n".join(lines)
        + """
};
// clang-format on

}  // namespace jax2onnx::rewrite::detail
"""
    )


if __name__ == "__main__":
    main()
