# SPDX-License-Identifier: Apache-2.0
import pytest


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch):
    """Forgets the operators that a test or an example registers after the test or example."""
    monkeypatch.setattr("jax2onnx_cpp._operators.REGISTERED", {})
