// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/facts/casts.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/half_precision.hpp>
#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/legalize.hpp>
#include <jax2onnx/rewrite/passes/weight_format.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

/// Models that compute in float16, by request (docs/decisions/0106).
namespace jax2onnx::rewrite::detail {

/// Returns whether a constant of float32 is so large that it is stored as float16 even if it is read as float32.
inline bool is_stored_narrow(const value& v) {
  constexpr std::uint64_t fewest = 256;
  return v && v.is_constant() && v.dtype() == dtype::f32 && v.data().size() >= fewest * sizeof(float);
}

/// Finds the values of float32 whose readers all stay in float32, so that their nodes can stay in float32 without
/// further Casts. Visits nodes from back to front.
class float_readers {
 public:
  explicit float_readers(graph& g) : graph_(g), readers_(g.value_count()) {}

  /// Visits a block. `outputs` has the kinds of readers of each output of the block.
  void visit(block_id b, std::vector<std::uint8_t> outputs) {
    for (std::size_t i = 0; i < graph_.at(b).outputs.size(); ++i) note(graph_.at(b).outputs[i], outputs[i]);
    const std::vector<node_id>& nodes = graph_.at(b).nodes;
    for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) visit(graph_.at(*n));
  }
  void visit(block_id b, std::uint8_t reader) {
    visit(b, std::vector<std::uint8_t>(graph_.at(b).outputs.size(), reader));
  }
  /// Returns whether `v` has readers and all of them need float32.
  bool need_float(value_id v) const { return readers_[static_cast<std::size_t>(v)] == float_reader; }

  /// Returns whether all readers of the node's float32 results need float32. False for operators that may compute in
  /// another precision than their operands, and if operands are large constants. Also false if there are no float32
  /// results, or if one has no reader.
  bool all_need_float(const node& n) const {
    constexpr trait passing[] = {trait::unary, trait::broadcasting, trait::moves, trait::orders, trait::normalization};
    if (!item_loops::any_of(passing, [&](trait t) { return has_trait(n, t); })) return false;
    for (const value_id v : n.inputs)
      if (v != value_id::none && is_stored_narrow({graph_, v})) return false;
    std::size_t count = 0;
    for (const value_id v : n.outputs) {
      if (v == value_id::none || graph_.at(v).type.type != dtype::f32) continue;
      if (!need_float(v)) return false;
      ++count;
    }
    return count > 0;
  }

  static constexpr std::uint8_t half_reader = 1, float_reader = 2;

 private:
  void note(value_id v, std::uint8_t reader) {
    if (v != value_id::none) readers_[static_cast<std::size_t>(v)] |= reader;
  }
  void visit(const node& n) {
    for (const attribute& a : n.attributes)
      if (const block_id* body = std::get_if<block_id>(&a.value)) visit(*body, readers_of_body(n, *body));
    const std::uint8_t reader = stays_float(n) ? float_reader : half_reader;
    const carried_places carried = is_loop(n) ? carried_places_of(n) : carried_places();
    for (std::size_t i = 0; i < n.inputs.size(); ++i)
      note(n.inputs[i], i - carried.inputs < carried.count ? float_reader : reader);
  }
  bool is_loop(const node& n) const { return has_trait(n, trait::has_loop_body) && fits_its_blocks(graph_, n); }
  /// Returns whether a node of ONNX has no result of float32, float16 or bfloat16. Comparisons have no such result.
  /// False for nodes of other domains, and if the type of a result is unknown.
  bool is_exact(const node& n) const {
    for (const value_id v : n.outputs)
      if (v != value_id::none && item_loops::contains(floats_up_to_32, graph_.at(v).type.type)) return false;
    return n.domain.empty();
  }
  static constexpr dtype floats_up_to_32[] = {dtype::f32, dtype::f16, dtype::bf16, dtype::undefined};
  /// The kinds of readers of each output of a node's body. Loop-carried values stay float32; all other outputs may
  /// become float16.
  std::vector<std::uint8_t> readers_of_body(const node& n, block_id body) const {
    std::vector<std::uint8_t> readers(graph_.at(body).outputs.size(), half_reader);
    if (!is_loop(n)) return readers;
    const carried_places at = carried_places_of(n);
    std::fill_n(readers.begin() + static_cast<std::ptrdiff_t>(at.results), at.count, float_reader);
    return readers;
  }
  bool stays_float(const node& n) const {
    if (is_exact(n)) return true;
    const half_precision p = half_precision_of(n);
    if (p == half_precision::computes) return false;
    if (p != half_precision::follows) return n.domain.empty() && !has_trait(n, trait::mixed_types);
    return all_need_float(n);
  }

  graph& graph_;
  std::vector<std::uint8_t> readers_;
};

/// Makes a graph of float32 compute in float16. Each value of float32 has up to two forms. Its id stays the id of the
/// float32 form, and `half_` has the id of the float16 form. If no node makes a form, it is cast from the other form
/// when a node first reads it, in the block of the value.
class half_computation {
 public:
  half_computation(graph& g, const target& t, std::vector<jaxpr::diagnostic>& warnings)
      : graph_(g), target_(t), warnings_(warnings), readers_(g) {}

  void run() {
    visit_root(block_id::main);
    for_each_function(graph_, [this](block_id body) { visit_root(body); });
  }

 private:
  /// The precision in which a node computes.
  enum class form : std::uint8_t {
    in_half,
    rounded,  ///< the node computes in float32, and its results count as float16
    in_float
  };

  void visit_root(block_id root) {
    root_ = root;
    stored_ = widened_ = {};  // a function cannot read the values of the main graph
    readers_.visit(root, float_readers::float_reader);
    visit(root);
    for (const value_id v : graph_.at(root).outputs)
      if (is_float(v) && !is_constant(v)) in_float(v);
  }
  void visit(block_id b) {
    rebuild(graph_, b, [&](node_id n) {
      origin_ = graph_.at(n).origin;
      place(n, b);
    });
  }

  void place(node_id n, block_id b) {
    for (value_id& v : graph_.at(n).inputs) v = resolved(v);
    const node& made = graph_.at(n);
    if (producer({graph_, made.outputs[0]}, "Cast")) place_cast(n);
    else if (is_choice(made) && fits_its_blocks(graph_, made)) place_choice(n);
    else if (has_trait(made, trait::has_loop_body) && fits_its_blocks(graph_, made)) place_loop(n);
    else place_other(n);
    graph_.at(b).nodes.push_back(n);
  }

  // Single nodes.

  void place_other(node_id n) {
    for_each_body(graph_, n, [this](block_id body) { visit_all_in_float(body); });
    const form f = form_of(n);
    if (f == form::in_half) return compute_in_half(n);
    if (f == form::in_float && !exact_ && is_wide(graph_.at(n)))
      for (const value_id v : graph_.at(n).outputs) wide_.set(key(v), 1);
    const bool is_own = graph_.at(n).domain.empty() || is_call(graph_.at(n));
    for (value_id& v : graph_.at(n).inputs)
      if (is_float(v) && (is_own || !is_constant(v))) v = in_float(v);
    if (f == form::in_float)
      for (const value_id v : graph_.at(n).outputs)
        if (is_float(v)) keep_float(v);
  }
  form form_of(node_id id) {
    const node& n = graph_.at(id);
    if (is_call(n) && !exact_) return form::rounded;
    const half_precision p = half_precision_of(n);
    if (exact_ || p == half_precision::never || combines(n) || !has_only(graph_, n, is_numeric)) return form::in_float;
    if (p == half_precision::rounds || n.find("output_dtype")) return form::rounded;
    if (p == half_precision::follows && follows_float(n)) return form::in_float;
    if (p == half_precision::computes && is_wide(n)) return form::in_float;
    for (const value_id v : n.inputs)
      if (is_float(v) && is_constant(v) && !has_half(v, p == half_precision::follows)) return form::in_float;
    return has_kernel(n) ? form::in_half : form::rounded;
  }
  /// Returns whether the results of a node that stays float32 may lie beyond the range of float16. This is so if an
  /// operand may lie beyond it, and the node is a product, or follows its operands and is elementwise or only moves
  /// elements. For a node that is not a product, the operand may also be a constant.
  bool is_wide(const node& n) {
    constexpr trait passing[] = {trait::unary, trait::broadcasting, trait::moves};
    const half_precision p = half_precision_of(n);
    const bool follows =
        p == half_precision::follows && item_loops::any_of(passing, [&](trait t) { return has_trait(n, t); });
    if (!follows && p != half_precision::computes) return false;
    if (magnitude_of({graph_, n.outputs[0]}) <= largest_finite(dtype::f16)) return false;
    return item_loops::any_of(summands_of(n), [&](value_id v) {
      if (!is_float(v)) return false;
      return is_constant(v) ? follows && stored(v) == value_id::none : is_wide(v);
    });
  }
  /// The operands whose magnitude the result may have: not the bounds of a Clip, and only the values of an Attention,
  /// of which it returns means.
  static std::span<const value_id> summands_of(const node& n) {
    struct single_operand {
      operator_name op;
      std::size_t operand;
    };
    static constexpr single_operand rows[] = {{"Attention", 2}, {"Clip", 0}};
    const single_operand* const row = std::ranges::find(rows, n.op, &single_operand::op);
    return row == std::end(rows) ? std::span(n.inputs) : std::span(n.inputs).subspan(row->operand, 1);
  }
  /// Returns whether a node calls a function of the model.
  bool is_call(const node& n) const { return !n.domain.empty() && graph_.find_function(n.domain, n.op.text()); }
  /// Returns whether an operator that follows its operands stays in float32.
  bool follows_float(const node& n) const {
    for (const value_id v : n.inputs)
      if (is_float(v) && !is_constant(v) && is_kept(v)) return true;
    if (decides(n)) return true;
    const bool is_square = producer({graph_, n.outputs[0]}, "Mul") && n.inputs[0] == n.inputs[1];
    return is_square || readers_.all_need_float(n);
  }

  /// Returns whether a node has no result of float32 and all of its operands have the float32 form already, such as a
  /// comparison of inputs.
  bool decides(const node& n) const {
    for (const value_id v : n.outputs)
      if (is_float(v)) return false;
    for (const value_id v : n.inputs)
      if (is_float(v) && !is_made(v)) return false;
    return true;
  }

  /// The type variables of the float32 operands, as a mask. Operands with a fixed type are left out.
  std::uint32_t variables_of(const node& n, const kernel_row& row) const {
    std::uint32_t variables = 0;
    for (std::size_t i = 0; i < n.inputs.size(); ++i)
      if (const std::size_t v = type_variable(row.inputs, i); is_float(n.inputs[i]) && v != most_type_variables)
        variables |= 1u << v;
    return variables;
  }
  /// Returns whether ONNX has the operator for float16 and, on a GPU, ONNX Runtime has a kernel for it.
  bool has_kernel(const node& n) const {
    const kernel_row* row = find_kernel(n.op.text(), graph_.opset(), newest);
    const std::uint32_t variables = row ? variables_of(n, *row) : 0;
    for (std::size_t v = 0; v < most_type_variables; ++v) {
      if ((variables >> v & 1) == 0) continue;
      if (!in_mask(row->by_onnx[v], dtype::f16)) return false;
      if (target_.runtime == runtime::ort_gpu && !in_mask(kernel_types(target_, *row, v), dtype::f16)) return false;
    }
    return variables != 0;
  }
  void compute_in_half(node_id n) {
    const kernel_row& row = *find_kernel(graph_.at(n).op.text(), graph_.opset(), newest);
    for (std::size_t i = 0; i < graph_.at(n).inputs.size(); ++i) {
      value_id& v = graph_.at(n).inputs[i];
      if (is_float(v)) v = type_variable(row.inputs, i) != most_type_variables ? in_half(v) : in_float(v);
    }
    for (std::size_t i = 0; i < graph_.at(n).outputs.size(); ++i) {
      const value_id v = graph_.at(n).outputs[i];
      const std::size_t variable = type_variable(row.outputs, i);
      if (!is_float(v)) continue;
      if (variable != most_type_variables && in_mask(row.by_onnx[variable], dtype::f16)) make_half(n, i);
      else keep_float(v);
    }
  }

  void place_cast(node_id n) {
    const value_id x = graph_.at(n).inputs[0], y = graph_.at(n).outputs[0];
    const dtype from = graph_.at(x).type.type, to = graph_.at(y).type.type;
    if (from == dtype::f32 && to == dtype::f16 && !exact_) {
      if (is_constant(x) && !has_half(x, false)) return;
      const value_id narrow = in_half(x);
      graph_.at(n).inputs[0] = narrow;
      graph_.at(n).op = "Identity";
      graph_.at(n).attributes.clear();
      alias_.set(key(y), static_cast<std::uint32_t>(narrow));
    } else if (from == dtype::f32 && !is_constant(x)) {
      graph_.at(n).inputs[0] = is_made(x) || is_kept(x) ? in_float(x) : in_half(x);
    } else if (to == dtype::f32 && from != dtype::f32) {
      place_cast_to_float(n, x, y, from);
    }
  }
  void place_cast_to_float(node_id n, value_id x, value_id y, dtype from) {
    if (from == dtype::f16) {
      half_.set(key(y), static_cast<std::uint32_t>(x));
      if (!is_constant(x)) keep_float(y);
    } else if (!exact_ && casts_exactly(from, dtype::f16) && !readers_.need_float(y)) {
      make_half(n, 0);
      graph_.at(n).attributes = jax2onnx::detail::cast_attributes(dtype::f16);
    } else {
      keep_float(y);
    }
  }

  // Nodes with bodies.

  void visit_all_in_float(block_id body) {
    for (const value_id v : graph_.at(body).inputs)
      if (is_float(v)) keep_float(v);
    visit(body);
    for (value_id& v : graph_.at(body).outputs) v = is_float(v) ? in_float(v) : v;
  }
  void place_choice(node_id n) {
    const block_id a = block_of(graph_.at(n), "then_branch"), b = block_of(graph_.at(n), "else_branch");
    visit(a);
    visit(b);
    for (std::size_t i = 0; i < graph_.at(n).outputs.size(); ++i) {
      if (!is_float(graph_.at(n).outputs[i])) continue;
      value_id &in_a = graph_.at(a).outputs[i], &in_b = graph_.at(b).outputs[i];
      const bool is_half = !exact_ && is_float(in_a) && is_float(in_b) && counts_as_half(in_a) && counts_as_half(in_b);
      for (value_id* v : {&in_a, &in_b})
        if (is_float(*v)) *v = is_half ? in_half(*v) : in_float(*v);
      if (is_half) make_half(n, i);
      else
        for (const value_id v : {in_a, in_b}) keep_like(v, graph_.at(n).outputs[i]);
    }
  }
  /// Loop-carried values stay float32. The sequences and stacked results of a Scan become float16, except those that
  /// have to stay float32.
  void place_loop(node_id n) {
    const block_id body = block_of(graph_.at(n), "body");
    const carried_places at = carried_places_of(graph_.at(n));
    const bool exact = exact_;
    exact_ = exact || ends_by_condition(graph_.at(n), body);
    for (std::size_t i = 0; i < graph_.at(n).inputs.size(); ++i) place_operand(n, body, i, i >= at.inputs + at.count);
    visit(body);
    for (std::size_t i = at.results; i < graph_.at(body).outputs.size(); ++i)
      place_result(n, body, i, i - at.results, i >= at.results + at.count);
    exact_ = exact;
  }
  void place_operand(node_id n, block_id body, std::size_t i, bool is_scanned) {
    value_id &v = graph_.at(n).inputs[i], &inner = graph_.at(body).inputs[i];
    if (!is_float(v) || !is_float(inner)) return;
    const bool is_half = is_scanned && !exact_ && counts_as_half(v);
    v = is_half ? in_half(v) : in_float(v);
    if (!is_half) return keep_like(v, inner);
    const value_id narrow = new_half(inner);
    inner = narrow;
  }
  void place_result(node_id n, block_id body, std::size_t i, std::size_t output, bool is_collected) {
    value_id& v = graph_.at(body).outputs[i];
    if (!is_float(v)) return;
    const value_id outer = graph_.at(n).outputs[output];
    const bool is_half = is_collected && !exact_ && is_float(outer) && counts_as_half(v);
    v = is_half ? in_half(v) : in_float(v);
    if (is_half) make_half(n, output);
    else if (is_float(outer)) keep_like(v, outer);
  }
  /// Returns whether a computed condition ends a Loop. A condition that is computed from rounded numbers might never
  /// end the Loop.
  bool ends_by_condition(const node& n, block_id body) const {
    if (!may_have_no_iteration(n)) return false;
    const value_id goes_on = handed_on(graph_, graph_.at(body).outputs[0]);
    return goes_on != graph_.at(body).inputs[1] && !is_constant(goes_on);
  }

  // Values.

  bool is_float(value_id v) const { return v != value_id::none && graph_.at(v).type.type == dtype::f32; }
  bool is_constant(value_id v) const { return graph_.at(v).constant >= 0; }
  static std::int64_t key(value_id v) { return static_cast<std::int64_t>(v); }
  value_id resolved(value_id v) const {
    const auto other = v == value_id::none ? v : static_cast<value_id>(alias_.find(key(v)));
    return other == value_id::none ? v : other;
  }
  /// Returns whether a value stays float32. If it does, the results of operators that follow their operands also stay
  /// float32.
  bool is_kept(value_id v) const { return kept_.find(key(v)) != jax2onnx::detail::key_map::none; }
  void keep_float(value_id v) { kept_.set(key(v), 1); }
  /// Returns whether numbers of a float32 value may lie beyond float16.
  bool is_wide(value_id v) const { return wide_.find(key(v)) == 1; }
  /// Notes that `to` stays float32 and holds the numbers of `from`.
  void keep_like(value_id from, value_id to) {
    keep_float(to);
    if (is_wide(from)) wide_.set(key(to), 1);
  }
  /// Returns whether a node or an input provides the float32 form.
  bool is_made(value_id v) const { return unmade_.find(key(v)) != 1; }
  bool counts_as_half(value_id v) { return is_constant(v) ? has_half(v, false) : !is_kept(v); }

  /// Adds a value for the float16 form of `v`, whose float32 form no node makes yet.
  value_id new_half(value_id v) {
    const value_id narrow = graph_.add_value({dtype::f16, graph_.at(v).type.dims}, graph_.at(v).home);
    graph_.at(narrow).name = graph_.at(v).name;
    half_.set(key(v), static_cast<std::uint32_t>(narrow));
    unmade_.set(key(v), 1);
    return narrow;
  }
  /// Makes output `i` of a node float16.
  void make_half(node_id n, std::size_t i) {
    const value_id v = graph_.at(n).outputs[i], narrow = new_half(v);
    graph_.at(narrow).producer = n;
    graph_.at(n).outputs[i] = narrow;
    graph_.at(v).producer = node_id::none;
  }
  value_id in_half(value_id v) {
    if (is_constant(v)) return stored(v);
    if (const auto known = static_cast<value_id>(half_.find(key(v))); known != value_id::none) return known;
    const value_id narrow = cast(v, dtype::f16, graph_.at(v).home);
    half_.set(key(v), static_cast<std::uint32_t>(narrow));
    return narrow;
  }
  value_id in_float(value_id v) {
    if (is_constant(v)) return stored_as_float(v);
    if (is_made(v)) return v;
    unmade_.set(key(v), 0);
    return cast(static_cast<value_id>(half_.find(key(v))), dtype::f32, graph_.at(v).home, v);
  }
  value_id cast(value_id v, dtype to, block_id b, value_id result = value_id::none) {
    if (result == value_id::none) result = graph_.add_value({to, graph_.at(v).type.dims}, b);
    const node_id made = graph_.add_node({.op = "Cast",
                                          .inputs = {v},
                                          .outputs = {result},
                                          .attributes = jax2onnx::detail::cast_attributes(to),
                                          .origin = origin_,
                                          .domain = {}});
    graph_.at(b).nodes.push_back(made);
    return result;
  }

  // Constants.

  /// Returns whether a constant has a float16 form. If `as_operand` is true, a single number that would be subnormal in
  /// float16 has none.
  bool has_half(value_id v, bool as_operand) {
    const bytes& data = graph_.data(graph_.at(v));
    constexpr double smallest_normal = 0x1p-14;
    if (as_operand && data.size() == sizeof(float)) {
      const double number = largest_magnitude(data, dtype::f32);
      if (number != 0 && number < smallest_normal) return false;
    }
    return stored(v) != value_id::none;
  }
  /// The float16 form of a constant; none if the constant has numbers beyond the range of float16.
  value_id stored(value_id v) {
    if (const auto known = stored_.find(v); known != stored_.end()) return known->second;
    const value narrow = narrowed_constant({graph_, v}, dtype::f16);
    if (!narrow && !graph_.at(v).name.empty()) warn(v);
    return stored_.emplace(v, narrow ? narrow.id() : value_id::none).first->second;
  }
  /// The float32 form of a constant. For a large constant that has a float16 form, this is a Cast of that form, except
  /// in Loops that a condition ends.
  value_id stored_as_float(value_id v) {
    if (exact_ || !is_stored_narrow({graph_, v}) || stored(v) == value_id::none) return v;
    if (const auto known = widened_.find(v); known != widened_.end()) return known->second;
    return widened_.emplace(v, cast(stored(v), dtype::f32, root_)).first->second;
  }
  void warn(value_id v) {
    warnings_.push_back({jaxpr::severity::warning,
                         "rewrite.beyond-range",
                         jax2onnx::detail::message("the weight '{}' has numbers beyond 65504: it stays float32, as do "
                                                   "the operators that read it",
                                                   graph_.at(v).name),
                         {},
                         {},
                         {}});
  }

  graph& graph_;
  target target_;
  std::vector<jaxpr::diagnostic>& warnings_;
  float_readers readers_;
  block_id root_ = block_id::main;
  std::uint32_t origin_ = 0;  // the origin of the current node
  bool exact_ = false;        // true in Loops that a condition ends
  jax2onnx::detail::key_map half_, kept_, unmade_, alias_, wide_;
  std::map<value_id, value_id> stored_, widened_;
};

/// Makes the graph compute in float16. Appends a warning for each weight that float16 cannot hold.
inline void compute_in_half(graph& g, const target& t, std::vector<jaxpr::diagnostic>& warnings) {
  half_computation(g, t, warnings).run();
}

}  // namespace jax2onnx::rewrite::detail
