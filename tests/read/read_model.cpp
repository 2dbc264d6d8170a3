// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "encoded.hpp"

#include <filesystem>
#include <sstream>
#include <string>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/read/read_model.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace encoded;

namespace {

std::string written(const graph& g, const emit_options& options = {}) {
  std::ostringstream out;
  write_model(g, options, out);
  return out.str();
}
graph read(const std::string& encoded) { return read_model_bytes(encoded).graph; }
std::string refusal(const std::string& encoded, failure kind = failure::malformed) {
  try {
    read(encoded);
  } catch (const error& e) {
    CHECK(e.kind() == kind);
    return e.what();
  }
  return "";
}
std::string type_of_output(const graph& g) { return text(g, g.at(g.at(block_id::main).outputs[0]).type); }
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("read_model: what was written is written again as the same bytes") {
  graph g({.opset = 21, .name = "net", .doc = "about it"});
  g.set_metadata("key", "value");
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 4}}, "x");
  const value w = g.constant({dtype::f32, {4}}, bytes(std::string(16, 'a')), "w");
  const value y = abs(add(mul(x, w), x));
  g.at(y.id()).name = "y";
  const value outputs[] = {y};
  g.set_outputs(block_id::main, outputs);
  const std::string first = written(g);
  const model again = read_model_bytes(first);
  CHECK(again.graph.opset() == 21);
  CHECK(written(again.graph, again.envelope) == first);
}

TEST_CASE("read_model: weights of a file stay in the file") {
  const auto path = std::filesystem::temp_directory_path() / "jax2onnx_read_model.onnx";
  graph g(23);
  const value w = g.constant({dtype::f32, {2048}}, bytes(std::string(8192, 'a')), "w");
  const value outputs[] = {neg(w)};
  g.set_outputs(block_id::main, outputs);
  write_model(g, {}, path);
  {
    const graph read = read_model(path);
    const value_record& r = read.at(read.at(read.at(block_id::main).nodes[0]).inputs[0]);
    REQUIRE(read.data(r).source());
    CHECK(read.data(r).source()->location()->length == 8192);
    CHECK(in_memory(*read.data(r).source()) == std::string(8192, 'a'));
  }
  std::filesystem::remove(path);
}

TEST_CASE("read_model: types are inferred, and completed by what the model states") {
  CHECK(type_of_output(read(model_of({a_node("Relu", {"x"}, {"y"})}))) == "f32[N,3]");
  const std::string stated = field(fields::graph_node, a_node("Relu", {"x"}, {"y"})) +
                             field(fields::graph_input, a_value("x", dtype::f32, {extent("N"), ""})) +
                             field(fields::graph_output, a_value("y", dtype::f32, {extent("M"), extent(5)}));
  CHECK(type_of_output(read(a_model(stated))) == "f32[N,5]");
  const std::string wrong = field(fields::graph_node, a_node("Relu", {"x"}, {"y"})) +
                            field(fields::graph_input, a_value("x", dtype::f32, {extent(3)})) +
                            field(fields::graph_output, a_value("y", dtype::f32, {extent(4)}));
  CHECK(contains(refusal(a_model(wrong)), "Relu has the result f32[3], but the model states f32[4]"));
}

TEST_CASE("read_model: operators of other domains stay as they are") {
  const std::string custom = a_node("Fft", {"x"}, {"y"}, field(fields::node_domain, "com.example"));
  const std::string encoded = model_of({custom}, field(fields::model_opset_import, an_opset(7, "com.example")));
  const jax2onnx::graph g = read(encoded);
  CHECK(g.at(g.at(block_id::main).nodes[0]).domain == "com.example");
  CHECK(g.domain_versions().at("com.example") == 7);
}

TEST_CASE("read_model: functions are inlined with the attributes of the call") {
  using namespace fields;
  const std::string reference =
      field(node_attribute,
            field(attribute_name, "alpha") + field(attribute_reference, "slope") + field(attribute_type, kind_float));
  const std::string inner = field(function_name, "Inner") + field(function_domain, "my") + field(function_input, "a") +
                            field(function_output, "b") + field(function_attribute, "slope") +
                            field(function_node, a_node("LeakyRelu", {"a"}, {"b"}, reference)) +
                            field(function_opset_import, an_opset(23));
  const std::string passed_on = field(node_attribute, field(attribute_name, "slope") + field(attribute_reference, "s") +
                                                          field(attribute_type, kind_float));
  const std::string outer = field(function_name, "Outer") + field(function_domain, "my") + field(function_input, "a") +
                            field(function_output, "c") + field(function_attribute, "s") +
                            field(function_node, a_node("Inner", {"a"}, {"t"}, field(node_domain, "my") + passed_on)) +
                            field(function_node, a_node("Neg", {"t"}, {"c"})) +
                            field(function_opset_import, an_opset(23)) +
                            field(function_opset_import, an_opset(1, "my"));
  const std::string half = message([](wire_writer& to) { to.number(attribute_f, 0.5f); });
  const std::string call =
      a_node("Outer", {"x"}, {"y"}, field(node_domain, "my") + encoded::attribute("s", kind_float, half));
  const jax2onnx::graph g = read(model_of({call}, field(model_functions, inner) + field(model_functions, outer) +
                                                      field(model_opset_import, an_opset(1, "my"))));
  const auto& nodes = g.at(block_id::main).nodes;
  REQUIRE(nodes.size() == 2);
  CHECK(g.at(nodes[0]).op == "LeakyRelu");
  CHECK(std::get<float>(g.at(nodes[0]).find("alpha")->value) == 0.5f);
  CHECK(g.at(g.at(nodes[1]).outputs[0]).name == "y");

  const std::string endless = field(function_name, "Loop") + field(function_domain, "my") + field(function_input, "a") +
                              field(function_output, "b") +
                              field(function_node, a_node("Loop", {"a"}, {"b"}, field(node_domain, "my")));
  CHECK(contains(
      refusal(model_of({a_node("Loop", {"x"}, {"y"}, field(node_domain, "my"))}, field(model_functions, endless))),
      "calls itself"));
}

TEST_CASE("read_model: functions that call each other do not grow without bounds") {
  using namespace fields;
  std::string functions;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "F" + std::to_string(i + 1);
    const std::string once = a_node(next, {}, {}, field(node_domain, "my"));
    functions += field(model_functions, field(function_name, "F" + std::to_string(i)) + field(function_domain, "my") +
                                            field(function_node, once) + field(function_node, once));
  }
  functions += field(model_functions, field(function_name, "F40") + field(function_domain, "my"));
  CHECK(contains(
      refusal(model_of({a_node("F0", {}, {}, field(node_domain, "my")), a_node("Relu", {"x"}, {"y"})}, functions),
              failure::unsafe),
      "the limit 'nodes'"));
}

TEST_CASE("read_model: what functions bring is counted at each call") {
  using namespace fields;
  // Calls of calls: the innermost function is called 16,384 times.
  const auto called_often = [](const std::string& innermost) {
    std::string functions =
        field(model_functions, field(function_name, "F0") + field(function_domain, "my") + innermost);
    for (int i = 1; i <= 14; ++i) {
      const std::string call = a_node("F" + std::to_string(i - 1), {}, {}, field(node_domain, "my"));
      functions += field(model_functions, field(function_name, "F" + std::to_string(i)) + field(function_domain, "my") +
                                              field(function_node, call) + field(function_node, call));
    }
    return refusal(model_of({a_node("F14", {}, {}, field(node_domain, "my")), a_node("Relu", {"x"}, {"y"})}, functions),
                   failure::unsafe);
  };
  const std::string text(20'000, 'a');
  const auto node = [](const std::string& more) {
    return field(function_node,
                 a_node("Constant", {}, {"c"}, encoded::attribute("value_float", kind_float, "") + more));
  };
  CHECK(contains(called_often(node(field(node_doc_string, text))), "the limit 'bytes'"));
  CHECK(contains(called_often(node(field(node_name, text))), "the limit 'bytes'"));
  CHECK(contains(called_often(field(function_node,
                                    a_node("Constant", {}, {"c"},
                                           encoded::attribute("value_string", kind_string, field(attribute_s, text))))),
                 "the limit 'bytes'"));
  std::string inputs;
  for (int i = 0; i < 5000; ++i) inputs += field(function_input, std::to_string(i));
  CHECK(contains(called_often(inputs), "the limit 'bytes'"));
}

TEST_CASE("read_model: the elements of attributes count as memory") {
  using namespace fields;
  std::string list;
  for (int i = 0; i < 4000; ++i) list += field(attribute_ints, i);
  const std::string model = model_of(
      {a_node("Custom", {"x"}, {"y"}, field(node_domain, "my") + encoded::attribute("list", kind_ints, list))});
  CHECK_NOTHROW(read_model_bytes(model, {.limits = graph_limits{.bytes = 64'000}}));
  CHECK_THROWS_AS(read_model_bytes(model, {.limits = graph_limits{.bytes = 32'000}}), limit_error);
}

TEST_CASE("read_model: control characters of names are escaped in messages") {
  using namespace fields;
  const std::string name = "k\x1b[31m\n";
  for (const std::string& node :
       {a_node(name, {"x"}, {"y"}), a_node("Relu", {"x"}, {"y"}, encoded::attribute(name, kind_int, "")),
        a_node("Relu", {"x"}, {"y"}, field(node_name, name) + encoded::attribute("a", kind_int, ""))}) {
    const std::string said = refusal(model_of({node}));
    CHECK(contains(said, "[31m"));
    CHECK(said.find_first_of("\x1b\n") == std::string::npos);
  }
}

TEST_CASE("read_model: a type is stated once, results have names") {
  using namespace fields;
  const std::string twice =
      a_value("x", dtype::f32, {extent(3)}) + field(value_type, encoded::tensor_type(dtype::f32, {extent(4)}));
  CHECK(contains(refusal(a_model(field(graph_input, twice))), "damaged"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"x"}, {""}), a_node("Relu", {"x"}, {"y"})})),
                 "the result Y of Relu has no name"));
}

TEST_CASE("read_model: what onnx.checker refuses is refused") {
  using namespace fields;
  const std::string node = field(graph_node, a_node("Relu", {"x"}, {"y"})),
                    input = field(graph_input, a_value("x", dtype::f32, {extent(3)})),
                    output = field(graph_output, a_value("y", dtype::f32, {extent(3)}));
  CHECK(contains(refusal(a_model(node + input + input + output)), "two inputs of this name"));
  CHECK(contains(refusal(a_model(input + field(graph_output, a_value("x", dtype::f32, {extent(4)})))),
                 "the output is f32[3], but the model states f32[4]"));
  CHECK(contains(refusal(a_model(node + output + field(graph_input, a_value("x", dtype::undefined, {extent(3)})))),
                 "no element type"));
  CHECK(contains(
      refusal(field(model_ir_version, std::int64_t{1} << 62) + a_model(node + input + output), failure::unsupported),
      "version 4611686018427387904 of the file format"));
}

TEST_CASE("read_model: bodies see outer values, constants become constants") {
  using namespace fields;
  const auto branch = [](const char* op) {
    return field(graph_node, a_node(op, {"x"}, {"r"})) + field(graph_output, field(value_name, "r"));
  };
  const std::string yes = field(tensor_data_type, 9) + field(tensor_raw_data, "\1");
  const jax2onnx::graph g =
      read(model_of({a_node("Constant", {}, {"c"}, encoded::attribute("value", kind_tensor, field(attribute_t, yes))),
                     a_node("If", {"c"}, {"y"},
                            encoded::attribute("then_branch", kind_graph, field(attribute_g, branch("Neg"))) +
                                encoded::attribute("else_branch", kind_graph, field(attribute_g, branch("Abs"))))}));
  CHECK(g.block_count() == 3);
  CHECK(type_of_output(g) == "f32[N,3]");
  CHECK(g.at(g.at(g.at(block_id::main).nodes[0]).inputs[0]).constant >= 0);
}

TEST_CASE("read_model: outputs that no node computes get an Identity of their name") {
  using namespace fields;
  const std::string graph_ = field(graph_input, a_value("x", dtype::f32, {extent(3)})) +
                             field(graph_output, a_value("w", dtype::u8, {extent(1)})) +
                             field(graph_initializer, field(tensor_dims, 1) + field(tensor_data_type, 2) +
                                                          field(tensor_raw_data, "a") + field(tensor_name, "w"));
  const jax2onnx::graph g = read(a_model(graph_));
  CHECK(g.at(g.at(block_id::main).nodes[0]).op == "Identity");
  CHECK(g.at(g.at(block_id::main).outputs[0]).name == "w");
}

TEST_CASE("read_model: models of older opsets, where nothing has changed since") {
  const std::string graph_ = field(fields::graph_input, a_value("x", dtype::f32, {extent(3)})) +
                             field(fields::graph_output, field(fields::value_name, "y"));
  const auto with = [&](std::string_view op) { return field(fields::graph_node, a_node(op, {"x"}, {"y"})) + graph_; };
  CHECK(read(a_model(with("Relu"), 14)).opset() == 17);
  CHECK(contains(refusal(a_model(with("Relu"), 13), failure::unsupported),
                 "Relu has another form in version 13 of ai.onnx"));
  CHECK(contains(refusal(a_model(with("Relu"), 29), failure::unsupported), "opset 29"));
}

TEST_CASE("read_model: what is wrong is named") {
  using namespace fields;
  CHECK(contains(refusal(""), "no graph"));
  CHECK(contains(refusal("\x08"), "damaged"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"z"}, {"y"})})), "'z', which no earlier node computes"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"x"}, {"x"})})), "'x' is computed twice"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"x"}, {"z"})})), "no node computes this output"));
  CHECK(contains(refusal(model_of({a_node("Reluu", {"x"}, {"y"})})), "did you mean 'Relu'"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"x", "x"}, {"y"})})), "2 operands"));
  CHECK(contains(refusal(model_of({a_node("CumProd", {"x", "x"}, {"y"})}), failure::unsupported), "opset 26"));
  CHECK(contains(
      refusal(model_of({a_node("Relu", {"x"}, {"y"}, encoded::attribute("alpha", kind_int, field(attribute_i, 1)))})),
      "no attribute 'alpha'"));
  CHECK(contains(refusal(model_of({a_node("Relu", {"x"}, {"y"}, encoded::attribute("g", 10, ""))})), "not supported"));
  CHECK(contains(refusal(a_model(field(graph_sparse_initializer, ""))), "sparse initializer"));
  CHECK(contains(refusal(a_model("") + field(model_graph, "")), "two graphs"));
}

TEST_CASE("read_model: the fuzz target's seeds are models") {
  std::size_t count = 0;
  for (const auto& seed : std::filesystem::directory_iterator(JAX2ONNX_SOURCE_DIR "/fuzz/seeds/model")) {
    INFO(seed.path());
    if (seed.path().filename() == "external.onnx") CHECK_THROWS_AS(read_model(seed.path()), file_error);
    else CHECK_NOTHROW(read_model(seed.path()));
    ++count;
  }
  CHECK(count >= 15);
}

TEST_CASE("read_model: bodies inside each other are bounded") {
  using namespace fields;
  std::string body = field(graph_node, a_node("Neg", {"x"}, {"r"})) + field(graph_output, field(value_name, "r"));
  for (int i = 0; i < 200; ++i) {
    const std::string both = encoded::attribute("then_branch", kind_graph, field(attribute_g, body)) +
                             encoded::attribute("else_branch", kind_graph, field(attribute_g, ""));
    body = field(graph_node, a_node("If", {"x"}, {"r"}, both)) + field(graph_output, field(value_name, "r"));
  }
  CHECK(contains(refusal(a_model(field(graph_input, a_value("x", dtype::boolean, {})) + body), failure::unsafe),
                 "nested"));
}
