# SPDX-License-Identifier: Apache-2.0
import pytest


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch):
    """What a test or an example registers is for it alone."""
    monkeypatch.setattr("jax2onnx_cpp._operators.REGISTERED", {})
