// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace jax2onnx {

/// The division of a tensor among devices: ONNX's ShardingSpecProto (IR version 11). The parts are numbered in
/// row-major order of `axes`. Without axes there is one part, the whole tensor.
struct tensor_sharding {
  std::vector<std::int64_t> axes;     ///< the axes that are divided
  std::vector<std::int64_t> parts;    ///< for each of these axes, the number of equal parts
  std::vector<std::int64_t> devices;  ///< the devices of the first part, then the devices of the second part, …
  std::int64_t copies = 1;            ///< the number of devices that have the same part
  friend bool operator==(const tensor_sharding&, const tensor_sharding&) = default;
};

}  // namespace jax2onnx
