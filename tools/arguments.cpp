// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include "model_file.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/support/edit_distance.hpp>
#include <jax2onnx/version.hpp>
#include <jaxpr/escape.hpp>

namespace cli {
namespace {

using namespace jax2onnx::front_end;

constexpr const char* examples = R"(Examples:
  jax2onnx model.jaxpr                          # model.onnx; closed-over arrays become inputs
  jax2onnx model.jaxpr -w weights.npz -o net.onnx
  jax2onnx model.jaxpr -w model.safetensors --external-data --dim B=8
  jax2onnx model.jaxpr --inspect                # its contents, and unsupported primitives
  jax2onnx prefill.jaxpr decode.jaxpr -o models/    # several, into a folder
  cat model.jaxpr | jax2onnx -o - > net.onnx
  jax2onnx export my_model:forward --args 'f32[B,8]'   # a function, with the Python package
  jax2onnx optimize big.onnx -o small.onnx      # an ONNX file of any origin
  jax2onnx inspect model.onnx                   # its contents, and where it runs

Exit codes: 0 ok, 1 usage, 2 malformed input, 3 unsupported primitive, 4 input or output,
6 refused as unsafe or over a limit, 70 internal error.)";

/// The values that long options take if they are given without their optional `=value`, by the name of the option.
const std::map<std::string, std::string, std::less<>>& bare_options() {
  static const auto all = [] {
    std::map<std::string, std::string, std::less<>> found = {
        {"--list-primitives", "text"}, {"--list-rewrites", "text"}, {"--report", "-"}};
    for (const option_row& row : option_table())
      if (!row.bare.empty()) found.emplace(fmt::format("--{}", row.key), row.bare);
    return found;
  }();
  return all;
}

/// The argument with `-` for each `_` in the name of a long option. An option of bare_options() that has no value gets
/// the value from there. Throws if nothing follows the `=` of a long option.
std::string normalized(std::string_view argument) {
  std::string text(argument);
  if (!text.starts_with("--")) return text;
  const auto equals = std::find(text.begin(), text.end(), '=');
  std::replace(text.begin(), equals, '_', '-');
  if (equals != text.end() && equals + 1 == text.end())
    throw CLI::ValidationError(text.substr(0, text.size() - 1), "a value must follow the =");
  const auto bare = bare_options().find(text);
  return bare == bare_options().end() ? text : fmt::format("{}={}", text, bare->second);
}

/// The first argument if it is `export`, `optimize` or `inspect` and another argument follows; otherwise empty.
std::string_view first_word(int argc, const char* const* argv) {
  const std::string_view word = argc > 2 ? argv[1] : "";
  return word == "export" || word == "optimize" || word == "inspect" ? word : std::string_view();
}

/// The arguments in the order in which CLI11 takes them, the last argument first. After `--` all arguments are file
/// names. A first argument `inspect` becomes --inspect; `export` and `optimize` are dropped.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool files = false;
  const std::string_view first = first_word(argc, argv);
  if (first == "inspect") arguments.emplace_back("--inspect");
  for (int i = first.empty() ? 1 : 2; i < argc; ++i) {
    files = files || std::string_view(argv[i]) == "--";
    arguments.push_back(files ? argv[i] : normalized(argv[i]));
  }
  std::ranges::reverse(arguments);
  return arguments;
}

/// `; the value of --report follows a =: --report=r.md`, if an argument seems to be the value of the option before it;
/// otherwise empty.
std::string separate_value(const std::string& argument, int argc, const char* const* argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string_view option = argv[i - 1], value = argv[i];
    if (value == argument && bare_options().contains(option) && !value.starts_with("-") && !value.ends_with(".jaxpr"))
      return fmt::format("; the value of {} follows a =: {}={}", option, option, value);
  }
  return {};
}

/// A validator that accepts only the given values.
CLI::Validator one_of(const std::vector<std::string>& values) {
  const auto check = [values](const std::string& found) {
    return std::ranges::find(values, found) == values.end() ? not_among(found, values) : std::string();
  };
  return {check, ""};
}

/// A validator for the name of a file. Refuses an empty name. Refuses an option, since the name before the option was
/// probably forgotten.
CLI::Validator no_option() {
  const auto check = [](const std::string& found) -> std::string {
    if (found.empty()) return "expected a file, found an empty name";
    if (found.size() == 1 || found[0] != '-') return {};
    return fmt::format("expected a file, found the option '{}' (a file of this name is ./{})", found, found);
  };
  return {check, ""};
}

/// True if `file` is only the name of a format, as in `--report=json`.
bool is_format_name(std::string_view file) {
  constexpr std::string_view names[] = {"html", "json", "markdown", "md"};
  return std::ranges::find(names, file.substr(file.starts_with("."))) != std::end(names);
}

bool is_terminal() { return jax2onnx::platform::is_terminal(jax2onnx::platform::standard_output); }

/// The input's name with `.onnx` in place of `.jaxpr`. Any other name that does not end in `.onnx` gets this ending.
std::string default_output(std::string_view model) {
  for (const std::string_view extension : {".jaxpr", ".onnx"})
    if (model.ends_with(extension)) return fmt::format("{}.onnx", model.substr(0, model.size() - extension.size()));
  return fmt::format("{}.onnx", model);
}

/// The file of the model in `folder`. Throws for standard input, which has no name.
std::string in_folder(const std::string& folder, const std::string& model) {
  if (model == "-") throw CLI::ValidationError("--output", "names a folder; standard input needs a file: -o FILE");
  return (std::filesystem::path(folder) / std::filesystem::path(default_output(model)).filename()).string();
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code none;
  const auto real = [&](const std::filesystem::path& p) { return weakly_canonical(absolute(p, none), none); };
  return real(a) == real(b);
}

/// The options of the command line. The constructor adds their groups in the order in which --help shows them.
class command_line {
 public:
  command_line() {
    app.allow_windows_style_options(false);  // /a/file is not an option
    app.set_version_flag("--version", "jax2onnx " JAX2ONNX_VERSION_STRING);
    app.footer(examples);
    app.get_formatter()->column_width(30);
    app.add_option("MODEL", models, "Printed jaxprs; - for standard input, which is read if nothing is named")
        ->option_text("...");
    add_weights();
    add_rows("Model");
    add_rows("Optimization");
    add_output();
    add_modes();
    add_reports();
    for (CLI::Option* o : app.get_options())
      if (o->get_items_expected_max() == 0) o->disable_flag_override();
  }

  /// Refuses `-opset`, which CLI11 would read as `-o pset`, and `-o=file`, which CLI11 would read as a file `=file`.
  void check_dashes(int argc, const char* const* argv) const {
    for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
      const std::string word = argv[i], name = word.substr(0, word.find('='));
      for (const option_summary& o : summaries()) {
        if (o.name == "-" + name)
          throw CLI::ValidationError(word, fmt::format("a long option has two dashes: {}", o.name));
        if (!name.empty() && o.short_name == name && name.size() < word.size())
          throw CLI::ValidationError(word, fmt::format("only long options take a =: {}{}", o.name, word.substr(2)));
      }
    }
  }

  /// The arguments for each model, checked by the rules that CLI11 cannot express. If the tool reads no model, the
  /// result is one entry without a model.
  std::vector<arguments> finish(int argc, const char* const* argv) {
    const bool needs_model = into.list_primitives.empty() && into.list_rewrites.empty() && into.completion.empty() &&
                             into.report_diff.empty();
    check_modes();
    if (into.json && !into.inspect && !into.targets && into.list_primitives.empty() && into.list_rewrites.empty())
      refuse("--json", "goes with --inspect, --targets, --list-primitives or --list-rewrites");
    if (needs_model && models.empty()) {
      if (jax2onnx::platform::is_terminal(jax2onnx::platform::standard_input)) throw CLI::RequiredError("MODEL");
      models = {"-"};
    }
    if (models.size() > 1) check_several(argc, argv);
    for (const given_option& o : rows) set(o);
    into.verbosity = quiet ? 0 : verbose ? 2 : 1;
    if (models.empty()) return {of_model("")};
    std::vector<arguments> all;
    for (const std::string& model : models) all.push_back(of_model(model));
    if (all.size() > 1) check_outputs(all);
    return all;
  }

  std::vector<option_summary> summaries() const {
    std::vector<option_summary> all;
    for (const CLI::Option* o : app.get_options()) {
      if (o->get_lnames().empty()) continue;
      const auto values = choices.find(o);
      const std::string name = "--" + o->get_lnames().front();
      all.push_back({name, o->get_snames().empty() ? "" : "-" + o->get_snames().front(), o->get_description(),
                     o->get_items_expected_max() > 0, bare_options().contains(name), o->get_items_expected_max() > 2,
                     values == choices.end() ? std::vector<std::string>() : values->second});
    }
    return all;
  }

  /// The message for a wrong number of an option's values. CLI11's own messages are `--opset: 1 required INT missing`
  /// and `check was given a disallowed flag override`.
  std::string miscounted(std::string_view what) const {
    std::string name(what.substr(0, what.find_first_of(": ")));
    if (!name.starts_with('-')) name.insert(0, "--");
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) return std::string(what);
    const int most = option->get_items_expected_max();
    if (most == 0) return name + ": takes no value";
    if (static_cast<int>(option->count()) > most && most == 1)
      return fmt::format("{}: given more than once: {}", name, fmt::join(option->results(), ", "));
    if (most == 1 || option->count() == 0) return name + ": a value is missing";
    return fmt::format("{}: expected {}; values found: {}", name, option->get_option_text(), option->count());
  }

  /// The message for arguments that no option takes.
  std::string unexpected() const {
    const std::string word = app.remaining().front();
    std::vector<std::string> names;
    for (const option_summary& o : summaries()) names.push_back(o.name);
    const std::string meant = jax2onnx::detail::closest(word.substr(0, word.find('=')), names);
    return fmt::format("there is no option {}{}", word,
                       meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant));
  }

  CLI::App app{"Exports JAX functions, printed as jaxprs, to ONNX.", "jax2onnx"};
  arguments into;

 private:
  /// The arguments for `model`.
  arguments of_model(const std::string& model) {
    arguments of = into;
    of.model = model;
    of.one_of_several = models.size() > 1;
    check_model_file(of);
    if (of.output.empty()) of.output = model == "-" || of.emit == "text" ? "-" : default_output(model);
    if (of.output == "/dev/stdout") of.output = "-";
    of.makes_folder = of.output.ends_with('/');
    if (of.makes_folder) of.output = in_folder(of.output, model);
    check_combinations(of);
    return of;
  }
  /// For several models: refuses names that seem to be weights or values, and the options that only one model can have.
  void check_several(int argc, const char* const* argv) const {
    for (const std::string& model : models) {
      const bool weights = model.ends_with(".npz") || model.ends_with(".npy") || model.ends_with(".safetensors");
      const std::string meant =
          weights ? fmt::format("; give weights with -w: -w {}", model) : separate_value(model, argc, argv);
      if (!meant.empty()) throw CLI::ValidationError(fmt::format("'{}' is one argument too many{}", model, meant));
    }
    if (!into.output.empty() && !into.output.ends_with('/'))
      refuse("--output", fmt::format("{} models need a folder: -o DIR/", models.size()));
    if (!into.report.empty() && into.report != "-")
      refuse("--report",
             fmt::format("one file cannot have the reports of {} models; convert them one by one", models.size()));
  }
  static bool writes(const arguments& of) {
    return !of.dry_run && !of.check && !of.inspect && !of.targets && !of.dump_jaxpr;
  }
  /// Refuses two models that would be written to one file.
  static void check_outputs(const std::vector<arguments>& all) {
    std::map<std::string, std::string> writers;
    for (const arguments& one : all)
      for (const std::string& file : {one.output, one.data_file()}) {
        if (file.empty() || file == "-" || !writes(one)) continue;
        const auto [known, fresh] = writers.emplace(file, one.model);
        if (!fresh) refuse("--output", fmt::format("{} and {} would both write {}", known->second, one.model, file));
      }
  }
  /// Refuses two options that both replace the conversion, and options that have no effect with such an option.
  void check_modes() const {
    const CLI::Option* mode = nullptr;
    for (const auto& [option, reads] : modes) {
      if (option->count() == 0) continue;
      if (mode != nullptr) refuse(mode->get_name(), fmt::format("does not go with {}", option->get_name()));
      mode = option;
    }
    if (mode == nullptr) return;
    for (const CLI::Option* o : app.get_options()) {
      const std::vector<std::string>& reads = modes.at(mode);
      if (o == mode || o->count() == 0 || std::ranges::find(reads, o->get_name()) != reads.end()) continue;
      if (o->get_name() == "MODEL") refuse(mode->get_name(), fmt::format("takes no model, found '{}'", models.front()));
      refuse(o->get_name(), fmt::format("has no effect with {}", mode->get_name()));
    }
  }
  /// Refuses options that have no use for an ONNX file.
  void check_model_file(const arguments& of) const {
    if (!is_model_file(of.model)) {
      if (of.optimize) refuse("optimize", fmt::format("takes an ONNX file, found '{}'", of.model));
      return;
    }
    std::vector<std::string> read = {"MODEL",     "--inspect", "--json",    "--output", "--emit",
                                     "--dry-run", "--color",   "--verbose", "--quiet"};
    for (const option_row& row : option_table())
      if (row.reads_models) read.push_back(fmt::format("--{}", row.key));
    for (const CLI::Option* o : app.get_options())
      if (o->count() > 0 && std::ranges::find(read, o->get_name()) == read.end())
        refuse(o->get_name(), fmt::format("is for jaxprs, and {} is an ONNX file", of.model));
    if (into.output.empty() && !into.inspect && !into.dry_run && into.emit != "text")
      refuse("--output", "is missing: it names the optimized model: -o FILE");
  }
  [[noreturn]] static void refuse(const std::string& option, std::string why) {
    throw CLI::ValidationError(option, std::move(why));
  }
  void check_combinations(const arguments& of) const {
    const bool streamed = of.output == "-";
    if (into.json && (into.list_primitives == "markdown" || into.list_rewrites == "markdown"))
      refuse("--json", "does not go with =markdown");
    if (is_format_name(into.report))
      refuse("--report", fmt::format("'{}' is a format; expected a file: --report=report.{}", into.report,
                                     into.report.substr(into.report.starts_with('.'))));
    if (!jax2onnx::names_report_format(into.report))
      refuse("--report", fmt::format("expected FILE.html, FILE.json or FILE.md, found '{}'", into.report));
    if (!into.given.weights_map.empty() && into.weights.empty()) refuse("--weights-map", "needs weights: -w FILE");
    const bool is_one_file = into.given.emission.external.placement == jax2onnx::weights_placement::in_model;
    if (!is_one_file && into.emit == "text") refuse("--external-data", "does not go with --emit text");
    if (!into.report_diff.empty() && jax2onnx::report_format_of(into.report) == jax2onnx::report_format::json)
      refuse("--report", "with --report-diff, must be a page or Markdown: --report=FILE.html or FILE.md");
    if (!writes(of)) return;
    if (streamed && into.emit == "onnx" && is_terminal())
      refuse("--output", "a model cannot be shown on a terminal: -o FILE, or --emit text");
    if (!is_one_file && streamed) refuse("--external-data", "needs the name of an output file: -o FILE");
    if (of.report == of.output || (!of.report.empty() && same_file(of.report, of.output)))
      refuse("--report", "goes to the same output as the model; name another file: --report=FILE");
    if (!of.report.empty() && !of.data_file().empty() && same_file(of.report, of.data_file()))
      refuse("--report", "goes to the same file as the external data; name another file: --report=FILE");
  }
  /// An option of the table, and the texts that are given for it.
  struct given_option {
    const option_row* row;
    CLI::Option* option;
    std::vector<std::string> texts;
    bool flag;
  };
  /// Applies the texts that were given for an option of the table.
  void set(const given_option& o) {
    if (o.option->count() == 0) return;
    std::vector<std::string> texts = o.option->results();
    if (o.row->form == option_form::flag) texts = {""};
    if (o.row->form == option_form::list) {
      if (std::ranges::find(texts, "") != texts.end()) refuse(o.option->get_name(), "name 1 of '' is empty");
      texts = {fmt::format("{}", fmt::join(texts, ","))};
    }
    for (const std::string& text : texts)
      if (const std::string problem = set_option(into.given, *o.row, text); !problem.empty())
        refuse(o.option->get_name(), problem);
    if (is_repeatable(*o.row)) check_repetitions(o.option->get_name(), texts);
    if (o.row->key == "target") into.target = texts.front();
  }
  /// Refuses several `NAME=VALUE` that give one name different values.
  static void check_repetitions(const std::string& option, const std::vector<std::string>& texts) {
    std::map<std::string, std::string> values;
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      const std::string value = text.substr(equals + 1);
      const auto [known, fresh] = values.emplace(text.substr(0, equals), value);
      if (!fresh && known->second != value)
        refuse(option, fmt::format("'{}' is both {} and {}", known->first, known->second, value));
    }
  }
  static bool is_repeatable(const option_row& row) {
    return row.form == option_form::size || row.form == option_form::custom_operator;
  }
  /// Adds the options of the table that belong to `group`.
  void add_rows(const char* group) {
    start_group(group);
    for (const option_row& row : option_table())
      if (row.group == group) add_row(row);
  }
  void add_row(const option_row& row) {
    given_option& given = rows.emplace_back(given_option{&row, nullptr, {}, false});
    const std::string name = fmt::format("--{}", row.key);
    if (row.form == option_form::flag) {
      given.option = app.add_flag(name, given.flag, row.meaning);
      return;
    }
    given.option = app.add_option(name, given.texts, row.meaning)->allow_extra_args(false);
    if (!is_repeatable(row) && row.form != option_form::list) given.option->expected(1);
    given.option->option_text(row.shape.empty() ? fmt::format("{}", fmt::join(row.values, "|")) : row.shape);
    if (row.form == option_form::file) given.option->check(no_option());
    if (!row.values.empty() && row.form != option_form::size) choices[given.option] = row.values;
  }
  CLI::Option* add_file(const char* name, auto& file, const char* shape, const char* meaning) {
    return app.add_option(name, file, meaning)->option_text(shape)->allow_extra_args(false)->check(no_option());
  }
  CLI::Option* add_choice(const char* name, std::string& into_value, std::vector<std::string> values,
                          const char* meaning) {
    CLI::Option* option = app.add_option(name, into_value, meaning)->check(one_of(values));
    option->option_text(fmt::format("{}", fmt::join(values, "|")));
    choices[option] = std::move(values);
    return option;
  }
  /// Sets the heading under which --help shows the options that are added next.
  void start_group(const char* name) { app.option_defaults()->group(name); }
  void add_weights() {
    start_group("Weights");
    add_file("-w,--weights", into.weights, "FILE",
             "Arrays that the function closes over: .npz, .npy, .safetensors or\n.safetensors.index.json; repeatable");
    add_rows("Weights");
  }
  void add_output() {
    start_group("Output");
    add_file("-o,--output", into.output, "FILE", "The model; - for standard output, DIR/ for a folder [MODEL.onnx]");
    add_choice("--emit", into.emit, {"onnx", "text"}, "Write a model or ONNX's textual syntax [onnx]");
    add_rows("Output");
    app.add_flag("--dry-run", into.dry_run, "Convert, but write nothing");
  }
  CLI::Option* add_mode(CLI::Option* option, std::vector<std::string> reads) {
    reads.insert(reads.end(), {"--color", "--verbose", "--quiet"});
    modes[option] = std::move(reads);
    return option;
  }
  void add_modes() {
    start_group("Instead of a conversion");
    const auto add_text_mode = [&](const char* name, bool& into_value, const char* meaning) {
      return add_mode(app.add_flag(name, into_value, meaning), {"MODEL"});
    };
    add_text_mode("--check", into.check, "Report syntax errors of the jaxpr");
    CLI::Option* inspect =
        add_text_mode("--inspect", into.inspect, "Print what the jaxpr contains, and which primitives are unsupported");
    add_text_mode("--dump-jaxpr", into.dump_jaxpr, "Print the jaxpr as it was parsed");
    CLI::Option* targets =
        add_text_mode("--targets", into.targets, "Print which runtimes will run the model, and what stops others");
    modes[targets].emplace_back("--weights");
    for (const option_row& row : option_table())
      if (row.decides_targets) modes[targets].push_back(fmt::format("--{}", row.key));
    const auto add_listing = [&](const char* name, std::string& into_value, const char* meaning) {
      return add_mode(app.add_option(name, into_value, meaning), {})
          ->option_text("[=markdown]")
          ->check(one_of({"text", "markdown"}));
    };
    CLI::Option* listings[] = {
        inspect, targets,
        add_listing("--list-primitives", into.list_primitives, "Print the supported primitives; =markdown as a table"),
        add_listing("--list-rewrites", into.list_rewrites,
                    "Print the rules that --no-fuse takes; =markdown as a table")};
    app.add_flag("--json", into.json, "Print the lists, targets and contents of a jaxpr as JSON");
    for (const CLI::Option* list : listings) modes[list].emplace_back("--json");
    add_mode(
        app.add_option("--report-diff", into.report_diff, "Print the differences between two JSON reports as Markdown"),
        {"--report"})
        ->option_text("A.json B.json")
        ->expected(2)
        ->check(no_option());
    add_mode(add_choice("--completion", into.completion, {"bash", "zsh", "fish", "powershell"},
                        "Print a completion script for a shell"),
             {});
  }
  void add_reports() {
    start_group("Messages and reports");
    add_file("--report", into.report, "[=FILE]", "Report on standard output, or to FILE.md, FILE.json or FILE.html");
    add_choice("--color", into.color, {"auto", "always", "never"}, "Colours on standard error [auto]");
    CLI::Option* loud = app.add_flag("-v,--verbose", verbose, "All problems, node counts, times");
    app.add_flag("-q,--quiet", quiet, "Errors only")->excludes(loud);
  }

  std::vector<std::string> models;
  std::map<const CLI::Option*, std::vector<std::string>> choices;
  /// The options that replace the conversion, and the options that each of them reads.
  std::map<const CLI::Option*, std::vector<std::string>> modes;
  std::deque<given_option> rows;  ///< a deque, since CLI11 keeps references to its elements
  bool verbose = false, quiet = false;
};

}  // namespace

std::variant<std::vector<arguments>, shown_text, exit_code> parse_arguments(int argc, const char* const* argv) {
  command_line line;
  const auto usage_error = [](const std::string& what) {
    say(fmt::format("jax2onnx: error: {}\n  = help: jax2onnx --help\n", jaxpr::escape(what)));
    return exit_code::usage;
  };
  try {
    if (first_word(argc, argv) == "export")
      throw CLI::ValidationError("export", "needs the Python package jax2onnx_cpp, whose `jax2onnx` calls JAX");
    line.into.optimize = first_word(argc, argv) == "optimize";
    line.check_dashes(argc, argv);
    std::vector<std::string> reversed = reversed_arguments(argc, argv);
    line.app.parse(reversed);
    return line.finish(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    return shown_text{version.what() + std::string("\n")};
  } catch (const CLI::Success&) {
    return shown_text{line.app.help()};
  } catch (const CLI::ArgumentMismatch& error) {
    return usage_error(line.miscounted(error.what()));
  } catch (const CLI::ExtrasError&) {
    return usage_error(line.unexpected());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
}

std::string arguments::data_file() const {
  const std::string& file = given.emission.external.file;
  return file.empty() ? file : (std::filesystem::path(output).parent_path() / file).string();
}

std::vector<std::string> arguments::inputs() const {
  std::vector<std::string> files = weights;
  if (!model.empty() && model != "-") files.push_back(model);
  if (!given.weights_map.empty()) files.push_back(given.weights_map);
  return files;
}

std::vector<option_summary> option_summaries() { return command_line().summaries(); }

}  // namespace cli
