// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/emit/element_text.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/emit/text_printer.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using namespace test_graphs;
using Catch::Matchers::Contains;

TEST_CASE("text: a whole model") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().parse("2*B + 1"), 2, dim::dyn()}}, "x");
  const value c = g.input({dtype::boolean, {}}, "c");
  const value w = floats(g, {1, -2.5f, 1e-6f}, "dense/kernel");
  const value y = g.emit("Clip", {x, value(), w}, x.type(),
                         {{"k", 1.f}, {"s", std::string("a\"b")}, {"l", ints{}}, {"f", std::vector<float>{.5f, 2}}});
  block_id body;
  {
    const block_scope scope(g);
    body = scope.id();
    outputs(g, body, {y});
  }
  const value r = g.emit("If", {c}, x.type(), {{"then_branch", body}});
  g.at(r.id()).name = "y";
  outputs(g, {r});
  CHECK(to_text(g) == R"(<
  ir_version: 10,
  opset_import: ["" : 23]
>
main_graph (float["2*B + 1", 2, ?] x, bool c) => (float["2*B + 1", 2, ?] y) <
  float[3] "dense/kernel" = {1.0, -2.5, 1e-06},
  float["2*B + 1", 2, ?] clip_0
> {
  clip_0 = Clip <k = 1.0, s = "a\"b", l: ints = [], f = [0.5, 2.0]> (x, , "dense/kernel")
  y = If (c) <then_branch = y_then_branch () => (float["2*B + 1", 2, ?] output_0) {
    output_0 = Identity (clip_0)
  }>
}
)");
}

TEST_CASE("text: elements of every width") {
  const auto element = [](dtype t, std::string_view data, std::uint64_t i) {
    return element_text(t, std::as_bytes(std::span(data)), i);
  };
  CHECK(element(dtype::i4, "\x2f", 0) == "-1");
  CHECK(element(dtype::i4, "\x2f", 1) == "2");
  CHECK(element(dtype::u4, "\x2f", 0) == "15");
  CHECK(element(dtype::i2, "\x1b", 0) == "-1");
  CHECK(element(dtype::u2, "\x1b", 3) == "0");
  CHECK(element(dtype::i8, "\xff", 0) == "-1");
  CHECK(element(dtype::boolean, "\x01", 0) == "1");
  CHECK(element(dtype::bf16, raw<std::uint16_t>({0, 0x3f80}), 1) == "16256");
  CHECK(element(dtype::i64, raw<std::int64_t>({INT64_MIN}), 0) == "-9223372036854775808");
  CHECK(element(dtype::u64, raw<std::uint64_t>({UINT64_MAX}), 0) == "18446744073709551615");
  CHECK(element(dtype::f64, raw<double>({0.1}), 0) == "0.1");
  CHECK(element(dtype::f32, raw<float>({-0.f}), 0) == "-0.0");
  CHECK(element(dtype::f32, raw<float>({std::numeric_limits<float>::infinity()}), 0) == "inf");
}

TEST_CASE("text: long constants show their size only") {
  graph g;
  outputs(g, {floats(g, std::vector<float>(17), "w"), floats(g, {1}, "v"), stream_of_zeros(g, 2, "s")});
  const std::string text = to_text(g);
  CHECK_THAT(text, Contains("  float[17] w,  # 68 bytes\n") && Contains("  float[1] v = {1.0},\n") &&
                       Contains("  uint8[2] s  # 2 bytes\n"));
  CHECK_THAT(to_text(g, {}, {.max_elements = 17}), Contains("float[17] w = {0.0, 0.0"));
}
