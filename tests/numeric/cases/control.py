import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from table import arr, boolean, case, f32, i32

weights = np.linspace(-0.5, 0.5, 9, dtype="f4").reshape(3, 3)
case("scan", "cumulative", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs), f32(4, 3))
case("scan", "reverse", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros(3), xs, reverse=True), f32(4, 3))
case("scan", "two_carries", lambda xs, ys: lax.scan(lambda c, x: ((c[1], c[0] + x[0]), (c[0], x[1])), (jnp.zeros(3), jnp.ones(3)), (xs, ys)), f32(4, 3), f32(4, 2))
case("scan", "captures", lambda w, xs: lax.scan(lambda c, x: (jnp.tanh(c @ w + x), c.sum()), jnp.zeros(3), xs), f32(3, 3), f32(4, 3))
case("scan", "constants", lambda xs: lax.scan(lambda c, x: (jnp.tanh(c @ weights + x), None), jnp.zeros(3), xs), f32(4, 3))
case("scan", "no_inputs", lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=3), f32(2))
case("scan", "zero_length", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs), f32(0, 3))
case("scan", "carry_only", lambda xs: lax.scan(lambda c, x: (c + x, None), 0.0, xs), f32(4))
case("scan", "nested", lambda xs: lax.scan(lambda c, x: lax.scan(lambda d, y: (d + y, d), c, x), 0.0, xs), f32(3, 4))
case("scan", "bool_carry", lambda xs: lax.scan(lambda c, x: (c | (x > 1), c), False, xs), f32(6))
case("scan", "lstm_cell", lambda h, xs: lax.scan(lambda c, x: ((jax.nn.sigmoid(x) * c[0] + jnp.tanh(c[1]), jnp.tanh(c[0])), c[1]), (h, h), xs), f32(3), f32(4, 3))
case("scan", "symbolic_batch", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros_like(xs[0]), xs), f32(4, "B"))
case("scan", "symbolic_length", lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs), f32("B", 3))
case("while", "count", lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.5), (0, x)), f32(3))
case("while", "data_dependent", lambda x: lax.while_loop(lambda v: jnp.sum(v) < 100, lambda v: v * 2, x), f32(3).between(0.5, 1))
case("while", "never", lambda x: lax.while_loop(lambda v: jnp.sum(v) < -100, lambda v: v * 2, x), f32(3))
case("while", "captures", lambda x, w, limit: lax.while_loop(lambda v: jnp.max(v) < limit, lambda v: v + jnp.abs(w), x), f32(3), f32(3).between(1, 2), arr(7.5))
case("fori_loop", "static", lambda x: lax.fori_loop(0, 4, lambda i, v: v + i, x), f32(3))
case("fori_loop", "dynamic", lambda x, n: lax.fori_loop(0, n, lambda i, v: v.at[i].set(-1.0), x), f32(5), arr(3, "int32"))
case("cond", "two", lambda p, x: lax.cond(p, lambda v: v + 1, lambda v: v * 2, x), boolean(), f32(3))
case("cond", "captures", lambda p, x, y: lax.cond(p, lambda: x @ y, lambda: y @ x), arr(False, "bool"), f32(3, 3), f32(3, 3))
case("cond", "identity_branch", lambda p, x: lax.cond(p, lambda v: v, lambda v: v * 2, x), arr(True, "bool"), f32(3))
case("cond", "constant_branch", lambda p: lax.cond(p, lambda: jnp.zeros(3), lambda: jnp.arange(3.0)), arr(False, "bool"))
case("cond", "many_results", lambda p, x: lax.cond(p, lambda v: (v, v + 1, 3), lambda v: (v - 1, v, 4), x), arr(False, "bool"), f32(3))
for index in [-5, 0, 1, 2, 9]:
    case("cond", f"switch_{index}".replace("-", "minus"), lambda i, x: lax.switch(i, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], x), arr(index, "int32"), f32(3))
case("cond", "in_scan", lambda xs: lax.scan(lambda c, x: (lax.cond(x > 0, lambda: c + x, lambda: c - 1), c), 0.0, xs), f32(6))
case("map", "lax", lambda xs: lax.map(lambda x: jnp.sin(x) * x.sum(), xs), f32(4, 3))
case("pjit", "nested", lambda x: jax.jit(lambda v: jax.jit(jnp.tanh)(v) + 1)(x), f32(3))
case("custom_jvp_call", "relu", lambda x: jax.nn.relu(x), f32(3))
case("remat", "checkpoint", lambda x: jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x), f32(3))
case("gradient", "dense", jax.grad(lambda w: jnp.sum(jnp.tanh(jnp.ones(3) @ w) ** 2)), f32(3, 2))
case("gradient", "scan", jax.grad(lambda xs: lax.scan(lambda c, x: (jnp.sin(c + x), None), 0.0, xs)[0]), f32(4))
case("associative_scan", "add", lambda x: lax.associative_scan(jnp.add, x), f32(8))
case("while", "loop_counter_i32", lambda n: lax.while_loop(lambda i: i * i < n, lambda i: i + 1, 0), i32().between(5, 9))
