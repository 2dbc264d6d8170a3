# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays of jax.experimental.sparse."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import sparse
from jax.experimental.sparse import bcoo, bcsr, coo, csr
from jax.experimental.sparse.linalg import spsolve
from jax.experimental.sparse.util import SparseInfo

from table import arr, bf16, boolean, c64, case, f16, f32, f64, i8, i32, spec

NAN, INF = float("nan"), float("inf")

# Indices of an array [3, 4]: a duplicate, one that counts from the end, padding in one axis and in both.
PLACES = arr([[2, 1], [0, 3], [2, 1], [-1, -4], [3, 0], [1, 4], [3, 4]], "int32")
# Indices of two arrays [3]: with padding and duplicates.
BATCH = arr([[[0], [2], [2]], [[3], [1], [-3]]], "int32")


def sparse_elements(*shape, dtype="float32"):
    """Every other element of a dense array is zero."""
    return arr(np.arange(1, np.prod(shape) + 1).reshape(shape) * (np.indices(shape).sum(0) % 2), dtype)


# todense
todense = lambda *shape: lambda data, indices: bcoo._bcoo_todense(data, indices, spinfo=SparseInfo(shape))
case("bcoo_todense", "places", todense(3, 4), f32(7), PLACES)
case("bcoo_todense", "nan_and_infinity", todense(3), arr([NAN, INF, -0.0, INF]), arr([[0], [1], [2], [3]], "int32"))
case("bcoo_todense", "unsigned", todense(3), i32(3), arr([[0], [3], [4294967295]], "uint32"))
case("bcoo_todense", "int8", todense(3, 4), i8(7), PLACES)
case("bcoo_todense", "bfloat16", todense(3, 4), bf16(7), PLACES)
case("bcoo_todense", "float16", todense(3, 4), f16(7), PLACES)
case("bcoo_todense", "complex", todense(3, 4), c64(7), PLACES)
case("bcoo_todense", "float64", todense(3, 4), f64(7), arr(PLACES.values, "int64"), x64=True)
case("bcoo_todense", "dense_axes", todense(3, 4, 2), f32(7, 2), PLACES)
case("bcoo_todense", "batch", todense(2, 3), f32(2, 3), BATCH)
case("bcoo_todense", "broadcast_data", todense(2, 3), f32(1, 3), BATCH)
case("bcoo_todense", "broadcast_indices", todense(2, 3, 4), f32(2, 7), arr(PLACES.values[None], "int32"))
case("bcoo_todense", "broadcast_both", todense(2, 3), f32(1, 3), arr(BATCH.values[:1], "int32"))
case("bcoo_todense", "no_sparse_axes", todense(2, 3), f32(4, 2, 3), i32(4, 0))
case("bcoo_todense", "no_elements", todense(3, 4), f32(0), i32(0, 2))
case("bcoo_todense", "no_rows", todense(0, 4), f32(2), arr([[0, 1], [1, 2]], "int32"))
case("bcoo_todense", "mapped", jax.vmap(todense(3, 4), (0, None)), f32(2, 7), PLACES)
case("bcoo_todense", "gradient", jax.grad(lambda d, i: jnp.sum(todense(3, 4)(d, i) ** 2)), f32(7), PLACES)

# fromdense
fromdense = lambda nse, **more: lambda x: tuple(bcoo._bcoo_fromdense(x, nse=nse, **more))
case("bcoo_fromdense", "exact", fromdense(6), sparse_elements(3, 4))
case("bcoo_fromdense", "padded", fromdense(20), sparse_elements(3, 4))
case("bcoo_fromdense", "cut_off", fromdense(3), sparse_elements(3, 4))
case("bcoo_fromdense", "nan", fromdense(4), arr([[0.0, NAN, -0.0], [INF, 0.0, 1.0]]))
case("bcoo_fromdense", "int8", fromdense(5), sparse_elements(3, 4, dtype="int8"))
case("bcoo_fromdense", "complex", fromdense(5), c64(2, 2))
case("bcoo_fromdense", "index_dtype", fromdense(5, index_dtype=jnp.int8), sparse_elements(3, 4))
case("bcoo_fromdense", "dense_axis", fromdense(3, n_dense=1), sparse_elements(4, 3))
case("bcoo_fromdense", "batch", fromdense(3, n_batch=1), sparse_elements(3, 4))
case("bcoo_fromdense", "no_sparse_axes", fromdense(3, n_batch=1, n_dense=1), sparse_elements(2, 1))
case("bcoo_fromdense", "no_dense_elements", fromdense(2, n_dense=1), f32(3, 0))
case("bcoo_fromdense", "no_elements", fromdense(0), sparse_elements(3, 4))
case("bcoo_fromdense", "gradient", jax.grad(lambda x: jnp.sum(fromdense(6)(x)[0] ** 2)), sparse_elements(3, 4))

# extract
extract = lambda unique: lambda indices, x: bcoo._bcoo_extract(indices, x, assume_unique=unique)
case("bcoo_extract", "places", extract(True), PLACES, f32(3, 4))
case("bcoo_extract", "duplicates", extract(False), PLACES, f32(3, 4))
case("bcoo_extract", "negative_zero", extract(False), arr([[0], [0], [1]], "int32"), arr([-0.0, NAN]))
case("bcoo_extract", "boolean", extract(True), PLACES, boolean(3, 4))
case("bcoo_extract", "complex_duplicates", extract(False), PLACES, c64(3, 4))
case("bcoo_extract", "dense_axis", extract(False), PLACES, f32(3, 4, 2))
case("bcoo_extract", "batch", extract(False), BATCH, f32(2, 3))
case("bcoo_extract", "broadcast_indices", extract(True), arr(PLACES.values[None], "int32"), f32(2, 3, 4))
case("bcoo_extract", "no_sparse_axes", extract(True), i32(3, 0), f32(2))
case("bcoo_extract", "gradient", jax.grad(lambda x, i: jnp.sum(extract(True)(i, x) ** 2)), f32(3, 4), PLACES)

# transpose
transpose = lambda p, *shape: lambda d, i: tuple(bcoo._bcoo_transpose(d, i, permutation=p, spinfo=SparseInfo(shape)))
case("bcoo_transpose", "matrix", transpose((1, 0), 3, 4), f32(7), PLACES)
case(
    "bcoo_transpose", "all_kinds", transpose((1, 0, 3, 2, 5, 4), 2, 3, 4, 5, 6, 7), c64(2, 1, 3, 6, 7), i32(1, 3, 3, 2)
)

# sort_indices, sum_duplicates
sort = lambda *shape: lambda d, i: tuple(bcoo.bcoo_sort_indices_p.bind(d, i, spinfo=SparseInfo(shape)))
case("bcoo_sort_indices", "places", sort(3, 4), f32(7), PLACES)
case("bcoo_sort_indices", "complex_dense_axis", sort(3, 4, 2), c64(7, 2), PLACES)
case("bcoo_sort_indices", "boolean", sort(3, 4), boolean(7), PLACES)
case("bcoo_sort_indices", "batch", sort(2, 3), f32(1, 3), BATCH)
case("bcoo_sort_indices", "broadcast_indices", sort(2, 3), f32(2, 3), arr(BATCH.values[1:], "int32"))
case("bcoo_sort_indices", "no_sparse_axes", sort(2), f32(3, 2), i32(3, 0))
case("bcoo_sort_indices", "no_dense_elements", sort(3, 4, 0), f32(7, 0), PLACES)
case("bcoo_sort_indices", "no_elements", sort(3, 4), f32(0), i32(0, 2))

combined = lambda nse, *shape: lambda d, i: tuple(bcoo._bcoo_sum_duplicates(d, i, spinfo=SparseInfo(shape), nse=nse))
case("bcoo_sum_duplicates", "places", combined(7, 3, 4), f32(7), PLACES)
case("bcoo_sum_duplicates", "padded", combined(9, 3, 4), f32(7), PLACES)
case("bcoo_sum_duplicates", "cut_off", combined(2, 3, 4), f32(7), PLACES)
case("bcoo_sum_duplicates", "nan", combined(2, 3), arr([NAN, 1.0, INF]), arr([[1], [1], [0]], "int32"))
case("bcoo_sum_duplicates", "int8", combined(4, 3, 4), i8(7), PLACES)
case("bcoo_sum_duplicates", "complex_dense_axis", combined(5, 3, 4, 2), c64(7, 2), PLACES)
case("bcoo_sum_duplicates", "batch", combined(3, 2, 3), f32(2, 3), BATCH)
case("bcoo_sum_duplicates", "broadcast_data", combined(2, 2, 3), f32(1, 3), BATCH)
case("bcoo_sum_duplicates", "broadcast_indices", combined(4, 2, 3), f32(2, 3), arr(BATCH.values[:1], "int32"))
case("bcoo_sum_duplicates", "no_sparse_axes", combined(2, 3), f32(4, 3), i32(4, 0))
case("bcoo_sum_duplicates", "no_elements", combined(2, 3, 4), f32(0), i32(0, 2))
case("bcoo_sum_duplicates", "no_dense_elements", combined(5, 3, 4, 0), f32(7, 0), PLACES)
case("bcoo_sum_duplicates", "none_wanted", combined(0, 3, 4), f32(7), PLACES)


# dot_general
def dot(shape, contracted, batch=((), ()), **more):
    more = {"preferred_element_type": None, **more}
    numbers = (contracted, batch)
    return lambda d, i, x: bcoo._bcoo_dot_general(
        d, i, x, dimension_numbers=numbers, lhs_spinfo=SparseInfo(shape), **more
    )


rows = dot((3, 4), ((1,), (0,)))
case("bcoo_dot_general", "matrix", rows, f32(7), PLACES, f32(4, 2))
case("bcoo_dot_general", "vector", rows, f32(7), PLACES, f32(4))
case("bcoo_dot_general", "nan_and_infinity", rows, arr([1, 0, 2, INF, 3, INF, 4.0]), PLACES, arr([NAN, 1, INF, 0.0]))
case("bcoo_dot_general", "transposed", dot((3, 4), ((0,), (1,))), f32(7), PLACES, f32(2, 3))
case("bcoo_dot_general", "both_axes", dot((3, 4), ((1, 0), (0, 2))), f32(7), PLACES, f32(4, 2, 3))
case("bcoo_dot_general", "outer", dot((3, 4), ((), ())), f32(7), PLACES, f32(2))
case("bcoo_dot_general", "int8", rows, i8(7), PLACES, i8(4, 2))
case("bcoo_dot_general", "complex", rows, c64(7), PLACES, c64(4, 2))
case("bcoo_dot_general", "real_complex", rows, f32(7), PLACES, c64(4, 2))
case("bcoo_dot_general", "bfloat16", rows, bf16(7), PLACES, bf16(4, 2))
wide = dot((3, 4), ((1,), (0,)), preferred_element_type=jnp.float32)
case("bcoo_dot_general", "wide_result", wide, bf16(7), PLACES, bf16(4, 2))
case("bcoo_dot_general", "float64", rows, f64(7), arr(PLACES.values, "int64"), f64(4, 2), x64=True)
case("bcoo_dot_general", "dense_axis", dot((3, 4, 2), ((0,), (0,))), f32(7, 2), PLACES, f32(3, 5))
case("bcoo_dot_general", "batch", dot((2, 3), ((1,), (1,)), ((0,), (0,))), f32(2, 3), BATCH, f32(2, 3, 4))
case("bcoo_dot_general", "free_batch", dot((2, 3), ((1,), (0,))), f32(1, 3), BATCH, f32(3, 2))
case("bcoo_dot_general", "contracted_batch", dot((2, 3), ((0,), (0,))), f32(2, 3), BATCH, f32(2, 5))
case("bcoo_dot_general", "contracted_all", dot((2, 3), ((0, 1), (1, 0))), f32(2, 3), BATCH, f32(3, 2, 5))
case(
    "bcoo_dot_general",
    "broadcast_indices",
    dot((2, 3), ((1,), (1,)), ((0,), (0,))),
    f32(2, 3),
    arr(BATCH.values[1:], "int32"),
    f32(2, 3, 4),
)
case("bcoo_dot_general", "no_sparse_axes", dot((2, 3), ((), ()), ((0,), (0,))), f32(2, 4, 3), i32(2, 4, 0), f32(2, 5))
case("bcoo_dot_general", "no_elements", rows, f32(0), i32(0, 2), f32(4, 2))
case("bcoo_dot_general", "no_columns", rows, f32(7), PLACES, f32(4, 0))
case("bcoo_dot_general", "symbolic_columns", rows, f32(7), PLACES, f32(4, "B"))
case("bcoo_dot_general", "symbolic_elements", rows, f32("N"), spec("int32", ("N", 2), -3, 3), f32(4, 2))
case("bcoo_dot_general", "mapped", jax.vmap(rows, (None, None, 0)), f32(7), PLACES, f32(3, 4, 2))
case("bcoo_dot_general", "mapped_data", jax.vmap(rows, (0, None, None)), f32(3, 7), PLACES, f32(4))
total = lambda f: lambda *operands: jnp.sum(jnp.sin(f(*operands)))
case("bcoo_dot_general", "gradient", jax.grad(total(rows), (0, 2)), f32(7), PLACES, f32(4, 2))
batched_gradient = jax.grad(total(dot((2, 3), ((1,), (1,)), ((0,), (0,)))), (0, 2))
case("bcoo_dot_general", "batched_gradient", batched_gradient, f32(2, 3), BATCH, f32(2, 3, 4))


@sparse.sparsify
def layer(m, x):
    return jnp.tanh(2 * m @ x).sum(0)


case(
    "bcoo_dot_general", "sparsify", lambda d, i, x: layer(sparse.BCOO((d, i), shape=(3, 4)), x), f32(7), PLACES, f32(4)
)

# dot_general_sampled
numbers = lambda contracted, batch=((), ()): {"dimension_numbers": (contracted, batch)}
sampled = lambda *n: lambda a, b, i: bcoo.bcoo_dot_general_sampled(a, b, i, **numbers(*n))
INFINITE = arr([INF, 1, 2], "float32")
case("bcoo_dot_general_sampled", "vectors", sampled(((), ())), INFINITE, f32(4), PLACES)
case("bcoo_dot_general_sampled", "vectors_rows", sampled(((), ())), f32(2), f32(3), BATCH)
case("bcoo_dot_general_sampled", "vectors_batch", sampled(((), ())), f32(2), f32(3), i32(2, 3, 4, 0))
case("bcoo_dot_general_sampled", "matrices", sampled(((1,), (0,))), f32(3, 5), f32(5, 4), PLACES)
case("bcoo_dot_general_sampled", "turned", sampled(((0,), (1,))), c64(5, 3), c64(4, 5), PLACES)
case("bcoo_dot_general_sampled", "rows", sampled(((1,), (1,))), f32(2, 5), f32(3, 5), BATCH)
case("bcoo_dot_general_sampled", "batch", sampled(((1,), (1,))), f32(2, 5), f32(3, 5), i32(2, 3, 4, 0))
case("bcoo_dot_general_sampled", "any", sampled(((1,), (2,)), ((0,), (0,))), f32(2, 4), f32(2, 3, 4), BATCH)
case("bcoo_dot_general_sampled", "no_elements", sampled(((1,), (0,))), f32(3, 5), f32(5, 4), i32(0, 2))


# spdot_general
def spdot(lhs, rhs, contracted, batch=((), ())):
    infos = {"lhs_spinfo": SparseInfo(lhs), "rhs_spinfo": SparseInfo(rhs)}
    return lambda *operands: tuple(
        bcoo._bcoo_spdot_general(*operands, **infos, **numbers(contracted, batch), preferred_element_type=None)
    )


COLUMNS = arr([[0, 1], [1, 0], [3, 1], [4, 0]], "int32")
case("bcoo_spdot_general", "matrices", spdot((3, 4), (4, 2), ((1,), (0,))), f32(7), PLACES, f32(4), COLUMNS)
case("bcoo_spdot_general", "complex", spdot((3, 4), (4, 2), ((1,), (0,))), c64(7), PLACES, c64(4), COLUMNS)
case(
    "bcoo_spdot_general",
    "nan",
    spdot((3,), (3,), ((0,), (0,))),
    arr([NAN, INF]),
    arr([[0], [1]], "int32"),
    arr([0.0]),
    arr([[1]], "int32"),
)
case("bcoo_spdot_general", "outer", spdot((3, 4), (2,), ((), ())), f32(7), PLACES, f32(2), arr([[1], [2]], "int32"))
case(
    "bcoo_spdot_general", "batch", spdot((2, 3), (2, 3), ((1,), (1,)), ((0,), (0,))), f32(2, 3), BATCH, f32(1, 3), BATCH
)
case("bcoo_spdot_general", "free_batch", spdot((2, 3), (2, 3), ((1,), (1,))), f32(2, 3), BATCH, f32(2, 3), BATCH)
case("bcoo_spdot_general", "no_elements", spdot((3, 4), (4, 2), ((1,), (0,))), f32(0), i32(0, 2), f32(4), COLUMNS)

# Compressed rows: an empty row, and an element after the last row.
FIRSTS, CELLS = arr([0, 2, 2, 4], "int32"), arr([1, 3, 0, 1, 2], "int32")
info = SparseInfo((3, 4))
case("bcsr_todense", "matrix", lambda *m: bcsr._bcsr_todense(*m, spinfo=info), f32(5), CELLS, FIRSTS)
case(
    "bcsr_todense", "no_elements", lambda *m: bcsr._bcsr_todense(*m, spinfo=info), f32(0), i32(0), arr([0] * 4, "int32")
)
dense_rows = lambda *m: bcsr._bcsr_todense(*m, spinfo=SparseInfo((2, 3, 4, 2)))
case(
    "bcsr_todense",
    "batch",
    dense_rows,
    c64(2, 5, 2),
    arr([CELLS.values], "int32"),
    arr([FIRSTS.values, [0, 0, 1, 5]], "int32"),
)
case("bcsr_extract", "matrix", bcsr.bcsr_extract, CELLS, FIRSTS, f32(3, 4))
case("bcsr_extract", "dense_axis", bcsr.bcsr_extract, CELLS, FIRSTS, c64(3, 4, 2))
compressed = lambda nse, **more: lambda x: tuple(bcsr._bcsr_fromdense(x, nse=nse, **more))
case("bcsr_fromdense", "padded", compressed(8), sparse_elements(3, 4))
case("bcsr_fromdense", "cut_off", compressed(3), sparse_elements(3, 4))
case("bcsr_fromdense", "batch_dense_axis", compressed(3, n_batch=1, n_dense=1), sparse_elements(2, 3, 2, 2))
row_product = lambda n: (
    lambda *m: bcsr._bcsr_dot_general(*m, dimension_numbers=n, preferred_element_type=None, lhs_spinfo=info)
)
case("bcsr_dot_general", "matrix", row_product((((1,), (0,)), ((), ()))), f32(5), CELLS, FIRSTS, f32(4, 2))
case("bcsr_dot_general", "vector", row_product((((1,), (0,)), ((), ()))), c64(5), CELLS, FIRSTS, c64(4))
case("bcsr_dot_general", "transposed", row_product((((0,), (0,)), ((), ()))), f16(5), CELLS, FIRSTS, f16(3, 2))

for turned, length in [(False, 4), (True, 3)]:
    name = "transposed" if turned else "plain"
    by_rows = lambda f, turned=turned: lambda *m: f(*m, shape=(3, 4), transpose=turned)
    by_places = lambda f, turned=turned: (
        lambda d, i, x: f(d, i[:, 0], i[:, 1], x, spinfo=coo.COOInfo(shape=(3, 4)), transpose=turned)
    )
    case("csr_matvec", name, by_rows(csr._csr_matvec), f32(5), CELLS, FIRSTS, f32(length))
    case("csr_matmat", name, by_rows(csr._csr_matmat), c64(5), CELLS, FIRSTS, c64(length, 2))
    case("coo_matvec", name, by_places(coo._coo_matvec), f32(7), PLACES, f32(length))
    case("coo_matmat", name, by_places(coo._coo_matmat), i32(7), PLACES, i32(length, 2))
case("csr_todense", "matrix", lambda *m: csr._csr_todense(*m, shape=(3, 4)), f32(5), CELLS, FIRSTS)
case("csr_fromdense", "padded", lambda x: tuple(csr._csr_fromdense(x, nse=8)), sparse_elements(3, 4))
matrix_info = coo.COOInfo(shape=(3, 4))
case("coo_todense", "places", lambda d, i: coo._coo_todense(d, i[:, 0], i[:, 1], spinfo=matrix_info), f32(7), PLACES)
case("coo_fromdense", "padded", lambda x: tuple(coo._coo_fromdense(x, nse=8)), sparse_elements(3, 4))
for format, fields in [
    (sparse.BCOO, [f32(7), PLACES]),
    (sparse.BCSR, [f32(5), CELLS, FIRSTS]),
    (sparse.CSR, [f32(5), CELLS, FIRSTS]),
    (sparse.COO, [f32(5), CELLS, arr([0, 1, 2, 3, 1], "int32")]),
]:
    case("todense", format.__name__, lambda *m, f=format: sparse.todense(f(m, shape=(3, 4))), *fields)
case("todense", "CSC", lambda *m: sparse.todense(sparse.CSC(m, shape=(4, 3))), f32(5), CELLS, FIRSTS)
case("todense", "dense", sparse.todense, f32(3))

# Systems of equations: one matrix whose diagonal needs no row exchange, one whose diagonal is zero.
case(
    "spsolve",
    "float32",
    spsolve,
    arr([4, 1, 3, -1, 5.0]),
    arr([0, 1, 1, 0, 2], "int32"),
    arr([0, 2, 3, 5], "int32"),
    f32(3),
)
case("spsolve", "exchanged", spsolve, arr([2, 3.0]), arr([1, 0], "int32"), arr([0, 1, 2], "int32"), f32(2))
case(
    "spsolve",
    "complex",
    spsolve,
    arr([4, 1j, 3], "complex64"),
    arr([0, 1, 1], "int32"),
    arr([0, 2, 3], "int32"),
    c64(2),
)
case(
    "spsolve",
    "float64",
    spsolve,
    arr([4, 1, 3], "float64"),
    arr([0, 1, 1], "int32"),
    arr([0, 2, 3], "int32"),
    f64(2),
    x64=True,
)
solved = jax.grad(lambda d, i, p, b: jnp.sum(spsolve(d, i, p, b) ** 2), (0, 3))
case("spsolve", "gradient", solved, arr([4, 1, 3.0]), arr([0, 1, 1], "int32"), arr([0, 2, 3], "int32"), f32(2))
