#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jaxpr/jaxpr.hpp>

#include <jax2onnx/build/graph.hpp>
#include <jax2onnx/lower/driver.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/weights/match.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

inline constexpr int lowest_opset = 17, highest_opset = 26, default_opset = 23;

struct options {
  int opset = default_opset;
  std::vector<std::string> input_names;    ///< of the first inputs, in order; the others are input_0, …
  std::vector<std::string> output_names;   ///< likewise
  std::vector<std::string> inputs_as_nchw;   ///< names or numbers of NHWC inputs that the model takes as NCHW
  std::vector<std::string> outputs_as_nchw;  ///< likewise for outputs
  std::map<std::string, std::int64_t> dims;  ///< symbolic dimensions that get a fixed size
  std::vector<std::string> weights_map;    ///< keys of the weights in constvar order; empty: the order of the weights
  user_lowerers lowerers;                  ///< win over the built-in ones
  lowering_options lowering;
  rewrite_options rewrites;
};

struct statistics {
  std::size_t equations = 0;  ///< as printed, every jaxpr once
  std::size_t lowered = 0;    ///< with calls inlined
  std::size_t nodes = 0;      ///< of the model
  std::size_t weights = 0;
  std::uint64_t weight_bytes = 0;
  std::size_t constants_as_inputs = 0;  ///< closed-over arrays that became inputs for want of weights
  std::chrono::nanoseconds parse{}, lower{}, rewrite{};
};

struct conversion {
  jaxpr::module source;  ///< what spans of warnings and origins of nodes refer to
  std::unique_ptr<graph> model;
  std::vector<jaxpr::diagnostic> warnings;
  statistics stats;
};

namespace detail {

/// The jaxprs of a text in the order in which reading it depth first meets them, each once.
inline void visit_bodies(const jaxpr::jaxpr& body, std::unordered_set<const jaxpr::jaxpr*>& seen,
                         const auto& visit, int depth = 0);

inline void visit_value(const jaxpr::value& v, std::unordered_set<const jaxpr::jaxpr*>& seen, const auto& visit, int depth) {
  if (v.body) visit_bodies(*v.body, seen, visit, depth + 1);
  for (const jaxpr::value& item : v.items) visit_value(item, seen, visit, depth);
  for (const jaxpr::keyword_value& k : v.keywords) visit_value(k.val, seen, visit, depth);
}

inline void visit_bodies(const jaxpr::jaxpr& body, std::unordered_set<const jaxpr::jaxpr*>& seen, const auto& visit, int depth) {
  if (depth > 2000) throw limit_error("jaxprs are nested over 2000 deep");
  if (!seen.insert(&body).second) return;
  visit(body);
  for (const jaxpr::equation& eqn : body.equations)
    for (const jaxpr::param& p : eqn.params) {
      // Equinox prints open jaxprs there: operands are their constvars.
      if ((p.key == "static" && eqn.find("treedef")) || (p.key == "params" && eqn.find("__batch_axes"))) continue;
      visit_value(p.val, seen, visit, depth);
    }
}

/// One run: text and weights to a graph.
class converter {
 public:
  converter(std::string_view text, const std::vector<weight>& weights, const options& o)
      : module_(jaxpr::parse(text, {.keep_ambiguous = true})), weights_(weights), options_(o), graph_(std::make_unique<graph>(o.opset)),
        lowerer_(*graph_, module_, o.lowerers, o.lowering) {
    for (const auto& [name, extent] : o.dims) graph_->dims().bind(name, extent);
  }

  conversion run();

 private:
  struct constvar {
    const jaxpr::jaxpr* body;
    const jaxpr::binder* binder;
  };

  [[noreturn]] void refuse(failure kind, std::string code, std::string message, jaxpr::span where = {}, std::string help = {}) const {
    throw conversion_error(kind, {{jaxpr::severity::error, std::move(code), std::move(message), where, std::move(help), {}}});
  }
  jaxpr::span module_span(std::string_view part) const {
    return {static_cast<std::uint32_t>(part.data() - module_.text.data()),
            static_cast<std::uint32_t>(part.data() - module_.text.data() + static_cast<std::ptrdiff_t>(part.size()))};
  }
  void find_constvars();
  void merge_repeated_constvars();
  void bind_constvars();
  std::vector<const weight*> ordered_weights() const;
  std::string listing(const std::vector<const weight*>& ordered) const;
  void check_count(const std::vector<const weight*>& ordered) const;
  std::optional<operand> bind(const constvar& c, const weight* w, std::string& mismatches);
  std::set<std::size_t> selected(const std::vector<std::string>& wanted, const std::vector<std::string>& names, std::size_t count) const;
  value nhwc_input(tensor_type type, std::string name);
  std::vector<operand> inputs();
  void outputs(const results& values);
  void throw_problems();
  std::string io_name(const std::vector<std::string>& names, std::size_t i, std::string_view prefix) const {
    return i < names.size() && !names[i].empty() ? names[i] : fmt::format("{}_{}", prefix, i);
  }

  jaxpr::module module_;
  const std::vector<weight>& weights_;
  const options& options_;
  std::unique_ptr<graph> graph_;
  lowerer lowerer_;
  std::vector<constvar> constvars_;
  std::unordered_map<const jaxpr::jaxpr*, const jaxpr::jaxpr*> repeated_;  ///< to the first of the same text
  std::vector<operand> main_constants_;
  statistics stats_;
};

/// The outer constvars, then those of inner jaxprs in reading order.
inline void converter::find_constvars() {
  std::unordered_set<const jaxpr::jaxpr*> seen;
  visit_bodies(*module_.main, seen, [&](const jaxpr::jaxpr& body) {
    stats_.equations += body.equations.size();
    for (const jaxpr::binder& b : body.constvars) constvars_.push_back({&body, &b});
  });
}

/// A jaxpr that JAX up to 0.9 prints in several places has its constants only once. Its text repeats with all names.
inline void converter::merge_repeated_constvars() {
  std::unordered_map<std::string, const jaxpr::jaxpr*> first;
  const jaxpr::jaxpr* last = nullptr;
  for (const constvar& c : constvars_) {
    if (std::exchange(last, c.body) == c.body) continue;
    std::string text(module_.text.substr(c.body->where.begin, c.body->where.end - c.body->where.begin));
    std::erase_if(text, [](char ch) { return ch == ' ' || ch == '\n'; });
    const auto [known, added] = first.emplace(std::move(text), c.body);
    if (!added) repeated_.emplace(c.body, known->second);
  }
  std::erase_if(constvars_, [&](const constvar& c) { return repeated_.contains(c.body); });
}

inline std::vector<const weight*> converter::ordered_weights() const {
  std::vector<const weight*> ordered;
  if (options_.weights_map.empty()) {
    for (const weight& w : weights_) ordered.push_back(&w);
    return ordered;
  }
  std::map<std::string_view, std::pair<const weight*, int>> by_name;
  for (const weight& w : weights_) {
    auto& [found, count] = by_name.try_emplace(w.name, &w, 0).first->second;
    ++count;
  }
  for (const std::string& key : options_.weights_map) {
    const auto it = by_name.find(key);
    if (it == by_name.end())
      refuse(failure::malformed, "weights.missing-key", fmt::format("the weights have no array '{}', which the weights map names", key));
    if (it->second.second > 1)
      refuse(failure::malformed, "weights.ambiguous-key", fmt::format("{} weights are called '{}', which the weights map names", it->second.second, key));
    ordered.push_back(it->second.first);
  }
  return ordered;
}

/// Two columns for messages: what the text closes over, and the weights as they are taken for that.
inline std::string converter::listing(const std::vector<const weight*>& ordered) const {
  constexpr std::size_t most = 20;
  const std::size_t lines = std::max(constvars_.size(), ordered.size());
  std::string out;
  for (std::size_t i = 0; i < std::min(lines, most); ++i) {
    const std::string wanted =
        i < constvars_.size() ? fmt::format("{}:{}", constvars_[i].binder->name, constvars_[i].binder->annotation->text) : "-";
    const std::string given = i < ordered.size() ? fmt::format("'{}' {}", shown(ordered[i]->name), type_text(*ordered[i])) : "-";
    out += fmt::format("\n  {:<24} {}", wanted, given);
  }
  return lines > most ? out + fmt::format("\n  and {} more", lines - most) : out;
}

inline void converter::check_count(const std::vector<const weight*>& ordered) const {
  if (weights_.empty() || ordered.size() == constvars_.size()) return;
  const std::size_t outer = module_.main->constvars.size();
  const bool inner_missing = ordered.size() == outer && outer < constvars_.size();
  refuse(failure::malformed, "weights.count",
         fmt::format("the text closes over {} arrays, the weights have {}:{}", constvars_.size(), ordered.size(), listing(ordered)),
         inner_missing ? module_span(constvars_[outer].binder->name) : jaxpr::span{},
         inner_missing ? "the constants of inner jaxprs are missing: save them after closed.consts, in reading order (examples/export.py does)"
                       : "--weights-map FILE lists the keys that the text closes over, in order");
}

/// The initializer of a constvar, or the graph input where there are no weights. Nothing where the weight does not fit:
/// then `mismatches` says so.
inline std::optional<operand> converter::bind(const constvar& c, const weight* w, std::string& mismatches) {
  const aval t = lowerer_.type_of(c.binder->annotation);
  if (t.elem.cls == element_class::unsupported)
    refuse(failure::unsupported, "lower.unsupported", fmt::format("ONNX has no element type {}", t.elem.name), module_span(c.binder->name));
  const tensor_type packed = packed_type(t);
  if (!w) return unpack(graph_->input(packed, fmt::format("const_{}", stats_.constants_as_inputs++)), t);
  if (!fits(*w, packed)) {
    mismatches += fmt::format("\n  constvar {} is {}, '{}' is {}", c.binder->name, c.binder->annotation->text, shown(w->name), type_text(*w));
    return std::nullopt;
  }
  const value v = weight_constant(*graph_, *w, packed, w->name);
  ++stats_.weights;
  stats_.weight_bytes += v.data().size();
  return unpack(v, t);
}

/// Constvars become initializers, or graph inputs where there are no weights.
inline void converter::bind_constvars() {
  std::unordered_map<const jaxpr::jaxpr*, std::vector<operand>> constants;
  const std::vector<const weight*> ordered = ordered_weights();
  if (!weights_.empty() && ordered.size() < constvars_.size()) merge_repeated_constvars();
  check_count(ordered);
  std::string mismatches;
  for (std::size_t i = 0; i < constvars_.size(); ++i)
    if (std::optional<operand> bound = bind(constvars_[i], weights_.empty() ? nullptr : ordered[i], mismatches))
      constants[constvars_[i].body].push_back(*std::move(bound));
  if (!mismatches.empty())
    refuse(failure::malformed, "weights.mismatch", "the weights do not fit the text:" + mismatches, {},
           "--weights-map FILE lists the keys in the order in which the text closes over them");
  for (const auto& [body, known] : repeated_) constants[body] = constants[known];
  main_constants_ = std::move(constants[module_.main]);
  for (auto& [body, operands] : constants)
    if (body != module_.main) lowerer_.set_inner_constants(body, std::move(operands));
}

/// The numbers of the inputs (or outputs) that `wanted` lists by number or by name.
inline std::set<std::size_t> converter::selected(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                                                 std::size_t count) const {
  std::set<std::size_t> out;
  for (const std::string& w : wanted) {
    std::size_t i = static_cast<std::size_t>(std::ranges::find(names, w) - names.begin());
    if (i == names.size() && std::from_chars(w.data(), w.data() + w.size(), i).ptr != w.data() + w.size()) i = count;
    if (i >= count) refuse(failure::malformed, "convert.names", fmt::format("'{}' in the list of NCHW tensors is neither a name nor a number below {}", w, count));
    out.insert(i);
  }
  return out;
}

/// An input that the model takes as NCHW and the text as NHWC.
inline value converter::nhwc_input(tensor_type type, std::string name) {
  if (type.dims.size() != 4)
    refuse(failure::malformed, "convert.nchw", fmt::format("{} has type {}: NCHW needs four dimensions", name, text(*graph_, type)));
  type.dims = extents_at(type.dims, {0, 3, 1, 2});
  return transpose(graph_->input(std::move(type), std::move(name)), {0, 2, 3, 1});
}

inline std::vector<operand> converter::inputs() {
  std::vector<operand> args;
  const auto& invars = module_.main->invars;
  if (options_.input_names.size() > invars.size())
    refuse(failure::malformed, "convert.names", fmt::format("{} input names for {} inputs", options_.input_names.size(), invars.size()));
  const std::set<std::size_t> nchw = selected(options_.inputs_as_nchw, options_.input_names, invars.size());
  for (std::size_t i = 0; i < invars.size(); ++i) {
    const aval t = lowerer_.type_of(invars[i].annotation);
    if (!invars[i].annotation)
      refuse(failure::malformed, "convert.no-types", "the text has no types", module_span(invars[i].name), "print it without print_shapes=False");
    if (t.elem.cls == element_class::unsupported)
      refuse(failure::unsupported, "lower.unsupported", fmt::format("input {} has the type {}, which ONNX has not", i, t.elem.name), module_span(invars[i].name));
    const std::string name = io_name(options_.input_names, i, "input");
    args.push_back(unpack(nchw.contains(i) ? nhwc_input(packed_type(t), name) : graph_->input(packed_type(t), name), t));
  }
  return args;
}

inline void converter::outputs(const results& values) {
  if (options_.output_names.size() > values.size())
    refuse(failure::malformed, "convert.names", fmt::format("{} output names for {} outputs", options_.output_names.size(), values.size()));
  std::vector<value> packed;
  std::set<value_id> used;
  const std::set<std::size_t> nchw = selected(options_.outputs_as_nchw, options_.output_names, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    value v = pack(values[i]);
    if (nchw.contains(i)) {
      if (v.rank() != 4)
        refuse(failure::malformed, "convert.nchw", fmt::format("output {} has type {}: NCHW needs four dimensions", i, text(v)));
      v = transpose(v, {0, 3, 1, 2});
    }
    const value_record& r = graph_->at(v.id());
    // An output has a name of its own: one that is an input, a constant or another output is copied.
    if (r.producer == node_id::none || !used.insert(v.id()).second) v = unary("Identity", v);
    graph_->at(v.id()).name = io_name(options_.output_names, i, "output");
    packed.push_back(v);
  }
  graph_->set_outputs(block_id::main, packed);
}

inline void converter::throw_problems() {
  if (lowerer_.problems.empty()) return;
  for (std::size_t i = 0; i < lowerer_.problems.size(); ++i)
    if (lowerer_.repeats[i] > 1) lowerer_.problems[i].message += fmt::format(" ({} uses; this is the first)", lowerer_.repeats[i]);
  throw conversion_error(lowerer_.is_inconsistent ? failure::malformed : failure::unsupported, lowerer_.problems);
}

inline conversion converter::run() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  results values;
  try {
    find_constvars();
    bind_constvars();
    const std::vector<operand> args = inputs();
    lowerer_.set_inner_constants(module_.main, main_constants_);
    values = lowerer_.inline_body(*module_.main, args);
    throw_problems();
    outputs(values);
  } catch (const limit_error& e) {
    refuse(failure::unsafe, "convert.limit", e.what());
  } catch (const build_error& e) {
    refuse(failure::malformed, "convert.build", e.what());
  } catch (const unsupported_error& e) {
    refuse(failure::unsupported, "lower.unsupported", e.what(), e.where, e.help);
  }
  const auto lowered = clock::now();
  if (options_.lowering.progress) options_.lowering.progress("rewriting", 0, 0);
  optimize(*graph_, options_.rewrites);
  stats_.lower = lowered - start;
  stats_.rewrite = clock::now() - lowered;
  stats_.lowered = lowerer_.lowered;
  for (std::size_t b = 0; b < graph_->block_count(); ++b) stats_.nodes += graph_->at(static_cast<block_id>(b)).nodes.size();
  return {std::move(module_), std::move(graph_), std::move(lowerer_.warnings), stats_};
}

}  // namespace detail

/// Converts a printed jaxpr and the arrays that it closes over to an ONNX graph; emit writes it to a file.
/// Throws jaxpr::error at text that does not parse, conversion_error with every problem found at what has no lowering.
/// `text` has to outlive the conversion, which views it; the graph views the weights' files.
inline conversion convert(std::string_view text, const std::vector<weight>& weights, const options& o = {}) {
  if (o.opset < lowest_opset || o.opset > highest_opset)
    throw conversion_error(failure::malformed, {{jaxpr::severity::error, "convert.opset",
                           fmt::format("opset {} is not between {} and {}", o.opset, lowest_opset, highest_opset), {}, {}, {}}});
  const auto start = std::chrono::steady_clock::now();
  detail::converter c(text, weights, o);
  const auto parsed = std::chrono::steady_clock::now();
  conversion result = c.run();
  result.stats.parse = parsed - start;
  return result;
}

}  // namespace jax2onnx
