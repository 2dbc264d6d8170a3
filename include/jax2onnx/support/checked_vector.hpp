#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// A vector with checked access: an index out of range is a build_error. Shapes and lists of axes come from texts,
/// which can be wrong.
template <class T>
class checked_vector : public std::vector<T> {
  using base = std::vector<T>;

 public:
  using base::base;
  /// The elements of a vector.
  constexpr checked_vector(base v) : base(std::move(v)) {}

  /// Element access; build_error for an element that is not there.
  /// @{
  constexpr T& operator[](std::size_t i) { return require(i), base::operator[](i); }
  constexpr const T& operator[](std::size_t i) const { return require(i), base::operator[](i); }
  constexpr T& front() { return require(0), base::front(); }
  constexpr const T& front() const { return require(0), base::front(); }
  constexpr T& back() { return require(0), base::back(); }
  constexpr const T& back() const { return require(0), base::back(); }
  /// @}
  /// Removes the last element; build_error if there is none.
  constexpr void pop_back() {
    require(0);
    base::pop_back();
  }
  /// The first n elements, and those behind them.
  constexpr checked_vector head(std::ptrdiff_t n) const { return base(base::begin(), place(n)); }
  /// The elements from n on.
  constexpr checked_vector tail(std::ptrdiff_t n) const { return base(place(n), base::end()); }
  /// Inserts `item` before element i.
  constexpr void put(std::ptrdiff_t i, T item) { base::insert(place(i), std::move(item)); }
  /// Removes element i.
  constexpr void drop(std::ptrdiff_t i) {
    require(static_cast<std::size_t>(i));
    base::erase(place(i));
  }
  /// Adds all elements of `more` at the end.
  constexpr void append(const checked_vector& more) { base::insert(base::end(), more.begin(), more.end()); }

 private:
  constexpr void require(std::size_t i) const {
    if (i >= base::size()) throw build_error(out_of_range);
  }
  constexpr auto place(std::ptrdiff_t i) const {
    if (i < 0 || i > std::ssize(*this)) throw build_error(out_of_range);
    return base::begin() + i;
  }
  static constexpr const char* out_of_range = "an axis or index is out of range";
};

namespace detail {

/// Whether an item is equal to `item`. Loops cost includers less than <algorithm> with its ranges.
template <class Items, class Item>
constexpr bool contains(const Items& items, const Item& item) {
  for (const auto& other : items)
    if (other == item) return true;
  return false;
}

/// Whether all items are equal to `item`.
template <class Items, class Item>
constexpr bool all_equal(const Items& items, const Item& item) {
  for (const auto& other : items)
    if (!(other == item)) return false;
  return true;
}

}  // namespace detail
}  // namespace jax2onnx
