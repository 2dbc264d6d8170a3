// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/own_operators.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

namespace {

value attention_of(model& m, const dim& queries, const dim& keys, std::int64_t groups, bool masked = false) {
  const auto in = [&](const dim& length, std::int64_t heads) { return m.in({1, length, 64 * heads}); };
  std::vector<value> operands = {in(queries, 8), in(keys, groups), in(keys, groups)};
  if (masked) operands.push_back(m.in({queries, keys}));
  return m.g.emit("Attention", operands, {dtype::f32, {1, queries, 512}},
                  {{"kv_num_heads", groups}, {"q_num_heads", std::int64_t{8}}, {"scale", 0.125f}});
}

std::string operators_for(target t, const value& y, bool fuse = true) {
  output(y, "y");
  rewrite_options o;
  o.target = t;
  o.fuse = fuse;
  optimize(y.owner(), o);
  return op_list(y.owner());
}

}  // namespace

TEST_CASE("own operators: long attention, and only by request") {
  const auto made = [](target t, bool fuse = true) {
    model m;
    return operators_for(t, attention_of(m, 1024, 1024, 8), fuse);
  };
  CHECK(made(target::ort_contrib) == "MultiHeadAttention");
  CHECK(made(target::ort_contrib, false) == "Attention");
  CHECK(made(target::ort) == "Attention");
  CHECK(made(target::web) == "Attention");
  CHECK(made(target::generic) == "Attention");
}

TEST_CASE("own operators: the domain and the attributes") {
  model m;
  const value y = attention_of(m, 1500, 1500, 8);
  output(y, "y");
  use_own_operators(m.g);
  const node& n = m.g.at(m.g.at(y.id()).producer);
  CHECK(n.domain == "com.microsoft");
  REQUIRE(n.attributes.size() == 2);
  CHECK(std::get<std::int64_t>(n.find("num_heads")->value) == 8);
  CHECK(std::get<float>(n.find("scale")->value) == 0.125f);
}

TEST_CASE("own operators: what stays Attention") {
  const auto made = [](const dim& queries, const dim& keys, std::int64_t groups = 8, bool masked = false) {
    model m;
    return operators_for(target::ort_contrib, attention_of(m, queries, keys, groups, masked));
  };
  CHECK(made(448, 2400) == "MultiHeadAttention");
  CHECK(made(1024, 1023) == "Attention");     // too few logits
  CHECK(made(128, 16384) == "Attention");     // too few queries
  CHECK(made(1024, 1024, 2) == "Attention");  // groups of heads
  CHECK(made(1024, 1024, 8, true) == "Attention");
  CHECK(made(dim::dyn(), 4096) == "Attention");
}
