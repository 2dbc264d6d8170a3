// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <jax2onnx/operators/records/activation.hpp>
#include <jax2onnx/operators/records/attention.hpp>
#include <jax2onnx/operators/records/constant.hpp>
#include <jax2onnx/operators/records/control.hpp>
#include <jax2onnx/operators/records/convolution.hpp>
#include <jax2onnx/operators/records/elementwise.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/records/indexing.hpp>
#include <jax2onnx/operators/records/linear.hpp>
#include <jax2onnx/operators/records/loss.hpp>
#include <jax2onnx/operators/records/ml.hpp>
#include <jax2onnx/operators/records/normalization.hpp>
#include <jax2onnx/operators/records/pooling.hpp>
#include <jax2onnx/operators/records/quantization.hpp>
#include <jax2onnx/operators/records/random.hpp>
#include <jax2onnx/operators/records/recurrent.hpp>
#include <jax2onnx/operators/records/reduction.hpp>
#include <jax2onnx/operators/records/sequence.hpp>
#include <jax2onnx/operators/records/shape.hpp>
#include <jax2onnx/operators/records/signal.hpp>
#include <jax2onnx/support/edit_distance.hpp>

namespace jax2onnx {

namespace detail {

inline bool is_listed_before(const op_record* a, const op_record* b) {
  return std::tie(a->name, a->domain, a->since) < std::tie(b->name, b->domain, b->since);
}

inline std::vector<const op_record*> sorted_records() {
  std::vector<const op_record*> out;
  const auto add = [&](std::span<const op_record> family) {
    for (const op_record& r : family) out.push_back(&r);
  };
  add(records::elementwise_records);
  add(records::activation_records);
  add(records::reduction_records);
  add(records::shape_records);
  add(records::indexing_records);
  add(records::linear_records);
  add(records::convolution_records);
  add(records::pooling_records);
  add(records::normalization_records);
  add(records::recurrent_records);
  add(records::attention_records);
  add(records::control_records);
  add(records::random_records);
  add(records::constant_records);
  add(records::quantization_records);
  add(records::sequence_records);
  add(records::signal_records);
  add(records::loss_records);
  add(records::ml_records);
  std::sort(out.begin(), out.end(), is_listed_before);
  return out;
}

}  // namespace detail

JAX2ONNX_INLINE std::span<const op_record* const> all_records() {
  static const std::vector<const op_record*> records = detail::sorted_records();
  return records;
}

JAX2ONNX_INLINE int domain_version(std::string_view domain, int opset) {
  if (domain.empty() || domain == "ai.onnx") return opset;
  if (domain == "ai.onnx.ml") return 5;
  return domain == "ai.onnx.preview.training" ? 1 : 0;
}

namespace detail {

/// The records of each name, in all domains. A table, since every node is looked up several times.
inline std::unordered_map<std::string_view, std::span<const op_record* const>> records_by_name() {
  std::unordered_map<std::string_view, std::span<const op_record* const>> out;
  const std::span<const op_record* const> all = all_records();
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    while (last < all.size() && all[last]->name == all[first]->name) ++last;
    out.emplace(all[first]->name, all.subspan(first, last - first));
  }
  return out;
}

}  // namespace detail

JAX2ONNX_INLINE std::span<const op_record* const> records_of(std::string_view domain, std::string_view op) {
  static const auto by_name = detail::records_by_name();
  if (domain == "ai.onnx") domain = {};
  const auto found = by_name.find(op);
  if (found == by_name.end()) return {};
  std::span<const op_record* const> records = found->second;
  while (!records.empty() && records.front()->domain != domain) records = records.subspan(1);
  while (!records.empty() && records.back()->domain != domain) records = records.first(records.size() - 1);
  return records;
}

namespace detail {

/// The records of ai.onnx, by the number of the operator.
inline std::vector<std::span<const op_record* const>> records_by_number() {
  std::vector<std::span<const op_record* const>> out;
  for (std::string_view op : records::names) out.push_back(records_of({}, op));
  return out;
}

}  // namespace detail

JAX2ONNX_INLINE const op_record* find_record(operator_name op, int opset) {
  static const auto by_number = detail::records_by_number();
  const op_record* found = nullptr;
  if (op.number() < 0) return found;
  for (const op_record* r : by_number[static_cast<std::size_t>(op.number())])
    if (r->since <= opset) found = r;
  return found;
}

JAX2ONNX_INLINE const op_record* find_record(std::string_view domain, std::string_view op, int in_version) {
  const op_record* found = nullptr;
  for (const op_record* r : records_of(domain, op))
    if (r->since <= in_version) found = r;
  return found;
}

JAX2ONNX_INLINE std::string_view similar_operator(std::string_view op) {
  std::string_view best;
  std::size_t least = std::min<std::size_t>(3, op.size() / 2 + 1);
  if (op.size() > 40) return best;
  for (const op_record* r : all_records()) {
    const std::size_t d = detail::edit_distance(op, r->name);
    if (d < least) least = d, best = r->name;
  }
  return best;
}

}  // namespace jax2onnx
