// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <vector>

#include <jaxpr/detail/type_table.hpp>

TEST_CASE("type_table: types are found by their spelling") {
  std::vector<std::string> texts;
  for (int i = 0; i < 500; ++i) texts.push_back("f32[" + std::to_string(i) + "]");
  std::vector<jaxpr::type> types;
  for (const std::string& text : texts) types.push_back({jaxpr::type_kind::array, text, "f32", {}});
  jaxpr::detail::type_table table;
  CHECK(table.find("f32[0]") == nullptr);
  for (const jaxpr::type& t : types) table.insert(&t);
  bool good = true;
  for (std::size_t i = 0; i < texts.size(); ++i) good = good && table.find(texts[i]) == &types[i];
  CHECK(good);
  CHECK(table.find("f32[500]") == nullptr);
  CHECK(!table.wide());
}

TEST_CASE("type_table: a 64-bit type makes the program wide") {
  for (const std::string_view dtype : {"f64", "i64", "u64", "c128"}) {
    jaxpr::detail::type_table table;
    const jaxpr::type t{jaxpr::type_kind::array, dtype, dtype, {}};
    table.insert(&t);
    CHECK(table.wide());
  }
}
