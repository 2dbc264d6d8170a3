// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/linalg/types.hpp>

TEST_CASE("factorizations take square matrices of inexact numbers") {
  CHECK(reason_of("a:f32[5,3,3]", "b:f32[5,3,3]", "cholesky a") == "(none)");
  CHECK(reason_of("a:f32[3,4]", "b:f32[3,4]", "cholesky a") == "its matrix is not square: 3 and 4");
  CHECK(reason_of("a:f32[3]", "b:f32[3]", "cholesky a") == "operand 0 is f32[3]; it needs at least 2 dimensions");
  CHECK(reason_of("a:i32[3,3]", "b:i32[3,3]", "cholesky a") ==
        "operand 0 is i32[3,3]; it must be floating-point or complex");
  CHECK(reason_of("a:f32[3,3]", "b:f32[3,4]", "cholesky a") == "result 0 is f32[3,3], but is stated as f32[3,4]");
  CHECK(reason_of("a:f32[3,3] b:f32[2]", "c:f32[3,3]", "cholesky_update a b") ==
        "its matrix and its vector differ in size: 3 and 2");
  CHECK(reason_of("a:f32[2,3,3] b:f32[2,3]", "c:f32[2,3,3]", "cholesky_update a b") ==
        "operand 0 is f32[2,3,3]; it must have 2 dimensions");
  CHECK(reason_of("a:f32[3,2]", "b:f32[3,2] c:f32[2]", "hessenberg a") == "its matrix is not square: 3 and 2");
  CHECK(reason_of("a:f32[3,3]", "b:f32[3,3] c:f32[3]", "hessenberg a") ==
        "result 1 is f32[2], but is stated as f32[3]");
  CHECK(reason_of("a:f32[3,3]", "b:f32[3,3]",
                  "schur[compute_schur_vectors=True select_callable=None sort_eig_vals=False] a") ==
        "it has 1 result instead of 2");
  CHECK(reason_of("a:c64[3,3]", "b:c64[3,3] d:c64[3] e:f32[2] f:c64[2]", "tridiagonal[lower=True] a") ==
        "result 1 is f32[3], but is stated as c64[3]");
}

TEST_CASE("eigenvalues are as many as rows, or those of subset_by_index") {
  const auto eig = [](std::string_view results, std::string_view left) {
    return reason_of("a:f32[2,3,3]", results,
                     "eig[compute_left_eigenvectors=" + std::string(left) +
                         " compute_right_eigenvectors=False enable_eigvec_derivs=False implementation=None] a");
  };
  CHECK(eig("b:c64[2,3] c:c64[2,3,3]", "True") == "(none)");
  CHECK(eig("b:c64[2,3] c:c64[2,3,3]", "False") == "it has 2 results instead of 1");
  CHECK(eig("b:f32[2,3]", "False") == "result 0 is c64[2,3], but is stated as f32[2,3]");

  const auto eigh = [](std::string_view results, std::string_view subset) {
    return reason_of(
        "a:c64[4,4]", results,
        "eigh[algorithm=None lower=True sort_eigenvalues=True subset_by_index=" + std::string(subset) + "] a");
  };
  CHECK(eigh("b:c64[4,4] c:f32[4]", "None") == "(none)");
  CHECK(eigh("b:c64[4,4] c:c64[4]", "None") == "result 1 is f32[4], but is stated as c64[4]");
  CHECK(eigh("b:c64[4,4] c:f32[4]", "(1, 3)") == "result 0 is c64[4,2], but is stated as c64[4,4]");
  CHECK(eigh("b:c64[4,4] c:f32[4]", "(0, 5)") ==
        "its subset_by_index [0,5] is not a pair (first, end) with 0 <= first <= end <= 4");
  CHECK(eigh("b:c64[4,4] c:f32[4]", "(3, 2)") ==
        "its subset_by_index [3,2] is not a pair (first, end) with 0 <= first <= end <= 4");
  CHECK(eigh("b:c64[4,4] c:f32[4]", "(0,)") ==
        "its subset_by_index [0] is not a pair (first, end) with 0 <= first <= end <= 4");
}

TEST_CASE("factors of rectangular matrices") {
  const auto qr = [](std::string_view results, std::string_view full) {
    return reason_of("a:f32[3,2]", results,
                     "qr[full_matrices=" + std::string(full) + " pivoting=False use_magma=None] a");
  };
  CHECK(qr("b:f32[3,2] c:f32[2,2]", "False") == "(none)");
  CHECK(qr("b:f32[3,2] c:f32[2,2]", "True") == "result 0 is f32[3,3], but is stated as f32[3,2]");
  CHECK(qr("b:f32[3,2] c:f32[2,2] d:i32[2]", "False") == "it has 3 results instead of 2");

  const auto svd = [](std::string_view results, std::string_view full, std::string_view vectors) {
    return reason_of("a:f32[3,2]", results,
                     "svd[algorithm=None compute_uv=" + std::string(vectors) + " full_matrices=" + std::string(full) +
                         " subset_by_index=None] a");
  };
  CHECK(svd("b:f32[2] c:f32[3,3] d:f32[2,2]", "True", "True") == "(none)");
  CHECK(svd("b:f32[2] c:f32[3,3] d:f32[2,2]", "False", "True") == "result 1 is f32[3,2], but is stated as f32[3,3]");
  CHECK(svd("b:f32[2] c:f32[3,3] d:f32[2,2]", "True", "False") == "it has 3 results instead of 1");

  CHECK(reason_of("a:f32[3,2]", "b:f32[3,2] c:i32[3] d:i32[3]", "lu a") ==
        "result 1 is i32[2], but is stated as i32[3]");
  CHECK(reason_of("a:i32[3]", "b:i32[5]", "lu_pivots_to_permutation[permutation_size=5] a") == "(none)");
  CHECK(reason_of("a:i32[3]", "b:i32[2]", "lu_pivots_to_permutation[permutation_size=2] a") ==
        "its permutation_size is less than the number of its pivots");
  CHECK(reason_of("a:f32[3,2]", "b:f32[3,2] c:f32[3]", "geqrf a") == "result 1 is f32[2], but is stated as f32[3]");
  CHECK(reason_of("a:f32[3,2] b:i32[3]", "c:f32[3,2] d:i32[3] e:f32[2]", "geqp3[use_magma=None] a b") ==
        "its matrix and its pivots differ in size: 2 and 3");
}

TEST_CASE("reflectors have at most as many factors as columns") {
  CHECK(reason_of("a:f32[3,2] b:f32[2]", "c:f32[3,2]", "householder_product a b") == "(none)");
  CHECK(reason_of("a:f32[2,3] b:f32[2]", "c:f32[2,3]", "householder_product a b") ==
        "its matrix has fewer rows than columns");
  CHECK(reason_of("a:f32[3,2] b:f32[3]", "c:f32[3,2]", "householder_product a b") ==
        "it has more factors than columns");
  CHECK(reason_of("a:f32[3,2] b:f64[2]", "c:f32[3,2]", "householder_product a b") ==
        "operand 1 is f64[2], but operand 0 is f32[3,2]: their element types must be equal");
  const auto apply = [](std::string_view inputs, std::string_view left) {
    return reason_of(inputs, "d:f32[3,4]", "ormqr[left=" + std::string(left) + " transpose=False] a b c");
  };
  CHECK(apply("a:f32[3,2] b:f32[2] c:f32[3,4]", "True") == "(none)");
  CHECK(apply("a:f32[3,2] b:f32[2] c:f32[3,4]", "False") == "its matrices differ in size: 3 and 4");
  CHECK(apply("a:f32[3,2] b:f32[3] c:f32[3,4]", "True") == "it has more factors than reflectors");
}

TEST_CASE("systems of equations fit their right-hand sides") {
  const auto solve = [](std::string_view inputs, std::string_view left) {
    return reason_of(inputs, "c:f32[2,3,4]",
                     "triangular_solve[conjugate_a=False left_side=" + std::string(left) +
                         " lower=True transpose_a=False unit_diagonal=False] a b");
  };
  CHECK(solve("a:f32[2,3,3] b:f32[2,3,4]", "True") == "(none)");
  CHECK(solve("a:f32[2,3,3] b:f32[2,3,4]", "False") == "its matrices differ in size: 3 and 4");
  CHECK(solve("a:f32[1,3,3] b:f32[2,3,4]", "True") == "operands 0 and 1 have the different batches [1] and [2]");
  CHECK(solve("a:f32[2,3,4] b:f32[2,3,4]", "True") == "its matrix is not square: 3 and 4");
  CHECK(solve("a:c64[2,3,3] b:f32[2,3,4]", "True") ==
        "operand 1 is f32[2,3,4], but operand 0 is c64[2,3,3]: their element types must be equal");

  const auto diagonals = [](std::string_view inputs) {
    return reason_of(inputs, "e:f32[3,2]", "tridiagonal_solve[perturb_singular=False] a b c d");
  };
  CHECK(diagonals("a:f32[3] b:f32[3] c:f32[3] d:f32[3,2]") == "(none)");
  CHECK(diagonals("a:f32[3] b:f32[4] c:f32[3] d:f32[3,2]") == "its diagonals differ in size: 4 and 3");
  CHECK(diagonals("a:f32[3] b:f32[3] c:f32[3] d:f32[4,2]") == "its diagonals and its matrix differ in size: 4 and 3");
  CHECK(reason_of("a:f32[3,4] b:f32[4,4]", "c:f32[4,4]", "symmetric_product[alpha=1.0 beta=1.0] a b") ==
        "its matrices differ in size: 3 and 4");
}
