# SPDX-License-Identifier: Apache-2.0
"""to_onnx and the model that it returns. Needs JAX and NumPy only; tests that run a model are in test_run.py."""

import gc
import pickle
import threading
import tracemalloc
import weakref
import xml.etree.ElementTree

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback

import jax2onnx_cpp
from jax2onnx_cpp import ConversionError, Problem, UnsupportedError, _core, to_onnx


def test_shapes_as_texts():
    model = to_onnx(lambda x, i: x[i], "f16[2*B, 3]", "i32[B]")
    assert [str(value) for value in model.inputs] == ["x float16[2*B,3]", "i int32[B]"]
    assert str(model.outputs[0]) == "output float16[B,3]"
    assert to_onnx(jnp.sin, "f32[]").inputs[0].shape == ()


def test_texts_share_symbols_with_shapes():
    batch = jax.ShapeDtypeStruct(jax.export.symbolic_shape("B,4"), "float32")
    assert to_onnx(jnp.add, batch, "B,4").outputs[0].shape == ("B", 4)


def test_constraints():
    def tail(x):
        return jax.lax.slice_in_dim(x, 2, x.shape[0])

    with pytest.raises(Exception, match="inconclusive"):
        to_onnx(tail, "T")
    assert to_onnx(tail, "T", constraints=["T >= 2"]).outputs[0].shape == ("T - 2",)


def test_pytrees_give_names():
    model = to_onnx(lambda batch, scale: {"y": batch["a"] * scale, "z": [batch["b"]]}, {"a": "B", "b": "B"}, 2.0)
    assert [value.name for value in model.inputs] == ["batch.a", "batch.b", "scale"]
    assert [value.name for value in model.outputs] == ["output.y", "output.z.0"]


def test_names_and_dims():
    def sum_of(x, *more, scale=1):
        return (x + more[0]) * scale

    model = to_onnx(sum_of, "B,2", "B,2", input_names=["left"], output_names=["sum"], dims={"B": 7})
    values = [str(value) for value in (*model.inputs, *model.outputs)]
    assert values == ["left float32[7,2]", "input_1 float32[7,2]", "sum float32[7,2]"]


def test_opset():
    assert to_onnx(jnp.sin, "3", opset=17).opset == 17
    with pytest.raises(ValueError, match="opset: expected a number from 17 to 28, found '3'"):
        to_onnx(jnp.sin, "3", opset=3)


def test_errors_can_be_pickled():
    """Process pools send exceptions as pickles, and wait forever for an exception that cannot be unpickled."""
    for kind in (ConversionError, UnsupportedError):
        error = kind("malformed", [Problem("convert.opset", "opset 3 is not supported", "", None, None, 2, 1)])
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is kind and str(copy) == str(error)
        assert (copy.kind, copy.problems) == (error.kind, error.problems)


def test_layout():
    model = to_onnx(lambda image: image * 2, "B,28,28,3", inputs_as_nchw=[0], outputs_as_nchw=["output"])
    assert model.inputs[0].shape == model.outputs[0].shape == ("B", 3, 28, 28)


def test_rules():
    def normal(x):
        return jax.nn.standardize(x, epsilon=1e-3)

    assert "LayerNormalization" in to_onnx(normal, "B,8").report["operators"]
    assert "LayerNormalization" not in to_onnx(normal, "B,8", fuse=False).report["operators"]
    with pytest.raises(ValueError, match="no_fuse: there is no 'Nonsense'"):
        to_onnx(normal, "B,8", no_fuse=["Nonsense"])
    with pytest.raises(ValueError, match="found 'cuda'"):
        to_onnx(normal, "B,8", target="cuda")


def test_targets():
    def chosen(c, x):
        return jnp.where(c, x, 0)

    def casts(target):
        return to_onnx(chosen, "bool[4]", "i8[4]", target=target).report["operators"].get("Cast", 0)

    # ONNX Runtime selects int8 without casts since 1.31; a target without a release means the oldest one.
    targets = ["ort", "ort@1.32", "ort-contrib", "ort-contrib@1.32", "web", "generic"]
    (known,) = (values for _, name, _, _, values in _core.options if name == "target")
    assert set(targets) < set(known)
    assert [casts(target) for target in targets] == [2, 0, 2, 0, 2, 0]


def test_unroll():
    def wave(x):
        return jax.lax.scan(lambda carry, _: (jnp.sin(carry), None), x, None, length=3)[0]

    assert to_onnx(wave, "B,4").report["operators"] == {"Sin": 3}
    assert to_onnx(wave, "B,4", unroll=0).report["operators"] == {"Loop": 1, "Sin": 1}
    with pytest.raises(ValueError, match="unroll: expected a number from 0 to 256, found '-1'"):
        to_onnx(wave, "B,4", unroll=-1)


def test_assume_finite():
    def kept(x):
        return jnp.sort(x), jnp.argmax(x), x.max()

    operators = to_onnx(kept, "8", assume_finite=True, target="ort").report["operators"]
    assert "IsNaN" in to_onnx(kept, "8", target="ort").report["operators"]
    assert operators["TopK"] == operators["ArgMax"] == operators["ReduceMax"] == 1
    assert not {"IsNaN", "Min", "Where"} & set(operators)


def test_weight_format():
    kernel = np.random.default_rng(0).normal(size=(64, 128)).astype("float32")

    def dense(x):
        return x @ kernel

    sizes = {}
    for form in [None, "float16", "bfloat16", "int8", "int4"]:
        model = to_onnx(dense, "B,64", weight_format=form)
        sizes[form] = len(model.to_bytes())
    assert sizes["int4"] < sizes["int8"] < sizes["float16"] == sizes["bfloat16"] < sizes[None]
    with pytest.raises(ValueError, match="weight_format: expected float16, bfloat16, int8, int4, found 'int2'"):
        to_onnx(dense, "B,64", weight_format="int2")


def test_initializers_have_the_names_of_variables():
    weights = {"dense": [np.ones((4, 2), "float32"), jnp.zeros(2)]}
    text = to_onnx(lambda x: x @ weights["dense"][0] + weights["dense"][1], "B,4").text()
    assert "weights.dense.0" in text and "weights.dense.1" in text
    assert "other.dense.0" in to_onnx(lambda x: x @ weights["dense"][0], "B,4", weights={"other": weights}).text()


@pytest.mark.parametrize(
    "dtype", ["bool", "int4", "uint4", "int8", "bfloat16", "float8_e4m3fn", "float16", "complex64"]
)
def test_element_types_of_constants(dtype):
    constant = jnp.asarray([0, 1, 1], dtype)
    assert to_onnx(lambda i: constant[i], "i32[2]").report["weights"] == 1


def test_constants_of_inner_functions():
    table = jnp.arange(5.0)
    inner = jax.jit(lambda i: table[i])
    assert to_onnx(lambda i: inner(i) + inner(i + 1), "i32[2]").report["weights"] == 1


def test_weights_are_views_that_live_as_long_as_the_model():
    text = "{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = add a b in (c,) }"
    array = np.zeros(3, "float32")
    settings = dict(options=[], input_names=[], output_names=[], operators=[], applied=set(), progress=None)
    model = _core.convert(text, [("w", "float32", "f", [3], 4, array)], **settings)
    array[:] = [1, 2, 3]
    assert array.tobytes() in model.encode("")
    alive = weakref.ref(array)
    del array
    gc.collect()
    assert alive() is not None
    del model
    gc.collect()
    assert alive() is None


def test_arrays_of_jax_are_not_copied():
    kernel = jnp.ones((512, 1024))
    tracemalloc.start()  # NumPy reports what it allocates
    model = to_onnx(lambda x: x @ kernel, "B,512")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < kernel.nbytes / 2 and model.report["weight_bytes"] == kernel.nbytes


def test_same_bytes():
    assert to_onnx(jnp.tanh, "B").to_bytes() == to_onnx(jnp.tanh, "B").to_bytes()


def test_save(tmp_path):
    kernel = np.ones((64, 64), "float32")
    model = to_onnx(lambda x: x @ kernel, "B,64", name="dense")
    model.save(tmp_path / "whole.onnx")
    assert (tmp_path / "whole.onnx").read_bytes() == model.to_bytes()
    assert b"dense" in model.to_bytes()
    model.save(tmp_path / "parts.onnx", external_data="weights.bin")
    assert (tmp_path / "weights.bin").read_bytes() == kernel.tobytes()
    model.save(tmp_path / "few.onnx", external_data=True, threshold=1 << 20)
    assert (tmp_path / "few.onnx").stat().st_size > kernel.nbytes


def test_save_into_nothing(tmp_path):
    with pytest.raises(ConversionError, match="file.io") as caught:
        to_onnx(jnp.sin, "3").save(tmp_path / "missing" / "model.onnx")
    assert caught.value.kind == "io"


def test_every_problem_with_its_place():
    def two(x):
        jax.debug.callback(print, x)
        y = jax.pure_callback(lambda v: v, x, x)
        return io_callback(lambda v: v, y, y)

    with pytest.raises(UnsupportedError) as caught:
        to_onnx(two, "f32[3]")
    problems = caught.value.problems
    assert {problem.primitive for problem in problems} >= {"pure_callback", "io_callback"}
    first = two.__code__.co_firstlineno
    for problem in problems:
        assert problem.source.startswith(f"{__file__}:{first + (2 if problem.primitive == 'pure_callback' else 3)}")
        assert problem.help and problem.code == "lower.unsupported"
    assert isinstance(caught.value, NotImplementedError)
    assert all(str(problem) in str(caught.value) for problem in problems)


def test_errors_of_the_function_pass_through():
    with pytest.raises(TypeError, match="add got incompatible shapes"):
        to_onnx(jnp.add, "3", "4")


def test_source_info():
    assert "test_to_onnx.py" in to_onnx(lambda x: jnp.sin(x), "3", source_info=True).jaxpr
    assert b"test_to_onnx.py" in to_onnx(lambda x: jnp.sin(x), "3", source_info=True).to_bytes()


def test_progress_can_stop():
    def stop(phase, done, total):
        raise KeyboardInterrupt(phase)

    with pytest.raises(KeyboardInterrupt):
        to_onnx(jnp.sin, "3", progress=stop)


def test_progress():
    seen = []
    to_onnx(jnp.sin, "3", progress=lambda *report: seen.append(report))
    assert all(isinstance(phase, str) and done <= total for phase, done, total in seen) and seen


def test_threads():
    def convert(results, i):
        results[i] = to_onnx(lambda x: jnp.tanh(x) * 3, "B,4").to_bytes()

    results = [None] * 8
    threads = [threading.Thread(target=convert, args=(results, i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1 and results[0]


def test_not_a_function():
    with pytest.raises(TypeError, match="expected a function"):
        to_onnx(3)


def test_describes_itself():
    model = to_onnx(lambda x: x * 2, "<B>".strip("<>"))
    assert repr(model) == "<Model x float32[B] -> output float32[B]: 1 node, opset 22>"
    assert model.report["seconds"].keys() == {"trace", "print", "convert", "parse", "lower", "rewrite"}
    assert model.warnings == ()
    assert jax2onnx_cpp.__version__


def test_picture():
    kernel = np.ones((4, 4), "float32")
    model = to_onnx(lambda x: (jnp.tanh(x @ kernel), x), "B,4", name="a<b>")
    page = model._repr_html_()
    root = xml.etree.ElementTree.fromstring(f"<page>{page}</page>")
    shown = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(shown) == sorted(
        ["x", "B×4", "MatMul", "B×4", "Tanh", "B×4", "output.0", "B×4", "Identity", "B×4", "output.1", "B×4"]
    )
    assert "a&lt;b&gt;" in page and "more nodes" not in page
    assert "more nodes" in to_onnx(lambda x: x.sum() + sum(jnp.sin(x + i) for i in range(200)), "3")._repr_html_()


@pytest.mark.parametrize("suffix, content", [(".html", b"<!doctype html>"), (".json", b'"events"'), (".md", b"| ")])
def test_reports(suffix, content, tmp_path):
    kernel = np.ones((3, 2), "float32")
    model = to_onnx(lambda x: jax.nn.gelu(x @ kernel), "B,3")
    for given in (model, pickle.loads(pickle.dumps(model))):
        given.save_report(tmp_path / f"report{suffix}")
        assert content in (tmp_path / f"report{suffix}").read_bytes()
    assert model.to_bytes()  # the model is the same after saving
    with pytest.raises(ValueError, match="path: expected FILE.html, FILE.json or FILE.md, found '.*report.xyz'"):
        model.save_report(tmp_path / "report.xyz")


def two_devices():
    return jax.sharding.AbstractMesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))


def of_two_devices(x):
    P = jax.sharding.PartitionSpec
    return jax.shard_map(lambda v: v - jax.lax.psum(v, "x"), mesh=two_devices(), in_specs=P("x"), out_specs=P("x"))(x)


def test_the_model_of_one_device():
    model = to_onnx(of_two_devices, "4,6", shard=(1, 2))
    assert model.inputs[0].shape == model.outputs[0].shape == (2, 6)
    assert model.report["operators"] == {"AllReduce": 1, "Sub": 1}
    assert to_onnx(of_two_devices, "4,6").inputs[0].shape == (4, 6)
    with pytest.raises(TypeError, match=r"shard: expected \(i, n\) with i from 0 to n - 1, found \(2, 2\)"):
        to_onnx(of_two_devices, "4,6", shard=(2, 2))
    with pytest.raises(ConversionError, match=r"(?s)no shard_map or pmap.*leave out shard, or"):
        to_onnx(jnp.sin, "4", shard=(0, 2))


def test_shardings_are_stated():
    over_rows = jax.sharding.NamedSharding(two_devices(), jax.sharding.PartitionSpec("x"))

    def constrained(x):
        return jnp.exp(jax.lax.with_sharding_constraint(jnp.sin(x), over_rows))

    assert b"devices" in to_onnx(constrained, "4,6", sharding_info=True).to_bytes()
    assert b"devices" not in to_onnx(constrained, "4,6").to_bytes()
