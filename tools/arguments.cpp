#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

namespace cli {
namespace {

constexpr const char* examples = R"(Examples:
  jax2onnx model.jaxpr                          # model.onnx; closed-over arrays become inputs
  jax2onnx model.jaxpr -w weights.npz -o net.onnx
  jax2onnx model.jaxpr -w model.safetensors --external-data --dim B=8
  jax2onnx model.jaxpr --inspect                # what is in it, and what has no lowering
  cat model.jaxpr | jax2onnx - -o - > net.onnx

Exit codes: 0 ok, 1 usage, 2 malformed input, 3 unsupported primitive, 4 input or output,
6 refused as unsafe or over a limit, 70 internal error.)";

/// What a long option means that stands without its optional `=value`.
struct bare_option {
  std::string_view name, value;
};
constexpr bare_option bare_options[] = {{"--external-data", "data"}, {"--list-primitives", "text"}, {"--no-fuse", "all"}, {"--report", "-"}};

/// Long options may be spelt with `_` for `-`; those of `bare_options` get their value.
std::string normalized(std::string_view argument) {
  std::string text(argument);
  if (!text.starts_with("--")) return text;
  std::replace(text.begin(), std::find(text.begin(), text.end(), '='), '_', '-');
  for (const auto& [name, value] : bare_options)
    if (text == name) return fmt::format("{}={}", name, value);
  return text;
}

/// `B=4` into `dims`.
void add_dim(const std::string& text, std::map<std::string, std::int64_t>& dims) {
  const std::size_t equals = text.find('=');
  std::int64_t extent = -1;
  if (equals != std::string::npos && equals > 0) {
    const auto [end, error] = std::from_chars(text.data() + equals + 1, text.data() + text.size(), extent);
    if (error != std::errc() || end != text.data() + text.size()) extent = -1;
  }
  if (extent < 0) throw CLI::ValidationError("--dim", fmt::format("expected NAME=SIZE, found '{}'", text));
  dims[text.substr(0, equals)] = extent;
}

/// One option group after another, in the order in which help shows them.
class command_line {
 public:
  command_line() {
    app.set_version_flag("--version", fmt::format("jax2onnx {}", JAX2ONNX_VERSION));
    app.footer(examples);
    app.get_formatter()->column_width(30);
    app.add_option("MODEL", into.model, "The printed jaxpr; - for standard input")->option_text(" ");
    add_input();
    add_graph();
    add_output();
    add_reports();
  }

  /// What CLI11 cannot check by itself.
  void finish() {
    const bool needs_model = into.list_primitives.empty() && into.completion.empty();
    if (needs_model && into.model.empty()) throw CLI::RequiredError("MODEL");
    for (const std::string& text : dim_texts) add_dim(text, into.dims);
    if (!partitionable.empty()) into.threefry_partitionable = partitionable == "on";
    into.shape_info = shape_info == "on";
    into.keep_source_info = source_info == "keep";
    into.verbosity = quiet ? 0 : verbose ? 2 : 1;
    if (into.output.empty() && (into.model == "-" || into.emit == "text")) into.output = "-";
  }

  CLI::App app{"Converts the text of a JAX jaxpr to ONNX.", "jax2onnx"};
  arguments into;

 private:
  void add_input() {
    app.add_option("-w,--weights", into.weights, "Closed-over arrays, .npz or .safetensors; repeatable")
        ->option_text("FILE")
        ->allow_extra_args(false);
    app.add_option("--weights-map", into.weights_map, "JSON list: the key of every closed-over array, in order")
        ->option_text("FILE");
  }
  CLI::Option* add_list(const char* name, std::vector<std::string>& list, const char* shape, const char* meaning) {
    return app.add_option(name, list, meaning)->delimiter(',')->option_text(shape)->allow_extra_args(false);
  }
  void add_graph() {
    const auto [lowest, highest, preferred] = opsets();
    app.add_option("--opset", into.opset, fmt::format("Version of the operators, {} to {} [{}]", lowest, highest, preferred))
        ->default_val(preferred)
        ->check(CLI::Range(lowest, highest))
        ->option_text("N");
    add_list("--input-names", into.input_names, "A,B", "Names of the inputs, in order");
    add_list("--output-names", into.output_names, "Y,Z", "Names of the outputs, in order");
    add_list("--inputs-as-nchw", into.inputs_as_nchw, "A,0", "NHWC inputs that the model takes as NCHW");
    add_list("--outputs-as-nchw", into.outputs_as_nchw, "Y,0", "NHWC outputs that the model gives as NCHW");
    std::vector<std::string> rewrites = rewrite_names();
    rewrites.emplace_back("all");
    add_list("--no-fuse", into.no_fuse, "[=RULE,..]", "Leave operators as JAX has taken them apart")->check(CLI::IsMember(rewrites));
    app.add_option("--target", into.target, "Add casts that ONNX Runtime's CPU kernels need, or none")
        ->check(CLI::IsMember({"ort", "generic"}))
        ->option_text("ort|generic");
    app.add_option("--threefry-partitionable", partitionable, "jax_threefry_partitionable, where it was not the default")
        ->check(CLI::IsMember({"on", "off"}))
        ->option_text("on|off");
    app.add_option("--dim", dim_texts, "Fixes a symbolic dimension; repeatable")->option_text("B=4")->allow_extra_args(false);
  }
  void add_output() {
    app.add_option("-o,--output", into.output, "The model; - for standard output; MODEL.onnx if absent")->option_text("FILE");
    app.add_option("--emit", into.emit, "Write a model, or ONNX's textual syntax")
        ->check(CLI::IsMember({"onnx", "text"}))
        ->option_text("onnx|text");
    app.add_option("--external-data", into.external_data,
                   "Weights in a file of their own, or that of the name;\n=reference points into the weights file")
        ->option_text("[=FILE]");
    app.add_option("--shape-info", shape_info, "Types of intermediate values")->check(CLI::IsMember({"on", "off"}))->option_text("on|off");
    app.add_option("--source-info", source_info, "The nodes' Python source, where the text has it")
        ->check(CLI::IsMember({"keep", "strip"}))
        ->option_text("keep|strip");
    app.add_flag("--check", into.check, "Convert, write nothing");
  }
  void add_reports() {
    app.add_flag("--inspect", into.inspect, "Print what the text contains; convert nothing");
    app.add_flag("--dump-jaxpr", into.dump_jaxpr, "Print the text as understood; convert nothing");
    app.add_option("--list-primitives", into.list_primitives, "Print what can be converted; =markdown as a table")
        ->option_text("[=markdown]");
    app.add_option("--report", into.report, "Report on standard output, or to FILE.md or FILE.json")
        ->option_text("[=FILE]");
    app.add_option("--completion", into.completion, "Print a completion script for a shell")->check(CLI::IsMember({"bash", "zsh", "fish"}))->option_text("bash|zsh|fish");
    app.add_option("--color", into.color, "Colours on standard error")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->option_text("auto|always|never");
    app.add_flag("-v,--verbose", verbose, "All problems, counts of nodes, times");
    app.add_flag("-q,--quiet", quiet, "Errors only");
  }

  std::vector<std::string> dim_texts;
  std::string shape_info = "on", source_info = "keep", partitionable;
  bool verbose = false, quiet = false;
};

}  // namespace

std::variant<arguments, exit_code> parse_arguments(int argc, const char* const* argv) {
  command_line line;
  std::vector<std::string> reversed;  // as CLI11 wants them
  for (int i = argc - 1; i > 0; --i) reversed.push_back(normalized(argv[i]));
  try {
    line.app.parse(reversed);
    line.finish();
  } catch (const CLI::Success& asked) {
    line.app.exit(asked);
    return exit_code::ok;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "jax2onnx: error: {}\n  = help: jax2onnx --help\n", error.what());
    return exit_code::usage;
  }
  return line.into;
}

std::vector<std::string> long_options() {
  const command_line line;
  std::vector<std::string> names;
  for (const CLI::Option* option : line.app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace cli
