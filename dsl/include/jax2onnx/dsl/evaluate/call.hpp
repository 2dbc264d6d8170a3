// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/dsl/evaluate/ndarray.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/support/message.hpp>

/// A node with arrays as its operands.
namespace jax2onnx::evaluation {

/// The largest number of elements of an array.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 26;

struct call {
  const graph& g;
  const node& n;
  std::vector<const ndarray*> in;  ///< the operands; null for an absent operand

  const ndarray& operand(std::size_t i) const { return *in[i]; }
  bool has(std::size_t i) const { return i < in.size() && in[i]; }

  /// The value of the attribute `name`, or its default. If the attribute has no default: 0, false or an empty string.
  std::int64_t integer(std::string_view name) const {
    if (const attribute* a = n.find(name)) return std::get<std::int64_t>(a->value);
    const default_value* standard = operators::default_of(g, n, name);
    return standard ? standard->integer : 0;
  }
  bool flag(std::string_view name) const { return integer(name) != 0; }
  double real(std::string_view name) const {
    if (const attribute* a = n.find(name)) return static_cast<double>(std::get<float>(a->value));
    const default_value* standard = operators::default_of(g, n, name);
    return standard ? static_cast<double>(static_cast<float>(standard->real)) : 0;
  }
  std::string text(std::string_view name) const {
    if (const attribute* a = n.find(name)) return std::get<std::string>(a->value);
    const default_value* standard = operators::default_of(g, n, name);
    return standard ? std::string(standard->text) : std::string();
  }
  /// The elements of operand i as integers.
  ints integers(std::size_t i) const {
    ints out;
    for (std::size_t k = 0; k < operand(i).size(); ++k) out.push_back(operand(i)[k].integer());
    return out;
  }
  /// The elements of operand i as integers. If the operand is absent, the attribute `name`; empty if the attribute is
  /// absent as well.
  ints integers_or(std::size_t i, std::string_view name) const {
    if (has(i)) return integers(i);
    const attribute* a = n.find(name);
    return a ? std::get<ints>(a->value) : ints();
  }
  /// The attribute `axis` as an index from the front. A negative axis counts back from the rank of operand 0 plus
  /// `more`. Throws a build_error if the axis is out of range.
  std::size_t axis(std::int64_t more = 0) const { return from_front(integer("axis"), operand(0).rank() + more); }

  std::size_t from_front(std::int64_t axis, std::int64_t rank) const {
    const std::int64_t found = axis < 0 ? axis + rank : axis;
    if (found < 0 || found >= rank)
      fail(detail::message("the axis {} is out of range for {} dimension{|s}", axis, rank));
    return static_cast<std::size_t>(found);
  }
  [[noreturn]] void fail(std::string_view problem) const {
    throw build_error(detail::message("evaluate: {}: {}", n.op.text(), problem));
  }
};

/// The number of elements of an array of these extents. Throws a build_error for a negative extent, and if the product
/// of the extents before the first 0 is over most_elements.
inline std::size_t count_of(const ints& extents) {
  std::int64_t count = 1;
  for (const std::int64_t n : extents) {
    if (n < 0 || (n > 0 && count > most_elements / n))
      throw build_error("evaluate: an array has over 2^26 elements or a negative extent");
    count *= n;
  }
  return static_cast<std::size_t>(count);
}

/// The element type of result i; the type of operand 0 if the graph does not state it.
inline dtype result_type(const call& c, std::size_t i = 0) {
  const dtype stated = c.g.at(c.n.outputs[i]).type.type;
  return stated == dtype::undefined ? c.operand(0).type() : stated;
}

/// The array of these extents whose element at each position is the element of x at the flat index `source(position)`.
template <class Source>
ndarray picked(const ndarray& x, const ints& extents, const Source& source) {
  std::vector<std::uint64_t> out(count_of(extents));
  ints place(extents.size());
  for (std::uint64_t& element : out) {
    element = x.patterns().at(source(place));
    for (std::size_t axis = extents.size(); axis-- > 0 && ++place[axis] == extents[axis];) place[axis] = 0;
  }
  return {x.type(), extents, std::move(out)};
}

/// The flat index in x of a position in an array that x is broadcast to.
inline std::size_t index_of(const ndarray& x, const ints& place) {
  std::size_t index = 0;
  const std::size_t missing = place.size() - x.extents().size();
  for (std::size_t i = 0; i < x.extents().size(); ++i) {
    const std::int64_t extent = x.extents()[i];
    index = index * static_cast<std::size_t>(extent) + (extent == 1 ? 0 : static_cast<std::size_t>(place[missing + i]));
  }
  return index;
}

/// x with other extents, in row-major order.
inline ndarray reshaped(const ndarray& x, ints extents) { return {x.type(), std::move(extents), x.patterns()}; }

/// The extents to which the operands are broadcast. Throws a build_error if the shapes do not broadcast.
inline ints broadcast_extents(const call& c) {
  ints out;
  for (const ndarray* x : c.in) {
    const ints& e = x->extents();
    if (e.size() > out.size()) out.insert(out.begin(), e.size() - out.size(), 1);
    for (std::size_t back = 1; back <= e.size(); ++back) {
      std::int64_t& to = out[out.size() - back];
      const std::int64_t own = e[e.size() - back];
      if (to == 1) to = own;
      else if (own != 1 && own != to) c.fail("the shapes do not broadcast");
    }
  }
  return out;
}

}  // namespace jax2onnx::evaluation
