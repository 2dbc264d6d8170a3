# SPDX-License-Identifier: Apache-2.0
"""The contents and the requirements of the wheel."""

import importlib.metadata
import subprocess
import sys
import sysconfig

import pytest

import jax2onnx_cpp


def test_needs_numpy_alone():
    required = importlib.metadata.requires("jax2onnx-cpp")
    assert [entry.partition(">")[0] for entry in required if "extra" not in entry] == ["numpy"]


def test_imports_without_jax():
    program = "import sys; sys.modules['jax'] = None; import jax2onnx_cpp; print(jax2onnx_cpp.__version__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == jax2onnx_cpp.__version__ == importlib.metadata.version("jax2onnx-cpp")


def test_is_small():
    files = importlib.metadata.files("jax2onnx-cpp")
    assert sum(file.size for file in files if file.size) < 8e6
    assert not [file for file in files if file.name == "jax2onnx" and file.size and file.size > 10_000]
    assert {"LICENSE", "THIRD-PARTY.txt"} <= {file.name for file in files if "licenses" in file.parts}
    assert {"_core.pyi", "py.typed", "_export.py", "compat.py"} <= {file.name for file in files}


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL")
def test_leaves_the_gil_off():
    program = "import sys, jax2onnx_cpp; sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-W", "error", "-c", program], check=False).returncode == 0
