// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/targets/documented_runtimes.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

/// The reason why a runtime does not load a model, or computes results other than ONNX specifies: nodes of one kind.
struct obstacle {
  std::string_view op;    ///< the operator of the first of the nodes
  std::string why;        ///< a phrase whose subject is the runtime: "has no Loop"
  std::string_view help;  ///< what the user can do; may be empty
  node_id first;          ///< the first of the nodes
  std::size_t nodes;      ///< the number of the nodes
};

namespace rewrite::detail {

/// A property of a node.
using node_test = bool (*)(const graph& g, const node& n);

/// A kind of nodes that some runtimes cannot run, as measured with the versions in docs/runtimes.md, or documented.
struct obstacle_row {
  std::uint32_t runtimes;
  std::string_view op;  ///< the operator; empty for every operator
  node_test holds;      ///< true for the nodes that the runtimes cannot run; null for all nodes
  std::string_view why, help;
};

/// The type of the first input; null if there is none.
inline const tensor_type* type_of_input(const graph& g, const node& n) {
  return n.inputs.empty() || n.inputs[0] == value_id::none ? nullptr : &g.at(n.inputs[0]).type;
}
/// True if the first input has one of these element types.
template <dtype... Types>
bool takes(const graph& g, const node& n) {
  const tensor_type* type = type_of_input(g, n);
  return type && ((type->type == Types) || ...);
}
template <int Rank>
bool takes_rank(const graph& g, const node& n) {
  const tensor_type* type = type_of_input(g, n);
  return type && type->dims.size() == Rank;
}
/// True if an operand or a result has one of these element types.
template <dtype... Types>
bool touches(const graph& g, const node& n) {
  const auto is_one = [&g](value_id v) { return v != value_id::none && ((g.at(v).type.type == Types) || ...); };
  return item_loops::any_of(n.inputs, is_one) || item_loops::any_of(n.outputs, is_one);
}
/// True if a node converts numbers to truth values.
inline bool makes_truth(const graph& g, const node& n) {
  return is_boolean(g.at(n.outputs[0]).type.type) && !is_boolean(g.at(n.inputs[0]).type.type);
}
inline bool has_text(const node& n, std::string_view name, std::initializer_list<std::string_view> texts) {
  const attribute* a = n.find(name);
  const std::string* text = a ? std::get_if<std::string>(&a->value) : nullptr;
  return text && item_loops::contains(texts, *text);
}
/// The integer attribute of this name; 0 if the node has none.
inline std::int64_t integer_in(const node& n, std::string_view name) {
  const attribute* a = n.find(name);
  const std::int64_t* number = a ? std::get_if<std::int64_t>(&a->value) : nullptr;
  return number ? *number : 0;
}
inline bool combines_updates(const graph&, const node& n) {
  return has_text(n, "reduction", {"add", "mul", "min", "max"});
}
inline bool wraps(const graph&, const node& n) { return has_text(n, "mode", {"wrap"}); }
inline bool mirrors(const graph&, const node& n) { return has_text(n, "mode", {"wrap", "reflect", "edge"}); }
inline bool shifts_right(const graph&, const node& n) { return has_text(n, "direction", {"RIGHT"}); }
inline bool is_onesided(const graph&, const node& n) { return integer_in(n, "onesided") != 0; }
/// True if the start of a Slice is only known when the model runs.
inline bool begins_anywhere(const graph& g, const node& n) { return g.at(n.inputs[1]).constant < 0; }
/// True if a floating-point remainder has operands of different shapes.
inline bool is_repeated_remainder(const graph& g, const node& n) {
  const tensor_type &x = g.at(n.inputs[0]).type, &y = g.at(n.inputs[1]).type;
  return integer_in(n, "fmod") != 0 && is_floating(x.type) && x.dims != y.dims;
}
inline bool is_empty_result(const graph& g, const node& n) {
  const auto is_empty = [&g](value_id v) {
    return v != value_id::none && item_loops::any_of(g.at(v).type.dims, [](dim d) { return d.is(0); });
  };
  return item_loops::any_of(n.outputs, is_empty);
}
/// True if the first extent, which is the size of the batch, is not 1.
inline bool takes_examples(const graph& g, const node& n) { return !g.at(n.inputs[0]).type.dims[0].is(1); }
template <std::size_t Rank>
bool exceeds_rank(const graph& g, const node& n) {
  const auto exceeds = [&g](value_id v) { return v != value_id::none && g.at(v).type.dims.size() > Rank; };
  return item_loops::any_of(n.inputs, exceeds) || item_loops::any_of(n.outputs, exceeds);
}
/// True if a reduction leaves more than one number.
inline bool reduces_some_axes(const graph& g, const node& n) {
  return item_loops::any_of(g.at(n.outputs[0]).type.dims, [](dim d) { return !d.is(1); });
}
/// True if the value is a constant of the model, or absent.
inline bool is_constant(const graph& g, value_id v) { return v == value_id::none || g.at(v).constant >= 0; }
/// True if all operands of a node are constants of the model, or absent.
inline bool joins_constants(const graph& g, const node& n) {
  return item_loops::all_of(n.inputs, [&g](value_id v) { return is_constant(g, v); });
}
/// True if a node computes integers, truth values, a scalar or an empty array from constants only.
inline bool computes_small_constants(const graph& g, const node& n) {
  const auto is_small = [&g](value_id v) {
    const tensor_type& type = g.at(v).type;
    return type.dims.empty() || !is_floating(type.type) || is_empty(type.dims);
  };
  return joins_constants(g, n) &&
         item_loops::any_of(n.outputs, [&](value_id v) { return v != value_id::none && is_small(v); });
}
/// True if a Gather has computed indices that are not a vector, or a computed value and constant indices that are not a
/// scalar.
inline bool is_no_embedding(const graph& g, const node& n) {
  const std::size_t rank = g.at(n.inputs[1]).type.dims.size();
  return is_constant(g, n.inputs[1]) ? rank > 0 && !is_constant(g, n.inputs[0]) : rank != 1;
}
/// True if a Gather takes the same single index from each of several examples.
inline bool picks_of_examples(const graph& g, const node& n) {
  return g.at(n.inputs[1]).type.dims.empty() && takes_examples(g, n) && integer_in(n, "axis") != 0;
}
/// True if the statistics are taken over all elements, including the batch.
inline bool normalizes_all_axes(const graph&, const node& n) { return integer_in(n, "axis") == 0 && n.find("axis"); }
/// True if the result has four axes and a batch that is not 1, and the operand has fewer axes.
inline bool makes_examples(const graph& g, const node& n) {
  const auto& result = g.at(n.outputs[0]).type.dims;
  return result.size() == 4 && !result[0].is(1) && g.at(n.inputs[0]).type.dims.size() < 4;
}
/// True if a quotient is x / (c + |x|). The value of c is not tested.
inline bool is_softsign(const graph& g, const node& n) {
  const auto made_by = [&g](value_id v, std::string_view op) {
    const node_id maker = g.at(v).producer;
    return maker != node_id::none && g.at(maker).op == op ? &g.at(maker) : nullptr;
  };
  const node* sum = made_by(n.inputs[1], "Add");
  return sum && item_loops::any_of(sum->inputs, [&](value_id v) {
           const node* size = made_by(v, "Abs");
           return size && size->inputs[0] == n.inputs[0];
         });
}
inline bool has_groups(const graph&, const node& n) { return integer_in(n, "group") > 1; }

inline constexpr std::string_view loop_help = "option unroll with a larger number unrolls loops of known length";
inline constexpr std::string_view bits_help =
    "if these nodes draw random numbers, draw the numbers outside of the model";
inline constexpr std::string_view batch_help = "fix the batch to 1 (option dim)";
inline constexpr std::string_view start_help = "make the index a constant of the traced program";

namespace obstacle_rows {
using enum runtime;
inline constexpr obstacle_row all[] = {
    {runtimes({tract, tvm}), "Loop", nullptr, "has no Loop", loop_help},
    {runtimes({mnn, rten, tvm}), "Scan", nullptr, "has no Scan", loop_help},
    {runtimes({mnn, tvm}), "DFT", nullptr, "has no DFT", {}},
    {runtimes({openvino}), "DFT", takes<dtype::f64>, "has no DFT for float64", "trace without x64"},
    {runtimes({openvino}), "DFT", is_onesided, "computes the one-sided DFT wrongly", {}},
    {runtimes({mnn, rten}), "BitwiseAnd", nullptr, "has no BitwiseAnd", bits_help},
    {runtimes({mnn, rten}), "BitwiseOr", nullptr, "has no BitwiseOr", bits_help},
    {runtimes({mnn, rten}), "BitwiseXor", nullptr, "has no BitwiseXor", bits_help},
    {runtimes({mnn, rten}), "BitwiseNot", nullptr, "has no BitwiseNot", bits_help},
    {runtimes({openvino}), "BitwiseAnd", takes<dtype::i64, dtype::u64>, "keeps 64-bit integers in 32 bits", bits_help},
    {runtimes({openvino}), "BitwiseOr", takes<dtype::i64, dtype::u64>, "keeps 64-bit integers in 32 bits", bits_help},
    {runtimes({openvino}), "BitwiseXor", takes<dtype::i64, dtype::u64>, "keeps 64-bit integers in 32 bits", bits_help},
    {runtimes({tract}), "BitwiseAnd", takes<dtype::i64, dtype::u64>, "mistakes 64-bit integers for extents", bits_help},
    {runtimes({tract}), "BitwiseOr", takes<dtype::i64, dtype::u64>, "mistakes 64-bit integers for extents", bits_help},
    {runtimes({tract}), "BitwiseXor", takes<dtype::i64, dtype::u64>, "mistakes 64-bit integers for extents", bits_help},
    {runtimes({mnn, rten}), "Cast", makes_truth, "does not convert numbers to 0 or 1 in a Cast to bool",
     "option target=mnn or target=rten replaces the Cast by a comparison with 0"},
    {runtimes({openvino}), "BitShift", shifts_right, "shifts in the sign bit",
     "option target=openvino replaces the shift by divisions"},
    {runtimes({mnn}), "BitShift", shifts_right, "shifts in the sign bit", bits_help},
    {runtimes({rten}), "", touches<dtype::u32, dtype::u64, dtype::u16>, "has no unsigned integers except uint8",
     bits_help},
    {runtimes({tract, rten, mnn}), "", touches<dtype::bf16>, "has no bfloat16", "trace in float32"},
    {runtimes({openvino, mnn}), "", is_empty_result, "has no empty arrays", {}},
    {runtimes({tract, rten}), "Compress", nullptr, "has no Compress", {}},
    {runtimes({tract}), "Gemm", takes<dtype::f64>, "has no Gemm for float64",
     "option target=tract replaces the Gemm by a product and a sum"},
    {runtimes({tract}), "Round", takes<dtype::f64>, "has no Round for float64", "trace without x64"},
    {runtimes({tract}), "LayerNormalization", takes<dtype::f64>, "computes LayerNormalization of float64 in float32",
     "trace without x64"},
    {runtimes({tvm}), "Mul", takes<dtype::i64>, "does not support products of extents", "fix the extent (option dim)"},
    {runtimes({tract, tvm}), "Slice", begins_anywhere, "loses the extent of a Slice that begins at a computed index",
     start_help},
    {runtimes({tract, mnn}), "Mod", is_repeated_remainder, "computes Mod of operands of different shapes wrongly", {}},
    {runtimes({openvino, tract, mnn}), "Pad", wraps, "has no Pad that wraps", {}},
    {runtimes({rten}), "Pad", mirrors, "pads with constants only", {}},
    {runtimes({rten}), "Conv", takes_rank<5>, "has no three-dimensional Conv", {}},
    {runtimes({rten}),
     "ArgMax",
     takes<dtype::i32, dtype::i64, dtype::i8, dtype::u8>,
     "returns the last of equal elements",
     {}},
    {runtimes({rten}),
     "ArgMin",
     takes<dtype::i32, dtype::i64, dtype::i8, dtype::u8>,
     "returns the last of equal elements",
     {}},
    {runtimes({mnn}), "ScatterND", combines_updates, "ignores the reduction of ScatterND", {}},
    {runtimes({mnn}), "ScatterElements", combines_updates, "ignores the reduction of ScatterElements", {}},
    {runtimes({mnn}), "LayerNormalization", takes_rank<1>, "computes LayerNormalization of a vector wrongly", {}},
    {runtimes({mnn}), "ReduceProd", takes_rank<1>, "computes ReduceProd of a vector wrongly", {}},
    {runtimes({mnn}), "Relu", takes_rank<0>, "computes Relu of a scalar wrongly", {}},
    {runtimes({mnn}), "ConvTranspose", has_groups, "ignores the groups of ConvTranspose", {}},
    {runtimes({ncnn}), "", touches<dtype::f64, dtype::f16, dtype::bf16>, "supports float32 only", "trace in float32"},
    {runtimes({ncnn}), "", exceeds_rank<4>, "has no arrays of more than four axes", {}},
    {runtimes({ncnn}), "Concat", joins_constants, "cannot concatenate constants", {}},
    {runtimes({ncnn}), "Concat", takes_rank<4>, "cannot concatenate arrays of four axes", {}},
    {runtimes({ncnn}), "", computes_small_constants, "cannot compute integers or scalars from constants", {}},
    {runtimes({ncnn}), "Div", is_softsign, "recognizes x / (1 + |x|) as Softsign, which it lacks", {}},
    {runtimes({ncnn}), "Abs", takes<dtype::i32, dtype::i64>, "treats integers as float32", "trace in float32"},
    {runtimes({ncnn}), "Clip", takes<dtype::i32, dtype::i64>, "treats integers as float32", "trace in float32"},
    {runtimes({ncnn}), "Gather", is_no_embedding, "only looks up vectors of indices", {}},
    {runtimes({ncnn}), "Gather", picks_of_examples, "only picks elements of a batch of 1", batch_help},
    {runtimes({ncnn}), "Reshape", makes_examples, "treats the first of four axes as a batch of 1", batch_help},
    {runtimes({ncnn}), "LayerNormalization", normalizes_all_axes, "does not normalize over the first axis", {}},
    {runtimes({ncnn}), "Conv", takes_examples, "only convolves a batch of 1", batch_help},
    {runtimes({ncnn}), "ConvTranspose", takes_examples, "only convolves a batch of 1", batch_help},
    {runtimes({ncnn}), "AveragePool", takes_examples, "only pools a batch of 1", batch_help},
    {runtimes({ncnn}), "MaxPool", takes_examples, "only pools a batch of 1", batch_help},
    {runtimes({ncnn}), "ReduceSum", reduces_some_axes, "sums along all axes only",
     "option target=ncnn turns sums along the last axis into products"},
    {runtimes({ncnn}), "ReduceMean", reduces_some_axes, "has means of all elements only",
     "option target=ncnn turns means along the last axis into products"},
    {runtimes({tensorrt}), "", touches<dtype::f64>, "computes float64 in float32", "trace without x64"},
    {runtimes({tensorrt}), "", touches<dtype::i16, dtype::u16, dtype::u32, dtype::u64>,
     "has no 16-bit integers, and no unsigned integers of 32 or 64 bits", bits_help},
    {runtimes({coreml, qnn, webnn}), "", touches<dtype::f64>, "has no float64", "trace without x64"},
    {runtimes({coreml, webnn}), "", touches<dtype::bf16>, "has no bfloat16", "trace in float32"},
    {runtimes({tensorrt, webnn}), "ScatterND", combines_updates, "has no ScatterND with a reduction", {}},
    {runtimes({webnn}), "ScatterElements", combines_updates, "has no ScatterElements with a reduction", {}},
    {runtimes({webnn}), "Pad", wraps, "has no Pad that wraps", {}},
};
}  // namespace obstacle_rows

/// Adds an obstacle for each operator that a runtime is not documented to have. Skips nodes with a domain, such as
/// functions of the model.
inline void add_lacking(const graph& g, const documented_runtime& row, std::vector<obstacle>& found) {
  const std::size_t others = found.size();
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const node_id id : g.at(static_cast<block_id>(b)).nodes) {
      const node& n = g.at(id);
      if (!n.domain.empty() || has_operator(row, n.op)) continue;
      std::size_t place = others;
      while (place < found.size() && n.op != found[place].op) ++place;
      if (place == found.size())
        found.push_back({n.op, jax2onnx::detail::message("has no {}{}", n.op, row.source), row.help, id, 0});
      ++found[place].nodes;
    }
}

}  // namespace rewrite::detail

/// The known obstacles that keep a runtime from running a model, or make it compute wrong numbers: an entry for each
/// kind of node, in the order of the table. Empty for runtimes that are not in `other_runtimes`.
inline std::vector<obstacle> obstacles(const graph& g, runtime r) {
  using namespace rewrite::detail;
  std::vector<obstacle> found;
  for (const obstacle_row& row : obstacle_rows::all) {
    if (!is_for(row.runtimes, target{r})) continue;
    std::optional<obstacle> here;
    for (std::size_t b = 0; b < g.block_count(); ++b)
      for (const node_id id : g.at(static_cast<block_id>(b)).nodes) {
        const node& n = g.at(id);
        if ((!row.op.empty() && n.op != row.op) || (row.holds && !row.holds(g, n))) continue;
        if (!here) here = obstacle{n.op, std::string(row.why), row.help, id, 0};
        ++here->nodes;
      }
    if (here) found.push_back(*here);
  }
  if (const documented_runtime* row = documented_row(r)) add_lacking(g, *row, found);
  return found;
}

/// A warning for each known obstacle, at the equation of the obstacle's first node.
inline std::vector<diagnostic> obstacle_warnings(const graph& g, runtime r) {
  std::vector<diagnostic> warnings;
  for (const obstacle& o : obstacles(g, r)) {
    const origin& from = g.origins()[g.at(o.first).origin];
    warnings.push_back({jaxpr::severity::warning,
                        "convert.obstacle",
                        detail::message("{} {}: {} {} will not work there (the first is {})", name_of(r), o.why,
                                        o.nodes, o.nodes == 1 ? "node" : "nodes", o.op),
                        {from.begin, from.end},
                        std::string(o.help),
                        {}});
  }
  return warnings;
}

}  // namespace jax2onnx
