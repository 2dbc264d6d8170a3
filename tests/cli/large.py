#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that gigabytes of weights cost no memory. Needs 9 GB of disk, and numpy and onnxruntime for the second part.

    large.py [--no-runtime]

Converts sparse files with each reader and each way to write, and prints time and peak memory, compared with a tiny
model. Then runs the models with copied and with referenced weights in ONNX Runtime.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from arrays import sparse_safetensors
from tool import program

limit = 64 << 20
letters = "abcdefghijklmnop"


def text(matrices, size, turned=False):
    """A chain of vector-matrix products; if `turned`, the matrices are transposed first."""
    constants = " ".join(f"w{c}:f32[{size},{size}]" for c in letters[:matrices])
    lines = [
        f"    x{b}:f32[1,{size}] = dot_general[dimension_numbers=(([1], [{int(turned)}]), ([], [])) "
        f"preferred_element_type=float32] x{a} w{b}"
        for a, b in zip("x" + letters, letters[:matrices])
    ]
    return "\n".join(
        [f"{{ lambda {constants}; xx:f32[1,{size}]. let", *lines, f"  in (x{letters[matrices - 1]},) }}\n"]
    )


def corners(path, matrices, size):
    """Makes the first and the last element of each matrix nonzero."""
    with open(path, "r+b") as file:
        file.seek(0, os.SEEK_END)
        begin = file.tell() - matrices * size * size * 4
        for i in range(matrices):
            for at, value in [(0, 1.0 + i), (size * size - 1, 0.5)]:
                file.seek(begin + (i * size * size + at) * 4)
                file.write(struct.pack("<f", value))


def npy_header(size):
    header = repr({"descr": ">f4", "fortran_order": True, "shape": (size, size)}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def write_weights(folder, kind, matrices, size):
    path = folder / f"w.{kind}"
    if kind == "safetensors":
        sparse_safetensors(path, {f"layer_{i}": (size, size) for i in range(matrices)})
        corners(path, matrices, size)
    elif kind == "npy":  # in Fortran order and big-endian
        path.write_bytes(npy_header(size))
        os.truncate(path, len(npy_header(size)) + size * size * 4)
    else:  # deflated, again in Fortran order
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            archive.open("arr_0.npy", "w", force_zip64=True) as member,
        ):
            member.write(npy_header(size))
            for left in range(size * size * 4, 0, -(1 << 20)):
                member.write(bytes(min(left, 1 << 20)))
    return path


def convert(folder, weights, *options):
    """Runs a conversion; returns its seconds and peak memory."""
    start = time.monotonic()
    tool = subprocess.Popen([program, "m.jaxpr", "-w", weights, "-q", *options], cwd=folder)
    _, status, used = os.wait4(tool.pid, 0)
    tool.returncode = os.waitstatus_to_exitcode(status)
    if tool.returncode:
        sys.exit(f"exit code {tool.returncode}")
    return time.monotonic() - start, used.ru_maxrss * 1024


def measure(folder, kind, matrices, size, *options, turned=False):
    results = []
    for extent in (8, size):
        (folder / "m.jaxpr").write_text(text(matrices, extent, turned))
        results.append(convert(folder, write_weights(folder, kind, matrices, extent), *options))
    more = results[1][1] - results[0][1]
    print(
        f"{kind:<12}{matrices * size * size * 4 / 1e9:4.1f} GB {' '.join(options) or 'one file':<34}"
        f"{'transposed ' if turned else ''}{results[1][0]:6.2f} s, {results[1][1] / 1e6:5.1f} MB at most, "
        f"{more / 1e6:5.1f} MB more than with tiny weights"
    )
    if more > limit:
        sys.exit(f"FAILED: over {limit >> 20} MB")


def run(folder, size):
    import numpy as np
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    x, results = np.random.default_rng(0).random((1, size), "f4"), []
    for model in ("copied.onnx", "referenced.onnx"):
        session = onnxruntime.InferenceSession(folder / model, settings, providers=["CPUExecutionProvider"])
        results.append(session.run(None, {session.get_inputs()[0].name: x})[0])
        del session
    expected = np.zeros((1, size), "f4")
    expected[0, 0], expected[0, -1] = x[0, 0] * np.prod(np.arange(1, 17, dtype="f4")), x[0, -1] * 0.5**16
    np.testing.assert_allclose(results[0], expected, rtol=1e-6)
    np.testing.assert_array_equal(results[0], results[1])
    print("ONNX Runtime computes the same with both")


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as path:
        folder = pathlib.Path(path)
        measure(folder, "npy", 1, 16384, "--external-data")
        measure(folder, "npz", 1, 16384, "--external-data")
        measure(folder, "safetensors", 7, 8192)
        measure(folder, "safetensors", 4, 8192, "--external-data", turned=True)
        for name in os.listdir(folder):
            (folder / name).unlink()
        measure(folder, "safetensors", 16, 8192, "--external-data=reference", "-o", "referenced.onnx")
        measure(folder, "safetensors", 16, 8192, "--external-data", "-o", "copied.onnx")
        if "--no-runtime" not in sys.argv:
            run(folder, 8192)


if __name__ == "__main__":
    main()
