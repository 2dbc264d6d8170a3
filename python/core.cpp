// SPDX-License-Identifier: Apache-2.0
// jax2onnx_cpp._core: conversion from Python objects instead of files. The rest of the package is written in Python.

#include "operators.hpp"
#include "tool.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/option_table.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/targets/obstacles.hpp>
#include <jax2onnx/version.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// The memory of an object with the buffer protocol. Made and destroyed with the GIL held.
class buffer {
 public:
  explicit buffer(nb::handle exporter) {
    if (PyObject_GetBuffer(exporter.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { PyBuffer_Release(&view_); }

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

/// An array that the text closes over. `kind` is NumPy's, or `V` for types that NumPy lacks.
struct array {
  array(std::string array_name, std::string numpy_type, char numpy_kind, std::vector<std::int64_t> extents,
        std::uint32_t item_bytes, nb::handle exporter)
      : content(std::make_unique<buffer>(exporter)) {
    what.name = std::move(array_name);
    what.named = true;
    what.type = std::move(numpy_type);
    what.kind = stored(numpy_kind);
    what.item_bits = item_bytes * 8;
    what.shape = std::move(extents);
    what.data = std::make_shared<jax2onnx::borrowed_source>(content->bytes());
  }

  static jax2onnx::stored_kind stored(char kind) {
    using enum jax2onnx::stored_kind;
    switch (kind) {
      case 'b': return boolean;
      case 'i': return signed_integer;
      case 'u': return unsigned_integer;
      case 'f': return floating;
      case 'c': return complex;
      default: return raw;
    }
  }

  jax2onnx::weight what;
  std::unique_ptr<buffer> content;
};

/// A sink that lets Ctrl-C and `report` end long work. It takes the GIL at most twenty times a second. It refers to
/// `report`, which must outlive it: copies of the sink do not change the reference count.
jax2onnx::progress_sink attentive(const std::optional<nb::callable>& report) {
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds pause(50);
  return [&report, next = clock::now()](std::string_view phase, std::uint64_t done, std::uint64_t total) mutable {
    if (clock::now() < next) return;
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (report) (*report)(nb::str(phase.data(), phase.size()), done, total);
    next = clock::now() + pause;
  };
}
const std::optional<nb::callable> nobody;

PyObject* failure_type = nullptr;  // the module's Failure, which the module owns

std::string_view text(jax2onnx::failure kind) {
  switch (kind) {
    case jax2onnx::failure::malformed: return "malformed";
    case jax2onnx::failure::unsupported: return "unsupported";
    case jax2onnx::failure::io: return "io";
    case jax2onnx::failure::unsafe: return "unsafe";
    case jax2onnx::failure::internal: break;
  }
  return "internal";
}

/// A list of tuples (code, message, help, begin, end); the range is empty for a problem without a position in the text.
nb::list described(std::span<const jax2onnx::diagnostic> found) {
  nb::list out;
  for (const jax2onnx::diagnostic& d : spelled(found, jax2onnx::front_end::reader::python))
    out.append(nb::make_tuple(d.code, d.message, d.help, d.where.begin, d.where.end));
  return out;
}

/// Returns the result of `work`. The library's errors become `Failure(kind, problems)`.
template <typename Work>
auto translated(const Work& work) {
  try {
    nb::gil_scoped_release no_gil;
    return work();
  } catch (const jax2onnx_python::passed_through& e) {
    std::rethrow_exception(e.error);
  } catch (const jax2onnx::error& e) {
    const nb::tuple arguments = nb::make_tuple(text(e.kind()), described(e.diagnostics()));
    PyErr_SetObject(failure_type, arguments.ptr());
    throw nb::python_error();
  }
}

/// A converted model. It keeps the arrays to whose memory its weights refer. Read-only, so several threads may use it.
class model {
 public:
  // The arrays outlive the graph that views them.
  model(std::vector<array> arrays, jax2onnx::conversion made) : arrays_(std::move(arrays)), made_(std::move(made)) {}

  const jax2onnx::conversion& made() const { return made_; }
  const jax2onnx::graph& graph() const { return made_.model; }

 private:
  std::vector<array> arrays_;
  jax2onnx::conversion made_;
};

std::vector<array> arrays_of(const nb::list& described) {
  std::vector<array> arrays;
  for (nb::handle entry : described) {
    const auto t = nb::cast<nb::tuple>(entry);
    arrays.emplace_back(nb::cast<std::string>(t[0]), nb::cast<std::string>(t[1]), nb::cast<char>(t[2]),
                        nb::cast<std::vector<std::int64_t>>(t[3]), nb::cast<std::uint32_t>(t[4]), t[5]);
  }
  return arrays;
}

/// Mappings from tuples (primitive, function, target). A mapping that is used adds (primitive, function) to `applied`.
std::vector<jax2onnx_python::mapping> mappings_of(const nb::list& operators, const nb::set& applied) {
  std::vector<jax2onnx_python::mapping> out;
  for (nb::handle entry : operators) {
    const auto t = nb::cast<nb::tuple>(entry);
    out.push_back({nb::cast<std::string>(t[0]), nb::cast<std::string>(t[1]), t[2], applied});
  }
  return out;
}

using option_texts = std::vector<std::pair<std::string, std::string>>;

/// The settings that pairs (key, text) state. Throws Python's ValueError for an unknown key or an invalid text.
jax2onnx::front_end::settings settings_of(const option_texts& given) {
  jax2onnx::front_end::settings s;
  for (const auto& [key, text] : given) {
    const jax2onnx::front_end::option_row* row = jax2onnx::front_end::find_option(key);
    if (row == nullptr) throw nb::value_error(key.c_str());
    if (const std::string problem = set_option(s, *row, text); !problem.empty())
      throw nb::value_error((row->python_name() + ": " + problem).c_str());
  }
  return s;
}

/// The key, name in Python, form, meaning and values of each option that is a parameter of to_onnx.
nb::list options_of_python() {
  constexpr const char* forms[] = {"flag", "on_off",          "choice", "number", "list",
                                   "size", "custom_operator", "part",   "file"};
  nb::list out;
  for (const jax2onnx::front_end::option_row& row : jax2onnx::front_end::option_table())
    if (row.python_has == jax2onnx::front_end::in_python::parameter)
      out.append(
          nb::make_tuple(row.key, row.python_name(), forms[static_cast<int>(row.form)], row.meaning, row.values));
  return out;
}

model convert(std::string source, const nb::list& weights, const option_texts& given,
              std::vector<std::string> input_names, std::vector<std::string> output_names, const nb::list& operators,
              const nb::set& applied, const std::optional<nb::callable>& progress, bool keep_events) {
  jax2onnx::options o = settings_of(given).conversion;
  o.input_names = std::move(input_names);
  o.output_names = std::move(output_names);
  const auto mappings = mappings_of(operators, applied);
  o.lowerers = jax2onnx_python::lowerers_of(mappings);
  o.lowering.progress = attentive(progress);
  o.rewrites.keep_events = keep_events;
  std::vector<array> arrays = arrays_of(weights);
  std::vector<jax2onnx::weight> views;
  for (const array& a : arrays) views.push_back(a.what);
  auto made = translated([&] { return jax2onnx::convert(std::move(source), views, o); });
  return {std::move(arrays), std::move(made)};
}

jax2onnx::emit_options emission(const std::string& graph_name) {
  jax2onnx::emit_options e;
  e.producer_version = jax2onnx::version;
  e.graph_name = graph_name;
  e.max_bytes = UINT64_MAX;  // the weights are in memory already
  e.progress = attentive(nobody);
  return e;
}

void save(const model& m, const std::filesystem::path& path, const std::optional<std::string>& data_file,
          std::uint64_t threshold, const std::string& graph_name) {
  jax2onnx::emit_options e = emission(graph_name);
  if (data_file)
    e.external = {.placement = jax2onnx::weights_placement::data_file, .file = *data_file, .threshold = threshold};
  translated([&] { return write_model(m.graph(), e, path); });
}

/// The report of a model. The suffix of the file's name selects the format.
nb::bytes report(const model& m, const std::string& file, const std::string& name) {
  const std::string content =
      translated([&] { return jax2onnx::report(m.made(), jax2onnx::report_format_of(file), {.name = name}); });
  return nb::bytes(content.data(), content.size());
}

nb::bytes encode(const model& m, const std::string& graph_name) {
  const jax2onnx::emit_options e = emission(graph_name);
  std::ostringstream out;
  translated([&] { return write_model(m.graph(), e, out); });
  return nb::bytes(out.view().data(), out.view().size());
}

/// A tuple (name, JAX's element type, extents) for each value. An extent is a number, or a string with symbols.
nb::list interface(const jax2onnx::graph& g, const std::vector<jax2onnx::value_id>& values) {
  nb::list out;
  for (const jax2onnx::value_id id : values) {
    const nb::tuple type = jax2onnx_python::described(g, g.at(id).type);
    out.append(nb::make_tuple(g.at(id).name, type[0], type[1]));
  }
  return out;
}

std::map<std::string, std::size_t> operators(const jax2onnx::graph& g) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const jax2onnx::node_id n : g.at(static_cast<jax2onnx::block_id>(b)).nodes)
      ++counts[std::string(std::string_view(g.at(n).op))];
  return counts;
}

/// The first nodes of the main graph, each as (operator, operands, results): an operand is (id, whether it is a
/// constant), a result is (id, name, element type, extents).
nb::list nodes(const jax2onnx::graph& g, std::size_t most) {
  nb::list out;
  for (const jax2onnx::node_id n : g.at(jax2onnx::block_id::main).nodes) {
    if (nb::len(out) == most) break;
    nb::list operands, results;
    for (const jax2onnx::value_id v : g.at(n).inputs)
      if (v != jax2onnx::value_id::none)
        operands.append(nb::make_tuple(static_cast<std::uint32_t>(v), g.at(v).constant >= 0));
    for (const jax2onnx::value_id v : g.at(n).outputs)
      if (v != jax2onnx::value_id::none) {
        const nb::tuple type = jax2onnx_python::described(g, g.at(v).type);
        results.append(nb::make_tuple(static_cast<std::uint32_t>(v), g.at(v).name, type[0], type[1]));
      }
    out.append(nb::make_tuple(g.at(n).op.text(), operands, results));
  }
  return out;
}

/// Ids of the inputs and of the outputs.
nb::tuple ends(const jax2onnx::graph& g) {
  const auto ids = [](const std::vector<jax2onnx::value_id>& values) {
    nb::list out;
    for (const jax2onnx::value_id v : values) out.append(static_cast<std::uint32_t>(v));
    return out;
  };
  const jax2onnx::block& main = g.at(jax2onnx::block_id::main);
  return nb::make_tuple(ids(main.inputs), ids(main.outputs));
}

/// Names of the inputs that neither a node nor the outputs read.
std::vector<std::string> unread_inputs(const jax2onnx::graph& g) {
  std::set<jax2onnx::value_id> read;
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    const jax2onnx::block& block = g.at(static_cast<jax2onnx::block_id>(b));
    read.insert(block.outputs.begin(), block.outputs.end());
    for (const jax2onnx::node_id n : block.nodes) read.insert(g.at(n).inputs.begin(), g.at(n).inputs.end());
  }
  std::vector<std::string> names;
  for (const jax2onnx::value_id v : g.at(jax2onnx::block_id::main).inputs)
    if (!read.contains(v)) names.push_back(g.at(v).name);
  return names;
}

nb::dict statistics(const jax2onnx::statistics& s) {
  const auto seconds = [](std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); };
  nb::dict out;
  out["equations"] = s.equations;
  out["nodes"] = s.nodes;
  out["weights"] = s.weights;
  out["weight_bytes"] = s.weight_bytes;
  out["constants_as_inputs"] = s.constants_as_inputs;
  out["parse"] = seconds(s.parse);
  out["lower"] = seconds(s.lower);
  out["rewrite"] = seconds(s.rewrite);
  return out;
}

/// Runs the command line tool with these arguments, the first of which is its name; returns its exit code.
int tool(const std::vector<nb::bytes>& arguments) {
  std::vector<std::string> texts;
  for (const nb::bytes& argument : arguments) texts.emplace_back(argument.c_str(), argument.size());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const nb::gil_scoped_release others_run;
  return cli::tool(static_cast<int>(texts.size()), pointers.data());
}

}  // namespace

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // programs may hold models until the interpreter ends
  m.attr("__version__") = JAX2ONNX_VERSION_STRING;
  m.attr("options") = options_of_python();
  failure_type = PyErr_NewException("jax2onnx_cpp._core.Failure", PyExc_RuntimeError, nullptr);
  m.attr("Failure") = nb::borrow(failure_type);

  nb::class_<model>(m, "Model")
      .def_prop_ro("opset", [](const model& c) { return c.graph().opset(); })
      .def_prop_ro("inputs",
                   [](const model& c) { return interface(c.graph(), c.graph().at(jax2onnx::block_id::main).inputs); })
      .def_prop_ro("outputs",
                   [](const model& c) { return interface(c.graph(), c.graph().at(jax2onnx::block_id::main).outputs); })
      .def_prop_ro("operators", [](const model& c) { return operators(c.graph()); })
      .def(
          "nodes", [](const model& c, std::size_t most) { return nodes(c.graph(), most); }, "most"_a)
      .def_prop_ro("ends", [](const model& c) { return ends(c.graph()); })
      .def_prop_ro("unread_inputs", [](const model& c) { return unread_inputs(c.graph()); })
      .def_prop_ro("statistics", [](const model& c) { return statistics(c.made().stats); })
      .def_prop_ro("warnings", [](const model& c) { return described(c.made().warnings); })
      .def("obstacles",
           [](const model& c) {
             nb::dict all;
             for (const jax2onnx::runtime r : jax2onnx::other_runtimes)
               all[std::string(name_of(r)).c_str()] = described(obstacle_warnings(c.graph(), r));
             return all;
           })
      .def("save", &save, "path"_a, "data_file"_a.none(), "threshold"_a, "graph_name"_a)
      .def("encode", &encode, "graph_name"_a)
      .def("report", &report, "file"_a, "name"_a)
      .def("text", [](const model& c) { return translated([&] { return to_text(c.graph()); }); });

  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const jax2onnx::build_error& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const nb::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "an operand or attribute is not of the type that the operator takes");
    }
  });
  using jax2onnx_python::builder, jax2onnx_python::tensor;
  nb::class_<tensor>(m, "Tensor")
      .def_prop_ro("type", [](const tensor& t) { return jax2onnx_python::described(t.get().owner(), t.get().type()); })
      .def_prop_ro("name", [](const tensor& t) { return t.get().owner().at(t.get().id()).name; });
  nb::class_<builder>(m, "Builder")
      .def_prop_ro("opset", &builder::opset)
      .def_prop_ro("results", &builder::results)
      .def("node", &builder::node, "op"_a, "operands"_a, "attributes"_a, "results"_a)
      .def("own_node", &builder::own_node, "domain"_a, "op"_a, "operands"_a, "attributes"_a, "types"_a)
      .def("constant", &builder::constant, "array"_a);

  m.def("convert", &convert, "text"_a, "weights"_a, "options"_a, "input_names"_a, "output_names"_a, "operators"_a,
        "applied"_a, "progress"_a.none(), "keep_events"_a = false);
  m.def(
      "check_options", [](const option_texts& given) { settings_of(given); }, "options"_a);
  m.def("names_report_format", &jax2onnx::names_report_format, "file"_a);
  m.def("primitives", [] {
    std::vector<std::string> names;
    for (const auto rows : {jax2onnx::builtin_lowerings(), jax2onnx::complex_lowerings()})
      for (const jax2onnx::lowering& row : rows) names.emplace_back(row.primitive);
    return names;
  });
  m.def("rewrites", [] { return jax2onnx::rewrite_names(); });
  m.def("tool", &tool, "arguments"_a);
}
