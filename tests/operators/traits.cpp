// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>

#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/traits.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

namespace {

/// The number of these traits that an operator has.
int count(const op_traits& row, std::initializer_list<trait> some) {
  int found = 0;
  for (const trait t : some) found += row.traits.has(t) ? 1 : 0;
  return found;
}

/// The newest record of an operator.
const op_record& newest(operator_name op) { return *records_of("", op).back(); }

}  // namespace

// tests/operators/traits.py compares the rows with the results of the operators.
TEST_CASE("traits: each row contradicts neither itself nor the operator's record") {
  for (const op_traits& row : operators_detail::traits_table) {
    INFO(row.op.text());
    const op_record& record = newest(row.op);
    CHECK(count(row, {trait::unary, trait::broadcasting, trait::reshapes, trait::reduction, trait::normalization,
                      trait::product}) <= 1);
    CHECK(count(row, {trait::moves, trait::rings, trait::orders, trait::mixed_types}) <= 1);
    CHECK(count(row, {trait::selects, trait::averages}) <= 1);
    if (row.traits.has(trait::unary)) CHECK(record.least_inputs == 1);
    if (row.traits.has(trait::broadcasting)) CHECK((record.inputs.size() > 1 || record.least_inputs == 1));
    if (row.traits.has(trait::reduction)) CHECK(record.find("keepdims"));
    if (row.traits.has(trait::normalization)) CHECK(record.find("axis"));
    if (!std::isnan(row.neutral)) CHECK(row.traits.has(trait::broadcasting));
    CHECK(record.outputs.size() >= record.least_outputs);
  }
}

TEST_CASE("traits: an operator of another domain has none") {
  CHECK(has_trait(node{.op = "Add"}, trait::broadcasting));
  CHECK_FALSE(has_trait(node{.op = "Add", .domain = "com.example"}, trait::broadcasting));
  CHECK_FALSE(has_trait(operator_name::unchecked("MyAdd"), trait::broadcasting));
  CHECK(std::isnan(neutral_number(operator_name::unchecked("MyAdd"))));
}

TEST_CASE("traits: the operators with a trait, and neutral numbers") {
  CHECK(std::ranges::equal(operators_with<trait::reshapes>,
                           std::array<std::string_view, 4>{"Flatten", "Reshape", "Squeeze", "Unsqueeze"}));
  CHECK(std::signbit(neutral_number("Add")));
  CHECK(neutral_number("Min") == INFINITY);
  CHECK(std::isnan(neutral_number("Mod")));
}
