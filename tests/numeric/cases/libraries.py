"""Primitives that Equinox defines, defined here again: tracing needs no Equinox."""
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.core import ShapedArray
from jax.interpreters import mlir

from table import boolean, case, f32, i32


def primitive(name, function):
    p = Primitive(name)
    p.def_impl(function)
    p.def_abstract_eval(lambda x, **_: ShapedArray((), x.dtype) if name.startswith("unvmap") else x)
    mlir.register_lowering(p, mlir.lower_fun(function, multiple_results=False))
    return p


for name, function in [("unvmap_any", jnp.any), ("unvmap_all", jnp.all)]:
    p = primitive(name, function)
    for text, argument in [("matrix", boolean(2, 3)), ("scalar", boolean()), ("empty", boolean(0)), ("symbolic", boolean("B", 2))]:
        case(name, text, p.bind, argument)
p = primitive("unvmap_max", jnp.max)
case("unvmap_max", "int32", p.bind, i32(2, 3))
case("unvmap_max", "float32", p.bind, f32(4))
for name in ["announce_jaxpr", "nonbatchable", "nondifferentiable", "nondifferentiable_backward", "nontraceable"]:
    p = primitive(name, lambda x, **_: x)
    case(name, "is_the_value", lambda x, p=p: p.bind(x) + 1, f32(3))
