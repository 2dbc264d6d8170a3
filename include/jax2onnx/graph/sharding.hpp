#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace jax2onnx {

/// How a tensor is divided among devices: ONNX's ShardingSpecProto (IR version 11). Parts are counted along `axes`, the
/// last one being the fastest; without axes there is one part, the whole tensor.
struct tensor_sharding {
  /// An axis and the number of equal parts that it is divided into.
  struct axis_parts {
    std::int64_t axis = 0;
    std::int64_t count = 1;
    friend bool operator==(const axis_parts&, const axis_parts&) = default;
  };
  std::vector<axis_parts> axes;                    ///< those that are divided
  std::vector<std::vector<std::int64_t>> holders;  ///< for each part, the devices that have it
  friend bool operator==(const tensor_sharding&, const tensor_sharding&) = default;
};

}  // namespace jax2onnx
