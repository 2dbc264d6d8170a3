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
  options conversion;       ///< options of convert()
  emit_options emission;    ///< options of write_model()
  std::string weights_map;  ///< the file that the option weights-map names
};

/// The form of a value's text.
enum class option_form : std::uint8_t {
  flag,             ///< empty or `on`, or `off` in front ends whose flags have values
  on_off,           ///< `on` or `off`
  choice,           ///< one of `values`
  number,           ///< a number from `least` to `most`
  list,             ///< names separated by commas, from `values` if there are any; an empty string means none
  size,             ///< `NAME=SIZE`, with a name from `values` if there are any; may be given several times
  custom_operator,  ///< `PRIMITIVE=DOMAIN:OP`; may be given several times
  part,             ///< `I/N`
  file,             ///< the name of a file
};

/// The way in which an option is given to `to_onnx` of the Python package.
enum class in_python : std::uint8_t {
  parameter,  ///< by the parameter python_name(), whose value is converted to a string
  elsewhere,  ///< in another way, which python_name() names
  absent,
};

/// The value of an option, read by the form of its row.
struct option_value {
  std::string_view text;           ///< the value as the user wrote it, or `bare` if the user wrote none
  std::string_view name;           ///< the name in a size
  std::int64_t number = 0;         ///< the number, or the number in a size
  bool on = false;                 ///< true for a flag except `off`, and for the first of `values`
  std::vector<std::string> items;  ///< the items of a list
};

/// An option.
struct option_row {
  std::string_view key = {};             ///< the name in the C interface and in messages; the tool's option is --KEY
  option_form form = option_form::flag;  ///< the form of its value
  std::string_view group = {};           ///< the heading in --help
  std::string shape = {};                ///< the value in --help; if empty, --help shows `values`
  std::string meaning = {};              ///< the text in --help
  std::string_view bare = {};            ///< the value if none is given; empty for flags and required values
  std::vector<std::string> values = {};  ///< the values of a choice, or the names of a list or size
  std::string expected = {};             ///< for a choice, the words that messages use in place of the list of `values`
  std::int64_t least = 0;                ///< the smallest value of a number
  std::int64_t most = 0;                 ///< the largest value of a number
  bool reads_models = false;             ///< true if the option also applies when an ONNX file is optimized
  bool decides_targets = false;          ///< true if the tool's --targets depends on the option

  in_python python_has = in_python::parameter;            ///< how the option is given in Python
  std::string_view python = {};                           ///< the name in Python; see python_name()
  void (*set)(settings&, const option_value&) = nullptr;  ///< changes the settings

  /// The name by which Python users give the option: `python`, or the key with `_` for `-` if `python` is empty.
  std::string python_name() const;
};

/// All options, group by group, in the order of --help.
std::span<const option_row> option_table();

/// The row of an option; null if there is none.
const option_row* find_option(std::string_view key);

/// Sets an option. Returns a message if the text is not valid, else an empty string.
[[nodiscard]] std::string set_option(settings& s, const option_row& row, std::string_view text);

/// The readers of a message, who spell options differently.
enum class reader : std::uint8_t { tool, python };

/// Spells a message of the library for another front end. The library names options by their keys, as the C interface
/// does: `option dim` or `option dim=B=8`. Omits a clause after a semicolon if it names an option that the front end
/// lacks.
std::string spelled(std::string_view message, reader who);
/// Spells the messages and the help of diagnostics for another front end.
std::vector<diagnostic> spelled(std::span<const diagnostic> found, reader who);

/// The message that `word` is not among `values`. The message lists the values if they are few. Otherwise, it suggests
/// the closest value, if one is close.
std::string not_among(std::string_view word, std::span<const std::string> values);

}  // namespace jax2onnx::front_end

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/convert/option_table.inl.hpp>
#endif
