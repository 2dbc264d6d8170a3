# SPDX-License-Identifier: Apache-2.0
"""Forms that JAX prints since 0.11 or 0.12: control flow, calls and references."""

import jax
import jax.numpy as jnp
from jax import lax
from jax._src import ad_checkpoint, compute_on, core, program_order
from jax._src import config as flags
from jax._src.lax.lax import dce_sink
from jax._src.state.primitives import with_memory_space_constraint
from jax._src.xla_metadata import set_xla_metadata, xla_metadata_call
from jax.ad_checkpoint import checkpoint_name
from jax.custom_derivatives import linear_call

from table import c64, case, f32, f64, key

JAX_VERSION = "0.12.0.1"


def under(flag, function):
    """`function`, traced under a flag of JAX."""

    def traced(*args):
        with getattr(flags, flag)(True):
            return function(*args)

    return traced


# Scans, whose text does not state the numbers of constants, carry and sequences


def step(w):
    def body(carry, x):
        new = jnp.sin(carry @ w + x)
        return new, (new[0], x * 2)

    return body


def rows(w, init, xs, **options):
    return lax.scan(step(w), init, xs, **options)


def loss(w, init, xs):
    carry, (first, _) = rows(w, init, xs)
    return jnp.sum(carry) + jnp.sum(first**2)


def swapped(x, y):
    return lax.scan(lambda c, _: ((c[1], c[0] + 1), c[0]), (x, y), length=3)


def forwarded(x, xs):
    """The first result stacks a sequence unchanged, the second the previous carry."""
    return lax.scan(lambda c, v: (c + v, (v, c)), x, xs)


def nested(x, xs):
    def outer(carry, row):
        carry, total = lax.scan(lambda c, v: (jnp.cos(c) + v, c * v), carry, row)
        return carry, jnp.sum(total)

    return lax.scan(outer, x, xs)


def keys(k):
    def body(carry, k):
        a, b = jax.random.split(k)
        return carry + jax.random.bits(a), jax.random.key_data(b)

    return lax.scan(body, jnp.uint32(0), jax.random.split(k, 3))


args = f32(3, 3), f32(3), f32(4, 3)
case("scan", "rows", rows, *args)
case("scan", "reverse", lambda *a: rows(*a, reverse=True, unroll=2), *args)
case("scan", "one", rows, f32(3, 3), f32(3), f32(1, 3))
case("scan", "none", rows, f32(3, 3), f32(3), f32(0, 3))
case("scan", "grad", jax.grad(loss, (0, 1, 2)), *args)
case("scan", "grad_checkpoint", jax.grad(jax.checkpoint(loss), (0, 1, 2)), *args)
case("scan", "grad_x64", jax.grad(loss, (0, 1, 2)), f64(3, 3), f64(3), f64(4, 3), x64=True)
case("scan", "hessian", jax.hessian(loss, 1), *args)
case("scan", "jvp", lambda w, c, x: jax.jvp(lambda c: rows(w, c, x), (c,), (c,)), *args)
case("scan", "linearize", lambda w, c, x: jax.linearize(lambda x: rows(w, c, x), x)[1](x), *args)
case("scan", "vmap", jax.vmap(rows, (None, 0, 0)), f32(3, 3), f32(2, 3), f32(2, 4, 3))
case("scan", "vmap_w", jax.vmap(rows, (0, None, None)), f32(2, 3, 3), f32(3), f32(4, 3))
case("scan", "vmap_grad", jax.vmap(jax.grad(loss, (0, 2)), (None, 0, 0)), f32(3, 3), f32(2, 3), f32(2, 4, 3))
case("scan", "swapped", swapped, f32(2), f32(2))
case("scan", "forwarded", forwarded, f32(2), f32(4, 2))
case("scan", "forwarded_grad", jax.grad(lambda x, xs: sum(map(jnp.sum, forwarded(x, xs)[1]))), f32(2), f32(4, 2))
case("scan", "map", lambda xs: lax.map(jnp.sin, xs), f32(4, 2))
case("scan", "fori", lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x), f32(3))
case("scan", "nested", nested, f32(), f32(3, 4))
case("scan", "nested_grad", jax.grad(lambda x, xs: sum(map(jnp.sum, nested(x, xs))), (0, 1)), f32(), f32(3, 4))
case("scan", "keys", keys, key())
case("scan", "complex", lambda x, xs: lax.scan(lambda c, v: (c * v, c.real), x, xs), c64(2), c64(3, 2))
case("scan", "nothing", lambda x: lax.scan(lambda c, _: (c, None), x, length=3)[0] + 1, f32(2))
case("scan", "symbolic", rows, f32(3, 3), f32(3), f32("B", 3))
case("scan", "symbolic_grad", jax.grad(loss, (0, 2)), f32("C", "C"), f32("C"), f32("B", "C"), rtol=2e-3)

# Maps of JAX's flag jax_scan3, whose carry is a reference


def carried(w, init, xs):
    return lax.scan(lambda c, x: (jnp.sin(c @ w + x), jnp.sum(c)), init, xs)


case("Scan3", "carry", under("scan3", carried), *args)
case("Scan3", "map", under("scan3", lambda xs: lax.map(lambda x: x * 2, xs)), f32(4, 3))
case("Scan3", "jvp", under("scan3", lambda x, t: jax.jvp(lambda x: lax.map(jnp.sin, x), (x,), (t,))), f32(4), f32(4))

# References that an equation reads or writes through a transform; constants that choose a branch


def transformed(x):
    ref = jax.new_ref(x)
    bits = ref.bitcast(jnp.int32)[0], ref.bitcast(jnp.uint32)[1:3, 2]
    ref.reshape(6, 4)[1] = jnp.ones(4)
    ref.bitcast(jnp.int32)[3] = jnp.arange(6)
    ref.reshape(24)[7:9] += 1.0
    ref.at[1:3].at[:, 2:4][...] += x[1:3, 2:4]
    return *bits, ref.reshape(2, 12)[...], ref.at[1:4].at[0:2][...], ref[...]


def chosen(x):
    def inner(x):
        return lax.cond(x[0] > 0, jnp.cos, jnp.tan, x)

    return lax.switch(jnp.int32(1), [jnp.sin, inner, lambda x: lax.cond(True, jnp.exp, inner, x)], x)


case("get", "transformed", transformed, f32(4, 6))
case("cond", "constant", chosen, f32(3))
case("cond", "constant_array", lambda x: lax.switch(jnp.array([2, 0, 1])[1], [jnp.sin, chosen, jnp.exp], x), f32(3))

# Calls


@jax.custom_batching.custom_vmap
def scaled(x, y):
    return x * y + 1


@scaled.def_vmap
def scaled_rule(axis_size, in_batched, x, y):
    return x * y + 1, True


def divided(x, y):
    return linear_call(lambda r, v: v / r, lambda r, ct: ct / r, x, y)


@jax.custom_vjp
def squared(x):
    return jnp.sin(x) ** 2


def squared_fwd(x):
    return squared(x), (x, jnp.cos(x))


squared.defvjp(squared_fwd, lambda kept, ct: (2 * jnp.sin(kept[0]) * kept[1] * ct,), optimize_remat=True)


def cubed(x):
    function = jax.custom_jvp(lambda x: x**3)
    function.defjvps(lambda t, out, x: 3 * x**2 * t)
    return function(x)


def tripled(x):
    function = jax.custom_vjp(lambda x: x * 3)
    function.defvjp(lambda x: (x * 3, x), lambda x, ct: (ct * 3 + x,))
    return function(x)


def root(a):
    def solve(f, x):
        return lax.fori_loop(0, 8, lambda _, x: x - f(x) / (2 * x), x)

    return lax.custom_root(lambda x: x**2 - a, a, solve, lambda g, y: y / g(1.0))


def ordered(x):
    return program_order.program_order(lambda x: jnp.sin(x) * 2, enforce=True)(x)


def sunk(x):
    dce_sink(x * 2)
    return x + 1


def named(x):
    return checkpoint_name(jnp.sin(x), "kept") * 2


def host(function):
    return compute_on.compute_on(function, compute_type="device_host", out_memory_spaces=core.MemorySpace.Device)


def emptied(x):
    ref, other = core.empty_ref(x), core.empty_ref(x)
    ref[...] = x * 2
    other[1:] = x[1:]
    core.free_ref(ref_of(x))
    return ref[...] + other[1:].sum()


def ref_of(x):
    ref = jax.new_ref(x)
    ref[0] = 1.0
    return ref


policy = jax.checkpoint_policies.save_only_these_names("kept")

case("custom_vmap_call", "scalar", scaled, f32(3), f32(3))
case("linear_call", "divided", divided, f32(3).between(1, 2), f32(3))
case("linear_call", "transposed", jax.grad(lambda y, x: jnp.sum(divided(x, y))), f32(3), f32(3).between(1, 2))
case("remat_opt", "forward", lambda x: jax.vjp(squared, x)[1](x)[0], f32(3))
case("CustomRoot", "square_root", root, f32().between(1, 4))
case("CustomRoot", "vmap", jax.vmap(root), f32(3).between(1, 4))
case("program_order", "enforced", ordered, f32(3))
case("compute_on", "host", host(jnp.sin), f32(3), eager=True)
case("xla_metadata_call", "call", xla_metadata_call(lambda x: jnp.sin(x) * 2, k="v"), f32(3))
case("xla_metadata_value", "value", lambda x: set_xla_metadata(jnp.cos(x), k=1), f32(3))
case("closed_call", "traced", lambda x: jax.jit(lambda x: jnp.sin(x) * 2).trace(x)(x), f32(3))
case("composite", "body", lambda x: lax.composite(lambda v: v * 2 + 1, "my.affine")(x), f32(3))
case("remat2", "flag", under("remat3", jax.grad(lambda x: jnp.sum(jax.checkpoint(jnp.sin)(x) ** 2))), f32(3))
case("name", "flag", under("remat3", jax.grad(lambda x: jnp.sum(jax.checkpoint(named, policy=policy)(x)))), f32(3))
case("custom_jvp_call", "flag", under("custom_jvp3", cubed), f32(3))
case("custom_vjp_call", "flag", under("custom_vjp3", tripled), f32(3))
case("custom_vjp_call", "flag_grad", under("custom_vjp3", jax.grad(lambda x: jnp.sum(tripled(x)))), f32(3))
near = core.MemorySpace.Device
case("with_memory_space_constraint", "device", lambda x: with_memory_space_constraint(x, near), f32(3))
case("accum_grad_in_ref", "value", lambda x: core.accum_grad_in_ref(x) * 2, f32(3))
case("dce_sink", "value", sunk, f32(3))
case("empty_ref", "written", emptied, f32(3))
case("free_ref", "written", emptied, f32(3))
case("PrimalLeftTangentRight", "bound", lambda x: ad_checkpoint.primal_left_tangent_right(x, x * 2), f32(3))
