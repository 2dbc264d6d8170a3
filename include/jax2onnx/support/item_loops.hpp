// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Predicates over all items of a list. They are loops, since each call of a std::ranges algorithm costs a quarter of a
/// megabyte of the compiler's memory in every includer: docs/decisions/0090-loops-for-questions-of-lists.md.
namespace jax2onnx::item_loops {

/// Returns whether the predicate holds for any item.
template <class Items, class Predicate>
constexpr bool any_of(const Items& items, const Predicate& holds) {
  for (const auto& item : items)
    if (holds(item)) return true;
  return false;
}

/// Returns whether the predicate holds for no item.
template <class Items, class Predicate>
constexpr bool none_of(const Items& items, const Predicate& holds) {
  return !any_of(items, holds);
}

/// Returns whether the predicate holds for every item.
template <class Items, class Predicate>
constexpr bool all_of(const Items& items, const Predicate& holds) {
  for (const auto& item : items)
    if (!holds(item)) return false;
  return true;
}

/// Returns whether an item is equal to `item`.
template <class Items, class Item>
constexpr bool contains(const Items& items, const Item& item) {
  for (const auto& other : items)
    if (other == item) return true;
  return false;
}

/// Returns whether all items are equal to `item`.
template <class Items, class Item>
constexpr bool all_equal(const Items& items, const Item& item) {
  for (const auto& other : items)
    if (!(other == item)) return false;
  return true;
}

}  // namespace jax2onnx::item_loops
