"""Calls, identities, named axes and what one device makes of a mesh."""
import jax
import jax.numpy as jnp
from jax import lax
from jax._src import core
from jax._src.lax.lax import empty2_p, empty_p, tie_p
from jax.experimental import checkify
from jax.experimental.layout import Layout, with_layout_constraint
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from table import arr, case, edges, f32, i32


def device(axis_type):
    return jax.make_mesh((1,), ("i",), axis_types=(axis_type,))


def closed_call(function):
    def bound(x):
        body = jax.make_jaxpr(function)(x)
        return core.closed_call_p.bind(x, **core.closed_call_p.get_bind_params({"call_jaxpr": body}))[0]
    return bound


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1, 1)


clipped.defvjp(lambda x: (clipped(x), None), lambda _, g: (g,))


def checked(x):
    checkify.check(jnp.all(x > -9), "too small")
    return x * 2


def printed(x):
    jax.debug.callback(lambda v: None, x)
    return x + 1


case("closed_call", "body", closed_call(lambda x: jnp.sin(x) * 2), f32(3))
case("composite", "body", lambda x: lax.composite(lambda v: v * 2 + 1, "my.affine")(x), f32(3))
case("custom_vjp_call", "value", clipped, f32(5))
case("custom_vjp_call", "gradient", jax.grad(lambda x: (clipped(x) ** 2).sum()), f32(5))
case("check", "is_left_out", checked, f32(3), eager=True)
case("debug_callback", "is_left_out", printed, f32(3))
case("layout_constraint", "is_the_value", lambda x: with_layout_constraint(x + 1, Layout((0, 1))), f32(2, 3))
case("sharding_constraint", "is_the_value", lambda x: lax.with_sharding_constraint(x + 1, NamedSharding(device(AxisType.Auto), P("i"))), f32(4))
case("reshard", "is_the_value", lambda x: jax.sharding.reshard(x + 1, NamedSharding(device(AxisType.Explicit), P("i"))), f32(4))
case("shard_map", "one_device", lambda x: jax.shard_map(lambda v: v * 2, mesh=device(AxisType.Auto), in_specs=P("i"), out_specs=P("i"))(x), f32(4))
case("pvary", "one_device", lambda x, y: jax.shard_map(lambda v, w: v * w, mesh=device(AxisType.Auto), in_specs=(P("i"), P()), out_specs=P("i"))(x, y), f32(4), f32())
for name in ["psum", "pmax", "pmin"]:
    fn = getattr(lax, name)
    case(name, "vmap", jax.vmap(lambda v, fn=fn: v - fn(v, "i"), axis_name="i"), f32(4, 3))
    case(name, "two_values", jax.vmap(lambda v, w, fn=fn: fn((v, w), "i"), axis_name="i", out_axes=None), f32(4), i32(4, 2))
case("psum", "symbolic", jax.vmap(lambda v: v / lax.psum(v, "i"), axis_name="i"), f32("B", 3).between(1, 2))
case("unstack", "rows", lambda x: jnp.unstack(x), f32(3, 2))
case("unstack", "columns", lambda x: jnp.unstack(x, axis=1), f32(3, 2))
case("unstack", "none", lambda x: (x, *jnp.unstack(x)), f32(0, 2))
case("tie", "second_value", lambda x, y: tie_p.bind(x, y * 2), f32(3), f32(3))
case("empty", "is_written_over", lambda x: empty_p.bind(shape=(3,), dtype=x.dtype, out_sharding=None).at[:].set(x), f32(3))
case("empty2", "is_zero", lambda x: x + empty2_p.bind(dtype=x.dtype, memory_space=core.MemorySpace.Device), f32(3))
