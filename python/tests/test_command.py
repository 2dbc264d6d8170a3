# SPDX-License-Identifier: Apache-2.0
"""jax2onnx export, and the tool in the wheel."""

import pathlib
import subprocess
import sys

import pytest

from jax2onnx_cpp.__main__ import main

MODEL = """
import jax, jax.numpy as jnp

def double(x, n):
    return x * 2 + n

class layers:
    def refused(x):
        return jax.pure_callback(lambda v: v, x, x)
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "my_model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_model", raising=False)
    return tmp_path


@pytest.mark.parametrize("place", ["my_model:double", "my_model.py:double"])
def test_writes_a_model(place, here, capsys):
    assert main([place, "--args", "f32[B,8]", "f32[]", "--dim", "B=4", "-o", "out.onnx"]) == 0
    assert "float32[4,8]" in capsys.readouterr().out
    assert (here / "out.onnx").stat().st_size > 0


def test_verifies(capsys):
    pytest.importorskip("onnxruntime")
    assert main(["my_model:double", "--args", "B,8", "f32[]", "--verify"]) == 0
    assert "output B=8: agrees" in capsys.readouterr().out


def test_refuses(here, capsys):
    assert main(["my_model:layers.refused", "--args", "3"]) == 3
    assert "my_model.py:9 (" in capsys.readouterr().err
    assert not (here / "model.onnx").exists()


@pytest.mark.parametrize(
    "wrong", [["my_model"], ["none:f"], ["my_model:none"], ["none.py:f"], ["my_model:double", "--args", "f32[", ""]]
)
def test_wrong_usage(wrong, capsys):
    assert main(wrong) == 1
    assert capsys.readouterr().err.startswith("jax2onnx export: ")


def test_the_tool_is_installed():
    tool = pathlib.Path(sys.executable).with_name("jax2onnx")
    text = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"
    done = subprocess.run([tool, "-", "--emit", "text"], input=text, capture_output=True, text=True, check=True)
    assert "Sin" in done.stdout


def test_the_tool_exports(here):
    tool = pathlib.Path(sys.executable).with_name("jax2onnx")
    subprocess.run([tool, "export", "my_model:double", "--args", "3", "f32[]", "-o", "double.onnx"], check=True)
    shown = subprocess.run([tool, "inspect", "double.onnx"], capture_output=True, text=True, check=True)
    assert "f32[3]" in shown.stdout


def test_the_model_of_one_device(here, capsys):
    (here / "halves.py").write_text(
        "import jax\nfrom jax.sharding import AbstractMesh, AxisType, PartitionSpec as P\n"
        "mesh = AbstractMesh((2,), ('x',), axis_types=(AxisType.Auto,))\n"
        "double = jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=P('x'), out_specs=P('x'))\n"
    )
    assert main(["halves.py:double", "--args", "f32[4]", "--shard", "1/2", "-o", "second.onnx"]) == 0
    assert "float32[2]" in capsys.readouterr().out
    assert main(["halves.py:double", "--args", "f32[4]", "--shard", "2/2"]) == 1
    assert "shard: expected (i, n)" in capsys.readouterr().err
