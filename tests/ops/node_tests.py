#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ONNX's own node tests through the reader and the verbs.

    node_tests.py --tool build/release/tests/rebuild_model --round-trip build/release/tests/round_trip
                  [--only TEXT] [--verbose]

Each model of the onnx package whose operators' versions are in use at an opset from 17 to 28 is read, rebuilt node by
node with the verbs at such an opset, and written. Prints how many rebuilt models

(a) have inferred types that agree with those stated in the model: element types, ranks, constant extents;
(b) give the expected outputs in ONNX Runtime, out of the models that give them unchanged;
(c) do the same after the models were read, optimized and written;

and the rest with reasons. Fails below the thresholds.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx.backend.test.case.node import collect_testcases

LOWEST = 17
NEWEST = {"": 28, "ai.onnx.ml": 5, "ai.onnx.preview.training": 1}  # the versions that graphs import
LEAST_TYPES, LEAST_RUNS = 0.99, 0.995
# Verbs refuse a Slice or Split that has an empty part in the source code; models may have one.
EMPTY_PART = ": a part is empty along axis "
# Their outputs are random, so only their types and that they run are checked.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                yield from nodes(body)


def version(op, domain, opset):
    try:
        return onnx.defs.get_schema(op, opset, domain).since_version
    except onnx.defs.SchemaError:
        return None


def usable_opset(model):
    """An opset from 17 to 28 that has the versions of all operators, or None and the reason."""
    stated = {o.domain: o.version for o in model.opset_import}
    ops = {(n.op_type, "" if n.domain == "ai.onnx" else n.domain) for n in nodes(model.graph)}
    for _, domain in ops:
        if domain not in NEWEST:
            return None, f"operators of {domain}"
    lowest = {**NEWEST, "": LOWEST}
    usable = {domain: min(max(stated[domain], lowest[domain]), NEWEST[domain]) for _, domain in ops}
    for op, domain in ops:
        since = version(op, domain, stated[domain])
        if version(op, domain, usable[domain]) != since:
            return None, f"{op} since {domain or 'ai.onnx'} {since}"
    return usable.get("", LOWEST), None


def tensor_type(t):
    """(kind, element type, extents or None) of a TypeProto."""
    kind = t.WhichOneof("value")
    if kind == "sequence_type":
        return ("sequence", *tensor_type(t.sequence_type.elem_type))
    if kind == "optional_type":
        return ("optional", *tensor_type(t.optional_type.elem_type))
    if kind != "tensor_type":
        return (kind,)
    tensor = t.tensor_type
    if not tensor.HasField("shape"):
        return ("tensor", tensor.elem_type, None)
    extents = [d.dim_value if d.HasField("dim_value") else d.dim_param or None for d in tensor.shape.dim]
    return ("tensor", tensor.elem_type, tuple(extents))


def agree(ours, theirs):
    """Returns whether two types agree as far as both are known."""
    if ours[-1] is None or theirs[-1] is None or not isinstance(ours[-1], tuple):
        return ours[:-1] == theirs[:-1]
    if ours[:-1] != theirs[:-1] or len(ours[-1]) != len(theirs[-1]):
        return False
    return all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in zip(ours[-1], theirs[-1]))


def stated_types(graph):
    return {v.name: tensor_type(v.type) for v in [*graph.value_info, *graph.output]}


def compare_types(model, rebuilt):
    """(None or the difference of the types, whether all are equal)."""
    theirs, ours = stated_types(model.graph), stated_types(rebuilt.graph)
    outputs = zip((v.name for v in model.graph.output), (v.name for v in rebuilt.graph.output))
    ours.update({name: ours[renamed] for name, renamed in outputs})
    exact = all(ours.get(name) == t for name, t in theirs.items())
    for name, t in theirs.items():
        if name in ours and not agree(ours[name], t):
            return f"{name}: {ours[name]} instead of {t}", exact
    return None, exact


def numpy_value(x):
    return onnx.numpy_helper.to_array(x) if isinstance(x, onnx.TensorProto) else x


def ort_value(x, type_):
    """The value in a form that ONNX Runtime accepts; types that NumPy lacks are passed as bits."""
    x = numpy_value(x)
    if isinstance(x, np.ndarray) and x.dtype.kind == "V" or str(getattr(x, "dtype", "")) in NARROW:
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(x.view(NARROW_BITS(x)), type_)
    return x


NARROW = ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")


def NARROW_BITS(x):
    return np.uint16 if x.dtype.itemsize == 2 else np.uint8


def run(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    types = {v.name: v.type.tensor_type.elem_type for v in model.graph.input}
    feeds = {}
    for declared, x in zip(model.graph.input, inputs):
        feeds[declared.name] = ort_value(x, types[declared.name])
    if any(isinstance(x, onnxruntime.OrtValue) for x in feeds.values()):
        feeds = {
            k: x if isinstance(x, onnxruntime.OrtValue) else onnxruntime.OrtValue.ortvalue_from_numpy(x)
            for k, x in feeds.items()
        }
        return [o.numpy() for o in session.run_with_ort_values(None, feeds)]
    return session.run(None, feeds)


def equal(got, wanted, case):
    wanted = numpy_value(wanted)
    if isinstance(wanted, (list, tuple)):
        return len(got) == len(wanted) and all(equal(g, w, case) for g, w in zip(got, wanted))
    if wanted is None or got is None:
        return wanted is None and got is None
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape:
        return False
    if wanted.dtype.kind in "OSU":
        return [str(x) for x in got.ravel()] == [str(x) for x in wanted.ravel()]
    if str(wanted.dtype) in NARROW and got.dtype != wanted.dtype:
        got = got.view(wanted.dtype)
    if wanted.dtype.kind == "V" or wanted.dtype.itemsize < 1 or str(wanted.dtype) in NARROW:
        got, wanted = got.astype(np.float32), wanted.astype(np.float32)
    if got.dtype != wanted.dtype and wanted.dtype.name not in ("int4", "uint4", "int2", "uint2", "float4_e2m1fn"):
        return False
    if wanted.dtype.kind in "iub":
        return np.array_equal(got, wanted)
    if wanted.dtype.kind not in "fc":
        got, wanted = got.astype(np.float32), wanted.astype(np.float32)
    return np.allclose(got, wanted, rtol=case.rtol, atol=case.atol, equal_nan=True)


def outcome(model, case):
    """ "" if ONNX Runtime gives the expected outputs, else the reason."""
    random = any(n.op_type in RANDOM for n in nodes(model.graph))
    try:
        for inputs, outputs in case.data_sets:
            got = run(model, inputs)
            if len(got) != len(outputs):
                return "the number of outputs differs"
            for g, w in zip(got, outputs):
                if random and np.shape(g) == np.shape(numpy_value(w)):
                    continue
                if not equal(g, w, case):
                    return "the outputs differ"
    except Exception as e:  # ONNX Runtime refuses models with exceptions of many types
        return f"{type(e).__name__}: {str(e).splitlines()[0][:200] if str(e) else ''}"
    return ""


def through(tool, models, folder, *kinds):
    """A tool's results for models, or their problems, in order. The result is the last file that it writes."""
    files = []
    for i, model in enumerate(models):
        files.append([folder / f"{i}{kind}.onnx" for kind in ("", *kinds)])
        files[-1][0].write_bytes(model.SerializeToString())
    text = "".join(" ".join(map(str, row)) + "\n" for row in files)
    done = subprocess.run([tool], input=text, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(files):
        sys.exit(f"{tool} ended with {done.returncode} at model {len(lines)}: {done.stderr[-500:]}")
    good = [line == "ok" or line.replace(" ", "").isdigit() for line in lines]
    return [onnx.load(row[-1]) if fine else line for fine, line, row in zip(good, lines, files)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--round-trip", required=True, metavar="TOOL")
    parser.add_argument("--only", default="", help="models whose names have this part")
    parser.add_argument("--verbose", action="store_true", help="list models that do not count, too")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        cases = [c for c in collect_testcases(None) if options.only in c.name]
    chosen, left_out = [], collections.Counter()
    for case in cases:
        opset, why = usable_opset(case.model)
        if not opset:
            left_out[why] += 1
            continue
        model = onnx.ModelProto()
        model.CopyFrom(case.model)
        for o in model.opset_import:
            if o.domain == "":
                o.version = opset
        chosen.append((case, model))
    with tempfile.TemporaryDirectory() as folder:
        models = [m for _, m in chosen]
        rebuilt = through(options.tool, models, pathlib.Path(folder), ".rebuilt")
        optimized = through(options.round_trip, models, pathlib.Path(folder), ".written", ".optimized")
    judged = [r for r in zip(chosen, rebuilt, optimized) if not isinstance(r[1], str) or EMPTY_PART not in r[1]]
    left_out["a part is empty"] = len(chosen) - len(judged)
    agreeing = exact = runs = right = unchanged = 0
    for (case, model), made, better in judged:
        if isinstance(made, str):
            print(f"{case.name}: {made}")
        else:
            difference, same = compare_types(model, made)
            agreeing += difference is None
            exact += same
            if difference:
                print(f"{case.name}: {difference}")
        why = outcome(case.model, case)
        if why:
            if options.verbose:
                print(f"  {case.name}: ONNX Runtime: {why}")
            continue
        runs += 1
        ours = made if isinstance(made, str) else outcome(made, case)
        right += ours == ""
        if ours and not isinstance(made, str):
            print(f"{case.name}: rebuilt, {ours}")
        ours = better if isinstance(better, str) else outcome(better, case)
        unchanged += ours == ""
        if ours:
            print(f"{case.name}: optimized, {ours}")
    if options.verbose:
        for why, count in left_out.most_common():
            print(f"  {count} left out: {why}")
    chosen = [c for c, *_ in judged]
    print(f"{len(cases)} models, {len(chosen)} whose operators are in use at an opset from 17 to 28")
    print(f"(a) {agreeing} of {len(chosen)} have inferred types that agree, {exact} have equal ones")
    print(f"(b) {right} of {runs} that ONNX Runtime runs as they are give the expected outputs rebuilt")
    print(f"(c) {unchanged} of them give the expected outputs read and optimized")
    good = agreeing >= LEAST_TYPES * len(chosen) and min(right, unchanged) >= LEAST_RUNS * runs and chosen
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
