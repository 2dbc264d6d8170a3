// SPDX-License-Identifier: Apache-2.0
// The C interface (include/jax2onnx/jax2onnx.h). No exception leaves the interface: every function that can fail calls
// guarded().

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/option_table.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/jax2onnx.h>
#include <jax2onnx/report.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/version.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/element_count.hpp>
#include <jax2onnx/weights/read_weights.hpp>
#include <jaxpr/escape.hpp>
#include <jaxpr/render.hpp>

using jax2onnx::detail::message;

struct jax2onnx_options {
  jax2onnx::front_end::settings given;
  std::string name = "<text>";
};

struct jax2onnx_weights {
  std::vector<std::string> files;
  std::vector<jax2onnx::weights_file> parts;
};

struct jax2onnx_error {
  int status = JAX2ONNX_OK;
  std::vector<jax2onnx::diagnostic> problems;
  std::shared_ptr<const std::string> text;
  std::string rendered;
  const jax2onnx::diagnostic* only = nullptr;  // used instead of `problems` if memory ran out
  std::string name = "<text>";

  std::span<const jax2onnx::diagnostic> all() const { return only ? std::span(only, 1) : std::span(problems); }
};

struct jax2onnx_model {
  std::string name;
  jax2onnx::conversion made;
  jax2onnx::emit_options emission;
  std::unique_ptr<jax2onnx_error> warnings;
};

namespace {

using shared_text = std::shared_ptr<const std::string>;

/// An argument or option is wrong.
class usage_error : public std::exception {
 public:
  explicit usage_error(std::string why) : why_(std::move(why)) {}
  const char* what() const noexcept override { return why_.c_str(); }

 private:
  std::string why_;
};

void require(bool holds, const char* why) {
  if (!holds) throw usage_error(why);
}

// Errors

/// The error that is reported if there is no memory for a new error. The strings of this error are so short that they
/// need no allocation.
jax2onnx_error& out_of_memory() {
  static const jax2onnx::diagnostic problem{jaxpr::severity::error, "limit", "out of memory", {}, {}, {}};
  static jax2onnx_error e{JAX2ONNX_REFUSED, {}, nullptr, {}, &problem};
  return e;
}

int status_of(jax2onnx::failure kind) {
  switch (kind) {
    case jax2onnx::failure::malformed: return JAX2ONNX_MALFORMED;
    case jax2onnx::failure::unsupported: return JAX2ONNX_UNSUPPORTED;
    case jax2onnx::failure::io: return JAX2ONNX_IO;
    case jax2onnx::failure::unsafe: return JAX2ONNX_REFUSED;
    case jax2onnx::failure::internal: break;
  }
  return JAX2ONNX_INTERNAL;
}

bool has_place(const jax2onnx::diagnostic& d) { return d.where.end > 0 || d.code.starts_with("parse."); }

std::string rendered(const jax2onnx::diagnostic& d, std::string_view text, std::string_view name) {
  if (has_place(d)) return jaxpr::render(d, text, name);
  const char* level = d.level == jaxpr::severity::error ? "error" : "warning";
  std::string out = message("jax2onnx: {}[{}]: {}\n", level, d.code, jaxpr::escape_lines(d.message));
  if (!d.help.empty()) out += message("  = help: {}\n", jaxpr::escape_lines(d.help));
  return out;
}

jax2onnx_error made_error(int status, std::vector<jax2onnx::diagnostic> problems, shared_text text = {},
                          std::string_view name = "<text>") {
  constexpr std::size_t shown = 20;
  jax2onnx_error e{status, std::move(problems), std::move(text), {}, nullptr, std::string(name)};
  const std::string_view source = e.text ? std::string_view(*e.text) : std::string_view();
  for (std::size_t i = 0; i < std::min(shown, e.problems.size()); ++i)
    e.rendered += rendered(e.problems[i], source, name);
  if (e.problems.size() > shown) e.rendered += message("and {} more problem{|s}\n", e.problems.size() - shown);
  return e;
}

jax2onnx_error single_problem(int status, const char* code, const char* text) {
  return made_error(status, {{jaxpr::severity::error, code, text, {}, {}, {}}});
}

/// The exception that is being handled, as an error. Throws std::bad_alloc if there is no memory for the error.
jax2onnx_error explained(const shared_text& text, std::string_view name) {
  try {
    throw;
  } catch (const usage_error& e) {
    return single_problem(JAX2ONNX_USAGE, "usage", e.what());
  } catch (const jax2onnx::error& e) {
    return made_error(status_of(e.kind()), {e.diagnostics().begin(), e.diagnostics().end()}, text, name);
  } catch (const jaxpr::error& e) {
    return made_error(JAX2ONNX_MALFORMED, {e.details()}, text, name);
  } catch (const std::bad_alloc&) {
    return single_problem(JAX2ONNX_REFUSED, "limit", "out of memory");
  } catch (const std::exception& e) {
    return single_problem(JAX2ONNX_INTERNAL, "internal", e.what());
  } catch (...) {
    return single_problem(JAX2ONNX_INTERNAL, "internal", "unknown exception");
  }
}

/// Does `work`. Returns the status, and stores the exception that `work` throws in `error`. Diagnostics refer to `text`
/// and `name`, which `work` may set.
template <typename Work>
int guarded(jax2onnx_error** error, const Work& work, const shared_text& text = {}, const std::string& name = {}) {
  if (error) *error = nullptr;
  try {
    work();
    return JAX2ONNX_OK;
  } catch (...) {
    try {
      auto found = std::make_unique<jax2onnx_error>(explained(text, name));
      const int status = found->status;
      if (error) *error = found.release();
      return status;
    } catch (...) {
      if (error) *error = &out_of_memory();
      return JAX2ONNX_REFUSED;
    }
  }
}

template <typename T>
T* made() {
  try {
    return new T();
  } catch (...) {
    return nullptr;
  }
}

const jax2onnx::diagnostic* problem_at(const jax2onnx_error* e, std::size_t i) {
  return e && i < e->all().size() ? &e->all()[i] : nullptr;
}

std::filesystem::path path_of(const char* utf8) {
  require(utf8 && *utf8, "the name of a file is NULL or empty");
  return std::u8string(utf8, utf8 + std::strlen(utf8));
}

/// An option that only programs need: the tool keeps events if it writes a report.
void set_keep_events(jax2onnx::front_end::settings& given, std::string_view value) {
  if (!value.empty()) throw usage_error("keep-events: takes an empty value");
  given.conversion.rewrites.keep_events = true;
}

void set(jax2onnx::front_end::settings& given, std::string_view key, std::string_view value) {
  const jax2onnx::front_end::option_row* row = jax2onnx::front_end::find_option(key);
  if (!row) throw usage_error(message("unknown option '{}'", key));
  if (const std::string problem = set_option(given, *row, value); !problem.empty())
    throw usage_error(message("{}: {}", key, problem));
}

/// A copy of `content`, followed by a zero byte, in memory that the caller frees.
char* copied(std::string_view content) {
  auto* copy = static_cast<char*>(std::malloc(content.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, content.data(), content.size());
  copy[content.size()] = 0;
  return copy;
}

jax2onnx::report_format format_named(std::string_view name) {
  using enum jax2onnx::report_format;
  if (name == "html") return html;
  if (name == "json") return json;
  if (name == "markdown") return markdown;
  throw usage_error(message("there is no report format '{}'; the formats are html, json and markdown", name));
}

/// Stores the text that `report` returns for this format in `text`, and the size of the text in `size`.
template <typename Report>
void write_report(const char* format, char** text, size_t* size, const Report& report) {
  require(format && text, "'format' or 'text' is NULL");
  const std::string content = report(format_named(format));
  *text = copied(content);
  if (size) *size = content.size();
}

// Weights

/// The kind and the number of bits of an array's elements in storage. `type` is the elements' type in a jaxpr, such as
/// f32.
std::pair<jax2onnx::stored_kind, std::uint32_t> storage_of(std::string_view type) {
  using enum jax2onnx::stored_kind;
  if (type == "c64") return {complex, 64};
  if (type == "c128") return {complex, 128};
  const jax2onnx::dtype t = jax2onnx::dtype_named(type);
  if (t == jax2onnx::dtype::undefined || jax2onnx::bits(t) < 8)
    throw usage_error(message("arrays of type '{}' are not supported", type));
  const auto width = static_cast<std::uint32_t>(jax2onnx::bits(t));
  if (is_boolean(t)) return {boolean, width};
  if (is_signed_integer(t)) return {signed_integer, width};
  if (is_unsigned_integer(t)) return {unsigned_integer, width};
  return {width == 8 || t == jax2onnx::dtype::bf16 ? raw : floating, width};
}

jax2onnx::weight borrowed_weight(const char* name, std::string_view type, std::vector<std::int64_t> shape,
                                 std::span<const std::byte> data) {
  const auto [kind, width] = storage_of(type);
  if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; }))
    throw usage_error("an array has a negative extent");
  const auto count = jax2onnx::detail::element_count(shape);
  std::uint64_t wanted = 0;
  if (!count || jax2onnx::detail::mul_overflows(*count, std::uint64_t{width / 8}, wanted) || wanted != data.size())
    throw usage_error(message("an array of type {}[{}] does not have {} byte{|s}", type,
                              jax2onnx::detail::joined_text(shape, ","), data.size()));
  return {name ? name : "",
          name != nullptr,
          std::string(type),
          kind,
          width,
          std::move(shape),
          std::make_shared<jax2onnx::borrowed_source>(data)};
}

/// All weights in constvar order. A weights map replaces the order that the metadata of a file may state.
jax2onnx::weights_file joined(const jax2onnx_weights& weights, bool mapped) {
  jax2onnx::weights_file all;
  for (std::size_t i = 0; i < weights.parts.size(); ++i) {
    jax2onnx::weights_file part = weights.parts[i];
    if (!part.inputs.empty()) all.inputs = std::move(part.inputs);
    if (!part.outputs.empty()) all.outputs = std::move(part.outputs);
    if (mapped) part.constvars.reset();
    std::ranges::move(in_constvar_order(std::move(part), weights.files[i]), std::back_inserter(all.weights));
  }
  return all;
}

// Conversion

std::string file_content(const std::string& name) {
  std::ifstream file(path_of(name.c_str()), std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad())
    throw jax2onnx::file_error(jax2onnx::failure::io, message("{}: cannot be read", name));
  return content;
}

std::unique_ptr<jax2onnx_model> converted(const shared_text& text, const jax2onnx_weights* weights,
                                          const jax2onnx::front_end::settings& given, const std::string& name) {
  jax2onnx::options options = given.conversion;
  // A weight that is transposed could not stay in its file.
  if (given.emission.external.placement == jax2onnx::weights_placement::reference)
    options.rewrites.disabled.insert("fold-transpose");
  auto model = std::make_unique<jax2onnx_model>();
  model->name = name;
  model->emission = given.emission;
  model->emission.producer_version = jax2onnx::version;
  jax2onnx::weights_file all;
  if (weights) all = joined(*weights, !given.weights_map.empty());
  if (weights)
    for (const std::string& file : weights->files)
      if (!file.empty()) model->emission.inputs.push_back(path_of(file.c_str()));
  if (options.input_names.empty()) options.input_names = std::move(all.inputs);
  if (options.output_names.empty()) options.output_names = std::move(all.outputs);
  if (!given.weights_map.empty())
    options.weights_map = jax2onnx::parse_weights_map(file_content(given.weights_map), given.weights_map);
  model->made = jax2onnx::convert(text, all.weights, options);
  if (weights && model->made.stats.constants_as_inputs > 0)
    throw jax2onnx::file_error(
        jax2onnx::failure::malformed,
        message("there are no weights, but the text closes over {} array{|s}", model->made.stats.constants_as_inputs),
        "add these arrays to the weights, or pass NULL to make them inputs of the model");
  if (!model->made.warnings.empty())
    model->warnings = std::make_unique<jax2onnx_error>(made_error(JAX2ONNX_OK, model->made.warnings, text, name));
  return model;
}

}  // namespace

extern "C" {

const char* jax2onnx_version(void) { return JAX2ONNX_VERSION_STRING; }
int jax2onnx_abi_version(void) { return 1; }

jax2onnx_options* jax2onnx_options_new(void) { return made<jax2onnx_options>(); }
int jax2onnx_options_set(jax2onnx_options* options, const char* name, const char* value, jax2onnx_error** error) {
  return guarded(error, [&] {
    require(options && name && value, "'options', 'name' or 'value' is NULL");
    jax2onnx_options changed = *options;
    if (std::string_view(name) == "name") changed.name = value;
    else if (std::string_view(name) == "keep-events") set_keep_events(changed.given, value);
    else set(changed.given, name, value);
    *options = std::move(changed);
  });
}
void jax2onnx_options_free(jax2onnx_options* options) { delete options; }

jax2onnx_weights* jax2onnx_weights_new(void) { return made<jax2onnx_weights>(); }
int jax2onnx_weights_read(jax2onnx_weights* weights, const char* file, jax2onnx_error** error) {
  return guarded(error, [&] {
    require(weights, "'weights' is NULL");
    jax2onnx::weights_file part = jax2onnx::read_weights_file(path_of(file));
    weights->files.reserve(weights->files.size() + 1);
    weights->parts.push_back(std::move(part));
    weights->files.emplace_back(file);
  });
}
int jax2onnx_weights_add(jax2onnx_weights* weights, const char* name, const char* type, const int64_t* shape,
                         size_t rank, const void* data, size_t size, jax2onnx_error** error) {
  return guarded(error, [&] {
    require(weights && type && (shape || rank == 0) && (data || size == 0),
            "'weights', 'type', 'shape' or 'data' is NULL");
    require(rank <= jax2onnx::detail::weight_rank_limit, "an array has at most 64 dimensions");
    jax2onnx::weights_file part;
    part.weights.push_back(borrowed_weight(name, type, std::vector<std::int64_t>(shape, shape + rank),
                                           {static_cast<const std::byte*>(data), size}));
    weights->files.reserve(weights->files.size() + 1);
    weights->parts.push_back(std::move(part));
    weights->files.emplace_back();
  });
}
void jax2onnx_weights_free(jax2onnx_weights* weights) { delete weights; }

int jax2onnx_convert(const char* text, size_t size, const jax2onnx_weights* weights, const jax2onnx_options* options,
                     jax2onnx_model** model, jax2onnx_error** error) {
  shared_text copy;
  std::string name;
  const auto work = [&] {
    require((text || size == 0) && model, "'text' or 'model' is NULL");
    const jax2onnx_options defaults;
    if (!options) options = &defaults;
    name = options->name;
    copy = std::make_shared<const std::string>(text ? text : "", size);
    *model = converted(copy, weights, options->given, name).release();
  };
  return guarded(error, work, copy, name);
}
int jax2onnx_model_write(const jax2onnx_model* model, const char* file, jax2onnx_error** error) {
  return guarded(error, [&] {
    require(model, "'model' is NULL");
    jax2onnx::write_model(model->made.model, model->emission, path_of(file));
  });
}
int jax2onnx_model_encode(const jax2onnx_model* model, void** data, size_t* size, jax2onnx_error** error) {
  return guarded(error, [&] {
    require(model && data && size, "'model', 'data' or 'size' is NULL");
    std::ostringstream out;
    jax2onnx::emit_options emission = model->emission;
    emission.external = {};
    jax2onnx::write_model(model->made.model, emission, out);
    const std::string_view bytes = out.view();
    *data = copied(bytes);
    *size = bytes.size();
  });
}
int jax2onnx_model_report(const jax2onnx_model* model, const char* format, char** text, size_t* size,
                          jax2onnx_error** error) {
  return guarded(error, [&] {
    require(model, "'model' is NULL");
    write_report(format, text, size,
                 [&](jax2onnx::report_format f) { return jax2onnx::report(model->made, f, {.name = model->name}); });
  });
}
uint64_t jax2onnx_model_count(const jax2onnx_model* model, const char* name) {
  if (!model || !name) return UINT64_MAX;
  const jax2onnx::statistics& s = model->made.stats;
  const std::pair<std::string_view, std::uint64_t> counts[] = {{"equations", s.equations},
                                                               {"nodes", s.nodes},
                                                               {"weights", s.weights},
                                                               {"weight-bytes", s.weight_bytes},
                                                               {"constants-as-inputs", s.constants_as_inputs}};
  for (const auto& [known, count] : counts)
    if (known == name) return count;
  return UINT64_MAX;
}
const jax2onnx_error* jax2onnx_model_warnings(const jax2onnx_model* model) {
  return model ? model->warnings.get() : nullptr;
}
void jax2onnx_model_free(jax2onnx_model* model) { delete model; }
void jax2onnx_free(void* data) { std::free(data); }

int jax2onnx_error_status(const jax2onnx_error* error) { return error ? error->status : JAX2ONNX_OK; }
size_t jax2onnx_error_count(const jax2onnx_error* error) { return error ? error->all().size() : 0; }
const char* jax2onnx_error_code(const jax2onnx_error* error, size_t problem) {
  const jax2onnx::diagnostic* d = problem_at(error, problem);
  return d ? d->code.c_str() : nullptr;
}
const char* jax2onnx_error_message(const jax2onnx_error* error, size_t problem) {
  const jax2onnx::diagnostic* d = problem_at(error, problem);
  return d ? d->message.c_str() : nullptr;
}
const char* jax2onnx_error_help(const jax2onnx_error* error, size_t problem) {
  const jax2onnx::diagnostic* d = problem_at(error, problem);
  return d ? d->help.c_str() : nullptr;
}
int jax2onnx_error_place(const jax2onnx_error* error, size_t problem, size_t* begin, size_t* end, size_t* line,
                         size_t* column) {
  const jax2onnx::diagnostic* d = problem_at(error, problem);
  if (!d || !error->text || !has_place(*d)) return 0;
  const jaxpr::line_column place = jaxpr::locate(*error->text, d->where.begin);
  if (begin) *begin = d->where.begin;
  if (end) *end = d->where.end;
  if (line) *line = place.line;
  if (column) *column = place.column;
  return 1;
}
const char* jax2onnx_error_text(const jax2onnx_error* error) {
  if (!error) return nullptr;
  return error == &out_of_memory() ? "jax2onnx: error[limit]: out of memory\n" : error->rendered.c_str();
}
int jax2onnx_error_report(const jax2onnx_error* failed, const char* format, char** text, size_t* size,
                          jax2onnx_error** error) {
  return guarded(error, [&] {
    require(failed && failed->status != JAX2ONNX_OK, "'failed' is NULL or not an error");
    write_report(format, text, size, [&](jax2onnx::report_format f) {
      const std::string_view source = failed->text ? std::string_view(*failed->text) : std::string_view();
      return jax2onnx::failure_report(failed->all(), source, f, {.name = failed->name});
    });
  });
}
void jax2onnx_error_free(jax2onnx_error* error) {
  if (error != &out_of_memory()) delete error;
}

}  // extern "C"
