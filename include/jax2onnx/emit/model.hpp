#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/emit/external.hpp>
#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/output_file.hpp>
#include <jax2onnx/emit/plan.hpp>

#include <unistd.h>

namespace jax2onnx {

/// What was written.
struct emit_summary {
  std::uint64_t model_bytes = 0;
  std::uint64_t data_bytes = 0;     ///< of the external data file
  std::filesystem::path data_file;  ///< empty where there is none
};

/// The whole model as a message, weights and all: for programs that go on with it in memory.
inline onnx::ModelProto to_proto(const graph& g, const emit_options& options = {}) {
  const emission_plan plan(g, options.graph_name);
  const proto_writer writer(g, plan, options);
  onnx::ModelProto model;
  writer.write_envelope(model);
  writer.write(block_id::main, *model.mutable_graph());
  for (value_id v : plan.initializers()) {
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    writer.write_header(v, tensor);
    std::string& raw = *tensor.mutable_raw_data();
    stream_exactly(g.data(g.at(v)), [&](std::span<const std::byte> piece) {
      raw.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
  }
  return model;
}

/// The files that a model comes from: those of the options, and those that its weights are views of.
inline std::set<std::filesystem::path> input_files(const graph& g, const emission_plan& plan,
                                                   const emit_options& options) {
  std::set<std::filesystem::path> files(options.inputs.begin(), options.inputs.end());
  for (value_id v : plan.initializers())
    if (const byte_source* source = g.data(g.at(v)).source())
      if (const auto range = source->location()) files.insert(range->file);
  return files;
}

/// Counts the bytes that are written, and tells.
class written_bytes {
 public:
  written_bytes(const progress_sink& sink, std::uint64_t total) : sink_(sink), total_(total) {}
  void add(std::size_t bytes) {
    done_ += bytes;
    if (sink_) sink_("writing", done_, total_);
  }

 private:
  const progress_sink& sink_;
  std::uint64_t done_ = 0, total_;
};

/// Writes the bytes of the data file; alignment gaps are holes, which read as zeros.
inline std::uint64_t write_data(const graph& g, const emission_plan& plan, const external_layout& layout,
                                output_file& out, written_bytes& written) {
  std::uint64_t end = 0;
  auto next = layout.copied.begin();
  for (std::size_t i = 0; next != layout.copied.end(); ++i) {
    if (plan.initializers()[i] != *next) continue;
    const external_location& place = layout.places[i];
    if (::lseek(out.fd(), static_cast<off_t>(place.offset), SEEK_SET) < 0) throw_io(out.target(), "write", errno);
    stream_exactly(g.data(g.at(*next)), [&](std::span<const std::byte> piece) {
      write_all(out.fd(), piece, out.target());
      written.add(piece.size());
    });
    end = place.offset + place.length;
    ++next;
  }
  return end;
}

/// Writes a model without external data. The stream has an unknown part of it when this throws.
inline emit_summary write_model(const graph& g, const emit_options& options, std::ostream& out) {
  if (options.external.placement != weights_placement::in_model)
    throw file_error(failure::io, "external data needs an output file: a stream has no place beside it");
  const emission_plan plan(g, options.graph_name);
  const model_writer model(g, plan, options);
  written_bytes written(options.progress, model.size());
  model.stream([&](std::span<const std::byte> piece) {
    if (!out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size())))
      throw file_error(failure::io, "the output stream cannot be written");
    written.add(piece.size());
  });
  if (!out.flush()) throw file_error(failure::io, "the output stream cannot be written");
  return {model.size(), 0, {}};
}

/// Puts both files in their places. Between the two renames the old model would meet the new data; nothing that can
/// fail for lack of space happens there, and when the second one fails the first is undone.
inline void commit(output_file& model, output_file* data) {
  if (!data) return model.commit();
  const held_signals uninterrupted;
  data->give_name();
  model.give_name();
  data->guard_old();
  data->replace_target();
  try {
    model.replace_target();
  } catch (...) {
    data->restore();
    throw;
  }
  data->release_old();
  model.sync_directory();
}

/// Writes a model to `out`, and its external data file beside it, if it has one. Both appear complete or not at all:
/// what was there before stays until then, also when the process is killed. Throws file_error, limit_error.
inline emit_summary write_model(const graph& g, const emit_options& options, const std::filesystem::path& out) {
  const emission_plan plan(g, options.graph_name);
  const external_layout layout = plan_external(g, plan, options.external, out);
  const model_writer model(g, plan, options, layout.places);
  const std::set<std::filesystem::path> inputs = input_files(g, plan, options);
  refuse_overwriting(out, inputs);
  emit_summary summary{model.size(), 0, layout.data_file};
  written_bytes written(options.progress, model.size() + layout.data_bytes);
  output_file model_file(out);
  std::optional<output_file> data_file;
  if (!layout.copied.empty()) {
    refuse_overwriting(layout.data_file, inputs);
    data_file.emplace(layout.data_file);
    summary.data_bytes = write_data(g, plan, layout, *data_file, written);
    data_file->sync();
  }
  buffered_writer buffer(model_file.fd(), out);
  model.stream([&](std::span<const std::byte> piece) {
    buffer.put(piece);
    written.add(piece.size());
  });
  buffer.flush();
  model_file.sync();
  commit(model_file, data_file ? &*data_file : nullptr);
  return summary;
}

}  // namespace jax2onnx
