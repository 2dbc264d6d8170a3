#pragma once

#include "exit_code.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <jax2onnx/convert/options.hpp>

namespace cli {

/// --external-data without a file: no file has this name.
inline constexpr const char* named_by_content = "/";

/// The command line, checked for form.
struct arguments {
  std::string model;   ///< `-`: standard input; an ONNX file where `is_model_file` says so
  std::string output;  ///< `-`: standard output
  std::vector<std::string> weights;
  std::string weights_map;
  std::optional<int> opset;
  std::vector<std::string> input_names, output_names;
  std::vector<std::string> inputs_as_nchw, outputs_as_nchw;  ///< names or numbers
  std::map<std::string, std::int64_t> dims;
  std::map<std::string, std::int64_t> limits;                   ///< by name
  std::map<std::string, jax2onnx::domain_operator> custom_ops;  ///< by primitive
  bool keep_unsupported = false;
  std::optional<jax2onnx::shard_choice> shard;
  std::vector<std::string> no_fuse;            ///< names of rewrites, or `all`
  std::optional<bool> threefry_partitionable;  ///< of the JAX that printed; absent: its default
  std::string target = "portable";             ///< a name that `target_named` knows
  /// Empty: none; `named_by_content`: beside the model; `reference`: the weights' own file; else a file.
  std::string external_data;
  std::optional<std::int64_t> unroll;
  bool assume_finite = false;
  std::string weight_format;  ///< empty: as they are
  bool shape_info = true;
  bool keep_source_info = true;
  bool sharding_info = false;
  bool dry_run = false;
  bool check = false;
  bool inspect = false;
  bool optimize = false;  ///< the first word says so
  bool dump_jaxpr = false;
  bool targets = false;
  bool json = false;                     ///< of --inspect, --targets and the lists
  std::string emit = "onnx";             ///< or `text`: ONNX's textual syntax
  std::string list_primitives;           ///< empty, `text`, `markdown` or `json`
  std::string list_rewrites;             ///< likewise
  std::string completion;                ///< a shell's name
  std::string report;                    ///< empty: none; `-`: standard output
  std::vector<std::string> report_diff;  ///< two reports to compare, or none
  std::string color = "auto";
  int verbosity = 1;  ///< 0 with -q, 2 with -v

  /// The files that are read.
  std::vector<std::string> inputs() const;
  /// The external data file that --external-data=FILE names; empty if it names none.
  std::string data_file() const;
};

/// What --opset may be.
struct opset_range {
  int lowest, highest, preferred, portable;
};
opset_range opsets();

/// The rewrites that --no-fuse may name.
std::vector<std::string> rewrite_names();

/// What --limit may name.
std::vector<std::string> limit_names();

/// What --help or --version asks for.
struct shown_text {
  std::string text;
};

/// The arguments, the text that they ask for, or the code to leave with after a usage error.
std::variant<arguments, shown_text, exit_code> parse_arguments(int argc, const char* const* argv);

/// An option, for shell completion.
struct option_summary {
  std::string name;        ///< `--opset`
  std::string short_name;  ///< `-o`, or empty
  std::string meaning;
  bool takes_value;
  std::vector<std::string> choices;  ///< all values that it can have, where they are few
};
std::vector<option_summary> option_summaries();

}  // namespace cli
