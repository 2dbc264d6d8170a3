// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exit_code.hpp"

#include <string>
#include <variant>
#include <vector>

#include <jax2onnx/convert/option_table.hpp>

namespace cli {

/// The arguments for one model, after the checks of the command line.
struct arguments {
  /// The input file: `-` for standard input, empty if no model is read. is_model_file() tells whether the input is an
  /// ONNX file.
  std::string model;
  bool one_of_several = false;
  std::string output;         ///< the output file; `-` for standard output
  bool makes_folder = false;  ///< true if --output names a folder, DIR/, which may have to be created
  std::vector<std::string> weights;
  jax2onnx::front_end::settings given;  ///< the settings of the options that all front ends share
  std::string target = "portable";      ///< the name of the target in `given`
  bool dry_run = false;
  bool check = false;
  bool inspect = false;
  bool optimize = false;  ///< true if the first argument is `optimize`
  bool dump_jaxpr = false;
  bool targets = false;
  bool json = false;                     ///< true if --inspect, --targets or a list prints JSON
  std::string emit = "onnx";             ///< the form of the model: `onnx`, or `text` for ONNX's textual syntax
  std::string list_primitives;           ///< empty, `text`, `markdown` or `json`
  std::string list_rewrites;             ///< empty, `text`, `markdown` or `json`
  std::string completion;                ///< a shell's name
  std::string report;                    ///< the report file; empty if there is none, `-` for standard output
  std::vector<std::string> report_diff;  ///< two reports to compare, or none
  std::string color = "auto";
  int verbosity = 1;  ///< 0 with -q, 2 with -v

  /// The names of all files that are read.
  std::vector<std::string> inputs() const;
  /// The external data file that --external-data=FILE names; empty if the option names no file.
  std::string data_file() const;
};

/// The text that --help or --version prints.
struct shown_text {
  std::string text;
};

/// Parses the command line. Returns the arguments for each model, the text that --help or --version asks for, or the
/// exit code after a usage error.
std::variant<std::vector<arguments>, shown_text, exit_code> parse_arguments(int argc, const char* const* argv);

/// An option, for shell completion.
struct option_summary {
  std::string name;        ///< `--opset`
  std::string short_name;  ///< `-o`, or empty
  std::string meaning;
  bool takes_value;
  bool may_be_bare;  ///< the value is optional, and follows a `=` if given
  bool repeatable;
  std::vector<std::string> choices;  ///< all possible values, if they are few
};
std::vector<option_summary> option_summaries();

}  // namespace cli
