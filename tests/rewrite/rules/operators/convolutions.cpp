// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"
#include "rewrite/written.hpp"

#include <jax2onnx/rewrite/rules/operators/convolutions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr auto join = "join-summed-convolutions";

/// A new weight: equal constants without names would be shared.
value weight(model& m, const ints& extents, dtype t = dtype::f32) {
  const value w = m.weight(extents, t);
  return m.g.constant(w.type(), w.data(), "w");
}

value conv(const value& x, const value& w, const value& b = {}, std::vector<attribute> attributes = {}) {
  std::vector<value> inputs{x, w};
  if (b) inputs.push_back(b);
  return x.owner().emit("Conv", inputs, {x.dtype(), {x.extent(0), w.extent(0), x.extent(2), x.extent(3)}}, attributes);
}

}  // namespace

TEST_CASE("join-summed-convolutions: weights are joined along the input channels") {
  model m;
  const value x = m.in({m.B, 2, 5, 5}), y = m.in({m.B, 1, 5, 5});
  CHECK(after(add(conv(x, weight(m, {3, 2, 1, 1})), conv(y, weight(m, {3, 1, 1, 1}))), join) == "Concat Conv");
  CHECK(written(m.g, "Conv", 1) == numbers{1, 2, 1, 3, 4, 2, 5, 6, 3});
}

TEST_CASE("join-summed-convolutions: biases are added") {
  const auto with = [](model& m, const value& a, const value& b) {
    const value x = m.in({1, 1, 5, 5});
    return add(conv(x, weight(m, {2, 1, 1, 1}), a), conv(x, weight(m, {2, 1, 1, 1}), b));
  };
  model m, n, o;
  CHECK(after(with(m, m.weight({2}), m.weight({2})), join) == "Concat Conv");
  CHECK(written(m.g, "Conv", 2) == numbers{2, 4});
  CHECK(after(with(n, {}, n.weight({2})), join) == "Concat Conv");
  CHECK(written(n.g, "Conv", 2) == numbers{1, 2});
  CHECK(after(with(o, o.weight({2}), o.in({2})), join) == "a bias is not constant, or the sum of the biases overflows");
}

TEST_CASE("join-summed-convolutions: reasons to decline") {
  model m, n, o, p, q, r, s;
  const auto one = [](model& g, const ints& window = {1, 1}) {
    return conv(g.in({1, 1, 5, 5}), weight(g, {2, 1, window[0], window[1]}));
  };
  CHECK(after(add(one(m), conv(m.in({1, 1, 5, 5}), m.in({2, 1, 1, 1}))), join) == "a weight is not constant");
  const std::string other = "the convolutions read different windows, or have several groups";
  CHECK(after(add(one(n), one(n, {3, 3})), join) == other);
  const auto grouped = [](model& g) {
    return conv(g.in({1, 2, 5, 5}), weight(g, {2, 1, 1, 1}), {}, {{"group", std::int64_t{2}}});
  };
  CHECK(after(add(grouped(o), grouped(o)), join) == other);
  const value alone = one(p);
  CHECK(after({add(alone, one(p)), neg(alone)}, {join}) == "a convolution is read elsewhere too");
  const value w = weight(q, {2, 1, 1, 1});
  CHECK(after({add(one(q), conv(q.in({1, 1, 5, 5}), w)), neg(w)}, {join}) == "a weight is read elsewhere too");
  const auto wide = [](model& g) { return conv(g.in({1, 2, 5, 5}), weight(g, {2, 2, 1, 1})); };
  CHECK(after(add(wide(r), wide(r)), join) == "the operands have more channels than the result");
  const auto half = [](model& g) { return conv(g.in({1, 1, 5, 5}, dtype::f16), weight(g, {2, 1, 1, 1}, dtype::f16)); };
  CHECK(after(add(half(s), half(s)), join) == "Conv Conv Add");
}

TEST_CASE("Conv-pads: zeros around the pixels") {
  const auto padded = [](model& m, const ints& pads, double number = 0) {
    const value x = m.in({2, 3, 5, 5});
    return m.g.emit("Pad", {x, int64s(m.g, pads), scalar(m.g, dtype::f32, number)}, {dtype::f32, {2, 3, 7, 7}});
  };
  const auto convolved = [](const value& x, std::vector<attribute> attributes = {}) {
    return after(conv(x, x.owner().input({dtype::f32, {4, 3, 3, 3}}, "w"), {}, std::move(attributes)), "Conv-pads");
  };
  const auto pads_of = [](const model& m) {
    return std::get<ints>(m.g.at(m.g.at(block_id::main).nodes.back()).find("pads")->value);
  };
  model m, n, o, p, q, r;
  CHECK(convolved(padded(m, {0, 0, 2, 1, 0, 0, 0, 1})) == "Conv");
  CHECK(pads_of(m) == ints{2, 1, 0, 1});
  CHECK(convolved(padded(n, {0, 0, 2, 1, 0, 0, 0, 1}), {{"pads", ints{1, 1, 1, 1}}}) == "Conv");
  CHECK(pads_of(n) == ints{3, 2, 1, 2});
  CHECK(convolved(padded(o, {0, 0, 1, 1, 0, 0, 1, 1}, 1)) == "Pad Conv");
  CHECK(convolved(padded(p, {0, 1, 1, 1, 0, 0, 1, 1})) == "the Pad crops, or pads the batch or the channels");
  CHECK(convolved(padded(q, {0, 0, 3, 1, 0, 0, -1, 1})) == "the Pad crops, or pads the batch or the channels");
  CHECK(convolved(padded(r, {0, 0, 1, 1, 0, 0, 1, 1}), {{"auto_pad", std::string("VALID")}}) ==
        "the convolution pads by auto_pad");
}

TEST_CASE("Conv-pads: of an image with the axis of the channels last") {
  model m;
  const value x = m.in({2, 5, 6, 3});
  const value padded = m.g.emit("Pad", {x, int64s(m.g, {0, 1, 2, 0, 0, 3, 4, 0})}, {dtype::f32, {2, 9, 12, 3}});
  CHECK(after(conv(transpose(padded, {0, 3, 1, 2}), m.in({4, 3, 3, 3})), "Conv-pads") == "Transpose Conv");
  CHECK(std::get<ints>(m.g.at(m.g.at(block_id::main).nodes.back()).find("pads")->value) == ints{1, 2, 3, 4});
}
