# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in docstrings and documents, and compares the stub with the extension."""

import ast
import doctest
import importlib
import pathlib
import re

import pytest

import jax2onnx_cpp
from jax2onnx_cpp import _core

MODULES = ["", "._convert", "._errors", "._model", "._operators", "._verify", ".compat", ".genai"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {
    "docs/after-conversion.md": ["flax", "onnxslim"],
    "docs/frameworks.md": ["flax", "equinox", "haiku", "keras"],
    "docs/language-models.md": ["flax", "onnxruntime_genai"],
    "docs/python.md": ["flax"],
    "docs/tutorial.md": ["flax"],
    "python/README.md": ["flax"],
}


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module, tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module("jax2onnx_cpp" + module))
    assert result.attempted and not result.failed


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    for module in ["onnxruntime", *PAGES[page]]:
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted and not result.failed


def test_readme(tmp_path, monkeypatch, capsys):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("flax")
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    exec(program, {})
    assert "agrees" in capsys.readouterr().out and (tmp_path / "linear.onnx").exists()


def test_stub():
    folder = pathlib.Path(jax2onnx_cpp.__file__).parent
    assert (folder / "py.typed").exists()
    stub = ast.parse((folder / "_core.pyi").read_text())
    stated = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    stated |= {node.target.id: node for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert set(stated) == {name for name in dir(_core) if not name.startswith("_") or name == "__version__"}
    members = {node.name for node in stated["Model"].body if isinstance(node, ast.FunctionDef)}
    assert members == {name for name in vars(_core.Model) if not name.startswith("_")}
