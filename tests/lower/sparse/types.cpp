// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/sparse/types.hpp>

namespace {

std::string todense_problem(std::string_view inputs, std::string_view result, std::string_view dims) {
  return reason_of(inputs, result, "bcoo_todense[spinfo=SparseInfo(shape=" + std::string(dims) + ")] a i");
}
std::string dot_problem(std::string_view result, std::string_view numbers) {
  return reason_of("a:f32[2,5,3] i:i32[2,5,1] b:f32[4,2]", result,
                   "bcoo_dot_general[dimension_numbers=" + std::string(numbers) +
                       " lhs_spinfo=SparseInfo(shape=(2, 4, 3)) preferred_element_type=None] a i b");
}
std::string spdot_problem(std::string_view results, std::string_view numbers, std::string_view rhs = "(4, 2)") {
  return reason_of("a:f32[5] i:i32[5,2] b:f32[6] j:i32[6,2]", results,
                   "bcoo_spdot_general[dimension_numbers=" + std::string(numbers) +
                       " lhs_spinfo=SparseInfo(shape=(3, 4)) rhs_spinfo=SparseInfo(shape=" + std::string(rhs) +
                       ") preferred_element_type=None] a i b j");
}

}  // namespace

TEST_CASE("data and indices have the form of a sparse array") {
  CHECK(todense_problem("a:f32[5] i:i32[5,2]", "c:f32[3,4]", "(3, 4)") == "(none)");
  CHECK(todense_problem("a:f32[1,5,2] i:u8[6,5,1]", "c:f32[6,3,2]", "(6, 3, 2)") == "(none)");
  CHECK(todense_problem("a:f32[N] i:i32[N,2]", "c:f32[3,4]", "(3, 4)") == "(none)");
  CHECK(todense_problem("a:f32[5] i:f32[5,2]", "c:f32[3,4]", "(3, 4)") ==
        "operand 1 is f32[5,2]; it must be signed integer or unsigned integer");
  CHECK(todense_problem("a:f32[5] i:i32[5]", "c:f32[3,4]", "(3, 4)") ==
        "operand 1 is i32[5], which cannot be indices of an array [3,4]");
  CHECK(todense_problem("a:f32[5] i:i32[5,3]", "c:f32[3,4]", "(3, 4)") ==
        "operand 1 is i32[5,3], which cannot be indices of an array [3,4]");
  CHECK(todense_problem("a:f32[6] i:i32[5,2]", "c:f32[3,4]", "(3, 4)") ==
        "operand 0 is f32[6]; the extents after its batch must be [5]");
  CHECK(todense_problem("a:f32[5,2] i:i32[5,2]", "c:f32[3,4]", "(3, 4)") ==
        "operand 0 is f32[5,2]; it must have 1 dimension");
  CHECK(todense_problem("a:f32[2,5] i:i32[3,5,1]", "c:f32[2,4]", "(2, 4)") ==
        "operand 1 is i32[3,5,1], but the array has the batch [2]");
  CHECK(todense_problem("a:bool[5] i:i32[5,2]", "c:bool[3,4]", "(3, 4)")
            .starts_with("operand 0 is bool[5]; it must be signed integer"));
  CHECK(todense_problem("a:f32[5] i:i32[5,2]", "c:f32[3,4]", "(3, -4)") == "its spinfo has a negative extent");
  CHECK(reason_of("a:f32[5] i:i32[5,2]", "c:f32[3,4]", "bcoo_todense[spinfo=5] a i") != "(none)");
  CHECK(reason_of("a:f32[5] i:i32[5,2]", "c:f32[3,4]", "bcoo_todense[spinfo=SparseInfo(sorted=True)] a i") ==
        "its spinfo has no shape");
}

TEST_CASE("a matrix in compressed rows has one more first element than rows") {
  const auto problem = [](std::string_view inputs) {
    return reason_of(inputs, "c:f32[3,4]", "bcsr_todense[spinfo=SparseInfo(shape=(3, 4))] a i p");
  };
  CHECK(problem("a:f32[5] i:i32[5] p:i32[4]") == "(none)");
  CHECK(problem("a:f32[5] i:i32[5] p:i32[3]") == "operand 2 is i32[3]; the extents after its batch must be [4]");
  CHECK(problem("a:f32[5] i:i32[1,5] p:i32[4]") ==
        "operand 1 is i32[1,5], which cannot hold column indices for an array [3,4]");
  CHECK(reason_of("a:f32[5] i:i32[5] p:i32[4]", "c:f32[3]", "csr_todense[shape=(3,)] a i p") ==
        "its shape [3] is not that of a matrix");
  CHECK(reason_of("a:f32[5] i:i32[5] j:i32[4]", "c:f32[3,4]",
                  "coo_todense[spinfo=COOInfo(shape=(3, 4), rows_sorted=False, cols_sorted=False)] a i j") ==
        "operand 2 is i32[4], but the shape of the row indices is [5]");
}

TEST_CASE("fromdense has axes of three kinds") {
  const auto problem = [](std::string_view results, std::string_view parameters) {
    return reason_of("a:f32[2,3,4]", results, "bcoo_fromdense[" + std::string(parameters) + "] a");
  };
  CHECK(problem("c:f32[2,5,4] i:i8[2,5,1]", "nse=5 n_batch=1 n_dense=1 index_dtype=int8") == "(none)");
  CHECK(problem("c:f32[2,5] i:i32[2,5,2]", "nse=5 n_batch=1 n_dense=0 index_dtype=<class 'numpy.int32'>") == "(none)");
  CHECK(problem("c:f32[5] i:i32[5,3]", "nse=5 n_batch=2 n_dense=2 index_dtype=int32") ==
        "its n_batch is 2 and its n_dense is 2: too many axes for operand 0, which is f32[2,3,4]");
  CHECK(problem("c:f32[5] i:f32[5,3]", "nse=5 n_batch=0 n_dense=0 index_dtype=float32") ==
        "its index_dtype f32 is not an integer type");
}

TEST_CASE("a permutation keeps the kinds of axes apart") {
  const auto problem = [](std::string_view permutation) {
    return reason_of(
        "a:f32[2,5,6] i:i32[2,5,2]", "c:f32[2,5,6] j:i32[2,5,2]",
        "bcoo_transpose[permutation=" + std::string(permutation) + " spinfo=SparseInfo(shape=(2, 3, 4, 6))] a i");
  };
  CHECK(problem("(0, 2, 1, 3)") == "(none)");
  CHECK(problem("(1, 0, 2, 3)") == "its permutation mixes batch, sparse and dense axes");
  CHECK(problem("(0, 1, 2)") == "its permutation does not name every axis");
  CHECK(problem("(0, 1, 1, 3)") == "its permutation names axis 1 twice");
}

TEST_CASE("a product contracts batch and sparse axes") {
  CHECK(dot_problem("c:f32[2,3,2]", "(((1,), (0,)), ((), ()))") == "(none)");
  CHECK(dot_problem("c:f32[4,3,4]", "(((0,), (1,)), ((), ()))") == "(none)");
  CHECK(dot_problem("c:f32[2,4,4]", "(((2,), (0,)), ((), ()))") ==
        "the axes that it pairs in lhs and rhs have the different extents [3] and [4]");
  CHECK(dot_problem("c:f32[4,2,3,2]", "(((), ()), ((1,), (0,)))") ==
        "its batch axes are not batch axes of the sparse array");
  CHECK(reason_of("a:f32[5,3] i:i32[5,1] b:f32[3]", "c:f32[4]",
                  "bcoo_dot_general[dimension_numbers=(((1,), (0,)), ((), ())) lhs_spinfo=SparseInfo(shape=(4, 3)) "
                  "preferred_element_type=None] a i b") == "it contracts dense axes of the sparse array");
  CHECK(reason_of("a:f32[5] r:i32[5] c:i32[5] v:f32[4]", "y:f32[3]",
                  "coo_matvec[spinfo=COOInfo(shape=(3, 4)) transpose=True] a r c v") ==
        "operand 3 is f32[4], but the matrix is [3,4]");
}

TEST_CASE("the product of two sparse arrays has as many elements as pairs, or as the array") {
  CHECK(spdot_problem("c:f32[6] k:i32[6,2]", "(((1,), (0,)), ((), ()))") == "(none)");
  CHECK(spdot_problem("c:f32[30] k:i32[30,2]", "(((1,), (0,)), ((), ()))") ==
        "result 0 is f32[6], but is stated as f32[30]");
  CHECK(spdot_problem("c:f32[12] k:i32[12,3]", "(((1,), (0,)), ((), ()))", "(4, 2, 2)") ==
        "operand 2 is f32[6]; it must have 2 dimensions");
  CHECK(spdot_problem("c:f32[6] k:i32[6,2]", "(((), ()), ((0,), (0,)))", "(3, 2)") ==
        "its batch axes are not batch axes of the sparse arrays");
}

TEST_CASE("a sparse system is square") {
  const auto problem = [](std::string_view inputs) {
    return reason_of(inputs, "x:f32[3]", "spsolve[reorder=1 tol=1e-06] a i p b");
  };
  CHECK(problem("a:f32[5] i:i32[5] p:i32[4] b:f32[3]") == "(none)");
  CHECK(problem("a:f32[5] i:i32[5] p:i32[5] b:f32[3]") ==
        "operand 2 is i32[5]; the extents after its batch must be [4]");
  CHECK(problem("a:i32[5] i:i32[5] p:i32[4] b:i32[3]") == "operand 0 is i32[5]; it must be floating-point or complex");
}

TEST_CASE("todense knows JAX's formats") {
  const auto problem = [](std::string_view tree) {
    return reason_of("a:f32[5] i:i32[5] p:i32[4]", "c:f32[3,4]", "todense[tree=" + std::string(tree) + "] a i p");
  };
  CHECK(problem("PyTreeDef(CustomNode(CSR[{'shape': (3, 4)}], [*, *, *]))") == "(none)");
  CHECK(problem("PyTreeDef(CustomNode(ELL[{'shape': (3, 4)}], [*, *, *]))") == "the format ELL is not one of JAX's");
  CHECK(problem("PyTreeDef(CustomNode(BCOO[{'shape': (3, 4)}], [*, *]))") == "it has 3 operands instead of 2");
  CHECK(problem("PyTreeDef([*, *, *])").starts_with("its tree PyTreeDef("));
}
