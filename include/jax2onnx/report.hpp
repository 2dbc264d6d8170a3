// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <jax2onnx/emit/summary.hpp>
#include <jax2onnx/support/error.hpp>

/// Reports of conversions (docs/report.md); the compiled library jax2onnx::report defines them.
namespace jax2onnx {

struct conversion;

/// The format of a report.
enum class report_format : std::uint8_t {
  markdown,  ///< a summary
  json,      ///< everything about the model, for programs; docs/report.schema.json describes the keys
  html,      ///< a page that shows the same data; it is self-contained and works offline
};

/// The format that the extension of a file's name selects, in upper or lower case. Extensions other than `.json`
/// and `.html` select Markdown.
report_format report_format_of(std::string_view file);

/// Returns whether the extension of a file's name belongs to a format: `.html`, `.json`, `.md`, `.markdown` or `.txt`.
/// A name without an extension, such as the name of a device, selects Markdown.
bool names_report_format(std::string_view file);

/// Names, files and times that a report states but a conversion does not contain. The defaults are for a model that was
/// not written.
struct report_options {
  std::string name = "<text>";       ///< the name of the text
  std::string output = {};           ///< the file of the model; empty if it was not written
  emit_summary written = {};         ///< what write_model() returned
  std::chrono::nanoseconds write{};  ///< the time to write the model
};

/// The report of a conversion as UTF-8 text, ready to be written to a file. The tool's `--report` writes the same text;
/// its messages name options as the tool does.
///
/// JSON and pages describe every node and weight, for which all weights are read in bounded memory. With
/// rewrite_options::keep_events, they say which rules made or declined each node. Nothing may have been moved out of
/// `made`. It is only read, so that several threads may report it at once, and the result does not refer to it.
///
/// Throws file_error if a weight cannot be read.
std::string report(const conversion& made, report_format format, const report_options& o = {});

/// The report of a conversion that failed. `problems` are the diagnostics() of its error. Their positions refer to
/// `text`, the text that was converted; JSON and pages contain it. The result refers to neither argument.
std::string failure_report(std::span<const diagnostic> problems, std::string_view text, report_format format,
                           const report_options& o = {});

}  // namespace jax2onnx
