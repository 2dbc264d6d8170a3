import jax.numpy as jnp
import numpy as np
from jax import lax

from table import case, f32, i32, spec

case("dot_general", "vector_vector", jnp.dot, f32(5), f32(5))
case("dot_general", "matrix_vector", jnp.dot, f32(3, 5), f32(5))
case("dot_general", "matrix_matrix", jnp.dot, f32(3, 5), f32(5, 2))
case("dot_general", "batch", jnp.matmul, f32(2, 3, 5), f32(2, 5, 4))
case("dot_general", "broadcast_batch", jnp.matmul, f32(2, 3, 5), f32(5, 4))
case("dot_general", "transposed", lambda x, y: lax.dot_general(x, y, (((1,), (1,)), ((), ()))), f32(3, 5), f32(4, 5))
case("dot_general", "both_transposed", lambda x, y: lax.dot_general(x, y, (((0,), (1,)), ((), ()))), f32(5, 3), f32(4, 5))
case("dot_general", "two_contracting", lambda x, y: lax.dot_general(x, y, (((1, 2), (2, 0)), ((), ()))), f32(2, 3, 4), f32(4, 5, 3))
case("dot_general", "batch_in_the_middle", lambda x, y: lax.dot_general(x, y, (((2,), (0,)), ((1,), (2,)))), f32(2, 3, 4), f32(4, 5, 3))
case("dot_general", "two_batches", lambda x, y: lax.dot_general(x, y, (((3,), (2,)), ((0, 1), (1, 0)))), f32(2, 3, 4, 5), f32(3, 2, 5, 6))
case("dot_general", "no_contracting", lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))), f32(2, 3), f32(4))
case("dot_general", "batch_only", lambda x, y: lax.dot_general(x, y, (((), ()), ((0,), (0,)))), f32(2, 3), f32(2))
case("dot_general", "empty_contraction", jnp.dot, f32(3, 0), f32(0, 2))
case("dot_general", "symbolic", jnp.dot, f32("B", 5), f32(5, 2))
case("dot_general", "symbolic_batch", jnp.matmul, f32("B", 3, 5), f32("B", 5, 2))
case("dot_general", "symbolic_self", lambda x: x @ x.T, f32("B", 5))
for dtype in ["float16", "bfloat16", "int32", "int8", "uint8", "uint32"]:
    case("dot_general", dtype, lambda x, y: lax.dot(x, y), spec(dtype, (3, 5)), spec(dtype, (5, 2)))
case("dot_general", "float64", lambda x, y: lax.dot(x, y), spec("float64", (3, 5)), spec("float64", (5, 2)), x64=True)
case("dot_general", "preferred_i32", lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32), spec("int8", (3, 5), -99, 99), spec("int8", (5, 2), -99, 99))
case("dot_general", "preferred_f32", lambda x, y: lax.dot(x, y, preferred_element_type=jnp.float32), spec("bfloat16", (3, 5)), spec("bfloat16", (5, 2)))
case("dot_general", "wrapping_i32", lambda x, y: lax.dot(x, y), i32(2, 3).between(1 << 20, 1 << 30), i32(3, 2).between(1 << 20, 1 << 30))
case("einsum", "attention_scores", lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k), f32(2, 3, 2, 4), f32(2, 5, 2, 4))
case("einsum", "outer_sum", lambda x, y: jnp.einsum("ij,jk,k->i", x, y, np.ones(4, "f4")), f32(2, 3), f32(3, 4))
case("einsum", "trace", lambda x: jnp.einsum("ii->i", x), f32(3, 3))
weights, bias = np.linspace(-1, 1, 15, dtype="f4").reshape(5, 3), np.arange(3, dtype="f4")
case("dot_general", "dense", lambda x: x @ weights + bias, f32(2, 5))
case("dot_general", "dense_symbolic", lambda x: x @ weights + bias, f32("B", 5))
