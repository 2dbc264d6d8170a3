// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/lower/control/repeat.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {2}}, "x"), y = g.input({dtype::f32, {2}}, "y");
};

}  // namespace

TEST_CASE("repeat_while: an iteration may end the loop") {
  model m;
  const carried_values last = repeat_while(m.g, scalar(m.g, dtype::i64, 9), {jax_value(m.x, m.y)},
                                           [&](const value& i, const carried_values& c) {
                                             CHECK(i.rank() == 0);
                                             return loop_turn{{jax_value(c[0].im(), c[0].re())}, less(i, 3)};
                                           });
  REQUIRE(last.size() == 1);
  CHECK(last[0].count == 2);
  const block& body = body_of(last[0].re());
  CHECK(op_of({m.g, body.outputs[0]}) == "Less");
  CHECK(body.outputs[1] == body.inputs[3]);
  CHECK(body.outputs[2] == body.inputs[2]);
}

TEST_CASE("repeat: k is an int64[1] that counts up, or down from trips - 1") {
  model m;
  const auto step = [&](const value& k, const carried_values& c) {
    CHECK(k.type() == tensor_type{dtype::i64, {1}});
    return carried_values{gather(concat({c[0].re(), c[0].re()}, 0), concat({k, k}, 0), 0)};
  };
  const carried_values up = repeat(m.g, 3, {m.x}, step), down = repeat(m.g, 3, {m.x}, step, true);
  const auto operators = [&](const carried_values& v) {
    std::vector<std::string_view> ops;
    for (node_id n : body_of(v[0].re()).nodes) ops.push_back(m.g.at(n).op);
    return ops;
  };
  CHECK(operators(up) == std::vector<std::string_view>{"Unsqueeze", "Concat", "Concat", "Gather"});
  CHECK(operators(down) == std::vector<std::string_view>{"Sub", "Sub", "Unsqueeze", "Concat", "Concat", "Gather"});
}

TEST_CASE("repeat_collecting: values are stacked in the order of k, an int64 scalar") {
  model m;
  const auto step = [&](const value& k, const carried_values& c) {
    CHECK(k.type() == tensor_type{dtype::i64, {}});
    return collecting_turn{{jax_value(c[0].im(), c[0].re())}, {jax_value(c[0].im(), c[0].re()), gather(m.x, k, 0)}};
  };
  const jax_value first(m.x, m.y);
  const collecting_turn up = repeat_collecting(m.g, 3, {first}, step),
                        down = repeat_collecting(m.g, 3, {first}, step, true);
  for (const collecting_turn& turn : {up, down}) {
    CHECK(turn.carried[0].count == 2);
    REQUIRE(turn.collected.size() == 2);
    CHECK(turn.collected[0].im().dims() == shape{3, 2});
    CHECK(turn.collected[1].re().dims() == shape{3});
  }
  CHECK(op_of(up.collected[1].re()) == "Loop");
  CHECK(op_of(down.collected[1].re()) == "Slice");
}

TEST_CASE("stacked_items: parts along the first axis") {
  model m;
  const jax_value both(m.x, m.y);
  CHECK(stacked_items({{both}, {both}, {both}}, 0, false).im().dims() == shape{6});
  CHECK(op_of(stacked_items({{both}, {both}}, 0, true).re()) == "Slice");
}

TEST_CASE("repeat_in_blocks: indices in their order, the remainder first") {
  const auto blocks = [](std::int64_t trips, bool backward) {
    model m;
    std::vector<ints> seen;
    const auto step = [&](const value& k, const carried_values& c) {
      if (const auto numbers = constant_integers(k)) seen.push_back(*numbers);
      return collecting_turn{{jax_value(c[0].im(), c[0].re())}, {gather(concat({m.x, m.x}, 0), k, 0)}};
    };
    const collecting_turn last = repeat_in_blocks(m.g, trips, 4, {jax_value(m.x, m.y)}, step, backward);
    CHECK(last.carried[0].count == 2);
    CHECK(last.collected[0].re().dims() == shape{trips});
    return seen;
  };
  CHECK(blocks(3, false) == std::vector<ints>{{0, 1, 2}});
  CHECK(blocks(3, true) == std::vector<ints>{{2, 1, 0}});
  CHECK(blocks(4, false) == std::vector<ints>{{0, 1, 2, 3}});
  CHECK(blocks(6, true) == std::vector<ints>{{5, 4}, {3, 2, 1, 0}});
  CHECK(blocks(9, false) == std::vector<ints>{{0}});  // a Loop has the others
}

TEST_CASE("repeat_each: one value of k after the other in each iteration") {
  model m;
  std::vector<shape> indices;
  const auto step = [&](const value& k, const carried_values& c) {
    indices.push_back(k.dims());
    return collecting_turn{c, {c[0], gather(m.x, k, 0)}};
  };
  const collecting_turn last = repeat_each(m.g, 11, 4, {jax_value(m.x, m.y)}, step, true);
  CHECK(indices == std::vector<shape>(7, shape{1}));  // a remainder of 3, and 4 in the body of a Loop
  REQUIRE(last.collected.size() == 2);
  CHECK(last.collected[0].im().dims() == shape{22});
  CHECK(last.collected[1].re().dims() == shape{11});
}
