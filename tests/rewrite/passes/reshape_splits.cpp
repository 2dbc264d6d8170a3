// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/reshape_splits.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators after the pass.
std::string reshaped(std::initializer_list<value> outputs) {
  graph& g = outputs.begin()->owner();
  for (const value& v : outputs) output(v, "y" + std::to_string(&v - outputs.begin()));
  rewrite::detail::reshape_splits(g);
  rewrite_report r;
  rewrite::detail::rule_driver driver(g, r);
  driver.add(rule_named("join-reshapes"));
  rewrite::detail::dead_code(g).run();
  driver.run(rewrite::stage::exact);
  return op_list(g);
}

}  // namespace

TEST_CASE("reshape-splits: the heads of one token") {
  model m;
  const std::vector<value> qkv = parts_of(reshape(m.in({1, 24}), {1, 1, 24}), 2, {8, 8, 8});
  const value keys = reshape(qkv[1], {1, 2, 4}), values = reshape(qkv[2], {1, 2, 4});
  CHECK(reshaped({neg(qkv[0]), keys, neg(values)}) == "Reshape Split Reshape Neg Neg");
  const node& split = m.g.at(m.g.at(block_id::main).nodes[1]);
  CHECK(m.g.at(split.inputs[0]).type.dims == shape{1, 6, 4});
  CHECK(split.outputs[1] == keys.id());
  CHECK(m.g.at(keys.id()).producer == m.g.at(block_id::main).nodes[1]);
  CHECK(std::get<std::int64_t>(split.find("axis")->value) == 1);
}

TEST_CASE("reshape-splits: parts of several sizes, a symbolic extent, and an axis in the middle") {
  model m;
  const std::vector<value> parts = parts_of(m.in({m.B, 3, 16}), 2, {8, 4, 4});
  CHECK(reshaped({reshape(parts[0], {m.B, 3, 4, 2}), reshape(parts[1], {m.B, 3, 2, 2}),
                  reshape(parts[2], {m.B, 3, 2, 2})}) == "Reshape Split");
  const node& split = m.g.at(m.g.at(block_id::main).nodes[1]);
  CHECK(m.g.at(split.outputs[0]).type.dims == shape{m.B, 3, 4, 2});
  CHECK(m.g.at(split.outputs[2]).type.dims == shape{m.B, 3, 2, 2});
  model n;
  const std::vector<value> rows = parts_of(n.in({3, 4, 5}), 1, {2, 2});
  CHECK(reshaped({reshape(rows[0], {3, 10}), reshape(rows[1], {3, 10})}) == "Reshape Split");
}

TEST_CASE("reshape-splits: what saves no Reshape stays") {
  const auto kept = [](auto reads) {
    model m;
    const std::vector<value> parts = parts_of(m.in({2, 8}), 1, {4, 4});
    const std::vector<value> read = reads(parts);
    return reshaped({read[0], read[1]}).starts_with("Split");
  };
  using values = std::vector<value>;
  CHECK_FALSE(kept([](const values& p) { return values{reshape(p[0], {2, 2, 2}), reshape(p[1], {2, 2, 2})}; }));
  CHECK(kept([](const values& p) { return values{reshape(p[0], {2, 2, 2}), neg(p[1])}; }));
  CHECK(kept([](const values& p) { return values{reshape(p[0], {2, 2, 2}), reshape(p[1], {2, 4, 1})}; }));
  CHECK(kept([](const values& p) { return values{reshape(p[0], {8}), reshape(p[1], {8})}; }));  // mixes rows
  CHECK(kept([](const values& p) { return values{add(reshape(p[0], {2, 2, 2}), reshape(p[0], {2, 2, 2})), p[1]}; }));
  model k;  // parts that are not multiples
  const std::vector<value> parts = parts_of(k.in({2, 12}), 1, {6, 4, 2});
  CHECK(reshaped({reshape(parts[0], {2, 2, 3}), reshape(parts[1], {2, 2, 2}), parts[2]}).starts_with("Split"));
}

TEST_CASE("reshape-splits: bodies of loops") {
  model m;
  const block_scope body(m.g);
  const std::vector<value> parts = parts_of(m.in({2, 8}), 1, {4, 4});
  const value y = reshape(parts[0], {2, 2, 2}), z = reshape(parts[1], {2, 2, 2});
  m.g.set_outputs(body.id(), std::vector<value>{y, z});
  rewrite::use_counts uses;
  uses.count(m.g);
  std::vector<rewrite_report::event> events;
  rewrite::detail::split_reshaper(m.g, body.id(), uses, events).run();
  CHECK(m.g.at(body.id()).nodes.size() == 2);
}

TEST_CASE("reshape-splits: outputs of the model") {
  model m;
  const value x = m.in({2, 8});
  const std::vector<value> parts = parts_of(x, 1, {4, 4});
  const value y = reshape(parts[0], {2, 2, 2}), z = reshape(parts[1], {2, 2, 2});
  output(y, "first");
  output(z, "second");
  const std::vector<rewrite_report::event> events = rewrite::detail::reshape_splits(m.g);
  REQUIRE(events.size() == 1);
  CHECK(events[0].rule == "reshape-splits");
  CHECK(op_list(m.g) == "Reshape Split");
  CHECK(m.g.at(block_id::main).outputs == std::vector<value_id>{y.id(), z.id()});
}

TEST_CASE("reshape-splits: can be left out") {
  for (const bool off : {false, true}) {
    model m;
    const std::vector<value> parts = parts_of(m.in({2, 8}), 1, {4, 4});
    output(reshape(parts[0], {2, 2, 2}), "y");
    output(reshape(parts[1], {2, 2, 2}), "z");
    rewrite_options options;
    if (off) options.disabled.insert("reshape-splits");
    CHECK(optimize(m.g, options).applied("reshape-splits") == (off ? 0 : 1));
  }
}
