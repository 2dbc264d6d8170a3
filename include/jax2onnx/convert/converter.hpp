// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/convert/closed_over.hpp>
#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/convert/device_interface.hpp>
#include <jax2onnx/convert/interface_names.hpp>
#include <jax2onnx/convert/match_weights.hpp>
#include <jax2onnx/convert/options.hpp>
#include <jax2onnx/convert/sharding_statements.hpp>
#include <jax2onnx/convert/stated_opset.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/control/custom_operator.hpp>
#include <jax2onnx/lower/control/kept_call.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/lower/devices/one_device.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/weight.hpp>
#include <jaxpr/jaxpr.hpp>

namespace jax2onnx::detail {

/// One run of convert().
class converter {
 public:
  /// `source` is the parsed `text`. The weights and options must outlive the converter.
  converter(std::shared_ptr<const std::string> text, jaxpr::program source, const std::vector<weight>& weights,
            const options& o)
      : text_(std::move(text)),
        source_(std::move(source)),
        weights_(weights),
        options_(o),
        lowering_(o.lowering),
        rewriting_(o.rewrites),
        graph_(o.opset.value_or(std::min(default_opset, highest_opset_of(o.rewrites.target, highest_opset)))),
        device_(device_of(o)),
        lowerers_(own_lowerers(o, device_, stated_, written_)),
        lowerer_(graph_, source_, lowerers_, o.keep_unsupported ? lower::lower_or_keep : lower_builtin,
                 assume(o.assume_finite)) {
    graph_.keep(text_);
    const lowering_limits limits = o.lowering.limits.of_text(text_->size());
    graph_.set_limits({.nodes = *limits.nodes, .bytes = *limits.bytes, .terms = *limits.terms});
  }
  conversion run();

 private:
  jaxpr::span span_of(std::string_view part) const { return jaxpr::span_of(part, source_.text); }
  static std::optional<lower::devices::device> device_of(const options& o) {
    if (!o.shard) return std::nullopt;
    return lower::devices::device(o.shard->index, o.shard->count);
  }
  /// The lowerers that replace built-in ones: the lowerers for the model of one device and for sharding statements, the
  /// caller's lowerers, and the lowerers of custom operators and of calls that are kept. In this order, later lowerers
  /// replace or call earlier ones.
  static user_lowerers own_lowerers(const options& o, std::optional<lower::devices::device>& device,
                                    lower::devices::stated_shardings& stated, std::set<std::string_view>& written) {
    user_lowerers all;
    if (device) lower::devices::add_device_lowerers(all, *device);
    if (o.sharding_info) lower::devices::add_statement_lowerers(all, stated);
    for (const auto& [primitive, lower] : o.lowerers) all.insert_or_assign(primitive, lower);
    for (const auto& [primitive, target] : o.custom_operators)
      all.insert_or_assign(std::string(compat::primitive(primitive)), [&](const site& s) {
        written.insert(primitive);
        return lower::custom_operator(s, target.domain, target.name);
      });
    if (o.functions.empty()) return all;
    for (const std::string_view call : lower::named_calls) {
      user_lowerer& lowers = all[std::string(call)];
      lowers = [&o, otherwise = std::move(lowers)](const site& s) {
        return lower::lower_call(s, o.functions, otherwise);
      };
    }
    return all;
  }
  /// Applies the user's assumption about values to lowerings and rewrites; returns the options for lowering.
  const lowering_options& assume(bool finite) {
    lowering_.assume_finite = lowering_.assume_finite || finite;
    rewriting_.assume_finite = rewriting_.assume_finite || finite;
    return lowering_;
  }
  void lower();
  void bind_dims();
  void bind_constvars();
  /// Weights that do not fit, one line each.
  struct mismatches {
    std::string lines;
    bool of_shapes = false;  ///< true if a shape differs, not only element types
  };
  jax_value constant(const constvar& c, const weight& w, mismatches& found);
  [[noreturn]] void throw_mismatches(const mismatches& found) const;
  jax_value constant_input(const constvar& c);
  aval type_of(const jaxpr::binder& b);
  aval constant_type(const constvar& c);
  aval input_type(std::size_t i);
  value nhwc_input(tensor_type type, std::string name);
  jax_values inputs(const interface_names& names);
  void outputs(const jax_values& values, const interface_names& names);
  void check_dims();
  void throw_problems();
  void warn_of_unused();
  [[noreturn]] void throw_limit(const limit_error& e) const;

  std::shared_ptr<const std::string> text_;
  jaxpr::program source_;
  const std::vector<weight>& weights_;
  const options& options_;
  lowering_options lowering_;
  rewrite_options rewriting_;
  graph graph_;
  std::optional<lower::devices::device> device_;  // set if the model is for one device
  lower::devices::stated_shardings stated_;
  std::set<std::string_view> written_;  // the primitives that became custom operators
  const user_lowerers lowerers_;
  lower::lowerer lowerer_;
  statistics stats_;
  rewrite_report rewrites_;
};

inline aval converter::type_of(const jaxpr::binder& b) {
  try {
    return lowerer_.type_of(b.annotation);
  } catch (const build_error& e) {
    throw_problem(failure::malformed, "convert.build", e.what(), span_of(b.annotation->text),
                  "give an unknown size a name, as jax.export.symbolic_shape does: f32[n,3], f32[2*n + 1]");
  }
}

inline aval converter::constant_type(const constvar& c) {
  aval t = type_of(*c.binder);
  if (t.elem.cls == element_class::unsupported)
    throw_problem(failure::unsupported, "lower.unsupported", message("ONNX has no element type {}", t.elem.name),
                  span_of(c.binder->name));
  return t;
}

/// The initializer of a constvar. If the weight does not fit, adds it to `found` and returns no value.
inline jax_value converter::constant(const constvar& c, const weight& w, mismatches& found) {
  const aval t = constant_type(c);
  if (!fits(w, lower::packed_type(t))) {
    found.lines += message("\n  constvar {} is {}, '{}' is {}", c.binder->name, c.binder->annotation->text,
                           shown(w.name), type_text(w));
    found.of_shapes = found.of_shapes || !shape_fits(w, lower::packed_type(t));
    return {};
  }
  if (const std::string bad = bad_element(w, lower::packed_type(t).type); !bad.empty()) {
    found.lines += message("\n  constvar {} is {}, '{}' is {} with {}", c.binder->name, c.binder->annotation->text,
                           shown(w.name), type_text(w), bad);
    return {};
  }
  const value v = weight_constant(graph_, w, lower::packed_type(t), w.name);
  ++stats_.weights;
  stats_.weight_bytes += v.data().size();
  return lower::unpack(v, t);
}

/// The input that replaces a constvar when no weights are given.
inline jax_value converter::constant_input(const constvar& c) {
  const aval t = constant_type(c);
  return lower::unpack(graph_.input(lower::packed_type(t), message("const_{}", stats_.constants_as_inputs++)), t);
}

inline void converter::throw_mismatches(const mismatches& found) const {
  throw_problem(
      failure::malformed, "weights.mismatch", "the weights do not fit the text:" + found.lines, {},
      found.of_shapes
          ? "with option weights-map=FILE, list the keys in the order of the constvars of the text"
          : "the shapes fit, but elements do not: save the arrays with the types in the text, or trace with the "
            "saved arrays");
}

inline void converter::bind_constvars() {
  closed_over arrays(source_);
  stats_.equations = arrays.equations();
  const std::vector<const weight*> ordered = ordered_weights(weights_, options_.weights_map);
  const bool given = !weights_.empty();
  if (given && ordered.size() < arrays.constvars().size()) arrays.merge_repeated();
  if (given) arrays.check_count(ordered);
  // The constants of each jaxpr. The constvars of a jaxpr are adjacent in the list.
  std::vector<std::pair<const jaxpr::body*, jax_values>> constants;
  mismatches found;
  for (std::size_t i = 0; const constvar& c : arrays.constvars()) {
    if (constants.empty() || constants.back().first != c.body) constants.emplace_back(c.body, jax_values());
    constants.back().second.push_back(given ? constant(c, *ordered[i++], found) : constant_input(c));
  }
  if (!found.lines.empty()) throw_mismatches(found);
  for (auto& [body, values] : constants) lowerer_.set_inner_constants(body, std::move(values));
  for (const auto& [copy, original] : arrays.repeated()) lowerer_.share_inner_constants(copy, original);
}

inline void converter::bind_dims() {
  for (const auto& [name, extent] : options_.dims) {
    if (extent < 0)
      throw_problem(failure::malformed, "convert.dim",
                    message("the size {} of the dimension '{}' is negative", extent, plain_text(name)));
    graph_.dims().bind(name, extent);
  }
}

/// Throws conversion_error if options::dims names a dimension that the text does not have.
inline void converter::check_dims() {
  const std::vector<std::string> unused = graph_.dims().unused_bindings();
  if (unused.empty()) return;
  const std::vector<std::string> symbols = graph_.dims().symbols();
  throw_problem(failure::malformed, "convert.dim",
                message("the text has no symbolic dimension '{}'", plain_text(joined_text(unused, "', '"))), {},
                symbols.empty() ? "all dimensions have a fixed size: leave out option dim"
                                : "use a symbolic dimension of the text: " + joined_text(symbols, ", "));
}

/// A model input in NCHW, transposed to the NHWC of the text.
inline value converter::nhwc_input(tensor_type type, std::string name) {
  if (type.dims.size() != 4)
    throw_problem(failure::malformed, "convert.nchw",
                  message("{} has type {}: NCHW needs four dimensions", name, text(graph_, type)));
  type.dims = extents_at(type.dims, {0, 3, 1, 2});
  return transpose(graph_.input(std::move(type), std::move(name)), {0, 2, 3, 1});
}

inline aval converter::input_type(std::size_t i) {
  const jaxpr::binder& input = source_.main->invars[i];
  if (!input.annotation)
    throw_problem(failure::malformed, "convert.no-types", "the text has no types", span_of(input.name),
                  "print the jaxpr without print_shapes=False");
  aval t = type_of(input);
  if (t.elem.cls == element_class::unsupported)
    throw_problem(failure::unsupported, "lower.unsupported",
                  message("input {} has the type {}, which is missing from ONNX", i, t.elem.name), span_of(input.name));
  if (const int opset = opset_with(t.elem.part); graph_.opset() < opset)
    throw_problem(failure::unsupported, "lower.opset",
                  message("input {} has the type {}, which needs opset {}", i, t.elem.name, opset), span_of(input.name),
                  message("convert to opset {} or newer", opset));
  return t;
}

inline jax_values converter::inputs(const interface_names& names) {
  jax_values args;
  const auto mesh = options_.sharding_info ? lower::batching::first_mesh(source_.text) : lower::devices::mesh_axes();
  for (std::size_t i = 0; i < source_.main->invars.size(); ++i) {
    const aval t = input_type(i);
    args.push_back(lower::unpack(names.is_nchw(i) ? nhwc_input(lower::packed_type(t), names.name(i))
                                                  : graph_.input(lower::packed_type(t), names.name(i)),
                                 t));
    if (options_.sharding_info)
      args.back() = stated_.stated(graph_, args.back(), mesh, source_.main->invars[i].annotation);
  }
  return args;
}

inline void converter::outputs(const jax_values& values, const interface_names& names) {
  const std::vector<aval> types = lowerer_.result_types(*source_.main);
  std::vector<value> packed;
  key_map used;
  for (std::size_t i = 0; i < values.size(); ++i) {
    value v = lower::pack(values[i], types[i]);
    if (names.is_nchw(i)) {
      if (v.rank() != 4)
        throw_problem(failure::malformed, "convert.nchw",
                      message("{} has type {}: NCHW needs four dimensions", names.name(i), text(v)));
      v = transpose(v, {0, 3, 1, 2});
    }
    // Every output has a separate name: an input, a constant or another output is copied.
    const auto id = static_cast<std::int64_t>(v.id());
    if (graph_.at(v.id()).producer == node_id::none || used.find(id) != key_map::none) v = unary("Identity", v);
    used.set(id, 0);
    graph_.at(v.id()).name = names.name(i);
    packed.push_back(v);
  }
  graph_.set_outputs(block_id::main, packed);
}

inline void converter::throw_problems() {
  if (lowerer_.problems.empty()) return;
  for (std::size_t i = 0; i < lowerer_.problems.size(); ++i)
    if (lowerer_.repeats[i] > 1)
      lowerer_.problems[i].message += message(" ({} uses; this is the first)", lowerer_.repeats[i]);
  throw conversion_error(lowerer_.is_malformed ? failure::malformed : failure::unsupported, lowerer_.problems);
}

inline void converter::throw_limit(const limit_error& e) const {
  throw_problem(failure::unsafe, "convert.limit", e.what(), lowerer_.where(),
                "limits keep small texts from making huge models; option limit=NAME=N changes a limit");
}

inline void converter::lower() {
  const interface_names in("input", source_.main->invars.size(), options_.input_names, options_.inputs_as_nchw);
  const interface_names out("output", source_.main->results.size(), options_.output_names, options_.outputs_as_nchw);
  out.check_apart_from(in);
  bind_dims();
  bind_constvars();
  const jax_values args = inputs(in);
  check_dims();
  jax_values values = lowerer_.inline_body(*source_.main, args);
  throw_problems();
  warn_of_unused();
  if (values.empty())
    throw_problem(failure::unsupported, "convert.no-results", "the text has no results, and a model has at least one",
                  {}, "return what the function computes");
  if (!device_) return outputs(values, out);
  if (!device_->has_entered())
    throw_problem(failure::unsupported, "convert.shard",
                  "the text has no shard_map or pmap, which say what each device computes", {},
                  "leave out option shard, or divide the program by jax.shard_map");
  device_interface interface(graph_, *device_);
  for (jax_value& v : values) v = interface.part_of_output(v);
  outputs(values, out);
  interface.finish();
  graph_.set_metadata("jax2onnx.shard", message("{}/{}", options_.shard->index, options_.shard->count));
}

/// Warns of functions and custom operators that the options name but the text does not use.
inline void converter::warn_of_unused() {
  for (const std::string& name : options_.functions)
    if (!graph_.find_function(lower::function_domain, lower::identifier(name)))
      lowerer_.warn("lower.unused-function",
                    message("option functions={}: no equation calls a function of this name", name), {});
  for (const auto& [primitive, target] : options_.custom_operators)
    if (!written_.contains(primitive))
      lowerer_.warn("lower.unused-operator",
                    message("no equation has the primitive '{}' (option custom-op)", plain_text(primitive)), {});
}

inline conversion converter::run() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  try {
    lower();
  } catch (const limit_error& e) {
    throw_limit(e);
  } catch (const build_error& e) {
    throw_problem(failure::malformed, "convert.build", e.what());
  } catch (const error& e) {
    throw conversion_error(e.kind(), {e.diagnostics().begin(), e.diagnostics().end()});
  }
  const auto lowered = clock::now();
  tell(options_.lowering.progress, "rewriting", 0, 0);
  try {
    rewrites_ = optimize(graph_, rewriting_);
    sharding_statements(graph_, stated_).apply();
    if (!options_.opset && fits_opset(graph_, portable_opset)) graph_.state_opset(portable_opset);
  } catch (const limit_error& e) {
    throw_limit(e);
  } catch (const build_error& e) {
    throw_problem(failure::internal, "internal", e.what(), {},
                  "this is a defect of jax2onnx: please report it with the text");
  }
  std::ranges::move(rewrites_.warnings, std::back_inserter(lowerer_.warnings));
  std::ranges::move(obstacle_warnings(graph_, rewriting_.target.runtime), std::back_inserter(lowerer_.warnings));
  stats_.lower = lowered - start;
  stats_.rewrite = clock::now() - lowered;
  stats_.lowered = lowerer_.lowered;
  for (std::size_t b = 0; b < graph_.block_count(); ++b)
    stats_.nodes += graph_.at(static_cast<block_id>(b)).nodes.size();
  return {std::move(text_), std::move(source_),  std::move(graph_), std::move(lowerer_.warnings),
          stats_,           std::move(rewrites_)};
}

}  // namespace jax2onnx::detail
