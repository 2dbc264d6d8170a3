# SPDX-License-Identifier: Apache-2.0
"""Messages of the converter in terms of Python."""

import pathlib
import re

import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import ConversionError, to_onnx
from jax2onnx_cpp._errors import in_python

ROOT = pathlib.Path(__file__).resolve().parents[2]
OTHERS = re.compile(r"(?<![\w-])--[a-z]|\w::\w")  # an option of the tool, a member of C++


def literals():
    for path in sorted([*ROOT.glob("include/jax2onnx/**/*.hpp"), *ROOT.glob("parser/**/*.hpp")]):
        whole = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
        yield from re.findall(r'"((?:[^"\\\n]|\\.)*)"', whole)


def test_no_message_names_options_of_others():
    found = [literal for literal in literals() if OTHERS.search(literal)]
    assert found
    assert [text for text in map(in_python, found) if OTHERS.search(text)] == []


@pytest.mark.parametrize(
    "message, ours",
    [
        (
            "a program that uses the library can add a lowering (options::lowerers)",
            "operators= can map it to an operator or a function",
        ),
        ("nothing :: at all", "nothing :: at all"),
    ],
)
def test_terms(message, ours):
    assert in_python(message) == ours


def test_help_of_errors():
    with pytest.raises(ConversionError) as caught:
        to_onnx(jnp.sin, np.ones(3, "float32"), input_names=["a\n"])
    assert caught.value.problems[0].help == (
        "names come from input_names and output_names, else from the weights file or the traced function"
    )
