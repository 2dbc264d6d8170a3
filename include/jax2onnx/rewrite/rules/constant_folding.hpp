#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/facts/elements.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/ops/constant_folding.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/joined_source.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/permuted_source.hpp>

/// Constant folding of small tensors, in the arithmetic of the dtype: integers wrap, floats round to nearest even.
namespace jax2onnx::rewrite::detail {

/// The number of elements of a tensor of at most `folding_limit` bytes; nullopt for any other.
inline std::optional<std::size_t> small_count(const tensor_type& t) {
  if (!is_decodable(t.type)) return std::nullopt;
  std::uint64_t n = 1;
  for (dim d : t.dims) {
    if (!d.is_constant() || d.extent() < 0 || d.extent() > static_cast<std::int64_t>(folding_limit))
      return std::nullopt;
    n *= static_cast<std::uint64_t>(d.extent());
    if (n > folding_limit) return std::nullopt;
  }
  return byte_size(t.type, n) <= folding_limit ? std::optional<std::size_t>(n) : std::nullopt;
}

/// The elements of a constant of at most `folding_limit` bytes; nullopt for any other value.
inline std::optional<elements> read_elements(const value& v) { return elements_of(v, folding_limit); }

/// The constant of these elements.
inline value constant_of_elements(graph& g, const tensor_type& type, const std::vector<std::uint64_t>& bits) {
  std::string data;
  for (const std::uint64_t pattern : bits) data += pattern_bytes(type.type, pattern);
  return g.constant(type, bytes(std::move(data)));
}

/// The elements of the result of `v` of type `t`, from those of its first operands; nullopt where runtimes may differ.
/// All extents are constant.
inline std::optional<elements> mapped_elements(const value& v, const element_row& row, std::span<const elements> in,
                                               dtype t, std::size_t count) {
  std::vector<single_element> operands(row.operands);
  elements out{t, std::vector<std::uint64_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < row.operands; ++k)
      operands[k] = in[k][broadcast_index(i, v.dims(), input_of(v, k).dims())];
    const auto bits = row.rule(operands, t);
    if (!bits) return std::nullopt;
    out.bits[i] = *bits;
  }
  return out;
}

/// Whether `v` is a named constant of floating-point numbers, or computed from one.
inline bool is_weight(const context& c, const value& v) {
  if (!is_floating(v.dtype()) || v.rank() == 0) return false;
  return !c.g.at(v.id()).name.empty() || is_computed(v);
}

/// Folds `root` if its operands are small constants, and one of them a weight if `of_weights`.
inline outcome fold_elements(const context& c, const value& root, bool of_weights) {
  const element_row* row = element_row_of(*producer(root));
  const auto count = small_count(root.type());
  const std::vector<value> operands = inputs_of(root);
  const auto is_constant = [](const value& v) { return v.is_constant(); };
  if (!row || !count || !std::ranges::all_of(operands, is_constant)) return {};
  if (std::ranges::any_of(operands, [&](const value& v) { return is_weight(c, v); }) != of_weights) return {};
  std::vector<elements> in;
  for (const value& v : operands) {
    auto e = read_elements(v);
    if (!e) return {};
    in.push_back(std::move(*e));
  }
  const auto folded = mapped_elements(root, *row, in, root.dtype(), *count);
  return folded ? outcome(constant_of_elements(c.g, root.type(), folded->bits)) : outcome();
}

inline outcome fold_elementwise(const context& c, const value& root) { return fold_elements(c, root, false); }

/// The number of elements of a tensor of at most `most_numbers` elements; nullopt for any other.
inline std::optional<std::size_t> count_of_numbers(const tensor_type& t) {
  std::uint64_t n = 1;
  for (const dim d : t.dims) {
    if (!d.is_constant() || d.extent() < 0 || static_cast<std::uint64_t>(d.extent()) > most_numbers)
      return std::nullopt;
    n = std::min(n * static_cast<std::uint64_t>(d.extent()), most_numbers + 1);
  }
  return n <= most_numbers ? std::optional(static_cast<std::size_t>(n)) : std::nullopt;
}

/// The numbers of a constant as elements of f64; nullopt for what numbers_of does not read.
inline std::optional<elements> wide_elements_of(const value& v) {
  const auto numbers = numbers_of(v);
  if (!numbers) return std::nullopt;
  elements out{dtype::f64, {}};
  for (const double number : *numbers) out.bits.push_back(std::bit_cast<std::uint64_t>(number));
  return out;
}

/// Folds arithmetic on constants, one of them a weight, in double: a chain of folded operators is rounded once.
inline outcome fold_numbers(const context& c, const value& root) {
  const element_row* row = element_row_of(*producer(root));
  const auto count = count_of_numbers(root.type());
  if (!row || !count || row->operands > 2 || !is_computed_in_double(root.dtype())) return {};
  if (producer(root)->inputs.size() != row->operands) return {};
  std::vector<elements> in;
  bool any_weight = false;
  for (std::size_t k = 0; k < row->operands; ++k) {
    const value v = input_of(root, k);
    auto e = v.dtype() == root.dtype() ? wide_elements_of(v) : std::nullopt;
    if (!e) return {};
    any_weight = any_weight || is_weight(c, v);
    in.push_back(std::move(*e));
  }
  const auto folded = any_weight ? mapped_elements(root, *row, in, dtype::f64, *count) : std::nullopt;
  if (!folded) return {};
  std::vector<double> numbers(*count);
  for (std::size_t i = 0; i < *count; ++i) numbers[i] = (*folded)[i].number();
  return constant_of_numbers(c.g, root.type(), std::move(numbers));
}

/// In the late stage, so that the rules of normalizations see variances and scales as they are.
inline outcome fold_weights(const context& c, const value& root) {
  const outcome folded = fold_numbers(c, root);
  return folded.replacement ? folded : fold_elements(c, root, true);
}

/// The element of a reduction's result that element `i` of its operand, of shape `from`, contributes to.
inline std::size_t reduced_index(std::size_t i, const shape& from, const ints& axes) {
  std::size_t index = 0, stride = 1;
  for (std::size_t axis = from.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(from[axis].extent());
    if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(axis))) {
      index += i % extent * stride;
      stride *= extent;
    }
    i /= extent;
  }
  return index;
}

/// Floats are added in double.
inline outcome fold_sum(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const auto in = read_elements(x);
  const auto count = small_count(root.type());
  const auto r = reduction_of(root);
  if (!in || !count || !r || is_boolean(in->type)) return {};
  std::vector<double> numbers(*count);
  std::vector<std::uint64_t> sums(*count);
  for (std::size_t i = 0; i < in->bits.size(); ++i) {
    const std::size_t to = reduced_index(i, x.dims(), r->axes);
    if (is_floating(in->type)) numbers[to] += (*in)[i].number();
    else sums[to] += static_cast<std::uint64_t>((*in)[i].integer());
  }
  for (std::size_t i = 0; i < *count; ++i)
    sums[i] = is_floating(in->type) ? of_elements::encode(root.dtype(), numbers[i])
                                    : of_elements::encode(root.dtype(), static_cast<std::int64_t>(sums[i]));
  return constant_of_elements(c.g, root.type(), sums);
}

inline outcome fold_range(const context& c, const value& root) {
  const auto count = small_count(root.type());
  const auto start = read_elements(input_of(root, 0)), step = read_elements(input_of(root, 2));
  if (!count || !start || !step || !is_integer(root.dtype())) return {};
  std::vector<std::uint64_t> numbers(*count);
  for (std::size_t i = 0; i < *count; ++i)
    numbers[i] =
        of_elements::encode(root.dtype(), (*start)[0].integer() + static_cast<std::int64_t>(i) * (*step)[0].integer());
  return constant_of_elements(c.g, root.type(), numbers);
}

/// The bytes of a constant with its axes permuted.
inline std::shared_ptr<const byte_source> permuted(const value& x, const ints& perm, std::uint64_t width) {
  std::vector<std::uint64_t> strides(x.dims().size(), 1), extents, permuted_strides;
  for (std::size_t a = strides.size(); a-- > 1;)
    strides[a - 1] = strides[a] * static_cast<std::uint64_t>(x.dims()[a].extent());
  for (const std::int64_t axis : perm) {
    extents.push_back(static_cast<std::uint64_t>(x.dims()[static_cast<std::size_t>(axis)].extent()));
    permuted_strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  return std::make_shared<const jax2onnx::detail::permuted_source>(x.data(), extents, permuted_strides, width);
}

/// The bytes of a large constant are permuted when they are written.
inline outcome fold_transpose(const context& c, const value& root) {
  ints perm;
  value x;
  if (!match(root, m_transpose(perm, m_constant(x)))) return {};
  const auto width = static_cast<std::size_t>(bits(x.dtype()));
  if (width % 8 != 0) return decline("the elements are smaller than a byte");
  if (x.data().size() > folding_limit && !c.single_use(x))
    return decline("the weight would be stored twice, in two layouts");
  const auto source = permuted(x, perm, width / 8);
  if (source->size() > folding_limit) return computed_constant(c.g, root.type(), source, c.g.at(x.id()).name);
  return c.g.constant(root.type(), bytes(in_memory(*source)), c.g.at(x.id()).name);
}

inline outcome fold_concat(const context& c, const value& root) {
  if (root.dtype() != dtype::i64 || root.rank() != 1) return {};
  ints joined;
  for (std::size_t i = 0; i < producer(root)->inputs.size(); ++i) {
    const auto part = constant_integers(input_of(root, i));
    if (!part) return {};
    joined.insert(joined.end(), part->begin(), part->end());
  }
  return joined.size() * sizeof(std::int64_t) <= folding_limit ? outcome(int64s(c.g, joined)) : outcome();
}

/// The bytes of large weights are joined when they are written.
inline outcome fold_concat_of_weights(const context& c, const value& root) {
  const std::vector<value> operands = inputs_of(root);
  const auto is_constant = [](const value& v) { return v && v.is_constant(); };
  const auto is_a_weight = [&](const value& v) { return is_weight(c, v); };
  if (!std::ranges::all_of(operands, is_constant) || std::ranges::none_of(operands, is_a_weight)) return {};
  if (bits(root.dtype()) % 8 != 0) return {};
  std::uint64_t blocks = 1;
  for (std::int64_t i = 0, axis = axis_of(root); i < axis; ++i)
    blocks *= static_cast<std::uint64_t>(root.extent(i).extent());
  std::vector<bytes> parts;
  for (const value& v : operands) {
    if (v.data().size() > folding_limit && !c.single_use(v))
      return decline("the weight would be stored twice, joined and by itself");
    parts.push_back(v.data());
  }
  if (blocks == 0) return {};
  const auto source = joined(parts, blocks);
  if (source->size() > folding_limit) return computed_constant(c.g, root.type(), source);
  return c.g.constant(root.type(), bytes(in_memory(*source)));
}

inline outcome fold_shape(const context& c, const value& root) {
  const value x = input_of(root, 0);
  const auto [begin, end] = extents_read_by(*producer(root), x.rank());
  ints extents;
  for (std::int64_t axis = begin; axis < end; ++axis) {
    if (!x.extent(axis).is_constant()) return {};
    extents.push_back(x.extent(axis).extent());
  }
  return int64s(c.g, extents);
}

/// The operators of which elements are computed here.
inline constexpr auto foldable_ops = [] {
  std::array<std::string_view, std::size(element_rows)> names;
  std::ranges::transform(element_rows, names.begin(), [](const element_row& row) { return row.op.text(); });
  return names;
}();

inline constexpr rule constant_folding_rules[] = {
    {"fold-elementwise", "op(c, d) -> e",
     "op maps elements; constants of at most 4 KiB, no weights; every runtime agrees", foldable_ops, fold_elementwise},
    {"fold-weights", "op(c, d) -> e",
     "op maps elements; constants, one of them a weight, of at most 4 KiB, or for arithmetic of float32 and float64 of "
     "at most 65536 elements, which is computed in double; every runtime agrees",
     foldable_ops, fold_weights, stage::late},
    {"fold-sum", "ReduceSum(c, axes) -> d", "constants of at most 4 KiB", ops<"ReduceSum">, fold_sum},
    {"fold-range", "Range(c, d, e) -> f", "integer constants of at most 4 KiB", ops<"Range">, fold_range},
    {"fold-transpose", "Transpose(c, p) -> c'",
     "a constant c that is read once, or of at most 4 KiB; elements of whole bytes", ops<"Transpose">, fold_transpose},
    {"fold-concat", "Concat(c, d) -> e", "int64 vectors, together at most 4 KiB", ops<"Concat">, fold_concat},
    {"fold-concat-of-weights", "Concat(c, d, axis) -> e",
     "constants that are read once, or of at most 4 KiB, one of them a weight; elements of whole bytes", ops<"Concat">,
     fold_concat_of_weights, stage::weights},
    {"fold-shape", "Shape(x) -> c", "constant extents", ops<"Shape">, fold_shape},
};

}  // namespace jax2onnx::rewrite::detail
