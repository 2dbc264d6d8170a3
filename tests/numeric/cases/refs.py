"""Mutable references."""
import jax
import jax.numpy as jnp
from jax._src.state.discharge import run_state
from jax._src.state.primitives import ref_addupdate, ref_get, ref_set, ref_swap

from table import arr, case, f32


def on_ref(body):
    """The value of a reference after `body` has changed it."""
    return lambda x, *more: run_state(lambda r: body(r, *more))(x)


def new_ref(x):
    r = jax.new_ref(x * 2)
    r[0] = 1.0
    r[1:3] += r[...][2:4]
    return r[...]


case("run_state", "three_updates", on_ref(lambda r: (ref_set(r, (1,), ref_get(r, (0,)) * 2), ref_addupdate(r, (2,), ref_get(r, (1,))))[0] and None), f32(4))
case("get", "row", on_ref(lambda r: ref_set(r, (1,), ref_get(r, (0,)))), f32(2, 3))
case("get", "all", on_ref(lambda r: ref_set(r, (), jnp.sin(ref_get(r, ())))), f32(2, 3))
case("get", "at_a_value", on_ref(lambda r, i: ref_set(r, (0,), ref_get(r, (i,)))), f32(4, 2), arr(2, "int32"))
case("swap", "old_value", on_ref(lambda r, v: ref_set(r, (1,), ref_swap(r, (0,), v))), f32(3), f32())
case("swap", "at_a_value", on_ref(lambda r, i: ref_set(r, (i,), jnp.ones(2))), f32(4, 2), arr(3, "int32"))
case("addupdate", "row", on_ref(lambda r, v: ref_addupdate(r, (1,), v)), f32(2, 3), f32(3))
case("addupdate", "all", on_ref(lambda r, v: ref_addupdate(r, (), v)), f32(2, 3), f32(2, 3))
case("addupdate", "at_a_value", on_ref(lambda r, i: ref_addupdate(r, (i,), jnp.ones(2))), f32(4, 2), arr(3, "int32"))
case("new_ref", "slices", new_ref, f32(5))
