# SPDX-License-Identifier: Apache-2.0
"""The releases of ONNX Runtime in tests/versions.toml. pip installs each one on first use, into a separate folder. They
share NumPy and other packages with the Python that runs the tests.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import tomllib

root = pathlib.Path(__file__).resolve().parents[1]
VERSIONS = tomllib.loads((root / "tests/versions.toml").read_text())
RELEASES = VERSIONS["onnxruntime"]["releases"]
CUDA_RELEASE = VERSIONS["onnxruntime"]["cuda"]


def minor(version):
    """31 for 1.31.1"""
    return int(version.split(".")[1])


def short(version):
    """1.31 for 1.31.1"""
    return ".".join(version.split(".")[:2])


def span():
    """The tested releases, as written in documents."""
    return f"ONNX Runtime {short(RELEASES[0])} to {short(RELEASES[-1])}"


def jax_span():
    """The tested releases of JAX, as written in documents."""
    return f"JAX {VERSIONS['jax']['oldest']} to {short(VERSIONS['jax']['newest'])}"


def newest():
    """package -> the newest tested version"""
    named = {package: VERSIONS[package]["newest"] for package in ("jax", "onnx")}
    return {**named, "onnxruntime": RELEASES[-1]}


def folder_of(version):
    """The folder with onnxruntime of this version, for PYTHONPATH."""
    folder = root / "build/onnxruntime" / version
    if not folder.exists():
        print(f"installing onnxruntime {version} into {folder.relative_to(root)}", file=sys.stderr)
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--target", partial]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, f"onnxruntime=={version}"], check=True)
        partial.rename(folder)
    return folder


def run_in(version, *arguments):
    """The output of a Python script that imports onnxruntime of this version."""
    paths = [str(folder_of(version)), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run([sys.executable, *map(str, arguments)], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"ONNX Runtime {version}: {done.stderr or done.stdout}")
    return done.stdout
