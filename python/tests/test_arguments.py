# SPDX-License-Identifier: Apache-2.0
"""The arguments of to_onnx, and its messages about likely mistakes."""

import inspect
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax2onnx_cpp import ConversionError, ConversionWarning, Operator, _core, to_onnx, verify
from jax2onnx_cpp._options import FORMS, texts_of


@pytest.mark.parametrize("text", ["B", "N1", "B,", "f32[batch]", "batch,4", " f32 [ B , 3 ] ", "3"])
def test_texts_that_are_shapes(text):
    assert len(to_onnx(lambda x: x + 1, text).inputs) == 1


@pytest.mark.parametrize(
    "text, message",
    [
        ("relu", r"argument 0: 'relu' does not look like a shape; 'f32\[relu\]' is a vector.*use functools.partial"),
        ("f32", r"'f32' has no extents; 'f32\[\]' is a scalar"),
        ("bfloat16", r"'bfloat16\[\]' is a scalar"),
        ("", r"'f32\[\]' is a scalar"),
        ("floot[3]", "'floot' in .* is not an element type"),
        ("object[3]", "'object' in .* is not an element type"),
        ("f32[-1,3]", "an extent of .* is negative"),
        ("f32[3", "expected a shape such as"),
        ("f32[hello world]", "expected a shape such as"),
        ("...", "expected a shape such as"),
    ],
)
def test_texts_that_are_none(text, message):
    with pytest.raises(ValueError, match=message):
        to_onnx(lambda x: x, text)


@pytest.mark.parametrize("argument", [(3, 4), ("B", 4), (3,), ("batch", "2*batch", 1), {"x": (2, 3)}])
def test_tuples_that_are_shapes(argument):
    shape = argument["x"] if isinstance(argument, dict) else argument
    found = to_onnx(lambda x, y: (x, y), "3", argument).inputs[1]
    assert (found.dtype, found.shape) == ("float32", shape)


def test_tuples_and_texts_share_symbols():
    model = to_onnx(lambda x, y: x @ y, ("B", 4), "4,N")
    assert model.outputs[0].shape == ("B", "N")


@pytest.mark.parametrize("argument", [[3, 4], ["B", 4], {"x": [2]}])
def test_lists_of_numbers_are_refused(argument):
    with pytest.raises(TypeError, match=r"argument 1.* is a pytree of numbers; write the shape as the tuple \("):
        to_onnx(lambda x, y: x, "3", argument)


def test_pytrees_of_numbers_and_arrays():
    model = to_onnx(lambda t, d: t[0] + t[1] + d["a"], (np.int32(3), np.int32(4)), {"a": 2})
    assert [value.dtype for value in model.inputs] == ["int32"] * 3
    assert to_onnx(lambda n, x: n + x, 2, 3).inputs[1].shape == ()
    assert to_onnx(lambda t: t[0] + t[1], (2.0, 3.0)).inputs[1].name == "t.1"
    assert to_onnx(lambda x, empty: x, "3", ()).inputs[0].name == "x"


@pytest.mark.parametrize(
    "error, message, options",
    [
        (TypeError, "input_names: expected a list, found {'x'", dict(input_names={"x": "image"})),
        (TypeError, "input_names: expected a list, found 'x'", dict(input_names="x")),
        (TypeError, "output_names: expected str as items, found 3", dict(output_names=[3])),
        (TypeError, "output_names: expected a list, found None", dict(output_names=None)),
        (TypeError, "inputs_as_nchw: expected a list, found 'image'", dict(inputs_as_nchw="image")),
        (TypeError, "no_fuse: expected a list", dict(no_fuse="Gelu")),
        (TypeError, "constraints: expected a list", dict(constraints="B >= 2")),
        (TypeError, "dims: expected a dictionary such as {'B': 8}, found", dict(dims=[8])),
        (TypeError, "dims: expected names and integers, found 'B': 3.5", dict(dims={"B": 3.5})),
        (TypeError, "opset: expected an integer, found '23'", dict(opset="23")),
        (TypeError, "unroll: expected an integer, found '8'", dict(unroll="8")),
        (TypeError, "fuse: expected True or False", dict(fuse="no")),
        (TypeError, "name: expected a string", dict(name=None)),
        (TypeError, "progress: expected a function", dict(progress=3)),
        (TypeError, "operators: expected a dictionary", dict(operators=["sin"])),
        (ValueError, "'a' is given twice", dict(input_names=["a"], output_names=["a"])),
        (ValueError, "input_names: expected at most 1 name, found 2", dict(input_names=["a", "b"])),
        (ValueError, "constraints: no argument has the symbol T", dict(constraints=["T >= 2"])),
    ],
)
def test_malformed_options(error, message, options):
    with pytest.raises(error, match=message):
        to_onnx(lambda x: x + 1, "B,4", **options)


def test_constraints_need_texts():
    with pytest.raises(ValueError, match="constraints: no argument is a string or tuple"):
        to_onnx(jnp.sin, np.ones(3, "float32"), constraints=["B >= 2"])
    batch = jax.ShapeDtypeStruct(jax.export.symbolic_shape("B,4"), "float32")
    with pytest.raises(ValueError, match="of a scope; give the constraints to that scope"):
        to_onnx(jnp.add, batch, "B,4", constraints=["B >= 2"])


def test_given_names_win():
    model = to_onnx(lambda x, y: (x, y), "3", "3", input_names=["y"], output_names=["output.1"])
    assert [model.inputs[0].name, model.outputs[0].name] == ["y", "output.1"]
    assert len({value.name for value in (*model.inputs, *model.outputs)}) == 4


def codes(model):
    return [warning.code for warning in model.warnings]


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint64", "complex128"])
def test_narrowed_arguments(dtype):
    with pytest.warns(ConversionWarning, match=rf"the input 'x' is \w+, but its argument is {dtype}") as caught:
        model = to_onnx(lambda x: x + 1, np.ones(3, dtype))
    assert codes(model) == ["python.narrowed"] and caught[0].filename == __file__
    with pytest.warns(ConversionWarning, match="python.narrowed"):
        to_onnx(lambda x: x + 1, f"{dtype}[3]")


def test_inputs_that_nothing_reads():
    with pytest.warns(ConversionWarning, match="nothing in the model reads the inputs 'b', 'c'"):
        model = to_onnx(lambda a, b, c: a + b.shape[0], "3", "4", "4")
    assert codes(model) == ["python.unread-input"] and len(model.inputs) == 3
    assert codes(to_onnx(lambda a, b: (a, jnp.ones(b.shape)), "3", "T")) == []


def test_operators_that_nothing_uses():
    lookup = Operator("com.example", "Lookup")
    gate = jax.jit(lambda x: x + 1)
    with pytest.warns(ConversionWarning, match="operators: the jaxpr calls no 'sine'"):
        to_onnx(jnp.sin, "3", operators={"sine": lookup})
    with pytest.warns(ConversionWarning, match="operators: the jaxpr calls no '<lambda>'"):
        to_onnx(jnp.sin, "3", operators={gate: lookup})
    called = lambda x: jax.pure_callback(abs, x, x)
    with (
        pytest.warns(ConversionWarning, match="did you mean 'pure_callback'"),
        pytest.raises(ConversionError, match="pure_callback"),
    ):
        to_onnx(called, "3", operators={"pure_callbak": lookup})
    assert codes(to_onnx(called, "3", operators={"pure_callback": lookup})) == []
    assert to_onnx(called, "3", keep_unsupported=True).report["operators"] == {"pure_callback": 1}
    assert codes(to_onnx(lambda x: gate(x), "3", operators={gate: lambda *_, **__: NotImplemented})) == []


def test_weights_that_nothing_uses():
    kernel = jnp.ones((4, 2))
    with pytest.warns(ConversionWarning, match="weights: the function closes over none"):
        to_onnx(lambda x: x @ kernel, "B,4", weights={"kernel": np.zeros(3)})
    assert codes(to_onnx(lambda x: x @ kernel, "B,4", weights={"kernel": kernel})) == []


@pytest.mark.skipif(jax.__version_info__ < (0, 5), reason="JAX names the argument only")
def test_errors_of_jax_name_the_function():
    def activated(x, function):
        return function(x)

    with pytest.raises(TypeError, match="<function activated at"):
        to_onnx(activated, "3", jnp.sin)


def test_equations_that_are_left_out():
    def shown(x):
        jax.debug.print("{}", x)
        return x + 1

    with pytest.warns(ConversionWarning, match=r"lower.dropped"):
        to_onnx(shown, "3")


def test_keyword_arguments():
    def f(x, *, mask, deterministic):
        return jnp.where(mask, x, 0) if deterministic else x

    options = dict(kwargs={"mask": "bool[B,4]"}, static={"deterministic": True})
    model = to_onnx(f, ("B", 4), **options)
    assert [str(value) for value in model.inputs] == ["x float32[B,4]", "mask bool[B,4]"]
    pytest.importorskip("onnxruntime")
    x, mask = np.ones((1, 4), "float32"), np.array([[True, False, True, False]])
    assert model.run(x, mask=mask).tolist() == model.run({"x": x, "mask": mask}).tolist() == [[1, 0, 1, 0]]
    assert verify(model, f, ("B", 4), **options)
    with pytest.raises(TypeError, match="expected the keyword arguments mask, found masks"):
        model.run(x, masks=mask)


def test_keyword_arguments_of_modules():
    nnx = pytest.importorskip("flax.nnx")
    pytest.importorskip("onnxruntime")
    net = nnx.MultiHeadAttention(2, 4, decode=False, rngs=nnx.Rngs(0))
    options = dict(kwargs={"mask": "bool[1,2,T,T]"}, static={"deterministic": True})
    assert verify(to_onnx(net, (1, "T", 4), **options), net, (1, "T", 4), **options)


@pytest.mark.parametrize(
    "error, message, options",
    [
        (TypeError, "kwargs: expected a dictionary with names", dict(kwargs=["mask"])),
        (TypeError, "static: expected a dictionary with names", dict(static={1: 2})),
        (ValueError, "static: 'y' is also in kwargs", dict(kwargs={"y": "3"}, static={"y": 3})),
    ],
)
def test_malformed_keyword_arguments(error, message, options):
    with pytest.raises(error, match=message):
        to_onnx(lambda x, y: x, "3", **options)


@pytest.mark.parametrize(
    "message, options",
    [
        ("opset: expected a number from 17 to 28, found '99'", dict(opset=99)),
        ("inputs_as_nchw: 'a,b' has a comma", dict(inputs_as_nchw=["a,b"])),
        ("no_fuse: there is no 'gelu', did you mean 'Gelu'?", dict(no_fuse=["gelu"])),
        ("dims: the text has no symbolic dimension 'Q'", dict(dims={"Q": 3})),
        ("dims: the size -1 of the dimension 'B' is negative", dict(dims={"B": -1})),
        ("inputs_as_nchw, outputs_as_nchw: there is no input 'image'", dict(inputs_as_nchw=["image"])),
        ("inputs_as_nchw, outputs_as_nchw: x has type", dict(inputs_as_nchw=["x"])),
        ("constraints: .*must contain one of", dict(constraints=["B >>> 2"])),
    ],
)
def test_options_that_do_not_fit(message, options):
    with pytest.raises(ValueError, match=message):
        to_onnx(lambda x: x + 1, "B,4", **options)


@pytest.mark.parametrize("error, option", [(ValueError, {"threshold": -1}), (TypeError, {"external_data": 3})])
def test_options_of_save(error, option, tmp_path):
    with pytest.raises(error, match=f"{next(iter(option))}: expected"):
        to_onnx(jnp.sin, "3").save(tmp_path / "model.onnx", **option)
    assert not list(tmp_path.iterdir())


def test_only_symbols_need_jax_export(monkeypatch):
    """JAX 0.4.30 cannot import jax.export without a package that is not among its declared requirements."""
    monkeypatch.setitem(sys.modules, "jax.export", None)
    assert to_onnx(lambda x, y: x + y, "f32[3,4]", np.ones(4, "float32")).inputs
    with pytest.raises(ModuleNotFoundError, match="pip install absl-py"):
        to_onnx(lambda x: x, "f32[B]")


def test_options_are_those_of_the_table():
    """Each row has a parameter with a documented meaning; `check_options` says what is wrong in Python's terms."""
    parameters = inspect.signature(to_onnx).parameters
    documented = inspect.cleandoc(to_onnx.__doc__)  # Python 3.13 removes the common indentation itself
    for key, name, form, meaning, _ in _core.options:
        assert name in parameters and f"    {name}: " in documented, key
        assert form in FORMS and meaning, key
        assert texts_of({name: parameters[name].default}) in ([], [(key, "portable")]), key
    with pytest.raises(ValueError, match="^dims: expected one NAME=SIZE"):
        _core.check_options([("dim", "B")])


@pytest.mark.parametrize(
    "name, value, texts",
    [
        ("opset", np.int64(18), [("opset", "18")]),
        ("dims", {"B": 8, "C": 3}, [("dim", "B=8"), ("dim", "C=3")]),
        ("inputs_as_nchw", ["image", 0], [("inputs-as-nchw", "image,0")]),
        ("no_fuse", [], []),
        ("assume_finite", True, [("assume-finite", "on")]),
        ("sharding_info", False, []),
        ("weight_format", "int8", [("weight-format", "int8")]),
        ("compute", "float16", [("compute", "float16")]),
        ("shard", (1, 4), [("shard", "1/4")]),
    ],
)
def test_texts_of_options(name, value, texts):
    assert texts_of({name: value}) == texts
