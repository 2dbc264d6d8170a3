// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/use_counts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("use_counts: reads by nodes and as outputs") {
  model m;
  const value x = m.in({2}), y = exp(x);
  output(mul(y, y), "z");
  output(y, "y");
  use_counts uses;
  uses.count(m.g);
  CHECK(uses.of(x) == 1);
  CHECK(uses.of(y) >= 3);
  uses.add(x.id(), 1);
  CHECK(uses.of(x) == 2);
  CHECK_FALSE(context{m.g, uses}.single_use(x));
  CHECK(uses.of(exp(y)) == 0);  // newer than the count
}

TEST_CASE("use_counts: constants that are read in parts") {
  model m;
  const value whole = m.weight({4, 3}), parts = m.weight({3, 4}), more = m.weight({2, 2});
  const auto row = [&](const value& table, std::int64_t i) { return gather(table, int64s(m.g, {i}), 0); };
  output(add(add(row(whole, 0), row(whole, 3)), m.in({4, 3})), "a");
  output(add(mul(row(parts, 1), slice(parts, 0, 0, 1)), m.in({1, 4})), "b");
  output(mul(gather(more, int64s(m.g, {0, 1, 0}), 0), row(more, 1)), "c");
  use_counts uses;
  uses.count(m.g);
  CHECK(uses.in_parts(whole));
  CHECK(uses.in_parts(parts));
  CHECK_FALSE(uses.in_parts(more));              // more elements than the constant
  CHECK_FALSE(uses.in_parts(m.weight({5, 5})));  // newer than the count
  output(add(whole, m.in({4, 3})), "d");
  uses.count(m.g);
  CHECK_FALSE(uses.in_parts(whole));
}

TEST_CASE("use_counts: constants that a Scan takes apart") {
  model m;
  const value layers = m.weight({3, 4});
  value of_layers, of_input, state;
  const loop_result y =
      scan(m.g, {m.in({4})}, {layers, m.in({3, 4})}, [&](const std::vector<value>& s, const std::vector<value>& x) {
        state = s[0], of_layers = x[0], of_input = x[1];
        return loop_step{{}, {add(mul(s[0], x[0]), x[1])}, {}};
      });
  output(y.carried[0], "y");
  use_counts uses;
  uses.count(m.g);
  CHECK(uses.is_scanned_constant(of_layers));
  CHECK_FALSE(uses.is_scanned_constant(of_input));
  CHECK_FALSE(uses.is_scanned_constant(state));
}

TEST_CASE("use_counts: what has changed since an earlier count") {
  model m;
  const value x = m.in({2}), y = exp(x), table = m.weight({4, 3});
  output(mul(y, y), "z");
  output(gather(table, int64s(m.g, {1}), 0), "row");
  use_counts before;
  before.count(m.g);
  const auto changes = [&] {
    use_counts now;
    now.count(m.g);
    std::vector<value_id> changed;
    now.for_each_change(before, [&](value_id v) { changed.push_back(v); });
    return changed;
  };
  CHECK(changes().empty());
  output(exp(y), "e");
  CHECK(std::ranges::count(changes(), y.id()) == 1);
  CHECK(std::ranges::count(changes(), x.id()) == 0);
  CHECK(std::ranges::count(changes(), table.id()) == 0);
  output(gather(table, int64s(m.g, {2, 3}), 0), "rows");
  CHECK(std::ranges::count(changes(), table.id()) > 0);
}
