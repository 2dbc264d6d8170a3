// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "encoded.hpp"

#include <optional>
#include <string>

#include <jax2onnx/read/type_reader.hpp>

using namespace jax2onnx;
using namespace encoded;

namespace {

std::optional<jax2onnx::tensor_type> read(const std::string& message, dim_table& dims) {
  detail::wire_source source(message, "model");
  return detail::type_reader(source, dims).read(source.all());
}

std::string holder(std::uint32_t kind, const std::string& of) { return field(kind, field(fields::element_type, of)); }

}  // namespace

TEST_CASE("type_reader: tensors, sequences, optionals") {
  dim_table dims;
  const std::string tensor =
      encoded::tensor_type(dtype::f16, {extent(3), extent("N"), extent("2*N + 1"), "", extent(-1)});
  const shape expected{3, dims.symbol("N"), dims.parse("2*N + 1"), dim::dyn(), dim::dyn()};
  CHECK(read(tensor, dims) == jax2onnx::tensor_type{dtype::f16, expected});
  CHECK(read(holder(fields::type_sequence, tensor), dims)->kind == value_kind::sequence);
  CHECK(read(holder(fields::type_optional, tensor), dims)->kind == value_kind::optional);
  CHECK(read(holder(fields::type_optional, holder(fields::type_sequence, tensor)), dims)->kind ==
        value_kind::optional_sequence);
  CHECK(read(field(fields::type_tensor, field(fields::tensor_type_elem, 1)), dims) == unranked(dtype::f32));
  CHECK(read("", dims) == detail::unknown_type());
}

TEST_CASE("type_reader: names that are not expressions are symbols, or unknown") {
  dim_table dims;
  const auto named = [&](const char* name) {
    return read(encoded::tensor_type(dtype::f32, {extent(name)}), dims)->dims[0];
  };
  CHECK(named("time/step") == dims.foreign_symbol("time/step"));
  CHECK(named("7").is_dyn());
  CHECK(named("").is_dyn());
  CHECK(named("\x01").is_dyn());
}

TEST_CASE("type_reader: what graphs do not have") {
  dim_table dims;
  const std::string tensor = encoded::tensor_type(dtype::f32, {});
  CHECK_FALSE(read(field(5, ""), dims));  // a map
  CHECK_FALSE(read(holder(fields::type_sequence, holder(fields::type_sequence, tensor)), dims));
  CHECK_THROWS_AS(read(field(fields::type_tensor, field(fields::tensor_type_elem, 99)), dims), file_error);
}
