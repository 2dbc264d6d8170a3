// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

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
