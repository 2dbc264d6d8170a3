// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/indexing/start_indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value pairs = g.input({dtype::i32, {4, 2}}, "pairs");
  value wide = g.input({dtype::u32, {4, 1}}, "wide");
  value known(const ints& numbers) {
    return array(g, dtype::i64, {std::ssize(numbers) / 2, 2}, std::span(std::as_const(numbers)));
  }
};

std::string mode_problem(const std::string& mode) {
  return lowered_text("{ lambda ; a:f32[]. let b:f32[] = p[mode=" + mode + "] a in (b,) }",
                      [](const site& s) -> jax_values {
                        bounds_mode_of(s, bounds_mode::clip);
                        return {s.in(0)};
                      })
      .problem();
}

}  // namespace

TEST_CASE("modes are read by name and by number") {
  for (const char* mode : {"GatherScatterMode.CLIP", "1", "GatherScatterMode.PROMISE_IN_BOUNDS", "3"})
    CHECK(mode_problem(mode) == "(none)");
  CHECK(mode_problem("GatherScatterMode.OTHER") ==
        "lower.unsupported: primitive 'p': the mode GatherScatterMode.OTHER is not supported");
}

TEST_CASE("clip clamps the indices, drop compares them too") {
  model m;
  const start_indices clipped = read_starts(m.pairs, {3, 3}, bounds_mode::clip);
  CHECK(op_of(clipped.vectors) == "Clip");
  CHECK_FALSE(clipped.valid);
  CHECK(clipped.batch() == shape{4});
  const start_indices dropped = read_starts(m.pairs, {3, 5}, bounds_mode::drop);
  CHECK(op_of(dropped.vectors) == "Min");  // the limits differ
  CHECK(dropped.valid.type() == tensor_type{dtype::boolean, {4}});
}

TEST_CASE("constant indices that are in bounds need no clamp") {
  model m;
  CHECK_FALSE(read_starts(m.known({0, 5, 3, 1}), {3, 5}, bounds_mode::drop).valid);
  CHECK(read_starts(m.known({0, 6, 3, 1}), {3, 5}, bounds_mode::drop).valid);
  CHECK(read_starts(m.known({-1, 5, 3, 1}), {3, 5}, bounds_mode::drop).valid);
}

TEST_CASE("a single component has no axis of its own; unsigned indices are clamped before the cast") {
  model m;
  const start_indices starts = read_starts(m.wide, {9}, bounds_mode::clip);
  CHECK(starts.batch_rank() == 1);
  CHECK(same_value(starts.column(0), starts.vectors));
  CHECK(starts.columns({0}).dims() == shape{4, 1});
  CHECK(op_of(starts.vectors) == "Cast");
  CHECK(op_of({m.g, producer(starts.vectors).inputs[0]}) == "Min");
}

TEST_CASE("components are picked from the last axis") {
  model m;
  const start_indices starts{m.pairs, 2, {}};
  CHECK(starts.column(1).dims() == shape{4});
  CHECK(same_value(starts.columns({0, 1}), m.pairs));
  CHECK(starts.columns({1}).dims() == shape{4, 1});
}

TEST_CASE("windows have an index vector for each element; single elements have no axes of windows") {
  model m;
  const start_indices starts{m.pairs, 2, {}};
  CHECK(window_indices(starts, {0, 1}, {2, 3}).dims() == shape{4, 2, 3, 2});
  CHECK(same_value(window_indices(starts, {0, 1}, {1, 1}), m.pairs));
  CHECK(all_single({1, 1}));
  CHECK_FALSE(all_single({1, 2}));
}

TEST_CASE("index arrays are permuted to the order of the operand's dimensions") {
  // operand [i, a, b] with batching dimensions a, b; indices [b, a, n], where n is at the position of i
  CHECK(align_to_operand(3, {1, 2}, {1, 0}, 2) == ints{2, 1, 0});
}
