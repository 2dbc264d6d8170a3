// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program normalizes every part of a batch separately and joins the parts again.
PROGRAM(ragged_batches) {
  graph g(23);
  const value x = g.input({dtype::f32, {g.dims().symbol("rows"), 4}}, "x");
  const value lengths = g.input({dtype::i64, {g.dims().symbol("parts")}}, "lengths");
  const value shift = g.input({dtype::f32, {4}}, "shift");
  const value parts = split_to_sequence(x, lengths);
  const auto [normed, totals] = sequence_map(std::tuple(parts, shift), [](const value& part, const value& by) {
    const value centred = sub(part, reduce_mean(part, {0}));
    return std::pair(add(centred, by), reduce_sum(part, {0}));
  });
  output(concat_from_sequence(normed, {.axis = 0}), "normed");
  output(concat_from_sequence(totals, {.axis = 0, .new_axis = 1}), "totals");
  output(sequence_length(parts), "count");
  write_model(g, folder / "ragged_batches.onnx");
}

// The program maps pairs of tensors of two sequences to their products and their maxima.
PROGRAM(pairs_of_sequences) {
  graph g(21);
  tensor_type list{dtype::f32, {g.dims().symbol("n"), 3}};
  list.kind = value_kind::sequence;
  const value left = g.input(list, "left"), right = g.input(list, "right");
  const auto results = sequence_map(std::tuple(left, right), [](const value& a, const value& b) {
    return std::vector<value>{mul(a, b), max({a, b})};
  });
  output(results[0], "products");
  output(sequence_at(results[1], -1), "last_maximum");
  write_model(g, folder / "pairs_of_sequences.onnx");
}

// The program keeps the newest frames in a queue of bounded length and stacks these frames.
PROGRAM(frame_queue) {
  graph g(23);
  const value frames = g.input({dtype::f32, {g.dims().symbol("time"), 2, 3}}, "frames");
  const value empty = sequence_empty(g, {.dtype = dtype::f32});
  const value steps = dim_scalar(g, frames.extent(0));
  const value queue = loop(steps, empty, [&](const value& step, const value& now) {
    const value longer = sequence_insert(now, gather(frames, step));
    return if_(
        sequence_length(longer) > 3, [&] { return sequence_erase(longer, scalar(g, dtype::i64, 0)); },
        [&] { return longer; });
  });
  const value padded = sequence_insert(queue, constant(g, {.value_floats = {1, 2, 3}}), scalar(g, dtype::i64, 0));
  const value shown = sequence_erase(padded, 0);
  output(reshape(concat_from_sequence(shown, {.axis = 0, .new_axis = 1}), {-1, 2, 3}), "window");
  output(sequence_length(padded), "length");
  write_model(g, folder / "frame_queue.onnx");
}

// The program adds a mask to scores if the mask is given; otherwise the scores stay unchanged.
PROGRAM(optional_mask) {
  graph g(18);
  tensor_type maybe{dtype::f32, {4, 4}};
  maybe.kind = value_kind::optional;
  const value scores = g.input({dtype::f32, {4, 4}}, "scores");
  const value mask = g.input(maybe, "mask");
  const value y = if_(
      optional_has_element(g, mask), [&] { return scores + optional_get_element(mask); }, [&] { return scores; });
  const value wrapped = optional(g, relu(scores));
  const value nothing = optional(g, {}, {.type = tensor_type{dtype::f32, {4, 4}}});
  output(softmax(y), "y");
  output(optional_get_element(wrapped), "unwrapped");
  output(optional_has_element(g, nothing), "has_nothing");
  output(optional_has_element(g), "absent");
  write_model(g, folder / "optional_mask.onnx");
}

// The program cleans words, splits addresses, looks labels up, and counts pairs of tokens.
PROGRAM(text_features) {
  graph g(23);
  const auto words = input<std::string, "n"_d>(g, "words");
  const auto tokens = input<std::int64_t, 8>(g, "tokens");
  const value lower =
      string_normalizer(words, {.case_change_action = case_change::lower, .locale = "C", .stopwords = {"the"}});
  const auto suffix = tensor<std::string, 1>(strings(g, {1}, {"@example.com"}, "suffix"));
  const auto address = string_concat(words, suffix);
  const auto [pieces, counts] = string_split(address, {.delimiter = "@", .maxsplit = 1});
  const auto valid = regex_full_match(address, {.pattern = "[a-z]+@example\\.com"});
  const value label = label_encoder(words, {.default_int64 = -7, .keys_strings = {"a", "bb"}, .values_int64s = {5, 6}});
  const value pairs = tf_idf_vectorizer(tokens, {.mode = "TFIDF",
                                                 .max_gram_length = 2,
                                                 .max_skip_count = 1,
                                                 .min_gram_length = 1,
                                                 .ngram_counts = {0, 2},
                                                 .ngram_indexes = {0, 1, 2, 3},
                                                 .pool_int64s = {1, 2, 1, 2, 2, 3},
                                                 .weights = {0.5f, 1, 2, 4}});
  output(lower, "lower");
  output(pieces, "pieces");
  output(counts, "counts");
  output(valid, "valid");
  output(label, "label");
  output(pairs, "pairs");
  output(equal(words, strings(g, {}, {"a"})), "is_a");
  write_model(g, folder / "text_features.onnx");
}
