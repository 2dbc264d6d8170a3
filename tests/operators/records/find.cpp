// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <set>
#include <string>

#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/records/record.hpp>

using namespace jax2onnx;

TEST_CASE("records: the form that an opset has") {
  CHECK(find_record("", "ReduceMean", 17)->since == 13);
  CHECK(find_record("ai.onnx", "ReduceMean", 26)->since == 18);
  CHECK(find_record("", "Gelu", 19) == nullptr);
  CHECK(find_record("", "Rleu", 26) == nullptr);
  CHECK(find_record("ai.onnx.ml", "TreeEnsemble", domain_version("ai.onnx.ml", 23)) != nullptr);
  CHECK(domain_version("com.example", 23) == 0);
  CHECK(records_of("", "Cast").size() == 7);
}

TEST_CASE("records: each is whole, and each name of ai.onnx has one") {
  std::set<std::string_view> names;
  for (const op_record* r : all_records()) {
    CAPTURE(r->name, r->since);
    if (r->domain.empty()) names.insert(r->name);
    CHECK(r->rule.apply);
    CHECK_FALSE(r->doc.empty());
    CHECK_FALSE(r->outputs.empty());
    for (const formal& f : r->inputs) CHECK(f.type < r->constraints.size());
    for (const formal& f : r->outputs) CHECK(f.type < r->constraints.size());
    for (std::size_t i = 1; i < r->attributes.size(); ++i) CHECK(r->attributes[i - 1].name < r->attributes[i].name);
  }
  CHECK(names == std::set<std::string_view>(std::begin(records::names), std::end(records::names)));
}

TEST_CASE("records: an operator that is spelled wrong has a likely name") {
  CHECK(similar_operator("Rleu") == "Relu");
  CHECK(similar_operator("softmax") == "Softmax");
  CHECK(similar_operator("Conv2D") == "Conv");
  CHECK(similar_operator("Quaternion").empty());
  CHECK(similar_operator(std::string(100'000, 'a')).empty());
}

TEST_CASE("records: sets of types") {
  const op_record& relu = *find_record("", "Relu", 23);
  const type_set& set = relu.constraints[relu.inputs[0].type].allowed;
  CHECK(set.has({dtype::f32, {}}));
  CHECK_FALSE(set.has({dtype::boolean, {}}));
  CHECK_FALSE(set.has({dtype::f32, {}, true, value_kind::sequence}));
  CHECK(op_record::at(find_record("", "Concat", 23)->inputs, 7) != nullptr);
  CHECK(op_record::at(relu.inputs, 1) == nullptr);
}
