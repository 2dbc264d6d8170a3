#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes include/jax2onnx/rewrite/passes/kernel_table.hpp: the element types that each operator accepts, according to
ONNX's schemas, to the kernels of the CPU provider of each release of ONNX Runtime in tests/versions.toml, and to those
of the CUDA provider of the newest release that has a package for it.

    scripts/generate_kernel_table.py            needs: pip install onnx numpy; installs the releases in build/
    scripts/generate_kernel_table.py --kernels  prints the kernels of the onnxruntime that Python imports, as JSON
"""

import collections
import itertools
import json
import pathlib
import re
import sys

import onnx.defs

root = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(root / "tests"))
import cuda_kernels
import releases

LOWEST, HIGHEST = 17, 28
CODES = {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10,
    "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16, "float8e4m3fn": 17, "float8e4m3fnuz": 18,
    "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23, "float8e8m0": 24,
    "uint2": 25, "int2": 26,
}  # fmt: skip
# Kernels that exist but compute wrong results: (operator, type), and the defect.
WRONG = {
    ("Sign", "float16"): "0 for NaN",
    ("Sign", "bfloat16"): "0 for NaN",
}
# Operators without a kernel, and the types for which all operators of their function bodies have one.
EXPANDED = {
    "HardSwish": {"float", "float16"},
    "Mish": {"float", "float16"},
    "Swish": {"float", "float16", "double"},
}
# Operators that accept values of any type, or whose attributes state the type.
SKIPPED = {"CastLike", "Constant", "ConstantOfShape", "EyeLike", "BitCast"}


def mask(types):
    return sum(1 << CODES[t] for t in {re.sub(r"^tensor\((.*)\)$", r"\1", t) for t in types} if t in CODES)


def print_kernels():
    """The CPU provider's kernels: [operator, constraint, first opset, last opset, types], and the highest opset."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state

    onnxruntime.set_default_logger_severity(4)
    found = []
    for k in onnxruntime_pybind11_state.get_all_opkernel_def():
        if k.provider == "CPUExecutionProvider" and k.domain == "":
            for constraint, types in k.type_constraints.items():
                found.append([k.op_name, constraint, *k.version_range, sorted(types)])
    print(json.dumps([highest_opset(onnxruntime), found]))


def highest_opset(runtime):
    """The highest opset of models that a runtime loads."""
    for opset in range(HIGHEST, LOWEST, -1):
        graph = "g (float[1] x) => (float[1] y) { y = Relu(x) }"
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> {graph}')
        try:
            runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
            return opset
        except Exception:  # several types
            continue
    return LOWEST


class provider:
    """The kernels of a provider of ONNX Runtime."""

    def __init__(self, rows):
        self.found = collections.defaultdict(list)
        for op, constraint, first, last, types in rows:
            right = [t for t in types if (op, t[7:-1]) not in WRONG]
            self.found[op, constraint].append((first, last, mask(right)))

    def masks(self, schema, opset, names):
        """The types for which there is a kernel, for each constraint."""
        out = []
        for name in names:
            m = mask(EXPANDED.get(schema.name, ()))
            for first, last, types in self.found[schema.name, name]:
                m |= types if first <= opset <= last else 0
            out.append(m)
        return out


class release(provider):
    """The CPU provider of a release."""

    def __init__(self, version):
        self.minor = releases.minor(version)
        self.highest_opset, rows = json.loads(releases.run_in(version, __file__, "--kernels"))
        super().__init__(rows)


def row(schema, opset, all_releases, cuda):
    """The inputs and outputs as letters of type variables; for each variable its mask by ONNX and the types that CUDA
    supports; and for each release the types that it and all newer releases support, if they load the opset."""
    constraints = {c.type_param_str: mask(c.allowed_type_strs) for c in schema.type_constraints}
    used = [f.type_str for f in itertools.chain(schema.inputs, schema.outputs)]
    names = sorted((n for n in constraints if n in used and constraints[n]), key=used.index)
    letters = dict(zip(names, "abcdefgh"))
    spell = lambda formals: "".join(letters.get(f.type_str, "-") for f in formals)
    by_onnx = tuple(constraints[n] for n in names)
    by_ort, common = {}, by_onnx
    for r in reversed(all_releases):
        if r.highest_opset >= opset:
            common = tuple(a & b for a, b in zip(common, r.masks(schema, opset, names)))
        by_ort[r.minor] = common
    return spell(schema.inputs), spell(schema.outputs), by_onnx, cuda.masks(schema, opset, names), by_ort


def rows():
    """Operator, opset, release, and the row that holds from both on."""
    all_releases = [release(v) for v in releases.RELEASES]
    cuda = provider(json.loads(cuda_kernels.kernels(releases.CUDA_RELEASE, root / "build/onnxruntime")))
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
            this = row(schema, opset, all_releases, cuda)
            if this != previous and any(this[2]):
                before = None
                for minor, have in sorted(this[4].items()):
                    if have != before:
                        yield name, opset, minor, *this[:4], have
                    before = have
            previous = this


def main():
    lists = lambda masks: "{" + ", ".join(f"0x{m:x}" for m in masks) + "}"

    def more(by_cuda, by_ort):
        only = [c & ~o for c, o in zip(by_cuda, by_ort)]
        return f", {lists(only)}" if any(only) else ""

    lines = [
        f'    {{"{n}", {since}, {minor}, "{i}", "{o}", {lists(by_onnx)}, {lists(by_ort)}{more(by_cuda, by_ort)}}},'
        for n, since, minor, i, o, by_onnx, by_cuda, by_ort in rows()
    ]
    path = root / "include/jax2onnx/rewrite/passes/kernel_table.hpp"
    made_from = f"onnx {onnx.__version__} and onnxruntime {releases.RELEASES[0]} to {releases.RELEASES[-1]}"
    made_from += f", and onnxruntime-gpu {releases.CUDA_RELEASE}"
    path.write_text(
        f"""// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate_kernel_table.py from {made_from}; do not edit.

#include <cstdint>
#include <string_view>

namespace jax2onnx::rewrite::detail {{

/// The element types that an operator takes since an opset, in 1.`release` and newer releases. `inputs` and `outputs`
/// name the type variable of each parameter: 'a', 'b', …, or '-' for a fixed type; the last one holds for all further
/// parameters. A mask has the bits 1 << dtype. A mask of 0 means that there is no kernel; a runtime may use the
/// operator's function body instead.
struct kernel_row {{
  std::string_view op;
  int since, release;
  std::string_view inputs, outputs;
  std::uint32_t by_onnx[5];
  std::uint32_t by_ort[5];            // of the CPU provider
  std::uint32_t by_cuda_only[5] = {{}};  // of the CUDA provider, in the newest release that has a package
}};

// clang-format off
/// Sorted by operator, then opset, then release.
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
    print_kernels() if sys.argv[1:] == ["--kernels"] else main()
