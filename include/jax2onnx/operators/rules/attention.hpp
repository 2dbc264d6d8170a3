// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of attention.
namespace jax2onnx::rules {

/// The extents of queries, or of keys or values: [batch, heads, steps, size] or [batch, steps, heads * size].
struct heads_of {
  dim batch, heads, steps, size;
};

/// Reads the extents of operand i. For an operand of three dimensions, an attribute gives the number of heads.
constexpr heads_of read_heads(inference& c, std::size_t i, std::string_view heads_attribute) {
  const shape& x = c.dims(i);
  if (x.size() == 4) {
    if (c.given(heads_attribute))
      c.expect_equal(c.number(heads_attribute), x[1], "an attribute states {} head{|s}, but the operand has {}");
    return {x[0], x[1], x[2], x[3]};
  }
  if (!c.expect(c.given(heads_attribute) || !c.defaults_apply(),
                "operands of three dimensions need the attributes q_num_heads and kv_num_heads"))
    return {};
  const dim heads = c.number(heads_attribute);
  if (!c.expect_positive(heads, "the number of heads is {}; it must be positive")) return {};
  const bool known = x[2].is_constant() && heads.is_constant();
  c.expect(!known || x[2].extent() % heads.extent() == 0, "{} feature{|s} cannot be divided into {} head{|s}", x[2],
           heads);
  return {x[0], heads, x[1], heads.is_dyn() ? heads : c.floordiv(x[2], heads)};
}

/// Fails unless a cache, if given, is [batch, heads, past steps, size]. Returns the number of past steps: 0 without a
/// cache, `dyn` for a cache of another rank.
constexpr dim past_steps(inference& c, std::size_t cache, const heads_of& of) {
  if (!c.has(cache)) return 0;
  if (!c.expect_rank(cache, 4, "a cache has {} dimension{|s}; it must be [batch, heads, steps, size]"))
    return dim::dyn();
  const shape& x = c.dims(cache);
  c.expect_equal(x[0], of.batch, "a cache is for a batch of {} instead of {}");
  c.expect_equal(x[1], of.heads, "a cache has {} head{|s} instead of {}");
  c.expect_equal(x[3], of.size, "a cache has heads of {} element{|s} instead of {}");
  return x[2];
}

/// Fails unless the mask, if given, broadcasts to the scores. From opset 24 on, the mask may have a smaller last extent
/// than the scores.
constexpr bool expect_mask(inference& c, const shape& scores) {
  if (!c.has(3)) return !c.failed();
  const shape& mask = c.dims(3);
  if (!c.expect(mask.size() <= 4, "the mask has {} dimension{|s}; it must have at most 4", c.rank(3))) return false;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const dim extent = mask[mask.size() - 1 - i], of_scores = scores[3 - i];
    const bool shorter =
        i == 0 && (c.since() >= 24 || !c.differ(extent, of_scores)) && !c.at_least(extent, c.add(of_scores, 1));
    c.expect(extent.is(1) || shorter || (i > 0 && !c.differ(extent, of_scores)),
             "the mask has an extent of {} where the scores have {}", extent, of_scores);
  }
  return !c.failed();
}

/// Fails unless the ranks, the attributes and the optional operands fit together.
constexpr bool expect_attention(inference& c) {
  for (std::size_t i = 0; i < 3; ++i)
    c.expect(c.rank(i) == 3 || c.rank(i) == 4, "query, key and value have 3 or 4 dimensions, not {}", c.rank(i));
  c.expect(c.rank(0) == c.rank(1) && c.rank(0) == c.rank(2),
           "query, key and value differ in their numbers of dimensions");
  c.expect(c.rank(0) == 3 || c.since() < 25 || !(c.given("q_num_heads") || c.given("kv_num_heads")),
           "operands of four dimensions exclude the attributes q_num_heads and kv_num_heads");
  c.expect(c.has(4) == c.has(5), "caches of keys and values must be given together");
  c.expect(!c.has(6) || !c.has(4), "nonpad_kv_seqlen excludes caches");
  const std::int64_t mode = c.integer("qk_matmul_output_mode");
  c.expect(mode >= 0 && mode <= 3, "qk_matmul_output_mode is {}; it must be 0, 1, 2 or 3", mode);
  for (std::string_view window : {"left_window_size", "right_window_size"})
    c.expect(c.integer(window) >= -1, "a window has {} step{|s}; the number must be at least 0, or -1 for all steps",
             c.integer(window));
  const dtype precision = c.type("softmax_precision");
  return c.expect(!c.given("softmax_precision") || is_floating(precision),
                  "softmax_precision is not a floating-point type");
}

/// Attention: Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen.
constexpr void attention(inference& c) {
  if (!expect_attention(c)) return;
  const heads_of q = read_heads(c, 0, "q_num_heads");
  const heads_of k = read_heads(c, 1, "kv_num_heads"), v = read_heads(c, 2, "kv_num_heads");
  if (c.failed()) return;
  for (const heads_of& other : {k, v})
    c.expect_equal(other.batch, q.batch, "keys or values are for a batch of {} instead of {}");
  c.expect_equal(k.size, q.size, "the heads of keys have {} element{|s}, those of queries {}");
  c.expect_equal(k.heads, v.heads, "keys have {} head{|s}, values {}");
  c.expect_equal(k.steps, v.steps, "keys have {} step{|s}, values {}");
  const bool known = q.heads.is_constant() && k.heads.is_constant() && k.heads.extent() > 0;
  c.expect(!known || q.heads.extent() % k.heads.extent() == 0,
           "{} head{|s} of queries cannot be divided among {} head{|s} of keys", q.heads, k.heads);
  const dim past = past_steps(c, 4, k), past_of_values = past_steps(c, 5, v);
  c.expect_equal(past, past_of_values, "the past has {} key{|s} and {} value{|s}");
  if (c.failed()) return;
  if (c.has(6)) {
    c.expect_rank(6, 1, "nonpad_kv_seqlen has {} dimension{|s}; it must be a vector");
    if (!c.failed()) c.expect_equal(c.dims(6)[0], q.batch, "nonpad_kv_seqlen is for a batch of {} instead of {}");
  }
  const dim total = c.add(past, c.either(k.steps, v.steps));
  const shape scores{q.batch, q.heads, q.steps, total};
  if (!expect_mask(c, scores)) return;
  if (c.rank(0) == 4) c.result(0, {q.batch, q.heads, q.steps, v.size});
  else c.result(0, {q.batch, q.steps, c.mul(q.heads, v.size)});
  const std::size_t results = c.result_count();
  if (results > 1) c.result(1, {k.batch, k.heads, total, k.size});
  if (results > 2) c.result(2, {v.batch, v.heads, total, v.size});
  if (results > 3) c.result(3, scores);
}

/// Fails unless the caches are [batch, steps, size] or, with positions, [positions, size].
constexpr bool expect_rotations(inference& c, dim batch, dim steps, dim size) {
  const bool indexed = c.has(3);
  for (std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    if (!c.expect_rank(i, indexed ? 2 : 3,
                       "cosines or sines have {} dimension{|s}; they must have 2 with position_ids, else 3"))
      return false;
    const shape& x = c.dims(i);
    c.expect_equal(x.back(), size, "cosines or sines are for {} pair{|s} of elements instead of {}");
    if (indexed) continue;
    c.expect(x[0].is(1) || !c.differ(x[0], batch), "cosines or sines are for a batch of {} instead of {}", x[0], batch);
    c.expect_equal(x[1], steps, "cosines or sines are for {} step{|s} instead of {}");
  }
  c.expect_equal(c.dims(1)[0], c.dims(2)[0], "cosines have a first extent of {}, sines of {}");
  if (!indexed) return !c.failed();
  if (!c.expect_rank(3, 2, "position_ids has {} dimension{|s}; it must be [batch, steps]")) return false;
  const dim batches = c.dims(3)[0];
  c.expect(batches.is(1) || !c.differ(batches, batch), "position_ids is for a batch of {} instead of {}", batches,
           batch);
  c.expect_elements(3, 0, c.sub(c.dims(1)[0], 1), "the position {} is out of range; the last one is {}");
  return c.expect_equal(c.dims(3)[1], steps, "position_ids is for {} step{|s} instead of {}");
}

/// RotaryEmbedding: X, cos_cache, sin_cache, position_ids.
constexpr void rotary_embedding(inference& c) {
  const shape& x = c.dims(0);
  if (!c.expect(x.size() == 3 || x.size() == 4, "the operand has {} dimension{|s}; it must have 3 or 4", c.rank(0)))
    return;
  dim size = x.back();
  if (x.size() == 3) {
    const dim heads = c.number("num_heads");
    if (!c.expect(!heads.is_constant() || heads.extent() > 0,
                  "an operand of three dimensions needs the attribute num_heads"))
      return;
    const bool known = size.is_constant() && heads.is_constant();
    c.expect(!known || size.extent() % heads.extent() == 0, "{} feature{|s} cannot be divided into {} head{|s}", size,
             heads);
    size = heads.is_dyn() ? heads : c.floordiv(size, heads);
  } else if (c.integer("num_heads") != 0) {
    c.expect_equal(c.number("num_heads"), x[1], "num_heads is {}, but the operand has {} head{|s}");
  }
  const dim part = c.number("rotary_embedding_dim");
  c.expect(!part.is_constant() || (part.extent() >= 0 && !c.at_least(part, c.add(size, 1))),
           "rotary_embedding_dim is {}; it must be from 0 to {}, the size of a head", part, size);
  const dim rotated = part.is(0) ? size : part;
  c.expect(!rotated.is_constant() || rotated.extent() % 2 == 0, "{} element{|s} cannot be divided into pairs", rotated);
  if (c.failed()) return;
  expect_rotations(c, x[0], x[x.size() - 2], c.floordiv(rotated, 2));
  c.result(0, x);
}

/// Fails if decay or beta, operand i of LinearAttention, does not fit, or is missing although it is `needed`.
constexpr void expect_gate(inference& c, std::size_t i, bool needed, dim heads, dim size, std::string_view missing) {
  if (!c.has(i)) return static_cast<void>(c.expect(!needed || !c.defaults_apply(), missing));
  if (!c.expect_rank(i, 3, "decay or beta has {} dimension{|s}; it must be [batch, steps, features]")) return;
  const shape &x = c.dims(i), &keys = c.dims(1);
  c.expect_equal(x[0], keys[0], "decay or beta is for a batch of {} instead of {}");
  c.expect_equal(x[1], keys[1], "decay or beta is for {} step{|s} instead of {}");
  c.expect(!c.differ(x[2], heads) || !c.differ(x[2], size), "decay or beta has {} feature{|s} for {} head{|s}", x[2],
           heads);
}

/// LinearAttention: query, key, value, past_state, decay, beta.
constexpr void linear_attention(inference& c) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!c.expect_rank(i, 3, "query, key and value have 3 dimensions, not {}")) return;
  c.expect_choice("update_rule", {"linear", "gated", "delta", "gated_delta"},
                  "update_rule must be linear, gated, delta or gated_delta");
  const heads_of q = read_heads(c, 0, "q_num_heads");
  const heads_of k = read_heads(c, 1, "kv_num_heads"), v = read_heads(c, 2, "kv_num_heads");
  if (c.failed()) return;
  for (const heads_of& other : {k, v}) {
    c.expect_equal(other.batch, q.batch, "keys or values are for a batch of {} instead of {}");
    c.expect_equal(other.steps, q.steps, "keys or values have {} step{|s}, queries {}");
  }
  c.expect_equal(k.size, q.size, "the heads of keys have {} element{|s}, those of queries {}");
  const bool known = q.heads.is_constant() && k.heads.is_constant();
  c.expect(!known || q.heads.extent() % k.heads.extent() == 0,
           "{} head{|s} of queries cannot be divided among {} head{|s} of keys", q.heads, k.heads);
  const shape state{q.batch, k.heads, k.size, v.size};
  if (!c.expect_rank(3, 4, "the state has {} dimension{|s}; it must be [batch, heads, key size, value size]")) return;
  for (std::size_t i = 0; c.has(3) && i < state.size(); ++i)
    c.expect_equal(c.dims(3)[i], state[i], "the state has an extent of {} instead of {}");
  const std::string_view rule = c.text("update_rule");
  expect_gate(c, 4, rule.starts_with("gated"), k.heads, c.dims(1)[2], "the update rule needs a decay");
  expect_gate(c, 5, rule.ends_with("delta"), k.heads, 1, "the update rule needs beta");
  if (c.failed()) return;
  c.result(0, {q.batch, q.steps, c.mul(q.heads, v.size)});
  if (c.result_count() > 1) c.result(1, c.in(c.has(3) ? 3 : 0).type, state);
}

}  // namespace jax2onnx::rules
