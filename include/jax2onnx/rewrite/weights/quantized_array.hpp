// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/weights/nibbles.hpp>
#include <jax2onnx/rewrite/weights/strides.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/permuted_source.hpp>

/// Arrays that a program computes from integers of few bits: (c - z) s, with constants c, z and s.
namespace jax2onnx::rewrite {

/// The first opset with DequantizeLinear of int4, and of blocks.
inline constexpr int opset_of_int4 = 21;

/// A constant, and the axes along which its elements are laid out in an array.
struct laid_constant {
  value constant;  ///< the constant; absent if there is none
  strided_axes axes = {};
};

/// The array (numbers - zeros) factors. The axes of each constant subdivide the axes of the array.
struct quantized_array {
  laid_constant numbers, zeros, factors;
};

namespace of_quantized {

/// The largest number of factors and zero points that are stored.
inline constexpr std::uint64_t most_elements = std::uint64_t{1} << 22;

inline bool has_few_bits(dtype t) { return is_integer(t) && bits(t) <= 8; }

/// The elements that elementwise operators compute from constants. Nullopt for any other value, for more than
/// `most_numbers` elements, or if runtimes may differ.
inline std::optional<elements> computed(const value& v, int depth = 12) {
  const auto count = v && depth > 0 ? static_count(v.dims()) : std::nullopt;
  if (!count || *count > most_numbers) return std::nullopt;
  if (v.is_constant()) {
    if (!is_decodable(v.dtype())) return std::nullopt;
    const std::string raw = v.data().source() ? in_memory(*v.data().source()) : std::string();
    const auto data = v.data().source() ? std::as_bytes(std::span(raw)) : v.data().view();
    elements out{v.dtype(), std::vector<std::uint64_t>(*count)};
    for (std::size_t i = 0; i < out.bits.size(); ++i) out.bits[i] = element_bits(v.dtype(), data, i);
    return out;
  }
  if (is_reshape(v)) return computed(input_of(v, 0), depth - 1);
  const node* n = producer(v);
  const element_row* row = n ? element_row_of(*n) : nullptr;
  if (!row) return std::nullopt;
  std::vector<elements> in;
  for (std::size_t k = 0; k < row->operands; ++k) {
    auto operand = computed(input_of(v, k), depth - 1);
    if (!operand) return std::nullopt;
    in.push_back(std::move(*operand));
  }
  elements out{v.dtype(), std::vector<std::uint64_t>(*count)};
  std::vector<single_element> operands(row->operands);
  for (std::size_t i = 0; i < out.bits.size(); ++i) {
    for (std::size_t k = 0; k < row->operands; ++k)
      operands[k] = in[k][broadcast_index(i, v.dims(), input_of(v, k).dims())];
    const auto result = row->rule(operands, v.dtype());
    if (!result) return std::nullopt;
    out.bits[i] = *result;
  }
  return out;
}

/// True if `v` is computed from constants and all of its elements are 0 or, with `truth`, none of them is 0.
inline bool is_all(const value& v, bool truth) {
  const auto e = computed(v);
  if (!e) return false;
  return item_loops::all_of(e->bits, [&](std::uint64_t b) {
    return truth ? b != 0 : single_element{e->type, b}.number() == 0;
  });
}

/// `v` without operators that change none of its numbers: x - 0, a Where whose condition always holds, and Casts of
/// integers to types of more bits and back.
inline value plain(const value& v) {
  const auto wraps = [&](const value& x) { return is_integer(x.dtype()) && bits(x.dtype()) >= bits(v.dtype()); };
  value x = v;
  for (int depth = 12; x && depth > 0; --depth) {
    const bool subtracts = producer(x, "Sub") && is_all(input_of(x, 1), false);
    const bool casts = producer(x, "Cast") && wraps(x) && wraps(input_of(x, 0));
    const bool chooses = producer(x, "Where") && input_of(x, 1).dims() == x.dims() && is_all(input_of(x, 0), true);
    if (!subtracts && !casts && !chooses) break;
    x = input_of(x, chooses ? 1 : 0);
  }
  return x && x.dtype() == v.dtype() && x.dims() == v.dims() ? x : v;
}

/// The axes of a Gather with the indices 0, ..., 0, 1, ..., 1, ..., equally many of each; nullopt for other indices.
inline std::optional<strided_axes> repeated_rows(const value& indices, std::uint64_t extent, std::uint64_t step) {
  const auto e = indices.rank() == 1 ? computed(indices) : std::nullopt;
  if (!e || e->bits.size() % extent != 0) return std::nullopt;
  const std::uint64_t each = e->bits.size() / extent;
  for (std::size_t i = 0; i < e->bits.size(); ++i)
    if (static_cast<std::uint64_t>((*e)[i].integer()) != i / each) return std::nullopt;
  return strided_axes{{extent, step}, {each, 0}};
}

/// The axes of a Pad that copies the first and the last of two rows equally often; nullopt for any other Pad.
inline std::optional<strided_axes> repeated_ends(const value& v, std::uint64_t step) {
  const auto p = pad_of(v);
  if (!p || p->mode != "edge" || !p->x.extent(0).is(2) || p->front != p->behind || p->front[0] < 0) return std::nullopt;
  if (std::any_of(p->front.begin() + 1, p->front.end(), [](std::int64_t n) { return n != 0; })) return std::nullopt;
  return strided_axes{{2, step}, {static_cast<std::uint64_t>(p->front[0]) + 1, 0}};
}

/// The constant `v`, or the constant whose rows the Gather or Pad `v` repeats, broadcast to `dims`. Nullopt for any
/// other value.
inline std::optional<laid_constant> laid(const value& v, const shape& dims) {
  if (v && v.is_constant()) return laid_constant{v, row_major(v.dims(), dims)};
  const bool gather = producer(v, "Gather") && axis_of(v) == 0;
  if ((!gather && !producer(v, "Pad")) || v.dims() != dims) return std::nullopt;
  const value x = input_of(v, 0);
  const auto count = x.is_constant() && x.rank() == v.rank() && x.rank() > 0 ? static_count(x.dims()) : std::nullopt;
  if (!count) return std::nullopt;
  const auto extent = static_cast<std::uint64_t>(x.extent(0).extent());
  auto axes = gather ? repeated_rows(input_of(v, 1), extent, *count / extent) : repeated_ends(v, *count / extent);
  if (!axes) return std::nullopt;
  const shape behind(dims.begin() + 1, dims.end());
  const strided_axes rest = row_major(shape(x.dims().begin() + 1, x.dims().end()), behind);
  std::erase_if(*axes, [](const strided_axis& a) { return a.extent == 1; });
  axes->insert(axes->end(), rest.begin(), rest.end());
  return laid_constant{x, std::move(*axes)};
}

/// The array `a`, seen through the view `v`; nullopt if the axes of the array's constants cannot be permuted.
inline std::optional<quantized_array> viewed(quantized_array a, const value& v) {
  if (is_reshape(v)) return a;
  const auto perm = transpose_of(v);
  if (!perm) return std::nullopt;
  for (laid_constant* part : {&a.numbers, &a.zeros, &a.factors}) {
    if (!part->constant) continue;
    auto axes = transposed(part->axes, input_of(v, 0).dims(), *perm);
    if (!axes) return std::nullopt;
    part->axes = std::move(*axes);
  }
  return a;
}

}  // namespace of_quantized

/// `v` as integers of few bits, with their zero points and factors; nullopt for any other value.
inline std::optional<quantized_array> quantized_array_of(const value& v, int depth = 12) {
  using namespace of_quantized;
  if (!v || depth == 0 || !static_count(v.dims())) return std::nullopt;
  if (is_view(v)) {
    // A Reshape keeps the order of elements: axes that it divides are divided later, if necessary.
    auto inner = quantized_array_of(input_of(v, 0), depth - 1);
    if (!inner) return std::nullopt;
    return viewed(std::move(*inner), v);
  }
  if (v.is_constant() && has_few_bits(v.dtype())) return quantized_array{{v, row_major(v.dims(), v.dims())}, {}, {}};
  value a, b;
  if (match(v, m_op("Cast", m_value(a)))) {
    const bool exact = is_floating(v.dtype()) || (is_signed_integer(v.dtype()) && bits(v.dtype()) > 4);
    auto inner = exact && is_integer(a.dtype()) ? quantized_array_of(a, depth - 1) : std::nullopt;
    if (!inner || inner->factors.constant || inner->zeros.constant) return std::nullopt;
    if (is_integer(v.dtype()) && bits(v.dtype()) == 8 && inner->numbers.constant.dtype() == dtype::u8)
      return std::nullopt;
    return inner;
  }
  if (match(v, m_op("Sub", m_value(a), m_value(b))) && is_floating(v.dtype()) && a.dims() == v.dims()) {
    auto inner = quantized_array_of(a, depth - 1);
    if (!inner || inner->factors.constant || inner->zeros.constant || !producer(b, "Cast")) return std::nullopt;
    const value integers = plain(input_of(b, 0));
    auto zeros = integers && has_few_bits(integers.dtype()) ? laid(integers, v.dims()) : std::nullopt;
    if (!zeros) return std::nullopt;
    inner->zeros = std::move(*zeros);
    return inner;
  }
  if (!producer(v, "Mul") || v.dtype() != dtype::f32) return std::nullopt;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    if (input_of(v, k).dims() != v.dims()) continue;
    auto factors = laid(plain(input_of(v, 1 - k)), v.dims());
    auto inner = factors ? quantized_array_of(input_of(v, k), depth - 1) : std::nullopt;
    if (!inner || inner->factors.constant) continue;
    inner->factors = std::move(*factors);
    return inner;
  }
  return std::nullopt;
}

/// The matrix with its axes exchanged; nullopt if the axes of its constants cannot be exchanged.
inline std::optional<quantized_array> transposed(quantized_array a, const shape& dims) {
  constexpr std::int64_t exchanged[] = {1, 0};
  for (laid_constant* part : {&a.numbers, &a.zeros, &a.factors}) {
    if (!part->constant) continue;
    auto axes = transposed(part->axes, dims, exchanged);
    if (!axes) return std::nullopt;
    part->axes = std::move(*axes);
  }
  return a;
}

namespace of_quantized {

/// The 8-bit elements of a constant in another order.
inline std::shared_ptr<const byte_source> reordered(const bytes& data, const strided_axes& axes) {
  std::vector<std::uint64_t> extents, steps;
  for (const strided_axis& a : joined(axes)) {
    extents.push_back(a.extent);
    steps.push_back(a.step);
  }
  return std::make_shared<const jax2onnx::detail::permuted_source>(data, extents, steps, 1);
}

/// The numbers, row by row. Numbers of 4 bits are unpacked to be reordered.
inline value in_rows(graph& g, const laid_constant& from, const tensor_type& type) {
  const value& c = from.constant;
  std::string name = g.at(c.id()).name;
  if (is_row_major(from.axes)) return g.constant(type, c.data(), std::move(name));
  if (bits(type.type) == 8) return computed_constant(g, type, reordered(c.data(), from.axes), std::move(name));
  const bytes halves(std::make_shared<const unpacked_source>(c.data(), count_of(from.axes)));
  const bytes ordered(reordered(halves, from.axes));
  return computed_constant(g, type, std::make_shared<const packed_source>(ordered), std::move(name));
}

/// The sharing of factors or zero points: each is for `block` rows of one column (`by_column`) or of all columns.
struct sharing {
  std::uint64_t block;
  bool by_column;
};

inline std::optional<sharing> sharing_of(laid_constant& c, std::uint64_t rows) {
  if (!c.constant) return sharing{rows, false};
  const auto outer = cut(c.axes, rows);
  if (!outer) return std::nullopt;
  const auto is_read = [](const strided_axis& a) { return a.step != 0; };
  sharing s{1, std::any_of(c.axes.begin() + static_cast<std::ptrdiff_t>(*outer), c.axes.end(), is_read)};
  for (std::size_t i = *outer; i-- > 0 && c.axes[i].step == 0;) s.block *= c.axes[i].extent;
  return s;
}

/// The layout of the factors and zero points of a matrix in DequantizeLinear.
struct block_layout {
  std::uint64_t blocks, rows, columns;  ///< the numbers of blocks, of rows in a block, and of columns with separate
                                        ///< entries
  std::uint64_t width;                  ///< the number of columns of the matrix
  shape dims;
  std::uint64_t count() const { return blocks * columns; }
  /// The position of entry `i` in the storage of `c`.
  std::uint64_t place(const laid_constant& c, std::uint64_t i) const {
    return place_of(c.axes, i / columns * rows * width + i % columns);
  }
};

/// The layout of the blocks; nullopt if ONNX Runtime has no kernels for them, or if there are too many. Blocks have at
/// most `most` rows if possible.
inline std::optional<block_layout> layout_of(quantized_array& a, std::uint64_t rows, std::uint64_t columns,
                                             std::uint64_t most) {
  constexpr std::uint64_t least_block = 16;
  const auto of_factors = sharing_of(a.factors, rows), of_zeros = sharing_of(a.zeros, rows);
  if (!of_factors || !of_zeros) return std::nullopt;
  std::uint64_t block = std::gcd(of_factors->block, of_zeros->block);
  // The largest power of two up to `most` that divides `block`.
  const std::uint64_t even = std::min(block & (~block + 1), std::bit_floor(most));
  if (block != rows || (rows > most && even >= least_block)) block = even;
  if (block != rows && block < least_block) return std::nullopt;
  const bool by_column = block != rows || of_factors->by_column || of_zeros->by_column;
  block_layout l{rows / block, block, by_column ? columns : 1, columns, {}};
  if (l.count() > most_elements) return std::nullopt;
  if (block != rows) l.dims.push_back(static_cast<std::int64_t>(l.blocks));
  if (by_column) l.dims.push_back(static_cast<std::int64_t>(columns));
  return l;
}

inline std::string all_bytes(const bytes& data) {
  if (data.source()) return in_memory(*data.source());
  return {reinterpret_cast<const char*>(data.view().data()), data.view().size()};
}

inline value factors_of(graph& g, const quantized_array& a, const block_layout& l) {
  if (!a.factors.constant) {
    const std::vector<std::uint64_t> ones(l.count(), std::bit_cast<std::uint32_t>(1.0F));
    return constant_of_elements(g, {dtype::f32, l.dims}, ones);
  }
  const std::string raw = all_bytes(a.factors.constant.data());
  std::string data(l.count() * sizeof(float), '\0');
  for (std::uint64_t i = 0; i < l.count(); ++i)
    std::memcpy(data.data() + i * sizeof(float), raw.data() + l.place(a.factors, i) * sizeof(float), sizeof(float));
  return g.constant({dtype::f32, l.dims}, bytes(std::move(data)), g.at(a.factors.constant.id()).name);
}

/// Zero points of the type of the numbers; an absent value if all are 0; nullopt if one is out of the range of that
/// type.
inline std::optional<value> zeros_of(graph& g, const quantized_array& a, const block_layout& l) {
  const dtype t = a.numbers.constant.dtype();
  if (!a.zeros.constant) return value();
  const dtype stored = a.zeros.constant.dtype();
  const std::string raw = all_bytes(a.zeros.constant.data());
  std::string data(l.count(), '\0');
  for (std::uint64_t i = 0; i < l.count(); ++i) {
    const std::int64_t zero = decode_integer(stored, static_cast<unsigned char>(raw[l.place(a.zeros, i)]));
    if (zero < smallest_integer(t) || (zero > 0 && static_cast<std::uint64_t>(zero) > largest_integer(t)))
      return std::nullopt;
    data[i] = static_cast<char>(zero);
  }
  if (item_loops::all_of(data, [](char z) { return z == 0; })) return value();
  bytes zeros(std::move(data));
  if (bits(t) < 8) zeros = bytes(in_memory(packed_source(std::move(zeros))));
  return g.constant({t, l.dims}, std::move(zeros), g.at(a.zeros.constant.id()).name);
}

}  // namespace of_quantized

/// The matrix as DequantizeLinear of the same numbers, in blocks of at most `most` rows if possible; absent if ONNX
/// Runtime has no kernel for products by it, or if a zero point does not fit the type of the numbers.
inline value dequantize(graph& g, quantized_array a, dim rows, dim columns, std::uint64_t most) {
  using namespace of_quantized;
  const auto l =
      layout_of(a, static_cast<std::uint64_t>(rows.extent()), static_cast<std::uint64_t>(columns.extent()), most);
  const auto zeros = l ? zeros_of(g, a, *l) : std::nullopt;
  if (!zeros) return {};
  const value numbers = in_rows(g, a.numbers, {a.numbers.constant.dtype(), {rows, columns}});
  const bool blocks = l->dims.size() == 2;
  std::vector<value> inputs{numbers, factors_of(g, a, *l)};
  if (*zeros) inputs.push_back(*zeros);
  std::vector<attribute> attributes;
  if (blocks) attributes = {{"axis", std::int64_t{0}}, {"block_size", static_cast<std::int64_t>(l->rows)}};
  return g.emit("DequantizeLinear", inputs, {dtype::f32, numbers.dims()}, std::move(attributes));
}

/// Both halves of the bytes of a constant, along a new axis `axis`: the same bytes as int4, cast to the constant's
/// type.
inline value unpacked_constant(graph& g, const value& packed, std::int64_t axis) {
  const auto* permuted = dynamic_cast<const jax2onnx::detail::permuted_source*>(packed.data().source());
  const bytes& data = permuted ? permuted->elements() : packed.data();
  const auto before = static_cast<std::size_t>(axis);
  std::vector<std::size_t> order(packed.dims().size());  // the order of the axes as they are stored
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (permuted)
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return permuted->strides()[i]; });
  shape dims;
  ints perm(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    dims.push_back(packed.dims()[order[i]]);
    perm[order[i]] = static_cast<std::int64_t>(i);
  }
  perm.insert(perm.begin() + static_cast<std::ptrdiff_t>(before), std::ssize(dims));
  dims.push_back(2);
  return transpose(cast(g.constant({dtype::i4, dims}, data, g.at(packed.id()).name), packed.dtype()), perm);
}

}  // namespace jax2onnx::rewrite
