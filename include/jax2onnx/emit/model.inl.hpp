// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <jax2onnx/emit/expanded.hpp>
#include <jax2onnx/emit/external.hpp>
#include <jax2onnx/emit/folder_lock.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/output_file.hpp>
#include <jax2onnx/emit/plan.hpp>
#include <jax2onnx/emit/uninterrupted.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/platform/platform.hpp>

namespace jax2onnx {

namespace detail {

/// Throws limit_error if more constants would be written than the options allow.
inline void require_max_bytes(const graph& g, const emission_plan& plan, const emit_options& options) {
  constexpr std::uint64_t base = std::uint64_t{1} << 30, ratio = 100;
  std::uint64_t total = 0, stored = 0;
  const auto add = [](std::uint64_t& sum, std::uint64_t n) { sum += std::min(n, UINT64_MAX - sum); };
  for (value_id v : plan.initializers()) {
    const bytes& data = g.data(g.at(v));
    add(stored, data.stored_size());
    const bool stays = options.external.placement == weights_placement::reference && !data.in_place();
    if (!stays || !data.source()->location()) add(total, data.size());
  }
  const std::uint64_t limit = options.max_bytes.value_or(base + ratio * std::min(stored, (UINT64_MAX - base) / ratio));
  if (total > limit)
    throw limit_error(message("the weights of the model have {} byte{|s}, over {} (the limit 'output')", total, limit));
}

/// The input files of a model: the files that the options name, and the files that its weights view.
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
  explicit written_bytes(const progress_sink& sink) : sink_(sink) {}
  void expect(std::uint64_t bytes) { total_ += bytes; }
  void add(std::size_t bytes) {
    done_ += bytes;
    if (sink_) sink_("writing", done_, total_);
  }

 private:
  const progress_sink& sink_;
  std::uint64_t done_ = 0, total_ = 0;
};

/// The parts that all versions of a model share. One call of write_model() writes one or two versions.
struct emission {
  const graph& g;
  const emit_options& options;
  const std::filesystem::path& out;
  emission_plan plan;
  std::vector<std::filesystem::path> inputs;
  written_bytes written;
};

/// A model and its data file, if it has one: complete and on disk, but not yet named.
class unpublished_model {
 public:
  /// Writes both files. If `settings` give no name for the data file, it is named by its content.
  unpublished_model(emission& e, const external_data& settings);

  const emit_summary& summary() const { return summary_; }
  void publish(const folder_lock& lock);

 private:
  void write_data(emission& e, const external_data& settings);
  /// Writes the weights of the data file. Alignment gaps are holes, which read as zeros.
  content_hash write_weights(emission& e);

  external_layout layout_;
  output_file model_;
  std::optional<output_file> data_;
  emit_summary summary_;
};

inline unpublished_model::unpublished_model(emission& e, const external_data& settings)
    : layout_(plan_external(e.g, e.plan, settings, e.out)), model_(e.out) {
  if (!layout_.copied.empty()) write_data(e, settings);
  const model_writer model(e.g, e.plan, e.options, layout_.places);
  summary_.model_bytes = model.size();
  e.written.expect(model.size());
  buffered_writer buffer(model_.fd(), e.out);
  model.stream([&](std::span<const std::byte> piece) {
    buffer.put(piece);
    e.written.add(piece.size());
  });
  buffer.flush();
  model_.sync();
}

inline void unpublished_model::write_data(emission& e, const external_data& settings) {
  const bool named = !settings.file.empty();
  std::filesystem::path file = e.out.parent_path() / data_file_name(e.out, {});
  if (named) file = named_data_file(e.out, settings);
  refuse_overwriting(file, e.inputs);
  e.written.expect(layout_.data_bytes);
  data_.emplace(file, named && std::filesystem::exists(file) ? file : e.out);
  const content_hash content = write_weights(e);
  if (!named) file = e.out.parent_path() / data_file_name(e.out, content);
  refuse_overwriting(file, e.inputs);
  data_->retarget(file);
  data_->sync();
  layout_.name_data_file(file.filename().string());
  summary_.data_file = std::move(file);
}

inline content_hash unpublished_model::write_weights(emission& e) {
  content_hash content;
  auto next = layout_.copied.begin();
  for (std::size_t i = 0; next != layout_.copied.end(); ++i) {
    if (e.plan.initializers()[i] != *next) continue;
    const external_location& place = layout_.places[i];
    if (!platform::seek(data_->fd(), place.offset)) throw_io(e.out, "write", errno);
    content.add(place.offset);
    content.add(place.length);
    stream_exactly(e.g.data(e.g.at(*next)), [&](std::span<const std::byte> piece) {
      write_all(data_->fd(), piece, data_->target());
      content.add(piece);
      e.written.add(piece.size());
    });
    summary_.data_bytes = place.offset + place.length;
    ++next;
  }
  return content;
}

inline void unpublished_model::publish(const folder_lock& lock) {
  std::error_code none;
  const bool fresh = data_ && !std::filesystem::exists(data_->target(), none);
  if (data_) data_->publish(lock);
  try {
    model_.publish(lock);
  } catch (...) {
    if (fresh) std::filesystem::remove(data_->target(), none);
    throw;
  }
}

/// Files beside the model that it no longer needs: data files named by content, and leftovers of a killed process.
inline std::vector<std::filesystem::path> stale_files(const emission& e, const std::filesystem::path& data_file) {
  std::vector<std::filesystem::path> stale;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory_of(e.out), none)) {
    const std::string name = entry.path().filename().string();
    const bool ours = is_data_file_name(name, e.out) || name == output_file::temporary_name(e.out).filename();
    if (!ours || name == data_file.filename() || !entry.is_regular_file(none) || entry.is_symlink(none)) continue;
    if (!is_one_of(entry.path(), e.inputs)) stale.push_back(entry.path());
  }
  return stale;
}

/// Gives models and data files their names, in the order of `versions`. A reader sees the old model with its data or a
/// new one with its data: a data file is never replaced while a model refers to it.
inline void publish(const emission& e, std::span<const std::unique_ptr<unpublished_model>> versions) {
  const std::filesystem::path& data_file = versions.back()->summary().data_file;
  const folder_lock lock(directory_of(e.out));
  const bool replaces = std::filesystem::exists(e.out);
  if (replaces && versions.size() == 1 && !data_file.empty() &&
      !is_data_file_name(data_file.filename().string(), e.out) && std::filesystem::exists(data_file))
    throw file_error(failure::io, data_file.string() + ": was written by another process meanwhile");
  std::vector<std::filesystem::path> stale;
  if (lock.held() && (replaces || !data_file.empty())) stale = stale_files(e, data_file);
  if (versions.size() > 1) stale.push_back(versions.front()->summary().data_file);
  uninterrupted([&] {
    std::error_code none;
    for (const auto& version : versions) version->publish(lock);
    for (const std::filesystem::path& file : stale) std::filesystem::remove(file, none);
  });
  lock.sync();
}

}  // namespace detail

JAX2ONNX_INLINE emit_summary write_model(const graph& g, const emit_options& options, std::ostream& out) {
  if (detail::expands(g, options)) return write_model(detail::expanded(g), detail::kept(options), out);
  if (options.external.placement != weights_placement::in_model)
    throw file_error(failure::io,
                     "external data needs an output file, not a stream: the data are written beside the model");
  if (options.verify) verify(g);
  const detail::emission_plan plan(g, options.graph_name);
  detail::require_max_bytes(g, plan, options);
  const detail::model_writer model(g, plan, options);
  detail::written_bytes written(options.progress);
  written.expect(model.size());
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
  if (detail::expands(g, options)) return write_model(detail::expanded(g), detail::kept(options), out);
  if (options.verify) verify(g);
  detail::emission e{g, options, out, {g, options.graph_name}, {}, detail::written_bytes(options.progress)};
  detail::require_max_bytes(g, e.plan, options);
  e.inputs = detail::input_files(g, e.plan, options);
  detail::refuse_overwriting(out, e.inputs);
  std::vector<std::unique_ptr<detail::unpublished_model>> versions;
  external_data settings = options.external;
  if (settings.placement != weights_placement::in_model && !settings.file.empty() &&
      std::filesystem::exists(detail::named_data_file(out, settings)) && std::filesystem::is_regular_file(out)) {
    // The old model may refer to the file: first replace the model by a version whose data file has another name.
    settings.file.clear();
    versions.push_back(std::make_unique<detail::unpublished_model>(e, settings));
  }
  versions.push_back(std::make_unique<detail::unpublished_model>(e, options.external));
  detail::publish(e, versions);
  return versions.back()->summary();
}

}  // namespace jax2onnx
