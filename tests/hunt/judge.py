# SPDX-License-Identifier: Apache-2.0
"""Judges programs: traces them with JAX, converts the text, runs the model in ONNX Runtime, compares the results.

Tracing, compiling and starting processes take much longer than running, so several programs are processed together, as
one function with all their results. If they fail together, they are judged separately.
"""

import dataclasses
import functools
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# The first flag makes XLA round to bfloat16 where the jaxpr says so. The others halve the time of a hunt, most of which
# is XLA's compilation.
FLAGS = ["--xla_allow_excess_precision=false", "--xla_backend_optimization_level=0"]
FLAGS += ["--xla_llvm_disable_expensive_passes=true"]
if tuple(map(int, importlib.metadata.version("jax").split(".")[:2])) < (0, 11):
    FLAGS += ["--xla_cpu_use_fusion_emitters=false"]  # XLA exits at a flag that it does not know
os.environ.setdefault("XLA_FLAGS", " ".join(FLAGS))
root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "examples"), str(root / "tests/numeric")]

import jax
import jax.export
import numpy as np
import onnx
import onnxruntime

import export
from compare import (
    PRECISION,
    REAL,
    compare,
    evidence,
    is_finite,
    largest,
    perturbed,
    perturbed_inside,
    single_of,
    truth_of,
)
from program import SIZES
from run import add_casts, plain

LEVELS = ["ORT_ENABLE_ALL", "ORT_ENABLE_BASIC", "ORT_DISABLE_ALL"]
tool = os.environ.get("JAX2ONNX", str(root / "build/release/jax2onnx"))
onnxruntime.set_default_logger_severity(4)


@dataclasses.dataclass
class outcome:
    """The outcome of a program."""

    kind: str  # agrees, known, invalid (JAX refuses it), refused (exit code 3), or the kind of a failure
    detail: str = ""
    primitives: frozenset = frozenset()
    remarks: frozenset = frozenset()  # names of known differences, and the reasons why distant results agree
    sizes: dict = None

    @property
    def failed(self):
        return self.kind not in ("agrees", "known", "invalid", "refused")


class failure(Exception):
    def __init__(self, kind, detail):
        super().__init__(kind, detail)
        self.kind, self.detail = kind, " ".join(str(detail).split())[:500]


def judge_all(programs, before=lambda programs, stage: None):
    """Yields (program, outcome). All programs must be of one mode: with x64 or not, with symbols or not.

    `before` is called with the programs that come next and the stage: "JAX" or "the model".
    """
    with jax.enable_x64(programs[0].x64), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        before(programs, "JAX")
        cases = prepared(programs)
        before(programs, "the model")
        for case, found in judge_cases(cases, before):
            yield case.program, found


def judge(program, before=lambda programs, stage: None):
    """The outcome of one program."""
    return next(judge_all([program], before))[1]


def judge_cases(cases, before):
    """The outcomes. If a step fails for all cases together, bisection finds the ones that fail."""
    valid = [c for c in cases if not c.problem]
    yield from ((c, outcome("invalid", c.problem)) for c in cases if c.problem)
    if not valid:
        return
    try:
        found = run_all(valid)
    except failure as problem:
        if len(valid) > 1:
            middle = len(valid) // 2
            for half in (valid[:middle], valid[middle:]):
                before([c.program for c in half], "the model")
                yield from judge_cases(half, before)
            return
        case = valid[0]
        yield case, outcome(problem.kind, problem.detail, case.primitives, sizes=case.references[0].sizes)
        return
    yield from zip(valid, found)


def run_all(cases):
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        sessions = load(convert([c.trace for c in cases], folder))
    found = [outcome("agrees", "", c.primitives) for c in cases]
    for size in range(len(cases[0].references)):
        references = [c.references[size] for c in cases]
        if all(r.results is None for r in references):
            continue
        fed = [in_numpy(v) for r in references for v in r.inputs]
        got = [run(s, fed, level) for s, level in zip(sessions, LEVELS)]
        for index, (case, reference) in enumerate(zip(cases, references)):
            models = [[g.pop(0) for _ in case.trace.closed.jaxpr.outvars] for g in got]
            if reference.results is not None and not found[index].failed:
                found[index] = verdict(case.program, found[index], reference, models)
    return found


def scratch():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def sizes_of(programs):
    if not any(p.symbolic for p in programs):
        return SIZES[:1]
    first = sum(a.seed for p in programs for a in p.arguments) % len(SIZES)
    return [SIZES[first], SIZES[(first + 1) % len(SIZES)]]


# JAX


@dataclasses.dataclass
class trace:
    """A program's jaxpr, or the reason why JAX does not trace it."""

    specs: list
    closed: object = None
    problem: str = ""

    def __call__(self, *inputs):
        return jax.core.eval_jaxpr(self.closed.jaxpr, self.closed.consts, *inputs) if self.closed else []


@dataclasses.dataclass
class reference:
    """JAX's results for sizes of the symbolic dimensions; none if JAX refuses the sizes."""

    sizes: dict
    inputs: list
    trace: trace
    results: list = None


@dataclasses.dataclass
class case:
    """A program with its trace and JAX's results."""

    program: object
    trace: trace
    references: list
    problem: str = ""
    primitives: frozenset = frozenset()


def prepared(programs):
    scope = jax.export.SymbolicScope()
    cases = [case(p, t := traced(p, p.specs(scope)), [], t.problem) for p in programs]
    for each in cases:
        if not each.problem:
            each.primitives = frozenset(primitives_in(each.trace.closed.jaxpr))
    for sizes in sizes_of(programs):
        for each in cases:
            inputs = each.program.inputs(sizes)
            concrete = traced(each.program, [jax.typeof(v) for v in inputs]) if each.program.symbolic else each.trace
            each.references.append(reference(sizes, inputs, concrete if not each.problem else trace([], problem="no")))
        evaluate([c.references[-1] for c in cases if not c.references[-1].trace.problem])
    for each in cases:
        if not each.problem and all(r.results is None for r in each.references):
            each.problem = "JAX cannot run it"
    return cases


def traced(program, specs):
    try:
        closed = jax.make_jaxpr(program.function)(*specs)
    except Exception as error:  # random arguments may raise anything
        return trace(specs, problem=f"{type(error).__name__}: {str(error)[:200]}")
    return trace(specs, closed) if closed.jaxpr.outvars else trace(specs, problem="no results")


def evaluate(references):
    """Compiles and runs them together; in halves if XLA refuses one."""
    try:
        results = jax.jit(joined([r.trace for r in references]), keep_unused=True)(
            *[v for r in references for v in r.inputs]
        )
    except Exception:
        middle = len(references) // 2
        if middle:
            evaluate(references[:middle])
            evaluate(references[middle:])
        return
    results = [in_numpy(y) for y in results]
    for each in references:
        each.results = [results.pop(0) for _ in each.trace.closed.jaxpr.outvars]


def joined(traces):
    def every(*inputs):
        inputs = list(inputs)
        return [y for t in traces for y in t(*[inputs.pop(0) for _ in t.specs])]

    return every


def primitives_in(jaxpr):
    for equation in jaxpr.eqns:
        yield equation.primitive.name
        for inner, _ in inner_jaxprs(equation):
            yield from primitives_in(inner)


def inner_jaxprs(equation):
    return (inner for parameter in equation.params.values() for inner in export.jaxprs_in(parameter))


def in_numpy(array):
    if jax.dtypes.issubdtype(array.dtype, jax.dtypes.prng_key):
        array = jax.random.key_data(array)
    return np.asarray(array)


# The tool and ONNX Runtime


def convert(traces, folder):
    closed = jax.make_jaxpr(joined(traces))(*[s for t in traces for s in t.specs])
    constants = [export.to_numpy(c) for c in export.constants_of(closed)]
    base = os.path.join(folder, "m")
    text = str(closed.jaxpr) + "\n"
    with open(base + ".jaxpr", "w", encoding="utf-8") as file:
        file.write(text)
    target = ("portable", "ort")[len(text) % 2]  # covers both targets
    command = [tool, base + ".jaxpr", "--target", target, "-q", "-o", base + ".onnx"]
    if constants:
        np.savez(base + ".npz", *constants)
        command += ["-w", base + ".npz"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        raise failure("tool too slow", "over 60 s") from None
    if done.returncode:
        errors = (
            [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["nothing"]
        )
        message = re.sub(r"^\S*?\.jaxpr:(\d+:\d+: )?", "", errors[0])
        raise failure("refused" if done.returncode == 3 else f"exit code {done.returncode}", message)
    return base + ".onnx"


def load(path):
    """A session for each level of optimisation."""
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
    except Exception as problem:
        raise failure("checker", problem) from None
    add_casts(model.graph)
    serialized, sessions = model.SerializeToString(), []
    for level in LEVELS:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
        try:
            sessions.append(onnxruntime.InferenceSession(serialized, options, ["CPUExecutionProvider"]))
        except Exception as problem:
            raise failure("load", f"{level}: {problem}") from None
    return sessions


def run(session, inputs, level):
    try:
        return session.run(None, {i.name: contiguous(plain(v)) for i, v in zip(session.get_inputs(), inputs)})
    except Exception as problem:
        raise failure("run", f"{level}: {problem}") from None


def contiguous(array):
    return np.ascontiguousarray(array).reshape(array.shape)


# The comparison


def verdict(program, before, reference, models):
    """The outcome of a program, after its results are compared at one more size."""
    traced, sizes, want = reference.trace, reference.sizes, reference.results
    known = evidence(
        before.primitives,
        precision_of(traced.closed.jaxpr),
        max((largest(in_numpy(v)) for v in reference.inputs), default=0.0),
        all(is_finite(in_numpy(v)) for v in reference.inputs),
        functools.cache(lambda: attempt(lambda: truth_of(program, sizes))),
        functools.cache(lambda: attempt(lambda: perturbed(program, reference.inputs, traced))),
        functools.cache(lambda: attempt(lambda: perturbed_inside(reference.inputs, traced))),
        functools.cache(lambda: attempt(lambda: single_of(traced, reference.inputs))),
    )
    found = compared(before, want, models, known, sizes)
    if found.failed and program.symbolic and (exported := attempt(lambda: results_of_symbols(program, reference))):
        other = compared(before, exported, models, known, sizes)
        found = (
            found
            if other.failed
            else dataclasses.replace(other, remarks=other.remarks | {"JAX traces symbols otherwise"})
        )
    return found


def compared(before, want, models, known, sizes):
    problems, remarks, kinds = {}, set(before.remarks), set()
    for level, got in zip(LEVELS, models):
        for index, (g, w) in enumerate(zip(got, want)):
            problem, remark = compare(index, g, w, known)
            remarks |= remark
            if problem:
                problems.setdefault(level, problem[1])
                kinds.add(problem[0])
    if not problems:
        listed = any(r.startswith("known") for r in remarks)
        return dataclasses.replace(before, kind="known" if listed else before.kind, remarks=frozenset(remarks))
    kind = min(kinds) + ("" if len(problems) == len(LEVELS) else f" with {' and '.join(problems)} only")
    return outcome(kind, next(iter(problems.values())), before.primitives, frozenset(remarks), sizes)


def results_of_symbols(program, reference):
    """JAX's results of the trace with symbols, which may differ, for example in x[i] out of bounds."""
    specs = program.specs(jax.export.SymbolicScope())
    exported = jax.export.export(jax.jit(program.function))(*specs)
    return [in_numpy(y) for y in jax.tree.leaves(exported.call(*reference.inputs))]


def attempt(make):
    try:
        return make()
    except Exception:  # some programs cannot be evaluated this way
        return None


def precision_of(jaxpr):
    """The least precise floating-point type of a jaxpr's values."""
    names = {REAL.get(n, n) for n in dtypes_in(jaxpr) if n.startswith(("float", "bfloat", "complex"))} - {"float0"}
    return max(names, key=lambda n: PRECISION.index(n) if n in PRECISION else len(PRECISION), default="float64")


def dtypes_in(jaxpr):
    for equation in jaxpr.eqns:
        yield from (v.aval.dtype.name for v in equation.outvars if hasattr(v.aval, "dtype"))
        for inner, _ in inner_jaxprs(equation):
            yield from dtypes_in(inner)
