// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/elementwise.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Shape rules of operators that change shapes, or only types.
namespace jax2onnx::rules {

/// Sets the result to the operand's shape with element type `t`, which is `undefined` if it is not known.
constexpr void retype(inference& c, dtype t) {
  c.expect_choice("round_mode", {"up", "down", "nearest"}, "round_mode must be up, down or nearest");
  tensor_type type = c.in(0);
  type.type = t;
  c.set(0, std::move(type));
}

/// Cast: the dtype is an attribute.
constexpr void cast(inference& c) { retype(c, c.type("to")); }

/// CastLike: the dtype is the dtype of operand 1.
constexpr void cast_like(inference& c) { retype(c, c.in(1).type); }

/// BitCast: the dtype is an attribute, of the same width.
constexpr void bit_cast(inference& c) {
  const dtype to = c.type("to");
  if (to != dtype::undefined && bits(to) != bits(c.in(0).type))
    return c.fail("elements of {} bits cannot be read as elements of {} bits", bits(c.in(0).type), bits(to));
  retype(c, to);
}

/// Identity.
constexpr void identity(inference& c) { c.set(0, c.in(0)); }

/// The extent that, with the extents `others`, gives as many elements as `from`.
constexpr dim remaining_extent(inference& c, shape from, const shape& others) {
  std::int64_t have = 1, want = 1;
  dim open_have = 1, open_want = 1;  // products of the extents that are not constants
  for (dim d : others) {
    std::size_t same = 0;
    while (same < from.size() && (d.is_dyn() || from[same] != d)) ++same;
    if (d.is(0)) c.fail("-1 is ambiguous, since another extent is 0");
    else if (same < from.size()) from.drop(static_cast<std::ptrdiff_t>(same));
    else if (d.is_constant()) want = detail::checked_mul(want, d.extent());
    else open_want = c.mul(open_want, d);
  }
  for (dim d : from)
    if (d.is_constant()) have = detail::checked_mul(have, d.extent());
    else open_have = c.mul(open_have, d);
  if (c.failed()) return 0;
  if (open_have.is(1) && open_want.is(1) && have % want != 0)
    c.fail("{} element{|s} cannot be divided by {}", have, want);
  const std::int64_t shared = std::gcd(have, want);
  return c.floordiv(c.mul(open_have, have / shared), c.mul(open_want, want / shared));
}

/// Reshape: an extent of 0 means the operand's extent (unless `allowzero`); one extent of -1 means the remaining
/// elements.
constexpr void reshape(inference& c) {
  if (!c.in(1).is_plain()) return c.unranked_result(0);
  if (!c.has_rank(1, 1)) return;
  const std::optional<shape> numbers = c.numbers(1);
  if (!numbers) return c.unranked_result(0);
  const bool ranked = c.in(0).is_plain(), zeros = c.flag("allowzero");
  if (!c.known("allowzero") && item_loops::contains(*numbers, dim(0)))
    return c.result(0, c.unknown(std::ssize(*numbers)));
  shape to, others;
  std::optional<std::size_t> rest;
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    const bool copied = (*numbers)[i].is(0) && !zeros;
    if (copied && ranked && i >= c.dims(0).size())
      return c.fail("extent {} is 0, which means the operand's extent, but the operand has {} dimension{|s}",
                    static_cast<std::int64_t>(i), c.rank(0));
    dim d = (*numbers)[i];
    if (copied) d = ranked ? c.dims(0)[i] : dim::dyn();
    if (d.is(-1) && rest) return c.fail("two extents are -1");
    if (d.is_constant() && d.extent() < -1) return c.fail("an extent is {}; it must be -1 or more", d);
    if (d.is(-1)) rest = i;
    else others.push_back(d);
    to.push_back(d);
  }
  if (!rest && !ranked) return c.result(0, std::move(to));
  if (!rest) return c.result(0, infer::reshape(c.dims(0), to));
  to[*rest] = ranked ? remaining_extent(c, c.dims(0), others) : dim::dyn();
  c.result(0, std::move(to));
}

/// Flatten: the dimensions before the axis become rows, and the other dimensions columns.
constexpr void flatten(inference& c) {
  const std::int64_t rank = c.rank(0), axis = c.integer("axis");
  if (axis < -rank || axis > rank) return c.fail("the axis {} is out of range for {} dimension{|s}", axis, rank);
  if (!c.known("axis")) return c.result(0, c.unknown(2));
  const auto split = static_cast<std::ptrdiff_t>(axis < 0 ? axis + rank : axis);
  c.result(0, {c.product(c.dims(0).head(split)), c.product(c.dims(0).tail(split))});
}

/// Transpose: permutes the dimensions, or reverses them if no permutation is given.
constexpr void transpose(inference& c) {
  if (c.given("perm")) return c.result(0, infer::transpose(c.dims(0), c.integers("perm")));
  if (!c.known("perm")) return c.result(0, c.unknown(c.rank(0)));
  const shape& dims = c.dims(0);
  c.result(0, shape(dims.rbegin(), dims.rend()));
}

/// Squeeze: without axes, all extents of 1 are removed.
constexpr void squeeze(inference& c) {
  const shape& dims = c.dims(0);
  if (!c.has(1)) {
    shape out;
    for (dim d : dims)
      if (!d.is(1)) out.push_back(d);
    return is_static(dims) ? c.result(0, std::move(out)) : c.unranked_result(0);
  }
  if (c.rank(1) > 1) return c.fail("the axes have {} dimension{|s}; they must be a list", c.rank(1));
  const auto axes = c.axes_in(1, c.rank(0));
  if (c.failed()) return;
  if (axes) return c.result(0, infer::squeeze(dims, *axes, c.differs));
  const std::optional<shape> list = c.numbers(1);
  if (!list) return c.unranked_result(0);
  const std::int64_t left = c.rank(0) - std::ssize(*list);
  if (left < 0) return c.fail("it has {} ax{is|es} for {} dimension{|s}", std::ssize(*list), c.rank(0));
  c.result(0, c.unknown(left));
}

/// Unsqueeze.
constexpr void unsqueeze(inference& c) {
  if (c.rank(1) > 1) return c.fail("the axes have {} dimension{|s}; they must be a list", c.rank(1));
  const std::optional<shape> list = c.numbers(1);
  if (!list) return c.unranked_result(0);
  const std::int64_t rank = c.rank(0) + std::ssize(*list);
  const auto axes = c.axes_in(1, rank);
  if (c.failed()) return;
  axes ? c.result(0, infer::unsqueeze(c.dims(0), *axes)) : c.result(0, c.unknown(rank));
}

/// Fails unless operand i is a list of extents or counts, of which none is known to be negative. Returns true if
/// nothing is wrong so far.
constexpr bool holds_counts(inference& c, std::size_t i) {
  if (!c.has_rank(i, 1)) return false;
  const std::optional<shape> numbers = c.numbers(i);
  if (!numbers) return true;
  for (dim d : *numbers)
    if (d.is_constant() && d.extent() < 0) c.fail("an extent or count is {}; it must not be negative", d);
  return !c.failed();
}

/// Expand: broadcasts the operand with a shape, as numpy does.
constexpr void expand(inference& c) {
  if (!holds_counts(c, 1)) return;
  const std::optional<shape> to = c.numbers(1);
  to ? c.result(0, infer::broadcast(c.dims(0), *to, c.differs)) : c.unranked_result(0);
}

/// Tile: operand 1 has a count for each dimension.
constexpr void tile(inference& c) {
  if (!holds_counts(c, 1)) return;
  const std::optional<shape> counts = c.numbers(1);
  if (counts && counts->size() != c.dims(0).size())
    return c.fail("it has {} count{|s} for {} dimension{|s}", std::ssize(*counts), c.rank(0));
  shape out = c.dims(0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = c.mul(out[i], counts ? (*counts)[i] : dim::dyn());
  c.result(0, std::move(out));
}

/// Concat along an axis.
constexpr void concat(inference& c) {
  for (std::size_t i = 1; i < c.arity(); ++i)
    if (c.rank(i) != c.rank(0)) return c.fail("operands have {} and {} dimensions", c.rank(0), c.rank(i));
  if (!c.given("axis")) return c.result(0, c.unknown(c.rank(0)));
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return;
  shape out = c.dims(0);
  for (std::size_t i = 1; i < c.arity(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) {
      const dim d = c.dims(i)[j];
      const bool joined = static_cast<std::int64_t>(j) == axis;
      if (!joined && c.differ(out[j], d))
        return c.fail("the extents {} and {} differ along an axis that is not joined", out[j], d);
      out[j] = joined ? c.add(out[j], d) : c.either(out[j], d);
    }
  c.result(0, std::move(out));
}

/// The extents of `parts` results of Split since version 18, which are equal except for the last.
constexpr shape parts_of(inference& c, dim extent, std::int64_t parts) {
  const dim each = c.ceildiv(extent, parts), last = c.sub(extent, c.mul(each, parts - 1));
  if (last.is_constant() && last.extent() < 0)
    c.fail("{} element{|s} cannot be divided into {} part{|s}", extent, parts);
  shape out(static_cast<std::size_t>(parts), each);
  out.back() = last;
  return out;
}

/// Split: operand 1 has the extents of the parts. Without operand 1, the parts are equal.
constexpr void split(inference& c) {
  const shape& dims = c.dims(0);
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  const auto count = static_cast<std::int64_t>(c.result_count());
  if (c.failed()) return;
  const dim whole = dims[static_cast<std::size_t>(axis)];
  if (!c.known("axis") || !(c.has(1) || c.known("num_outputs"))) {
    for (std::size_t i = 0; i < c.result_count(); ++i) c.result(i, c.unknown(c.rank(0)));
    return;
  }
  const bool counted = c.given("num_outputs");
  shape parts = c.unknown(count);
  if (c.has(1)) {
    if (counted) return c.fail("both sizes and a number of parts are given; give only one");
    if (!holds_counts(c, 1)) return;
    if (const std::optional<shape> sizes = c.numbers(1)) parts = *sizes;
    if (std::ssize(parts) != count) return c.fail("it has {} size{|s} for {} result{|s}", std::ssize(parts), count);
    dim sum = 0;
    for (dim d : parts) sum = c.add(sum, d);
    if (c.differ(sum, whole)) return c.fail("the sizes add up to {}, not {}", sum, whole);
  } else if (counted) {
    if (c.integer("num_outputs") < 1)
      return c.fail("the number of parts is {}; it must be positive", c.integer("num_outputs"));
    if (c.integer("num_outputs") != count)
      return c.fail("it has {} part{|s} for {} result{|s}", c.integer("num_outputs"), count);
    parts = parts_of(c, whole, count);
  } else {
    if (c.since() >= 18) return c.fail("it needs sizes or a number of parts");
    if (whole.is_constant() && whole.extent() % count != 0)
      return c.fail("{} element{|s} cannot be divided into {} part{|s}", whole, count);
    parts = shape(static_cast<std::size_t>(count), c.floordiv(whole, count));
  }
  for (std::size_t i = 0; i < parts.size() && !c.failed(); ++i) {
    shape out = dims;
    out[static_cast<std::size_t>(axis)] = parts[i];
    c.result(i, std::move(out));
  }
}

/// A bound of Slice, counted from the front and clamped to [low, high]; numbers of INT_MAX and above, or -INT_MAX and
/// below, mean the ends.
constexpr dim slice_bound(const inference& c, dim bound, dim extent, dim low, dim high) {
  constexpr std::int64_t far = INT32_MAX;
  if (bound.is_dyn() || bound == high) return bound;
  if (bound.is_constant() && bound.extent() >= far) return high;
  if (bound.is_constant() && bound.extent() <= -far) return low;
  if (bound.is_constant() && bound.extent() < 0) bound = c.add(extent, bound);
  else if (!bound.is_constant() && !c.at_least(bound, 0)) return dim::dyn();
  if (c.at_least(bound, high)) return high;
  if (c.at_least(low, bound)) return low;
  return c.at_least(bound, low) && c.at_least(high, bound) ? bound : dim::dyn();
}

/// The extent of x[start : limit : step] in Python, if the extent of x is `extent`.
constexpr dim sliced_extent(const inference& c, dim extent, dim start, dim limit, dim step) {
  if (!step.is_constant()) return dim::dyn();
  const bool forward = step.extent() > 0;
  const dim low = forward ? 0 : -1, high = forward ? extent : c.sub(extent, 1);
  const dim from = slice_bound(c, start, extent, 0, high), to = slice_bound(c, limit, extent, low, high);
  if (forward && from.is(0) && to == extent) return c.ceildiv(extent, step.extent());
  const dim first = forward ? from : to, last = forward ? to : from;
  if (c.at_least(first, last)) return 0;
  return c.at_least(last, first) ? c.ceildiv(c.sub(last, first), forward ? step.extent() : -step.extent()) : dim::dyn();
}

/// Slice.
constexpr void slice(inference& c) {
  for (std::size_t i = 1; i < c.arity(); ++i)
    if (c.has(i) && !c.has_rank(i, 1)) return;
  std::optional<shape> lists[4];  // starts, limits, axes, steps
  std::int64_t count = -1;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!c.has(i + 1)) continue;
    lists[i] = c.numbers(i + 1);
    if (!lists[i]) continue;
    if (count >= 0 && std::ssize(*lists[i]) != count)
      return c.fail("starts, limits, axes and steps differ in number: {} and {}", count, std::ssize(*lists[i]));
    count = std::ssize(*lists[i]);
  }
  if (count > c.rank(0))
    return c.fail("it slices {} ax{is|es}, but the operand has {} dimension{|s}", count, c.rank(0));
  if (lists[3] && item_loops::contains(*lists[3], dim(0))) return c.fail("a step is 0");
  std::optional<std::vector<std::int64_t>> axes;
  if (c.has(3)) axes = c.axes_in(3, c.rank(0));
  if (c.failed()) return;
  if (count < 0 || (c.has(3) && !axes)) return c.result(0, c.unknown(c.rank(0)));
  shape out = c.dims(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    dim& extent = out[static_cast<std::size_t>(axes ? (*axes)[at] : i)];
    const dim step = !c.has(4) ? dim(1) : lists[3] ? (*lists[3])[at] : dim::dyn();
    const bool known = lists[0] && lists[1];
    extent = known ? sliced_extent(c, extent, (*lists[0])[at], (*lists[1])[at], step) : dim::dyn();
  }
  c.result(0, std::move(out));
}

/// Pad: operand 1 has the amounts before all axes, then the amounts after them; negative amounts crop.
constexpr void pad(inference& c) {
  const std::string_view mode = c.text("mode");
  if (mode == "wrap" && c.since() < 19) return c.fail("the mode wrap exists from opset 19 on");
  if (!c.expect_choice("mode", {"constant", "reflect", "edge", "wrap"}, "mode must be constant, reflect, edge or wrap"))
    return;
  if (!c.has_rank(1, 1)) return;
  if (c.has(2)) c.number(2);
  if (c.has(3) && c.rank(3) > 1) return c.fail("the axes have {} dimension{|s}; they must be a list", c.rank(3));
  const std::optional<shape> amounts = c.numbers(1);
  std::optional<shape> listed = c.dims(0);
  if (c.has(3)) listed = c.numbers(3);
  const bool counted = amounts && listed;
  if (counted && amounts->size() != 2 * listed->size())
    return c.fail("it has {} amount{|s} for {} ax{is|es}; each axis needs 2, one at each end", std::ssize(*amounts),
                  std::ssize(*listed));
  std::optional<std::vector<std::int64_t>> axes;
  if (c.has(3)) axes = c.axes_in(3, c.rank(0));
  if (c.failed()) return;
  if (!counted || (c.has(3) && !axes)) return c.result(0, c.unknown(c.rank(0)));
  shape low(c.dims(0).size(), 0), high = low;
  for (std::size_t i = 0; i < listed->size(); ++i) {
    const std::size_t axis = axes ? static_cast<std::size_t>((*axes)[i]) : i;
    low[axis] = (*amounts)[i];
    high[axis] = (*amounts)[i + listed->size()];
  }
  for (std::size_t i = 0; i < low.size() && mode != "constant" && c.known("mode"); ++i)
    if (c.dims(0)[i].is(0) && (c.differ(low[i], 0) || c.differ(high[i], 0)))
      return c.fail("there is nothing to repeat along axis {}", static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < low.size() && mode == "reflect"; ++i)
    for (const dim amount : {low[i], high[i]})
      if (const dim extent = c.dims(0)[i];
          extent.is_constant() && amount.is_constant() && !amount.is(0) && amount.extent() >= extent.extent())
        return c.fail("{} element{ is|s are} more than an axis of {} can reflect", amount, extent);
  c.result(0, infer::pad(c, c.dims(0), low, high));
}

/// CenterCropPad: operand 1 has the new extents of some axes, or of all axes.
constexpr void center_crop_pad(inference& c) {
  if (!holds_counts(c, 1)) return;
  if (!c.known("axes")) return c.result(0, c.unknown(c.rank(0)));
  std::vector<std::int64_t> axes = c.axes(c.integers("axes"), c.rank(0));
  if (!c.given("axes"))
    for (std::int64_t i = 0; i < c.rank(0); ++i) axes.push_back(i);
  const std::optional<shape> extents = c.numbers(1);
  if (extents && extents->size() != axes.size())
    return c.fail("it has {} extent{|s} for {} ax{is|es}", std::ssize(*extents), std::ssize(axes));
  if (c.failed()) return;
  shape out = c.dims(0);
  for (std::size_t i = 0; i < axes.size(); ++i)
    out[static_cast<std::size_t>(axes[i])] = extents ? (*extents)[i] : dim::dyn();
  c.result(0, std::move(out));
}

/// Shape: a list with an entry for each dimension from `start` to `end`.
constexpr void shape_of(inference& c) {
  if (!c.in(0).is_plain() || !c.known("start") || !c.known("end")) return c.result(0, {dim::dyn()});
  const std::int64_t rank = c.rank(0);
  const auto clamped = [&](std::int64_t axis) {
    if (axis < 0) axis += rank;
    return axis < 0 ? 0 : axis > rank ? rank : axis;
  };
  const std::int64_t start = clamped(c.integer("start")), end = c.given("end") ? clamped(c.integer("end")) : rank;
  c.result(0, {end > start ? end - start : 0});
}

/// Size: a scalar.
constexpr void size_of(inference& c) { c.result(0, shape()); }

/// The side of the blocks of DepthToSpace and SpaceToDepth, whose operand is [n, c, h, w].
constexpr std::int64_t block_side(inference& c) {
  const std::int64_t side = c.integer("blocksize");
  if (c.has_rank(0, 4) && c.given("blocksize") && side < 1) c.fail("the blocksize is {}; it must be positive", side);
  return c.failed() ? 1 : side;
}

/// The quotient of an extent and n; fails unless the extent is a multiple of n.
constexpr dim divided(inference& c, dim extent, std::int64_t n) {
  if (extent.is_constant() && extent.extent() % n != 0) c.fail("the extent {} is not a multiple of {}", extent, n);
  return c.floordiv(extent, n);
}

/// DepthToSpace: channels become blocks.
constexpr void depth_to_space(inference& c) {
  if (!c.expect_choice("mode", {"DCR", "CRD"}, "mode must be DCR or CRD")) return;
  const std::int64_t side = block_side(c);
  if (c.failed()) return;
  if (!c.given("blocksize")) return c.result(0, c.unknown(4));
  const shape& x = c.dims(0);
  c.result(0, {x[0], divided(c, x[1], detail::checked_mul(side, side)), c.mul(x[2], side), c.mul(x[3], side)});
}

/// SpaceToDepth: blocks become channels.
constexpr void space_to_depth(inference& c) {
  c.expect_choice("mode", {"DCR", "CRD"}, "mode must be DCR or CRD");
  const std::int64_t side = block_side(c);
  if (c.failed()) return;
  if (!c.given("blocksize")) return c.result(0, c.unknown(4));
  const shape& x = c.dims(0);
  c.result(0, {x[0], c.mul(x[1], detail::checked_mul(side, side)), divided(c, x[2], side), divided(c, x[3], side)});
}

/// Trilu: operand 0 holds matrices, and operand 1 is a scalar that selects a diagonal.
constexpr void trilu(inference& c) {
  if (c.rank(0) < 2) return c.fail("an operand of {} dimension{|s} is not a matrix", c.rank(0));
  if (c.has(1)) c.number(1);
  c.result(0, c.dims(0));
}

/// ReverseSequence: operand 0 begins with the axes time and batch; operand 1 has a length for each entry of the batch.
constexpr void reverse_sequence(inference& c) {
  const std::int64_t time = c.integer("time_axis"), batch = c.integer("batch_axis");
  if (c.rank(0) < 2) return c.fail("the operand has {} dimension{|s}, not two or more", c.rank(0));
  if ((time != 0 && time != 1) || batch != 1 - time)
    return c.fail("time_axis and batch_axis must be 0 and 1, in either order");
  if (!c.has_rank(1, 1)) return;
  const dim entries = c.dims(0)[static_cast<std::size_t>(batch)];
  if (c.known("batch_axis")) c.expect_equal(c.dims(1)[0], entries, "it has {} length{|s} for a batch of {}");
  if (c.known("time_axis"))
    c.expect_elements(1, 0, c.dims(0)[static_cast<std::size_t>(time)],
                      "a length is {}, but the operand has {} step{|s}");
  c.result(0, c.dims(0));
}

}  // namespace jax2onnx::rules
