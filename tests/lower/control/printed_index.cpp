// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/control/printed_index.hpp>

using namespace jax2onnx::lower;

TEST_CASE("printed index: elements and slices, from numbers and variables") {
  const auto is = [](std::string_view text, std::optional<std::int64_t> first, std::optional<std::int64_t> size) {
    const auto axis = printed_axis_of(text);
    return axis && axis->first == first && axis->size == size;
  };
  CHECK(is("0", 0, {}));
  CHECK(is(" 12 ", 12, {}));
  CHECK(is("-1", -1, {}));
  CHECK(is("i", {}, {}));
  CHECK(is(":", 0, printed_axis::to_end));
  CHECK(is("3:", 3, printed_axis::to_end));
  CHECK(is(":4", 0, 4));
  CHECK(is("1:3", 1, 2));
  CHECK(is("i:i+2", {}, 2));
}

TEST_CASE("printed index: other forms") {
  CHECK_FALSE(printed_axis_of("i:j"));
  CHECK_FALSE(printed_axis_of("i:"));
  CHECK_FALSE(printed_axis_of("1:j"));
  CHECK_FALSE(printed_axis_of("1:i+2"));
}
