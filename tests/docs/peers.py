#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The network of docs/coming-from.md in spox, onnxscript and onnx.helper. Prints the lines of each.

peers.py      if its package is installed, each makes a model, which must load and give the results of NumPy
"""

import inspect
import sys

import numpy as np

try:
    from onnxscript import FLOAT  # annotations are looked up in the module
except ImportError:
    FLOAT = None

rng = np.random.default_rng(0)
wq, wk, wv, wo, up, down = (rng.normal(size=(64, 64)).astype(np.float32) * 0.1 for _ in range(6))


def spox_model():
    import spox.opset.ai.onnx.v21 as op
    from spox import Tensor, argument, build

    x = argument(Tensor(np.float32, ("batch", "time", 64)))
    number = lambda n: op.constant(value=np.array(n, np.float32))
    weight = lambda w: op.constant(value=w)
    q, k, v = (op.matmul(x, weight(w)) for w in (wq, wk, wv))
    scores = op.mul(op.matmul(q, op.transpose(k, perm=[0, 2, 1])), number(0.125))
    mask = op.trilu(op.cast(op.equal(scores, scores), to=np.float32), upper=0)
    masked = op.where(op.greater(mask, number(0.5)), scores, number(-1e9))
    h = op.add(x, op.matmul(op.matmul(op.softmax(masked), v), weight(wo)))
    y = op.add(h, op.matmul(op.gelu(op.matmul(h, weight(up))), weight(down)))
    return build({"x": x}, {"y": y})


def onnxscript_model():
    import onnx
    from onnxscript import opset21 as op
    from onnxscript import script

    @script(default_opset=op)
    def block(x: FLOAT["batch", "time", 64], wq, wk, wv, wo, up, down) -> FLOAT["batch", "time", 64]:  # noqa: F821
        q, k, v = op.MatMul(x, wq), op.MatMul(x, wk), op.MatMul(x, wv)
        scores = op.MatMul(q, op.Transpose(k, perm=[0, 2, 1])) * 0.125
        mask = op.Trilu(op.Cast(scores == scores, to=1), upper=0)
        masked = op.Where(mask > 0.5, scores, -1e9)
        h = x + op.MatMul(op.MatMul(op.Softmax(masked), v), wo)
        return h + op.MatMul(op.Gelu(op.MatMul(h, up)), down)

    model = block.to_model_proto()
    tensors = {"wq": wq, "wk": wk, "wv": wv, "wo": wo, "up": up, "down": down}
    inputs = [i for i in model.graph.input if i.name not in tensors]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    model.graph.initializer.extend(onnx.numpy_helper.from_array(t, n) for n, t in tensors.items())
    return model


def helper_model():
    from onnx import TensorProto, helper, numpy_helper

    node, value = helper.make_node, helper.make_tensor_value_info
    numbers = {"scale": 0.125, "half": 0.5, "low": -1e9}
    tensors = {"wq": wq, "wk": wk, "wv": wv, "wo": wo, "up": up, "down": down} | {
        n: np.float32(v) for n, v in numbers.items()
    }
    nodes = [node("MatMul", ["x", f"w{n}"], [n]) for n in "qkv"]
    nodes += [node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]), node("MatMul", ["q", "kt"], ["qk"])]
    nodes += [node("Mul", ["qk", "scale"], ["scores"]), node("Equal", ["scores", "scores"], ["all"])]
    nodes += [node("Cast", ["all"], ["ones"], to=1), node("Trilu", ["ones"], ["mask"], upper=0)]
    nodes += [node("Greater", ["mask", "half"], ["seen"]), node("Where", ["seen", "scores", "low"], ["masked"])]
    nodes += [node("Softmax", ["masked"], ["weights"]), node("MatMul", ["weights", "v"], ["mixed"])]
    nodes += [
        node("MatMul", ["mixed", "wo"], ["o"]),
        node("Add", ["x", "o"], ["h"]),
        node("MatMul", ["h", "up"], ["u"]),
    ]
    nodes += [node("Gelu", ["u"], ["g"]), node("MatMul", ["g", "down"], ["d"]), node("Add", ["h", "d"], ["y"])]
    shape = ["batch", "time", 64]
    x, y = value("x", TensorProto.FLOAT, shape), value("y", TensorProto.FLOAT, shape)
    constants = [numpy_helper.from_array(t, n) for n, t in tensors.items()]
    graph = helper.make_graph(nodes, "block", [x], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def expected(x):
    from math import erf

    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.transpose(0, 2, 1) * 0.125
    masked = np.where(np.tril(np.ones_like(scores)) > 0.5, scores, -1e9)
    e = np.exp(masked - masked.max(-1, keepdims=True))
    h = x + e / e.sum(-1, keepdims=True) @ v @ wo
    u = h @ up
    return h + (u / 2 * (1 + np.vectorize(erf)(u / np.sqrt(2)))).astype(np.float32) @ down


def lines(program):
    """The number of lines without imports, blank lines and the head of the function."""
    source = [line for line in inspect.getsource(program).splitlines()[1:] if line.strip()]
    return len([line for line in source if not line.strip().startswith(("import ", "from "))])


def main():
    failed = 0
    x = rng.normal(size=(2, 5, 64)).astype(np.float32)
    for program in (spox_model, onnxscript_model, helper_model):
        try:
            model = program()
            import onnxruntime
        except ImportError as e:
            print(f"{program.__name__}: {lines(program)} lines, not run: {e}")
            continue
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        close = np.allclose(session.run(None, {"x": x})[0], expected(x), atol=1e-4)
        failed += not close
        print(f"{program.__name__}: {lines(program)} lines, {'right' if close else 'WRONG'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
