// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include <jax2onnx/lower/batching/batcher.hpp>

/// Rules of primitives that compute on each device separately.
namespace jax2onnx::lower::batching {

inline std::vector<aval> prefixed_types(equation_view& e, axis_set along) {
  std::vector<aval> out = e.out_types();
  for (aval& t : out) t = e.prefixed(t, along);
  return out;
}

/// The rule of elementwise primitives. If `Exact` is true, all operands get the shape of the result, except scalars
/// that do not vary.
template <bool Exact>
varyings elementwise(equation_view& e) {
  const axis_set along = e.along();
  const std::int64_t rank = e.out_type().rank();
  varyings operands;
  for (varying v : e.operands()) {
    if (Exact && (v.along || e.rank(v) > 0)) {
      if (e.rank(v) < rank) {  // a scalar that varies
        shape ones(static_cast<std::size_t>(rank), dim(1));
        v = e.reshape(v, v.along, ones);
        aval t = e.type(v);
        const shape dims = e.out_type().dims;
        std::copy(dims.begin(), dims.end(), t.dims.begin() + count(v.along));
        ints all(t.dims.size());
        std::iota(all.begin(), all.end(), 0);
        v = e.emit1("broadcast_in_dim", {v}, {e.extents("shape", t.dims), e.numbers("broadcast_dimensions", all)}, t,
                    v.along);
      }
      v = e.full(v, along);
    } else {
      v = e.stretchable(v, along, rank);
    }
    operands.push_back(v);
  }
  return e.emit(e.equation().primitive, operands, e.params(), prefixed_types(e, along), along);
}

/// The change that leading axes make to a parameter that concerns axes.
enum class lead : std::uint8_t {
  none,
  shift,    ///< indices of axes, which are shifted by the number of leading axes
  permute,  ///< like shift, with the indices of the leading axes prepended
  extents,  ///< extents of all axes; leading extents are added
  zeros,    ///< a list with an entry for each axis; the entries of leading axes are 0
  ones,
  pairs,    ///< a list with an entry for each axis; the entries of leading axes are (0, 0)
  triples,  ///< a list with an entry for each axis; the entries of leading axes are (0, 0, 0)
};
struct led_param {
  std::string_view key;
  lead how = lead::none;
};

inline jaxpr::value led(equation_view& e, const jaxpr::value* v, lead how, axis_set along) {
  const std::int64_t k = count(along);
  if (v && v->tag == jaxpr::value::kind::integer) return e.store().value_of(v->integer + k);  // an axis
  std::vector<jaxpr::value> items;
  const shape leading = e.axes().extents(along);
  for (std::int64_t i = 0; how != lead::shift && i < k; ++i) {
    const parameter prefix = how == lead::permute   ? parameter(i)
                             : how == lead::extents ? parameter(leading[static_cast<std::size_t>(i)])
                             : how == lead::zeros   ? parameter(0)
                             : how == lead::ones    ? parameter(1)
                             : how == lead::pairs   ? parameter{0, 0}
                                                    : parameter{0, 0, 0};
    items.push_back(e.store().value_of(prefix));
  }
  for (const jaxpr::value& item : v ? v->items : jaxpr::list<jaxpr::value>{})
    items.push_back(how == lead::shift || how == lead::permute ? e.store().value_of(item.integer + k) : item);
  return e.store().list_of(std::move(items));
}

/// The rule of primitives whose parameters name axes of their operands. All operands get the leading axes, except
/// scalars after an array: padding values and initial values of reductions. If such a scalar differs between devices,
/// the equation is repeated for each device.
template <led_param const* Params>
varyings axes_move(equation_view& e) {
  const axis_set along = e.along();
  varyings operands;
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    const varying& v = e.operands()[i];
    const bool is_shared_scalar = i > 0 && e.rank(v) == 0 && e.rank(e.operands()[0]) > 0;
    if (is_shared_scalar && v.along) return lockstep(e);
    operands.push_back(is_shared_scalar ? v : e.full(v, along));
  }
  std::vector<jaxpr::param> params = e.params();
  for (const led_param* p = Params; p->how != lead::none; ++p)
    if (const jaxpr::value* v = e.find(p->key); v || p->how == lead::permute)
      params = e.with(std::move(params), p->key, led(e, v, p->how, along));
  return e.emit(e.equation().primitive, operands, std::move(params), prefixed_types(e, along), along);
}

inline constexpr led_param leading_only[] = {{}};
inline constexpr led_param axes_param[] = {{"axes", lead::shift}, {}};
inline constexpr led_param axis_param[] = {{"axis", lead::shift}, {}};
inline constexpr led_param dimension_param[] = {{"dimension", lead::shift}, {}};
inline constexpr led_param dimensions_param[] = {{"dimensions", lead::shift}, {}};
inline constexpr led_param permutation_param[] = {{"permutation", lead::permute}, {}};
inline constexpr led_param reshape_params[] = {{"new_sizes", lead::extents}, {}};
inline constexpr led_param broadcast_params[] = {{"shape", lead::extents}, {"broadcast_dimensions", lead::permute}, {}};
inline constexpr led_param slice_params[] = {
    {"start_indices", lead::zeros}, {"limit_indices", lead::extents}, {"strides", lead::ones}, {}};
inline constexpr led_param pad_params[] = {{"padding_config", lead::triples}, {}};
inline constexpr led_param roll_params[] = {{"axis", lead::shift}, {"stride_axis", lead::shift}, {}};
inline constexpr led_param tile_params[] = {{"reps", lead::ones}, {}};
inline constexpr led_param window_params[] = {{"window_dimensions", lead::ones}, {"window_strides", lead::ones},
                                              {"padding", lead::pairs},          {"base_dilation", lead::ones},
                                              {"window_dilation", lead::ones},   {}};

/// Returns the operands, for primitives that do not change values.
inline varyings same(equation_view& e) { return e.operands(); }

/// Named axes along which both operands vary become batch axes; other named axes become free axes.
inline varyings dot_general(equation_view& e) {
  const varying &a = e.operands()[0], &b = e.operands()[1];
  const auto numbers = e.param<std::vector<std::vector<ints>>>("dimension_numbers");
  if (numbers.size() != 2 || numbers[0].size() != 2 || numbers[1].size() != 2)
    e.unsupported("its dimension_numbers are not two pairs of lists");
  const axis_set common = a.along & b.along;
  const auto shifted = [](const varying& v, const ints& dims) {
    ints out;
    for (std::int64_t d : dims) out.push_back(d + count(v.along));
    return out;
  };
  const auto batch = [&](const varying& v, const ints& dims) {
    ints out;
    for (std::size_t i : named_axes::list(common)) out.push_back(place(v.along, i));
    const ints own = shifted(v, dims);
    out.insert(out.end(), own.begin(), own.end());
    return out;
  };
  const parameter made{parameter{parameter(shifted(a, numbers[0][0])), parameter(shifted(b, numbers[0][1]))},
                       parameter{parameter(batch(a, numbers[1][0])), parameter(batch(b, numbers[1][1]))}};
  // The result's axes, in order: the named axes of both operands, the batch axes, the named axes of a only, the free
  // axes of a, the named axes of b only, the free axes of b.
  const aval result = e.out_type();
  const auto batches = static_cast<std::int64_t>(numbers[1][0].size());
  const std::int64_t free_a = e.rank(a) - batches - static_cast<std::int64_t>(numbers[0][0].size());
  const std::int64_t free_b = e.rank(b) - batches - static_cast<std::int64_t>(numbers[0][1].size());
  if (free_a < 0 || free_b < 0 || result.rank() != batches + free_a + free_b)
    e.unsupported("its dimension_numbers do not fit its operands");
  const axis_set only_a = a.along & ~common, only_b = b.along & ~common, along = a.along | b.along;
  aval t = result;
  t.dims = e.axes().extents(common);
  const auto append = [&](const shape& dims, std::int64_t begin, std::int64_t end) {
    t.dims.insert(t.dims.end(), dims.begin() + begin, dims.begin() + end);
  };
  append(result.dims, 0, batches);
  append(e.axes().extents(only_a), 0, count(only_a));
  append(result.dims, batches, batches + free_a);
  append(e.axes().extents(only_b), 0, count(only_b));
  append(result.dims, batches + free_a, result.rank());
  const varying product =
      e.emit1("dot_general", {a, b}, e.with("dimension_numbers", e.store().value_of(made)), t, along);
  ints order;
  const std::int64_t before_a = count(common) + batches, before_b = before_a + count(only_a) + free_a;
  for (std::size_t i : named_axes::list(along))
    order.push_back(has(common, i)   ? place(common, i)
                    : has(only_a, i) ? before_a + place(only_a, i)
                                     : before_b + place(only_b, i));
  for (std::int64_t d = 0; d < result.rank(); ++d)
    order.push_back(d < batches            ? count(common) + d
                    : d < batches + free_a ? before_a + count(only_a) + d - batches
                                           : before_b + count(only_b) + d - batches - free_a);
  return {e.transpose(product, order, along)};
}

/// The rule of convolutions. If only one operand varies and there are no groups, the leading axes become part of the
/// batch, or of the output features. Otherwise the convolution is repeated for each device.
inline varyings convolution(equation_view& e) {
  const varying &x = e.operands()[0], &w = e.operands()[1];
  const jaxpr::value* const numbers = e.find("dimension_numbers");
  const auto spec = [&](std::string_view key) {
    const jaxpr::value* const list = numbers ? keyword(*numbers, key) : nullptr;
    if (!list) e.unsupported(detail::message("its dimension_numbers lack {}", key));
    return e.driver().decoder().decode<ints>(*list);
  };
  const bool grouped =
      e.param_or<std::int64_t>("feature_group_count", 1) != 1 || e.param_or<std::int64_t>("batch_group_count", 1) != 1;
  if ((x.along && w.along) || grouped) return lockstep(e);
  const bool batch = x.along != 0;
  const varying& v = batch ? x : w;
  const std::int64_t k = count(v.along), into = batch ? spec("lhs_spec")[0] : spec("rhs_spec")[0];
  const std::int64_t out = batch ? spec("out_spec")[0] : spec("out_spec")[1];
  const dim devices = e.axes().devices(v.along);
  // The leading axes move before axis `into` and are merged with it.
  aval local = e.local_type(v);
  ints order;
  for (std::int64_t d = 0; d < local.rank(); ++d) {
    for (std::int64_t i = 0; d == into && i < k; ++i) order.push_back(i);
    order.push_back(k + d);
  }
  local.dims[static_cast<std::size_t>(into)] =
      e.owner().dims().mul(local.dims[static_cast<std::size_t>(into)], devices);
  const varying merged = e.reshape_all(e.transpose(v, order, 0), 0, local.dims);
  aval t = e.out_type();
  const shape result = t.dims;
  t.dims[static_cast<std::size_t>(out)] = e.owner().dims().mul(t.dims[static_cast<std::size_t>(out)], devices);
  varying y = e.emit1(e.equation().primitive, {batch ? merged : x, batch ? w : merged}, e.params(), t, 0);
  shape split;
  ints back;
  for (std::int64_t d = 0; d < std::ssize(result); ++d) {
    const shape leading = e.axes().extents(v.along);
    if (d == out) split.insert(split.end(), leading.begin(), leading.end());
    split.push_back(result[static_cast<std::size_t>(d)]);
  }
  for (std::int64_t i = 0; i < k; ++i) back.push_back(out + i);
  for (std::int64_t d = 0; d < std::ssize(result); ++d) back.push_back(d < out ? d : d + k);
  y = e.reshape_all(y, 0, split);
  return {e.transpose(y, back, v.along)};
}

}  // namespace jax2onnx::lower::batching
