#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/attention.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;
using jax2onnx::rewrite::splat_number;

namespace {

const ints heads_first = {0, 2, 1, 3};

value softmax(const value& x) { return x.owner().emit("Softmax", {x}, x.type(), {{"axis", x.rank() - 1}}); }

/// Queries, keys and values of 3 heads with 4 features: inputs, or computed from one input x of 5 features.
struct operands {
  value q, k, v;
  operands(model& m, const shape& queries, const shape& keys)
      : q(m.in(heads(queries))), k(m.in(heads(keys))), v(m.in(heads(keys))) {}
  operands(model& m, const value& x) : q(projection(m, x)), k(projection(m, x)), v(projection(m, x)) {}

  static value projection(model& m, const value& x) {
    return jax2onnx::reshape(add(matmul(x, m.weight({5, 12})), m.weight({12})), heads({x.extent(0), x.extent(1)}));
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

const char* const unmasked = "Reshape Reshape Reshape Attention Reshape";

const attribute::content* attribute_of_attention(const graph& g, std::string_view name) {
  for (const node_id n : g.at(block_id::main).nodes)
    if (g.at(n).op == "Attention") return &g.at(n).find(name)->value;
  return nullptr;
}

}  // namespace

TEST_CASE("Attention: heads behind the lengths, with a batch or without") {
  model m;
  CHECK(after(operands(m, {m.B, 7}, {m.B, 6}).attention(), "Attention") == unmasked);
  CHECK(*attribute_of_attention(m.g, "q_num_heads") == attribute::content(std::int64_t{3}));
  model n;
  const value q = n.in({7, 3, 4}), k = n.in({6, 3, 4}), v = n.in({6, 3, 2});
  const value weights = softmax(matmul(transpose(q, {1, 0, 2}), transpose(k, {1, 2, 0})));
  CHECK(after(transpose(matmul(weights, transpose(v, {1, 0, 2})), {1, 0, 2}), "Attention") == unmasked);
}

TEST_CASE("Attention: scales of logits, queries and keys are one") {
  model m;
  operands o(m, {2, 7}, {2, 6});
  o.q = div(o.q, 4);
  o.k = jax2onnx::reshape(mul(m.in({2, 6, 12}), 0.5), {2, 6, 3, 4});
  const value logits = mul(o.logits(), 2);
  CHECK(after(o.result(softmax(logits)), "Attention") == "Reshape Reshape Attention Reshape");
  CHECK(*attribute_of_attention(m.g, "scale") == attribute::content(0.25f));
  model n;
  operands negative(n, {2, 7}, {2, 6});
  CHECK(after(negative.result(softmax(mul(negative.logits(), -1))), "Attention").find("Attention") ==
        std::string::npos);
}

TEST_CASE("Attention: masks that are added") {
  model m;
  const value mask =
      where(m.in({2, 1, 7, 6}, dtype::boolean), scalar(m.g, dtype::f32, 0), scalar(m.g, dtype::f32, -1e9));
  CHECK(after(operands(m, {2, 7}, {2, 6}).biased(mask), "Attention") ==
        "Where Reshape Reshape Reshape Attention Reshape");
  model n;  // the operator needs the lengths
  CHECK(after(operands(n, {2, 7}, {2, 6}).biased(exp(n.in({6}))), "Attention") ==
        "Exp Reshape Reshape Reshape Expand Attention Reshape");
  model o;
  CHECK(after(operands(o, {2, 7}, {2, 6}).biased(o.in({7, 6})), "Attention") == "the mask may be -inf");
  model p;  // no row of ONNX Runtime's lowest number
  const value lowest = where(p.in({7, 6}, dtype::boolean), scalar(p.g, dtype::f32, 0),
                             scalar(p.g, dtype::f32, double(std::numeric_limits<float>::lowest())));
  CHECK(after(operands(p, {2, 7}, {2, 6}).biased(lowest), "Attention") ==
        "Where Reshape Reshape Reshape Attention Reshape");
}

TEST_CASE("Attention: masks from weights, and moved ones") {
  const double lowest = std::numeric_limits<float>::lowest();
  const auto replaced = [&](const value& y) { return after(y, "Attention").find("Attention") != std::string::npos; };
  model m;  // relative positions, as in T5, and padding
  const value visible = m.in({2, 1, 1, 6}, dtype::boolean), positions = m.in({7, 6}, dtype::i64);
  const value table = transpose(gather(m.weight({9, 3}), positions, 0), {2, 0, 1});
  const value padding = where(visible, scalar(m.g, dtype::f32, 0), scalar(m.g, dtype::f32, lowest));
  CHECK(after(operands(m, {2, 7}, {2, 6}).biased(add(table, padding)), "Attention").find("Where Add") !=
        std::string::npos);
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
  model o;  // a product can be the lowest number
  const value factor = mul(cast(o.in({7, 6}, dtype::i32), dtype::f32), scalar(o.g, dtype::f32, lowest));
  CHECK_FALSE(replaced(operands(o, {2, 7}, {2, 6}).biased(factor)));
}

TEST_CASE("Attention: masks that replace, where keys and values are computed from the same") {
  model m;
  const operands o(m, m.in({m.B, 6, 5}));
  CHECK(after(o.masked(m.in({6, 6}, dtype::boolean), -1e30), "Attention") ==
        "MatMul Add MatMul Add MatMul Add Where Attention Reshape");
  model n;
  CHECK(after(operands(n, {2, 7}, {2, 6}).masked(n.in({7, 6}, dtype::boolean), -1e30), "Attention") ==
        "a masked key may be NaN where its value is not");
  model p;  // -1 masks nothing
  CHECK(after(operands(p, p.in({2, 6, 5})).masked(p.in({6, 6}, dtype::boolean), -1), "Attention").find("Attention") ==
        std::string::npos);
  model q;  // values of some of the rows
  operands part(q, q.in({2, 6, 5}));
  const value half = slice(part.v, {1}, {0}, {3});
  part.v = concat({half, half}, 1);
  CHECK(after(part.masked(q.in({6, 6}, dtype::boolean), -1e30), "Attention") ==
        "a masked key may be NaN where its value is not");
  model r;  // a root can be NaN
  operands rooted(r, r.in({2, 6, 5}));
  rooted.k = sqrt(rooted.k);
  CHECK(after(rooted.masked(r.in({6, 6}, dtype::boolean), -1e30), "Attention") ==
        "a masked key may be NaN where its value is not");
}

TEST_CASE("Attention: keys and values of groups of heads") {
  const auto repeated = [](const value& x, std::int64_t times) {
    const value one = jax2onnx::reshape(x, {x.extent(0), x.extent(1), x.extent(2), 1, x.extent(3)});
    const value many = broadcast_to(one, {x.extent(0), x.extent(1), x.extent(2), times, x.extent(3)});
    return jax2onnx::reshape(many, {x.extent(0), x.extent(1), dim(x.extent(2).extent() * times), x.extent(3)});
  };
  model m;
  operands o(m, {2, 7}, {2, 6});
  o.q = m.in({2, 7, 6, 4});
  o.k = repeated(o.k, 2);
  o.v = repeated(o.v, 2);
  CHECK(after(o.attention(), "Attention") == unmasked);
  CHECK(*attribute_of_attention(m.g, "kv_num_heads") == attribute::content(std::int64_t{3}));
  model n;  // values that are not repeated
  operands p(n, {2, 7}, {2, 6});
  p.q = n.in({2, 7, 6, 4});
  p.k = repeated(p.k, 2);
  p.v = n.in({2, 6, 6, 4});
  CHECK(after(p.attention(), "Attention") == "Reshape Expand Reshape Reshape Reshape Attention Reshape");
}

TEST_CASE("Attention: axes of extent 1 move by Reshapes") {
  model m;  // one query: the product of the values and the weights, both transposed
  const value q = m.in({2, 3, 1, 4}), k = m.in({2, 6, 3, 4}), v = m.in({2, 6, 3, 4});
  const value weights = softmax(matmul(q, transpose(k, {0, 2, 3, 1})));
  const value turned = matmul(transpose(v, {0, 2, 3, 1}), jax2onnx::reshape(weights, {2, 3, 6, 1}));
  CHECK(after(turned, "Attention") == unmasked);
  model n;  // one head
  const value p = n.in({2, 1, 7, 4}), l = n.in({2, 6, 1, 4}), w = n.in({2, 1, 6, 4});
  const value scores = matmul(p, jax2onnx::reshape(transpose(l, {0, 2, 3, 1}), {2, 1, 4, 6}));
  CHECK(after(matmul(softmax(scores), w), "Attention") == unmasked);
  model o;  // keys that are repeated for all heads, in front of the lengths
  operands one(o, {2, 7}, {2, 6});
  const auto repeated = [&](const ints& perm, const shape& dims) {
    const value wide = broadcast_to(o.in({2, 6, 1, 1, 4}), {2, 6, 1, 3, 4});
    return jax2onnx::reshape(transpose(wide, perm), dims);
  };
  const value logits = matmul(transpose(one.q, heads_first), repeated({0, 3, 2, 4, 1}, {2, 3, 4, 6}));
  const value sums = matmul(softmax(logits), repeated({0, 3, 2, 1, 4}, {2, 3, 6, 4}));
  CHECK(after(transpose(sums, heads_first), "Attention").ends_with("Attention Reshape"));
  CHECK(*attribute_of_attention(o.g, "kv_num_heads") == attribute::content(std::int64_t{1}));
}

TEST_CASE("Attention: reasons to decline") {
  model m;
  const value q = m.in({2, 6, 3, 4}, dtype::f64);
  const value logits = matmul(transpose(q, heads_first), transpose(q, {0, 2, 3, 1}));
  CHECK(after(transpose(matmul(softmax(logits), transpose(q, heads_first)), heads_first), "Attention") ==
        "the element type is not float32");
  model n(22);
  CHECK(after(operands(n, {2, 7}, {2, 6}).attention(), "Attention") == "ONNX has the operator since opset 23");
  model o;
  const operands read(o, {2, 7}, {2, 6});
  const value weights = softmax(read.logits());
  CHECK(after({read.result(weights), weights}, {"Attention"}) == "the weights are read elsewhere too");
}

TEST_CASE("Attention: look-alikes") {
  const auto stays = [](const value& y) { return after(y, "Attention").find("Attention") == std::string::npos; };
  model m;  // weights along the queries
  const operands o(m, {2, 6}, {2, 6});
  const value logits = o.logits();
  CHECK(stays(o.result(m.g.emit("Softmax", {logits}, logits.type(), {{"axis", 2}}))));
  model n;  // one head for all
  const value q = n.in({2, 7, 3, 4}), k = n.in({2, 6, 1, 4}), v = n.in({2, 6, 1, 4});
  const value weights = softmax(matmul(transpose(q, heads_first), transpose(k, {0, 2, 3, 1})));
  CHECK(stays(transpose(matmul(weights, transpose(v, heads_first)), heads_first)));
  model r;  // the heads stay in front of the lengths
  const operands front(r, {2, 6}, {2, 6});
  CHECK(stays(matmul(softmax(front.logits()), transpose(front.v, heads_first))));
  model p;  // a mask wider than the logits
  const operands one(p, {1, 7}, {1, 6});
  const value wide = add(one.logits(), exp(p.in({2, 1, 7, 6})));
  CHECK(stays(transpose(matmul(softmax(wide), transpose(p.in({2, 6, 3, 4}), heads_first)), heads_first)));
}
