#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows recorded cases: text, arguments, JAX's results and options.

    show.py FAMILY/CASE...                      prints them
    show.py --list REGEX                        prints the names that match
    show.py (FAMILY/CASE... | --list REGEX) --extract DIR
                                                writes DIR/FAMILY/CASE.jaxpr, CASE.weights.npz with its constvars,
                                                CASE.npz with arguments and results; prints the tool's arguments
    show.py FAMILY/CASE --rename FAMILY/CASE    renames or moves a case

Only printing arrays needs more than Python itself.
"""

import argparse
import dataclasses
import pathlib
import re
import shlex
import sys

import recorded


def shown(case):
    import numpy as np

    np.set_printoptions(threshold=64)
    yield f"{recorded.HEADER}{case}"
    yield case.text.rstrip("\n")
    yield from (f"{key}: {value}" for key, value in case.entry.items() if key not in ("inputs", "outputs"))
    for name, data in case.weights.items():
        yield described(f"weights {name}", recorded.from_npy(data))
    for record in case.records:
        for what, arrays in (("argument", case.inputs(record)), ("result", case.outputs(record))):
            yield from (described(f"{what} {i}{record}", array) for i, array in enumerate(arrays))


def described(what, array):
    return f"{what}: {array.dtype}{list(array.shape)}\n{array}"


def extracted(case, folder):
    """Writes all data of a case; returns the tool's arguments."""
    folder = folder / case.family
    arguments = case.extract(folder)
    recorded.pack(folder / f"{case.name}.npz", {n: data for n, data in case.arrays.items() if n not in case.weights})
    return shlex.join(map(str, [*arguments, *case.options]))


def rename(case, name):
    home, _, own = name.partition("/")
    old, new = recorded.family(recorded.DATA / case.family), recorded.family(recorded.DATA / home)
    if own in new:
        raise LookupError(f"{name} is a case already")
    new = old if home == case.family else new
    new[own] = dataclasses.replace(old.pop(case.name), family=home, name=own)
    for family in {old.path: old, new.path: new}.values():
        family.save()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="FAMILY/CASE")
    parser.add_argument("--list", metavar="REGEX")
    parser.add_argument("--extract", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--rename", metavar="FAMILY/CASE")
    options = parser.parse_args()
    if bool(options.names) == (options.list is not None) or (options.rename and len(options.names) != 1):
        parser.error("name cases, or ask for a list; one case to rename")
    try:
        cases = list(map(recorded.find, options.names))
        if options.rename:
            return rename(cases[0], options.rename)
    except LookupError as problem:
        return str(problem.args[0])
    if options.list is not None:
        cases = [case for case in recorded.cases() if re.search(options.list, str(case))]
    for case in cases:
        if options.extract:
            print(extracted(case, options.extract))
        elif options.list is not None:
            print(case)
        else:
            print(*shown(case), sep="\n")
    return None if cases else "no case matches"


if __name__ == "__main__":
    sys.exit(main())
