// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/builtin.hpp>

using namespace jax2onnx;

TEST_CASE("every row is in one family") {
  std::size_t rows = 0;
  for (const family& f : builtin_families()) {
    CAPTURE(f.name);
    CHECK_FALSE(f.tables.empty());
    for (const std::span<const lowering> table : f.tables) {
      rows += table.size();
      for (const lowering& row : table) CHECK(find_row(builtin_lowerings(), row.primitive) != nullptr);
    }
  }
  CHECK(rows == builtin_lowerings().size());
}

TEST_CASE("a row for complex numbers replaces another one, whose ignored parameters it has") {
  for (const lowering& row : complex_lowerings()) {
    CAPTURE(row.primitive);
    CHECK(find_row(builtin_lowerings(), row.primitive) != nullptr);
    CHECK(row.ignored.keys.empty());
    CHECK(row.parts == parts_rule::own);
  }
}

TEST_CASE("a misspelt primitive has a closest one") {
  CHECK(detail::closest_primitive("dot_generl") == "dot_general");
  CHECK(detail::closest_primitive("frobnicate").empty());
}
