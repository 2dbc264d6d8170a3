// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/emit/message_writer.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The location of an initializer in ONNX external data.
struct external_location {
  std::string location;  // the location of the data file; empty if the weights are in the model
  std::uint64_t offset = 0, length = 0;
};

/// The wire format of a model whose initializers are streamed. The constructor encodes everything except the weights,
/// whose bytes it only counts.
class model_writer {
 public:
  /// `where` has an entry for every initializer of `plan`, or none at all. Throws limit_error for a model over 2 GiB.
  model_writer(const graph& g, const emission_plan& plan, const emit_options& options,
               std::span<const external_location> where = {});

  std::uint64_t size() const { return size_; }
  /// Streams the model in order, in pieces.
  void stream(const byte_source::sink& out) const;

 private:
  void encode_initializer(const message_writer& writer, value_id v, const external_location& where);
  static void put_location(wire_writer& to, const external_location& where);
  [[noreturn]] void too_large() const;

  const graph& graph_;
  // The serialized parts of the model; headers_ has the headers of all initializers, one after another.
  std::string envelope_, body_, headers_;
  struct initializer {
    std::size_t header_end;
    const bytes* data;  // the elements; null if they are external, or are strings
  };
  std::vector<initializer> initializers_;
  std::uint64_t size_ = 0;
};

inline std::uint64_t add_sizes(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (add_overflows(a, b, sum)) throw limit_error("the size of the weights overflows 64 bits");
  return sum;
}

inline model_writer::model_writer(const graph& g, const emission_plan& plan, const emit_options& options,
                                  std::span<const external_location> where)
    : graph_(g) {
  const message_writer writer(g, plan, options);
  wire_writer body(body_);
  writer.put_graph(body, block_id::main);
  std::uint64_t content = 0;
  for (std::size_t i = 0; i < plan.initializers().size(); ++i) {
    encode_initializer(writer, plan.initializers()[i], where.empty() ? external_location{} : where[i]);
    if (const bytes* data = initializers_.back().data) content = add_sizes(content, data->size());
  }
  content = add_sizes(content, body_.size() + headers_.size());
  wire_writer envelope(envelope_);
  writer.put_envelope(envelope);
  envelope.length(onnx_fields::model_graph, content);
  size_ = envelope_.size() + content;
  if (size_ > protobuf_limit) too_large();
}

inline void model_writer::put_location(wire_writer& to, const external_location& where) {
  using namespace onnx_fields;
  const auto entry = [&](std::string_view key, std::string_view value) {
    to.message(tensor_external_data, [&] {
      to.text(entry_key, key);
      to.text(entry_value, value);
    });
  };
  entry("location", where.location);
  entry("offset", std::to_string(where.offset));
  entry("length", std::to_string(where.length));
  to.integer(tensor_data_location, data_location_external);
}

inline void model_writer::encode_initializer(const message_writer& writer, value_id v, const external_location& where) {
  const bool external = !where.location.empty();
  const bool streamed = !external && graph_.at(v).type.type != dtype::string;  // strings are part of the header
  const bytes& data = graph_.data(graph_.at(v));
  std::string header;
  wire_writer to(header);
  writer.put_tensor_header(to, v);
  if (external) put_location(to, where);
  if (streamed) to.length(onnx_fields::tensor_raw_data, data.size());
  wire_writer(headers_).length(onnx_fields::graph_initializer, header.size() + (streamed ? data.size() : 0));
  headers_ += header;
  initializers_.push_back({headers_.size(), streamed ? &data : nullptr});
}

inline void model_writer::stream(const byte_source::sink& out) const {
  const auto put = [&](std::string_view s) { out(std::as_bytes(std::span(s.data(), s.size()))); };
  put(envelope_);
  put(body_);
  std::size_t at = 0;
  for (const initializer& i : initializers_) {
    put(std::string_view(headers_).substr(at, i.header_end - at));
    at = i.header_end;
    if (i.data) stream_exactly(*i.data, out);
  }
}

inline void model_writer::too_large() const {
  constexpr std::uint64_t tenth_of_gib = (std::uint64_t{1} << 30) / 10;
  const std::uint64_t tenths = (size_ + tenth_of_gib / 2) / tenth_of_gib;
  throw limit_error(
      message("the model would have {}.{} GiB; a single ONNX file is limited to 2 GiB: use option external-data "
              "to write the weights beside the model",
              tenths / 10, tenths % 10));
}

}  // namespace jax2onnx::detail
