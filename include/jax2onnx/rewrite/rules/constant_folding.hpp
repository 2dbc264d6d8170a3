#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/constant_folding.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/joined_source.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/small_constants.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/permuted_source.hpp>

/// Constant folding of small tensors, in the arithmetic of the dtype: integers wrap, floats round to nearest even.
namespace jax2onnx::rewrite::detail {

/// The bit patterns of a small constant's elements.
struct elements {
  dtype type;
  std::vector<std::uint64_t> bits;

  double number(std::size_t i) const {
    if (is_floating(type)) return decode_float(type, bits[i]);
    return type == dtype::u64 ? static_cast<double>(bits[i]) : static_cast<double>(integer(i));
  }
  std::int64_t integer(std::size_t i) const { return decode_integer(type, bits[i]); }
};

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
inline std::optional<elements> read_elements(const value& v) {
  if (!v || !v.is_constant()) return std::nullopt;
  const auto n = small_count(v.type());
  const auto raw = v.data().view();
  if (!n || raw.size() != byte_size(v.dtype(), *n)) return std::nullopt;
  elements e{v.dtype(), {}};
  for (std::size_t i = 0; i < *n; ++i) e.bits.push_back(element_bits(v.dtype(), raw, i));
  return e;
}

inline std::uint64_t encode(dtype t, double v) { return encode_float(t, v); }
inline std::uint64_t encode(dtype t, std::int64_t v) {
  return bits(t) == 64 ? static_cast<std::uint64_t>(v)
                       : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << bits(t)) - 1);
}

/// op on two elements of one dtype; nullopt where runtimes may differ.
inline std::optional<std::uint64_t> fold_arithmetic(std::string_view op, const elements& a, std::size_t i,
                                                    const elements& b, std::size_t j) {
  const dtype t = a.type;
  if (is_integer(t)) {
    const auto x = static_cast<std::uint64_t>(a.integer(i)), y = static_cast<std::uint64_t>(b.integer(j));
    const bool below = is_signed_integer(t) ? a.integer(i) < b.integer(j) : x < y;
    if (op == "Add") return encode(t, static_cast<std::int64_t>(x + y));
    if (op == "Sub") return encode(t, static_cast<std::int64_t>(x - y));
    if (op == "Mul") return encode(t, static_cast<std::int64_t>(x * y));
    if (op == "Max") return below ? b.bits[j] : a.bits[i];
    if (op == "Min") return below ? a.bits[i] : b.bits[j];
    if (a.integer(i) < 0 || b.integer(j) <= 0) return std::nullopt;
    if (op == "Div") return encode(t, a.integer(i) / b.integer(j));
    if (op == "Mod") return encode(t, a.integer(i) % b.integer(j));
    return std::nullopt;
  }
  if (!is_floating(t)) return std::nullopt;
  const auto compute = [&](auto x, auto y) -> std::optional<std::uint64_t> {
    if (op == "Add") return encode(t, static_cast<double>(x + y));
    if (op == "Sub") return encode(t, static_cast<double>(x - y));
    if (op == "Mul") return encode(t, static_cast<double>(x * y));
    if (op == "Div") return encode(t, static_cast<double>(x / y));
    if (std::isnan(x) || std::isnan(y)) return std::nullopt;
    if (op == "Max") return x < y ? b.bits[j] : a.bits[i];
    if (op == "Min") return y < x ? b.bits[j] : a.bits[i];
    return std::nullopt;
  };
  if (t == dtype::f64) return compute(a.number(i), b.number(j));
  return compute(static_cast<float>(a.number(i)), static_cast<float>(b.number(j)));
}

/// op on one number; nullopt where the last bit depends on the library.
inline std::optional<double> fold_unary(std::string_view op, dtype t, double x) {
  if (op == "Neg") return -x;
  if (op == "Abs") return std::abs(x);
  if (op == "Floor") return std::floor(x);
  if (op == "Ceil") return std::ceil(x);
  if (op == "Sqrt") return t == dtype::f64 ? std::sqrt(x) : static_cast<double>(std::sqrt(static_cast<float>(x)));
  if (op == "Relu" && !std::isnan(x) && !(x == 0 && std::signbit(x))) return std::max(x, 0.0);
  if (op == "Reciprocal") return t == dtype::f64 ? 1 / x : static_cast<double>(1 / static_cast<float>(x));
  return std::nullopt;
}

inline std::optional<std::uint64_t> fold_comparison(std::string_view op, const elements& a, std::size_t i,
                                                    const elements& b, std::size_t j) {
  const auto compare = [&](auto x, auto y) -> std::optional<std::uint64_t> {
    if (op == "Equal") return x == y;
    if (op == "Less") return x < y;
    if (op == "LessOrEqual") return x <= y;
    if (op == "Greater") return x > y;
    if (op == "GreaterOrEqual") return x >= y;
    return std::nullopt;
  };
  if (a.type == dtype::u64) return compare(a.bits[i], b.bits[j]);
  return is_floating(a.type) ? compare(a.number(i), b.number(j)) : compare(a.integer(i), b.integer(j));
}

/// Cast of one element; nullopt for floats outside the integer type's range, which the runtime converts.
inline std::optional<std::uint64_t> fold_cast(const elements& x, std::size_t i, dtype to) {
  if (is_boolean(to)) return x.number(i) != 0;
  if (is_floating(to)) {
    if (is_integer(x.type) && std::abs(x.number(i)) > 0x1p53) return std::nullopt;
    return encode(to, x.number(i));
  }
  if (!is_floating(x.type)) return encode(to, x.integer(i));
  const double n = std::trunc(x.number(i));
  const bool fits = n >= static_cast<double>(smallest_integer(to)) && n <= static_cast<double>(largest_integer(to)) &&
                    std::abs(n) < 0x1p53;
  return fits ? std::optional(encode(to, static_cast<std::int64_t>(n))) : std::nullopt;
}

/// The element of an operand of shape `from` that element `i` of the result reads, where it is broadcast to shape `to`.
inline std::size_t broadcast_index(std::size_t i, const shape& to, const shape& from) {
  std::size_t index = 0, stride = 1;
  for (std::size_t back = 1; back <= from.size(); ++back) {
    const auto extent = static_cast<std::size_t>(to[to.size() - back].extent());
    const auto own = static_cast<std::size_t>(from[from.size() - back].extent());
    if (own != 1) index += i % extent * stride;
    stride *= own;
    i /= extent;
  }
  return index;
}

/// Element `i` of an elementwise op's result.
inline std::optional<std::uint64_t> fold_element(const value& root, std::span<const elements> in, std::size_t i) {
  const std::string_view op = producer(root)->op;
  const auto at = [&](std::size_t k) { return broadcast_index(i, root.dims(), input_of(root, k).dims()); };
  if (op == "Cast") return fold_cast(in[0], i, root.dtype());
  if (op == "Not") return in[0].bits[i] == 0;
  if (op == "Expand" || op == "Identity") return in[0].bits[at(0)];
  if (in.size() == 1 && is_floating(root.dtype())) {
    const auto y = fold_unary(op, root.dtype(), in[0].number(i));
    return y ? std::optional(encode(root.dtype(), *y)) : std::nullopt;
  }
  if (op == "Neg" || (op == "Abs" && in[0].integer(i) < 0))
    return encode(root.dtype(), static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(in[0].integer(i))));
  if (op == "Abs") return in[0].bits[i];
  if (op == "Sign") {
    const bool negative = is_signed_integer(root.dtype()) && in[0].integer(i) < 0;
    return encode(root.dtype(), std::int64_t{negative ? -1 : in[0].bits[i] != 0});
  }
  if (op == "IsNaN") return std::isnan(in[0].number(i));
  if (op == "And" || op == "Or")
    return op == "And" ? in[0].bits[at(0)] & in[1].bits[at(1)] : in[0].bits[at(0)] | in[1].bits[at(1)];
  if (op == "Clip" && in.size() == 3) {
    const bool low = *fold_comparison("Less", in[0], i, in[1], 0),
               high = *fold_comparison("Greater", in[0], i, in[2], 0);
    return high ? in[2].bits[0] : low ? in[1].bits[0] : in[0].bits[i];
  }
  if (op == "Where") return in[0].bits[at(0)] ? in[1].bits[at(1)] : in[2].bits[at(2)];
  if (in.size() != 2) return std::nullopt;
  return is_boolean(root.dtype()) ? fold_comparison(op, in[0], at(0), in[1], at(1))
                                  : fold_arithmetic(op, in[0], at(0), in[1], at(1));
}

/// Whether `v` is a named constant of floating-point numbers, or computed from one.
inline bool is_weight(const context& c, const value& v) {
  if (!is_floating(v.dtype()) || v.rank() == 0) return false;
  return !c.g.at(v.id()).name.empty() || is_computed(v);
}

/// Folds `root` if its operands are small constants, and one of them a weight if `of_weights`.
inline outcome fold_elements(const context& c, const value& root, bool of_weights) {
  const std::size_t operands = producer(root)->inputs.size();
  bool any_weight = false;
  for (std::size_t i = 0; i < operands; ++i) {
    const value v = input_of(root, i);
    if (!v || !v.is_constant()) return {};
    any_weight = any_weight || is_weight(c, v);
  }
  const auto count = small_count(root.type());
  if (any_weight != of_weights || !count) return {};
  std::vector<elements> in;
  for (std::size_t i = 0; i < operands; ++i) {
    auto e = read_elements(input_of(root, i));
    if (!e) return {};
    in.push_back(std::move(*e));
  }
  std::string data;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto bits = fold_element(root, in, i);
    if (!bits) return {};
    data += pattern_bytes(root.dtype(), *bits);
  }
  return c.g.constant(root.type(), bytes(std::move(data)));
}

inline outcome fold_elementwise(const context& c, const value& root) { return fold_elements(c, root, false); }

/// op on numbers in double; nullopt for an operator that is not arithmetic, and where runtimes may differ.
inline std::optional<double> compute(std::string_view op, double x, double y) {
  if (op == "Add") return x + y;
  if (op == "Sub") return x - y;
  if (op == "Mul") return x * y;
  if (op == "Div") return x / y;
  if (std::isnan(x) || std::isnan(y)) return std::nullopt;
  if (op == "Max") return std::max(x, y);
  if (op == "Min") return std::min(x, y);
  return std::nullopt;
}

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

/// Folds arithmetic on constants, one of them a weight, in double: a chain of folded operators is rounded once.
inline outcome fold_numbers(const context& c, const value& root) {
  const std::vector<value> operands = inputs_of(root);
  const auto is_constant = [](const value& v) { return v && v.is_constant(); };
  const auto is_a_weight = [&](const value& v) { return is_weight(c, v); };
  const auto count = count_of_numbers(root.type());
  if (!count || !std::ranges::all_of(operands, is_constant) || std::ranges::none_of(operands, is_a_weight)) return {};
  if (operands.size() > 2 || !is_computed_in_double(root.dtype())) return {};
  std::vector<std::vector<double>> in;
  for (const value& v : operands) {
    std::optional<std::vector<double>> numbers = numbers_of(v);
    if (!numbers) return {};
    in.push_back(std::move(*numbers));
  }
  const std::string_view op = producer(root)->op;
  const auto at = [&](std::size_t k, std::size_t i) {
    return in[k][broadcast_index(i, root.dims(), operands[k].dims())];
  };
  std::vector<double> out(*count);
  for (std::size_t i = 0; i < *count; ++i) {
    const auto y = operands.size() == 1 ? fold_unary(op, dtype::f64, at(0, i)) : compute(op, at(0, i), at(1, i));
    if (!y) return {};
    out[i] = *y;
  }
  return constant_of_numbers(c.g, root.type(), std::move(out));
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
  std::vector<std::uint64_t> integers(*count);
  for (std::size_t i = 0; i < in->bits.size(); ++i) {
    const std::size_t to = reduced_index(i, x.dims(), r->axes);
    if (is_floating(in->type)) numbers[to] += in->number(i);
    else integers[to] += static_cast<std::uint64_t>(in->integer(i));
  }
  std::string data;
  for (std::size_t i = 0; i < *count; ++i) {
    const std::uint64_t sum = is_floating(in->type) ? encode(root.dtype(), numbers[i])
                                                    : encode(root.dtype(), static_cast<std::int64_t>(integers[i]));
    data += pattern_bytes(root.dtype(), sum);
  }
  return c.g.constant(root.type(), bytes(std::move(data)));
}

inline outcome fold_range(const context& c, const value& root) {
  const auto count = small_count(root.type());
  const auto start = read_elements(input_of(root, 0)), step = read_elements(input_of(root, 2));
  if (!count || !start || !step || !is_integer(root.dtype())) return {};
  std::string data;
  for (std::size_t i = 0; i < *count; ++i)
    data += pattern_bytes(root.dtype(),
                          encode(root.dtype(), start->integer(0) + static_cast<std::int64_t>(i) * step->integer(0)));
  return c.g.constant(root.type(), bytes(std::move(data)));
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

inline constexpr std::string_view foldable_ops[] = {
    "Abs",   "Add",   "And",         "Cast",  "Ceil",       "Clip",
    "Div",   "Equal", "Expand",      "Floor", "Greater",    "GreaterOrEqual",
    "IsNaN", "Less",  "LessOrEqual", "Max",   "Min",        "Mod",
    "Mul",   "Neg",   "Not",         "Or",    "Reciprocal", "Relu",
    "Sign",  "Sqrt",  "Sub",         "Where"};

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
