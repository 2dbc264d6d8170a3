// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <jax2onnx/graph/functions/inline.hpp>
#include <jax2onnx/read/join.hpp>
#include <jax2onnx/read/read_model.hpp>

using namespace jax2onnx;

// The program stacks three gated layers that are calls of one function of the model.
PROGRAM(swiglu_stack) {
  graph g({.opset = 23, .name = "swiglu_stack", .doc = "gated layers"});
  const auto x = input<float, "batch"_d, 6>(g, "x");
  const auto layer = define(g, "com.example", "GatedLayer",
                            [](const auto& h, const auto& gate, const auto& up, const auto& down) {
                              const auto a = matmul(h, gate);
                              return h + matmul(a * sigmoid(a) * matmul(h, up), down);
                            },
                            {.operands = {"h", "gate", "up", "down"}, .doc = "h + down(silu(gate h) * up h)"});
  auto h = layer(x, weight<6, 8>(g, "g0"), weight<6, 8>(g, "u0", 0.5, 1), weight<8, 6>(g, "d0", 0.5, 2));
  h = layer(h, weight<6, 8>(g, "g1", 0.4, 3), weight<6, 8>(g, "u1", 0.4, 4), weight<8, 6>(g, "d1", 0.4, 5));
  h = layer(h, weight<6, 4>(g, "g2", 0.3, 6), weight<6, 4>(g, "u2", 0.3, 7), weight<4, 6>(g, "d2", 0.3, 8));
  const tensor<float, "batch"_d, 6> y = h;
  output(name_node(y, "last layer"), "y");
  write_model(g, folder / "swiglu_stack.onnx");
}

// The program halves signals of two ranks by one function, which takes any rank and element type and returns two
// values.
PROGRAM(haar_pyramid) {
  graph g(19);
  const value x = g.input({dtype::f32, {g.dims().symbol("rows"), 8}}, "x");
  const value wide = g.input({dtype::f32, {16}}, "wide");
  const auto halve = define(g, "com.example", "Haar", [](const value& signal) {
    const value even = slice(signal, {0}, {1 << 20}, {-1}, {2}), odd = slice(signal, {1}, {1 << 20}, {-1}, {2});
    const value low = mean({even, odd});
    return std::pair<value, value>(low, even - low);
  });
  std::vector<value> details;
  value low = x;
  for (int level = 0; level < 3; ++level) {
    const auto [next, detail_of] = halve(low);
    details.push_back(detail_of);
    low = next;
  }
  details.push_back(low);
  output(concat(details, {.axis = 1}), "pyramid");
  const auto [wide_low, wide_high] = halve(wide);
  output(wide_low, "wide_low");
  output(wide_high, "wide_high");
  write_model(g, folder / "haar_pyramid.onnx");
}

// The program calls a function of the model with the default slope and with another slope.
PROGRAM(parametric_activation) {
  graph g(23);
  const value x = g.input({dtype::f32, {g.dims().symbol("n"), 3}}, "x");
  const auto leaky =
      define(g, "com.example", "Leaky",
             [&](const value& h) { return op(g, "LeakyRelu", {h}, {attribute_of("alpha", "slope", 0.25f)})[0] + 1.0; },
             {.operands = {"h"}, .attributes = {{"slope", 0.25f}}});
  output(leaky(x), "quarter");
  output(leaky.with({{"slope", 0.5}})(x), "half");
  write_model(g, folder / "parametric_activation.onnx");
}

// The program uses one normalization function in two graphs, joins the graphs, and writes the result with the function
// and with the function expanded.
PROGRAM(shared_norm) {
  const onnx_function norm("com.example", "Norm", [](const auto& x, const auto& scale) {
    const auto centred = x - reduce_mean(x, {-1});
    return centred / sqrt(reduce_mean(centred * centred, {-1}) + 1e-5f) * scale;
  });
  graph encoder(23);
  const auto features = input<float, "batch"_d, 5>(encoder, "features");
  output(norm(features, weight<5>(encoder, "scale", 1)), "code");

  graph g(23);
  const auto x = input<float, "batch"_d, 5>(g, "x");
  write_model(encoder, {.inline_functions = true}, folder / "shared_norm_encoder.onnx");
  const value code = inline_model(g, read_model(folder / "shared_norm_encoder.onnx"), {{"features", x}})["code"];
  output(norm(code + x, weight<5>(g, "outer_scale", 1, 3)), "y");
  write_model(g, folder / "shared_norm.onnx");
  graph flat = g.clone();
  inline_functions(flat);
  write_model(flat, {.graph_name = "flat"}, folder / "shared_norm_flat.onnx");
}

// The program calls operators of ONNX Runtime's own domain, with typed and with erased handles.
PROGRAM(fused_product) {
  graph g(21);
  g.set_domain_version("com.microsoft", 1);
  const auto a = input<float, "batch"_d, 6>(g, "a");
  const auto b = input<float, 4, 6>(g, "b");
  const auto bias = input<float, 4>(g, "bias");
  const auto product =
      op<"com.microsoft", "FusedMatMul">(g, {a, b}, {{"transB", 1}, {"alpha", 0.5f}}, type<float, "batch"_d, 4>);
  const tensor<float, "batch"_d, 4> sum = product + bias;
  const value active = op(g, "com.microsoft", "FastGelu", {sum}, {}, {{dtype::f32, value(sum).dims()}})[0];
  const value quick = op(g, "com.microsoft", "QuickGelu", {active}, {{"alpha", 1.0}}, {value(active).type()})[0];
  output(product, "product");
  output(quick, "quick");
  write_model(g, folder / "fused_product.onnx");
}
