// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/affine_form.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::affine_form;

namespace {

/// Checks `check(h, x)` in the body of a Scan with a state h[2,4] and elements x[2,3].
template <class Check>
void in_body(model& m, const Check& check) {
  scan(m.g, {m.in({2, 4})}, {m.in({5, 2, 3})},
       [&](const std::vector<value>& states, const std::vector<value>& elements) {
         check(states[0], elements[0]);
         return loop_step{{}, states, {}};
       });
}

}  // namespace

TEST_CASE("affine_form: products, biases, and parts of both") {
  model m;
  const value w = m.weight({3, 8}), r = m.weight({4, 8}), b = m.weight({8});
  in_body(m, [&](const value& h, const value& x) {
    const value sum = add(add(matmul(x, w), matmul(h, r)), b);
    affine_form form(m.g.current());
    REQUIRE(form.add(slice(sum, 1, 4, 8)));
    REQUIRE(form.terms().size() == 3);
    CHECK(form.rest().empty());
    CHECK(same_value(form.terms()[0].source, x));
    CHECK(same_value(form.terms()[0].matrix, w));
    CHECK(same_value(form.terms()[1].source, h));
    CHECK_FALSE(form.terms()[2].source);
    CHECK(same_value(form.terms()[2].matrix, b));
    for (const rewrite::affine_term& t : form.terms()) {
      CHECK(t.taken.first == 4);
      CHECK(t.taken.count == 4);
    }
  });
}

TEST_CASE("affine_form: values side by side take rows of the matrix") {
  model m;
  const value w = m.weight({7, 4});
  in_body(m, [&](const value& h, const value& x) {
    affine_form form(m.g.current());
    REQUIRE(form.add(matmul(concat({x, h}, 1), w)));
    REQUIRE(form.terms().size() == 2);
    CHECK(same_value(form.terms()[1].source, h));
    CHECK(form.terms()[1].first_row == 3);
    CHECK(form.terms()[1].row_count == 4);
  });
}

TEST_CASE("affine_form: terms that are not products are the rest") {
  model m;
  const value w = m.weight({3, 4});
  in_body(m, [&](const value& h, const value& x) {
    const value tanh = unary("Tanh", h);
    affine_form form(m.g.current()), other(m.g.current());
    REQUIRE(form.add(add(matmul(x, w), tanh)));
    REQUIRE(form.rest().size() == 1);
    CHECK(same_value(form.rest()[0], tanh));
    REQUIRE(other.add(slice(add(matmul(x, w), tanh), 1, 0, 2)));
    CHECK(other.rest().size() == 1);
    CHECK(other.terms().empty());
  });
}

TEST_CASE("affine_form: columns that come first") {
  model m;
  const value w = m.weight({8, 4}), b = m.weight({8, 1});
  in_body(m, [&](const value& h, const value& x) {
    const value sum = add(matmul(w, transpose(h, {1, 0})), b);  // [8, 2]
    affine_form form(m.g.current()), other(m.g.current());
    REQUIRE(form.add(transpose(slice(sum, 0, 4, 8), {1, 0})));
    REQUIRE(form.terms().size() == 2);
    CHECK(same_value(form.terms()[0].source, h));
    CHECK(same_value(form.terms()[0].matrix, w));
    CHECK(form.terms()[0].transposed);
    CHECK(form.terms()[0].taken.first == 4);
    CHECK_FALSE(form.terms()[1].source);
    CHECK(same_value(form.terms()[1].matrix, b));
    REQUIRE(other.add(transpose(slice(sum, 1, 0, 1), {1, 0})));  // rows instead of columns
    CHECK(other.terms().empty());
    CHECK(other.rest().size() == 1);
    CHECK(x.rank() == 2);
  });
}

TEST_CASE("affine_form: products of a whole sequence") {
  model m;
  const value w = m.weight({3, 8}), b = m.weight({8}), r = m.weight({4, 4}), xs = m.in({2, 5, 3});
  const value moved = transpose(add(matmul(xs, w), b), {1, 0, 2});
  scan(m.g, {m.in({2, 4})}, {moved}, [&](const std::vector<value>& states, const std::vector<value>& elements) {
    const value sum = add(slice(elements[0], 1, 4, 8), matmul(states[0], r));
    const auto sequence_of = [&](const value& v) { return same_value(v, elements[0]) ? moved : value(); };
    affine_form form(m.g.current(), sequence_of), other(m.g.current());
    REQUIRE(form.add(sum));
    REQUIRE(form.terms().size() == 3);
    CHECK(same_value(form.terms()[0].source, xs));
    CHECK(same_value(form.terms()[0].matrix, w));
    CHECK(form.terms()[0].taken.first == 4);
    REQUIRE(form.terms()[0].moves.size() == 1);
    CHECK(same_value(form.terms()[0].moves[0], moved));
    CHECK(same_value(form.terms()[1].matrix, b));
    CHECK(same_value(form.terms()[2].source, states[0]));
    REQUIRE(other.add(sum));
    CHECK(other.terms().size() == 1);
    CHECK(other.rest().size() == 1);
    return loop_step{{}, states, {}};
  });
}

TEST_CASE("argument_of: a function, or what a Split takes of it") {
  model m;
  const value x = m.in({2, 6}), y = unary("Sigmoid", x);
  const std::vector<value> parts = parts_of(y, 1, {2, 4});
  const auto all = rewrite::argument_of("Sigmoid", y), part = rewrite::argument_of("Sigmoid", parts[1]);
  REQUIRE(all);
  CHECK(same_value(all->argument, x));
  CHECK(all->taken.count == 6);
  REQUIRE(part);
  CHECK(same_value(part->argument, x));
  CHECK(part->taken.first == 2);
  CHECK(part->taken.count == 4);
  CHECK_FALSE(rewrite::argument_of("Tanh", y));
  CHECK_FALSE(rewrite::argument_of("Sigmoid", parts_of(y, 0, {1, 1})[1]));
}
