// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/call/operators.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 3}}, "x");
  value yes = g.input({dtype::boolean, {}}, "yes");
  value zero = scalar(g, dtype::i64, 0);
};
const node& producer(const value& v) { return v.owner().at(v.owner().at(v.id()).producer); }

}  // namespace

TEST_CASE("structure: if_ returns what its branches return") {
  model m;
  const value one = if_(
      m.yes, [&] { return add(m.x, 1); }, [&] { return m.x; });
  CHECK(producer(one).op == "If");
  const auto [a, b] = if_(
      m.yes, [&] { return std::pair(m.x, m.zero); }, [&] { return std::pair(neg(m.x), m.zero); });
  CHECK(a.type() == m.x.type());
  CHECK(b.dtype() == dtype::i64);
  CHECK_THROWS_WITH(if_(
                        m.yes, [&] { return m.x; }, [&] { return m.zero; }),
                    Contains("If: the branches differ in result 0: f32[2,3] and i64[]"));
}

TEST_CASE("structure: loop carries, goes on while, and collects") {
  model m;
  const auto [i, acc] = loop(5, std::tuple(m.zero, m.x), [](const auto& step, const auto& n, const auto& sum) {
    return std::tuple(add(n, step), mul(sum, 2));
  });
  CHECK(i.dtype() == dtype::i64);
  CHECK(acc.type() == m.x.type());
  const auto [last, all] = loop(value(), m.zero, [](const auto&, const auto& n) {
    const value next = add(n, 1);
    return go_on_while(less(next, 10), collect(next, std::tuple(n, next)));
  });
  CHECK(producer(last).op == "Loop");
  CHECK(std::get<1>(all).dims() == shape{dim::dyn()});
  const value doubled = while_(
      m.x, [](const auto& x) { return squeeze(reduce_max(x)) < 100; }, [](const auto& x) { return mul(x, 2); });
  CHECK(doubled.type() == m.x.type());
  CHECK(problems_of(m.g).empty());
  CHECK_THROWS_WITH(loop(5, m.x, [](const auto&, const auto& x) { return cast(x, {.to = dtype::f64}); }),
                    Contains("Loop: loop-carried value 0 is f64[2,3], expected f32[2,3]"));
}

TEST_CASE("structure: scan carries and stacks") {
  model m;
  const value h = m.g.input({dtype::f32, {3}}, "h");
  const auto [last, all] = scan(h, std::tuple(m.x, m.x),
                                [](const auto& state, const auto& a, const auto& b) {
                                  const value next = add(add(state, a), b);
                                  return std::pair(next, std::vector{next, a});
                                },
                                {.reverse = true});
  CHECK(last.dims() == shape{3});
  REQUIRE(all.size() == 2);
  CHECK(all[1].dims() == shape{2, 3});
  CHECK(problems_of(m.g).empty());
}

TEST_CASE("structure: values stay in the bodies that made them") {
  model m;
  value inner;
  if_(
      m.yes, [&] { return inner = neg(m.x); }, [&] { return m.x; });
  CHECK_THROWS_WITH(add(m.x, inner), Contains("operand 1 of Add: f32[2,3] belongs to another body"));
  CHECK_THROWS_WITH(if_(
                        m.yes, [&] { return inner; }, [&] { return m.x; }),
                    Contains("result 0: f32[2,3] belongs to another body"));
  CHECK(m.g.current() == block_id::main);
}

TEST_CASE("structure: sequence_map") {
  model m;
  const value s = jax2onnx::sequence_construct({m.x, m.x});
  const auto [a, b] =
      sequence_map(std::tuple(s, m.x), [](const auto& e, const auto& x) { return std::pair(add(e, x), neg(e)); });
  CHECK(a.type() == tensor_type{dtype::f32, {2, 3}, true, value_kind::sequence});
  CHECK(producer(b).op == "SequenceMap");
  CHECK(problems_of(m.g).empty());
  CHECK_THROWS_WITH(sequence_map(m.x, [](const auto& e) { return e; }),
                    Contains("operand 0 must be a sequence, not f32[2,3]"));
  CHECK_THROWS_WITH(sequence_map(s, [&](const auto& e) { return add(e, m.x); }), Contains("sees only its operands"));
}
