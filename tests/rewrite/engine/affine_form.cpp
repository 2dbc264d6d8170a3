#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/affine_form.hpp>

using namespace jax2onnx;
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
    CHECK(form.terms()[0].source == x);
    CHECK(form.terms()[0].matrix == w);
    CHECK(form.terms()[1].source == h);
    CHECK_FALSE(form.terms()[2].source);
    CHECK(form.terms()[2].matrix == b);
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
    CHECK(form.terms()[1].source == h);
    CHECK(form.terms()[1].first_row == 3);
    CHECK(form.terms()[1].row_count == 4);
  });
}

TEST_CASE("affine_form: what is no product is the rest") {
  model m;
  const value w = m.weight({3, 4});
  in_body(m, [&](const value& h, const value& x) {
    const value tanh = unary("Tanh", h);
    affine_form form(m.g.current()), other(m.g.current());
    REQUIRE(form.add(add(matmul(x, w), tanh)));
    REQUIRE(form.rest().size() == 1);
    CHECK(form.rest()[0] == tanh);
    REQUIRE(other.add(slice(add(matmul(x, w), tanh), 1, 0, 2)));
    CHECK(other.rest().size() == 1);
    CHECK(other.terms().empty());
  });
}
