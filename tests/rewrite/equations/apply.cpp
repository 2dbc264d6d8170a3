// SPDX-License-Identifier: Apache-2.0
#include "rewrite/apply.hpp"

#include "catch.hpp"

#include <string>
#include <string_view>

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/equations/apply.hpp>
#include <jax2onnx/rewrite/equations/build.hpp>
#include <jax2onnx/rewrite/equations/conditions.hpp>
#include <jax2onnx/rewrite/equations/functions.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators after `text` was applied, or the reason why it did not apply.
std::string after_text(const value& v, const std::string& text) {
  const equations::parsed_equation parsed(text);
  const equations::equation e = parsed.view();
  const rule r{"rule", "", "", e.roots, nullptr, stage::tidy, &e};
  output(v, "y");
  rewrite_report report;
  rewrite::detail::rule_driver driver(v.owner(), report, {.merge_common = false});
  driver.add(r);
  rewrite::detail::dead_code(v.owner()).run();
  driver.run(stage::exact);
  const rewrite_report::entry* found = report.find("rule");
  return found && found->applied == 0 ? std::string(found->reasons.front()) : test::op_list(v.owner());
}

}  // namespace

TEST_CASE("equations: results are built with the types that operators give") {
  model m;
  const value x = m.in({2, 3}), c = m.in({2, 3}, dtype::boolean);
  CHECK(after_text(where(c, neg(x), x), "Where(c, -x, x) -> x Where(c, -1, 1)") == "Where Mul");
  model n;
  CHECK(after_text(n.last("ReduceSum", abs(n.in({2, 3}))), "ReduceSum(Abs(x), r) -> ReduceL1(x, r)") == "ReduceL1");
}

TEST_CASE("equations: nothing is replaced by what has another shape") {
  model m;
  const value wide = m.g.constant({dtype::f32, {1, 1, 1}}, bytes(std::string(4, '\0')));
  CHECK(after_text(maximum(m.in({2}), wide), "Max(x, 0) -> Relu(x)") == "Max");
}

TEST_CASE("equations: conditions give their reasons; conditions after `for` give none") {
  model m;
  CHECK(after_text(maximum(m.in({2}, dtype::i32), 0), "Max(x, 0) -> Relu(x) if floating(x)") ==
        "the element type is not floating-point");
  model n;
  CHECK(after_text(maximum(n.in({2}), 0), "Max(x, 0) -> Relu(x) if rank(x) = 2 'no matrix'") == "no matrix");
  model o;
  CHECK(after_text(maximum(o.in({2}, dtype::i32), 0), "Max(x, 0) -> Relu(x) for floating(x)") == "Max");
}

TEST_CASE("equations: a scalar keeps its bits, of 64 bits too") {
  model m;
  const value x = m.in({2}, dtype::i64), most = scalar(m.g, dtype::i64, INT64_MAX), least = scalar(m.g, dtype::i64, 1);
  CHECK(after_text(minimum(maximum(x, least), most), "Min(Max(x, a), b) -> Clip(x, a, b) for number(a, b)") == "Clip");
  const node& clip = m.g.at(m.g.at(block_id::main).nodes.back());
  CHECK(constant_integer({m.g, clip.inputs[2]}) == INT64_MAX);
}
