// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/libraries/vprim.hpp>

using namespace jax2onnx;

TEST_CASE("entry finds the row of a parameter") {
  jaxpr::value key_and_content[2], row, rows;
  key_and_content[0].text = "'i_static'";
  key_and_content[1].text = "None";
  row.items = key_and_content;
  rows.items = {&row, 1};
  REQUIRE(lower::entry(rows, "i_static") != nullptr);
  CHECK(lower::entry(rows, "i_static")->text == "None");
  CHECK(lower::entry(rows, "kwargs") == nullptr);
}

TEST_CASE("maybe_set has a scalar index if the index is one leaf that is not a Python value") {
  jaxpr::value none, leaf, pair;
  none.tag = jaxpr::value::kind::none;
  leaf.text = "PyTreeDef(*)";
  pair.text = "PyTreeDef((*, *))";
  CHECK(lower::maybe_set_parameters{&none, &leaf, nullptr, nullptr}.has_scalar_index());
  CHECK(!lower::maybe_set_parameters{&none, &pair, nullptr, nullptr}.has_scalar_index());
  CHECK(!lower::maybe_set_parameters{&leaf, &leaf, nullptr, nullptr}.has_scalar_index());
  CHECK(!lower::maybe_set_parameters{nullptr, &leaf, nullptr, nullptr}.has_scalar_index());
}
