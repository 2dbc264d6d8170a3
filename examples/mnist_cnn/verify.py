#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs mnist_cnn.onnx in ONNX Runtime and compares with what JAX computed. Needs numpy and onnxruntime:
python examples/mnist_cnn/verify.py build/mnist_cnn.onnx
"""

import pathlib
import sys

import numpy as np
import onnxruntime

expected = np.load(pathlib.Path(__file__).parent / "expected.npz")
session = onnxruntime.InferenceSession(sys.argv[1])
(logits,) = session.run(None, {session.get_inputs()[0].name: expected["image"]})
np.testing.assert_allclose(logits, expected["logits"], rtol=1e-4, atol=1e-5)
print(f"{sys.argv[1]}: {logits.shape[0]} images, largest difference {np.abs(logits - expected['logits']).max():.1e}")
