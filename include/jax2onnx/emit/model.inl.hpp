#pragma once

#include <cerrno>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/emit/external.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/output_file.hpp>
#include <jax2onnx/emit/plan.hpp>

#include <unistd.h>

namespace jax2onnx {

namespace detail {

/// The input files of a model: those of the options, and those that its weights view.
inline std::vector<std::filesystem::path> input_files(const graph& g, const emission_plan& plan,
                                                      const emit_options& options) {
  std::vector<std::filesystem::path> files = options.inputs;
  for (value_id v : plan.initializers())
    if (const byte_source* source = g.data(g.at(v)).source())
      if (const auto range = source->location(); range && (files.empty() || files.back() != range->file))
        files.emplace_back(range->file);
  return files;
}

/// Counts the bytes written and reports them to the progress sink.
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

/// Writes the data file. Alignment gaps are holes, which read as zeros.
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

/// Moves both files to their places. Between the two renames a reader would combine the old model with the new data.
/// Nothing that can fail for lack of space happens in between, and if the second rename fails, the first one is undone.
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

}  // namespace detail

JAX2ONNX_INLINE emit_summary write_model(const graph& g, const emit_options& options, std::ostream& out) {
  if (options.external.placement != weights_placement::in_model)
    throw file_error(failure::io, "external data needs an output file: a stream has no place beside it");
  const detail::emission_plan plan(g, options.graph_name);
  const detail::model_writer model(g, plan, options);
  detail::written_bytes written(options.progress, model.size());
  model.stream([&](std::span<const std::byte> piece) {
    if (!out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size())))
      throw file_error(failure::io, "the output stream cannot be written");
    written.add(piece.size());
  });
  if (!out.flush()) throw file_error(failure::io, "the output stream cannot be written");
  return {model.size(), 0, {}};
}

JAX2ONNX_INLINE emit_summary write_model(const graph& g, const emit_options& options,
                                         const std::filesystem::path& out) {
  const detail::emission_plan plan(g, options.graph_name);
  const detail::external_layout layout = detail::plan_external(g, plan, options.external, out);
  const detail::model_writer model(g, plan, options, layout.places);
  const std::vector<std::filesystem::path> inputs = detail::input_files(g, plan, options);
  detail::refuse_overwriting(out, inputs);
  emit_summary summary{model.size(), 0, layout.data_file};
  detail::written_bytes written(options.progress, model.size() + layout.data_bytes);
  detail::output_file model_file(out);
  std::optional<detail::output_file> data_file;
  if (!layout.copied.empty()) {
    detail::refuse_overwriting(layout.data_file, inputs);
    data_file.emplace(layout.data_file);
    summary.data_bytes = detail::write_data(g, plan, layout, *data_file, written);
    data_file->sync();
  }
  detail::buffered_writer buffer(model_file.fd(), out);
  model.stream([&](std::span<const std::byte> piece) {
    buffer.put(piece);
    written.add(piece.size());
  });
  buffer.flush();
  model_file.sync();
  detail::commit(model_file, data_file ? &*data_file : nullptr);
  return summary;
}

}  // namespace jax2onnx
