// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace jax2onnx {

/// The division of a tensor among devices: ONNX's ShardingSpecProto (IR version 11). Parts are counted along `axes`,
/// the last one being the fastest; without axes there is one part, the whole tensor.
struct tensor_sharding {
  std::vector<std::int64_t> axes;     ///< the axes that are divided
  std::vector<std::int64_t> parts;    ///< for each of these axes, the number of equal parts
  std::vector<std::int64_t> devices;  ///< the devices that have the first part, then those that have the second one, …
  std::int64_t copies = 1;            ///< the number of devices that have the same part
  friend bool operator==(const tensor_sharding&, const tensor_sharding&) = default;
};

}  // namespace jax2onnx
