#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests look-alikes of the patterns of rewrite rules: texts in which a rule applies, changed by one step. A rule must
decline a look-alike or compute the same numbers.

    lookalikes.py [RULE...] [--cli build/release/jax2onnx] [--mutants 12] [--seed 0] [--keep DIR]

Seeds are the texts of tests/golden/rewrites. The steps: swapping or replacing operands; another number, axis,
permutation or primitive; extents that are equal, 1 or symbolic; another dtype; an inner value that is also an output.
Each look-alike is converted with all rules and with none; ONNX Runtime runs both, with and without its own graph
optimizations, on random numbers and on numbers with NaN and infinities. Texts that the tool refuses are skipped.
--keep keeps the texts that fail.
"""

import argparse
import collections
import functools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/numeric"))

import recorded
import run

EQUATION = re.compile(r"^( *)((?:\w+(?::\S+)? )+)= (\S+?)(\[.*?\])?((?: [\w.:\[\]+-]+)*)$", re.MULTILINE | re.DOTALL)
SWAPS = [
    ["add", "sub", "mul", "div", "max", "min", "pow"], ["exp", "exp2", "tanh", "logistic", "neg", "abs", "erf", "erfc"],
    ["sqrt", "rsqrt", "square", "log", "log1p", "expm1"], ["reduce_max", "reduce_min", "reduce_sum", "reduce_prod"],
    ["lt", "le", "gt", "ge", "eq", "ne"], ["cumsum", "cumprod", "cummax"], ["and", "or", "xor"],
]  # fmt: skip
NUMBERS = ["0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "3.0", "6.0", "inf", "-inf", "nan"]
INTEGERS = ["0", "1", "-1", "2", "3"]
DTYPES = {
    "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16", "i32": "int32", "i64": "int64",
}  # fmt: skip
SYMBOL_SIZES = collections.defaultdict(lambda: 3)
# Rules for which NaN and infinities are not distinguished. A batch normalization with an infinite scale or mean gives
# NaN. ReduceLogSumExp, which is for other runtimes, is wrong in ONNX Runtime after a leading -inf. The sum of -0 is 0
# in XLA and if it is folded, but -0 in ONNX Runtime, whose Where loses -0 without that rule. Products of decays combine
# infinities with zeros and with each other, which steps of a recurrence do not. An infinite pixel makes an image NaN,
# also next to it, while products keep the infinity. An infinite weight of a convolution times a zero that Pad has added
# is NaN, but ONNX Runtime skips the zeros of its own padding.
NOT_FOR_INFINITIES = {
    "BatchNormalization", "Conv-pads", "ReduceLogSumExp", "Resize-linear", "fold-sum", "linear-recurrence",
    "turn-truncation",
}  # fmt: skip
# Rules that are tried with finite numbers only: for infinite weights and states, ONNX Runtime's recurrent kernels
# return numbers. NaN in sequences and states is tested in tests/numeric.
FOR_FINITE_NUMBERS = {"GRU", "LSTM", "RNN"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", metavar="RULE", help="default: all with a golden")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--mutants", type=int, default=12, metavar="N", help="look-alikes of each rule")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    goldens = {p.name.removesuffix(".onnx.txt"): p for p in (root / "tests/golden/rewrites").glob("*.onnx.txt")}
    total, problems = collections.Counter(), []
    for rule in options.rules or sorted(goldens):
        with tempfile.TemporaryDirectory() as scratch:
            seed = lookalike(goldens[rule], rule, pathlib.Path(scratch), options.cli)
            counts, found = seed.try_mutants(options.mutants, random.Random(f"{options.seed} {rule}"), options.keep)
        total += counts
        problems += found or ([] if counts["ran"] else [f"{rule}: no look-alike ran"])
        print("\n".join(found), end="\n" if found else "", flush=True)
    print(f"{total['ran']} look-alikes ran, the rule applied to {total['applied']} of them; {total['refused']} refused")
    print(f"{len(problems)} problems")
    return 1 if problems or not total["ran"] else 0


@functools.cache
def rule_names(cli):
    lines = subprocess.run([cli, "--list-rewrites"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines]


def command_of(golden):
    """The text and the options of a golden's first line."""
    text, *options = golden.read_text().splitlines()[0].removeprefix("# jax2onnx ").split()
    return recorded.from_file(root / text) if text.endswith(".jaxpr") else recorded.find(text), options


class lookalike:
    def __init__(self, golden, rule, scratch, cli):
        source, self.arguments = command_of(golden)
        self.arguments.remove(f"--no-fuse={rule}")
        self.text, self.rule, self.scratch, self.cli = source.text, rule, scratch, cli
        _, *weights = source.extract(scratch)
        self.arguments += weights

    def try_mutants(self, wanted, rng, keep):
        counts, found, seen = collections.Counter(), [], set()
        for attempt in range(20 * wanted):
            if counts["ran"] >= wanted:
                break
            text = mutated(self.text, rng) if attempt else self.text
            if not text or text in seen or (self.rule in FOR_FINITE_NUMBERS and re.search(r"\b(inf|nan):", text)):
                continue
            seen.add(text)
            try:
                counts[self.compare(text, rng)] += 1
            except run.failure as problem:
                counts["applied"] += 1
                found.append(f"{self.rule}, look-alike {attempt}: {problem}")
                if keep:
                    keep.mkdir(exist_ok=True)
                    (keep / f"{self.rule}.{attempt}.jaxpr").write_text(text)
            counts["ran"] = counts["applied"] + counts["declined"]
        return counts, found

    def convert(self, text, name, *arguments):
        source, model = self.scratch / f"{name}.jaxpr", self.scratch / f"{name}.onnx"
        source.write_text(text)
        command = [self.cli, source, "-o", model, "-q", *self.arguments, *arguments]
        done = subprocess.run(command, capture_output=True)
        if done.returncode not in (0, 2, 3):
            raise run.failure(f"exit {done.returncode}")
        return None if done.returncode else model.read_bytes()

    def compare(self, text, rng):
        """Runs the text with all rules and with none. Returns the rule's outcome, or that the text was refused."""
        plain, fused = (
            self.convert(text, "plain", f"--no-fuse=all,{','.join(rule_names(self.cli))}"),
            self.convert(text, "fused"),
        )
        if plain is None or fused is None:
            if (plain is None) != (fused is None):
                raise run.failure("refused " + ("without" if plain is None else "with") + " rules")
            return "refused"
        models = {"plain": plain} | ({"fused": fused} if fused != plain else {})
        sessions = {(name, o): session(m, o) for name, m in models.items() for o in (False, True)}
        reference = sessions.pop(("plain", False))
        if reference is None:
            return "refused"
        tolerance = 3e-2 if "bf16" in text else 1e-2 if "f16" in text else 1e-3
        for special in (False, True)[: 1 if self.rule in FOR_FINITE_NUMBERS else 2]:
            random_numbers = np.random.default_rng(rng.randrange(2**32))
            feed = {i.name: numbers(i, random_numbers, special) for i in reference.get_inputs()}
            want = outputs(reference, feed)
            for (name, optimized), s in sessions.items() if want is not None else ():
                where = name + ", optimized" * optimized + ", NaN and infinities" * special
                check(where, outputs(s, feed), want, tolerance, self.rule not in NOT_FOR_INFINITIES)
        return "applied" if fused != self.convert(text, "without", f"--no-fuse={self.rule}") else "declined"


def mutated(text, rng):
    """The text changed by one step; None if the step does not fit it."""
    return rng.choice(STEPS)(text, rng)


def equations(text):
    return [m for m in EQUATION.finditer(text) if m[5].strip()]


def replaced(text, match, group, by):
    return text[: match.start(group)] + by + text[match.end(group) :]


def swap_operands(text, rng):
    found = [m for m in equations(text) if len(m[5].split()) > 1]
    if not found:
        return None
    m = rng.choice(found)
    operands = m[5].split()
    i, j = rng.sample(range(len(operands)), 2)
    operands[i], operands[j] = operands[j], operands[i]
    return replaced(text, m, 5, " " + " ".join(operands))


def replace_operand(text, rng):
    """Replaces an operand by another value, most often one of the same type."""
    found = equations(text)
    types = dict(re.findall(r"\b([a-z]{1,3}):(\w+(?:\[[^]]*\])?)", text))
    if not found:
        return None
    m = rng.choice(found)
    operands = m[5].split()
    i = rng.randrange(len(operands))
    same = [v for v, t in types.items() if t == types.get(operands[i]) and v != operands[i]]
    operands[i] = rng.choice(same or sorted(types) or operands)
    return replaced(text, m, 5, " " + " ".join(operands))


def change_primitive(text, rng):
    found = [(m, group) for m in equations(text) for group in SWAPS if m[3] in group]
    if not found:
        return None
    m, group = rng.choice(found)
    return replaced(text, m, 3, rng.choice([p for p in group if p != m[3]]))


def change_number(text, rng):
    """Replaces a literal by another number, or by a slightly larger one."""
    found = list(re.finditer(r"(?<![\w.:])(-?(?:\d[\w.+-]*|inf|nan))(?=:(\w+))", text))
    if not found:
        return None
    m = rng.choice(found)
    if m[2].startswith(("i", "u")):
        return replaced(text, m, 1, rng.choice(INTEGERS))
    nearly = [repr(float(m[1]) * f) for f in (1.001, 2.0, -1.0)]
    return replaced(text, m, 1, rng.choice(NUMBERS + nearly))


def change_parameter(text, rng):
    """Changes a number in the parameters of an equation: an axis, a permutation's entry, a stride."""
    found = [(m, n) for m in equations(text) if m[4] for n in re.finditer(r"(?<![\w.])\d+(?![\w.])", m[4])]
    if not found:
        return None
    m, n = rng.choice(found)
    at = m.start(4)
    return text[: at + n.start()] + str(max(0, int(n[0]) + rng.choice([-1, 1]))) + text[at + n.end() :]


def permute_parameter(text, rng):
    """Permutes a tuple in the parameters of an equation."""
    found = [(m, n) for m in equations(text) if m[4] for n in re.finditer(r"\((\d+(?:, \d+)+)\)", m[4])]
    if not found:
        return None
    m, n = rng.choice(found)
    entries = n[1].split(", ")
    rng.shuffle(entries)
    at = m.start(4)
    return text[: at + n.start(1)] + ", ".join(entries) + text[at + n.end(1) :]


def change_extent(text, rng):
    """Replaces all extents of one size by another one: equal to a second extent, 1, or symbolic."""
    extents = sorted({n for t in re.findall(r":\w+\[([\d,]+)\]", text) for n in t.split(",")} - {"0"})
    if not extents:
        return None
    old, new = rng.choice(extents), rng.choice([*extents, "1", "2", "B"])
    if old == "1" and rng.random() < 0.8:
        return None
    return renumbered(text, old, new)


def renumbered(text, old, new):
    """Replaces numbers in types, and in the parameters that are extents."""
    types = re.compile(rf"(?<=[\[,]){old}(?=[\],])")
    text = re.sub(r"(?<=:)\w+\[[^]=]*\]", lambda m: types.sub(new, m[0]), text)
    lists = (
        r"(shape|new_sizes|dimensions|slice_sizes|limit_indices|sizes|window_dimensions|dimension_size)=(\([^)]*\)|\d+)"
    )
    return re.sub(lists, lambda m: re.sub(rf"(?<!\w){old}(?!\w)", new, m[0]), text)


def change_dtype(text, rng):
    types = [t for t in ("f32", "i32", "f64", "bf16", "f16") if re.search(rf":{t}\b", text)]
    if not types:
        return None
    old, new = rng.choice(types), rng.choice(["f16", "f64", "bf16", "f32", "i32", "i64"])
    jax_names = {
        "f32": "float32",
        "f64": "float64",
        "f16": "float16",
        "bf16": "bfloat16",
        "i32": "int32",
        "i64": "int64",
    }
    return re.sub(rf"(?<=:){old}\b", new, text).replace(f"dtype={jax_names[old]}", f"dtype={jax_names[new]}")


def read_elsewhere(text, rng):
    """Makes an inner value of the outermost function an additional output."""
    body = text[text.rindex(". let\n    ") if ". let\n    " in text else 0 :]
    values = re.findall(r"^    ([a-z]{1,3}):", body, re.MULTILINE)
    end = re.search(r"\n  in \(([^)]*)\) }\s*$", text)
    if not values or not end:
        return None
    inner = end[1].rstrip(",").split(", ") + [rng.choice(values)]
    return replaced(text, end, 1, ", ".join(inner))


def combined(text, rng):
    """Applies two steps, the first of which only makes more shapes fit."""
    first = rng.choice([change_extent, change_dtype, read_elsewhere])(text, rng)
    return first and rng.choice(STEPS)(first, rng)


STEPS = [
    swap_operands, replace_operand, change_primitive, change_number, change_parameter, permute_parameter, change_extent,
    change_dtype, read_elsewhere, combined,
]  # fmt: skip


def session(model, optimized):
    """A session; None if ONNX Runtime does not load the model."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(*run.EXACT_PRODUCTS)
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    if not optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    loaded = onnx.load_from_string(model)
    run.add_casts(loaded.graph)
    try:
        return onnxruntime.InferenceSession(loaded.SerializeToString(), options, ["CPUExecutionProvider"])
    except Exception:  # several types
        return None


def extent(dim):
    """The value of a number, or of an expression of symbols such as `2*H`."""
    return eval(dim, {}, SYMBOL_SIZES) if isinstance(dim, str) else dim


def numbers(argument, rng, special):
    shape = [extent(n) for n in argument.shape]
    kind = argument.type.removeprefix("tensor(").removesuffix(")")
    if kind == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if "int" in kind:
        return rng.integers(0 if kind.startswith("u") else -2, 4, shape).astype(kind)
    values = np.asarray(rng.normal(0, 2, shape), {"float": "f4", "double": "f8"}.get(kind, kind))
    if special and values.size:
        places = rng.integers(0, values.size, max(1, values.size // 6))
        values.reshape(-1)[places] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], len(places))
    return values


def outputs(s, feed):
    """The outputs; None if the run fails."""
    try:
        return s and s.run(None, feed)
    except Exception:  # several types
        return None


def check(where, got, want, tolerance, infinities):
    if got is None:
        raise run.failure(f"{where}: does not run")
    for i, (g, w) in enumerate(zip(got, want)):
        if (g.shape, g.dtype) != (w.shape, w.dtype):
            raise run.failure(f"{where}: output {i} is {g.dtype}{list(g.shape)}, not {w.dtype}{list(w.shape)}")
        if g.dtype.kind not in "fc":
            wrong = g != w
        else:
            g, w = g.astype("f8"), w.astype("f8")
            if not infinities:
                g, w = (np.where(np.isinf(v), np.nan, v) for v in (g, w))
            largest = np.abs(w[np.isfinite(w)]).max(initial=1)
            exact = tolerance <= 1e-3  # cancelled sums of 16-bit numbers keep the error of the summands
            wrong = ~np.isclose(g, w, tolerance, tolerance * largest / (100 if exact else 1), equal_nan=True)
        if wrong.any():
            first = tuple(map(int, np.argwhere(wrong)[0]))
            raise run.failure(f"{where}: output {i}{list(first)} is {g[first]}, not {w[first]}")


if __name__ == "__main__":
    sys.exit(main())
