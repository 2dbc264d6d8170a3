// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/attention.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using jax2onnx::rewrite::splat_number;

namespace {

const ints heads_first = {0, 2, 1, 3};

value softmax(const value& x) { return x.owner().emit("Softmax", {x}, x.type(), {{"axis", x.rank() - 1}}); }

/// Queries, keys and values of 3 heads with 4 features: inputs, or computed from an input x with 5 features.
struct operands {
  value q, k, v;
  operands(model& m, const shape& queries, const shape& keys)
      : q(m.in(heads(queries))), k(m.in(heads(keys))), v(m.in(heads(keys))) {}
  operands(model& m, const value& x) : q(projection(m, x)), k(projection(m, x)), v(projection(m, x)) {}

  static value projection(model& m, const value& x) {
    return jax2onnx::ops::reshape(add(matmul(x, m.weight({5, 12})), m.weight({12})), heads({x.extent(0), x.extent(1)}));
  }
  static shape heads(shape dims) {
    dims.push_back(3);
    dims.push_back(4);
    return dims;
  }
  value logits() const { return matmul(transpose(q, heads_first), transpose(k, {0, 2, 3, 1})); }
  value result(const value& weights) const {
    return transpose(matmul(weights, transpose(v, heads_first)), heads_first);
  }
  value attention() const { return result(softmax(logits())); }
  value masked(const value& visible, double number) const {
    return result(softmax(where(visible, logits(), scalar(q.owner(), q.dtype(), number))));
  }
  value biased(const value& bias) const { return result(softmax(add(logits(), bias))); }
};

/// The operators after the rule and the joining of Transposes.
std::string fused(const value& y) { return after({y}, {"join-transposes", "Attention"}); }

const char* const unmasked = "Reshape Reshape Reshape Attention Reshape";

const attribute::content* attribute_of_attention(const graph& g, std::string_view name) {
  for (const node_id n : g.at(block_id::main).nodes)
    if (const attribute* a = g.at(n).op == "Attention" ? g.at(n).find(name) : nullptr) return &a->value;
  return nullptr;
}

}  // namespace

TEST_CASE("Attention: the axis of the heads after that of the lengths, with a batch or without") {
  model m;
  CHECK(fused(operands(m, {m.B, 7}, {m.B, 6}).attention()) == unmasked);
  CHECK(*attribute_of_attention(m.g, "q_num_heads") == attribute::content(std::int64_t{3}));
  model n;
  const value q = n.in({7, 3, 4}), k = n.in({6, 3, 4}), v = n.in({6, 3, 2});
  const value weights = softmax(matmul(transpose(q, {1, 0, 2}), transpose(k, {1, 2, 0})));
  CHECK(fused(transpose(matmul(weights, transpose(v, {1, 0, 2})), {1, 0, 2})) == unmasked);
}

TEST_CASE("Attention: scales of logits, queries and keys are one") {
  model m;
  operands o(m, {2, 7}, {2, 6});
  o.q = div(o.q, 4);
  o.k = jax2onnx::ops::reshape(mul(m.in({2, 6, 12}), 0.5), {2, 6, 3, 4});
  const value logits = mul(o.logits(), 2);
  CHECK(fused(o.result(softmax(logits))) == "Reshape Reshape Attention Reshape");
  CHECK(*attribute_of_attention(m.g, "scale") == attribute::content(0.25f));
  model n;
  operands negative(n, {2, 7}, {2, 6});
  CHECK(fused(negative.result(softmax(mul(negative.logits(), -1)))).find("Attention") == std::string::npos);
}

TEST_CASE("Attention: masks that are added") {
  model m;
  const value mask =
      where(m.in({2, 1, 7, 6}, dtype::boolean), scalar(m.g, dtype::f32, 0), scalar(m.g, dtype::f32, -1e9));
  CHECK(fused(operands(m, {2, 7}, {2, 6}).biased(mask)) == "Where Reshape Reshape Reshape Attention Reshape");
  model n;  // the operator needs known lengths
  CHECK(fused(operands(n, {2, 7}, {2, 6}).biased(exp(n.in({6})))) ==
        "Exp Expand Reshape Reshape Reshape Attention Reshape");
  model o;
  CHECK(fused(operands(o, {2, 7}, {2, 6}).biased(o.in({7, 6}))) ==
        "the mask may be -inf (assume_finite permits the rule)");
  model p;  // no row consists of ONNX Runtime's lowest number
  const value lowest = where(p.in({7, 6}, dtype::boolean), scalar(p.g, dtype::f32, 0),
                             scalar(p.g, dtype::f32, double(std::numeric_limits<float>::lowest())));
  CHECK(fused(operands(p, {2, 7}, {2, 6}).biased(lowest)) == "Where Reshape Reshape Reshape Attention Reshape");
}

TEST_CASE("Attention: masks from weights, and moved ones") {
  const double lowest = std::numeric_limits<float>::lowest();
  const auto replaced = [&](const value& y) { return fused(y).find("Attention") != std::string::npos; };
  model m;  // relative positions, as in T5, and padding
  const value visible = m.in({2, 1, 1, 6}, dtype::boolean), positions = m.in({7, 6}, dtype::i64);
  const value table = transpose(gather(m.weight({9, 3}), positions, 0), {2, 0, 1});
  const value padding = where(visible, scalar(m.g, dtype::f32, 0), scalar(m.g, dtype::f32, lowest));
  CHECK(fused(operands(m, {2, 7}, {2, 6}).biased(add(table, padding))).find("Where Add") != std::string::npos);
  const auto has = [](const graph& g, double number) {
    for (const node_id n : g.at(block_id::main).nodes)
      if (g.at(n).op == "Where") return splat_number(value(const_cast<graph&>(g), g.at(n).inputs[2])) == number;
    return false;
  };
  CHECK(has(m.g, -0x1p127));
  model n;  // a constant with an element of -inf
  const float numbers[] = {0, 1, -std::numeric_limits<float>::infinity()};
  const value infinite = array(n.g, dtype::f32, ints{3, 1, 1}, std::span<const float>(numbers));
  CHECK_FALSE(replaced(operands(n, {2, 7}, {2, 6}).biased(infinite)));
  model o;  // a product may be the lowest number
  const value factor = mul(cast(o.in({7, 6}, dtype::i32), dtype::f32), scalar(o.g, dtype::f32, lowest));
  CHECK_FALSE(replaced(operands(o, {2, 7}, {2, 6}).biased(factor)));
}

TEST_CASE("Attention: masks that replace, where keys and values are computed from the same") {
  model m;
  const operands o(m, m.in({m.B, 6, 5}));
  CHECK(fused(o.masked(m.in({6, 6}, dtype::boolean), -1e30)) ==
        "MatMul Add MatMul Add MatMul Add Where Attention Reshape");
  model n;
  CHECK(fused(operands(n, {2, 7}, {2, 6}).masked(n.in({7, 6}, dtype::boolean), -1e30)) ==
        "a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
  model p;  // -1 does not mask
  CHECK(fused(operands(p, p.in({2, 6, 5})).masked(p.in({6, 6}, dtype::boolean), -1)).find("Attention") ==
        std::string::npos);
  model q;  // values of some of the rows
  operands part(q, q.in({2, 6, 5}));
  const value half = slice(part.v, 1, 0, 3);
  part.v = concat({half, half}, 1);
  CHECK(fused(part.masked(q.in({6, 6}, dtype::boolean), -1e30)) ==
        "a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
  model r;  // a root may be NaN
  operands rooted(r, r.in({2, 6, 5}));
  rooted.k = sqrt(rooted.k);
  CHECK(fused(rooted.masked(r.in({6, 6}, dtype::boolean), -1e30)) ==
        "a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
}

TEST_CASE("Attention: a mask that is added below one that replaces") {
  model m;
  const operands o(m, m.in({m.B, 6, 5}));
  const auto visible = [&] { return m.in({6, 6}, dtype::boolean); };
  const auto number = [&](double n) { return scalar(m.g, dtype::f32, n); };
  const value added = where(visible(), number(0), number(-1e10));
  CHECK(fused(o.result(softmax(where(visible(), add(o.logits(), added), number(-1e9))))) ==
        "if a query sees no key, Attention weights keys differently than JAX (assume_finite permits the rule)");
}

TEST_CASE("Attention: masks that replace, in a scan over layers") {
  const auto in_scan = [](model& m, const value& weights) {
    const value visible = m.in({6, 6}, dtype::boolean);
    operands o(m, {2, 6}, {2, 6});
    const loop_result y =
        scan(m.g, {m.in({2, 6, 12})}, {weights}, [&](const std::vector<value>& s, const std::vector<value>& w) {
          for (value* v : {&o.q, &o.k, &o.v}) *v = jax2onnx::ops::reshape(matmul(s[0], w[0]), {2, 6, 3, 4});
          return loop_step{{}, {jax2onnx::ops::reshape(o.masked(visible, -1e30), {2, 6, 12})}, {}};
        });
    return y.carried[0];
  };
  model m;
  CHECK(apply({in_scan(m, m.weight({5, 12, 12}))}, {"Attention"}).find("Attention")->applied == 1);
  model n;  // the weights are an input
  CHECK(fused(in_scan(n, n.in({5, 12, 12}))) ==
        "a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
}

TEST_CASE("Attention: keys and values of groups of heads") {
  const auto repeated = [](const value& x, std::int64_t times) {
    const value one = jax2onnx::ops::reshape(x, {x.extent(0), x.extent(1), x.extent(2), 1, x.extent(3)});
    const value many = broadcast_to(one, {x.extent(0), x.extent(1), x.extent(2), times, x.extent(3)});
    return jax2onnx::ops::reshape(many, {x.extent(0), x.extent(1), dim(x.extent(2).extent() * times), x.extent(3)});
  };
  model m;
  operands o(m, {2, 7}, {2, 6});
  o.q = m.in({2, 7, 6, 4});
  o.k = repeated(o.k, 2);
  o.v = repeated(o.v, 2);
  CHECK(fused(o.attention()) == unmasked);
  CHECK(*attribute_of_attention(m.g, "kv_num_heads") == attribute::content(std::int64_t{3}));
  model n;  // the values are not repeated
  operands p(n, {2, 7}, {2, 6});
  p.q = n.in({2, 7, 6, 4});
  p.k = repeated(p.k, 2);
  p.v = n.in({2, 6, 6, 4});
  CHECK(fused(p.attention()) == "Reshape Expand Reshape Reshape Reshape Attention Reshape");
}

TEST_CASE("Attention: axes of extent 1 move by Reshapes") {
  model m;  // one query: the product of the values and the weights, both transposed
  const value q = m.in({2, 3, 1, 4}), k = m.in({2, 6, 3, 4}), v = m.in({2, 6, 3, 4});
  const value weights = softmax(matmul(q, transpose(k, {0, 2, 3, 1})));
  const value turned = matmul(transpose(v, {0, 2, 3, 1}), jax2onnx::ops::reshape(weights, {2, 3, 6, 1}));
  CHECK(fused(turned) == unmasked);
  model n;  // one head
  const value p = n.in({2, 1, 7, 4}), l = n.in({2, 6, 1, 4}), w = n.in({2, 1, 6, 4});
  const value scores = matmul(p, jax2onnx::ops::reshape(transpose(l, {0, 2, 3, 1}), {2, 1, 4, 6}));
  CHECK(fused(matmul(softmax(scores), w)) == unmasked);
  model o;  // keys that are repeated for all heads, before the lengths
  operands one(o, {2, 7}, {2, 6});
  const auto repeated = [&](const ints& perm, const shape& dims) {
    const value wide = broadcast_to(o.in({2, 6, 1, 1, 4}), {2, 6, 1, 3, 4});
    return jax2onnx::ops::reshape(transpose(wide, perm), dims);
  };
  const value logits = matmul(transpose(one.q, heads_first), repeated({0, 3, 2, 4, 1}, {2, 3, 4, 6}));
  const value sums = matmul(softmax(logits), repeated({0, 3, 2, 1, 4}, {2, 3, 6, 4}));
  CHECK(fused(transpose(sums, heads_first)).ends_with("Attention Reshape"));
  CHECK(*attribute_of_attention(o.g, "kv_num_heads") == attribute::content(std::int64_t{1}));
}

TEST_CASE("Attention: reasons to decline") {
  model m;
  const value q = m.in({2, 6, 3, 4}, dtype::f64);
  const value logits = matmul(transpose(q, heads_first), transpose(q, {0, 2, 3, 1}));
  CHECK(fused(transpose(matmul(softmax(logits), transpose(q, heads_first)), heads_first)) ==
        "the element type is not float32");
  model n(22);
  CHECK(fused(operands(n, {2, 7}, {2, 6}).attention()) == "Attention needs opset 23");
  model o;
  const operands read(o, {2, 7}, {2, 6});
  const value weights = softmax(read.logits());
  CHECK(after({read.result(weights), weights}, {"Attention"}) == "the weights are read elsewhere too");
}

TEST_CASE("Attention: look-alikes") {
  const auto stays = [](const value& y) { return fused(y).find("Attention") == std::string::npos; };
  model m;  // weights along the queries
  const operands o(m, {2, 6}, {2, 6});
  const value logits = o.logits();
  CHECK(stays(o.result(m.g.emit("Softmax", {logits}, logits.type(), {{"axis", 2}}))));
  model n;  // heads that are repeated as a whole instead of within their group
  const value q = n.in({2, 7, 4, 4});
  const auto tiled = [&] {
    const value wide = broadcast_to(n.in({2, 6, 1, 2, 4}), {2, 6, 2, 2, 4});
    return transpose(jax2onnx::ops::reshape(wide, {2, 6, 4, 4}), heads_first);
  };
  const value scores = matmul(transpose(q, heads_first), transpose(tiled(), {0, 1, 3, 2}));
  fused(transpose(matmul(softmax(scores), tiled()), heads_first));
  CHECK(*attribute_of_attention(n.g, "kv_num_heads") == attribute::content(std::int64_t{4}));
  model p;  // a mask wider than the logits
  const operands one(p, {1, 7}, {1, 6});
  const value wide = add(one.logits(), exp(p.in({2, 1, 7, 6})));
  CHECK(stays(transpose(matmul(softmax(wide), transpose(p.in({2, 6, 3, 4}), heads_first)), heads_first)));
}

TEST_CASE("Attention: the axis of the heads before that of the lengths") {
  model m;  // the 4-D form
  const value q = m.in({m.B, 3, 7, 4}), k = m.in({m.B, 3, 6, 4}), v = m.in({m.B, 3, 6, 2});
  CHECK(fused(matmul(softmax(matmul(q, transpose(k, {0, 1, 3, 2}))), v)) == "Attention");
  CHECK_FALSE(attribute_of_attention(m.g, "q_num_heads"));
  model n;  // of the product alone
  const operands front(n, {2, 6}, {2, 6});
  CHECK(fused(matmul(softmax(front.logits()), transpose(front.v, heads_first))) ==
        std::string(unmasked) + " Transpose");
  model o;  // a single head of a batch
  const value x = o.in({2, 6, 5});
  CHECK(fused(matmul(softmax(matmul(x, transpose(o.in({2, 7, 5}), {0, 2, 1}))), o.in({2, 7, 3}))) == "Attention");
}

TEST_CASE("Attention: weights with their axes in another order") {
  model m;
  const operands o(m, {2, 7}, {2, 6});
  const value weights = softmax(transpose(o.logits(), heads_first));
  CHECK(fused(o.result(transpose(weights, heads_first))) == unmasked);
}

TEST_CASE("Attention: heads of groups among the queries") {
  const auto grouped = [](model& m, bool masked) {  // batch, position, key head, group, feature
    const value x = m.in({m.B, 6, 5});
    const auto projection = [&](std::int64_t features) { return matmul(x, m.weight({5, features})); };
    const value q = jax2onnx::ops::reshape(projection(24), {m.B, 6, 3, 2, 4});
    const value k = jax2onnx::ops::reshape(projection(12), {m.B, 6, 3, 4}),
                v = jax2onnx::ops::reshape(projection(12), {m.B, 6, 3, 4});
    const value rows = jax2onnx::ops::reshape(transpose(q, {0, 2, 1, 3, 4}), {m.B, 3, 12, 4});
    const value scores = jax2onnx::ops::reshape(matmul(rows, transpose(k, {0, 2, 3, 1})), {m.B, 3, 6, 2, 6});
    value logits = transpose(scores, {0, 1, 3, 2, 4});
    if (masked) logits = where(m.in({m.B, 3, 1, 6, 6}, dtype::boolean), logits, scalar(m.g, dtype::f32, -1e30));
    const value weights = jax2onnx::ops::reshape(softmax(logits), {m.B, 3, 12, 6});
    const value sums = jax2onnx::ops::reshape(matmul(weights, transpose(v, heads_first)), {m.B, 3, 2, 6, 4});
    return transpose(sums, {0, 3, 1, 2, 4});
  };
  model m;
  CHECK(after({grouped(m, false)}, {"join-transposes", "join-reshapes", "drop-reshape", "Attention"}) ==
        "MatMul MatMul MatMul Attention Reshape");
  CHECK(*attribute_of_attention(m.g, "q_num_heads") == attribute::content(std::int64_t{6}));
  CHECK(*attribute_of_attention(m.g, "kv_num_heads") == attribute::content(std::int64_t{3}));
  model n;  // a mask for each head of keys applies to all heads of its group
  CHECK(after({grouped(n, true)}, {"join-transposes", "join-reshapes", "drop-reshape", "Attention"}) ==
        "MatMul MatMul MatMul Expand Reshape Where Attention Reshape");
}

TEST_CASE("Attention: many logits with a mask that hides keys stay for ONNX Runtime on CPUs") {
  const auto masked = [](target runtime, double number, bool is_symbolic = false) {
    model m;
    const dim batch = is_symbolic ? m.B : dim(64);
    const operands o(m, {batch, 16}, {batch, 16});
    const value one = scalar(m.g, dtype::f32, number), zero = scalar(m.g, dtype::f32, 0);
    const value visible = m.in({16}, dtype::boolean);
    return after({o.result(softmax(add(o.logits(), where(visible, zero, one))))}, {"join-transposes", "Attention"},
                 runtime);
  };
  const std::string attention = "Where Expand Reshape Reshape Reshape Attention Reshape";
  const std::string slow = "ONNX Runtime's Attention is slow if a mask hides keys";
  CHECK(masked(target::ort, -1e9) == slow);
  CHECK(masked(target::ort_contrib, -1e9) == slow);
  CHECK(masked(target::ort, -1) == attention);
  CHECK(masked(target::ort, -1e9, true).find(" Attention ") != std::string::npos);
  CHECK(masked(target::ort_gpu, -1e9) == attention);
}

TEST_CASE("Attention: logits with a cap") {
  const auto capped = [](model& m, target runtime) {
    const operands o(m, {2, 7}, {2, 6});
    const value small = unary("Tanh", div(mul(o.logits(), 0.5), 30));
    return after({o.result(softmax(mul(small, 30)))}, {"join-transposes", "Attention"}, runtime);
  };
  model m;
  CHECK(capped(m, target::generic) == unmasked);
  CHECK(*attribute_of_attention(m.g, "softcap") == attribute::content(30.0f));
  CHECK(*attribute_of_attention(m.g, "scale") == attribute::content(0.5f));
  model n;
  CHECK(capped(n, target::ort) == "ONNX Runtime's Attention is slow with a softcap");
  model p;  // a logit may be NaN while the others are finite
  const operands o(p, p.in({p.B, 6, 5}));
  const value small = unary("Tanh", div(o.logits(), 30));
  const value masked = where(p.in({6, 6}, dtype::boolean), mul(small, 30), scalar(p.g, dtype::f32, -1e30));
  CHECK(fused(o.result(softmax(masked))) ==
        "a NaN in a masked row of k, but not of v, would reach the result (assume_finite permits the rule)");
}

TEST_CASE("Attention: masks that replace what is hidden, and by -inf") {
  const double infinity = std::numeric_limits<double>::infinity();
  const char* const masked = "MatMul Add MatMul Add MatMul Add Where Attention Reshape";
  model m;
  const operands o(m, m.in({m.B, 6, 5}));
  const value hidden = where(m.in({6, 6}, dtype::boolean), scalar(m.g, dtype::f32, -1e30), o.logits());
  CHECK(fused(o.result(softmax(hidden))) == masked);
  const auto causal = [](model& n, std::int64_t first) {
    bool sees[36] = {};
    for (std::int64_t i = 0; i < 36; ++i) sees[i] = i / 6 >= i % 6 + first;
    return array(n.g, dtype::boolean, ints{6, 6}, std::span<const bool>(sees));
  };
  model n;
  CHECK(fused(operands(n, n.in({n.B, 6, 5})).masked(causal(n, 0), -infinity)) == masked);
  model p;  // the first position sees no key
  CHECK(fused(operands(p, p.in({p.B, 6, 5})).masked(causal(p, 1), -infinity)) ==
        "the mask may be -inf (assume_finite permits the rule)");
}

TEST_CASE("Attention: any masks of finite values") {
  const auto finite = [](const value& y) { return after({y}, {"join-transposes", "Attention"}, target::ort, true); };
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double number : {-1e30, -infinity, double(std::numeric_limits<float>::lowest())}) {
    model m;
    CHECK(finite(operands(m, {2, 7}, {2, 6}).masked(m.in({7, 6}, dtype::boolean), number)) ==
          "Where Reshape Reshape Reshape Attention Reshape");
  }
  model n;  // the mask may have numbers that ONNX Runtime treats as if there were no keys
  CHECK(finite(operands(n, {2, 7}, {2, 6}).biased(n.in({7, 6}))) == "Max Reshape Reshape Reshape Attention Reshape");
  model o;
  const operands both(o, {2, 7}, {2, 6});
  const auto hidden = [&](double number) {
    return where(o.in({7, 6}, dtype::boolean), add(both.logits(), o.in({7, 6})), scalar(o.g, dtype::f32, number));
  };
  CHECK(finite(both.result(softmax(hidden(-1e30)))) == "Max Where Reshape Reshape Reshape Attention Reshape");
  model p;  // a row may see no key because of -inf, and others because of the bias
  const operands bottomless(p, {2, 7}, {2, 6});
  const value logits =
      where(p.in({7, 6}, dtype::boolean), add(bottomless.logits(), p.in({7, 6})), scalar(p.g, dtype::f32, -infinity));
  CHECK(finite(bottomless.result(softmax(logits))) == "the mask may be -inf (assume_finite permits the rule)");
}

TEST_CASE("Attention: scores that are products with a vector have no keys") {
  model m;
  const value scores = matmul(m.in({2, 6, 6, 4}), m.weight({4}));
  CHECK(fused(matmul(softmax(scores), m.in({2, 6, 4}))) == "MatMul Softmax MatMul");
}
