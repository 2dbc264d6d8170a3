// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs built by hand, and helpers shared by the tests of emission.

#include "weights/files.hpp"

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/emit/proto.hpp>
#include <jax2onnx/emit/text.hpp>

namespace test_graphs {

inline jax2onnx::value floats(jax2onnx::graph& g, const std::vector<float>& values, std::string name = {}) {
  return g.constant({jax2onnx::dtype::f32, {static_cast<std::int64_t>(values.size())}},
                    jax2onnx::bytes(test_files::raw(values)), std::move(name));
}

inline void outputs(jax2onnx::graph& g, jax2onnx::block_id b, std::initializer_list<jax2onnx::value> values) {
  g.set_outputs(b, std::span(values.begin(), values.size()));
}
inline void outputs(jax2onnx::graph& g, std::initializer_list<jax2onnx::value> values) {
  outputs(g, jax2onnx::block_id::main, values);
}

/// y = x + w
inline jax2onnx::value add(jax2onnx::graph& g, jax2onnx::value x, jax2onnx::value y) {
  return g.emit("Add", {x, y}, x.type());
}

inline onnx::ModelProto parsed(std::string_view bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw std::runtime_error("the model does not parse");
  return model;
}

inline onnx::ModelProto written(const jax2onnx::graph& g, const jax2onnx::emit_options& options = {}) {
  std::ostringstream out;
  write_model(g, options, out);
  return parsed(out.str());
}

/// A large weight of any size: a stream of zeros that counts how far it was read.
class zeros final : public jax2onnx::byte_source {
 public:
  explicit zeros(std::uint64_t size, std::int64_t lie = 0) : size_(size), lie_(lie) {}
  std::uint64_t size() const override { return size_; }
  void stream(const sink& out) const override {
    const std::vector<std::byte> piece(1 << 16);
    for (std::uint64_t left = size_ + static_cast<std::uint64_t>(lie_); left > 0;) {
      const auto n = std::min<std::uint64_t>(left, piece.size());
      out(std::span(piece).first(n));
      left -= n;
    }
  }

 private:
  std::uint64_t size_;
  std::int64_t lie_;
};

inline jax2onnx::value stream_of_zeros(jax2onnx::graph& g, std::int64_t size, std::string name, std::int64_t lie = 0) {
  return g.constant({jax2onnx::dtype::u8, {size}}, jax2onnx::bytes(std::make_shared<const zeros>(size, lie)),
                    std::move(name));
}

}  // namespace test_graphs
