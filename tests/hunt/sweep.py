#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps over the public functions of JAX: calls each with the first arguments that fit, judges it and its gradient.

    sweep.py [--only TEXT] [--at-least PERCENT] [--verbose]

A function's arguments come from `sweep.txt` if it has a line there, else from CANDIDATES: the first that JAX accepts.
Prints the programs that are refused or differ, and the functions for which no arguments fit. The exit code is 1 if a
program differs in a way that known.toml does not list, or if less than PERCENT of the programs convert and agree.
"""

import argparse
import collections
import dataclasses
import importlib
import inspect
import os
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
MODULES = {  # as programs spell them
    "jnp": "jax.numpy", "jnp.linalg": "jax.numpy.linalg", "jnp.fft": "jax.numpy.fft", "lax": "jax.lax",
    "lax.linalg": "jax.lax.linalg", "jax.nn": "jax.nn", "jax.random": "jax.random", "jax.image": "jax.image",
    "jax.ops": "jax.ops", "jsp.cluster.vq": "jax.scipy.cluster.vq", "jsp.fft": "jax.scipy.fft",
    "jsp.integrate": "jax.scipy.integrate", "jsp.interpolate": "jax.scipy.interpolate",
    "jsp.linalg": "jax.scipy.linalg",
    "jsp.ndimage": "jax.scipy.ndimage", "jsp.signal": "jax.scipy.signal", "jsp.special": "jax.scipy.special",
}  # fmt: skip
# Arguments to try, the most informative first.
CANDIDATES = [
    "{float32[3,4]:signed unit}, {float32[3,4]:unit}", "{float32[3,4]:unit}", "{float32[3,4]:positive}",
    "{float32[3,3]:regular}", "{float32[3,3]:spd}", "{float32[3,3]:regular}, {float32[3,3]:regular}",
    "{float32[3,4]:unit}, {float32[3,4]:unit}, {float32[3,4]:unit}",
    "{float32[3,4]:positive}, {float32[3,4]:positive}, {float32[3,4]:unit}, {float32[3,4]:unit}",
    "{float32[4]}", "{float32[4]}, {float32[4]}", "{int32[3,4]}, {int32[3,4]:1..3}", "{int32[3,4]:0..3}", "{bool[3,4]}",
    "{int32[3,4]:1..4}, {float32[3,4]:positive}", "{float32[3,4]:positive}, {int32[3,4]:1..4}", "{complex64[3,4]}",
    "{float32[3,4]}, 1", "{float32[3,4]}, (4, 3)", "{float32[3,4]}, 0, 1", "{float32[3,4]}, 0.1, 0.9",
    "{float32[2,3,4]}",
    "({float32[3,4]}, {float32[3,4]})", "{k[]}", "{k[]}, (3,)", "{k[]}, {float32[3,4]:positive}",
    "{k[]}, {float32[4]:positive}, {float32[4]:positive}", "{k[]}, {float32[4]:positive}, shape=(4,)",
    "(3, 4)", "4", "2, 3",
]  # fmt: skip


KEYS = [c for c in CANDIDATES if c.startswith("{k")]
NO_PROGRAMS = {  # they return or take values that are not arrays, or are refused while JAX traces
    "jnp": "array_repr array_str einsum_path from_dlpack frombuffer fromfile fromiter frompyfunc fromstring"
    " get_printoptions load mask_indices printoptions promote_types result_type save savez set_printoptions trim_zeros",
    "lax": "after_all axis_index conv_dimension_numbers conv_general_permutations conv_general_shape_tuple"
    " conv_shape_tuple conv_transpose_shape_tuple create_token dtype padtype_to_pads",
    "jax.nn": "get_scaled_dot_general_config",
    "jax.random": "key_dtype key_impl",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="functions whose name has this text")
    parser.add_argument("--at-least", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--verbose", action="store_true", help="also print the arguments that fit")
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    options = parser.parse_args()
    os.environ["JAX2ONNX"] = str(pathlib.Path(options.cli).resolve())
    counts = collections.Counter()
    for name in names(options.only):
        for source, outcome in judged(name):
            counts[outcome.kind if outcome.kind in ("agrees", "known", "refused", "unreached") else "differs"] += 1
            if options.verbose or outcome.kind not in ("agrees", "known"):
                print(f"{outcome.kind:10s} {source}  {outcome.detail[:300]}", flush=True)
    reached = sum(counts.values()) - counts["unreached"]
    share = 100 * (counts["agrees"] + counts["known"]) / max(reached, 1)
    print(f"{reached} programs: {dict(counts)}; {share:.2f} % convert and agree")
    return 1 if counts["differs"] or share < options.at_least else 0


def names(only):
    """The public functions, each once, under the first module that has it."""
    seen = set()
    for prefix, module in MODULES.items():
        module = importlib.import_module(module)
        omitted = NO_PROGRAMS.get(prefix, "").split()
        for name, what in sorted(vars(module).items()):
            public = callable(what) and not name.startswith("_") and not inspect.isclass(what)
            if public and name not in omitted and id(what) not in seen and only in f"{prefix}.{name}":
                seen.add(id(what))
                yield f"{prefix}.{name}"


def judged(name):
    """Yields (source, outcome) of a call that fits, and of its gradient if it has one."""
    from judge import judge, outcome

    candidates = KEYS + CANDIDATES if name.startswith("jax.random.") else CANDIDATES
    for template in lines_of(name) or [f"{name}({candidate})" for candidate in candidates]:
        program = call(template)
        found = judge(program)
        if found.kind != "invalid":
            break
    else:
        yield name, outcome("unreached", found.detail)
        return
    yield template, found
    if gradient := gradient_of(program):
        found = judge(gradient)
        if found.kind != "invalid":
            yield f"gradient of {template}", found


def lines_of(name):
    table = (here / "sweep.txt").read_text().splitlines()
    return [line for line in table if re.search(rf"(?<![\w.]){re.escape(name)}\(", line)]


def call(template):
    """A program of one template."""
    from choices import choices
    from program import program
    from writer import writer

    write = writer(choices())
    result = write.write(template)
    return program("sweep", (*write.lines, f"return {result}"), tuple(write.arguments))


def gradient_of(of):
    """The gradient of a program's results with respect to its floating-point arguments, or None if it has none."""
    names = [a.name for a in of.arguments]
    inner = [f"def g({', '.join(names)}):", *("  " + line for text in of.lines for line in text.split("\n"))]
    places = tuple(i for i, a in enumerate(of.arguments) if a.dtype.startswith("float"))
    if not places:
        return None
    lines = (
        *inner,
        f"return jax.grad(lambda {', '.join(names)}: total(g({', '.join(names)})), {places})({', '.join(names)})",
    )
    return dataclasses.replace(of, lines=lines)


if __name__ == "__main__":
    sys.exit(main())
