// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/dsl/structure/own_operators.hpp>
#include <jax2onnx/emit/external.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using namespace test_graphs;
using Catch::Matchers::Contains;

namespace {

const std::string large = raw(std::vector<float>(1024, 2.5f));

value weight_of(graph& g, const std::filesystem::path& file) {
  const auto ws = read_weights(file);
  return g.constant({dtype::f32, {1024}}, bytes(ws.at(0).data), "w");
}

std::filesystem::path large_npy(const temporary_directory& dir, std::string_view name) {
  return dir.write(name, npy("<f4", "(1024,)", large));
}

emit_options with(weights_placement placement) {
  emit_options options;
  options.external.placement = placement;
  return options;
}

std::map<std::string, std::string> external_entries(const onnx::TensorProto& t) {
  std::map<std::string, std::string> out;
  for (const auto& e : t.external_data()) out[e.key()] = e.value();
  return out;
}

/// The data file that a model refers to.
std::string data_of(const std::filesystem::path& model) {
  const onnx::GraphProto graph = parsed(read_file(model)).graph();
  for (const onnx::TensorProto& t : graph.initializer())
    if (t.data_location() == onnx::TensorProto::EXTERNAL)
      return read_file(model.parent_path() / external_entries(t).at("location"));
  return "none";
}

std::vector<std::string> files_in(const temporary_directory& dir) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("external data: large initializers go to the data file, aligned; small ones stay") {
  const temporary_directory dir;
  graph g;
  const std::vector<float> more(2000, 1.f);
  outputs(g, {floats(g, {1, 2, 3}, "small"), weight_of(g, large_npy(dir, "w.npy")), floats(g, more, "more")});
  const emit_summary summary = write_model(g, with(weights_placement::data_file), dir / "m.onnx");
  CHECK(is_data_file_name(summary.data_file.filename().string(), dir / "m.onnx"));
  CHECK(summary.data_bytes == 4096 + 8000);
  CHECK(read_file(summary.data_file) == large + raw(more));
  const onnx::GraphProto graph = parsed(read_file(dir / "m.onnx")).graph();
  CHECK(graph.initializer(0).has_raw_data());
  CHECK(graph.initializer(1).data_location() == onnx::TensorProto::EXTERNAL);
  CHECK_FALSE(graph.initializer(1).has_raw_data());
  const auto entries = external_entries(graph.initializer(2));
  CHECK(entries.at("location") == summary.data_file.filename());
  CHECK(entries.at("offset") == "4096");
  CHECK(entries.at("length") == "8000");
}

TEST_CASE("external data: gaps of the alignment read as zeros") {
  const temporary_directory dir;
  graph g;
  outputs(g, {floats(g, std::vector<float>(300, 1.f)), floats(g, std::vector<float>(300, 2.f))});
  write_model(g, with(weights_placement::data_file), dir / "m.onnx");
  const std::string data = data_of(dir / "m.onnx");
  CHECK(data == raw(std::vector<float>(300, 1.f)) + std::string(4096 - 1200, '\0') + raw(std::vector<float>(300, 2.f)));
}

TEST_CASE("external data: weights are referred to where they are") {
  const temporary_directory dir;
  std::filesystem::create_directory(dir / "sub");
  const auto file = large_npy(dir, "sub/w.npy");
  graph g;
  outputs(g, {weight_of(g, file)});
  const emit_summary summary = write_model(g, with(weights_placement::reference), dir / "m.onnx");
  CHECK(summary.data_file.empty());
  CHECK(files_in(dir) == std::vector<std::string>{"m.onnx", "sub"});
  const auto entries = external_entries(parsed(read_file(dir / "m.onnx")).graph().initializer(0));
  CHECK(entries.at("location") == "sub/w.npy");
  CHECK(read_file(file).substr(std::stoul(entries.at("offset")), std::stoul(entries.at("length"))) == large);
}

TEST_CASE("external data: what has no place in a file is copied all the same") {
  const temporary_directory dir;
  graph g;
  const auto archive_file =
      dir.write("w.npz", archive({{.name = "w.npy", .content = npy("<f4", "(1024,)", large), .deflate = true}}));
  outputs(g, {weight_of(g, archive_file)});
  write_model(g, with(weights_placement::reference), dir / "m.onnx");
  CHECK(data_of(dir / "m.onnx") == large);
}

TEST_CASE("external data: references out of the model's directory are refused") {
  const temporary_directory dir, other;
  std::filesystem::create_directory(dir / "out");
  std::filesystem::create_symlink(large_npy(other, "w.npy"), dir / "out/link.npy");
  std::filesystem::create_hard_link(large_npy(dir, "twice.npy"), dir / "out/twice.npy");
  const std::pair<std::filesystem::path, const char*> rows[] = {
      {large_npy(other, "w.npy"), "is not below the model's directory"},
      {large_npy(dir, "above.npy"), "is not below the model's directory"},
      {dir / "out/link.npy", "is not below the model's directory"},
      {dir / "out/twice.npy", "has several hard links"},
      {large_npy(dir, "out/a:b.npy"), "has a character that is not allowed"},
      {large_npy(dir, "out/NUL.npy"), "is the name of a device"},
  };
  for (const auto& [file, why] : rows) {
    graph g;
    outputs(g, {weight_of(g, file)});
    CHECK_THROWS_WITH(write_model(g, with(weights_placement::reference), dir / "out/m.onnx"),
                      Contains(why) && Contains(file.filename()));
    CHECK_FALSE(std::filesystem::exists(dir / "out/m.onnx"));
  }
}

TEST_CASE("external data: the data file has a bare and portable name") {
  const temporary_directory dir;
  graph g;
  outputs(g, {floats(g, std::vector<float>(300, 1.f))});
  emit_options options = with(weights_placement::data_file);
  for (const char* name :
       {"../d", "/tmp/d", "a/b", "a\\b", "C:d", "..", ".", "d.", "d ", "con", "COM1.data", "a\nb", "a?"}) {
    options.external.file = name;
    CHECK_THROWS_WITH(write_model(g, options, dir / "m.onnx"), Contains("the external data file"));
  }
  options.external.file = "m.onnx";
  CHECK_THROWS_WITH(write_model(g, options, dir / "m.onnx"), Contains("cannot be both"));
  CHECK(std::filesystem::is_empty(dir.path()));
  options.external.file = "weights.bin";
  write_model(g, options, dir / "m.onnx");
  CHECK(std::filesystem::exists(dir / "weights.bin"));
}

TEST_CASE("external data: a file that was cut short is not referred to") {
  const temporary_directory dir;
  graph g;
  const auto file = large_npy(dir, "w.npy");
  outputs(g, {weight_of(g, file)});
  std::filesystem::resize_file(file, 2000);
  CHECK_THROWS_WITH(write_model(g, with(weights_placement::reference), dir / "m.onnx"), Contains("was truncated"));
  CHECK(files_in(dir) == std::vector<std::string>{"w.npy"});
}

TEST_CASE("external data: names by content") {
  const auto hash = [](const std::vector<std::string>& pieces) {
    content_hash h;
    for (const std::string& piece : pieces) h.add(std::as_bytes(std::span(piece)));
    return h;
  };
  const content_hash a = hash({"123456789"});
  CHECK(a.text() == hash({"1", "2345", "", "6789"}).text());
  CHECK(a.text() != hash({"123456788"}).text());
  CHECK(a.text() != hash({std::string("123456789\0", 10)}).text());
  CHECK(hash({}).text() == "0000000000000000");
  CHECK(is_data_file_name(data_file_name("d/m.onnx", a), "d/m.onnx"));
  for (const char* other : {"m.onnx", "m.onnx.data", "m.onnx.0123456789abcdeX.data", "m.onnx.0123456789abcde.data",
                            "m.onnx.0123456789abcdef.date", "n.onnx.0123456789abcdef.data"})
    CHECK_FALSE(is_data_file_name(other, "m.onnx"));
}

namespace {

/// Writes a model whose only weight is filled with `fill`.
void write_filled(const std::filesystem::path& out, float fill, const emit_options& options) {
  graph g;
  outputs(g, {floats(g, std::vector<float>(300, fill), "w")});
  write_model(g, options, out);
}

}  // namespace

TEST_CASE("external data: a new model takes the place of the old one and its data") {
  const temporary_directory dir;
  const auto model = dir / "m.onnx";
  const auto options = with(weights_placement::data_file);
  dir.write("m.onnx.data", "a stranger's");
  dir.write("m.onnx.0123456789abcdef.data", "left over");
  dir.write(".m.onnx.jax2onnx-tmp", "left over");
  dir.write("other.onnx.0123456789abcdef.data", "another model's");
  for (const float fill : {1.f, 2.f, 2.f}) {
    write_filled(model, fill, options);
    CHECK(data_of(model) == raw(std::vector<float>(300, fill)));
    CHECK(files_in(dir).size() == 4);
  }
  const std::string with_two = read_file(model);
  write_filled(model, 1.f, options);
  write_filled(model, 2.f, options);
  CHECK(read_file(model) == with_two);
  write_filled(model, 3.f, {});
  CHECK(files_in(dir) == std::vector<std::string>{"m.onnx", "m.onnx.data", "other.onnx.0123456789abcdef.data"});
}

TEST_CASE("external data: an input is not removed, whatever its name") {
  const temporary_directory dir;
  emit_options options = with(weights_placement::data_file);
  options.inputs = {dir.write("m.onnx.0123456789abcdef.data", "an input")};
  write_filled(dir / "m.onnx", 1.f, options);
  CHECK(read_file(options.inputs[0]) == "an input");
}

TEST_CASE("external data: a file of a given name is replaced while no model refers to it") {
  const temporary_directory dir;
  const auto model = dir / "m.onnx";
  emit_options options = with(weights_placement::data_file);
  options.external.file = "w.bin";
  dir.write("w.bin", "old data, no model");
  std::string first;
  for (const float fill : {1.f, 2.f, 1.f}) {
    write_filled(model, fill, options);
    CHECK(files_in(dir) == std::vector<std::string>{"m.onnx", "w.bin"});
    CHECK(read_file(dir / "w.bin") == raw(std::vector<float>(300, fill)));
    if (first.empty()) first = read_file(model);
    CHECK(read_file(model) == first);
  }
}

TEST_CASE("external data: a failure leaves the old model and its data as they were") {
  const temporary_directory dir;
  dir.write("m.onnx", "old model");
  dir.write("m.onnx.data", "old data");
  graph g;
  emit_options options = with(weights_placement::data_file);
  options.external.file = "m.onnx.data";
  SECTION("a weight turns out damaged") {
    outputs(g, {stream_of_zeros(g, 100'000, "w", -1)});
    CHECK_THROWS(write_model(g, options, dir / "m.onnx"));
  }
  SECTION("the data file is an input") {
    outputs(g, {stream_of_zeros(g, 100'000, "w")});
    options.inputs = {dir / "m.onnx.data"};
    CHECK_THROWS_WITH(write_model(g, options, dir / "m.onnx"), Contains("is an input file, which is not overwritten"));
  }
  SECTION("a weight lies in the data file, which is not among the inputs") {
    outputs(g, {weight_of(g, large_npy(dir, "m.onnx.data"))});
    CHECK_THROWS_WITH(write_model(g, options, dir / "m.onnx"), Contains("is an input file, which is not overwritten"));
    dir.write("m.onnx.data", "old data");
  }
  CHECK(read_file(dir / "m.onnx") == "old model");
  CHECK(read_file(dir / "m.onnx.data") == "old data");
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 2);
}

TEST_CASE("external data: a stream has no place beside it") {
  graph g;
  outputs(g, {floats(g, {1})});
  std::ostringstream out;
  CHECK_THROWS_WITH(write_model(g, with(weights_placement::data_file), out), Contains("needs an output file"));
}

TEST_CASE("external data: sizes that overflow 64 bits are refused") {
  graph g;
  const std::int64_t huge = std::int64_t{1} << 60;
  const value x = g.input({dtype::f32, {2}}, "x");
  std::vector<value> in = {x};
  for (int i = 0; i < 17; ++i) in.push_back(stream_of_zeros(g, huge, "w"));
  outputs(g, {op(g, "com.example", "Custom", in, {}, {x.type()})[0]});
  const temporary_directory dir;
  CHECK_THROWS_AS(write_model(g, with(weights_placement::data_file), dir / "m.onnx"), limit_error);
  CHECK_THROWS_AS(write_model(g, {}, dir / "m.onnx"), limit_error);
}
