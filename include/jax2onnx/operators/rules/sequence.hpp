// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/shape.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Shape rules of sequences, optionals and strings. The type of a sequence is the common part of the types of its
/// tensors.
namespace jax2onnx::rules {

/// The type with another kind.
constexpr tensor_type as_kind(tensor_type t, value_kind kind) {
  t.kind = kind;
  return t;
}

/// SequenceAt: one tensor of a sequence.
constexpr void sequence_at(inference& c) {
  c.number(1);
  c.set(0, as_kind(c.in(0), value_kind::tensor));
}

/// SequenceConstruct: a sequence of the operands.
constexpr void sequence_construct(inference& c) {
  tensor_type common = c.in(0);
  for (std::size_t i = 1; i < c.arity(); ++i) common = common_type(std::move(common), c.in(i));
  c.set(0, as_kind(std::move(common), value_kind::sequence));
}

/// SequenceEmpty: a sequence of f32, or of the dtype in the attribute.
constexpr void sequence_empty(inference& c) {
  const dtype standard = c.known("dtype") ? dtype::f32 : dtype::undefined;
  c.set(0, unranked(c.given("dtype") ? c.type("dtype") : standard, value_kind::sequence));
}

/// SequenceErase: a sequence without one of its tensors.
constexpr void sequence_erase(inference& c) {
  if (c.has(1)) c.number(1);
  c.set(0, c.in(0));
}

/// SequenceInsert: a sequence with one more tensor.
constexpr void sequence_insert(inference& c) {
  const dtype a = c.in(0).type, b = c.in(1).type;
  c.expect(a == b || a == dtype::undefined || b == dtype::undefined,
           "the tensor has a different dtype than the sequence");
  if (c.has(2)) c.number(2);
  c.set(0, common_type(c.in(0), c.in(1)));
}

/// SequenceLength: a scalar.
constexpr void sequence_length(inference& c) { c.result(0, shape()); }

/// SequenceMap: a sequence for each result of the body.
constexpr void sequence_map(inference& c) {
  const std::vector<tensor_type> body = c.body_results("body");
  if (!c.expect_body_arity("body", c.arity())) return;
  for (std::size_t i = 0; i < body.size(); ++i) {
    c.expect(body[i].kind == value_kind::tensor, "result {} of the body is not a tensor", static_cast<std::int64_t>(i));
    c.set(i, as_kind(body[i], value_kind::sequence));
  }
}

/// The extent that all parts of SplitToSequence have; `dyn` if the parts differ or are not known.
constexpr dim part_extent(inference& c, dim whole) {
  if (!c.has(1)) return 1;
  if (!c.in(1).is_plain()) return dim::dyn();
  const std::optional<shape> sizes = c.numbers(1);
  if (c.rank(1) == 0) {
    const dim size = sizes ? sizes->front() : dim::dyn();
    if (!c.expect_positive(size, "a part has {} element{|s}; it must have at least one")) return 0;
    const bool even = size.is_constant() && whole.is_constant() && whole.extent() % size.extent() == 0;
    return even ? size : dim::dyn();
  }
  if (!holds_counts(c, 1) || !sizes || sizes->empty()) return dim::dyn();
  dim sum = 0;
  for (dim d : *sizes) sum = c.add(sum, d);
  c.expect_equal(sum, whole, "the sizes add up to {}, not {}");
  return item_loops::all_equal(*sizes, sizes->front()) ? sizes->front() : dim::dyn();
}

/// SplitToSequence: operand 1 has the sizes of the parts. Without operand 1, the parts are single entries, which keep
/// the axis if `keepdims` is set.
constexpr void split_to_sequence(inference& c) {
  tensor_type part = as_kind(c.in(0), value_kind::sequence);
  if (!part.ranked) return c.set(0, std::move(part));
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  if (!c.known("axis") || !c.known("keepdims")) return c.set(0, unranked(part.type, part.kind));
  dim& extent = part.dims[static_cast<std::size_t>(axis)];
  extent = part_extent(c, extent);
  if (!c.has(1) && !c.flag("keepdims")) part.dims.drop(axis);
  c.set(0, std::move(part));
}

/// ConcatFromSequence: joins the tensors along an axis, or stacks them along a new axis.
constexpr void concat_from_sequence(inference& c) {
  tensor_type out = as_kind(c.in(0), value_kind::tensor);
  const std::int64_t fresh = c.integer("new_axis");
  if (!c.expect(fresh == 0 || fresh == 1, "new_axis is {}; it must be 0 or 1", fresh)) return;
  if (!out.ranked) return c.set(0, std::move(out));
  if (!c.given("axis") || !c.known("new_axis")) return c.set(0, unranked(out.type));
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0) + fresh);
  if (c.failed()) return;
  if (fresh) out.dims.put(axis, dim::dyn());
  else out.dims[static_cast<std::size_t>(axis)] = dim::dyn();
  c.set(0, std::move(out));
}

/// Optional: an optional that holds the operand, or that has the type in the attribute.
constexpr void optional(inference& c) {
  tensor_type element = unranked(dtype::undefined);
  if (c.has(0)) element = c.in(0);
  else if (const std::optional<tensor_type> type = c.attribute_type("type")) element = *type;
  else if (!c.expect(c.given("type") || !c.defaults_apply(), "there is neither an operand nor a type")) return;
  const bool sequence = element.kind == value_kind::sequence;
  c.set(0, as_kind(std::move(element), sequence ? value_kind::optional_sequence : value_kind::optional));
}

/// OptionalGetElement: the content of an optional, or the operand itself if it is not an optional.
constexpr void optional_get_element(inference& c) {
  const value_kind kind = c.in(0).kind;
  const bool sequence = kind == value_kind::optional_sequence || kind == value_kind::sequence;
  c.set(0, as_kind(c.in(0), sequence ? value_kind::sequence : value_kind::tensor));
}

/// OptionalHasElement: a scalar.
constexpr void optional_has_element(inference& c) { c.result(0, shape()); }

/// StringNormalizer: the operand is [n] or [1, n]; the result may have fewer strings.
constexpr void string_normalizer(inference& c) {
  const bool row = c.rank(0) == 2;
  if (!c.expect(row || c.rank(0) == 1, "the strings have {} dimension{|s}; they must be [n] or [1, n]", c.rank(0)))
    return;
  if (row) c.expect_equal(c.dims(0)[0], 1, "the strings have {} row{|s}, not {}");
  c.expect_choice("case_change_action", {"NONE", "LOWER", "UPPER"}, "case_change_action must be NONE, LOWER or UPPER");
  shape out(1, dim::dyn());
  if (row) out.put(0, 1);
  c.result(0, std::move(out));
}

/// StringSplit: the parts of each string, padded with empty strings, and the number of parts.
constexpr void string_split(inference& c) {
  shape parts = c.dims(0);
  parts.push_back(dim::dyn());
  c.result(0, std::move(parts));
  c.result(1, c.dims(0));
}

/// TfIdfVectorizer: the last axis of the result reaches up to the largest index in ngram_indexes.
constexpr void tf_idf_vectorizer(inference& c) {
  if (!c.expect(c.rank(0) == 1 || c.rank(0) == 2, "the tokens have {} dimension{|s}; they must be [n] or [rows, n]",
                c.rank(0)) ||
      !c.expect_choice("mode", {"TF", "IDF", "TFIDF"}, "mode must be TF, IDF or TFIDF"))
    return;
  dim length = dim::dyn();
  if (c.given("ngram_indexes")) {
    std::int64_t last = -1;
    for (std::int64_t i : c.integers("ngram_indexes")) {
      if (!c.expect(i >= 0, "the index {} of an n-gram is negative", i)) return;
      if (i > last) last = i;
    }
    length = last + 1;
  }
  const auto grams = static_cast<std::int64_t>(c.attribute_size("ngram_indexes"));
  const auto weights = static_cast<std::int64_t>(c.attribute_size("weights"));
  const std::int64_t least = c.integer("min_gram_length"), most = c.integer("max_gram_length");
  c.expect(weights == 0 || weights == grams, "it has {} weight{|s} for {} n-gram{|s}", weights, grams);
  c.expect(least <= most, "min_gram_length is {}; it must not exceed max_gram_length, which is {}", least, most);
  shape out = c.dims(0);
  out.back() = length;
  c.result(0, std::move(out));
}

}  // namespace jax2onnx::rules
