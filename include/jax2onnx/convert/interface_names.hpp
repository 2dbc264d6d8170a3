// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>

namespace jax2onnx::detail {

/// The names of a model's inputs or outputs, and which of them are NCHW in the model and NHWC in the text.
class interface_names {
 public:
  /// `side` is `input` or `output`, and `count` is the number of values. `names` are the names of the first values;
  /// `nchw` lists names or indices of values. Throws conversion_error for an invalid, repeated or unknown name, and if
  /// there are more names than values.
  interface_names(std::string_view side, std::size_t count, const std::vector<std::string>& names,
                  const std::vector<std::string>& nchw);

  const std::string& name(std::size_t i) const { return names_[i]; }
  bool is_nchw(std::size_t i) const { return nchw_[i]; }
  /// Throws conversion_error if `other` has one of these names.
  void check_apart_from(const interface_names& other) const;

 private:
  [[noreturn]] static void refuse(std::string message) {
    throw_problem(failure::malformed, "convert.names", std::move(message), {},
                  "names come from option input-names and option output-names, else from the weights file or the "
                  "traced function");
  }
  std::size_t find(const std::string& name_or_number) const;

  std::string_view side_;
  std::vector<std::string> names_;
  text_index numbers_;  // the index of each name
  std::vector<bool> nchw_;
};

inline interface_names::interface_names(std::string_view side, std::size_t count, const std::vector<std::string>& names,
                                        const std::vector<std::string>& nchw)
    : side_(side), names_(names) {
  if (names.size() > count)
    refuse(message("the model has {} {}{}, but {} name{ is|s are} given", count, side, count == 1 ? "" : "s",
                   names.size()));
  names_.resize(count);
  nchw_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (names_[i].empty()) names_[i] = message("{}_{}", side, i);
    if (plain_text(names_[i]) != names_[i])
      refuse(message("the {} name '{}' has a control character or is not UTF-8", side, plain_text(names_[i])));
    if (!numbers_.add(names_[i])) refuse(message("two {}s are called '{}'", side, names_[i]));
  }
  for (const std::string& wanted : nchw) nchw_[find(wanted)] = true;
}

inline std::size_t interface_names::find(const std::string& name_or_number) const {
  if (const std::uint32_t named = numbers_.find(name_or_number); named != text_index::none) return named;
  std::size_t i = 0;
  const char* end = name_or_number.data() + name_or_number.size();
  const auto [stop, error] = std::from_chars(name_or_number.data(), end, i);
  if (error == std::errc() && stop == end && i < names_.size()) return i;
  refuse(message("there is no {} '{}' that could be NCHW: expected a name or an index below {}", side_,
                 plain_text(name_or_number), names_.size()));
}

inline void interface_names::check_apart_from(const interface_names& other) const {
  for (const std::string& name : names_)
    if (other.numbers_.contains(name)) refuse(message("an {} and an {} are called '{}'", other.side_, side_, name));
}

}  // namespace jax2onnx::detail
