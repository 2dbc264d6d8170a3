// SPDX-License-Identifier: Apache-2.0
// Converts a program of another representation, without a jaxpr or any other text: toy_ir OUT.onnx
// The glue names a JAX primitive and its parameters for each operator; docs/primitives.md lists both.

#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;

/// The representation. Values have numbers: first the inputs of a program, then a result for each instruction.
struct instruction {
  std::string_view op;
  std::vector<std::size_t> operands = {};
  std::vector<std::int64_t> numbers = {};               // a constant, axes, strides, a shape
  std::vector<std::vector<instruction>> programs = {};  // of a loop: condition and body
};
using program = std::vector<instruction>;

static const std::map<std::string_view, std::string_view> elementwise = {
    {"add", "add"}, {"subtract", "sub"}, {"multiply", "mul"}, {"maximum", "max"},
    {"exp", "exp"}, {"squash", "tanh"},  {"less", "lt"},
};

/// The glue.
struct translator {
  graph& g;

  /// The value of the last instruction.
  value run(const program& p, std::vector<value> values) const {
    for (const instruction& i : p) {
      std::vector<value> in;
      for (const std::size_t operand : i.operands) in.push_back(values.at(operand));
      values.push_back(lower(i, in));
    }
    return values.back();
  }
  value lower(const instruction& i, const std::vector<value>& in) const {
    if (const auto found = elementwise.find(i.op); found != elementwise.end()) return one(found->second, in);
    if (i.op == "constant") return scalar(g, dtype::f32, i.numbers.at(0));
    if (i.op == "sum") return one("reduce_sum", in, {{"axes", i.numbers}});
    if (i.op == "reshape") return one("reshape", in, {{"new_sizes", i.numbers}, {"dimensions", std::nullopt}});
    if (i.op == "matmul") return one("dot_general", in, {{"dimension_numbers", {{{1}, {0}}, {{}, {}}}}});
    if (i.op == "convolution") {  // NHWC, HWIO, padded by 1
      const parameters layout = {{"lhs_spec", {0, 3, 1, 2}}, {"rhs_spec", {3, 2, 0, 1}}, {"out_spec", {0, 3, 1, 2}}};
      return one("conv_general_dilated", in,
                 {{"window_strides", i.numbers},
                  {"padding", {{1, 1}, {1, 1}}},
                  {"lhs_dilation", {1, 1}},
                  {"rhs_dilation", {1, 1}},
                  {"dimension_numbers", layout},
                  {"feature_group_count", 1},
                  {"batch_group_count", 1}});
    }
    if (i.op == "loop") {
      const array_type state = in.at(0).type();
      const computation goes_on = nested(i.programs.at(0), state, {dtype::boolean, {}});
      const computation body = nested(i.programs.at(1), state, state);
      return one("while", in,
                 {{"cond_jaxpr", goes_on}, {"cond_nconsts", 0}, {"body_jaxpr", body}, {"body_nconsts", 0}});
    }
    throw build_error("no operator " + std::string(i.op));
  }
  value one(std::string_view primitive, const std::vector<value>& in, const parameters& p = {}) const {
    return lower_primitive(primitive, g, in, p).at(0);
  }
  computation nested(const program& p, const array_type& from, const array_type& to) const {
    return {{from}, {to}, [this, &p](std::span<const value> in) { return std::vector{run(p, {in[0]})}; }};
  }
};

// The features of two images, doubled while their squares sum up to less than 100.
static const program small = {{"multiply", {0, 0}}, {"sum", {1}, {0, 1}}, {"constant", {}, {100}}, {"less", {2, 3}}};
static const program network = {
    {"convolution", {0, 1}, {2, 2}},
    {"constant", {}, {0}},
    {"maximum", {3, 4}},
    {"sum", {5}, {1, 2}},
    {"matmul", {6, 2}},
    {"squash", {7}},
    {"exp", {8}},
    {"loop", {9}, {}, {small, {{"add", {0, 0}}}}},
    {"reshape", {10}, {10}},
};

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const std::vector<float> kernel(3 * 3 * 1 * 4, 0.1f), weights(4 * 5, 0.02f);
  graph g;
  const value image = g.input({dtype::f32, {2, 8, 8, 1}}, "image");
  const value w = array<float>(g, dtype::f32, {3, 3, 1, 4}, kernel), v = array<float>(g, dtype::f32, {4, 5}, weights);
  output(translator{g}.run(network, {image, w, v}), "features");
  write_model(g, {}, std::filesystem::path(argv[1]));
}
