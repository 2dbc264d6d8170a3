// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/control.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {standard("num_scan_inputs", 1)};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();
constexpr tensor_type truth() { return of(dtype::boolean, {}); }

static_assert(applied(op, truth())
                  .body("then_branch", f32({2, 3}))
                  .body("else_branch", f32({2, 4}))
                  .run(rules::if_)
                  .is({2, dyn}));
static_assert(!applied(op, truth()).body("then_branch", f32({})).body("else_branch", i64({})).run(rules::if_).ok());
static_assert(applied(op, i64({}), truth(), f32({B}))
                  .body("body", truth(), f32({B}), i64({3}))
                  .wants(2)
                  .run(rules::loop)
                  .are(f32({B}), i64({dyn, 3})));
static_assert(applied(op, f32({2}), f32({7, B}))
                  .with("num_scan_inputs", 1)
                  .body("body", f32({2}), f32({B, 4}))
                  .wants(2)
                  .run(rules::scan)
                  .are(f32({2}), f32({7, B, 4})));

}  // namespace

TEST_CASE("the branches of If agree in number and type", "[graph]") {
  const auto If = [] { return applied(op, truth()); };
  CHECK(If().body("then_branch", f32({2})).body("else_branch", f32({})).run(rules::if_).is_unranked());
  CHECK(If().body("then_branch", f32({2}), f32({})).body("else_branch", f32({2})).run(rules::if_).problem ==
        "the branches have {} and {} results");
  CHECK_FALSE(If().body("then_branch", f32({2})).body("else_branch", f32({2})).wants(2).run(rules::if_).ok());
  const tensor_type list = unranked(dtype::f32, value_kind::sequence);
  CHECK_FALSE(If().body("then_branch", f32({2})).body("else_branch", list).run(rules::if_).ok());
  CHECK(If().body("then_branch", list).body("else_branch", list).run(rules::if_).are(list));
  CHECK_FALSE(applied(op, of(dtype::boolean, {2})).run(rules::if_).ok());
}

TEST_CASE("Loop carries values of one type, and stacks tensors", "[graph]") {
  const auto body = [](std::size_t results, auto... types) {
    return applied(op, i64({}), std::nullopt, f32({2})).body("body", types...).wants(results).run(rules::loop);
  };
  CHECK(body(1, truth(), f32({3})).are(f32({dyn})));
  CHECK(body(1, truth(), f32({2, 2})).is_unranked());
  CHECK(body(2, truth(), f32({2}), unranked(dtype::f32)).are(f32({2}), unranked(dtype::f32)));
  CHECK_FALSE(body(1, truth(), i64({2})).ok());
  CHECK_FALSE(body(0, truth()).ok());
  CHECK_FALSE(body(2, truth(), f32({2})).ok());
  CHECK_FALSE(body(1, f32({}), f32({2})).ok());
  CHECK_FALSE(body(2, truth(), f32({2}), unranked(dtype::f32, value_kind::sequence)).ok());
  CHECK_FALSE(applied(op, i64({2}), truth()).run(rules::loop).ok());
  const tensor_type nothing = unranked(dtype::f32, value_kind::optional_sequence);
  const tensor_type list = unranked(dtype::f32, value_kind::sequence);
  CHECK(applied(op, i64({}), truth(), nothing).body("body", truth(), list).run(rules::loop).are(list));
}

TEST_CASE("Scan walks along axes", "[graph]") {
  const auto scan = [](auto... operands) { return applied(op, operands...); };
  CHECK(scan(f32({B, 7}))
            .with("scan_input_axes", {-1})
            .with("scan_output_axes", {-1})
            .body("body", f32({2, 3}))
            .run(rules::scan)
            .is({2, 3, 7}));
  CHECK(scan(f32({dyn}), f32({7})).body("body", f32({4})).run(rules::scan).is({4}));
  CHECK(scan(unranked(dtype::f32)).body("body", f32({4})).run(rules::scan).is({dyn, 4}));
  CHECK_FALSE(scan(f32({3}), f32({3}), f32({7})).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({3}), f32({7})).body("body", f32({4})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({3}), f32({7})).body("body", f32({3, 1})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({3}), f32({7})).body("body", i64({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({3}), f32({})).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({3}), f32({7})).body("body", f32({3})).wants(2).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({7})).with("scan_input_axes", {0, 0}).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({7})).with("scan_output_axes", {2}).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({7})).with("scan_input_directions", {2}).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(applied(op, f32({7}), f32({8})).with("num_scan_inputs", 2).body("body", f32({3})).run(rules::scan).ok());
  CHECK_FALSE(scan(f32({7})).with("num_scan_inputs", std::int64_t{0}).body("body", f32({7})).run(rules::scan).ok());
  CHECK_FALSE(applied(op, f32({7})).with("num_scan_inputs", 2).body("body", f32({3})).run(rules::scan).ok());
}
