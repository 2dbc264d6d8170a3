#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--target ort-contrib: long attention becomes ONNX Runtime's own operator, with the same results as Attention.

    own_operators.py [--cli build/release/jax2onnx]

The text is the golden of the rule Attention with 1024 positions instead of 3.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import run

root = run.here.parents[1]
LENGTH = 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=root / "build/release/jax2onnx")
    cli = parser.parse_args().cli
    short = (root / "tests/golden/rewrites/Attention.jaxpr").read_text()
    lists = r"f32\[[\d,]+\]|new_sizes=\([\d, ]+\)"
    text = re.sub(lists, lambda m: re.sub(r"(?<![\w])3(?!\w)", str(LENGTH), m[0]), short)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "long.jaxpr"
        source.write_text(text)
        for target in ("ort", "ort-contrib"):
            model = source.with_suffix(f".{target}.onnx")
            subprocess.run([cli, source, "-q", "-o", model, "--target", target], check=True)
            session = run.load(model)
            rng = np.random.default_rng(0)
            feed = {i.name: rng.normal(size=i.shape).astype("f4") for i in session.get_inputs()}
            results[target] = session.run(None, feed)[0]
            loaded = onnx.load(model)
            operators = {(n.domain, n.op_type) for n in loaded.graph.node}
            domains = {o.domain: o.version for o in loaded.opset_import}
    assert ("com.microsoft", "MultiHeadAttention") in operators and ("", "Attention") not in operators, operators
    assert set(domains) == {"", "com.microsoft"} and domains["com.microsoft"] == 1, domains
    np.testing.assert_allclose(results["ort-contrib"], results["ort"], rtol=1e-5, atol=1e-6)
    return 0


if __name__ == "__main__":
    sys.exit(main())
