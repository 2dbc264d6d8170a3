// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Signatures of products and transforms. Sources: jax._src.lax.lax, _dot_general_shape_rule, _dot_general_dtype_rule,
/// _ragged_dot_general_shape_rule; jax._src.lax.fft, fft_abstract_eval.
namespace jax2onnx::lower {

/// The dimension numbers of dot_general as printed: ((contracted), (batch)), each for lhs and rhs.
using dot_numbers = std::vector<std::vector<ints>>;

/// Checks the dimension numbers of a product of arrays of the shapes `lhs` and `rhs`.
inline void check_dot_numbers(const site& s, const dot_numbers& d, const shape& lhs, const shape& rhs) {
  if (d.size() != 2 || d[0].size() != 2 || d[1].size() != 2)
    s.malformed("its dimension_numbers are not two pairs of lists");
  require_axes(s, "dimension_numbers", joined_axes(d[0][0], d[1][0]), std::ssize(lhs));
  require_axes(s, "dimension_numbers", joined_axes(d[0][1], d[1][1]), std::ssize(rhs));
  for (const std::vector<ints>& pair : d) {
    const shape a = extents_at(lhs, pair[0]), b = extents_at(rhs, pair[1]);
    if (provably_differ(s.g.dims(), a, b))
      s.malformed(detail::message("the axes that it pairs in lhs and rhs have the different extents {} and {}",
                                  s.g.dims().text(a), s.g.dims().text(b)));
  }
}

/// The shape of a product, [batch..., free of lhs..., free of rhs...]. The axes `group` of rhs are not free.
inline shape dot_shape(const dot_numbers& d, const shape& lhs, const shape& rhs, const ints& group = {}) {
  shape out = extents_at(lhs, d[1][0]);
  out.append(extents_at(lhs, complement(std::ssize(lhs), d[0][0], d[1][0])));
  out.append(extents_at(rhs, complement(std::ssize(rhs), d[0][1], d[1][1], group)));
  return out;
}

/// A sort key of element types. The type of a product is the operand type with the larger key.
inline auto product_order(const element& e) {
  const float_format f = format_of(e.part);
  const int largest_exponent = (1 << f.exponent_bits) - (f.has_infinity ? 1 : 0) - f.bias;
  return std::tuple(e.parts, is_floating(e.part) ? largest_exponent : -1, is_floating(e.part) ? f.mantissa_bits : -1,
                    is_boolean(e.part) ? 1 : bits(e.part), !is_unsigned_integer(e.part));
}

/// The element type of a product of operands 0 and `second`. Operands and result may have different types.
inline element product_element(const site& s, std::size_t second = 1) {
  for (std::size_t i : {std::size_t{0}, second}) require_kind(s, i, kinds::data);
  const element &lhs = s.in_type(0).elem, &rhs = s.in_type(second).elem;
  if (product_order(lhs) == product_order(rhs)) require_same_element(s, second, 0);
  const element natural = product_order(lhs) < product_order(rhs) ? rhs : lhs;
  const element wanted = s.param_or<element>("preferred_element_type", natural);
  if (!is_floating(natural.part) && (is_boolean(wanted.part) || bits(wanted.part) < bits(natural.part)) &&
      wanted != natural)
    s.malformed(detail::message("its preferred_element_type is narrower than {}", natural.name));
  return wanted;
}

inline std::vector<aval> dot_general_types(const site& s) {
  const auto d = s.param<dot_numbers>("dimension_numbers");
  const shape &lhs = s.in_type(0).dims, &rhs = s.in_type(1).dims;
  check_dot_numbers(s, d, lhs, rhs);
  return {{product_element(s), dot_shape(d, lhs, rhs)}};
}

/// The dimension numbers of ragged_dot_general, or of ragged_dot, which older versions of JAX print.
struct ragged_numbers {
  dot_numbers dot{{{1}, {1}}, {{}, {}}};
  /// The dimension of lhs that is divided into groups, and the dimension of rhs with a matrix for each group.
  ints ragged{0}, group{0};

  explicit ragged_numbers(const site& s) {
    const jaxpr::value* d = s.find("ragged_dot_dimension_numbers");
    if (!d) return;
    dot = s.argument_or<dot_numbers>(*d, "dot_dimension_numbers", {});
    ragged = s.argument_or<ints>(*d, "lhs_ragged_dimensions", {});
    group = s.argument_or<ints>(*d, "rhs_group_dimensions", {});
  }
};

/// Checks the group sizes: [groups], or [dimensions of lhs..., groups]. In the second form, the lowering supports only
/// batch dimensions of lhs.
inline void check_group_sizes(const site& s, const ragged_numbers& d) {
  require_kind(s, 2, kinds::integer);
  const shape& sizes = s.in_type(2).dims;
  if (sizes.empty()) s.malformed("its group sizes are a scalar");
  const std::int64_t batch = std::ssize(sizes) - 1;
  if (batch == std::ssize(d.dot[1][0])) require_equal_extents(s, 2, iota_axes(batch), 0, d.dot[1][0]);
}

inline std::vector<aval> ragged_dot_types(const site& s) {
  const ragged_numbers d(s);
  const shape &lhs = s.in_type(0).dims, &rhs = s.in_type(1).dims;
  check_dot_numbers(s, d.dot, lhs, rhs);
  if (d.ragged.size() != 1) s.malformed("it must have exactly one ragged dimension");
  require_axes(s, "lhs_ragged_dimensions", d.ragged, s.in_type(0).rank());
  const bool contracts = has_axis(d.dot[0][0], d.ragged[0]), batches = has_axis(d.dot[1][0], d.ragged[0]);
  if (const std::size_t groups = contracts || batches ? 0 : 1; d.group.size() != groups)
    s.malformed(detail::message("its rhs_group_dimensions has {} entr{y|ies} instead of {}", d.group.size(), groups));
  require_axes(s, "rhs_group_dimensions", joined_axes(d.group, d.dot[0][1], d.dot[1][1]), s.in_type(1).rank());
  check_group_sizes(s, d);
  const shape groups{s.in_type(2).dims.back()};
  if (!d.group.empty()) require_equal_extents(s, 1, d.group, 2, {s.in_type(2).rank() - 1});
  shape out = contracts ? groups : shape{};
  out.append(dot_shape(d.dot, lhs, rhs, d.group));
  return {{product_element(s), out}};
}

enum class fft_kind : std::uint8_t { fft, ifft, rfft, irfft };

/// The parameter fft_type, which is printed as 2 or as FftType.RFFT.
inline fft_kind fft_type(const site& s) {
  constexpr std::string_view names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  const jaxpr::value& v = s.tree("fft_type");
  const std::string_view text = v.text.substr(v.text.rfind('.') + 1);
  for (std::size_t i = 0; i < 4; ++i)
    if (text == names[i] || (v.tag == jaxpr::value::kind::integer && v.integer == static_cast<std::int64_t>(i)))
      return static_cast<fft_kind>(i);
  s.malformed(detail::message("its fft_type is '{}'; it must be FFT, IFFT, RFFT or IRFFT", v.text));
}

/// A transform maps a signal to its spectrum; the inverse transform maps a spectrum to its signal. RFFT and IRFFT have
/// real signals, and only the first half of the spectrum along the last axis.
inline std::vector<aval> fft_types(const site& s) {
  const fft_kind kind = fft_type(s);
  const bool real = kind == fft_kind::rfft || kind == fft_kind::irfft;
  const bool inverse = kind == fft_kind::ifft || kind == fft_kind::irfft;
  const aval& x = s.in_type(0);
  require_kind(s, 0, kind == fft_kind::rfft ? kinds::floating : kinds::complex);
  if (bits(x.elem.part) < 32)
    s.malformed(detail::message("operand 0 is {}; its real numbers must have 32 or 64 bits", x.elem.name));
  const auto lengths = s.param<shape>("fft_lengths");
  if (lengths.empty() || lengths.size() > 3 || std::ssize(lengths) > x.rank())
    s.malformed(detail::message(
        "its fft_lengths has {} entr{y|ies} for {} ax{is|es}; it must have 1 to 3, and at most one for each axis",
        lengths.size(), x.rank()));
  const bool wide = x.elem.part == dtype::f64;
  aval spectrum{element_named(wide ? "c128" : "c64"), x.dims.head(x.rank() - std::ssize(lengths))};
  spectrum.dims.append(lengths);
  aval signal = spectrum;
  if (real) {
    signal.elem = element_named(wide ? "f64" : "f32");
    spectrum.dims.back() = s.g.dims().add(s.g.dims().floordiv(lengths.back(), 2), 1);
  }
  require_shape(s, 0, inverse ? spectrum.dims : signal.dims, "an array for its fft_lengths");
  return {inverse ? signal : spectrum};
}

inline constexpr signature dot_general_signature{
    2,
    1,
    dot_general_types,
    {{"dimension_numbers", param_form::list, "((lhs, rhs) contracted, (lhs, rhs) batch)"},
     {"preferred_element_type", param_form::element}}};
inline constexpr signature ragged_dot_signature{3,
                                                1,
                                                ragged_dot_types,
                                                {{"ragged_dot_dimension_numbers", param_form::structure,
                                                  "dot_dimension_numbers, lhs_ragged_dimensions, rhs_group_dimensions"},
                                                 {"preferred_element_type", param_form::element}}};
inline constexpr signature fft_signature{
    1, 1, fft_types, {{"fft_type", param_form::other}, {"fft_lengths", param_form::dims, 0, dim::limit - 1}}};

}  // namespace jax2onnx::lower
