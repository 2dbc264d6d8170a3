// SPDX-License-Identifier: Apache-2.0
#include "tool.hpp"

#include "arguments.hpp"
#include "completion.hpp"
#include "conversion_run.hpp"
#include "failure.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "report_diff.hpp"
#include "summary.hpp"
#include "survey.hpp"
#include "targets.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

#include <cstdio>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/jaxpr.hpp>

namespace cli {
namespace {

/// The report that --report asks for, if any.
class report_output {
 public:
  explicit report_output(const arguments& args) : args_(args) {
    if (!args.report.empty()) file_.emplace(args.report, args.inputs());
  }
  void write(const conversion_run& run) {
    if (file_) file_->write(report(run.made, format(), {display_name(args_), run.output, run.written, run.write}));
  }
  void write_failure(const std::vector<jaxpr::diagnostic>& problems, const std::string& text) {
    if (file_) file_->write(jax2onnx::failure_report(problems, text, format(), {.name = display_name(args_)}));
  }

 private:
  jax2onnx::report_format format() const { return jax2onnx::report_format_of(args_.report); }

  const arguments& args_;
  std::optional<text_output> file_;
};

/// Converts `text`. The line of progress is erased before anything else is printed.
conversion_run with_progress(const shared_text& text, const arguments& args) {
  progress_line progress(args);
  return convert_text(text, args, progress);
}

void convert(const shared_text& text, const arguments& args) {
  report_output report(args);
  try {
    const conversion_run run = with_progress(text, args);
    report.write(run);
    if (args.verbosity == 0) return;
    print_diagnostics(spelled(run.made.warnings, jax2onnx::front_end::reader::tool), *text, args);
    say(jaxpr::escape_lines(summary(run, args)));
  } catch (const jax2onnx::file_error&) {
    throw;
  } catch (...) {
    report.write_failure(explain(std::current_exception()).problems, *text);
    throw;
  }
}

/// The text for standard output, with control characters escaped if standard output is a terminal.
std::string for_reader(std::string text) {
  return jax2onnx::platform::is_terminal(jax2onnx::platform::standard_output) ? jaxpr::escape_lines(text)
                                                                              : std::move(text);
}

void compare(const arguments& args) {
  const std::string &before = args.report_diff[0], &after = args.report_diff[1];
  if (!args.report.empty() && jax2onnx::report_format_of(args.report) == jax2onnx::report_format::html)
    return text_output(args.report, args.report_diff).write(report_diff_page(before, after));
  text_output(args.report.empty() ? "-" : args.report, args.report_diff)
      .write(jaxpr::escape_lines(report_diff(before, after)));
}

/// Throws jax2onnx::file_error if the text is a file of NumPy arrays instead of a jaxpr.
void refuse_arrays(std::string_view text, const arguments& args) {
  if (!text.starts_with("PK\x03\x04") && !text.starts_with("\x93NUMPY")) return;
  const std::string name = display_name(args);
  throw jax2onnx::file_error(jax2onnx::failure::malformed,
                             fmt::format("{}: has arrays, not a jaxpr: jax2onnx MODEL.jaxpr -w {}", name, name));
}

void on_model_file(const arguments& args) {
  if (args.inspect) {
    const std::string contents = model_contents(args);
    return text_output("-").write(args.json ? contents : jaxpr::escape_lines(contents));
  }
  const conversion_run run = [&] {
    progress_line progress(args);
    return optimize_file(args, progress);
  }();
  if (args.verbosity > 0) say(jaxpr::escape_lines(summary(run, args)));
}

void run(const std::shared_ptr<std::string>& text, const arguments& args) {
  text_output standard("-");
  if (!args.completion.empty()) return standard.write(completion_script(args.completion));
  const auto format = [&](const std::string& asked) { return args.json ? "json" : asked; };
  if (!args.list_primitives.empty()) return standard.write(list_primitives(format(args.list_primitives)));
  if (!args.list_rewrites.empty()) return standard.write(list_rewrites(format(args.list_rewrites)));
  if (!args.report_diff.empty()) return compare(args);
  if (is_model_file(args.model)) return on_model_file(args);
  *text = read_text(args.model, jaxpr::parse_options().max_bytes);
  refuse_arrays(*text, args);
  if (args.check) {
    jaxpr::parse(*text);
    if (args.verbosity > 0) say(jaxpr::escape_lines(display_name(args) + ": ok\n"));
    return;
  }
  constexpr jaxpr::parse_options as_converted{.keep_ambiguous = true};
  if (args.inspect) {
    const jaxpr::program program = jaxpr::parse(*text, as_converted);
    return standard.write(args.json ? inspection_json(program, display_name(args))
                                    : jaxpr::escape_lines(inspection(program, display_name(args))));
  }
  if (args.dump_jaxpr) return standard.write(for_reader(jaxpr::print(jaxpr::parse(*text, as_converted)) + "\n"));
  if (args.targets)
    return standard.write(args.json ? targets_json(text, args) : jaxpr::escape_lines(targets(text, args)));
  convert(text, args);
}

/// Does `work` and returns the exit code. If `work` throws, prints the diagnostics of the exception, which point into
/// `text`.
template <typename Work>
int guarded(const Work& work, const std::string& text, const arguments& args) {
  try {
    work();
    return static_cast<int>(exit_code::ok);
  } catch (...) {
    const failure f = explain(std::current_exception());
    print_diagnostics(f.problems, text, args);
    return static_cast<int>(f.code);
  }
}

int guarded_run(const arguments& args) {
  const auto text = std::make_shared<std::string>();
  return guarded([&] { run(text, args); }, *text, args);
}

/// Converts one model after another, each with a summary of one line. Returns the code of the first failure.
int run_all(const std::vector<arguments>& all) {
  int code = static_cast<int>(exit_code::ok);
  std::size_t done = 0;
  for (const arguments& args : all) {
    const int one = guarded_run(args);
    done += one == static_cast<int>(exit_code::ok);
    if (code == static_cast<int>(exit_code::ok)) code = one;
  }
  if (all.size() > 1 && done < all.size()) say(fmt::format("{} of {} models failed\n", all.size() - done, all.size()));
  return code;
}

}  // namespace

int tool(int argc, char** argv) {
  jax2onnx::platform::prepare_standard_streams();
  const auto parsed = parse_arguments(argc, argv);
  if (const auto* code = std::get_if<exit_code>(&parsed)) return static_cast<int>(*code);
  if (const auto* shown = std::get_if<shown_text>(&parsed))
    return guarded([&] { text_output("-").write(shown->text); }, {}, {});
  return run_all(std::get<std::vector<arguments>>(parsed));
}

}  // namespace cli
