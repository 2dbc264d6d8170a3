// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/devices/one_of_two.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/device_interface.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/weight.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

conversion of_second(const std::string& text, const std::vector<weight>& weights = {}) {
  options o;
  o.shard = shard_choice{1, 2};
  return convert(text, weights, o);
}

std::string metadata(const conversion& made, const std::string& key) {
  for (const auto& [name, text] : made.model.metadata())
    if (name == key) return text;
  return "(none)";
}

}  // namespace

TEST_CASE("inputs and outputs of a device are its parts, and the metadata say which ones") {
  const conversion made = of_second(over_two("c:f32[2,6] = sin a"));
  CHECK_THAT(to_text(made.model), Contains("float[2, 6] input_0) => (float[2, 6] output_0)"));
  CHECK(made.stats.nodes == 1);
  CHECK(metadata(made, "jax2onnx.shard") == "1/2");
  CHECK(metadata(made, "jax2onnx.part.input_0") == "1/2, :");
  CHECK(metadata(made, "jax2onnx.part.output_0") == "1/2, :");
}

TEST_CASE("an input that is read whole stays whole, and so does an output that every device has") {
  std::string text = over_two("c:f32[2,6] = sin a", "c", "f32[2,6]", "P()");
  text.replace(text.rfind(" in (b,)"), 8, "; d:f32[4,6] = exp a in (b, d)");
  const conversion made = of_second(text);
  CHECK_THAT(to_text(made.model), Contains("float[4, 6] input_0) => (float[2, 6] output_0, float[4, 6] output_1)"));
  CHECK(metadata(made, "jax2onnx.part.input_0") == "(none)");
  CHECK(metadata(made, "jax2onnx.part.output_0") == "(none)");
}

TEST_CASE("a part that is an output keeps a name of its own") {
  const conversion made = of_second(over_two("", "a"));
  CHECK_THAT(to_text(made.model), Contains("(float[4, 6] input_0) => (float[2, 6] output_0)"));
  CHECK(metadata(made, "jax2onnx.part.output_0") == "1/2, :");
}

TEST_CASE("of a weight, a device has its part") {
  const std::vector<float> numbers(64 * 64);
  weight w{"w", true, "<f4", stored_kind::floating, 32, {64, 64}, nullptr};
  w.data = std::make_shared<const borrowed_source>(std::as_bytes(std::span(numbers)));
  const conversion made = of_second(
      "{ lambda w:f32[64,64]; a:f32[64]. let b:f32[64] = shard_map[in_specs=(P(None, 'x'), P('x',)) jaxpr={ lambda ; "
      "w:f32[64,32] a:f32[32]. let c:f32[64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) "
      "preferred_element_type=float32] w a; d:f32[64] = psum[axes=('x',) axis_index_groups=None] c in (d,) } "
      "mesh=Mesh('x': 2) out_specs=(P(),)] w a in (b,) }",
      {w});
  CHECK_THAT(to_text(made.model), Contains("float[32] input_0") && Contains("float[64, 32] w"));
}

TEST_CASE("a program without devices is refused") {
  CHECK_THROWS_WITH(of_second("{ lambda ; a:f32[4]. let b:f32[4] = sin a in (b,) }"), Contains("no shard_map or pmap"));
}
