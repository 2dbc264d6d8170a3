#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/loops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

/// x after `trips` times tanh.
value looped(model& m, std::int64_t trips, const value& keep_going = {}) {
  return loop(m.g, scalar(m.g, dtype::i64, trips), {}, {m.in({3})},
              [&](const value&, const std::vector<value>& carried) {
                return loop_step{keep_going, {unary("Tanh", carried[0])}};
              })
      .carried[0];
}

/// The running sums of xs.
loop_result running_sum(const value& first, const value& xs, const scan_options& options = {}) {
  return scan(
      first.owner(), {first}, {xs},
      [](const std::vector<value>& carried, const std::vector<value>& x) {
        const value sum = add(carried[0], x[0]);
        return loop_step{{}, {sum}, {unary("Neg", sum)}};
      },
      options);
}

}  // namespace

TEST_CASE("a Loop of a few iterations becomes these") {
  model m;
  CHECK(after(looped(m, 3), "unroll") == "Tanh Tanh Tanh Identity");
}

TEST_CASE("a Loop of many iterations stays") {
  model m;
  CHECK(after(looped(m, 9), "unroll") == "it has more iterations than are unrolled");
}

TEST_CASE("a Loop without iterations stays") {
  model m;
  CHECK(after(looped(m, 0), "unroll") == "Loop");
}

TEST_CASE("a Loop that may end early stays") {
  model m;
  const value going = m.g.input({dtype::boolean, {}}, "going");
  CHECK(after(looped(m, 3, going), "unroll") == "its condition may end it");
}

TEST_CASE("a Loop with a long body stays") {
  model m;
  const auto body = [](const value&, const std::vector<value>& carried) {
    value x = carried[0];
    for (int i = 0; i < 100; ++i) x = unary("Tanh", x);
    return loop_step{{}, {x}};
  };
  const value y = loop(m.g, scalar(m.g, dtype::i64, 3), {}, {m.in({3})}, body).carried[0];
  CHECK(after(y, "unroll") == "its iterations have too many nodes");
}

TEST_CASE("the number of an iteration becomes a constant") {
  model m;
  const auto body = [](const value& k, const std::vector<value>& carried) {
    return loop_step{{}, {add(carried[0], cast(k, dtype::f32))}};
  };
  const value y = loop(m.g, scalar(m.g, dtype::i64, 2), {}, {m.in({3})}, body).carried[0];
  CHECK(after({y}, {"fold-elementwise", "unroll"}) == "Add Add Identity");
}

TEST_CASE("a Scan becomes its iterations, what it stacks a Concat") {
  model m;
  const loop_result r = running_sum(m.in({3}), m.in({2, 3}));
  CHECK(after({r.carried[0], r.collected[0]}, {"unroll"}) ==
        "Gather Add Neg Gather Add Neg Concat Reshape Identity Identity");
}

TEST_CASE("a backward Scan along another axis") {
  model m;
  const loop_result r = running_sum(m.in({3}), m.in({3, 2}), {.axis = 1, .reverse = true});
  CHECK(after({r.carried[0], r.collected[0]}, {"unroll"}) ==
        "Gather Add Neg Gather Add Neg Unsqueeze Unsqueeze Concat Identity Identity");
}

TEST_CASE("a Scan has half as many iterations as a Loop") {
  model m;
  CHECK(after(running_sum(m.in({3}), m.in({5, 3})).carried[0], "unroll") == "it has more iterations than are unrolled");
}

TEST_CASE("a Scan of large or symbolic elements stays") {
  const std::string_view reason = "its sequences may have large elements, which Scan does not copy";
  model m;
  CHECK(after(running_sum(m.in({1025}), m.in({2, 1025})).carried[0], "unroll") == reason);
  model n;
  CHECK(after(running_sum(n.in({n.B}), n.in({2, n.B})).carried[0], "unroll") == reason);
}

TEST_CASE("a Scan of symbolic length stays") {
  model m;
  CHECK(after(running_sum(m.in({3}), m.in({m.B, 3})).carried[0], "unroll") == "Scan");
}

TEST_CASE("loops inside each other") {
  model m;
  const value trips = scalar(m.g, dtype::i64, 2);
  const auto inner = [](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {unary("Tanh", carried[0])}};
  };
  const auto outer = [&](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {loop(m.g, trips, {}, carried, inner).carried[0]}};
  };
  CHECK(after(loop(m.g, trips, {}, {m.in({3})}, outer).carried[0], "unroll") ==
        "Tanh Tanh Identity Tanh Tanh Identity Identity");
}
