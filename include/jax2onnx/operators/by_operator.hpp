// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include <jax2onnx/graph/operator_name.hpp>

namespace jax2onnx::operators {

/// Rows for some operators of ai.onnx, found by the operator's number. A row has its operator as member `op`.
template <class Row, std::size_t N>
class by_operator {
 public:
  /// `rows` must outlive the object. Two rows for one operator do not compile.
  consteval explicit by_operator(const Row (&rows)[N]) : rows_(rows) {
    static_assert(N < 255);
    for (std::size_t i = 0; i < N; ++i) {
      std::uint8_t& place = places_[static_cast<std::size_t>(rows[i].op.number())];
      if (place != 0) throw "an operator has two rows";
      place = static_cast<std::uint8_t>(i + 1);
    }
  }
  /// The row of an operator; null if it has none.
  constexpr const Row* find(operator_name op) const {
    const std::uint8_t place = op.number() < 0 ? 0 : places_[static_cast<std::size_t>(op.number())];
    return place == 0 ? nullptr : &rows_[place - 1];
  }

 private:
  const Row* rows_;
  std::array<std::uint8_t, std::size(records::names)> places_ = {};
};

}  // namespace jax2onnx::operators
