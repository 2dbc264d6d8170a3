// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include "terminal.hpp"

#include <cstdio>
#include <new>

#include <fmt/format.h>

#include <jax2onnx/support/error.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/render.hpp>

namespace cli {
namespace {

failure without_place(exit_code code, const char* name, std::string message, std::string help = {}) {
  return {code, {{jaxpr::severity::error, name, std::move(message), {}, std::move(help), {}}}};
}

exit_code code_of(jax2onnx::failure kind) {
  switch (kind) {
    case jax2onnx::failure::malformed: return exit_code::malformed;
    case jax2onnx::failure::unsupported: return exit_code::unsupported;
    case jax2onnx::failure::io: return exit_code::io;
    case jax2onnx::failure::unsafe: return exit_code::refused;
    case jax2onnx::failure::internal: break;
  }
  return exit_code::internal;
}

/// The rendered diagnostic with the word `error` in bold red, or with the word `warning` in bold magenta.
std::string painted(std::string text, jaxpr::severity level) {
  const std::string_view word = level == jaxpr::severity::error ? "error" : "warning";
  const std::size_t at = text.find(fmt::format("{}[", word));
  if (at == std::string::npos) return text;
  text.insert(at + word.size(), "\033[0m");
  return text.insert(at, level == jaxpr::severity::error ? "\033[1;31m" : "\033[1;35m");
}

std::string rendered(const jaxpr::diagnostic& d, const std::string& text, const std::string& name) {
  if (d.where.end > 0 || d.code.starts_with("parse.")) {
    std::string out = jaxpr::render(d, text, name);
    return out.ends_with('\n') ? out : out + '\n';
  }
  const char* level = d.level == jaxpr::severity::error ? "error" : "warning";
  std::string out = fmt::format("jax2onnx: {}[{}]: {}\n", level, d.code, jaxpr::escape_lines(d.message));
  if (!d.help.empty()) out += fmt::format("  = help: {}\n", jaxpr::escape_lines(d.help));
  return out;
}

}  // namespace

failure explain(const std::exception_ptr& thrown) {
  constexpr const char* defect = "this is a defect of jax2onnx: please report it with the text";
  try {
    std::rethrow_exception(thrown);
  } catch (const jaxpr::error& e) {
    return {exit_code::malformed, {e.details()}};
  } catch (const jax2onnx::error& e) {
    return {code_of(e.kind()), spelled(e.diagnostics(), jax2onnx::front_end::reader::tool)};
  } catch (const std::bad_alloc&) {
    return without_place(exit_code::refused, "limit", "out of memory");
  } catch (const std::exception& e) {
    return without_place(exit_code::internal, "internal", e.what(), defect);
  } catch (...) {
    return without_place(exit_code::internal, "internal", "unknown exception", defect);
  }
}

void print_diagnostics(const std::vector<jaxpr::diagnostic>& found, const std::string& text, const arguments& args) {
  constexpr std::size_t shown = 20;
  const bool color = use_color(args.color);
  std::size_t printed = 0;
  for (const jaxpr::diagnostic& d : found) {
    if (printed == shown && args.verbosity < 2) break;
    const std::string message = rendered(d, text, display_name(args));
    say(color ? painted(message, d.level) : message);
    ++printed;
  }
  if (printed < found.size()) say(fmt::format("and {} more: -v shows all\n", found.size() - printed));
}

std::string display_name(const arguments& args) { return args.model == "-" ? "<stdin>" : args.model; }

}  // namespace cli
