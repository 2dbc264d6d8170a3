// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/stated_opset.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

namespace {

const std::string doubled = "{ lambda ; a:f32[3]. let b:f32[3] = add a a in (b,) }";

int stated(const options& o) { return convert(doubled, {}, o).model.opset(); }

}  // namespace

TEST_CASE("stated_opset: the oldest one that has the operators, unless one is asked for") {
  options o;
  CHECK(stated(o) == 22);
  o.opset = 23;
  CHECK(stated(o) == 23);
  o.opset = 21;
  CHECK(stated(o) == 21);
  o.opset.reset();
  o.rewrites.target = target{runtime::ort, 22};
  CHECK(stated(o) == 22);
}

TEST_CASE("stated_opset: a target loads it") {
  options o;
  o.rewrites.target = target{runtime::ort, 25};
  o.opset = 27;
  CHECK_THROWS_WITH(convert(doubled, {}, o),
                    Catch::Matchers::Contains("ONNX Runtime 1.25 loads opsets up to 26, not 27"));
  o.rewrites.target = target{runtime::ort, 32};
  CHECK(stated(o) == 27);
}

TEST_CASE("stated_opset: a newer one than the default where the program has a type that needs it") {
  const std::string narrow = "{ lambda ; a:i2[3]. let b:i8[3] = convert_element_type[new_dtype=int8] a in (b,) }";
  options o;
  CHECK(convert(narrow, {}, o).model.opset() == 25);
  o.opset = 23;
  CHECK_THROWS_WITH(convert(narrow, {}, o), Catch::Matchers::Contains("input 0 has the type i2, which needs opset 25"));
  o.opset.reset();
  o.rewrites.target = target{runtime::ort, 22};
  CHECK_THROWS_WITH(convert(narrow, {}, o), Catch::Matchers::Contains("input 0 has the type i2, which needs opset 25"));
}

TEST_CASE("stated_opset: new operators, attributes and types need a new opset") {
  graph g(25), h(25);
  output(unary("Relu", g.input({dtype::f32, {2}}, "x")), "y");
  CHECK(detail::fits_opset(g, 22));
  const value x = h.input({dtype::f32, {2}}, "x");
  output(h.emit("Swish", {x}, x.type()), "y");
  CHECK(detail::fits_opset(h, 24));
  CHECK_FALSE(detail::fits_opset(h, 23));
  graph with_type(23), with_attribute(23);
  const value four = with_type.input({dtype::f4_e2m1fn, {2}}, "x");
  output(with_type.emit("Identity", {four}, four.type()), "y");
  CHECK_FALSE(detail::fits_opset(with_type, 22));
  const value f = with_attribute.input({dtype::f32, {2}}, "x");
  output(with_attribute.emit("Cast", {f}, {dtype::f16, {2}},
                             {{"to", std::int64_t{10}}, {"round_mode", std::string("up")}}),
         "y");
  CHECK_FALSE(detail::fits_opset(with_attribute, 22));
}
