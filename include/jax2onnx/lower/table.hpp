#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <jax2onnx/lower/ignores.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>

namespace jax2onnx {

/// What a lowering does with complex numbers and PRNG keys, which are several tensors.
enum class parts_rule : std::uint8_t {
  plain,  ///< such an operand is reported as unsupported
  each,   ///< it is called once for each part (shapes, indexing, selection)
  own,    ///< it handles them itself
  lazy,   ///< own, and it also takes ambiguous operands
};

/// One row of the tables: a primitive and how it becomes ONNX. The texts have static lifetime.
struct lowering {
  std::string_view primitive;  ///< its newest name
  lower_fn fn = nullptr;
  std::string_view onnx;  ///< the operators it becomes, for docs/primitives.md
  parts_rule parts = parts_rule::plain;
  std::string_view restrictions = {};  ///< what it refuses, for docs/primitives.md
  ignores ignored = {};                ///< the parameters that it need not read

  constexpr lowering() = default;
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators,
                     parts_rule rule = parts_rule::plain, std::string_view refuses = {}, ignores unread = {})
      : primitive(name), fn(lower), onnx(operators), parts(rule), restrictions(refuses), ignored(unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, ignores unread)
      : lowering(name, lower, operators, parts_rule::plain, {}, unread) {}
  constexpr lowering(std::string_view name, lower_fn lower, std::string_view operators, parts_rule rule, ignores unread)
      : lowering(name, lower, operators, rule, {}, unread) {}
};

/// Lowerings that belong together, sorted by primitive.
struct family {
  std::string_view name;
  std::span<const lowering> rows;
};

/// `tables` in one, sorted by primitive. Two rows of one primitive do not compile.
template <std::size_t... N>
consteval auto merge_tables(const std::array<lowering, N>&... tables) {
  std::array<lowering, (N + ...)> merged{};
  auto out = merged.begin();
  ((out = std::copy(tables.begin(), tables.end(), out)), ...);
  std::ranges::sort(merged, {}, &lowering::primitive);
  if (std::ranges::adjacent_find(merged, {}, &lowering::primitive) != merged.end())
    throw "two lowerings of one primitive";
  return merged;
}

/// The same for arrays of rows.
template <std::size_t... N>
consteval auto make_table(const lowering (&... lists)[N]) {
  return merge_tables(std::to_array(lists)...);
}

/// The row for `primitive` in a sorted table; null if there is none.
constexpr const lowering* find_row(std::span<const lowering> table, std::string_view primitive) {
  while (!table.empty()) {
    const std::size_t middle = table.size() / 2;
    const lowering& row = table[middle];
    if (row.primitive == primitive) return &row;
    table = row.primitive < primitive ? table.subspan(middle + 1) : table.first(middle);
  }
  return nullptr;
}

}  // namespace jax2onnx
