# SPDX-License-Identifier: Apache-2.0
import pytest


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch):
    """Operators that a test or an example registers are forgotten after it."""
    monkeypatch.setattr("jax2onnx_cpp._operators.REGISTERED", {})
