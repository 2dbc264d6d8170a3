# SPDX-License-Identifier: Apache-2.0
"""The cells of examples/notebook.ipynb, in order; cells that need a package which is not installed are left out."""

import importlib.util
import json
import pathlib

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebook.ipynb"


def test_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert [cell for cell in cells if cell.get("outputs")] == []
    run, variables = 0, {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code" and all(map(installed, needs(cell))):
            exec(compile("".join(cell["source"]), f"{NOTEBOOK.name}:{cell['id']}", "exec"), variables)
            run += 1
    assert run >= 4  # four cells need only JAX
    assert "<svg" in variables["model"]._repr_html_()
    assert variables["problem"].primitive == "io_callback"


def needs(cell):
    return [tag.removeprefix("needs-") for tag in cell["metadata"].get("tags", [])]


def installed(package):
    return importlib.util.find_spec(package) is not None
