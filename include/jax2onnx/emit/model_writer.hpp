#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/support/error.hpp>
#include <jax2onnx/emit/proto.hpp>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace jax2onnx {

/// Where the bytes of an initializer lie when not in the model, as ONNX external data.
struct external_location {
  std::string location;  // empty: in the model
  std::uint64_t offset = 0, length = 0;
};

/// Passes all bytes of a constant on; throws std::logic_error where a source gives other than size() bytes.
inline void stream_exactly(const bytes& data, const byte_source::sink& out) {
  std::uint64_t count = 0;
  data.stream([&](std::span<const std::byte> piece) {
    count += piece.size();
    if (count > data.size()) throw std::logic_error("emit: a weight has more bytes than it said");
    out(piece);
  });
  if (count != data.size()) throw std::logic_error("emit: a weight has fewer bytes than it said");
}

/// The wire format of a model whose initializers are streamed: all that is small is encoded when this is made, the
/// weights are only counted.
class model_writer {
 public:
  /// `where` has an entry for every initializer of `plan`, or none at all. Throws limit_error for a model over 2 GiB.
  model_writer(const graph& g, const emission_plan& plan, const emit_options& options,
               std::span<const external_location> where = {});

  std::uint64_t size() const { return size_; }
  /// Passes the model on in order, in pieces.
  void stream(const byte_source::sink& out) const;

 private:
  enum field : std::uint32_t { graph_nodes = 1, graph_initializer = 5, model_graph = 7, tensor_raw_data = 9 };
  static constexpr std::uint64_t protobuf_limit = std::numeric_limits<std::int32_t>::max();

  static void put_varint(std::string& to, std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) to += static_cast<char>(n | 0x80);
    to += static_cast<char>(n);
  }
  static void put_length(std::string& to, field f, std::uint64_t length) {
    constexpr std::uint32_t length_delimited = 2;
    put_varint(to, f << 3 | length_delimited);
    put_varint(to, length);
  }
  template <typename Message>
  static void append(std::string& to, const Message& message) {
    const std::size_t size = message.ByteSizeLong();
    if (size > protobuf_limit) throw limit_error("a node with its subgraphs is over 2 GiB");
    // Not a StringOutputStream: that one clears the string's whole capacity, for every node.
    const std::size_t begin = to.size();
    to.resize(begin + size);
    google::protobuf::io::ArrayOutputStream stream(to.data() + begin, static_cast<int>(size));
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    message.SerializeWithCachedSizes(&out);
  }
  template <typename Message>
  static void append_field(std::string& to, field f, const Message& message) {
    put_length(to, f, message.ByteSizeLong());
    append(to, message);
  }
  void encode_graph(const proto_writer& writer);
  void encode_initializer(const proto_writer& writer, value_id v, const external_location& where);
  [[noreturn]] void too_large() const;

  const graph& graph_;
  const emission_plan& plan_;
  std::string envelope_, body_, headers_;  // headers_: of all initializers, one after another
  struct initializer {
    std::size_t header_end;
    const bytes* data;  // null: external
  };
  std::vector<initializer> initializers_;
  std::uint64_t size_ = 0;
};

inline model_writer::model_writer(const graph& g, const emission_plan& plan, const emit_options& options,
                                  std::span<const external_location> where)
    : graph_(g), plan_(plan) {
  const proto_writer writer(g, plan, options);
  encode_graph(writer);
  std::uint64_t weights = 0;
  for (std::size_t i = 0; i < plan.initializers().size(); ++i) {
    encode_initializer(writer, plan.initializers()[i], where.empty() ? external_location{} : where[i]);
    if (const bytes* data = initializers_.back().data)
      if (__builtin_add_overflow(weights, data->size(), &weights)) throw limit_error("the weights overflow 64 bits");
  }
  const std::uint64_t small = body_.size() + headers_.size();
  if (__builtin_add_overflow(small, weights, &weights)) throw limit_error("the weights overflow 64 bits");
  onnx::ModelProto envelope;
  writer.write_envelope(envelope);
  append(envelope_, envelope);
  put_length(envelope_, model_graph, weights);
  size_ = envelope_.size() + weights;
  if (size_ > protobuf_limit) too_large();
}

inline void model_writer::encode_graph(const proto_writer& writer) {
  onnx::NodeProto message;
  const auto put = [&](const auto& what, auto write) {
    message.Clear();
    write(what, message);
    append_field(body_, graph_nodes, message);
    if (body_.size() > protobuf_limit) throw limit_error("the graph without its weights is over 2 GiB");
  };
  for (node_id n : graph_.at(block_id::main).nodes)
    put(graph_.at(n), [&](const node& from, onnx::NodeProto& to) { writer.write(from, to); });
  for (const emission_plan::output& o : plan_.outputs(block_id::main))
    if (o.copied)
      put(o, [&](const emission_plan::output& from, onnx::NodeProto& to) { writer.write_identity(from, to); });
  // Messages with parts of the graph, one after another, are the graph; a whole one would take many times the memory.
  onnx::GraphProto part;
  writer.write_interface(block_id::main, part);
  append(body_, part);
  for (node_id n : graph_.at(block_id::main).nodes) {
    part.Clear();
    writer.write_value_info(graph_.at(n), part);
    append(body_, part);
  }
}

inline void model_writer::encode_initializer(const proto_writer& writer, value_id v, const external_location& where) {
  onnx::TensorProto message;
  writer.write_header(v, message);
  const bool external = !where.location.empty();
  if (external) {
    message.set_data_location(onnx::TensorProto_DataLocation_EXTERNAL);
    const auto entry = [&](const char* key, std::string value) {
      onnx::StringStringEntryProto& e = *message.add_external_data();
      e.set_key(key);
      e.set_value(std::move(value));
    };
    entry("location", where.location);
    entry("offset", std::to_string(where.offset));
    entry("length", std::to_string(where.length));
  }
  const bytes& data = graph_.data(graph_.at(v));
  std::string header;
  append(header, message);
  if (!external) put_length(header, tensor_raw_data, data.size());
  put_length(headers_, graph_initializer, header.size() + (external ? 0 : data.size()));
  headers_ += header;
  initializers_.push_back({headers_.size(), external ? nullptr : &data});
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
  throw limit_error(
      fmt::format("the model would have {:.1f} GiB; a single ONNX file is limited to 2 GiB: use --external-data to "
                  "write the weights beside it",
                  static_cast<double>(size_) / (1 << 30)));
}

}  // namespace jax2onnx
