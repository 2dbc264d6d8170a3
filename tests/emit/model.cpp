// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/emit/message_writer.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/proto.hpp>
#include <jax2onnx/emit/summary.hpp>
#include <jax2onnx/graph/strings.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using namespace test_graphs;
using Catch::Matchers::Contains;

namespace {

void small_graph(graph& g) {
  const value x = g.input({dtype::f32, {g.dims().parse("2*B"), 2, dim::dyn()}}, "x");
  const value y = g.emit("Softmax", {x}, x.type(), {{"axis", std::int64_t{-1}}});
  const value limit = g.constant({dtype::f32, {}}, bytes(test_files::raw(std::vector<float>{1})), "limit");
  outputs(g, {g.emit("Clip", {y, value(), limit}, x.type())});
}

}  // namespace

TEST_CASE("model: the envelope, types, attributes and absent inputs") {
  graph g(21);
  small_graph(g);
  emit_options options;
  options.producer_version = "1.2";
  options.metadata = {{"key", "value"}};
  const onnx::ModelProto m = written(g, options);
  CHECK(m.ir_version() == 10);
  CHECK(m.producer_name() == "jax2onnx");
  CHECK(m.producer_version() == "1.2");
  REQUIRE(m.opset_import_size() == 1);
  CHECK(m.opset_import(0).domain().empty());
  CHECK(m.opset_import(0).version() == 21);
  CHECK(m.metadata_props(0).value() == "value");
  const onnx::GraphProto& graph = m.graph();
  const auto& shape = graph.input(0).type().tensor_type().shape();
  CHECK(shape.dim(0).dim_param() == "2*B");
  CHECK(shape.dim(1).dim_value() == 2);
  CHECK_FALSE(shape.dim(2).has_dim_value());
  CHECK_FALSE(shape.dim(2).has_dim_param());
  CHECK(graph.node(0).attribute(0).i() == -1);
  CHECK(graph.node(0).attribute(0).type() == onnx::AttributeProto::INT);
  CHECK(graph.node(1).input(1).empty());
  CHECK(graph.value_info_size() == 1);
  CHECK(graph.value_info(0).name() == "softmax_0");
  CHECK(graph.initializer(0).raw_data() == raw<float>({1}));
  options.shape_info = false;
  CHECK(written(g, options).graph().value_info_size() == 0);
}

TEST_CASE("model: equal graphs give equal bytes, streamed or as a message") {
  std::string bytes[2];
  for (std::string& b : bytes) {
    graph g;
    small_graph(g);
    std::ostringstream out;
    const emit_summary summary = write_model(g, {}, out);
    b = out.str();
    CHECK(summary.model_bytes == b.size());
    CHECK(parsed(b).SerializeAsString() == to_proto(g).SerializeAsString());
  }
  CHECK(bytes[0] == bytes[1]);
}

TEST_CASE("model: strings are string_data, in a file and in a message") {
  graph g;
  const std::string packed = detail::packed_strings(std::vector<std::string>{"a", "bc"});
  outputs(g, {g.constant({dtype::string, {2}}, bytes(packed), "words")});
  for (const onnx::ModelProto& m : {written(g), to_proto(g)}) {
    const onnx::TensorProto& words = m.graph().initializer(0);
    CHECK_FALSE(words.has_raw_data());
    REQUIRE(words.string_data_size() == 2);
    CHECK(words.string_data(1) == "bc");
  }
}

TEST_CASE("model: only the domains in use are imported") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value a = g.emit("Gelu", {x}, x.type()), b = g.emit(operator_name::unchecked("Scaler"), {a}, x.type());
  g.at(g.at(a.id()).producer).domain = "com.microsoft";
  g.at(g.at(b.id()).producer).domain = "ai.onnx.ml";
  outputs(g, {b});
  emit_options options;
  options.domain_versions["ai.onnx.ml"] = 3;
  const onnx::ModelProto m = written(g, options);
  REQUIRE(m.opset_import_size() == 3);
  CHECK(m.opset_import(1).domain() == "ai.onnx.ml");
  CHECK(m.opset_import(1).version() == 3);
  CHECK(m.opset_import(2).version() == 1);
  CHECK(m.graph().node(0).domain() == "com.microsoft");
}

TEST_CASE("model: subgraphs capture outer values, and copy those that they return") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value c = g.input({dtype::boolean, {}}, "c");
  const value y = add(g, x, x);
  block_id then_body, else_body;
  {
    const block_scope scope(g);
    then_body = scope.id();
    outputs(g, then_body, {add(g, add(g, y, x), floats(g, {1, 2}, "w"))});
  }
  {
    const block_scope scope(g);
    else_body = scope.id();
    outputs(g, else_body, {y});
  }
  outputs(g, {g.emit("If", {c}, x.type(), {{"then_branch", then_body}, {"else_branch", else_body}})});
  const onnx::GraphProto graph = written(g).graph();
  CHECK(graph.initializer(0).name() == "w");
  const onnx::GraphProto& then_graph = graph.node(1).attribute(0).g();
  CHECK(then_graph.initializer_size() == 0);
  CHECK(then_graph.value_info_size() == 1);
  CHECK(then_graph.node(0).input(0) == "add_0");
  CHECK(then_graph.output(0).type().tensor_type().elem_type() == 1);
  const onnx::GraphProto& else_graph = graph.node(1).attribute(1).g();
  CHECK(else_graph.node(0).op_type() == "Identity");
  CHECK(else_graph.node(0).input(0) == "add_0");
  CHECK(else_graph.output(0).name() == else_graph.node(0).output(0));
}

TEST_CASE("model: a node's Python source is metadata, unless stripped") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  g.set_origin({0, 1, "train.py:88:4 (loss)\n[mlp/dense]"});
  outputs(g, {add(g, x, x)});
  CHECK_THAT(written(g).SerializeAsString(),
             Contains("jax2onnx.source\x12\x14train.py:88:4 (loss)") && Contains("jax2onnx.scope\x12\x09mlp/dense"));
  emit_options options;
  options.source_info = false;
  CHECK_THAT(written(g, options).SerializeAsString(), !Contains("train.py"));
}

TEST_CASE("source_info: the lines of an annotation") {
  CHECK(parse_annotation("").source.empty());
  CHECK(parse_annotation(" \n[]").scope.empty());
  CHECK(parse_annotation("[a/b]").scope == "a/b");
  CHECK(parse_annotation("net.py:1:2 (f)\n[]").source == "net.py:1:2 (f)");
  CHECK(parse_annotation("net.py:1:2 (f)\n[a]\n").scope == "a");
}

TEST_CASE("model: 4-bit and empty constants") {
  graph g;
  const value four = g.constant({dtype::i4, {3}}, bytes(std::string("\x21\x03", 2)), "four");
  const value none = g.constant({dtype::bf16, {0, 3}}, bytes(std::string()), "none");
  outputs(g, {four, none});
  const onnx::GraphProto graph = written(g).graph();
  CHECK(graph.initializer(0).raw_data() == std::string("\x21\x03", 2));
  CHECK(graph.initializer(0).data_type() == 22);
  CHECK(graph.initializer(1).has_raw_data());
  CHECK(graph.initializer(1).raw_data().empty());
}

TEST_CASE("model: more than 2 GiB in one file is refused before anything is written") {
  graph g;
  outputs(g, {stream_of_zeros(g, std::int64_t{3} << 30, "w")});
  std::ostringstream out;
  CHECK_THROWS_WITH(write_model(g, {}, out), Contains("would have 3.0 GiB") && Contains("option external-data"));
  CHECK_THROWS_AS(write_model(g, {}, out), limit_error);
  CHECK(out.str().empty());
  const temporary_directory dir;
  CHECK_THROWS_AS(write_model(g, {}, dir / "m.onnx"), limit_error);
  CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("model: more bytes than the limit are refused before anything is written") {
  struct inflated final : byte_source {
    std::uint64_t size() const override { return std::uint64_t{2} << 30; }
    std::uint64_t stored_size() const override { return std::uint64_t{10} << 20; }
    void stream(const sink&) const override { FAIL("the weight is read"); }
  };
  graph g;
  outputs(g, {g.constant({dtype::u8, {std::int64_t{2} << 30}}, bytes(std::make_shared<inflated>()), "w")});
  const temporary_directory dir;
  emit_options o;
  o.external.placement = weights_placement::data_file;
  CHECK_THROWS_WITH(write_model(g, o, dir / "m.onnx"), Contains("over 2122317824 (the limit 'output')"));
  CHECK(std::filesystem::is_empty(dir.path()));

  graph small;
  outputs(small, {stream_of_zeros(small, 1000, "w")});
  std::ostringstream out;
  o = {};
  o.max_bytes = 999;
  CHECK_THROWS_AS(write_model(small, o, out), limit_error);
  o.max_bytes = 1000;
  CHECK_NOTHROW(write_model(small, o, out));
}

TEST_CASE("model: a weight that is not as long as it said is an internal error, and leaves no file") {
  const temporary_directory dir;
  for (std::int64_t lie : {-1, 1}) {
    graph g;
    outputs(g, {stream_of_zeros(g, 100'000, "w", lie)});
    CHECK_THROWS_WITH(write_model(g, {}, dir / "m.onnx"), "a weight does not have the stated number of bytes");
    CHECK(std::filesystem::is_empty(dir.path()));
  }
}

TEST_CASE("model: an input file is never overwritten, under whatever name") {
  const temporary_directory dir;
  graph g;
  small_graph(g);
  emit_options options;
  options.inputs = {dir.write("in.jaxpr", "text")};
  std::filesystem::create_hard_link(dir / "in.jaxpr", dir / "hard");
  std::filesystem::create_symlink("in.jaxpr", dir / "soft");
  for (const auto& out : {dir / "in.jaxpr", dir / "hard", dir / "soft", dir.path() / "." / "in.jaxpr"})
    CHECK_THROWS_WITH(write_model(g, options, out), Contains("is an input file, which is not overwritten"));
  CHECK(read_file(dir / "in.jaxpr") == "text");
}

TEST_CASE("model: a stream that fails is an I/O error") {
  graph g;
  small_graph(g);
  std::ofstream full("/dev/full", std::ios::binary);
  CHECK_THROWS_AS(write_model(g, {}, full), file_error);
  CHECK_THROWS_WITH(write_model(g, {}, std::filesystem::path("/dev/full")), Contains("No space left"));
}
