// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/batching/local_rules.hpp>
#include <jax2onnx/lower/batching/mesh_text.hpp>
#include <jax2onnx/lower/refused.hpp>

/// Rules of collectives: an exchange between devices is arithmetic over leading axes. Source: jax/_src/lax/parallel.py.
namespace jax2onnx::lower::batching {

/// The text of integer n as a literal of the type `scalar`.
inline std::string number_text(const aval& scalar, std::int64_t n) {
  const std::string digits = std::to_string(n);
  if (scalar.is_complex()) return "(" + digits + "+0j)";
  if (scalar.type() == dtype::boolean) return n ? "True" : "False";
  return is_floating(scalar.type()) ? digits + ".0" : digits;
}

/// The named axes of an equation in the order in which it lists them, without axes of one device. Array dimensions are
/// listed separately.
struct collective_axes {
  std::vector<std::size_t> names;
  ints dimensions;
};
inline collective_axes axes_of(equation_view& e) {
  const jaxpr::value* v = e.find("axes");
  if (!v) v = e.find("axis_name");
  if (!v) e.unsupported("it names no axes");
  collective_axes out;
  const auto add = [&](const jaxpr::value& name) {
    if (name.tag == jaxpr::value::kind::integer) out.dimensions.push_back(name.integer);
    else if (const auto known = e.axes().find(unquoted(name.text))) out.names.push_back(*known);
    else if (!e.axes().is_trivial(unquoted(name.text)))
      throw unsupported_error(std::string(devices_reason), e.equation().where, std::string(devices_help));
  };
  if (v->tag == jaxpr::value::kind::tuple || v->tag == jaxpr::value::kind::sequence)
    for (const jaxpr::value& item : v->items) add(item);
  else add(*v);
  return out;
}
inline axis_set set_of(std::span<const std::size_t> list) {
  axis_set s = 0;
  for (std::size_t i : list) s |= axis_set{1} << i;
  return s;
}

/// Moves the named leading axes of a value, in the order of `names`, to local position `at`.
inline varying to_local(equation_view& e, const varying& v, std::span<const std::size_t> names, std::int64_t at) {
  const axis_set left = v.along & ~set_of(names);
  ints order;
  for (std::size_t i : named_axes::list(left)) order.push_back(place(v.along, i));
  const std::int64_t rank = e.rank(v), k = count(v.along);
  for (std::int64_t d = 0; d <= rank; ++d) {
    for (std::size_t n = 0; d == at && n < names.size(); ++n) order.push_back(place(v.along, names[n]));
    if (d < rank) order.push_back(k + d);
  }
  return e.transpose(v, order, left);
}
/// The inverse of to_local(): local axes from position `at` on, one for each name, become leading axes.
inline varying to_leading(equation_view& e, const varying& v, std::span<const std::size_t> names, std::int64_t at) {
  const axis_set along = v.along | set_of(names);
  const std::int64_t k = count(v.along), rank = e.rank(v);
  ints order;
  for (std::size_t i : named_axes::list(along)) {
    const auto named_at = std::ranges::find(names, i);
    order.push_back(named_at == names.end() ? place(v.along, i) : k + at + (named_at - names.begin()));
  }
  for (std::int64_t d = 0; d < rank; ++d)
    if (d < at || d >= at + std::ssize(names)) order.push_back(k + d);
  return e.transpose(v, order, along);
}
/// Splits local axis `at` into one axis for each name, and a last axis of extent `rest`.
inline varying divided(equation_view& e, const varying& v, std::span<const std::size_t> names, std::int64_t at,
                       dim rest) {
  shape dims;
  const shape local = e.local_type(v).dims;
  for (std::int64_t d = 0; d < std::ssize(local); ++d) {
    if (d != at) {
      dims.push_back(local[static_cast<std::size_t>(d)]);
      continue;
    }
    for (std::size_t i : names) dims.push_back(e.axes().size(i));
    dims.push_back(rest);
  }
  return e.reshape(v, v.along, dims);
}

/// Zeros of a type.
inline varying zeros(equation_view& e, const aval& t, axis_set along) {
  const aval scalar{t.elem, {}};
  return e.emit1("broadcast_in_dim", {e.literal(number_text(scalar, 0), scalar)},
                 {e.extents("shape", t.dims), e.numbers("broadcast_dimensions", {})}, t, along);
}
/// The elements at the indices `from` of the first axis after the leading axes; an index of -1 gives zeros. Joins
/// slices of consecutive elements.
inline varying picked(equation_view& e, const varying& v, const ints& from) {
  const std::int64_t axis = count(v.along);
  varyings parts;
  for (std::size_t i = 0, end; i < from.size(); i = end) {
    for (end = i + 1; end < from.size() && (from[i] < 0 ? from[end] < 0 : from[end] == from[end - 1] + 1);) ++end;
    const auto n = static_cast<std::int64_t>(end - i);
    if (from[i] >= 0) {
      parts.push_back(e.slice(v, axis, from[i], from[i] + n));
      continue;
    }
    aval t = e.type(v);
    t.dims[static_cast<std::size_t>(axis)] = n;
    parts.push_back(zeros(e, t, v.along));
  }
  return e.concatenate(parts, axis, v.along);
}

/// A function that computes a collective over the axes `names`.
using collective = varyings (*)(equation_view&, const varyings& operands, const std::vector<std::size_t>& names);

/// Groups of the devices of one axis: the axis becomes an axis of groups and an axis of their members.
class device_groups {
 public:
  device_groups(equation_view& e, std::size_t axis) : e_(e), axis_{axis} {
    const auto lists = e.param<std::vector<ints>>("axis_index_groups");
    for (const ints& list : lists) order_.insert(order_.end(), list.begin(), list.end());
    ints sorted = order_;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != static_cast<std::int64_t>(i)) e.unsupported("its groups must name each device exactly once");
    if (lists.empty() || std::ssize(order_) != e.axes().size(axis) || order_.size() % lists.size() != 0)
      e.unsupported("its groups must have equal sizes and contain all devices of the axis");
    back_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) back_[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
    const auto groups = static_cast<std::int64_t>(lists.size());
    const std::size_t first = e.axes().divide(axis, groups);
    parts_ = {first, first + 1};
  }
  std::size_t members() const { return parts_[1]; }
  varying divide(const varying& operand) const { return exchanged(operand, axis_, parts_, order_); }
  varying join(const varying& result) const { return exchanged(result, parts_, axis_, back_); }

 private:
  varying exchanged(const varying& from, const std::vector<std::size_t>& axes, const std::vector<std::size_t>& others,
                    const ints& order) const {
    const shape local = e_.local_type(from).dims;
    varying v = to_local(e_, e_.full(from, from.along | set_of(axes)), axes, 0);
    const auto with_extents = [&](shape front) {
      front.insert(front.end(), local.begin(), local.end());
      return front;
    };
    v = picked(e_, e_.reshape(v, v.along, with_extents({dim(std::ssize(order))})), order);
    shape sizes;
    for (std::size_t i : others) sizes.push_back(e_.axes().size(i));
    return to_leading(e_, e_.reshape(v, v.along, with_extents(sizes)), others, 0);
  }

  equation_view& e_;
  std::vector<std::size_t> axis_, parts_;
  ints order_, back_;
};

/// Applies F to an equation; among groups of devices if the equation states groups.
template <collective F>
varyings among_devices(equation_view& e) {
  const collective_axes axes = axes_of(e);
  if (!e.find("axis_index_groups") || axes.names.empty()) return F(e, e.operands(), axes.names);
  if (axes.names.size() > 1) e.unsupported("groups of devices of several axes are not supported");
  const device_groups groups(e, axes.names[0]);
  varyings operands;
  for (const varying& v : e.operands()) operands.push_back(groups.divide(v));
  varyings results = F(e, operands, {groups.members()});
  for (varying& v : results) v = groups.join(v);
  return results;
}

/// n * v, the sum of n equal values.
inline varying times(equation_view& e, const varying& v, std::int64_t n) {
  if (n == 1) return v;
  const aval t = e.type(v);
  const aval scalar{t.elem, {}};
  return e.emit1("mul", {v, e.literal(number_text(scalar, n), scalar)}, {}, t, v.along);
}
/// Reduces over the axes of `over` along which the value varies, and over array dimensions.
inline varying reduced(equation_view& e, std::string_view primitive, const varying& v, axis_set over,
                       const ints& dimensions) {
  const axis_set left = v.along & ~over;
  ints axes;
  for (std::size_t i : named_axes::list(v.along & over)) axes.push_back(place(v.along, i));
  for (std::int64_t d : dimensions) axes.push_back(count(v.along) + d);
  if (axes.empty()) return v;
  aval t = e.type(v);
  std::ranges::sort(axes);
  if (axes.front() < 0 || axes.back() >= t.rank() || std::ranges::adjacent_find(axes) != axes.end())
    e.unsupported("its axes must be distinct dimensions of its operands");
  for (std::size_t i = axes.size(); i-- > 0;) t.dims.erase(t.dims.begin() + axes[i]);
  return e.emit1(primitive, {v}, {e.numbers("axes", axes)}, t, left);
}
inline varying summed(equation_view& e, const varying& v, axis_set over, const ints& dimensions = {}) {
  return times(e, reduced(e, "reduce_sum", v, over, dimensions), e.axes().devices(over & ~v.along));
}
inline varyings psum(equation_view& e, const varyings& operands, const std::vector<std::size_t>& names) {
  const ints dimensions = axes_of(e).dimensions;
  varyings out;
  for (const varying& v : operands) out.push_back(summed(e, v, set_of(names), dimensions));
  return out;
}
template <char const* Primitive>
varyings extreme(equation_view& e, const varyings& operands, const std::vector<std::size_t>& names) {
  const ints dimensions = axes_of(e).dimensions;
  varyings out;
  for (const varying& v : operands) out.push_back(reduced(e, Primitive, v, set_of(names), dimensions));
  return out;
}
inline constexpr char reduce_max_name[] = "reduce_max", reduce_min_name[] = "reduce_min";

/// The index of a device. With several axes, the first axis varies slowest.
inline varyings axis_index(equation_view& e) {
  const aval scalar = e.out_type();
  varying index = e.literal("0", scalar);
  for (std::size_t i : axes_of(e).names) {
    const axis_set one = axis_set{1} << i;
    const aval t = e.prefixed(scalar, one);
    const varying own = e.emit1(
        "iota", {},
        {e.extents("shape", t.dims), e.number("dimension", 0), {"dtype", e.store().value_of(parameter(scalar.type()))}},
        t, one);
    if (index.along == 0) {
      index = own;
      continue;
    }
    const varying slow = times(e, index, e.axes().size(i));
    const axis_set both = index.along | one;
    index =
        e.emit1("add", {e.stretchable(slow, both, 0), e.stretchable(own, both, 0)}, {}, e.prefixed(scalar, both), both);
  }
  return {index};
}

inline varyings all_gather(equation_view& e, const varyings& operands, const std::vector<std::size_t>& names) {
  const auto at = e.param_or<std::int64_t>("all_gather_dimension", 0);
  varyings out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const varying& v = operands[i];
    const varying moved = to_local(e, e.full(v, v.along | set_of(names)), names, at);
    out.push_back(e.reshape(moved, moved.along, e.out_type(i).dims));
  }
  return out;
}

/// Each device divides its operand along `split_axis` and sends part j to device j. Then each device joins the received
/// parts along `concat_axis`.
inline varyings all_to_all(equation_view& e, const varyings& operands, const std::vector<std::size_t>& names) {
  const auto split = e.param<std::int64_t>("split_axis"), join = e.param<std::int64_t>("concat_axis");
  varyings out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    varying v = operands[i];
    v = e.full(v, v.along | set_of(names));
    const shape result = e.out_type(i).dims;
    const dim rest = split == join ? e.owner().dims().floordiv(e.local_type(v).dims[static_cast<std::size_t>(split)],
                                                               e.axes().devices(set_of(names)))
                                   : result[static_cast<std::size_t>(split)];
    const auto m = static_cast<std::int64_t>(names.size());
    v = divided(e, v, names, split, rest);
    // The axes of the senders become local axes before `concat_axis`; the axes of the receivers become leading axes.
    const std::int64_t before = join <= split ? join : join + m;
    v = to_local(e, v, names, before);
    v = to_leading(e, v, names, before <= split ? split + m : split);
    out.push_back(e.reshape(v, v.along, result));
  }
  return out;
}

inline varyings reduce_scatter(equation_view& e, const varyings& operands, const std::vector<std::size_t>& names) {
  const auto at = e.param<std::int64_t>("scatter_dimension");
  const bool tiled = e.param_or<bool>("tiled", false);
  varyings out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const varying sum = summed(e, operands[i], set_of(names));
    const shape result = e.out_type(i).dims;
    varying v = divided(e, sum, names, at, tiled ? result[static_cast<std::size_t>(at)] : dim(1));
    v = to_leading(e, v, names, at);
    out.push_back(e.reshape(v, v.along, result));
  }
  return out;
}

/// For each device, the device that it receives from; -1 if it receives nothing.
inline ints senders(equation_view& e, std::int64_t devices) {
  ints from(static_cast<std::size_t>(devices), -1);
  for (const ints& pair : e.param<std::vector<ints>>("perm")) {
    if (pair.size() != 2 || pair[0] < 0 || pair[1] < 0 || pair[0] >= devices || pair[1] >= devices)
      e.unsupported("its permutation names a device that does not exist");
    from[static_cast<std::size_t>(pair[1])] = pair[0];
  }
  return from;
}
/// A device that receives nothing gets zeros. The permutation numbers the devices in the order of the mesh, even if the
/// equation names the axes in another order.
inline varyings ppermute(equation_view& e) {
  std::vector<std::size_t> names = axes_of(e).names;
  std::ranges::sort(names);
  const std::int64_t devices = e.axes().devices(set_of(names));
  const ints from = senders(e, devices);
  varyings out;
  for (const varying& operand : e.operands()) {
    if (names.empty()) {  // the only device may send to itself
      out.push_back(from[0] == 0 ? operand : zeros(e, e.type(operand), operand.along));
      continue;
    }
    varying v = e.full(operand, operand.along | set_of(names));
    const axis_set left = v.along & ~set_of(names);
    const shape local = e.local_type(v).dims;
    v = to_local(e, v, names, 0);
    shape merged = local;
    merged.insert(merged.begin(), dim(devices));
    v = e.reshape(v, left, merged);
    v = picked(e, v, from);
    shape apart = local;
    std::size_t at = 0;
    for (std::size_t i : names) apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(at++), dim(e.axes().size(i)));
    out.push_back(to_leading(e, e.reshape(v, left, apart), names, 0));
  }
  return out;
}

/// Computes pvary and pbroadcast. With parameter `source`, all devices get the value of the source. Without it, the
/// value is only marked as varying, and is still computed once.
inline varyings pvary(equation_view& e) {
  if (!e.find("source")) return e.operands();
  const std::vector<std::size_t> names = axes_of(e).names;
  varyings out;
  for (varying v : e.operands()) {
    auto source = e.param<std::int64_t>("source");
    for (std::size_t n = names.size(); n-- > 0; source /= e.axes().size(names[n]))
      v = e.of_device(v, names[n], source % e.axes().size(names[n]));
    out.push_back(v);
  }
  return out;
}

}  // namespace jax2onnx::lower::batching
