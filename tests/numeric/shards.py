#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts recorded programs of several devices for each of their devices, runs these models side by side in ONNX's
reference implementation (examples/run_devices.py), and compares the combined results with JAX's.

    shards.py [--cli build/release/jax2onnx] [--only REGEX] [--args "--target ort"] [--verbose]
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import recorded
import run

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "examples"))
import run_devices

# Messages about features that the reference implementation lacks.
BEYOND = "Scan is not implemented for other output input_direction than 0"


def converted(case, folder, index, count, options):
    """The model of a device, or the tool's message."""
    model = folder / f"{index}.onnx"
    arguments = [*case.extract(folder), *case.options, *shlex.split(options.args), "--shard", f"{index}/{count}"]
    done = subprocess.run([options.cli, *arguments, "-o", model, "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    onnx.checker.check_model(model, full_check=True)
    return onnx.load(model), None


def problem(case, folder, options):
    """The problem of a case; None if it agrees."""
    _, message = converted(case, folder, 0, 2**40, options)  # the message states the number of devices
    found = re.search(r"its mesh has (\d+) devices", message)
    if not found:
        return message
    models = []
    for index in range(int(found[1])):
        model, message = converted(case, folder, index, int(found[1]), options)
        if message:
            return message
        models.append(model)
    exchanges = [[n.op_type for n in m.graph.node if n.domain == "jax.collectives"] for m in models]
    if any(of_one != exchanges[0] for of_one in exchanges):
        return f"the devices exchange different values: {exchanges}"
    for record in case.records:
        try:
            results = run_devices.run(models, [run.plain(a) for a in case.inputs(record)])
            for i, (got, want) in enumerate(zip(results, case.outputs(record), strict=True)):
                run.compare(f"output {i}", got, want, case.entry)
        except NotImplementedError as e:
            return None if BEYOND in str(e) else str(e)
        except run.failure as different:
            return f"wrong: {different}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=here.parents[1] / "build/release/jax2onnx")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--args", default="", help="further arguments of the tool")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, too")
    options = parser.parse_args()
    run_devices.SECONDS = 20
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for case in recorded.cases(["devices"], options.only):
            if "shard_map" not in case.text and "xla_pmap" not in case.text:
                continue
            wrong = problem(case, pathlib.Path(scratch) / case.name, options)
            passed += not wrong
            failed += [f"{case}: {wrong}"] if wrong else []
            if options.verbose and not wrong:
                print(f"pass  {case}")
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main())
