// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "encoded.hpp"

#include <jax2onnx/read/model_reader.hpp>
#include <jax2onnx/read/read_model.hpp>

using namespace jax2onnx;
using namespace encoded;

TEST_CASE("model_reader: the parts of a model in any order") {
  using namespace fields;
  detail::wire_source source(field(model_functions, field(function_name, "F") + field(function_domain, "my")) +
                                 field(model_opset_import, an_opset(3, "ai.onnx")) +
                                 field(model_graph, field(graph_name, "g")) + field(model_producer_name, "p") +
                                 field(model_doc_string, "d"),
                             "model");
  const detail::model_parts parts = detail::read_model_parts(source);
  CHECK(parts.name == "g");
  CHECK(parts.doc == "d");
  CHECK(parts.envelope.producer_name == "p");
  CHECK(parts.imports.at("") == 3);
  REQUIRE(parts.functions.size() == 1);
  CHECK(detail::read_function_parts(source, parts.functions[0]).domain == "my");
}
