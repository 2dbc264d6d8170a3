// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/linear/padding.hpp>
#include <jax2onnx/lower/linear/types.hpp>

/// Signatures of convolutions and windows. Sources: jax._src.lax.convolution, _conv_general_dilated_shape_rule;
/// jax._src.lax.windowed_reductions, _common_reduce_window_shape_rule.
namespace jax2onnx::lower {

/// The windows along one axis.
struct window_rule {
  dim size, stride, dilation, low, high, base_dilation;
};

/// The extent of n elements with dilation: max(0, 1 + dilation * (n - 1)).
inline dim dilated_extent(dim_table& dims, dim n, dim dilation) {
  if (dilation.is(1)) return n;
  return dims.max(dims.add(dims.mul(dilation, dims.sub(n, 1)), 1), 0);
}

/// The extent of an axis with its padding and dilation.
inline dim padded_extent(dim_table& dims, dim n, const window_rule& w) {
  return dims.add(dims.add(dilated_extent(dims, n, w.base_dilation), w.low), w.high);
}

/// The number of windows along an axis of extent n.
inline dim windows_along(dim_table& dims, dim n, const window_rule& w) {
  const dim rest = dims.sub(padded_extent(dims, n, w), dilated_extent(dims, w.size, w.dilation));
  return dims.max(dims.add(dims.floordiv(rest, w.stride), 1), 0);
}

/// Parameter `key`, which has one number for each of n axes; ones if it is missing.
inline shape numbers_per_axis(const site& s, std::string_view key, std::size_t n) {
  auto found = s.param_or<shape>(key, shape(n, dim(1)));
  if (found.size() != n)
    s.malformed(detail::message("its {} has {} entr{y|ies} for {} ax{is|es}", key, found.size(), n));
  return found;
}

/// The rules for windows of these sizes, one for each axis.
inline std::vector<window_rule> window_rules(const site& s, const shape& sizes, std::string_view base_dilation,
                                             std::string_view dilation) {
  const shape strides = numbers_per_axis(s, "window_strides", sizes.size());
  const shape base = numbers_per_axis(s, base_dilation, sizes.size());
  const shape inner = numbers_per_axis(s, dilation, sizes.size());
  const auto padding = s.param<std::vector<shape>>("padding");
  if (padding.size() != sizes.size())
    s.malformed(detail::message("its padding has {} entr{y|ies} for {} ax{is|es}", padding.size(), sizes.size()));
  std::vector<window_rule> out;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (padding[i].size() != 2) s.malformed(detail::message("entry {} of its padding is not a pair", i));
    out.push_back({sizes[i], strides[i], inner[i], padding[i][0], padding[i][1], base[i]});
  }
  return out;
}

/// The extents of a result with an element for each window of operand i.
inline shape windows_shape(const site& s, std::size_t i) {
  const shape& dims = s.in_type(i).dims;
  const shape sizes = numbers_per_axis(s, "window_dimensions", dims.size());
  const auto rules = window_rules(s, sizes, "base_dilation", "window_dilation");
  shape out;
  for (std::size_t d = 0; d < dims.size(); ++d) out.push_back(windows_along(s.g.dims(), dims[d], rules[d]));
  return out;
}

/// reduce_window operand… init…: the computation maps accumulators and elements of every operand to accumulators.
inline std::vector<aval> reduce_window_types(const site& s) {
  const std::size_t n = s.arity() / 2;
  if (n * 2 != s.arity() || !s.has_results(n)) s.malformed("it needs one initial value and one result per operand");
  std::vector<aval> scalars, out;
  for (std::size_t i = 0; i < n; ++i) {
    require_shape(s, i, s.in_type(0).dims, "operand 0");
    require_same_element(s, n + i, i);
    require_rank(s, n + i, 0);
    scalars.push_back(s.in_type(n + i));
    out.push_back({s.in_type(i).elem, windows_shape(s, 0)});
  }
  std::vector<aval> pairs = scalars;
  pairs.insert(pairs.end(), scalars.begin(), scalars.end());
  require_body(s, *s.param<const jaxpr::body*>("jaxpr"), pairs, scalars);
  return out;
}

template <kinds Allowed>
std::vector<aval> reduced_window_types(const site& s) {
  require_kind(s, 0, Allowed);
  return {{s.in_type(0).elem, windows_shape(s, 0)}};
}

/// The result types of `select_and_gather_add tangents operand`.
inline std::vector<aval> select_and_gather_types(const site& s) {
  require_kind(s, 0, kinds::floating);
  require_same_element(s, 1, 0);
  require_shape(s, 1, s.in_type(0).dims, "operand 0");
  return {{s.in_type(0).elem, windows_shape(s, 1)}};
}

/// The result types of `select_and_scatter_add source operand`.
inline std::vector<aval> select_and_scatter_types(const site& s) {
  require_kind(s, 0, kinds::ordered);
  require_same_element(s, 1, 0);
  require_shape(s, 0, windows_shape(s, 1), "the windows");
  return {s.in_type(1)};
}

/// The dimension numbers of a convolution: the batch, feature and spatial dimensions of operands and result; for the
/// kernel, the output feature, input feature and spatial dimensions.
struct conv_specs {
  ints lhs, rhs, out;

  explicit conv_specs(const site& s) {
    const jaxpr::value& d = s.tree("dimension_numbers");
    lhs = s.argument_or<ints>(d, "lhs_spec", {});
    rhs = s.argument_or<ints>(d, "rhs_spec", {});
    out = s.argument_or<ints>(d, "out_spec", {});
    const std::int64_t rank = s.in_type(0).rank();
    require_rank(s, 1, rank);
    if (rank < 2) s.malformed("its operands need at least 2 dimensions");
    for (const ints* spec : {&lhs, &rhs, &out}) {
      if (std::ssize(*spec) != rank)
        s.malformed(
            detail::message("its dimension_numbers has {} entr{y|ies} for {} dimension{|s}", spec->size(), rank));
      require_axes(s, "dimension_numbers", *spec, rank);
    }
  }
};

/// Throws malformed_error if `count` groups certainly do not divide an extent.
inline void require_divides(const site& s, dim count, dim extent, std::string_view what) {
  dim_table& dims = s.g.dims();
  const dim rest = dims.mod(extent, count);
  if (rest.is_constant() && !rest.is(0))
    s.malformed(
        detail::message("{} cannot be divided into groups: {} by {}", what, dims.text(extent), dims.text(count)));
}

/// The number of groups in parameter `key`, 1 if it is missing. The number is symbolic if vmap maps a symbolic axis of
/// both operands.
inline dim group_count(const site& s, std::string_view key) { return s.param_or<dim>(key, 1); }

/// Checks groups of features or of the batch. `lhs` and `rhs` have their dimensions in the order of the specs.
inline void check_conv_groups(const site& s, const shape& lhs, const shape& rhs) {
  dim_table& dims = s.g.dims();
  const dim groups = group_count(s, "feature_group_count"), batch_groups = group_count(s, "batch_group_count");
  if (provably_less(dims, groups, 1) || provably_less(dims, batch_groups, 1) || (!groups.is(1) && !batch_groups.is(1)))
    s.malformed(detail::message("its feature_group_count is {} and its batch_group_count is {}; one of them must be 1",
                                dims.text(groups), dims.text(batch_groups)));
  require_divides(s, groups, lhs[1], "the features of operand 0");
  require_divides(s, batch_groups, lhs[0], "the batch");
  require_divides(s, dims.mul(groups, batch_groups), rhs[0], "the features of the result");
  if (provably_differ(dims, dims.floordiv(lhs[1], groups), rhs[1]))
    s.malformed(detail::message("operand 0 has {} feature{|s} in {} group{|s}, but the kernel takes {} per group",
                                dims.text(lhs[1]), dims.text(groups), dims.text(rhs[1])));
}

/// The element type of a convolution. Operands have one type. preferred_element_type must be at least as wide and of
/// the same kind, but integers may become floating-point, unsigned integers signed, and bools any type.
inline element conv_element(const site& s) {
  require_kind(s, 0, kinds::data);
  require_same_element(s, 1, 0);
  const element natural = s.in_type(0).elem, wanted = s.param_or<element>("preferred_element_type", natural);
  const kinds from = kind_of(natural), to = kind_of(wanted);
  const bool fits = from == to || from == kinds::boolean || (contains(kinds::integer, from) && to == kinds::floating) ||
                    (from == kinds::unsigned_integer && to == kinds::signed_integer);
  const bool narrow = bits(wanted.part) * wanted.parts < bits(natural.part) * natural.parts;
  if (!fits || narrow || to == kinds::none)
    s.malformed(
        detail::message("its preferred_element_type is {}, but the operands are {}", wanted.name, natural.name));
  return wanted;
}

inline std::vector<aval> conv_types(const site& s) {
  dim_table& dims = s.g.dims();
  const conv_specs specs(s);
  const shape lhs = extents_at(s.in_type(0).dims, specs.lhs), rhs = extents_at(s.in_type(1).dims, specs.rhs);
  check_conv_groups(s, lhs, rhs);
  const auto rules = window_rules(s, rhs.tail(2), "lhs_dilation", "rhs_dilation");
  shape out{dims.floordiv(lhs[0], group_count(s, "batch_group_count")), rhs[0]};
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (provably_less(dims, padded_extent(dims, lhs[i + 2], rules[i]), 0))
      s.malformed(detail::message("its padding crops more elements than axis {} has", specs.lhs[i + 2]));
    out.push_back(windows_along(dims, lhs[i + 2], rules[i]));
  }
  return {{conv_element(s), extents_at(out, inverse_permutation(specs.out))}};
}

inline constexpr param_rule positive(std::string_view key, param_form form) { return {key, form, 1, dim::limit - 1}; }

inline constexpr param_rule window_parameters[] = {
    positive("window_dimensions", param_form::per_axis), positive("window_strides", param_form::per_axis),
    positive("base_dilation", param_form::per_axis), positive("window_dilation", param_form::per_axis)};

inline constexpr signature conv_signature{2,
                                          1,
                                          conv_types,
                                          {positive("window_strides", param_form::numbers),
                                           positive("lhs_dilation", param_form::numbers),
                                           positive("rhs_dilation", param_form::numbers),
                                           positive("feature_group_count", param_form::extent),
                                           positive("batch_group_count", param_form::extent),
                                           {"padding", param_form::list, "(low, high) for each spatial axis"},
                                           {"dimension_numbers", param_form::structure, "lhs_spec, rhs_spec, out_spec"},
                                           {"preferred_element_type", param_form::element}}};
/// A signature with the parameters of windows over all axes of operand 0, and one more parameter.
constexpr signature windows_signature(counts operands, counts results, type_rule types, const param_rule& more = {}) {
  return {operands,
          results,
          types,
          {window_parameters[0],
           window_parameters[1],
           window_parameters[2],
           window_parameters[3],
           {"padding", param_form::list, "(low, high) for each axis"},
           more}};
}

}  // namespace jax2onnx::lower
