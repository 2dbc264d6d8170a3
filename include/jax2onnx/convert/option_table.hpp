// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/convert/options.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/error.hpp>

/// The options of a conversion as the tool, the C interface, Python and the page spell them.
namespace jax2onnx::front_end {

/// The settings that options change.
struct settings {
  options conversion;       ///< those of convert()
  emit_options emission;    ///< those of write_model()
  std::string weights_map;  ///< the name of a file
};

/// The form of a value's text.
enum class option_form : std::uint8_t {
  flag,             ///< empty or `on`; `off` for front ends whose flags have values
  on_off,           ///< `on` or `off`
  choice,           ///< one of `values`
  number,           ///< from `least` to `most`
  list,             ///< names with commas between them, from `values` if there are any; empty: none
  size,             ///< `NAME=SIZE`, of a name from `values` if there are any; options add up
  custom_operator,  ///< `PRIMITIVE=DOMAIN:OP`; options add up
  part,             ///< `I/N`
  file,             ///< the name of a file
};

/// How `to_onnx` of the Python package has an option.
enum class in_python : std::uint8_t {
  parameter,  ///< as the parameter `python`, whose value is set as a text
  elsewhere,  ///< as what `python` says, which Python code reads
  absent,
};

/// The value of an option, which has the form of its row.
struct option_value {
  std::string_view text;           ///< as it was given
  std::string_view name;           ///< of a size
  std::int64_t number = 0;         ///< of a size, too
  bool on = false;                 ///< of a choice: whether it is the first one
  std::vector<std::string> items;  ///< of a list
};

/// An option.
struct option_row {
  std::string_view key = {};             ///< of the C interface and in messages; the tool's option is --KEY
  option_form form = option_form::flag;  ///< of its value
  std::string_view group = {};           ///< the heading in --help
  std::string shape = {};                ///< what --help shows as the value; empty: `values`, or nothing for a flag
  std::string meaning = {};              ///< the text in --help
  std::string_view bare = {};            ///< the value of the option without a value, if it can be left out
  std::vector<std::string> values = {};  ///< of a choice, or the names of a list or size
  std::string expected = {};             ///< of a choice: the text of messages instead of `values`
  std::int64_t least = 0;                ///< of a number
  std::int64_t most = 0;                 ///< of a number
  bool reads_models = false;             ///< ONNX files are optimized with it
  bool decides_targets = false;          ///< the tool's --targets depends on it

  in_python python_has = in_python::parameter;            ///< how Python has the option
  std::string_view python = {};                           ///< empty: the key with `_` for `-`
  void (*set)(settings&, const option_value&) = nullptr;  ///< changes the settings

  /// The name of the option's parameter in Python.
  std::string python_name() const;
};

/// All options, group by group, in the order of --help.
std::span<const option_row> option_table();

/// The row of an option; null if there is none.
const option_row* find_option(std::string_view key);

/// Sets an option. Returns what is wrong with the text, or an empty text.
[[nodiscard]] std::string set_option(settings& s, const option_row& row, std::string_view text);

/// Who reads a message.
enum class reader : std::uint8_t { tool, python };

/// Messages of the library name options by their keys, `option dim` or `option dim=B=8`, as the C interface has them.
/// This is a message as another front end spells it. A clause after a semicolon about an option that the front end
/// lacks is left out.
std::string spelled(std::string_view message, reader who);
/// The same for the messages and the help of diagnostics.
std::vector<diagnostic> spelled(std::span<const diagnostic> found, reader who);

/// `word` is not among `values`: what messages say, with the closest value if there are many.
std::string not_among(std::string_view word, std::span<const std::string> values);

}  // namespace jax2onnx::front_end

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/convert/option_table.inl.hpp>
#endif
