"""Models in ONNX Runtime: Model.run, Model.proto, verify."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import to_onnx, verify

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def test_run_returns_the_structure_of_the_function():
    def f(x, key):
        return {"real": x, "half": x.astype(jnp.bfloat16), "wave": x * 1j, "noise": jax.random.normal(key, (2,))}

    x, key = np.array([1.5, -2], "float32"), jax.random.key(1)
    got, want = to_onnx(f, "2", key).run(x, key), f(x, key)
    for name in want:
        assert got[name].dtype == want[name].dtype
        np.testing.assert_allclose(got[name].astype("complex64"), np.asarray(want[name], "complex64"), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8", "uint32", "bool"])
def test_inputs_of_every_kind(dtype):
    x = np.asarray(jnp.asarray([0, 1, 1], dtype))
    got = to_onnx(lambda x: (x, jnp.zeros_like(x)), f"{dtype}[B]").run(x)
    assert got[0].dtype == x.dtype and (got[0] == x).all()


def test_scalars_and_views():
    model = to_onnx(lambda x, y: (x + 1, y * 2), 1.0, np.ones((2, 3), "float32"))
    got = model.run(3.0, np.arange(6, dtype="float32").reshape(3, 2).T)
    assert got[0].shape == () and got[0] == 4
    assert got[1].tolist() == [[0, 4, 8], [2, 6, 10]]


def test_run_counts_its_arguments():
    with pytest.raises(ValueError, match="expected 1 arrays, found 2"):
        to_onnx(jnp.sin, "3").run(1, 2)


def test_proto_is_sound():
    onnx.checker.check_model(to_onnx(jax.nn.softmax, "B,4").proto(), full_check=True)


def test_verify_tries_sizes():
    def f(x, y):
        return x @ y, x.shape[0] * jnp.ones((), jnp.int32)

    found = verify(to_onnx(f, "B,T", "T,B"), f, "B,T", "T,B", sizes=[2, {"B": 1, "T": 9}])
    assert found and [check.sizes for check in found.checks[::2]] == [{"B": 2, "T": 3}, {"B": 1, "T": 9}]


def test_verify_finds_what_differs():
    found = verify(to_onnx(lambda x: x.at[1].add(1e-3), "3"), lambda x: x, np.ones(3, "float32"))
    assert not found
    (check,) = found.checks
    assert check.worst == (1,) and check.ulps == pytest.approx(1e-3 / 2**-23, rel=1e-3)
    assert "DIFFERS (1 of 3 elements)" in str(found)


def test_verify_compares_types_and_infinities():
    assert not verify(to_onnx(lambda x: x.astype("int32"), "3"), lambda x: x, np.ones(3, "float32"))
    assert not verify(to_onnx(lambda x: x / 0, "3"), lambda x: -x / 0, np.ones(3, "float32"))
    assert verify(to_onnx(lambda x: x / 0, "3"), lambda x: x / 0, np.array([1, 0, -1], "float32"))


def test_verify_takes_tolerances():
    model = to_onnx(lambda x: x + 1e-3, "3")
    assert verify(model, lambda x: x, np.ones(3, "float32"), atol=1e-2)
