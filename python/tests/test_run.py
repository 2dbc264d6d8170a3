# SPDX-License-Identifier: Apache-2.0
"""Models in ONNX Runtime: Model.run, Model.proto, verify."""

import pickle

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


@pytest.mark.parametrize("form, error", [("float16", 1e-2), ("bfloat16", 0.1), ("int8", 0.2), ("int4", 2)])
def test_weight_format(form, error):
    kernel = np.random.default_rng(0).normal(size=(64, 128)).astype("float32")
    x = np.linspace(-1, 1, 64, dtype="float32").reshape(1, 64)
    model = to_onnx(lambda x: x @ kernel, "B,64", weight_format=form)
    np.testing.assert_allclose(model.run(x), x @ kernel, atol=error)


def test_compute():
    rng = np.random.default_rng(0)
    first, second = (rng.normal(size=s).astype("float32") / 8 for s in [(64, 256), (256, 8)])

    def net(x, mask):
        hidden = jax.nn.gelu(x @ first) @ second
        return jax.nn.softmax(jnp.where(mask, hidden, jnp.finfo("float32").min)), x.sum()

    x, mask = rng.normal(size=(3, 64)).astype("float32"), np.arange(24).reshape(3, 8) % 3 == 0
    model = to_onnx(net, "B,64", "bool[B,8]", compute="float16")
    for got, want in zip(model.run(x, mask), net(x, mask), strict=True):
        assert got.dtype == "float32"
        np.testing.assert_allclose(got, want, atol=2e-3)
    assert len(model.to_bytes()) < 0.6 * len(to_onnx(net, "B,64", "bool[B,8]").to_bytes())
    found = verify(model, net, x, mask)
    assert found and max(check.error for check in found.checks) > 2e-5  # more than the tolerance of float32
    assert not verify(model, lambda x, mask: (net(x, mask)[0], x.sum() * 1.02), x, mask)
    assert not verify(model, net, x, mask, rtol=1e-7, atol=1e-7)


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
    with pytest.raises(ValueError, match="a dictionary with the inputs x; found argument 0, argument 1"):
        to_onnx(jnp.sin, "3").run(1, 2)


def test_run_by_name():
    x, y = np.float32(3), np.float32(5)
    model = to_onnx(lambda z, a: z - a, "f32[]", "f32[]")
    assert model.run({"z": x, "a": y}) == model.run({"a": y, "z": x}) == model.run(x, y) == -2
    with pytest.raises(ValueError, match=r"the inputs z, a; found argument 0\['a'\], argument 0\['b'\]"):
        model.run({"b": x, "a": y})


def test_run_takes_the_pytrees_of_the_function():
    one, two = np.float32(1), np.float32(2)
    model = to_onnx(lambda batch: batch["z"] - batch["a"][0], {"z": "f32[]", "a": ["f32[]"]}, input_names=["z", "a"])
    assert model.run({"z": one, "a": [two]}) == model.run({"z": one, "a": (two,)}) == -1
    assert [value.name for value in model.inputs] == ["z", "a"]  # in the order of the leaves: batch.a.0, batch.z
    assert model.run({"z": two, "a": one}) == -1
    assert model.run(two, one) == -1


@pytest.mark.parametrize("dtype, values", [("i32", [1.5]), ("i32", [2**40]), ("u8", [-1]), ("bool", [2])])
def test_run_keeps_values(dtype, values):
    with pytest.raises(ValueError, match="which cannot hold its values"):
        to_onnx(lambda x: x, f"{dtype}[1]").run(np.array(values))


def test_run_converts_what_fits():
    assert to_onnx(lambda x: x + 1, "i8[2]").run(np.array([3, 4])).tolist() == [4, 5]
    assert to_onnx(lambda x: x + 1, "bf16[1]").run(np.array([True])).astype("float32") == 2


def test_run_in_the_layout_of_the_function():
    image = np.arange(24, dtype="float32").reshape(1, 2, 4, 3)
    model = to_onnx(lambda i, x: (i[:, 1:] * x, x), image, "3", inputs_as_nchw=["i"], outputs_as_nchw=[0])
    assert [model.inputs[0].shape, model.outputs[0].shape] == [(1, 3, 2, 4), (1, 3, 1, 4)]
    x = np.array([1, 2, 3], "float32")
    np.testing.assert_array_equal(model.run(image, x)[0], image[:, 1:] * x)
    np.testing.assert_array_equal(model.run({"x": x, "i": image})[0], image[:, 1:] * x)


def test_proto_is_sound():
    onnx.checker.check_model(to_onnx(jax.nn.softmax, "B,4").proto(), full_check=True)


def test_verify_tries_sizes():
    def f(x, y):
        return x @ y, x.shape[0] * jnp.ones((), jnp.int32)

    found = verify(to_onnx(f, "B,T", "T,B"), f, "B,T", "T,B", sizes=[2, {"B": 1, "T": 9}])
    assert found and [check.sizes for check in found.checks[::2]] == [{"B": 2, "T": 3}, {"B": 1, "T": 9}]


def test_verify_knows_the_options_of_the_model():
    def f(image, tail):
        return image[:, 2:] * 2, tail

    given = dict(constraints=["H >= 4", "mod(H, 3) == 0"], dims={"B": 2}, inputs_as_nchw=[0], outputs_as_nchw=[0])
    model = to_onnx(f, "B,H,5,3", "H", **given)
    found = verify(model, f, "B,H,5,3", "H")
    assert found and [check.sizes for check in found.checks[::2]] == [{"B": 2, "H": 6}, {"B": 2, "H": 9}]
    with pytest.raises(ValueError, match="sizes: B is 3, but the model has fixed it as 2"):
        verify(model, f, "B,H,5,3", "H", sizes=[{"B": 3, "H": 6}])
    with pytest.raises(ValueError, match="has no size for H"):
        verify(model, f, "B,H,5,3", "H", sizes=[{"B": 2}])


def test_verify_with_equations_between_symbols():
    f = lambda x, y: x[: y.shape[0]] + y
    model = to_onnx(f, "A", "B", constraints=["A == 2*B"])
    assert verify(model, f, "A", "B", sizes=[2, 3])
    scope = jax.export.SymbolicScope(["T >= 5"])
    tail = jax.ShapeDtypeStruct(jax.export.symbolic_shape("T", scope=scope), "float32")
    g = lambda x: x[3:]
    assert [check.sizes for check in verify(to_onnx(g, tail), g, tail, sizes=[1, 7]).checks] == [{"T": 5}, {"T": 7}]


def test_inner_functions_read_results_that_the_caller_drops():
    @jax.jit
    def deviations(x):
        total, mean = x.sum(), x.mean()
        return total, mean, x * mean - total

    assert verify(to_onnx(lambda x: deviations(x)[2], "3"), lambda x: deviations(x)[2], "3")


def test_verify_needs_a_size():
    with pytest.raises(ValueError, match="sizes: expected one size or more"):
        verify(to_onnx(jnp.sin, "B"), jnp.sin, "B", sizes=[])


def test_verify_counts_outputs():
    with pytest.raises(ValueError, match="the function returns 2 arrays, but the model returns 1"):
        verify(to_onnx(lambda x: x, "3"), lambda x: (x, x), "3")


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


@pytest.mark.parametrize("form", ["path", "bytes", "proto"])
def test_verify_takes_files(form, tmp_path):
    def f(x, pair):
        return {"sum": x + pair[0], "product": x * pair[1]}

    arguments = "B,3", ("i32[3]", "c64[3]")
    model = to_onnx(f, *arguments)
    model.save(tmp_path / "model.onnx")
    if form == "proto":
        pytest.importorskip("onnx")
    given = {"path": lambda: tmp_path / "model.onnx", "bytes": model.to_bytes, "proto": model.proto}[form]()
    assert verify(given, f, *arguments)
    assert not verify(given, lambda x, pair: {"sum": x, "product": x * pair[1]}, *arguments)
    with pytest.raises(ValueError, match="the function takes 1 array, but the model takes 3"):
        verify(given, lambda x: x, "B,3")
    with pytest.raises(ValueError, match="the function returns 1 array, but the model returns 2"):
        verify(given, lambda x, pair: x, *arguments)


def test_verify_refuses_what_is_no_model():
    with pytest.raises(TypeError, match="model: expected a Model, a path, bytes or an onnx.ModelProto"):
        verify(3, lambda x: x, "3")


@pytest.mark.parametrize("options", [{}, {"dims": {"B": 2}}])
def test_models_can_be_pickled(options):
    kernel = np.ones((3, 2), "float32")
    model = to_onnx(lambda x: {"y": jnp.tanh(x @ kernel)}, "B,3", **options)
    again = pickle.loads(pickle.dumps(model))
    assert again.to_bytes() == model.to_bytes() and repr(again) == repr(model)
    assert again.run(kernel.T)["y"].tolist() == model.run(kernel.T)["y"].tolist()
    assert again.jaxpr == model.jaxpr and again.warnings == model.warnings


def test_models_with_functions_of_python_stay():
    square = jax.jit(lambda x: x * x)
    model = to_onnx(lambda x: square(x), "3", operators={square: lambda ops, x, **_: ops.Mul(x, x)})
    with pytest.raises(TypeError, match="operators= are functions"):
        pickle.dumps(model)
