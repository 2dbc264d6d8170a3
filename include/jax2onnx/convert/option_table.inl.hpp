// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include <climits>

#include <jax2onnx/convert/option_table.hpp>
#include <jax2onnx/support/edit_distance.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::front_end {
namespace detail {

using jax2onnx::detail::joined_text;
using jax2onnx::detail::message;

inline std::vector<std::string> target_shapes() {
  std::vector<std::string> names;
  for (const target_row& row : target_table) names.emplace_back(row.name);
  return names;
}

inline std::vector<std::string> opset_names() {
  std::vector<std::string> names;
  for (int opset = lowest_opset; opset <= highest_opset; ++opset) names.push_back(std::to_string(opset));
  return names;
}

inline std::vector<std::string> no_fuse_names() {
  const std::vector<std::string_view> rules = rewrite_names();
  std::vector<std::string> names(rules.begin(), rules.end());
  names.emplace_back("all");
  return names;
}

/// The limits of a conversion that are counts, by name.
struct limit_row {
  std::string_view name;
  std::optional<std::uint64_t> lowering_limits::*limit;
};
inline constexpr limit_row counted_limits[] = {{"variables", &lowering_limits::variables},
                                               {"nodes", &lowering_limits::nodes},
                                               {"bytes", &lowering_limits::bytes},
                                               {"terms", &lowering_limits::terms}};

inline void set_limit(settings& s, const option_value& v) {
  const auto number = static_cast<std::uint64_t>(v.number);
  lowering_limits& limits = s.conversion.lowering.limits;
  for (const limit_row& row : counted_limits)
    if (row.name == v.name) limits.*row.limit = number;
  if (v.name == "depth") limits.depth = static_cast<int>(std::min<std::int64_t>(v.number, INT_MAX));
  if (v.name == "output") s.emission.max_bytes = number;
}

inline void set_no_fuse(settings& s, const option_value& v) {
  for (const std::string& name : v.items)
    if (name == "all") s.conversion.rewrites.fuse = false;
    else s.conversion.rewrites.disabled.insert(name);
}

inline constexpr std::string_view named_by_content = "/";  // no file has this name

inline void set_external_data(settings& s, const option_value& v) {
  const bool reference = v.text == "reference";
  s.emission.external.placement = reference ? weights_placement::reference : weights_placement::data_file;
  s.emission.external.file = reference || v.text == named_by_content ? std::string_view() : v.text;
}

/// Makes a row. `set` applies a value to the settings; `more` has the members that are not parameters of this function.
inline option_row row(std::string_view key, option_form form, std::string_view group, std::string shape,
                      std::string meaning, void (*set)(settings&, const option_value&), option_row more = {}) {
  more.key = key;
  more.form = form;
  more.group = group;
  more.shape = std::move(shape);
  more.meaning = std::move(meaning);
  more.set = set;
  return more;
}

inline std::vector<option_row> all_options() {
  using enum option_form;
  const std::vector<std::string> on_or_off = {"on", "off"};
  const std::vector<std::string> limits = {"variables", "nodes", "bytes", "terms", "depth", "output"};
  return {
      row("weights-map", file, "Weights", "FILE", "JSON list of the keys of these arrays, in order",
          [](settings& s, const option_value& v) { s.weights_map = v.text; },
          {.decides_targets = true, .python_has = in_python::elsewhere, .python = "weights"}),
      row("opset", number, "Model", "N",
          message("Version of the operators, {} to {} [{}, or {} if\nthat has all operators of the model]",
                  lowest_opset, highest_opset, default_opset, portable_opset),
          [](settings& s, const option_value& v) { s.conversion.opset = static_cast<int>(v.number); },
          {.values = opset_names(), .least = lowest_opset, .most = highest_opset, .decides_targets = true}),
      row("input-names", list, "Model", "A,B", "Names of the inputs, in order",
          [](settings& s, const option_value& v) { s.conversion.input_names = v.items; },
          {.python_has = in_python::elsewhere}),
      row("output-names", list, "Model", "Y,Z", "Names of the outputs, in order",
          [](settings& s, const option_value& v) { s.conversion.output_names = v.items; },
          {.python_has = in_python::elsewhere}),
      row("inputs-as-nchw", list, "Model", "A,0", "NHWC inputs that become NCHW in the model",
          [](settings& s, const option_value& v) { s.conversion.inputs_as_nchw = v.items; }),
      row("outputs-as-nchw", list, "Model", "Y,0", "NHWC outputs that become NCHW in the model",
          [](settings& s, const option_value& v) { s.conversion.outputs_as_nchw = v.items; }),
      row("dim", size, "Model", "B=4", "Fix a symbolic dimension; repeatable",
          [](settings& s, const option_value& v) { s.conversion.dims.insert_or_assign(std::string(v.name), v.number); },
          {.decides_targets = true, .python = "dims"}),
      row("custom-op", custom_operator, "Model", "PRIMITIVE=DOMAIN:OP",
          "Write a primitive as an operator of another domain,\nwhich an extension of the runtime computes; "
          "repeatable",
          [](settings& s, const option_value& v) {
            auto [primitive, op] = *parse_custom_operator(v.text);
            s.conversion.custom_operators.insert_or_assign(std::move(primitive), std::move(op));
          },
          {.decides_targets = true, .python_has = in_python::elsewhere, .python = "operators="}),
      row("functions", list, "Model", "F,G", "Keep calls of these jitted functions, as functions of the model",
          [](settings& s, const option_value& v) { s.conversion.functions = v.items; }, {.decides_targets = true}),
      row("keep-unsupported", flag, "Model", "", "Write unsupported primitives as operators of the domain jax",
          [](settings& s, const option_value& v) { s.conversion.keep_unsupported = v.on; }, {.decides_targets = true}),
      row("shard", part, "Model", "I/N",
          "Write the model of device I of the N that a shard_map or pmap\nhas, with collectives as operators",
          [](settings& s, const option_value& v) { s.conversion.shard = parse_shard(v.text); },
          {.decides_targets = true}),
      row("target", choice, "Model", joined_text(target_shapes(), "|"),
          "The runtime of the model [portable: all runtimes that can run it];\nort is the fastest form for ONNX "
          "Runtime, ort@1.32 for 1.32 and newer;\ngeneric: the operators of the standard, without casts",
          [](settings& s, const option_value& v) { s.conversion.rewrites.target = *target_named(v.text); },
          {.values = target_names(), .expected = target_forms(), .reads_models = true}),
      row("limit", size, "Model", "NAME=N",
          message("Resource limits for untrusted input: {};\nrepeatable", joined_text(limits, ", ")), set_limit,
          {.values = limits, .decides_targets = true, .python_has = in_python::absent}),
      row("threefry-partitionable", on_off, "Model", "", "JAX's setting jax_threefry_partitionable, if not its default",
          [](settings& s, const option_value& v) { s.conversion.lowering.partitionable_keys = v.on; },
          {.values = on_or_off, .decides_targets = true, .python_has = in_python::elsewhere}),
      row("no-fuse", list, "Optimization", "[=RULE,..]",
          "Do not fuse operators (to LayerNormalization, Gelu, Attention, ...);\n=RULE,.. "
          "skips single rules",
          set_no_fuse, {.bare = "all", .values = no_fuse_names(), .reads_models = true, .decides_targets = true}),
      row("unroll", number, "Optimization", "N",
          "Unroll loops of up to N iterations, 512 nodes in all;\ndefault: what suits the target",
          [](settings& s, const option_value& v) { s.conversion.rewrites.unroll = v.number; },
          {.least = 0, .most = 256, .reads_models = true, .decides_targets = true}),
      row("assume-finite", flag, "Optimization", "",
          "Assume that no input and no weight is NaN or infinite;\nthe model gets smaller",
          [](settings& s, const option_value& v) {
            s.conversion.assume_finite = s.conversion.rewrites.assume_finite = v.on;
          },
          {.reads_models = true, .decides_targets = true}),
      row("weight-format", choice, "Optimization", "",
          "Store weights of float32 in fewer bits;\nint8, int4: only weights of products and lookups",
          [](settings& s, const option_value& v) {
            s.conversion.rewrites.weight_format = *weight_format_named(v.text);
          },
          {.values = weight_format_names(), .reads_models = true}),
      row("compute", choice, "Optimization", "",
          "float16: compute float32 operators in float16, except those that\nwould lose too much precision; inputs and "
          "outputs keep "
          "their types",
          [](settings& s, const option_value& v) { s.conversion.rewrites.compute = *compute_type_named(v.text); },
          {.values = compute_type_names(), .reads_models = true}),
      row("external-data", file, "Output", "[=FILE]",
          "Weights in a separate file next to the model;\n=reference points into the weights file", set_external_data,
          {.bare = named_by_content,
           .reads_models = true,
           .python_has = in_python::elsewhere,
           .python = "Model.save(external_data=True)"}),
      row("shape-info", on_off, "Output", "", "Store the types of intermediate values [on]",
          [](settings& s, const option_value& v) { s.emission.shape_info = v.on; },
          {.values = on_or_off, .reads_models = true, .python_has = in_python::absent}),
      row("sharding-info", on_off, "Output", "",
          "State how tensors are divided among devices, as the program\ndoes [off]",
          [](settings& s, const option_value& v) { s.conversion.sharding_info = v.on; }, {.values = on_or_off}),
      row("source-info", choice, "Output", "", "Store the Python source of nodes, if the text has it [keep]",
          [](settings& s, const option_value& v) { s.emission.source_info = v.on; },
          {.values = {"keep", "strip"}, .reads_models = true, .python_has = in_python::elsewhere}),
  };
}

inline bool is_among(std::string_view word, const std::vector<std::string>& values) {
  return values.empty() || std::ranges::find(values, word) != values.end();
}

/// The number that the whole text states; nullopt if the text is not a number.
inline std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Splits `text` at commas. Returns the position, counted from 1, of the first empty item; 0 if no item is empty.
inline std::size_t split(std::string_view text, std::vector<std::string>& items) {
  for (std::size_t at = 0; at <= text.size(); at += items.back().size() + 1)
    if (items.emplace_back(text.substr(at, text.find(',', at) - at)).empty()) return items.size();
  return 0;
}

/// Reads a value by the form of its row. Returns a message if it is not valid, else an empty string.
inline std::string read(const option_row& row, option_value& v) {
  const auto expected = [&](const std::string& what) { return message("expected {}, found '{}'", what, v.text); };
  switch (row.form) {
    case option_form::flag:
      v.on = v.text != "off";
      return v.text.empty() || v.text == "on" || !v.on ? "" : expected("on, off");
    case option_form::on_off:
    case option_form::choice:
      v.on = v.text == row.values.front();
      if (is_among(v.text, row.values)) return {};
      return row.expected.empty() ? not_among(v.text, row.values) : expected(row.expected);
    case option_form::number: {
      const auto number = number_of(v.text);
      v.number = number.value_or(0);
      const bool fits = number && row.least <= v.number && v.number <= row.most;
      return fits ? "" : expected(message("a number from {} to {}", row.least, row.most));
    }
    case option_form::list:
      if (v.text.empty()) return {};
      if (const std::size_t i = split(v.text, v.items); i > 0) return message("name {} of '{}' is empty", i, v.text);
      for (const std::string& item : v.items)
        if (!is_among(item, row.values)) return not_among(item, row.values);
      return {};
    case option_form::size: {
      const std::size_t equals = std::min(v.text.find('='), v.text.size());
      const auto number = number_of(v.text.substr(std::min(equals + 1, v.text.size())));
      v.name = v.text.substr(0, equals);
      v.number = number.value_or(-1);
      if (equals == 0 || v.number < 0) return expected("one NAME=SIZE with a size of 0 or more");
      return is_among(v.name, row.values) ? "" : not_among(v.name, row.values);
    }
    case option_form::custom_operator: return parse_custom_operator(v.text) ? "" : expected(row.shape);
    case option_form::part: return parse_shard(v.text) ? "" : expected(row.shape + " with I from 0 to N - 1");
    case option_form::file: break;
  }
  return {};
}

/// An option as it is written in Python, `weight_format='int8'`. Returns only the name if the value is empty, or if
/// `to_onnx` has no such parameter.
inline std::string python_spelling(const option_row& row, std::string_view value) {
  std::string name = row.python_name();
  if (value.empty() || row.python_has != in_python::parameter) return name;
  const std::size_t equals = value.find('='), slash = value.find('/');
  switch (row.form) {
    case option_form::number: return message("{}={}", name, value);
    case option_form::size:
      return message("{}={}'{}': {}}", name, '{', value.substr(0, equals), value.substr(equals + 1));
    case option_form::part: return message("{}=({}, {})", name, value.substr(0, slash), value.substr(slash + 1));
    case option_form::flag:
    case option_form::on_off: return message("{}={}", name, value == "on" ? "True" : "False");
    default: return message("{}='{}'", name, value);
  }
}

}  // namespace detail

JAX2ONNX_INLINE std::string option_row::python_name() const {
  std::string name(python.empty() ? key : python);
  if (python.empty()) std::ranges::replace(name, '-', '_');
  return name;
}

JAX2ONNX_INLINE std::span<const option_row> option_table() {
  static const std::vector<option_row> rows = detail::all_options();
  return rows;
}

JAX2ONNX_INLINE const option_row* find_option(std::string_view key) {
  const std::span<const option_row> rows = option_table();
  const auto row = std::ranges::find(rows, key, &option_row::key);
  return row == rows.end() ? nullptr : &*row;
}

JAX2ONNX_INLINE std::string set_option(settings& s, const option_row& row, std::string_view text) {
  option_value v{.text = text.empty() ? row.bare : text, .name = {}, .items = {}};
  std::string problem = detail::read(row, v);
  if (problem.empty()) row.set(s, v);
  return problem;
}

JAX2ONNX_INLINE std::string not_among(std::string_view word, std::span<const std::string> values) {
  constexpr std::size_t few = 8;
  if (values.size() <= few) return detail::message("expected {}, found '{}'", detail::joined_text(values, ", "), word);
  const std::string meant = jax2onnx::detail::closest(word, values);
  return detail::message("there is no '{}'", word) +
         (meant.empty() ? "" : detail::message(", did you mean '{}'?", meant));
}

JAX2ONNX_INLINE std::string spelled(std::string_view text, reader who) {
  constexpr std::string_view marker = "option ", clause = "; ", letters = "abcdefghijklmnopqrstuvwxyz-";
  std::string out;
  while (true) {
    const std::size_t at = std::min(text.find(marker), text.size());
    out += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) return out;
    text.remove_prefix(marker.size());
    const std::string_view key = text.substr(0, text.find_first_not_of(letters));
    const option_row* row = find_option(key);
    if (!row) {
      out += marker;
      continue;
    }
    text.remove_prefix(key.size());
    std::string_view value;
    if (text.starts_with('=')) {
      value = text.substr(1, text.find_first_of(" ,;)", 1) - 1);
      text.remove_prefix(1 + value.size());
    }
    if (who == reader::tool) {
      out += detail::message("--{}{}{}", key, value.empty() ? "" : row->bare.empty() ? " " : "=", value);
    } else if (row->python_has != in_python::absent) {
      out += detail::python_spelling(*row, value);
    } else {
      out.erase(std::min(out.rfind(clause), out.size()));
      text.remove_prefix(std::min(text.find(clause), text.size()));
    }
  }
}

JAX2ONNX_INLINE std::vector<diagnostic> spelled(std::span<const diagnostic> found, reader who) {
  std::vector<diagnostic> out(found.begin(), found.end());
  for (diagnostic& d : out) {
    d.message = spelled(d.message, who);
    d.help = spelled(d.help, who);
    d.notes = spelled(d.notes, who);
  }
  return out;
}

}  // namespace jax2onnx::front_end
