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

/// How a lowerer meets complex numbers and PRNG keys, which are several tensors.
enum class parts_rule : std::uint8_t {
  plain,  ///< it does not: such an operand is reported as unsupported
  each,   ///< it is called once for every part (shape ops, indexing, selection)
  own,    ///< it handles them itself
  lazy,   ///< own, and it can do without operands that the text does not tell
};

/// One row of the table: a primitive and how it becomes ONNX.
struct lowering {
  std::string_view primitive;
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

/// The rows of all families, sorted by name. Two rows of one name do not compile.
template <std::size_t... N>
consteval auto make_table(const lowering (&... family)[N]) {
  std::array<lowering, (N + ...)> table{};
  auto out = table.begin();
  ((out = std::copy_n(family, N, out)), ...);
  std::ranges::sort(table, {}, &lowering::primitive);
  if (std::ranges::adjacent_find(table, {}, &lowering::primitive) != table.end())
    throw "two lowerers claim the same primitive";
  return table;
}

/// The row for `primitive` of a sorted table; null where it has none.
constexpr const lowering* find_row(std::span<const lowering> table, std::string_view primitive) {
  const auto it = std::ranges::lower_bound(table, primitive, {}, &lowering::primitive);
  return it != table.end() && it->primitive == primitive ? &*it : nullptr;
}

}  // namespace jax2onnx
