// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/operators/records/find.hpp>

using namespace jax2onnx;

namespace {

/// The error of an application of the operator, or the types of its results.
std::string applied(graph& g, std::string_view op, const std::vector<value>& inputs,
                    const std::vector<attribute>& attributes = {}, std::size_t results = 1) {
  std::vector<value_id> ids;
  for (const value& v : inputs) ids.push_back(v.id());
  try {
    std::string out;
    for (const tensor_type& t : infer_types(g, g.dims(), *find_record("", op, g.opset()), ids, attributes, results))
      out += (out.empty() ? "" : " ") + text(g, t);
    return out;
  } catch (const build_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("infer_types: results by the shape rule") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 3, 8, 8}}, "x");
  const value w = g.input({dtype::f32, {4, 3, 3, 3}}, "w");
  CHECK(applied(g, "Conv", {x, w}) == "f32[B,4,6,6]");
  CHECK(applied(g, "Shape", {x}) == "i64[4]");
  CHECK(applied(g, "IsNaN", {x}) == "bool[B,3,8,8]");
}

TEST_CASE("infer_types: what does not fit is named") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x"), n = g.input({dtype::i64, {2, 3}}, "n");
  CHECK(applied(g, "Add", {x, n}) ==
        "Add(A: f32[2,3] 'x', B: i64[2,3] 'n'): A is f32[2,3] and B is i64[2,3]; they must have the same type");
  CHECK(applied(g, "Sqrt", {n}) == "Sqrt(X: i64[2,3] 'n'): X is i64[2,3]; it must be one of f32, f16, f64, bf16");
  CHECK(applied(g, "Add", {x}) == "Add(A: f32[2,3] 'x'): it has 1 operand instead of 2");
  CHECK(applied(g, "Add", {x, value()}) == "Add(A: f32[2,3] 'x'): the operand B is absent");
  CHECK(applied(g, "Relu", {x}, {}, 2) == "Relu(X: f32[2,3] 'x'): 2 results are requested; it has 1");
  CHECK(applied(g, "Relu", {x}, {{"axis", std::int64_t{1}}}) ==
        "Relu(X: f32[2,3] 'x'): it has no attribute 'axis' in this opset");
  CHECK(applied(g, "Softmax", {x}, {{"axis", std::string("1")}}) ==
        "Softmax(input: f32[2,3] 'x'): its attribute 'axis' is a string instead of an integer");
  CHECK(applied(g, "Concat", {x, x}) ==
        "Concat(inputs_0: f32[2,3] 'x', inputs_1: f32[2,3] 'x'): its attribute 'axis' is missing");
  CHECK_THAT(applied(g, "Softmax", {x}, {{"axis", std::int64_t{2}}}), Catch::Contains("axis 2"));
}

TEST_CASE("infer_types: every operand of a variadic one is given") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  for (const char* op : {"Concat", "Einsum", "Max", "Mean", "Min", "SequenceConstruct", "Sum"}) {
    const op_record& record = *find_record("", op, g.opset());
    std::vector<attribute> attributes;
    if (record.find("axis")) attributes.push_back({"axis", std::int64_t{0}});
    if (record.find("equation")) attributes.push_back({"equation", std::string("a,a->a")});
    for (const auto& operands : {std::vector{value()}, {x, value()}, {value(), x}})
      CHECK_THAT(applied(g, op, operands, attributes), Catch::Contains("is absent"));
  }
}

TEST_CASE("infer_types: attributes that are element types are ones that exist") {
  graph g;
  const value x = g.input({dtype::f32, {2, 2}}, "x");
  for (const auto& [op, name] : {std::pair("Cast", "to"), {"EyeLike", "dtype"}, {"RandomNormalLike", "dtype"}})
    for (const std::int64_t number :
         {INT64_MIN, INT64_C(-1), INT64_C(0), INT64_C(27), INT64_C(33), INT64_C(257), INT64_MAX})
      CHECK_THAT(applied(g, op, {x}, {{name, number}}), Catch::Contains("is not known"));
  CHECK(applied(g, "Cast", {x}, {{"to", std::int64_t{10}}}) == "f16[2,2]");
}

TEST_CASE("infer_types: flags are 0 or 1") {
  graph g;
  const value x = g.input({dtype::f32, {2, 2}}, "x");
  for (const auto& [op, name] : {std::pair("ReduceSum", "keepdims"), {"Trilu", "upper"}, {"Cast", "saturate"}}) {
    const auto with = [&](std::int64_t number) {
      std::vector<attribute> attributes{{name, number}};
      if (std::string_view(op) == "Cast") attributes.push_back({"to", std::int64_t{10}});
      return applied(g, op, {x}, attributes);
    };
    CHECK_THAT(with(2), Catch::Contains("is 2; it must be 0 or 1"));
    CHECK_THAT(with(1), Catch::EndsWith("]"));
  }
  CHECK_THAT(applied(g, "Gelu", {x}, {{"approximate", std::string("fast")}}), Catch::Contains("none or tanh"));
}

TEST_CASE("infer_types: a body has an input for each operand") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  block_id body = block_id::none;
  {
    const block_scope scope(g);
    body = scope.id();
    const value outputs[] = {g.input({dtype::i64, {}}, "i"), x};
    g.set_outputs(body, outputs);
  }
  CHECK_THAT(applied(g, "Loop", {value(), value(), x}, {{"body", body}}), Catch::Contains("1 input, not 3"));
  CHECK_THAT(applied(g, "Scan", {x, x}, {{"body", body}, {"num_scan_inputs", std::int64_t{1}}}),
             Catch::Contains("1 input, not 2"));
}

TEST_CASE("throw_no_operator: unknown names and names of later opsets") {
  CHECK_THROWS_AS(throw_no_operator("", "Gelu", 17), opset_error);
  CHECK_THROWS_WITH(throw_no_operator("", "Rleu", 23), "ONNX has no operator 'Rleu'; did you mean 'Relu'?");
}
