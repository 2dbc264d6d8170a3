#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that rewrite rules do not make models less exact: compares models with and without rules with float64.

    ulps.py [FAMILY|RULE...] [--cli build/release/jax2onnx] [--only REGEX] [--verbose] [--blame]

Measures the recorded cases and the text of every rule's golden (tests/golden/rewrites). Each text is converted three
times: with all rules, with --no-fuse (a golden: without its rule), and as the same program in float64, with --no-fuse.
ONNX Runtime runs all three on the recorded arguments, or for goldens on random ones.

An error is the difference from float64 in units in the last place of float32, at the magnitude of the result or, if
larger, of the root mean square of all results: cancelled results are as inexact as their summands. The mean and the
maximum with rules may be 1.25 times those without, plus one unit in the mean and two in the maximum. NaN and
infinities must be at the same positions, and results other than floats must be equal. A case with an error of 1000
units without rules is not judged, since its result cancels. --blame names the rules that make a case fail.
"""

import argparse
import dataclasses
import pathlib
import re
import sys
import tempfile

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/rewrite"))

import lookalikes
import recorded
import run

FACTOR, UNITS = 1.25, {"mean": 1.0, "maximum": 2.0}
ILL_CONDITIONED = 1000
DRAWS = 8  # number of random arguments
# Programs that take numbers apart or round them on purpose, which are different programs in float64.
ANOTHER_PROGRAM = re.compile(r"bitcast|random_|threefry|reduce_precision|nextafter|\b(b?f16|f8_?\w+|f64)\b")

# Cases in which a model with rules is known to be less exact, or to differ.
KNOWN = {
    "control/scan.delta_before": "the steps of a chunk are solved at once, with other errors, and some larger",
    "control/scan.delta_grows": "the memory grows in each step, and errors of products with it",
    "control/scan.delta_many_chunks": "the steps of a chunk are solved at once, with other errors, and some larger",
    "control/scan.factors_of_steps": "the states of all steps are products, and their sums cancel",
    "linear/conv_general_dilated.symbolic_kernel_stride_1": "refused in float64, for which there is no Conv",
    "linear/conv_general_dilated.symbolic_kernel_stride_2": "refused in float64, for which there is no Conv",
    "models/gru.flax_nan": "ONNX Runtime's GRU approximates gates that are all but 0 or 1",
    "models/gru.haiku_nan": "ONNX Runtime's GRU approximates gates that are all but 0 or 1",
    "turn-truncation": "without the rule, ONNX Runtime's Where loses -0, by which the text divides",
}


@dataclasses.dataclass
class compared_case:
    name: str
    source: recorded.case
    options: tuple  # of both models
    is_random: bool  # whether the arguments are random

    @property
    def has_reference(self):
        return re.search(r"\bf32\b", self.source.text) and not ANOTHER_PROGRAM.search(self.source.text)

    def arguments(self, session):
        if not self.is_random:
            return map(self.source.inputs, self.source.records)
        return (random_arguments(session, seed) for seed in range(DRAWS))


def recorded_cases(family):
    for case in recorded.cases([family]):
        if not case.entry.get("xfail"):
            options = case.options if "--target" in " ".join(case.options) else [*case.options, "--target=ort"]
            yield compared_case(str(case), case, (options, [*options, "--no-fuse"]), False)


def goldens():
    for path in sorted((root / "tests/golden/rewrites").glob("*.onnx.txt")):
        source, options = lookalikes.command_of(path)
        rule = path.name.removesuffix(".onnx.txt")
        fused = [o for o in options if o != f"--no-fuse={rule}"]
        yield compared_case(rule, source, (fused, options), True)


def converted(cli, source, options, model):
    run.convert(source, model, cli, options)
    return run.load(model)


def in_float64(source):
    source = re.sub(r"\bf32\b", "f64", source).replace("float32", "float64")
    return re.sub(r"\bc64\b", "c128", source).replace("complex64", "complex128")


def widened(array):
    return array.astype({"f": "f8", "c": "c16"}[array.dtype.kind]) if array.dtype in ("f4", "c8") else array


def reference(cli, one, folder):
    """The session of the program in float64; raises a failure if there is none."""
    weights = {n: recorded.to_npy(widened(recorded.from_npy(data))) for n, data in one.source.weights.items()}
    wide = dataclasses.replace(one.source, text=in_float64(one.source.text), arrays=weights)
    options = [o for o in one.options[0] if not o.startswith("--no-fuse")]
    return converted(cli, wide.extract(folder), [*options, "--no-fuse"], folder / "wide.onnx")


def random_arguments(session, seed):
    rng = np.random.default_rng(seed)
    return [lookalikes.numbers(i, rng, False) for i in session.get_inputs()]


def units(got, want):
    """The errors of finite results."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(got) & np.isfinite(want.astype("f4"))
        got, want = got[finite].astype("f8"), want[finite]
        size = np.maximum(np.abs(want), np.sqrt(np.mean(want * want)) if want.size else 0)
        return np.abs(got - want) / np.spacing(np.maximum(size, np.finfo("f4").tiny).astype("f4")).astype("f8")


def places(array):
    """1 for infinity, -1 for its negative, 2 for NaN, else 0."""
    return np.where(np.isnan(array), 2, np.where(np.isinf(array), np.sign(array), 0))


def compared(fused, plain, wide, arguments):
    """The errors of all floating-point results: with rules, without."""
    errors = [[], []]
    for values in arguments:
        results = [run.run(s, values, len(s.get_outputs())) for s in (fused, plain)]
        wanted = run.run(wide, [widened(v) for v in values], len(wide.get_outputs()))
        for i, (with_rules, without, want) in enumerate(zip(*results, wanted)):
            if with_rules.dtype != np.float32:
                if not np.array_equal(with_rules, without, equal_nan=with_rules.dtype.kind == "f"):
                    raise run.failure(f"output {i} of {with_rules.dtype} differs")
                continue
            if not np.array_equal(places(with_rules), places(without)):
                raise run.failure(f"output {i} has NaN or infinities in other places")
            errors[0].append(units(with_rules, want).ravel())
            errors[1].append(units(without, want).ravel())
    return [np.concatenate(e) if e else np.zeros(0) for e in errors]


def figures(errors):
    return (errors.mean(), errors.max()) if errors.size else (0.0, 0.0)


def measured(one, cli, options=None):
    """The mean and the maximum with rules and without; None if the rules change nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        paths = folder / "fused.onnx", folder / "plain.onnx"
        source = one.source.extract(folder)
        fused, plain = (converted(cli, source, o, path) for o, path in zip(options or one.options, paths))
        if paths[0].read_bytes() == paths[1].read_bytes():
            return None
        wide = reference(cli, one, folder)
        return [figures(e) for e in compared(fused, plain, wide, one.arguments(plain))]


def problem_of(with_rules, without):
    for (what, slack), got, base in zip(UNITS.items(), with_rules, without):
        if not got <= FACTOR * base + slack:
            return f"{what} of {got:.2f} units, without {base:.2f}"
    return None


def culprits(one, cli):
    """The rules each of which makes the case fail."""
    for rule in lookalikes.rule_names(cli):
        try:
            figures_of = measured(one, cli, ([*one.options[0], f"--no-fuse={rule}"], one.options[1]))
            if not figures_of or not problem_of(*figures_of):
                yield rule
        except run.failure:
            pass


def outcome(one, options):
    """The figures with and without rules, if there are any, and the failure, or None."""
    try:
        pair = measured(one, options.cli)
    except run.failure as failed:
        return None, str(failed)
    if not pair or pair[1][0] > ILL_CONDITIONED:
        return None, None
    return pair, problem_of(*pair)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="FAMILY|RULE", help="default: all families and rules")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--verbose", action="store_true", help="the figures of every case")
    parser.add_argument("--blame", action="store_true", help="which rules make a case fail")
    options = parser.parse_args()
    families = [f for f in recorded.families() if not options.names or f in options.names]
    cases = [c for f in families for c in recorded_cases(f)]
    cases += [c for c in goldens() if not options.names or c.name in options.names]
    cases = [c for c in cases if c.has_reference and re.search(options.only, c.name)]
    pairs, problems = [], []
    for one in cases:
        pair, problem = outcome(one, options)
        if pair:
            pairs.append(pair)
        if pair and options.verbose:
            (mean, most), (plain_mean, plain_most) = pair
            print(f"{one.name}: mean {mean:.2f} / {plain_mean:.2f}, maximum {most:.1f} / {plain_most:.1f}", flush=True)
        if bool(problem) == (one.name in KNOWN):
            continue
        rules = f" ({', '.join(culprits(one, options.cli))})" if options.blame and problem else ""
        problems.append(f"{one.name}: {problem or 'no longer less exact: ' + KNOWN[one.name]}{rules}")
        print(problems[-1], flush=True)
    means = np.mean([[with_rules[0], without[0]] for with_rules, without in pairs], axis=0) if pairs else (0, 0)
    print(f"{len(pairs)} of {len(cases)} cases change by rules: off by {means[0]:.2f} units, without by {means[1]:.2f}")
    print(f"{len(problems)} problems")
    return 1 if problems or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
