// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx::lower {

/// Converts parameter values of the text to C++ values. Throws unsupported_error at the value if it has another type.
class param_decoder {
 public:
  param_decoder(graph& g, std::string_view text) : graph_(g), text_(text) {}

  /// The span of `part`, which views the text.
  jaxpr::span span_of(std::string_view part) const { return jaxpr::span_of(part, text_); }
  /// Throws unsupported_error, which says that `v` is not what was `expected`.
  [[noreturn]] void mismatch(const jaxpr::value& v, std::string_view expected) const {
    throw unsupported_error(detail::message("expected {}, found '{}'", expected, v.text.substr(0, 60)),
                            span_of(v.text));
  }

  /// `v` as a T: bool, std::int64_t, double, dim, std::string_view (as printed), element, const jaxpr::body*, or a
  /// container of these.
  template <class T>
  T decode(const jaxpr::value& v) const {
    using kind = jaxpr::value::kind;
    if constexpr (std::is_same_v<T, bool>) {
      if (v.tag == kind::integer) return v.integer != 0;
      if (v.tag != kind::boolean) mismatch(v, "True or False");
      return v.flag;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      if (v.tag != kind::integer) mismatch(v, "an integer");
      return v.integer;
    } else if constexpr (std::is_same_v<T, double>) {
      if (v.tag != kind::floating && v.tag != kind::integer) mismatch(v, "a number");
      return v.floating;
    } else if constexpr (std::is_same_v<T, dim>) {
      return dimension(v);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return v.text;
    } else if constexpr (std::is_same_v<T, element>) {
      return element_named(type_name(v.text));
    } else if constexpr (std::is_same_v<T, const jaxpr::body*>) {
      if (v.tag != kind::body) mismatch(v, "a jaxpr");
      return v.body;
    } else {
      using item = typename T::value_type;
      T out;
      if (v.tag != kind::tuple && v.tag != kind::sequence) {
        if constexpr (std::is_same_v<item, std::int64_t>)
          if (const auto axes = axes_in_range(v)) return T(axes->begin(), axes->end());
        mismatch(v, "a tuple");
      }
      for (const jaxpr::value& i : v.items) out.push_back(decode<item>(i));
      return out;
    }
  }

 private:
  /// The type in `<class 'jax.numpy.float32'>`, which JAX prints if the program uses jnp.float32. Any other text is
  /// returned as it is.
  static std::string_view type_name(std::string_view text) {
    constexpr std::string_view before = "<class 'jax.numpy.", after = "'>";
    if (!text.starts_with(before) || !text.ends_with(after)) return text;
    return text.substr(before.size(), text.size() - before.size() - after.size());
  }
  /// The numbers of Python's `range(1, 3)`, which programs may have in place of a tuple of axes; nullopt for other
  /// values.
  static std::optional<std::vector<std::int64_t>> axes_in_range(const jaxpr::value& v) {
    constexpr std::int64_t most = 256;  // maximum rank of an array
    const auto is_small = [](const jaxpr::value& x) {
      return x.tag == jaxpr::value::kind::integer && -most <= x.integer && x.integer <= most;
    };
    if (v.tag != jaxpr::value::kind::call || v.callee != "range" || v.items.size() < 2 || v.items.size() > 3 ||
        !v.keywords.empty() || !item_loops::all_of(v.items, is_small))
      return std::nullopt;
    const std::int64_t step = v.items.size() == 3 ? v.items[2].integer : 1, end = v.items[1].integer;
    std::vector<std::int64_t> axes;
    if (step == 0) return std::nullopt;
    for (std::int64_t axis = v.items[0].integer; step > 0 ? axis < end : axis > end; axis += step) axes.push_back(axis);
    return axes;
  }
  dim dimension(const jaxpr::value& v) const {
    using kind = jaxpr::value::kind;
    if (v.tag == kind::integer) return v.integer;
    if (v.tag != kind::name && v.tag != kind::raw && v.tag != kind::call) mismatch(v, "a dimension");
    try {
      return graph_.dims().parse(v.text);
    } catch (const build_error& e) {
      throw unsupported_error(e.what(), span_of(v.text));
    }
  }

  graph& graph_;
  std::string_view text_;
};

/// Argument `key` of a call such as GatherDimensionNumbers(offset_dims=(1,)); null if it is missing.
inline const jaxpr::value* keyword(const jaxpr::value& call, std::string_view key) {
  for (const jaxpr::keyword_value& k : call.keywords)
    if (k.key == key) return &k.val;
  return nullptr;
}

}  // namespace jax2onnx::lower
