// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/shape.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {standard("axis", 1), standard("batch_axis", 1),
                                           standard("mode", "constant")};
constexpr op_record op = record_of(attributes);
constexpr op_record op18 = {"Op", "", 18, any_values, any_values, any_types, attributes, 0, 0, {}, ""};
constexpr op_record plain = record_of();
constexpr dim B = dim::symbol("B"), T = dim::symbol("T"), dyn = dim::dyn();
constexpr dim end = dim::nearest(INT64_MAX);

static_assert(applied(op, f32({B, 6}), i64({3})).known(1, {0, -1, 2}).run(rules::reshape).is({B, 3, 2}));
static_assert(!applied(op, f32({5}), i64({2})).known(1, {-1, 2}).run(rules::reshape).ok());
static_assert(applied(op, f32({2, 3, 4})).run(rules::flatten).is({2, 12}));
static_assert(applied(op, f32({2, B, 4})).run(rules::transpose).is({4, B, 2}));
static_assert(applied(op, f32({1, B, 1}), i64({1})).known(1, {-1}).run(rules::squeeze).is({1, B}));
static_assert(applied(op, f32({B}), i64({2})).known(1, {0, -1}).run(rules::unsqueeze).is({1, B, 1}));
static_assert(applied(op, f32({B, 2}), f32({B, 3})).with("axis", -1).run(rules::concat).is({B, 5}));
static_assert(applied(op, f32({B, 6})).wants(2).run(rules::split).are(f32({B, 3}), f32({B, 3})));
static_assert(applied(op, f32({B, 9}), i64({2}), i64({2}), std::nullopt, i64({2}))
                  .known(1, {0, -2})
                  .known(2, {end, 0})
                  .known(4, {1, -3})
                  .run(rules::slice)
                  .is({B, 3}));
static_assert(!applied(op, f32({2}), i64({1}), i64({2})).run(rules::slice).ok());
static_assert(applied(op, f32({B, 3}), i64({4})).known(1, {0, 1, 0, 1}).run(rules::pad).is({B, 5}));
static_assert(applied(op, f32({B, 3}), i64({2})).known(1, {T, 3}).run(rules::expand).is({dyn, 3}));
static_assert(applied(op, f32({B, 3})).run(rules::shape_of).is({2}));

outcome sliced(tensor_type x, dim start, dim limit, dim step) {
  return applied(op, std::move(x), i64({1}), i64({1}), i64({1}), i64({1}))
      .known(1, {start})
      .known(2, {limit})
      .known(3, {0})
      .known(4, {step})
      .run(rules::slice);
}

}  // namespace

TEST_CASE("casts keep the shape, ranked or not", "[graph]") {
  CHECK(applied(op, f32({B})).with("to", dtype::i8).run(rules::cast).are(of(dtype::i8, {B})));
  CHECK(applied(op, unranked(dtype::f32)).with("to", dtype::i8).run(rules::cast).are(unranked(dtype::i8)));
  CHECK(applied(op, f32({B}), i64({})).run(rules::cast_like).are(i64({B})));
  CHECK(applied(op, f32({B})).with("to", dtype::u32).run(rules::bit_cast).are(of(dtype::u32, {B})));
  CHECK(applied(op, f32({B})).with("to", dtype::u16).run(rules::bit_cast).problem ==
        "elements of {} bits cannot be read as elements of {} bits");
  CHECK(applied(op, unranked(dtype::f32, value_kind::sequence))
            .run(rules::identity)
            .are(unranked(dtype::f32, value_kind::sequence)));
}

TEST_CASE("Reshape knows what -1 and 0 stand for", "[graph]") {
  CHECK(applied(op, f32({2, 6}), i64({1})).known(1, {-1}).run(rules::reshape).is({12}));
  CHECK(applied(op, f32({B, 4}), i64({2})).known(1, {B, -1}).run(rules::reshape).is({B, 4}));
  CHECK(applied(op, f32({6, B}), i64({2})).known(1, {3, -1}).run(rules::reshape).is({3, dyn}));
  CHECK(applied(op, f32({2, 3}), i64({2})).known(1, {dyn, -1}).run(rules::reshape).is({dyn, dyn}));
  CHECK(applied(op, f32({B, 4}), i64({3})).run(rules::reshape).is({dyn, dyn, dyn}));
  CHECK(applied(op, f32({}), i64({0})).known(1, {}).run(rules::reshape).is({}));
  CHECK(applied(op, f32({2, 3}), i64({B})).run(rules::reshape).is_unranked());
  CHECK(applied(op, f32({2, 3}), unranked(dtype::i64)).run(rules::reshape).is_unranked());
  CHECK(applied(op, unranked(dtype::f32), i64({2})).known(1, {0, -1}).run(rules::reshape).is({dyn, dyn}));
  CHECK(applied(op, f32({0, 3}), i64({2})).known(1, {3, 0}).with("allowzero", 1).run(rules::reshape).is({3, 0}));
}

TEST_CASE("Reshape keeps the number of elements", "[graph]") {
  CHECK_FALSE(applied(op, f32({2, 3}), i64({1})).known(1, {5}).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({5}), i64({2})).known(1, {-1, 2}).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), i64({2})).known(1, {-1, -1}).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), i64({1})).known(1, {-2}).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({2}), i64({2})).known(1, {2, 0}).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({0, 2}), i64({2})).known(1, {0, -1}).with("allowzero", 1).run(rules::reshape).ok());
  CHECK_FALSE(applied(op, f32({2}), i64({1, 1})).run(rules::reshape).ok());
}

TEST_CASE("Flatten takes its axis from either end, and all dimensions", "[graph]") {
  CHECK(applied(op, f32({2, 3, 4})).with("axis", 3).run(rules::flatten).is({24, 1}));
  CHECK(applied(op, f32({2, B, 4})).with("axis", -1).run(rules::flatten).is({dyn, 4}));
  CHECK(applied(op, f32({})).with("axis", 0).run(rules::flatten).is({1, 1}));
  CHECK_FALSE(applied(op, f32({2})).with("axis", 2).run(rules::flatten).ok());
}

TEST_CASE("Transpose checks its permutation", "[graph]") {
  CHECK(applied(op, f32({2, B, 4})).with("perm", {1, 2, 0}).run(rules::transpose).is({B, 4, 2}));
  CHECK_FALSE(applied(op, f32({2, 3})).with("perm", {0, 0}).run(rules::transpose).ok());
  CHECK_FALSE(applied(op, f32({2, 3})).with("perm", {1, -2}).run(rules::transpose).ok());
}

TEST_CASE("Squeeze and Unsqueeze", "[graph]") {
  CHECK(applied(op, f32({1, 3, 1})).run(rules::squeeze).is({3}));
  CHECK(applied(op, f32({1, B})).run(rules::squeeze).is_unranked());
  CHECK(applied(op, f32({1, B, 1}), i64({2})).run(rules::squeeze).is({dyn}));
  CHECK_FALSE(applied(op, f32({1, 3}), i64({1})).known(1, {1}).run(rules::squeeze).ok());
  CHECK_FALSE(applied(op, f32({1, 3}), i64({3})).run(rules::squeeze).ok());
  CHECK(applied(op, f32({B}), i64({1})).run(rules::unsqueeze).is({dyn, dyn}));
  CHECK(applied(op, f32({B}), i64({T})).run(rules::unsqueeze).is_unranked());
  CHECK_FALSE(applied(op, f32({B}), i64({2})).known(1, {1, -2}).run(rules::unsqueeze).ok());
  CHECK_FALSE(applied(op, f32({B}), i64({1})).known(1, {2}).run(rules::unsqueeze).ok());
}

TEST_CASE("Expand broadcasts both ways, Tile multiplies", "[graph]") {
  CHECK(applied(op, f32({3, 1}), i64({3})).known(1, {B, 1, 4}).run(rules::expand).is({B, 3, 4}));
  CHECK(applied(op, f32({3, 1}), i64({1})).known(1, {1}).run(rules::expand).is({3, 1}));
  CHECK(applied(op, f32({3, 1}), i64({3})).run(rules::expand).is({dyn, 3, dyn}));
  CHECK(applied(op, f32({3, 1}), i64({B})).run(rules::expand).is_unranked());
  CHECK_FALSE(applied(op, f32({3}), i64({1})).known(1, {2}).run(rules::expand).ok());
  CHECK_FALSE(applied(op, f32({1}), i64({1})).known(1, {-1}).run(rules::expand).ok());
  CHECK(applied(op, f32({B, 3}), i64({2})).known(1, {1, 2}).run(rules::tile).is({B, 6}));
  CHECK(applied(op, f32({B, 3}), i64({2})).run(rules::tile).is({dyn, dyn}));
  CHECK_FALSE(applied(op, f32({B, 3}), i64({1})).run(rules::tile).ok());
}

TEST_CASE("Concat compares the other axes", "[graph]") {
  CHECK(applied(op, f32({dyn, 2}), f32({B, 3}), f32({4, 1})).with("axis", 1).run(rules::concat).is({4, 6}));
  CHECK(applied(op, f32({B}), f32({T})).with("axis", 0).run(rules::concat).is({dyn}));
  CHECK_FALSE(applied(op, f32({2, 2}), f32({3, 2})).with("axis", 1).run(rules::concat).ok());
  CHECK_FALSE(applied(op, f32({2, 2}), f32({2})).with("axis", 0).run(rules::concat).ok());
  CHECK_FALSE(applied(op, f32({2, 2})).with("axis", 2).run(rules::concat).ok());
  CHECK_FALSE(applied(op, f32({}), f32({})).with("axis", 0).run(rules::concat).ok());
}

TEST_CASE("Split into sizes, into a number of parts, or into results", "[graph]") {
  const auto x = [] { return applied(op18, f32({B, 7}), i64({2})); };
  CHECK(x().known(1, {3, 4}).wants(2).run(rules::split).are(f32({B, 3}), f32({B, 4})));
  CHECK(x().wants(2).run(rules::split).are(f32({B, dyn}), f32({B, dyn})));
  CHECK_FALSE(x().known(1, {3, 3}).wants(2).run(rules::split).ok());
  CHECK_FALSE(x().known(1, {-1, 8}).wants(2).run(rules::split).ok());
  CHECK_FALSE(x().known(1, {3, 4}).wants(3).run(rules::split).ok());
  CHECK_FALSE(x().with("num_outputs", 2).wants(2).run(rules::split).ok());
  const auto y = [] { return applied(op18, f32({B, 7})); };
  CHECK(y().with("num_outputs", 2).wants(2).run(rules::split).are(f32({B, 4}), f32({B, 3})));
  CHECK_FALSE(y().with("num_outputs", 2).wants(3).run(rules::split).ok());
  CHECK_FALSE(y().with("num_outputs", 5).wants(5).run(rules::split).ok());
  CHECK_FALSE(y().with("num_outputs", std::int64_t{0}).wants(1).run(rules::split).ok());
  CHECK_FALSE(y().wants(7).run(rules::split).ok());
  CHECK_FALSE(applied(op, f32({B, 7})).wants(2).run(rules::split).ok());
}

TEST_CASE("Slice clamps its bounds", "[graph]") {
  CHECK(sliced(f32({10}), 2, -1, 3).is({3}));
  CHECK(sliced(f32({10}), -20, 5, 1).is({5}));
  CHECK(sliced(f32({10}), 20, 0, -2).is({5}));
  CHECK(sliced(f32({10}), 5, 2, 1).is({0}));
  CHECK(sliced(f32({10}), -1, dim::nearest(INT64_MIN), -1).is({10}));
  CHECK(sliced(f32({B}), 0, end, 1).is({B}));
  CHECK(sliced(f32({B}), 0, B, 1).is({B}));
  CHECK(sliced(f32({B}), 0, 5, 1).is({dyn}));
  CHECK(sliced(f32({10}), 0, B, 1).is({dyn}));
  CHECK(sliced(f32({10}), dyn, 5, 1).is({dyn}));
  CHECK(sliced(f32({10}), 0, 5, dyn).is({dyn}));
  CHECK(sliced(f32({10}), 0, 5, 0).problem == "a step is 0");
}

TEST_CASE("Slice counts its bounds", "[graph]") {
  CHECK(applied(op, f32({4, 5}), i64({B}), i64({B})).run(rules::slice).is({dyn, dyn}));
  CHECK(applied(op, f32({4, 5}), i64({1}), i64({1})).run(rules::slice).is({dyn, 5}));
  CHECK(applied(op, f32({4, 5}), i64({1}), i64({1}), i64({1})).run(rules::slice).is({dyn, dyn}));
  CHECK_FALSE(applied(op, f32({4}), i64({2}), i64({2})).run(rules::slice).ok());
  CHECK_FALSE(applied(op, f32({4, 4}), i64({1}), i64({2})).run(rules::slice).ok());
  CHECK_FALSE(applied(op, f32({4}), i64({}), i64({})).run(rules::slice).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({1}), i64({1}), i64({1})).known(3, {2}).run(rules::slice).ok());
}

TEST_CASE("Pad adds and crops", "[graph]") {
  CHECK(applied(op, f32({B, 3}), i64({4})).known(1, {0, 1, 0, -2}).run(rules::pad).is({B, 2}));
  CHECK(
      applied(op, f32({B, 3}), i64({2}), f32({}), i64({1})).known(1, {1, 1}).known(3, {-1}).run(rules::pad).is({B, 5}));
  CHECK(applied(op, f32({B, 3}), i64({2}), std::nullopt, i64({1})).run(rules::pad).is({dyn, dyn}));
  CHECK(applied(op, f32({B, 3}), i64({T})).run(rules::pad).is({dyn, dyn}));
  CHECK_FALSE(applied(op, f32({B, 3}), i64({3})).run(rules::pad).ok());
  CHECK_FALSE(applied(op, f32({3}), i64({2})).known(1, {-2, -2}).run(rules::pad).ok());
  CHECK_FALSE(applied(op, f32({3}), i64({2}), f32({2})).run(rules::pad).ok());
  CHECK_FALSE(applied(op, f32({3}), i64({2})).with("mode", "wrap").run(rules::pad).ok());
  CHECK_FALSE(applied(op, f32({3}), i64({2})).with("mode", "mirror").run(rules::pad).ok());
  CHECK_FALSE(applied(op, f32({0}), i64({2})).known(1, {0, 1}).with("mode", "edge").run(rules::pad).ok());
  CHECK(applied(op, f32({0}), i64({2})).known(1, {0, 1}).run(rules::pad).is({1}));
  for (const std::int64_t right : {2, 3})
    CHECK(applied(op, f32({0, 3}), i64({4})).known(1, {0, 2, 0, right}).with("mode", "reflect").run(rules::pad).ok() ==
          (right == 2));
}

TEST_CASE("CenterCropPad sets extents", "[graph]") {
  CHECK(applied(op, f32({B, 3}), i64({2})).known(1, {4, 5}).run(rules::center_crop_pad).is({4, 5}));
  CHECK(applied(op, f32({B, 3}), i64({1})).with("axes", {-1}).known(1, {5}).run(rules::center_crop_pad).is({B, 5}));
  CHECK(applied(op, f32({B, 3}), i64({B})).with("axes", {-1}).run(rules::center_crop_pad).is({B, dyn}));
  CHECK_FALSE(applied(op, f32({B, 3}), i64({1})).run(rules::center_crop_pad).ok());
  CHECK_FALSE(applied(op, f32({3}), i64({1})).known(1, {-1}).run(rules::center_crop_pad).ok());
}

TEST_CASE("Shape clamps its range, Size is a scalar", "[graph]") {
  CHECK(applied(op, f32({2, B, 4})).run(rules::shape_of).is({3}));
  CHECK(applied(op, f32({2, B, 4})).with("start", -1).run(rules::shape_of).is({1}));
  CHECK(applied(op, f32({2, B, 4})).with("start", 1).with("end", 9).run(rules::shape_of).is({2}));
  CHECK(applied(op, f32({2, B, 4})).with("start", 2).with("end", -2).run(rules::shape_of).is({0}));
  CHECK(applied(op, unranked(dtype::f32)).run(rules::shape_of).is({dyn}));
  CHECK(applied(op, unranked(dtype::f32)).run(rules::size_of).is({}));
}

TEST_CASE("blocks and channels", "[graph]") {
  CHECK(applied(plain, f32({B, 8, 2, 3})).with("blocksize", 2).run(rules::depth_to_space).is({B, 2, 4, 6}));
  CHECK(applied(plain, f32({B, 2, 4, 6})).with("blocksize", 2).run(rules::space_to_depth).is({B, 8, 2, 3}));
  CHECK(applied(plain, f32({B, 2, 4, 6})).run(rules::space_to_depth).is({dyn, dyn, dyn, dyn}));
  CHECK_FALSE(applied(plain, f32({B, 6, 2, 3})).with("blocksize", 2).run(rules::depth_to_space).ok());
  CHECK_FALSE(applied(plain, f32({B, 2, 4, 5})).with("blocksize", 2).run(rules::space_to_depth).ok());
  CHECK_FALSE(applied(plain, f32({B, 2, 4})).with("blocksize", 2).run(rules::space_to_depth).ok());
  CHECK_FALSE(applied(plain, f32({B, 2, 4, 4})).with("blocksize", 0).run(rules::space_to_depth).ok());
  CHECK_FALSE(
      applied(plain, f32({B, 8, 2, 3})).with("blocksize", 2).with("mode", "DRC").run(rules::depth_to_space).ok());
}

TEST_CASE("attributes of the running program leave extents open", "[graph]") {
  static constexpr formal_attribute open[] = {standard("axis", std::int64_t{0}), {"perm", attribute_kind::integers}};
  static constexpr op_record late = record_of(open);
  CHECK(applied(late, f32({2, 3})).attributes_at_run_time().run(rules::flatten).is({dyn, dyn}));
  CHECK(applied(late, f32({2, 3})).attributes_at_run_time().run(rules::transpose).is({dyn, dyn}));
  CHECK(applied(late, f32({2, 3})).attributes_at_run_time().run(rules::split).is({dyn, dyn}));
  CHECK(applied(plain, f32({2, 3})).attributes_at_run_time().run(rules::transpose).is({3, 2}));
}

TEST_CASE("Trilu wants matrices, ReverseSequence lengths", "[graph]") {
  CHECK(applied(op, f32({B, 2, 3}), i64({})).run(rules::trilu).is({B, 2, 3}));
  CHECK_FALSE(applied(op, f32({3})).run(rules::trilu).ok());
  CHECK_FALSE(applied(op, f32({3, 3}), i64({2})).run(rules::trilu).ok());
  CHECK(applied(op, f32({T, B, 3}), i64({B})).run(rules::reverse_sequence).is({T, B, 3}));
  CHECK_FALSE(applied(op, f32({4, 2}), i64({4})).run(rules::reverse_sequence).ok());
  CHECK_FALSE(applied(op, f32({4, 2}), i64({2})).with("time_axis", 1).run(rules::reverse_sequence).ok());
  CHECK_FALSE(applied(op, f32({4}), i64({1})).run(rules::reverse_sequence).ok());
}

TEST_CASE("texts and lengths that are none of the operator's", "[graph]") {
  CHECK(applied(plain, f32({})).with("to", 1).with("round_mode", "down").run(rules::cast).ok());
  CHECK(applied(plain, f32({})).with("to", 1).with("round_mode", "sideways").run(rules::cast).problem ==
        "round_mode must be up, down or nearest");
  const auto blocks = [](std::string_view mode) {
    return applied(plain, f32({1, 1, 4, 4})).with("blocksize", 2).with("mode", mode).run(rules::space_to_depth);
  };
  CHECK(blocks("CRD").ok());
  CHECK(blocks("XYZ").problem == "mode must be DCR or CRD");
  const auto reversed = [](dim length) {
    return applied(plain, f32({4, 1}), i64({1}))
        .known(1, {length})
        .with("batch_axis", 1)
        .with("time_axis", 0)
        .run(rules::reverse_sequence);
  };
  CHECK(reversed(4).ok());
  CHECK(reversed(9).problem == "a length is {}, but the operand has {} step{|s}");
}
