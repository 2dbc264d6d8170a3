// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/block_copy.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The body of a Loop that contains a branch: x -> If(c, Neg(x), Tanh(x)).
block_id branching_body(model& m, const value& c) {
  const value y =
      loop(m.g, scalar(m.g, dtype::i64, 3), {}, {m.in({3})}, [&](const value&, const std::vector<value>& x) {
        return loop_step{
            {},
            if_(
                c, [&] { return std::vector{unary("Neg", x[0])}; }, [&] { return std::vector{unary("Tanh", x[0])}; })};
      }).carried[0];
  return *rewrite::attribute_of<block_id>(y, "body");
}

}  // namespace

TEST_CASE("the nodes of subgraphs count") {
  model m;
  const block_id body = branching_body(m, m.in({}, dtype::boolean));
  CHECK(rewrite::node_total(m.g, body, 100) == 3);
  CHECK(rewrite::node_total(m.g, body, 0) == 1);
}

TEST_CASE("a copy reads other values, in its subgraphs too") {
  model m;
  const block_id body = branching_body(m, m.in({}, dtype::boolean));
  const value x = m.in({3});
  const std::vector<value> in{scalar(m.g, dtype::i64, 0), scalar(m.g, dtype::boolean, 1), x};
  const std::vector<value> out = rewrite::block_copy(m.g).of(body, in);
  REQUIRE(out.size() == 2);
  CHECK(same_value(out[0], in[1]));
  CHECK(out[1].type() == x.type());
  const node& branch = *rewrite::producer(out[1]);
  for (const char* name : {"then_branch", "else_branch"}) {
    const block& b = m.g.at(std::get<block_id>(branch.find(name)->value));
    CHECK(b.parent == block_id::main);
    REQUIRE(b.nodes.size() == 1);
    CHECK(m.g.at(b.nodes[0]).inputs[0] == x.id());
    CHECK(m.g.at(b.nodes[0]).outputs == b.outputs);
  }
}

TEST_CASE("a copied loop counts in the same range") {
  model m;
  const auto inner = [](const value& k, const std::vector<value>& s) {
    return loop_step{{}, {add(s[0], cast(k, dtype::f32))}};
  };
  const value y =
      loop(m.g, scalar(m.g, dtype::i64, 3), {}, {m.in({3})}, [&](const value&, const std::vector<value>& s) {
        return loop_step{{}, loop(m.g, scalar(m.g, dtype::i64, 5), {}, s, inner).carried};
      }).carried[0];
  const std::vector<value> in{scalar(m.g, dtype::i64, 0), scalar(m.g, dtype::boolean, 1), m.in({3})};
  const std::vector<value> out = rewrite::block_copy(m.g).of(*rewrite::attribute_of<block_id>(y, "body"), in);
  const block& copied = m.g.at(*rewrite::attribute_of<block_id>(out[1], "body"));
  const interval* range = m.g.known_range(copied.inputs[0]);
  REQUIRE(range);
  CHECK(range->high == 4);
}

TEST_CASE("single nodes are copied") {
  model m;
  const value x = m.in({3}), y = m.in({3}), z = unary("Neg", x);
  rewrite::block_copy copy(m.g);
  copy.replace(x, y);
  copy.copy(z.record().producer);
  CHECK(same_value(rewrite::input_of(copy.of(z), 0), y));
  CHECK(same_value(copy.of(y), y));
}
