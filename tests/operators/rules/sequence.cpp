// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/sequence.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {
    standard("axis", std::int64_t{0}), standard("keepdims", 1), {"dtype", attribute_kind::integer}};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

constexpr tensor_type list(tensor_type t) { return rules::as_kind(std::move(t), value_kind::sequence); }
constexpr tensor_type maybe(tensor_type t) { return rules::as_kind(std::move(t), value_kind::optional); }

static_assert(applied(op, f32({B, 2}), f32({B, 3})).run(rules::sequence_construct).are(list(f32({B, dyn}))));
static_assert(applied(op, list(f32({B}))).with("axis", 0).run(rules::concat_from_sequence).is({dyn}));
static_assert(applied(op, f32({6, B}), i64({})).known(1, {2}).run(rules::split_to_sequence).are(list(f32({2, B}))));
static_assert(!applied(op, list(f32({B})), i64({})).run(rules::sequence_insert).ok());

}  // namespace

TEST_CASE("sequences have what is common to their tensors", "[graph]") {
  CHECK(applied(op, f32({2}), f32({})).run(rules::sequence_construct).are(list(unranked(dtype::f32))));
  CHECK(applied(op, list(f32({B})), i64({})).run(rules::sequence_at).are(f32({B})));
  CHECK(applied(op, list(f32({2})), f32({3})).run(rules::sequence_insert).are(list(f32({dyn}))));
  CHECK(applied(op, list(f32({2})), i64({})).run(rules::sequence_erase).are(list(f32({2}))));
  CHECK(applied(op, list(f32({2}))).run(rules::sequence_length).is({}));
  CHECK(applied(op).run(rules::sequence_empty).are(list(unranked(dtype::f32))));
  CHECK(applied(op).with("dtype", dtype::i8).run(rules::sequence_empty).are(list(unranked(dtype::i8))));
  CHECK_FALSE(applied(op, list(f32({2})), i64({})).run(rules::sequence_insert).ok());
  CHECK_FALSE(applied(op, list(f32({2})), i64({2})).run(rules::sequence_at).ok());
  CHECK_FALSE(applied(op, list(f32({2})), i64({2})).run(rules::sequence_erase).ok());
  CHECK_FALSE(applied(op, list(f32({2})), f32({}), i64({2})).run(rules::sequence_insert).ok());
}

TEST_CASE("SequenceMap gives a sequence for each result of its body", "[graph]") {
  const auto map = [] { return applied(op, list(f32({2}))); };
  CHECK(map().body("body", f32({2}), i64({})).run(rules::sequence_map).are(list(f32({2})), list(i64({}))));
  CHECK_FALSE(map().body("body", list(f32({2}))).run(rules::sequence_map).ok());
}

TEST_CASE("SplitToSequence knows equal parts", "[graph]") {
  const auto split = [](auto... operands) { return applied(op, operands...); };
  CHECK(split(f32({6, B})).run(rules::split_to_sequence).are(list(f32({1, B}))));
  CHECK(split(f32({6, B})).with("keepdims", 0).run(rules::split_to_sequence).are(list(f32({B}))));
  CHECK(split(f32({6}), i64({})).known(1, {4}).run(rules::split_to_sequence).are(list(f32({dyn}))));
  CHECK(split(f32({6}), i64({2})).known(1, {3, 3}).run(rules::split_to_sequence).are(list(f32({3}))));
  CHECK(split(f32({6}), i64({2})).known(1, {2, 4}).run(rules::split_to_sequence).are(list(f32({dyn}))));
  CHECK(split(unranked(dtype::f32)).run(rules::split_to_sequence).are(list(unranked(dtype::f32))));
  CHECK_FALSE(split(f32({6}), i64({2})).known(1, {2, 3}).run(rules::split_to_sequence).ok());
  CHECK_FALSE(split(f32({6}), i64({})).known(1, {0}).run(rules::split_to_sequence).ok());
  CHECK_FALSE(split(f32({6})).with("axis", 1).run(rules::split_to_sequence).ok());
}

TEST_CASE("ConcatFromSequence joins or stacks", "[graph]") {
  const auto join = [](tensor_type t, std::int64_t axis, std::int64_t fresh) {
    return applied(op, list(std::move(t))).with("axis", axis).with("new_axis", fresh).run(rules::concat_from_sequence);
  };
  CHECK(join(f32({B, 2}), -1, 0).is({B, dyn}));
  CHECK(join(f32({B, 2}), -1, 1).is({B, 2, dyn}));
  CHECK(join(unranked(dtype::f32), 3, 0).is_unranked());
  CHECK_FALSE(join(f32({B, 2}), 2, 0).ok());
  CHECK_FALSE(join(f32({B, 2}), 0, 2).ok());
}

TEST_CASE("optionals", "[graph]") {
  CHECK(applied(op, f32({B})).run(rules::optional).are(maybe(f32({B}))));
  CHECK(applied(op).with("type", list(f32({2}))).run(rules::optional).results[0].kind == value_kind::optional_sequence);
  CHECK_FALSE(applied(op).run(rules::optional).ok());
  CHECK(applied(op, maybe(f32({B}))).run(rules::optional_get_element).are(f32({B})));
  CHECK(applied(op, list(f32({B}))).run(rules::optional_get_element).are(list(f32({B}))));
  CHECK(applied(op, maybe(f32({B}))).run(rules::optional_has_element).is({}));
}

TEST_CASE("strings", "[graph]") {
  CHECK(applied(op, f32({B})).run(rules::string_normalizer).is({dyn}));
  CHECK(applied(op, f32({1, B})).run(rules::string_normalizer).is({1, dyn}));
  CHECK_FALSE(applied(op, f32({2, B})).run(rules::string_normalizer).ok());
  CHECK_FALSE(applied(op, f32({})).run(rules::string_normalizer).ok());
  CHECK_FALSE(applied(op, f32({B})).with("case_change_action", "lower").run(rules::string_normalizer).ok());
  CHECK(applied(op, f32({B})).run(rules::string_split).are(f32({B, dyn}), f32({B})));
  const auto weighted = [](std::size_t weights, std::int64_t least) {
    return applied(op, i64({5}))
        .with("ngram_indexes", {0, 1})
        .list("ngram_indexes", 2)
        .list("weights", weights)
        .with("min_gram_length", least)
        .with("max_gram_length", 1)
        .run(rules::tf_idf_vectorizer);
  };
  CHECK(weighted(2, 1).is({2}));
  CHECK(weighted(0, 1).is({2}));
  CHECK(weighted(1, 1).problem == "it has {} weight{|s} for {} n-gram{|s}");
  CHECK(weighted(2, 2).problem == "min_gram_length is {}; it must not exceed max_gram_length, which is {}");
}
