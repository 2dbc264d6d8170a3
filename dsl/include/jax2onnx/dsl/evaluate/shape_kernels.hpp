// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/evaluate/call.hpp>
#include <jax2onnx/support/message.hpp>

/// Operators that move elements, and the operators Shape and Size.
namespace jax2onnx::evaluation {

using arrays = std::vector<ndarray>;

inline arrays reshape(const call& c) {
  const ndarray& x = c.operand(0);
  ints to = c.integers(1);
  std::int64_t known = 1, open = -1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && !c.flag("allowzero") && i < x.extents().size()) to[i] = x.extents()[i];
    if (to[i] == -1) open = static_cast<std::int64_t>(i);
    else known *= to[i];
  }
  if (open >= 0) to[static_cast<std::size_t>(open)] = known == 0 ? 0 : static_cast<std::int64_t>(x.size()) / known;
  return {reshaped(x, std::move(to))};
}
inline arrays flatten(const call& c) {
  const ndarray& x = c.operand(0);
  const auto axis = c.from_front(c.integer("axis"), x.rank() + 1);
  ints to{1, 1};
  for (std::size_t i = 0; i < x.extents().size(); ++i) to[i >= axis] *= x.extents()[i];
  return {reshaped(x, std::move(to))};
}
inline arrays squeeze(const call& c) {
  const ndarray& x = c.operand(0);
  std::vector<bool> gone(x.extents().size());
  for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = !c.has(1) && x.extents()[i] == 1;
  if (c.has(1))
    for (const std::int64_t axis : c.integers(1)) gone[c.from_front(axis, x.rank())] = true;
  ints to;
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (!gone[i]) to.push_back(x.extents()[i]);
  return {reshaped(x, std::move(to))};
}
inline arrays unsqueeze(const call& c) {
  const ndarray& x = c.operand(0);
  const ints axes = c.integers(1);
  const std::int64_t rank = x.rank() + std::ssize(axes);
  ints to(static_cast<std::size_t>(rank));
  for (const std::int64_t axis : axes) to[c.from_front(axis, rank)] = 1;
  std::size_t next = 0;
  for (std::int64_t& extent : to)
    if (extent == 0) extent = x.extents()[next++];
  return {reshaped(x, std::move(to))};
}
inline arrays identity(const call& c) { return {c.operand(0)}; }

inline arrays transpose(const call& c) {
  const ndarray& x = c.operand(0);
  ints perm = c.integers_or(1, "perm");
  if (perm.empty())
    for (std::int64_t axis = x.rank(); axis-- > 0;) perm.push_back(axis);
  ints to(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) to[i] = x.extents()[static_cast<std::size_t>(perm[i])];
  ints from(perm.size());
  return {picked(x, to, [&](const ints& place) {
    for (std::size_t i = 0; i < perm.size(); ++i) from[static_cast<std::size_t>(perm[i])] = place[i];
    return index_of(x, from);
  })};
}
inline arrays expand(const call& c) {
  const ndarray& x = c.operand(0);
  const ndarray shape(dtype::boolean, c.integers(1), std::vector<std::uint64_t>(count_of(c.integers(1))));
  const ints to = broadcast_extents({c.g, c.n, {&x, &shape}});
  return {picked(x, to, [&](const ints& place) { return index_of(x, place); })};
}
inline arrays tile(const call& c) {
  const ndarray& x = c.operand(0);
  const ints repeats = c.integers(1);
  ints to = x.extents(), from = to;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] *= repeats[i];
  return {picked(x, to, [&](const ints& place) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = place[i] % x.extents()[i];
    return index_of(x, from);
  })};
}

inline arrays concat(const call& c) {
  const std::size_t axis = c.axis();
  ints to = c.operand(0).extents();
  to[axis] = 0;
  for (const ndarray* x : c.in) to[axis] += x->extents()[axis];
  std::size_t blocks = 1;
  for (std::size_t i = 0; i < axis; ++i) blocks *= static_cast<std::size_t>(to[i]);
  std::vector<std::uint64_t> out;
  for (std::size_t b = 0; b < blocks; ++b)
    for (const ndarray* x : c.in) {
      const auto length = static_cast<std::ptrdiff_t>(x->size() / blocks);
      const auto first = x->patterns().begin() + static_cast<std::ptrdiff_t>(b) * length;
      out.insert(out.end(), first, first + length);
    }
  return {ndarray(c.operand(0).type(), to, std::move(out))};
}
/// x[.., from : from + length, ..] along an axis.
inline ndarray part(const ndarray& x, std::size_t axis, std::int64_t from, std::int64_t length) {
  ints to = x.extents(), at;
  to[axis] = length;
  return picked(x, to, [&](const ints& place) {
    at = place;
    at[axis] += from;
    return index_of(x, at);
  });
}
inline arrays split(const call& c) {
  const ndarray& x = c.operand(0);
  const std::size_t axis = c.axis(), parts = c.n.outputs.size();
  ints sizes = c.integers_or(1, "split");
  const std::int64_t all = x.extents()[axis], each = (all + std::ssize(c.n.outputs) - 1) / std::ssize(c.n.outputs);
  for (std::int64_t left = all; sizes.size() < parts; left -= each) sizes.push_back(std::min(left, each));
  arrays out;
  std::int64_t from = 0;
  for (const std::int64_t n : sizes) out.push_back(part(x, axis, std::exchange(from, from + n), n));
  return out;
}
inline arrays slice(const call& c) {
  const ndarray& x = c.operand(0);
  const ints starts = c.integers(1), ends = c.integers(2);
  const ints axes = c.has(3) ? c.integers(3) : ints(), steps = c.has(4) ? c.integers(4) : ints();
  ints to = x.extents(), first(to.size()), step(to.size(), 1), at(to.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = axes.empty() ? i : c.from_front(axes[i], x.rank());
    const std::int64_t n = x.extents()[axis], by = steps.empty() ? 1 : steps[i];
    if (by == 0) c.fail(detail::message("the step along axis {} is 0", axis));
    const auto inside = [&](std::int64_t p) {
      return std::clamp(p < 0 ? p + n : p, by < 0 ? std::int64_t{-1} : std::int64_t{0}, by < 0 ? n - 1 : n);
    };
    first[axis] = inside(starts[i]), step[axis] = by;
    const std::int64_t last = by < 0 && ends[i] < -n ? -1 : inside(ends[i]);
    to[axis] = std::max<std::int64_t>(0, (last - first[axis] + by - (by < 0 ? -1 : 1)) / by);
  }
  return {picked(x, to, [&](const ints& place) {
    for (std::size_t i = 0; i < to.size(); ++i) at[i] = first[i] + place[i] * step[i];
    return index_of(x, at);
  })};
}

/// Index i from the front; a negative i counts back from `extent`. Throws a build_error if the index is out of range.
inline std::int64_t checked_index(const call& c, std::int64_t i, std::int64_t extent) {
  if (i < 0) i += extent;
  if (i < 0 || i >= extent) c.fail(detail::message("an index is out of range for {} element{|s}", extent));
  return i;
}
inline arrays gather(const call& c) {
  const ndarray &x = c.operand(0), &indices = c.operand(1);
  const std::size_t axis = c.axis(), inner = indices.extents().size();
  ints to = x.extents(), at(to.size());
  to.erase(to.begin() + axis);
  to.insert(to.begin() + axis, indices.extents().begin(), indices.extents().end());
  return {picked(x, to, [&](const ints& place) {
    const ints where(place.begin() + axis, place.begin() + axis + inner);
    for (std::size_t i = 0; i < axis; ++i) at[i] = place[i];
    at[axis] = checked_index(c, indices[index_of(indices, where)].integer(), x.extents()[axis]);
    for (std::size_t i = axis + 1; i < at.size(); ++i) at[i] = place[i + inner - 1];
    return index_of(x, at);
  })};
}
inline arrays gather_elements(const call& c) {
  const ndarray &x = c.operand(0), &indices = c.operand(1);
  const std::size_t axis = c.axis();
  ints at;
  return {picked(x, indices.extents(), [&](const ints& place) {
    at = place;
    at[axis] = checked_index(c, indices[index_of(indices, place)].integer(), x.extents()[axis]);
    return index_of(x, at);
  })};
}
inline arrays trilu(const call& c) {
  const ndarray& x = c.operand(0);
  const std::int64_t k = c.has(1) ? c.integers(1)[0] : 0;
  const bool upper = c.flag("upper");
  std::vector<std::uint64_t> out = x.patterns();
  const auto columns = static_cast<std::size_t>(x.extents()[x.extents().size() - 1]);
  const auto rows = static_cast<std::size_t>(x.extents()[x.extents().size() - 2]);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i / columns % rows), column = static_cast<std::int64_t>(i % columns);
    if (upper ? column - row < k : column - row > k) out[i] = 0;
  }
  return {ndarray(x.type(), x.extents(), std::move(out))};
}

inline ndarray int64_array(const ints& numbers) {
  std::vector<std::uint64_t> out;
  for (const std::int64_t n : numbers) out.push_back(static_cast<std::uint64_t>(n));
  return {dtype::i64, {std::ssize(numbers)}, std::move(out)};
}
inline arrays shape_of(const call& c) {
  const ints& e = c.operand(0).extents();
  const auto bounded = [&](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + std::ssize(e) : axis, 0, std::ssize(e));
  };
  const std::int64_t begin = bounded(c.integer("start")),
                     end = c.n.find("end") ? bounded(c.integer("end")) : std::ssize(e);
  return {int64_array(begin < end ? ints(e.begin() + begin, e.begin() + end) : ints())};
}
inline arrays size(const call& c) {
  return {ndarray(dtype::i64, {}, {static_cast<std::uint64_t>(c.operand(0).size())})};
}

}  // namespace jax2onnx::evaluation
