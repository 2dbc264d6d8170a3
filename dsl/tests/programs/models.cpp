// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <jax2onnx/dsl/evaluate/evaluate.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

using namespace jax2onnx;

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

graph small_encoder(int opset) {
  graph g({.opset = opset, .name = "encoder"});
  const value x = g.input({dtype::f32, {g.dims().symbol("batch"), 8}}, "features");
  const value hidden = tanh(matmul(x, weight(g, {8, 4}, 0.5, 3)));
  output(hidden, "hidden");
  output(reduce_max(hidden, {1}), "peak");
  return g;
}

}  // namespace

// The program reads a model, adds a head after a value of the model, and also writes the head as a model of its own.
PROGRAM(read_and_extend) {
  write_model(small_encoder(18), folder / "read_and_extend_part.onnx");
  graph g = read_model(folder / "read_and_extend_part.onnx");
  const value hidden = find_value(g, "hidden");
  require(bool(hidden) && !find_value(g, "nothing"), "find_value");
  output(softmax(hidden), "classes");
  const graph copy = g.clone();
  const rewrite_report report = optimize(g);
  static_cast<void>(report);
  verify(g);
  require(problems_of(g).empty(), "problems_of");
  write_model(g, folder / "read_and_extend.onnx");
  write_model(cut(copy, {"hidden"}, {"classes"}), folder / "read_and_extend_head.onnx");
  const ndarray a = array_of<float>({1, 8}, std::vector<float>(8, 0.25f));
  const auto before = evaluate(copy, {{"features", a}})["classes"].as<float>();
  const auto after = evaluate(g, {{"features", a}})["classes"].as<float>();
  require(before == after, "optimize changed the results");
}

// The program inlines one model of an older opset into a newer graph three times, the third time in a body.
PROGRAM(siamese_join) {
  const graph encoder = small_encoder(17);
  graph g(23);
  const auto left = input<float, "pairs"_d, 8>(g, "left");
  const auto right = input<float, "pairs"_d, 8>(g, "right");
  const auto use = input<bool>(g, "use");
  const auto a = inline_model(g, encoder, {{"features", left}});
  const auto b = inline_model(g, encoder, {{"features", right}});
  const value distance = reduce_sum(abs(a["hidden"] - b["hidden"]), {1});
  const value other = if_(
      use,
      [&] {
        return inline_model(g, encoder, {{"features", left - right}})["peak"];
      },
      [&] { return distance; });
  output(distance, "distance");
  output(other, "other");
  write_model(g, folder / "siamese_join.onnx");
}

// The program makes three models of one graph. The models share the weights of the graph.
PROGRAM(many_models) {
  graph g(23);
  const auto x = input<float, "batch"_d, 8>(g, "features");
  const auto code = tanh(dense(x, weight<8, 4>(g, "w", 0.5, 1), weight<4>(g, "b")));
  const auto classes = softmax(matmul(code, weight<4, 3>(g, "head", 1)));
  const graph both = build({{"x", x}}, {{"code", code}, {"classes", classes}});
  verify(both);
  write_model(both, folder / "many_models.onnx");
  write_model(build({{"code", code}}, {{"classes", classes}}), folder / "many_models_head.onnx");
  const graph part = build({{"x", x}}, {{"y", code}});
  std::ostringstream text_of_model;
  const emit_summary summary = write_model(part, text_of_model);
  require(summary.model_bytes == text_of_model.str().size(), "bytes of a stream");
  const model again = read_model_bytes(text_of_model.str());
  write_model(again.graph, again.envelope, folder / "many_models_code.onnx");
  require(evaluate(again.graph, {{"x", array_of<float>({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8})}}).size() == 1, "evaluate");
}

// The program writes large weights to a file beside the model. The graph refers to one of the weights in memory.
PROGRAM(external_weights) {
  const auto table = std::make_shared<const std::vector<float>>(numbers(100 * 64, 1, 2));
  graph g(23);
  const auto ids = input<std::int64_t, "batch"_d, "time"_d>(g, "ids");
  const auto rows = constant_view<float, 100, 64>(g, *table, "table", table);
  const auto w = constant<float, 64, 64>(g, numbers(64 * 64, 0.1), "w");
  const auto h = relu(matmul(gather(rows, ids), w));
  const tensor<float, "batch"_d, 64> y = reduce_mean<1>(h);
  output(y, "y");
  emit_options options;
  options.external = {.placement = weights_placement::data_file, .file = "external_weights.bin", .threshold = 256};
  const emit_summary summary = write_model(g, options, folder / "external_weights.onnx");
  require(summary.data_bytes >= (6400 + 4096) * 4 && summary.data_file.filename() == "external_weights.bin", "summary");
  const graph again = read_model(folder / "external_weights.onnx");
  write_model(again, folder / "external_weights_inside.onnx");
}

// The program moves and returns a graph while the graph is built, and names and describes a node.
PROGRAM(moved_graph) {
  const auto start = [] {
    graph g({.opset = 22, .name = "moved", .doc = "a graph that was moved"});
    g.set_metadata("author", "somebody");
    const auto x = input<float, "n"_d, 3>(g, "x");
    return std::pair(std::move(g), x);
  };
  auto [first, x] = start();
  const auto y = describe(name_node(exp(x) - 1.0f, "expm1"), "exp(x) - 1");
  graph second = std::move(first);
  const auto z = y * 2.0f;
  std::vector<graph> graphs;
  graphs.push_back(std::move(second));
  output(z + value(x), "z");
  graphs.emplace_back(17);
  graph& g = graphs.front();
  g.set_metadata("license", "MIT");
  require(&value(z).owner() == &g && g.metadata().size() == 2, "owner");
  write_model(g, {.producer_name = "programs", .doc_string = "moved twice"}, folder / "moved_graph.onnx");
}

// The program writes one network for each opset from 17 to 28.
PROGRAM(every_opset) {
  for (int opset = 17; opset <= 28; ++opset) {
    graph g(opset);
    const auto x = input<float, "n"_d, 6>(g, "x");
    const auto h = elu(x, {.alpha = 0.5f}) + reduce_max(x, {1}) + reduce_sum(x, {0});
    const auto parts = split<1, 2>(h);
    const auto wide = pad(concat<1>(std::get<1>(parts), std::get<0>(parts)), {0, 1, 0, 1});
    const value normed = layer_normalization(wide, filled<float, 8>(g, 1.0f));
    output(reshape(normed, {-1, 2, 4}), "y");
    output(top_k(normed, {2}).indices, "best");
    output(cast(round(normed), {.to = dtype::i32}), "rounded");
    write_model(g, folder / (opset == 28 ? "every_opset.onnx" : "every_opset_" + std::to_string(opset) + ".onnx"));
  }
}

// The program optimizes a graph: optimize() folds nodes that depend on constants only, and removes nodes that change
// nothing or that nothing reads.
PROGRAM(folded_constants) {
  graph g(23);
  const auto x = input<float, "batch"_d, 4>(g, "x");
  const auto a = constant<float, 4>(g, {1, 2, 3, 4}), b = constant<float, 4>(g, {4, 3, 2, 1});
  const auto scale = (a + b) / 5.0f * 2.0f;
  const auto dead = exp(a);
  const auto twice = x * scale + x * scale;
  const auto still = transpose<1, 0>(transpose<1, 0>(twice));
  output(reshape<"batch"_d, 2, 2>(still), "y");
  static_cast<void>(dead);
  require(text(evaluate(scale, {})) == "f32[4] {2, 2, 2, 2}", "evaluate");
  const std::size_t before = g.at(block_id::main).nodes.size();
  optimize(g, {.disabled = {}, .assume_finite = true});
  require(g.at(block_id::main).nodes.size() < before, "optimize made nothing smaller");
  write_model(g, folder / "folded_constants.onnx");
}
