// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/elementwise.hpp>

using namespace jax2onnx;

namespace {

constexpr std::size_t index_of(std::string_view name) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < std::size(records::elementwise_records); ++i)
    if (records::elementwise_records[i].name == name) found = i;
  return found;
}

template <class... Operands>
using add_call =
    typed_call<operator_at<records::elementwise_records, index_of("Add")>, default_attributes, 1, Operands...>;

}  // namespace

TEST_CASE("typed call: the type of the result") {
  using call = add_call<tensor<float, "B"_d, 4>, double>;
  STATIC_REQUIRE(call::fits);
  STATIC_REQUIRE(std::is_same_v<call::output<0>, tensor<float, "B"_d, 4>>);
}

TEST_CASE("typed call: one mistake is one message") {
  using wrong = add_call<tensor<float, 3>, tensor<float, 4>>;
  STATIC_REQUIRE_FALSE(wrong::fits);
  STATIC_REQUIRE(std::is_same_v<wrong::output<0>, failed_call>);
  STATIC_REQUIRE(wrong::problem().view() == "Add(A: f32[3], B: f32[4]): the shapes do not broadcast");
  using follows = add_call<failed_call, tensor<float, 4>>;
  STATIC_REQUIRE_FALSE(follows::fits);
  STATIC_REQUIRE(follows::problem().view().empty());
}
