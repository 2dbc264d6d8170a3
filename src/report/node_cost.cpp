// SPDX-License-Identifier: Apache-2.0
#include "node_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace jax2onnx::detail {
namespace {

using number = std::optional<double>;

/// The extents of a node's operands and results as numbers. A symbol counts as 1. `symbolic` becomes true if an
/// extent has a symbol.
class extents {
 public:
  extents(const graph& g, const node& n) : graph_(g), node_(n) {}

  const tensor_type* input(std::size_t i) const { return type(node_.inputs, i); }
  const tensor_type* output(std::size_t i) const { return type(node_.outputs, i); }
  number size(dim d) {
    if (d.is_constant()) return static_cast<double>(d.extent());
    if (d.is_dyn()) return std::nullopt;
    symbolic = true;
    double sum = 0;
    for (const dim_table::term& t : graph_.dims().terms(d)) {
      for (const auto& factor : t.key)
        if (graph_.dims().atom_at(factor.atom).kind != dim_table::atom_kind::symbol) return std::nullopt;
      sum += static_cast<double>(t.coefficient);
    }
    return sum;
  }
  number product(std::span<const dim> dims) {
    number all = 1;
    for (dim d : dims) all = times(all, size(d));
    return all;
  }
  /// The number of elements of an operand or result; nullopt if an extent is unknown, or `t` is null or not a tensor.
  number elements(const tensor_type* t) { return t && t->is_plain() ? product(t->dims) : std::nullopt; }
  /// The extent of axis `axis`; a negative axis counts from the end. nullopt if the extent is unknown or there is no
  /// such axis.
  number extent(const tensor_type* t, std::ptrdiff_t axis) {
    if (!t || !t->is_plain()) return std::nullopt;
    const auto rank = static_cast<std::ptrdiff_t>(t->dims.size());
    if (axis < 0) axis += rank;
    return axis >= 0 && axis < rank ? size(t->dims[static_cast<std::size_t>(axis)]) : std::nullopt;
  }
  number bytes(const tensor_type* t) {
    const number count = elements(t);
    return count ? number(std::ceil(*count * bits(t->type) / 8)) : std::nullopt;
  }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    const attribute* a = node_.find(name);
    const auto* n = a ? std::get_if<std::int64_t>(&a->value) : nullptr;
    return n ? *n : otherwise;
  }
  double product_of(std::string_view name) const {
    const attribute* a = node_.find(name);
    const auto* list = a ? std::get_if<ints>(&a->value) : nullptr;
    double all = 1;
    if (list)
      for (const std::int64_t n : *list) all *= static_cast<double>(n);
    return all;
  }
  const std::string* text(std::string_view name) const {
    const attribute* a = node_.find(name);
    return a ? std::get_if<std::string>(&a->value) : nullptr;
  }
  std::size_t inputs() const { return node_.inputs.size(); }
  static number times(number a, number b) { return a && b ? number(*a * *b) : std::nullopt; }
  static number plus(number a, number b) { return a && b ? number(*a + *b) : std::nullopt; }

  bool symbolic = false;

 private:
  const tensor_type* type(const std::vector<value_id>& values, std::size_t i) const {
    return i < values.size() && values[i] != value_id::none ? &graph_.at(values[i]).type : nullptr;
  }

  const graph& graph_;
  const node& node_;
};

number each_result(extents& x) { return x.elements(x.output(0)); }
number each_operand(extents& x) { return x.elements(x.input(0)); }
number nothing(extents&) { return 0; }
number five_each(extents& x) { return x.times(5, x.elements(x.output(0))); }

number matmul(extents& x) { return x.times(x.times(2, x.elements(x.output(0))), x.extent(x.input(0), -1)); }

number gemm(extents& x) {
  const std::ptrdiff_t contracted = x.integer("transA", 0) ? 0 : 1;
  const number added = x.input(2) ? x.elements(x.output(0)) : 0;
  return x.plus(added, x.times(x.times(2, x.elements(x.output(0))), x.extent(x.input(0), contracted)));
}

/// Two operations, a product and a sum, for each pair of an element of `anchor` and an element of `kernel[0]`.
number kernel_products(extents& x, const tensor_type* anchor) {
  const tensor_type* kernel = x.input(1);
  if (!kernel || !kernel->is_plain() || kernel->dims.empty()) return std::nullopt;
  const std::span<const dim> all(kernel->dims.begin(), kernel->dims.end());
  return x.times(x.times(2, x.elements(anchor)), x.product(all.subspan(1)));
}
number conv(extents& x) { return kernel_products(x, x.output(0)); }
number conv_transpose(extents& x) { return kernel_products(x, x.input(0)); }
number pool(extents& x) { return x.times(x.elements(x.output(0)), x.product_of("kernel_shape")); }

/// The operations for the scores, and for their products with the values. Q has the shape (batch, heads, queries, size)
/// or (batch, queries, heads * size).
number attention(extents& x) {
  const number each = x.plus(x.elements(x.input(0)), x.elements(x.output(0)));
  return x.times(x.times(2, each), x.extent(x.input(1), -2));
}

/// Every step multiplies the input by W and the state by R.
number recurrent(extents& x) {
  const number weights = x.plus(x.elements(x.input(1)), x.elements(x.input(2)));
  return x.times(x.times(2, weights), x.times(x.extent(x.input(0), 0), x.extent(x.input(0), 1)));
}

/// An Einsum multiplies and adds once for each combination of indices; with a single operand it only adds.
number einsum(extents& x) {
  const std::string* equation = x.text("equation");
  if (!equation || equation->find('.') != std::string::npos) return std::nullopt;
  std::set<char> seen;
  number all = x.inputs() > 1 ? 2 : 1;
  std::size_t operand = 0;
  std::ptrdiff_t axis = 0;
  for (const char c : std::string_view(*equation).substr(0, equation->find("->"))) {
    if (c == ' ') continue;
    if (c == ',') {
      ++operand, axis = 0;
      continue;
    }
    const number size = x.extent(x.input(operand), axis++);
    if (seen.insert(c).second) all = x.times(all, size);
  }
  return all;
}

using formula = number (*)(extents&);

const std::map<std::string_view, formula>& formulas() {
  static const std::map<std::string_view, formula> table = [] {
    std::map<std::string_view, formula> t = {{"MatMul", matmul},
                                             {"MatMulInteger", matmul},
                                             {"Gemm", gemm},
                                             {"Conv", conv},
                                             {"ConvInteger", conv},
                                             {"ConvTranspose", conv_transpose},
                                             {"MaxPool", pool},
                                             {"AveragePool", pool},
                                             {"LpPool", pool},
                                             {"Attention", attention},
                                             {"RNN", recurrent},
                                             {"LSTM", recurrent},
                                             {"GRU", recurrent},
                                             {"Einsum", einsum},
                                             {"Softmax", five_each},
                                             {"LogSoftmax", five_each},
                                             {"LayerNormalization", five_each},
                                             {"RMSNormalization", five_each},
                                             {"GroupNormalization", five_each},
                                             {"InstanceNormalization", five_each},
                                             {"BatchNormalization", five_each}};
    for (const std::string_view op :
         {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
          "ReduceLogSumExp", "ReduceSumSquare", "ArgMax", "ArgMin", "GlobalAveragePool", "GlobalMaxPool", "CumSum"})
      t[op] = each_operand;
    for (
        const std::string_view op :
        {"Reshape",         "Transpose", "Concat",        "Slice",        "Split",        "Squeeze",        "Unsqueeze",
         "Flatten",         "Expand",    "Tile",          "Pad",          "Gather",       "GatherElements", "GatherND",
         "ScatterElements", "ScatterND", "TensorScatter", "Identity",     "Shape",        "Size",           "Constant",
         "ConstantOfShape", "Cast",      "BitCast",       "DepthToSpace", "SpaceToDepth", "Compress",       "NonZero",
         "ReverseSequence", "If",        "Loop",          "Scan",         "SequenceMap"})
      t[op] = nothing;
    return t;
  }();
  return table;
}

}  // namespace

node_cost cost_of(const graph& g, const node& n) {
  extents x(g, n);
  const auto known = formulas().find(n.op);
  node_cost cost;
  cost.flops = (known == formulas().end() ? each_result : known->second)(x);
  cost.bytes = 0;
  for (std::size_t i = 0; i < n.inputs.size(); ++i)
    if (x.input(i)) cost.bytes = x.plus(cost.bytes, x.bytes(x.input(i)));
  for (std::size_t i = 0; i < n.outputs.size(); ++i)
    if (x.output(i)) cost.bytes = x.plus(cost.bytes, x.bytes(x.output(i)));
  cost.symbolic = x.symbolic;
  return cost;
}

}  // namespace jax2onnx::detail
