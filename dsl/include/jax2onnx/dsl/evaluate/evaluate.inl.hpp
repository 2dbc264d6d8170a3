// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>

#include <jax2onnx/dsl/evaluate/evaluate.hpp>
#include <jax2onnx/dsl/evaluate/number_kernels.hpp>
#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/operators/by_operator.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/plain_text.hpp>

namespace jax2onnx {

namespace evaluation {

/// An operator that is computed from whole arrays.
struct kernel_row {
  operator_name op;
  arrays (*run)(const call& c);
};
inline constexpr kernel_row kernel_rows[] = {
    {"ArgMax", arg_extreme<true>},
    {"ArgMin", arg_extreme<false>},
    {"Concat", concat},
    {"CumSum", cumsum},
    {"Expand", expand},
    {"Flatten", flatten},
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"Gemm", gemm},
    {"Identity", identity},
    {"LayerNormalization", normalized<true>},
    {"LogSoftmax", softmax<true>},
    {"MatMul", matmul},
    {"RMSNormalization", normalized<false>},
    {"Range", range},
    {"ReduceL1",
     [](const call& c) {
       return summed(
           c, [](double x) { return std::fabs(x); }, first);
     }},
    {"ReduceL2", [](const call& c) { return summed(c, square, [](double x, double) { return std::sqrt(x); }); }},
    {"ReduceLogSum", [](const call& c) { return summed(c, same, [](double x, double) { return std::log(x); }); }},
    {"ReduceLogSumExp", reduce_log_sum_exp},
    {"ReduceMax", reduce_extreme<true>},
    {"ReduceMean", [](const call& c) { return summed(c, same, [](double x, double n) { return x / n; }); }},
    {"ReduceMin", reduce_extreme<false>},
    {"ReduceProd", reduce_prod},
    {"ReduceSum", reduce_sum},
    {"ReduceSumSquare", [](const call& c) { return summed(c, square, first); }},
    {"Reshape", reshape},
    {"Shape", shape_of},
    {"Size", size},
    {"Slice", slice},
    {"Softmax", softmax<false>},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"Transpose", transpose},
    {"Trilu", trilu},
    {"Unsqueeze", unsqueeze},
};

template <class Row, std::size_t N>
const Row* row_of(const Row (&rows)[N], std::string_view op) {
  const Row* found = std::ranges::find(rows, op, [](const Row& r) { return r.op.text(); });
  return found == rows + N ? nullptr : found;
}

/// Runs the nodes that some values need.
class evaluator {
 public:
  explicit evaluator(const graph& g) : graph_(g) {}

  /// Binds an array to an input of the main graph. Throws a build_error if the graph has no such input, if the input
  /// has an array already, or if the array does not fit.
  void bind(const named_array& given) {
    for (const value_id v : graph_.at(block_id::main).inputs) {
      if (graph_.at(v).name != given.input) continue;
      if (known_.contains(v))
        throw build_error(detail::message("evaluate: the input '{}' has two arrays", detail::shown(given.input)));
      return bind(v, given.data);
    }
    throw build_error(detail::message("evaluate: the model has no input '{}'", detail::shown(given.input)));
  }
  /// Runs the nodes of the main graph that these values need.
  void run(std::span<const value_id> wanted) {
    std::vector<bool> needed(graph_.value_count());
    for (const value_id v : wanted) need(needed, v);
    const std::vector<node_id>& nodes = graph_.at(block_id::main).nodes;
    std::vector<node_id> order;
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const node& n = graph_.at(nodes[i]);
      if (item_loops::none_of(n.outputs, [&](value_id v) { return v != value_id::none && needed[number(v)]; }))
        continue;
      need_operands(needed, n);
      order.push_back(nodes[i]);
    }
    for (std::size_t i = order.size(); i-- > 0;) run_node(graph_.at(order[i]));
  }
  const ndarray& get(value_id v) {
    const auto found = known_.find(v);
    if (found != known_.end()) return found->second;
    const value_record& r = graph_.at(v);
    if (r.constant >= 0) return known_.emplace(v, constant(r.type, graph_.data(r))).first->second;
    const bool input = r.producer == node_id::none && r.home == block_id::main;
    throw build_error(input
                          ? detail::message("evaluate: the input '{}' has no array", detail::shown(r.name))
                          : std::string("evaluate: the value is inside a body, or optimize() has removed it; evaluate "
                                        "an output of the body, or evaluate before optimize()"));
  }

 private:
  static std::size_t number(value_id v) { return static_cast<std::size_t>(v); }
  static void need(std::vector<bool>& needed, value_id v) {
    if (v != value_id::none) needed[number(v)] = true;
  }
  void need_operands(std::vector<bool>& needed, const node& n) {
    for (const value_id v : n.inputs) need(needed, v);
    for (const attribute& a : n.attributes)
      if (const auto* body = std::get_if<block_id>(&a.value)) {
        for (const node_id inner : graph_.at(*body).nodes) need_operands(needed, graph_.at(inner));
        for (const value_id v : graph_.at(*body).outputs) need(needed, v);
      }
  }

  void bind(value_id v, const ndarray& data) {
    const tensor_type& type = graph_.at(v).type;
    bool fits = type.is_plain() && (type.type == data.type() || type.type == dtype::undefined);
    if (fits && type.ranked) {
      fits = type.dims.size() == data.extents().size();
      for (std::size_t i = 0; fits && i < type.dims.size(); ++i) {
        const dim d = type.dims[i];
        const std::int64_t given = data.extents()[i];
        if (d.is_constant()) fits = d.extent() == given;
        if (d.is_symbolic()) fits = symbols_.emplace(d.key(), given).first->second == given;
      }
    }
    if (!fits)
      throw build_error(detail::message("evaluate: the input '{}' is {}, but its array is {}{}",
                                        detail::shown(graph_.at(v).name), text(graph_, type), text(data),
                                        bound_before(type, data)));
    known_.insert_or_assign(v, data);
  }
  /// `; B is 1 in the array of 'x'`: names an input whose array has given a symbol another extent than `data` does.
  /// Empty if there is no such input.
  std::string bound_before(const tensor_type& type, const ndarray& data) const {
    if (type.dims.size() != data.extents().size()) return {};
    for (std::size_t i = 0; i < type.dims.size(); ++i) {
      const dim d = type.dims[i];
      const auto found = symbols_.find(d.key());
      if (found == symbols_.end() || found->second == data.extents()[i]) continue;
      for (const value_id v : graph_.at(block_id::main).inputs)
        if (known_.contains(v) && item_loops::contains(graph_.at(v).type.dims, d))
          return detail::message("; {} is {} in the array of '{}'", graph_.dims().text(d), found->second,
                                 detail::shown(graph_.at(v).name));
    }
    return {};
  }

  static ndarray constant(const tensor_type& type, const bytes& data) {
    if (!facts::is_decodable(type.type))
      throw build_error(detail::message("evaluate: constants of {} are not supported", name(type.type)));
    std::string streamed;
    std::span<const std::byte> raw = data.view();
    if (raw.size() != data.size()) {
      streamed = in_memory(*data.source());
      raw = std::as_bytes(std::span(streamed.data(), streamed.size()));
    }
    ints extents;
    for (const dim d : type.dims) extents.push_back(d.extent());
    std::vector<std::uint64_t> patterns(count_of(extents));
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = element_bits(type.type, raw, i);
    return {type.type, std::move(extents), std::move(patterns)};
  }

  void run_node(const node& n) {
    call c{graph_, n, {}};
    for (const value_id v : n.inputs) c.in.push_back(v == value_id::none ? nullptr : &get(v));
    while (!c.in.empty() && !c.in.back()) c.in.pop_back();
    arrays results = results_of(c);
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
      if (n.outputs[i] == value_id::none) continue;
      if (i < results.size()) known_.insert_or_assign(n.outputs[i], std::move(results[i]));
    }
  }
  arrays results_of(const call& c) {
    if (const model_function* f = graph_.find_function(c.n.domain, c.n.op.text())) return run_function(c, *f);
    const std::string_view op = c.n.op.text();
    if (c.n.domain.empty()) {
      if (op == "If") return run_body(body(c, c.operand(0)[0].bits ? "then_branch" : "else_branch"), {});
      if (op == "Loop") return loop(c);
      if (op == "Scan") return scan(c);
      if (op == "Constant") return {stated(c)};
      if (op == "ConstantOfShape") return {filled(c)};
      if (const kernel_row* row = row_of(kernel_rows, op)) return row->run(c);
      if (std::optional<ndarray> mapped = elementwise(c)) return {std::move(*mapped)};
    }
    throw build_error(detail::message("evaluate: {}{}{} is not supported: run the model in a runtime", c.n.domain,
                                      c.n.domain.empty() ? "" : ".", op));
  }

  std::optional<ndarray> elementwise(const call& c) {
    const std::string_view op = c.n.op.text();
    const auto* const row = facts::element_row_of(c.n);
    const auto* const numbers = row_of(number_rows, op);
    const auto* const more = row_of(element_function_rows, op);
    if (op == "Clip") return clipped(c);
    if (!row && !numbers && !more) return {};
    if (std::ranges::count(c.in, nullptr)) c.fail("an operand is absent");
    const ints extents = broadcast_extents(c);
    const dtype t = op == "Cast" ? static_cast<dtype>(c.integer("to")) : result_type(c);
    std::vector<std::uint64_t> out(count_of(extents));
    std::vector<facts::single_element> in(c.in.size(), {t, 0});
    ints place(extents.size());
    for (std::uint64_t& element : out) {
      for (std::size_t k = 0; k < in.size(); ++k) in[k] = c.operand(k)[index_of(c.operand(k), place)];
      std::optional<std::uint64_t> pattern;
      if (row && row->operands == in.size()) pattern = row->rule(in, t);
      if (!pattern && numbers) pattern = encoded(t, numbers->f(c, in[0].number()));
      if (!pattern && more) pattern = more->f(c, in, t);
      if (!pattern) c.fail(detail::message("its operands are not supported; operand 0 is {}", text(c.operand(0))));
      element = *pattern;
      for (std::size_t axis = place.size(); axis-- > 0 && ++place[axis] == extents[axis];) place[axis] = 0;
    }
    return ndarray(t, extents, std::move(out));
  }
  /// Clip. Either bound may be absent.
  static ndarray clipped(const call& c) {
    const ndarray& x = c.operand(0);
    std::vector<std::uint64_t> out = x.patterns();
    for (std::uint64_t& bits : out) {
      if (c.has(1) && facts::of_elements::compare<std::less<>>(facts::single_element{x.type(), bits}, c.operand(1)[0]))
        bits = c.operand(1)[0].bits;
      if (c.has(2) &&
          facts::of_elements::compare<std::greater<>>(facts::single_element{x.type(), bits}, c.operand(2)[0]))
        bits = c.operand(2)[0].bits;
    }
    return {x.type(), x.extents(), std::move(out)};
  }

  static ndarray stated(const call& c) {
    if (const attribute* a = c.n.find("value")) {
      const auto& tensor = std::get<tensor_constant>(a->value);
      return constant(tensor.type(), tensor.data());
    }
    if (const attribute* a = c.n.find("value_ints")) return int64_array(std::get<ints>(a->value));
    if (const attribute* a = c.n.find("value_int"))
      return {dtype::i64, {}, {static_cast<std::uint64_t>(std::get<std::int64_t>(a->value))}};
    if (c.n.find("value_float")) return {dtype::f32, {}, {encode_float(dtype::f32, c.real("value_float"))}};
    const attribute* const a = c.n.find("value_floats");
    if (!a) c.fail("constants of strings are not supported");
    std::vector<std::uint64_t> out;
    for (const float x : std::get<std::vector<float>>(a->value))
      out.push_back(encode_float(dtype::f32, static_cast<double>(x)));
    const ints extents{std::ssize(out)};
    return {dtype::f32, extents, std::move(out)};
  }
  static ndarray filled(const call& c) {
    const ints extents = c.integers(0);
    const attribute* const a = c.n.find("value");
    if (!a) return {dtype::f32, extents, std::vector<std::uint64_t>(count_of(extents))};
    const auto& tensor = std::get<tensor_constant>(a->value);
    const ndarray one = constant(tensor.type(), tensor.data());
    return {one.type(), extents, std::vector<std::uint64_t>(count_of(extents), one.patterns().at(0))};
  }

  static block_id body(const call& c, std::string_view name) { return std::get<block_id>(c.n.find(name)->value); }
  arrays run_body(block_id b, const arrays& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) known_.insert_or_assign(graph_.at(b).inputs[i], inputs[i]);
    for (const node_id n : graph_.at(b).nodes) run_node(graph_.at(n));
    arrays out;
    for (const value_id v : graph_.at(b).outputs) out.push_back(get(v));
    return out;
  }
  arrays run_function(const call& c, const model_function& f) {
    arrays inputs;
    for (const ndarray* x : c.in) {
      if (!x) c.fail("an operand of a function is absent");
      inputs.push_back(*x);
    }
    if (!f.attributes.empty()) c.fail("functions with attributes are not supported");
    evaluator inner(graph_);
    return inner.run_body(f.body, inputs);
  }
  /// The arrays of all iterations, stacked along a new first axis. Without iterations, an empty array, in which extents
  /// that the graph does not know are 0.
  static ndarray stacked(const call& c, std::size_t result, const arrays& parts) {
    if (parts.empty()) {
      const tensor_type& type = c.g.at(c.n.outputs[result]).type;
      ints extents{0};
      for (std::size_t i = 1; i < type.dims.size(); ++i)
        extents.push_back(type.dims[i].is_constant() ? type.dims[i].extent() : 0);
      return {type.type, extents, {}};
    }
    ints extents = parts[0].extents();
    extents.insert(extents.begin(), std::ssize(parts));
    std::vector<std::uint64_t> out;
    for (const ndarray& p : parts) out.insert(out.end(), p.patterns().begin(), p.patterns().end());
    return {parts[0].type(), extents, std::move(out)};
  }
  static constexpr std::int64_t most_iterations = 1'000'000;
  arrays loop(const call& c) {
    const block_id b = body(c, "body");
    const std::int64_t trips = c.has(0) ? c.integers(0)[0] : INT64_MAX;
    bool going = !c.has(1) || c.operand(1)[0].bits != 0;
    arrays state;
    for (std::size_t i = 2; i < c.in.size(); ++i) state.push_back(c.operand(i));
    std::vector<arrays> collected(graph_.at(b).outputs.size() - 1 - state.size());
    for (std::int64_t i = 0; i < trips && going; ++i) {
      if (i == most_iterations) c.fail("loops of over a million iterations are not supported");
      arrays inputs{ndarray(dtype::i64, {}, {static_cast<std::uint64_t>(i)}), ndarray(dtype::boolean, {}, {1})};
      inputs.insert(inputs.end(), state.begin(), state.end());
      const arrays out = run_body(b, inputs);
      going = out[0][0].bits != 0;
      for (std::size_t k = 0; k < state.size(); ++k) state[k] = out[k + 1];
      for (std::size_t k = 0; k < collected.size(); ++k) collected[k].push_back(out[k + 1 + state.size()]);
    }
    const std::size_t states = state.size();
    for (std::size_t k = 0; k < collected.size(); ++k) state.push_back(stacked(c, states + k, collected[k]));
    return state;
  }
  arrays scan(const call& c) {
    for (const std::string_view name :
         {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"})
      if (const attribute* a = c.n.find(name))
        if (std::ranges::count(std::get<ints>(a->value), 0) != std::ssize(std::get<ints>(a->value)))
          c.fail("only the first axis and the forward direction are supported");
    const block_id b = body(c, "body");
    const auto sequences = static_cast<std::size_t>(c.integer("num_scan_inputs"));
    const std::size_t states = c.in.size() - sequences;
    arrays state;
    for (std::size_t i = 0; i < states; ++i) state.push_back(c.operand(i));
    std::vector<arrays> collected(graph_.at(b).outputs.size() - states);
    for (std::int64_t i = 0; i < c.operand(states).extents()[0]; ++i) {
      arrays inputs = state;
      for (std::size_t k = states; k < c.in.size(); ++k) {
        const ndarray row = part(c.operand(k), 0, i, 1);
        inputs.push_back(reshaped(row, ints(row.extents().begin() + 1, row.extents().end())));
      }
      const arrays out = run_body(b, inputs);
      for (std::size_t k = 0; k < states; ++k) state[k] = out[k];
      for (std::size_t k = 0; k < collected.size(); ++k) collected[k].push_back(out[k + states]);
    }
    for (std::size_t k = 0; k < collected.size(); ++k) state.push_back(stacked(c, states + k, collected[k]));
    return state;
  }

  const graph& graph_;
  std::unordered_map<value_id, ndarray> known_;
  // The sizes of the symbols, by dim::key().
  std::unordered_map<std::int64_t, std::int64_t> symbols_;
};

}  // namespace evaluation

JAX2ONNX_INLINE const ndarray& evaluated::operator[](std::size_t i) const {
  if (i >= outputs_.size())
    throw build_error(detail::message("the model has {} output{|s}, none with the index {}", outputs_.size(), i));
  return outputs_[i].second;
}

JAX2ONNX_INLINE const ndarray& evaluated::operator[](std::string_view name) const {
  for (const auto& [known, data] : outputs_)
    if (known == name) return data;
  throw build_error(detail::message("the model has no output '{}'", detail::shown(name)));
}

JAX2ONNX_INLINE evaluated evaluate(const graph& g, std::span<const named_array> inputs) {
  evaluation::evaluator run(g);
  for (const named_array& given : inputs) run.bind(given);
  const std::vector<value_id>& outputs = g.at(block_id::main).outputs;
  run.run(outputs);
  std::vector<std::pair<std::string, ndarray>> out;
  for (const value_id v : outputs) out.emplace_back(g.at(v).name, run.get(v));
  return evaluated(std::move(out));
}

JAX2ONNX_INLINE ndarray evaluate(const value& v, std::span<const named_array> inputs) {
  v.require_graph();
  evaluation::evaluator run(v.owner());
  for (const named_array& given : inputs) run.bind(given);
  run.run(std::vector{v.id()});
  return run.get(v.id());
}

}  // namespace jax2onnx
