// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>

#include <jax2onnx/rewrite/rules/operators/online_softmax.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct attention {
  double start = -infinity;
  std::int64_t blocks = 2;
  dtype type = dtype::f32;
  bool binary = false, reads_sum = false, forgets = false, symbolic = false, merges = false, masks = false,
       shows = false, turns = false;

  value power(const value& v) const { return binary ? ops::binary("Pow", scalar(v.owner(), type, 2), v) : exp(v); }
  /// The remaining operators for given queries, keys and values.
  std::string after_rule(bool assume_finite = false) const {
    model m;
    const std::int64_t length = 2 * blocks;
    shape rows{3};
    if (symbolic) rows = {m.B, 3};
    if (turns) rows = {3, 3};
    const auto of = [&](std::int64_t columns) {
      shape dims = rows;
      dims.push_back(columns);
      return dims;
    };
    const value q = m.in(of(4), type), k = m.in({4, length}, type), v = m.in({length, 4}, type);
    const auto filled = [&](const shape& dims, double number) { return broadcast_to(scalar(m.g, type, number), dims); };
    value best = filled(of(1), start), l = filled(of(1), 0), o = filled(of(4), 0);
    const auto merged = [&](const value& x, std::int64_t columns) {
      return merges ? jax2onnx::ops::reshape(x, {m.g.dims().product(rows), columns}) : x;
    };
    for (std::int64_t i = 0; i < length; i += 2) {
      const value product_of_keys = matmul(q, slice(k, 1, i, i + 2));
      const bool some[] = {true, false, false, true, true, true};
      const value mask =
          shows ? array(m.g, dtype::boolean, ints{3, 2}, std::span<const bool>(some)) : m.in({3, 2}, dtype::boolean);
      const value s = masks ? where(mask, product_of_keys, scalar(m.g, type, -infinity)) : product_of_keys;
      const value next = ops::binary("Max", best, m.last("ReduceMax", s));
      const value p = power(sub(s, next)), a = power(sub(best, next));
      l = forgets ? m.last("ReduceSum", p) : add(mul(l, a), m.last("ReduceSum", p));
      const value weights = turns ? transpose(p, {1, 0, 2}) : merged(p, 2);
      const value product = matmul(weights, slice(v, 0, i, i + 2));
      o = add(mul(o, a), merges ? jax2onnx::ops::reshape(product, of(4)) : product);
      best = next;
    }
    const std::initializer_list<std::string_view> rules = {"one-number", "drop-broadcast", "drop-neutral",
                                                           "joined-parts", "online-softmax"};
    if (assume_finite) return after_if_finite(div(o, l), "online-softmax");
    return reads_sum ? after({div(o, l), log(l)}, rules) : after({div(o, l)}, rules);
  }
};

}  // namespace

TEST_CASE("online-softmax: blocks of keys are one Softmax") {
  CHECK(attention{}.after_rule() == "MatMul Softmax MatMul");
  CHECK(attention{.blocks = 5}.after_rule() == "MatMul Softmax MatMul");
  CHECK(attention{.binary = true}.after_rule() == "MatMul Mul Softmax MatMul");
  CHECK(attention{.type = dtype::f64}.after_rule() == "MatMul Softmax MatMul");
}

TEST_CASE("online-softmax: a finite number below all scores") {
  CHECK(attention{.start = -1e30}.after_rule() == "MatMul Softmax MatMul ReduceMax Less Where");
  CHECK(attention{.start = -1e30}.after_rule(true).find("ReduceMax") == std::string::npos);
  CHECK(attention{.start = -1}.after_rule() == "scores may be below the number that the maximum starts with");
}

TEST_CASE("online-softmax: masks may leave no score of the first block") {
  CHECK(attention{.masks = true, .shows = true}.after_rule() == "MatMul Where Softmax MatMul");
  CHECK(attention{.masks = true}.after_rule() ==
        "Slice MatMul Where Slice MatMul Where Concat Softmax MatMul ReduceMax Equal Where");
}

namespace {

/// Attention on 4 devices, each with 2 queries and 2 keys. After a step, device i has the keys and values of device i -
/// step.
std::string after_ring(std::int64_t step, bool shifts_values = true, bool turns = false) {
  model m;
  const value q = m.in({4, 3, 2, 5});
  value k = m.in({4, 3, 5, 2}), v = m.in({4, 3, 2, 5}), best, l, o;
  const auto shifted = [&](const value& x) {
    ints from;
    for (std::int64_t i = 0; i < 4; ++i) from.push_back((i - step + 4) % 4);
    return gather(x, int64s(m.g, from), 0);
  };
  for (int i = 0; i < 4; ++i) {
    const auto in_order = [&](const value& rows) { return turns ? transpose(rows, {0, 2, 1, 3}) : rows; };
    const value s = matmul(q, k), most = m.last("ReduceMax", s), next = best ? ops::binary("Max", best, most) : most;
    const value p = exp(sub(s, next)), sum = m.last("ReduceSum", p), product = in_order(matmul(p, v));
    const value scale = best ? exp(sub(best, next)) : value();
    o = best ? add(mul(o, in_order(scale)), product) : product;
    l = best ? add(mul(l, scale), sum) : sum;
    best = next;
    k = shifted(k);
    if (shifts_values) v = shifted(v);
  }
  return after({div(o, turns ? transpose(l, {0, 2, 1, 3}) : l)}, {"joined-parts", "online-softmax"});
}

}  // namespace

TEST_CASE("online-softmax: blocks of keys that go around a ring are the same for all") {
  const std::string all = "Transpose Reshape MatMul Softmax Transpose Reshape MatMul";
  CHECK(after_ring(1) == all);
  CHECK(after_ring(-1) == all);
  CHECK(after_ring(1, true, true) == all + " Transpose");
  CHECK(after_ring(2).find("Gather") != std::string::npos);         // half of the blocks occur twice
  CHECK(after_ring(1, false).find("Gather") != std::string::npos);  // the values are not moved
}

TEST_CASE("online-softmax: sums of other rows") {
  model m;
  const value q = m.in({4, 4}), k = m.in({4, 4}), v = m.in({4, 4});
  value best, l, o;
  for (std::int64_t i = 0; i < 4; i += 2) {
    const value s = matmul(q, slice(k, 1, i, i + 2)), most = m.last("ReduceMax", s);
    const value next = best ? ops::binary("Max", best, most) : most, p = exp(sub(s, next));
    const value sum = m.last("ReduceSum", p), product = matmul(p, slice(v, 0, i, i + 2));
    o = best ? add(mul(o, exp(sub(best, next))), product) : product;
    l = best ? add(mul(l, exp(sub(best, next))), sum) : sum;
    best = next;
  }
  CHECK(after(div(o, squeeze(l, {1})), "online-softmax").ends_with("Div"));
}

TEST_CASE("online-softmax: a symbolic batch") {
  CHECK(attention{.symbolic = true}.after_rule().ends_with("MatMul Softmax MatMul"));
  CHECK(attention{.merges = true}.after_rule() == "MatMul Softmax MatMul");
  CHECK(attention{.symbolic = true, .merges = true}.after_rule() == "the shape would be computed at run time");
}

TEST_CASE("online-softmax: what stays") {
  CHECK(attention{.type = dtype::f16}.after_rule() == "the element type is not float32 or float64");
  CHECK(attention{.reads_sum = true}.after_rule() == "the sums are read elsewhere too");
  CHECK(attention{.forgets = true}.after_rule().ends_with("Div"));
  CHECK(attention{.turns = true}.after_rule().ends_with("Div"));  // the maxima are of other rows
  CHECK(attention{.blocks = 1}.after_rule().ends_with("Div"));
}
