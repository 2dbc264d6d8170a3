// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/attention.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), T = dim::symbol("T"), dyn = dim::dyn();
constexpr std::optional<tensor_type> absent;

constexpr formal_attribute attributes[] = {{"q_num_heads", attribute_kind::integer},
                                           {"kv_num_heads", attribute_kind::integer}};
constexpr op_record since(int version) {
  op_record r = record_of(attributes);
  r.since = version;
  return r;
}
constexpr op_record op23 = since(23), op24 = since(24), op25 = since(25);

/// Eight heads of queries share two of keys.
constexpr applied grouped(auto... more) {
  return applied(op24, f32({B, 8, T, 4}), f32({B, 2, 6, 4}), f32({B, 2, 6, 5}), more...);
}
constexpr applied flat(dim q = 32) { return applied(op24, f32({B, T, q}), f32({B, 6, 8}), f32({B, 6, 10})); }

}  // namespace

static_assert(grouped().run(rules::attention).is({B, 8, T, 5}));
static_assert(grouped(f32({T, 6}), f32({B, 2, 3, 4}), f32({B, 2, 3, 5}))
                  .wants(4)
                  .run(rules::attention)
                  .are(f32({B, 8, T, 5}), f32({B, 2, 9, 4}), f32({B, 2, 9, 5}), f32({B, 8, T, 9})));
static_assert(flat().with("q_num_heads", 8).with("kv_num_heads", 2).run(rules::attention).is({B, T, 40}));
static_assert(flat().attributes_at_run_time().run(rules::attention).is({B, T, dyn}));

TEST_CASE("operands of attention that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::attention).problem; };
  const tensor_type q = f32({2, 8, 3, 4}), k = f32({2, 2, 6, 4});
  CHECK(problem(applied(op24, q, k, k)).empty());
  CHECK(problem(applied(op24, f32({2, 4}), k, k)).starts_with("query, key and value have 3 or 4"));
  CHECK(problem(applied(op24, f32({2, 8, 4}), k, k)).starts_with("query, key and value differ"));
  CHECK(problem(applied(op24, q, f32({1, 2, 6, 4}), k)).starts_with("keys or values are for a batch"));
  CHECK(problem(applied(op24, q, k, f32({1, 2, 6, 4}))).starts_with("keys or values are for a batch"));
  CHECK(problem(applied(op24, q, f32({2, 2, 6, 5}), k)).starts_with("the heads of keys have {}"));
  CHECK(problem(applied(op24, q, k, f32({2, 4, 6, 4}))) == "keys have {} head{|s}, values {}");
  CHECK(problem(applied(op24, q, k, f32({2, 2, 7, 4}))) == "keys have {} step{|s}, values {}");
  CHECK(problem(applied(op24, f32({2, 3, 3, 4}), k, k)).starts_with("{} head{|s} of queries cannot be divided"));
  CHECK(problem(grouped(absent, f32({B, 2, 3, 4}))).starts_with("caches of keys and values must be given"));
  CHECK(problem(grouped(absent, f32({B, 2, 3, 4}), f32({B, 2, 4, 5}))) == "the past has {} key{|s} and {} value{|s}");
  CHECK(problem(grouped(absent, f32({B, 3, 3, 4}), f32({B, 2, 3, 5}))) == "a cache has {} head{|s} instead of {}");
  CHECK(problem(grouped(absent, f32({B, 2, 3, 4}), f32({B, 2, 3, 4}))).starts_with("a cache has heads of {}"));
  CHECK(problem(applied(op24, q, k, k, absent, f32({1, 2, 3, 4}), f32({1, 2, 3, 4})))
            .starts_with("a cache is for a batch"));
  CHECK(problem(grouped(absent, f32({2, 3, 4}), f32({2, 3, 5}))).starts_with("a cache has {} dimension{|s}"));
  CHECK(problem(grouped(absent, f32({B, 2, 3, 4}), f32({B, 2, 3, 5}), i64({B}))) == "nonpad_kv_seqlen excludes caches");
  CHECK(problem(grouped(absent, absent, absent, i64({1, B}))).starts_with("nonpad_kv_seqlen has {} dimension{|s}"));
  CHECK(problem(applied(op24, q, k, k, absent, absent, absent, i64({3}))).starts_with("nonpad_kv_seqlen is for"));
}

TEST_CASE("masks of attention", "[graph]") {
  const auto masked = [](tensor_type mask) {
    return applied(op24, f32({2, 8, 3, 4}), f32({2, 8, 6, 4}), f32({2, 8, 6, 4}), mask).run(rules::attention).ok();
  };
  CHECK(masked(f32({3, 6})));
  CHECK(masked(f32({3, 4})));  // a mask with fewer keys is padded
  CHECK(masked(f32({2, 1, 1, 6})));
  CHECK(masked(f32({T, T})));
  CHECK_FALSE(masked(f32({3, 7})));
  CHECK_FALSE(
      applied(op23, f32({2, 8, 3, 4}), f32({2, 8, 6, 4}), f32({2, 8, 6, 4}), f32({3, 4})).run(rules::attention).ok());
  CHECK_FALSE(masked(f32({2, 6})));
  CHECK_FALSE(masked(f32({3, 8, 3, 6})));
  CHECK_FALSE(masked(f32({1, 1, 1, 3, 6})));
}

TEST_CASE("attributes of attention that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::attention).problem; };
  CHECK(problem(flat()).starts_with("operands of three dimensions need"));
  CHECK(problem(flat().with("q_num_heads", 8)).starts_with("operands of three dimensions need"));
  CHECK(problem(flat().with("q_num_heads", 0).with("kv_num_heads", 2)) ==
        "the number of heads is {}; it must be positive");
  CHECK(problem(flat(33).with("q_num_heads", 8).with("kv_num_heads", 2)) ==
        "{} feature{|s} cannot be divided into {} head{|s}");
  CHECK(problem(grouped().with("qk_matmul_output_mode", 4)).starts_with("qk_matmul_output_mode is {}"));
  CHECK(problem(grouped().with("left_window_size", -2)).starts_with("a window has {} step{|s}"));
  CHECK(problem(grouped().with("softmax_precision", dtype::i32)) == "softmax_precision is not a floating-point type");
  CHECK(grouped().with("q_num_heads", 8).run(rules::attention).ok());
  CHECK(problem(applied(op25, f32({2, 8, 3, 4}), f32({2, 8, 3, 4}), f32({2, 8, 3, 4})).with("q_num_heads", 8))
            .starts_with("operands of four dimensions exclude"));
}

static_assert(applied(op24, f32({B, 8, T, 4}), f32({9, 2}), f32({9, 2}), i64({B, T}))
                  .run(rules::rotary_embedding)
                  .is({B, 8, T, 4}));
static_assert(applied(op24, f32({B, T, 32}), f32({B, T, 2}), f32({B, T, 2}))
                  .with("num_heads", 8)
                  .run(rules::rotary_embedding)
                  .is({B, T, 32}));

TEST_CASE("rotary embeddings", "[graph]") {
  const auto run = [](tensor_type x, tensor_type cosines, auto... positions) {
    return applied(op24, x, cosines, cosines, positions...)
        .with("rotary_embedding_dim", 4)
        .run(rules::rotary_embedding);
  };
  const tensor_type x = f32({2, 8, 3, 6});
  CHECK(run(x, f32({9, 2}), i64({2, 3})).is({2, 8, 3, 6}));
  CHECK(run(x, f32({2, 3, 2})).is({2, 8, 3, 6}));
  CHECK_FALSE(run(x, f32({9, 3}), i64({2, 3})).ok());
  CHECK_FALSE(run(x, f32({9, 2}), i64({2, 4})).ok());
  CHECK_FALSE(run(x, f32({9, 2}), i64({3, 3})).ok());
  CHECK_FALSE(run(x, f32({9, 2}), i64({3})).ok());
  CHECK_FALSE(run(x, f32({2, 3, 2}), i64({2, 3})).ok());
  CHECK_FALSE(run(x, f32({9, 2})).ok());
  CHECK_FALSE(run(x, f32({2, 4, 2})).ok());
  CHECK_FALSE(run(x, f32({3, 3, 2})).ok());
  CHECK_FALSE(run(f32({2, 8, 3, 2}), f32({2, 3, 2})).ok());
  CHECK(run(f32({3, 4}), f32({9, 2}), i64({B, 3})).problem == "the operand has {} dimension{|s}; it must have 3 or 4");
  CHECK(applied(op24, f32({2, 3, 14}), f32({2, 3, 2}), f32({2, 3, 2}))
            .with("num_heads", 3)
            .run(rules::rotary_embedding)
            .problem == "{} feature{|s} cannot be divided into {} head{|s}");
  CHECK_FALSE(run(f32({2, 3, 48}), f32({2, 3, 2})).ok());
  CHECK_FALSE(
      applied(op24, f32({2, 8, 3, 4}), f32({9, 2}), f32({8, 2}), i64({2, 3})).run(rules::rotary_embedding).ok());
  const auto whole = [](dim size) {
    return applied(op24, f32({2, 8, 3, size}), f32({2, 3, 2}), f32({2, 3, 2})).run(rules::rotary_embedding).ok();
  };
  CHECK(whole(4));
  CHECK_FALSE(whole(5));
}

TEST_CASE("linear attention", "[graph]") {
  constexpr formal_attribute defaults[] = {attributes[0], attributes[1], standard("update_rule", "gated_delta")};
  const op_record record = record_of(defaults);
  const auto run = [&](std::string_view rule, auto... operands) {
    return applied(record, operands...)
        .with("q_num_heads", 4)
        .with("kv_num_heads", 2)
        .with("update_rule", rule)
        .wants(2)
        .run(rules::linear_attention);
  };
  const tensor_type q = f32({B, T, 12}), k = f32({B, T, 6}), v = f32({B, T, 10}), s = f32({B, 2, 3, 5});
  const tensor_type per_head = f32({B, T, 2}), one = f32({B, T, 1});
  CHECK(run("linear", q, k, v).are(f32({B, T, 20}), s));
  CHECK(run("gated", q, k, v, s, k).ok());
  CHECK(run("gated", q, k, v, absent, per_head).ok());
  CHECK(run("delta", q, k, v, absent, absent, one).ok());
  CHECK(run("gated_delta", q, k, v, s, per_head, per_head).are(f32({B, T, 20}), s));
  CHECK(run("gated", q, k, v).problem == "the update rule needs a decay");
  CHECK(run("gated_delta", q, k, v, absent, k).problem == "the update rule needs beta");
  CHECK(run("delta", q, k, v, absent, absent, k).problem == "decay or beta has {} feature{|s} for {} head{|s}");
  CHECK_FALSE(run("delta", q, k, v, absent, absent, f32({B, 2})).ok());
  CHECK(run("else", q, k, v).problem.starts_with("update_rule must be "));
  CHECK(run("linear", q, k, v, f32({B, 2, 5, 3})).problem == "the state has an extent of {} instead of {}");
  CHECK(run("linear", q, f32({B, T, 8}), v).problem.starts_with("the heads of keys have"));
  CHECK(run("linear", f32({B, 4, 12}), f32({B, 3, 6}), f32({B, 3, 10})).problem.starts_with("keys or values have"));
  CHECK_FALSE(run("linear", f32({T, 12}), k, v).ok());
  CHECK(applied(record, f32({B, T, 9}), k, v)
            .with("q_num_heads", 3)
            .with("kv_num_heads", 2)
            .with("update_rule", "linear")
            .run(rules::linear_attention)
            .problem.starts_with("{} head{|s} of queries cannot be divided"));
}

TEST_CASE("attributes for operands of three dimensions agree with heads of four", "[graph]") {
  const auto of_heads = [](std::int64_t heads) {
    const auto x = f32({B, 3, 4, 8});
    return applied(op23, x, x, x).with("q_num_heads", heads).with("kv_num_heads", heads).run(rules::attention);
  };
  CHECK(of_heads(3).ok());
  CHECK(of_heads(5).problem == "an attribute states {} head{|s}, but the operand has {}");
  const auto rotated = [](std::int64_t heads) {
    const auto c = f32({B, 3, 4});
    return applied(op23, f32({B, 4, 3, 8}), c, c).with("num_heads", heads).run(rules::rotary_embedding);
  };
  CHECK(rotated(4).ok());
  CHECK(rotated(7).problem == "num_heads is {}, but the operand has {} head{|s}");
}

TEST_CASE("RotaryEmbedding: positions within the table", "[graph]") {
  const auto at = [](dim position) {
    const auto c = f32({10, 4});
    return applied(op23, f32({1, 4, 2, 8}), c, c, i64({1, 2})).known(3, {0, position}).run(rules::rotary_embedding);
  };
  CHECK(at(9).ok());
  CHECK(at(10).problem == "the position {} is out of range; the last one is {}");
}
