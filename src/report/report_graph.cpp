// SPDX-License-Identifier: Apache-2.0
#include "report_graph.hpp"

#include "element_statistics.hpp"
#include "node_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include <jax2onnx/emit/element_text.hpp>
#include <jax2onnx/emit/plan.hpp>
#include <jax2onnx/graph/source_info.hpp>
#include <jaxpr/walk.hpp>

namespace jax2onnx::detail {
namespace {

using json = nlohmann::ordered_json;

template <typename Id>
std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

/// JSON on one line. Bytes that are not UTF-8, such as in names of files, are replaced.
std::string one_line(const json& j) { return j.dump(-1, ' ', true, json::error_handler_t::replace); }

/// A list with one entry on each line. Entries become text when they are added, so that a large model takes little
/// memory.
class rows {
 public:
  std::size_t add(const json& row) {
    lines_.push_back(one_line(row));
    return lines_.size() - 1;
  }
  /// Adds an empty line, which set() fills later, and returns its index.
  std::size_t reserve() {
    lines_.emplace_back();
    return lines_.size() - 1;
  }
  void set(std::size_t line, const json& row) { lines_[line] = one_line(row); }
  std::size_t size() const { return lines_.size(); }
  std::string text() const {
    std::string out = "[";
    for (std::size_t i = 0; i < lines_.size(); ++i) out += (i ? ",\n      " : "\n      ") + lines_[i];
    return out + (lines_.empty() ? "]" : "\n    ]");
  }

 private:
  std::vector<std::string> lines_;
};

/// The positions at which the lines of a text begin.
class line_index {
 public:
  explicit line_index(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins_.push_back(i + 1);
  }
  /// The line of a byte; the first line is 1.
  std::size_t line(std::size_t at) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins_, at) - begins_.begin());
  }

 private:
  std::vector<std::size_t> begins_ = {0};
};

/// The name of the function that an equation calls: `relu` of `jit[name=relu …]`; empty if it calls none by name.
std::string called_name(const jaxpr::equation& e) {
  const jaxpr::value* name = e.find("name");
  const bool calls =
      std::ranges::any_of(e.params, [](const jaxpr::param& p) { return p.val.tag == jaxpr::value::kind::body; });
  if (!name || !calls) return {};
  std::string_view text = name->text;
  if (text.size() > 1 && text.front() == '\'') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

class graph_report {
 public:
  explicit graph_report(const conversion& made)
      : made_(made),
        graph_(made.model),
        plan_(made.model, {}),
        lines_(made.source.text),
        numbers_of_values_(graph_.value_count(), none),
        made_by_(graph_.node_count(), none),
        declined_(graph_.node_count()),
        numbers_of_equations_(graph_.origins().size(), none) {}

  std::string text() {
    find_equations();
    sort_events();
    add_block(block_id::main, none, {});
    std::string out = "{\n    \"symbols\": " + one_line(graph_.dims().symbols());
    const auto put = [&out](const char* key, const std::string& list) {
      out += std::string(",\n    \"") + key + "\": " + list;
    };
    put("types", types_.text());
    put("values", values_.text());
    put("blocks", blocks_.text());
    put("nodes", nodes_.text());
    put("weights", weights_.text());
    put("equations", equations_.text());
    put("events", events_.text());
    put("rules", rules_text());
    return out + "\n  }";
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t shown_elements = 16;

  // ---- the text

  void find_equations() {
    jaxpr::for_each_equation(
        made_.source, [this](const jaxpr::equation& e, const jaxpr::body&) { printed_.emplace(e.where.begin, &e); });
  }
  /// The number of an origin's equation; null if no equation made the node. An equation that has no number yet is added
  /// after its callers.
  json equation(std::uint32_t origin) {
    if (origin == 0) return nullptr;
    std::vector<std::uint32_t> chain;
    for (std::uint32_t o = origin; o != 0 && numbers_of_equations_[o] == none; o = graph_.origins()[o].caller)
      chain.push_back(o);
    for (; !chain.empty(); chain.pop_back()) add_equation(chain.back());
    return numbers_of_equations_[origin];
  }
  void add_equation(std::uint32_t number) {
    const origin& o = graph_.origins()[number];
    const source_info info = parse_annotation(o.annotation);
    json row;
    if (const auto it = printed_.find(o.begin); it != printed_.end()) {
      row["primitive"] = it->second->primitive;
      if (std::string name = called_name(*it->second); !name.empty()) row["calls"] = std::move(name);
    }
    row["line"] = lines_.line(o.begin);
    row["end_line"] = lines_.line(o.end > o.begin ? o.end - 1 : o.begin);
    if (!info.source.empty()) row["source"] = info.source;
    if (!info.scope.empty()) row["scope"] = info.scope;
    if (o.caller) row["caller"] = numbers_of_equations_[o.caller];
    numbers_of_equations_[number] = static_cast<std::uint32_t>(equations_.add(row));
  }

  // ---- rewrites

  /// Records which events made or declined each node. If several rounds decline a node for the same reason, the
  /// reason is recorded once.
  void sort_events() {
    for (const rewrite_report::event& e : made_.rewrites.events) {
      if (e.reason.empty()) add_applied(e);
      else add_declined(e);
    }
  }
  void add_applied(const rewrite_report::event& e) {
    if (e.begin == e.end) return;  // no node was made: an existing value replaced the node
    json row = {{"rule", e.rule}};
    if (e.node != node_id::none) row["replaced"] = graph_.at(e.node).op;
    if (e.node != node_id::none && made_by_[index(e.node)] != none) row["after"] = made_by_[index(e.node)];
    const auto number = static_cast<std::uint32_t>(events_.add(row));
    for (std::size_t n = index(e.begin); n < index(e.end); ++n) made_by_[n] = number;
  }
  void add_declined(const rewrite_report::event& e) {
    std::vector<std::pair<std::string_view, std::string_view>>& known = declined_[index(e.node)];
    if (std::ranges::find(known, std::pair(e.rule, e.reason)) == known.end()) known.emplace_back(e.rule, e.reason);
  }
  std::string rules_text() const {
    rows out;
    for (const rewrite_report::entry& e : made_.rewrites.rules)
      out.add({{"rule", e.rule}, {"applied", e.applied}, {"declined", e.reasons}});
    return out.text();
  }

  // ---- values

  std::size_t type(const tensor_type& t) {
    const auto [it, added] = numbers_of_types_.emplace(jax2onnx::text(graph_, t), types_.size());
    if (added) types_.add(it->first);
    return it->second;
  }
  json value(value_id v) {
    if (v == value_id::none) return nullptr;
    std::uint32_t& number = numbers_of_values_[index(v)];
    if (number != none) return number;
    const value_record& r = graph_.at(v);
    json row = {{"name", plan_.name(v)}, {"type", type(r.type)}};
    if (r.constant >= 0) row["weight"] = weights_.size();
    number = static_cast<std::uint32_t>(values_.add(row));
    if (r.constant >= 0) add_weight(v, number);
    return number;
  }
  json values(const std::vector<value_id>& list) {
    json out = json::array();
    for (const value_id v : list) out.push_back(value(v));
    return out;
  }

  // ---- weights

  static std::uint64_t element_count(const tensor_type& t) {
    std::uint64_t count = 1;
    for (const dim d : t.dims) count *= static_cast<std::uint64_t>(d.extent());
    return count;
  }
  /// The elements of a small tensor, as text; null for other tensors.
  static json elements(const tensor_type& t, const bytes& data) {
    const std::uint64_t count = element_count(t);
    if (count > shown_elements || bits(t.type) == 0 || bits(t.type) > 64) return nullptr;
    const std::string content = data.source() ? in_memory(*data.source()) : std::string();
    const auto bytes = data.source() ? std::as_bytes(std::span(content)) : data.view();
    json out = json::array();
    for (std::uint64_t i = 0; i < count; ++i) out.push_back(element_text(t.type, bytes, i));
    return out;
  }
  void add_weight(value_id v, std::uint32_t number) {
    const value_record& r = graph_.at(v);
    const bytes& data = graph_.data(r);
    json row = {{"value", number}, {"elements", element_count(r.type)}, {"bytes", data.size()}};
    if (const auto place = data.source() ? data.source()->location() : std::nullopt) row["file"] = place->file;
    if (json shown = elements(r.type, data); !shown.is_null()) row["content"] = std::move(shown);
    else if (bits(r.type.type) > 0 && bits(r.type.type) <= 64)
      describe(row, statistics_of(r.type.type, element_count(r.type), data));
    weights_.add(row);
  }
  static void describe(json& row, const element_statistics& s) {
    row["zeros"] = s.zeros;
    if (s.nans) row["nans"] = s.nans;
    if (s.infinities) row["infinities"] = s.infinities;
    if (s.finite == 0) return;
    row["least"] = s.least, row["greatest"] = s.greatest, row["mean"] = s.mean;
    if (s.width == 0 || !std::isfinite(s.first * s.width)) return;
    std::size_t used = s.bins;
    while (s.histogram[used - 1] == 0) --used;
    row["histogram"] = {{"begin", s.first * s.width},
                        {"width", s.width},
                        {"counts", std::vector<std::uint64_t>(s.histogram.begin(), s.histogram.begin() + used)}};
  }

  // ---- nodes

  json attribute(const jax2onnx::attribute& a, std::size_t owner) {
    if (const auto* body = std::get_if<block_id>(&a.value))
      return {{"block", add_block(*body, static_cast<std::uint32_t>(owner), a.name)}};
    if (const auto* t = std::get_if<tensor_constant>(&a.value)) {
      json out = {{"tensor", jax2onnx::text(graph_, t->type())}};
      if (json shown = elements(t->type(), t->data()); !shown.is_null()) out["content"] = std::move(shown);
      return out;
    }
    if (const auto* t = std::get_if<tensor_type>(&a.value)) return {{"type", jax2onnx::text(graph_, *t)}};
    if (const auto* f = std::get_if<float>(&a.value)) return number(*f);
    if (const auto* n = std::get_if<std::int64_t>(&a.value)) return *n;
    if (const auto* s = std::get_if<std::string>(&a.value)) return *s;
    json out = json::array();
    if (const auto* list = std::get_if<ints>(&a.value))
      for (const std::int64_t n : *list) out.push_back(n);
    if (const auto* list = std::get_if<std::vector<float>>(&a.value))
      for (const float f : *list) out.push_back(number(f));
    if (const auto* list = std::get_if<std::vector<std::string>>(&a.value)) out = *list;
    return out;
  }
  /// The shortest decimal of `f`, as a double; a string for infinities and NaN, which JSON lacks.
  static json number(float f) {
    const std::string text = float_text(f);
    return std::isfinite(f) ? json(std::stod(text)) : json(text);
  }
  /// A count: an integer below 2^53, which readers of JSON keep exactly, otherwise a rounded number.
  static json count(double n) {
    constexpr double exact = 9007199254740992.0;
    return n < exact ? json(static_cast<std::uint64_t>(n)) : json(n);
  }

  std::size_t add_block(block_id id, std::uint32_t owner, std::string_view attribute_name) {
    const std::size_t number = blocks_.reserve();
    const block& b = graph_.at(id);
    json row = {{"name", plan_.name(id)}};
    if (owner != none) row["node"] = owner, row["attribute"] = attribute_name;
    row["inputs"] = values(b.inputs);
    for (const node_id n : b.nodes) add_node(n, number);
    row["outputs"] = json::array();
    for (const emission_plan::output& o : plan_.outputs(id))
      row["outputs"].push_back({{"name", o.name}, {"value", value(o.source)}});
    blocks_.set(number, row);
    return number;
  }
  void add_node(node_id id, std::size_t block) {
    const node& n = graph_.at(id);
    const std::size_t number = nodes_.reserve();
    json row = {{"op", n.op.text()}};
    if (!n.domain.empty()) row["domain"] = n.domain;
    row["name"] = plan_.name(id);
    row["block"] = block;
    row["inputs"] = values(n.inputs);
    row["outputs"] = values(plan_.results(n));
    for (const jax2onnx::attribute& a : n.attributes) row["attributes"][std::string(a.name)] = attribute(a, number);
    if (json e = equation(n.origin); !e.is_null()) row["equation"] = std::move(e);
    const node_cost cost = cost_of(graph_, n);
    if (cost.flops) row["flops"] = count(*cost.flops);
    if (cost.bytes) row["bytes"] = count(*cost.bytes);
    if (cost.symbolic) row["symbolic"] = true;
    if (made_by_[index(id)] != none) row["made_by"] = made_by_[index(id)];
    for (const auto& [rule, reason] : declined_[index(id)])
      row["declined"].push_back({{"rule", rule}, {"reason", reason}});
    nodes_.set(number, row);
  }
  const conversion& made_;
  const graph& graph_;
  emission_plan plan_;
  line_index lines_;
  rows types_, values_, blocks_, nodes_, weights_, equations_, events_;
  std::map<std::string, std::size_t> numbers_of_types_;
  std::vector<std::uint32_t> numbers_of_values_;
  std::vector<std::uint32_t> made_by_;  // the number of the event that made each node
  std::vector<std::vector<std::pair<std::string_view, std::string_view>>> declined_;
  std::vector<std::uint32_t> numbers_of_equations_;  // the number of each equation, by the index of its origin
  std::unordered_map<std::uint32_t, const jaxpr::equation*> printed_;  // equations by the offset of their first byte
};

}  // namespace

std::string report_graph(const conversion& made) { return graph_report(made).text(); }

std::string report_source(std::string_view name, std::string_view text) {
  return one_line({{"name", name}, {"text", text}});
}

}  // namespace jax2onnx::detail
