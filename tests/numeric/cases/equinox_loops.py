"""Loops and checks of Equinox, linear solves of Lineax."""
import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import optimistix

from table import arr, case, f32, i32


def doubled(x, limit):
    """Writes 2, 4, 8, … into a buffer."""
    body = lambda c: (c[0] + 1, c[1].at[c[0]].set(c[1][c[0] - 1] * 2))
    return eqxi.while_loop(lambda c: c[0] < limit, body, (1, x), buffers=lambda c: c[1], max_steps=6, kind="lax")


checked = lambda x: eqx.error_if(x, jnp.any(x > 5), "too large") * 2
newton = optimistix.Newton(1e-5, 1e-5)
case("maybe_set", "buffer", doubled, f32(5), arr(4, "int32"))
case("vprim", "batched_limit", jax.vmap(doubled), f32(2, 5), arr([2, 4], "int32"))
case("vprim", "shared_limit", jax.vmap(doubled, (0, None)), f32(2, 5), arr(3, "int32"))
case("vprim", "shared_buffer", jax.vmap(doubled, (None, 0)), f32(5), arr([1, 5, 2], "int32"))
case("unvmap_any", "error_if", checked, f32(3))
case("unvmap_any", "error_if_mapped", jax.vmap(checked), f32(3))
case("select_if_vmap", "checkpointed_gradient", jax.grad(lambda x: eqxi.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x), max_steps=4, kind="checkpointed")[1].sum()), f32(2))
case("linear_solve", "newton", lambda y: optimistix.root_find(lambda y, a: y - jnp.tanh(y + 1), newton, y, throw=False).value, f32(2).between(0.5, 1))
case("linear_solve", "diagonal", jax.grad(lambda c: optimistix.root_find(lambda y, a: y**3 + y - a, newton, jnp.array(0.5), args=c).value), f32())
