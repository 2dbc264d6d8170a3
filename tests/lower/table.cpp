// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/table.hpp>

using namespace jax2onnx;

static jax_values nothing(const site&) { return {}; }

static constexpr lowering later[] = {{"sub", nothing, "Sub"}, {"add", nothing, "Add", ignores{"name"}}};
static constexpr lowering earlier[] = {{"mul", nothing, "Mul", parts_rule::own}};
static constexpr auto table = make_table(later, earlier);

static_assert(table.size() == 3);
static_assert(table[0].primitive == "add" && table[1].primitive == "mul" && table[2].primitive == "sub");
static_assert(table[0].ignored.keys == "name" && table[0].parts == parts_rule::plain);
static_assert(table[1].parts == parts_rule::own && table[1].ignored.keys.empty());
static_assert(make_table(earlier).size() == 1);

TEST_CASE("a row is found by the whole name of its primitive") {
  for (const lowering& row : table) CHECK(find_row(table, row.primitive) == &row);
  CHECK(find_row(table, "ad") == nullptr);
  CHECK(find_row(table, "adds") == nullptr);
  CHECK(find_row(table, "zeros") == nullptr);
  CHECK(find_row(table, "") == nullptr);
  CHECK(find_row({}, "add") == nullptr);
}
