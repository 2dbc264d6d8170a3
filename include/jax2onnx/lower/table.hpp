// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <jax2onnx/lower/ignores.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>

namespace jax2onnx {

/// The ways in which lowerings treat complex numbers and PRNG keys, which are several tensors.
enum class parts_rule : std::uint8_t {
  plain,  ///< operands and results of several tensors are reported as unsupported
  each,   ///< called once for each part (shapes, indexing, selection)
  own,    ///< handles all parts itself
  lazy,   ///< like own, and also accepts ambiguous operands
};

/// One row of the tables: a primitive and its lowering. The strings have static lifetime.
struct lowering {
  std::string_view primitive;  ///< the newest name of the primitive
  lower_fn fn = nullptr;
  std::string_view onnx;    ///< the operators that the primitive becomes, for docs/primitives.md
  signature expected = {};  ///< the form of its equations
  parts_rule parts = parts_rule::plain;
  std::string_view restrictions = {};  ///< the equations that the lowering refuses, for docs/primitives.md
  ignores ignored = {};                ///< the parameters that the lowering need not read

  constexpr lowering() = default;
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, const signature& form,
                     parts_rule rule = parts_rule::plain, std::string_view refuses = {}, ignores unread = {})
      : primitive(name),
        fn(lower),
        onnx(operators),
        expected(form),
        parts(rule),
        restrictions(refuses),
        ignored(unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, const signature& form,
                     ignores unread)
      : lowering(name, lower, operators, form, parts_rule::plain, {}, unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, const signature& form,
                     parts_rule rule, ignores unread)
      : lowering(name, lower, operators, form, rule, {}, unread) {}
  /// A row of complex_lowerings(), which has the signature of the row that it replaces.
  /// @{
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators,
                     parts_rule rule = parts_rule::plain, std::string_view refuses = {}, ignores unread = {})
      : lowering(name, lower, operators, signature(), rule, refuses, unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, ignores unread)
      : lowering(name, lower, operators, signature(), parts_rule::plain, {}, unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, parts_rule rule, ignores unread)
      : lowering(name, lower, operators, signature(), rule, {}, unread) {}
  /// @}
};

/// Lowerings that belong together.
struct family {
  std::string_view name;
  std::span<const std::span<const lowering>> tables;  ///< one table for each header of the family, not sorted
};

namespace detail {

/// The index of a row, and the first letters of its primitive as an integer, which compares faster at compile time.
struct row_place {
  std::uint64_t letters = 0;
  std::size_t row = 0;
};

constexpr std::uint64_t first_letters(std::string_view name) {
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < sizeof letters; ++i)
    letters = letters << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0u);
  return letters;
}

/// Sorts the entries by primitive with a bottom-up merge sort. `scratch` has the same size as `places`.
constexpr void sort_places(std::span<row_place> places, std::span<row_place> scratch, const lowering* rows) {
  const auto less = [rows](const row_place& a, const row_place& b) {
    return a.letters != b.letters ? a.letters < b.letters : rows[a.row].primitive < rows[b.row].primitive;
  };
  for (std::size_t width = 1; width < places.size(); width *= 2) {
    for (std::size_t begin = 0; begin < places.size(); begin += 2 * width) {
      const std::size_t middle = begin + width < places.size() ? begin + width : places.size();
      const std::size_t end = middle + width < places.size() ? middle + width : places.size();
      for (std::size_t a = begin, b = middle, out = begin; out < end; ++out)
        scratch[out] = b == end || (a < middle && !less(places[b], places[a])) ? places[a++] : places[b++];
    }
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = scratch[i];
  }
}

}  // namespace detail

/// Joins arrays of rows in one table, sorted by primitive. Two rows for one primitive do not compile.
template <std::size_t... N>
consteval auto make_table(const lowering (&... lists)[N]) {
  constexpr std::size_t size = (N + ...);
  std::array<lowering, size> rows{}, sorted{};
  std::array<detail::row_place, size> places{}, scratch{};
  std::size_t count = 0;
  const auto append = [&](const lowering* list, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i, ++count) {
      rows[count] = list[i];
      places[count] = {detail::first_letters(list[i].primitive), count};
    }
  };
  (append(lists, N), ...);
  detail::sort_places(places, scratch, rows.data());
  for (std::size_t i = 0; i < size; ++i) {
    sorted[i] = rows[places[i].row];
    if (i > 0 && places[i - 1].letters == places[i].letters && sorted[i - 1].primitive == sorted[i].primitive)
      throw "two lowerings of one primitive";
  }
  return sorted;
}

/// The row for `primitive` in a sorted table; null if there is none.
constexpr const lowering* find_row(std::span<const lowering> table, std::string_view primitive) {
  while (!table.empty()) {
    const std::size_t middle = table.size() / 2;
    const lowering& row = table[middle];
    const int order = row.primitive.compare(primitive);
    if (order == 0) return &row;
    table = order < 0 ? table.subspan(middle + 1) : table.first(middle);
  }
  return nullptr;
}

}  // namespace jax2onnx
