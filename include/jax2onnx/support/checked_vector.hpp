// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// A vector of trivially copyable elements with checked access: an index out of range is a build_error. Shapes and
/// lists of axes come from texts, which can be wrong. Up to four elements are held in place: most shapes have no more,
/// and conversions copy tens of thousands of shapes.
template <class T>
class checked_vector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Member types of containers.
  /// @{
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// @}

  /// No elements.
  constexpr checked_vector() = default;
  /// `n` elements that are all `item`.
  constexpr explicit checked_vector(std::size_t n, const T& item = T()) { assign(n, item); }
  /// Makes a vector of these elements.
  /// @{
  constexpr checked_vector(std::initializer_list<T> items) { add(items.begin(), items.end()); }
  template <std::input_iterator Place>
  constexpr checked_vector(Place first, Place last) {
    add(first, last);
  }
  constexpr checked_vector(const std::vector<T>& items) { add(items.begin(), items.end()); }
  constexpr operator std::vector<T>() const { return std::vector<T>(begin(), end()); }
  /// @}
  /// The elements of another vector, which is empty after being moved from.
  /// @{
  constexpr checked_vector(const checked_vector& other) { copy(other); }
  constexpr checked_vector(checked_vector&& other) noexcept { take(other); }
  constexpr checked_vector& operator=(const checked_vector& other) {
    if (this != &other) clear(), copy(other);
    return *this;
  }
  constexpr checked_vector& operator=(checked_vector&& other) noexcept {
    if (this == &other) return *this;
    delete[] heap_;
    take(other);
    return *this;
  }
  /// @}
  constexpr ~checked_vector() { delete[] heap_; }

  /// The elements, in place.
  /// @{
  constexpr T* data() { return heap_ ? heap_ : held_; }
  constexpr const T* data() const { return heap_ ? heap_ : held_; }
  constexpr T* begin() { return data(); }
  constexpr const T* begin() const { return data(); }
  constexpr T* end() { return data() + size_; }
  constexpr const T* end() const { return data() + size_; }
  constexpr const T* cbegin() const { return begin(); }
  constexpr const T* cend() const { return end(); }
  constexpr reverse_iterator rbegin() { return reverse_iterator(end()); }
  constexpr const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  constexpr reverse_iterator rend() { return reverse_iterator(begin()); }
  constexpr const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  /// @}
  /// The number of elements.
  /// @{
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  /// @}
  friend constexpr bool operator==(const checked_vector& a, const checked_vector& b) {
    if (a.size_ != b.size_) return false;
    const T *x = a.data(), *y = b.data();
    for (std::uint32_t i = 0; i < a.size_; ++i)
      if (!(x[i] == y[i])) return false;
    return true;
  }
  friend constexpr auto operator<=>(const checked_vector& a,
                                    const checked_vector& b) requires std::three_way_comparable<T> {
    std::compare_three_way_result_t<T> order = a.size_ <=> b.size_;
    for (std::uint32_t i = a.size_ < b.size_ ? a.size_ : b.size_; i-- > 0;)
      if (const auto here = a.data()[i] <=> b.data()[i]; std::is_neq(here)) order = here;
    return order;
  }

  /// Element access; throws a build_error for an index out of range.
  /// @{
  constexpr T& operator[](std::size_t i) { return require(i), data()[i]; }
  constexpr const T& operator[](std::size_t i) const { return require(i), data()[i]; }
  constexpr T& at(std::size_t i) { return (*this)[i]; }
  constexpr const T& at(std::size_t i) const { return (*this)[i]; }
  constexpr T& front() { return (*this)[0]; }
  constexpr const T& front() const { return (*this)[0]; }
  constexpr T& back() { return require(0), data()[size_ - 1]; }
  constexpr const T& back() const { return require(0), data()[size_ - 1]; }
  /// @}

  /// Makes room for `n` elements.
  constexpr void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  /// Removes all elements.
  constexpr void clear() { size_ = 0; }
  /// Removes elements from the end, or appends copies of `item`, until there are `n`.
  constexpr void resize(std::size_t n, const T& item = T()) {
    const T added = item;
    reserve(n);
    while (size_ < n) data()[size_++] = added;
    size_ = static_cast<std::uint32_t>(n);
  }
  /// Replaces all elements.
  /// @{
  constexpr void assign(std::size_t n, const T& item) {
    const T only = item;
    clear();
    resize(n, only);
  }
  template <std::input_iterator Place>
  constexpr void assign(Place first, Place last) {
    *this = checked_vector(first, last);
  }
  /// @}
  /// Adds an element at the end.
  /// @{
  constexpr void push_back(const T& item) {
    const T added = item;
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = added;
  }
  template <class... Parts>
  constexpr T& emplace_back(Parts&&... parts) {
    push_back(T(std::forward<Parts>(parts)...));
    return back();
  }
  /// @}
  /// Removes the last element; throws a build_error if there is none.
  constexpr void pop_back() {
    require(0);
    --size_;
  }
  /// Inserts elements before a position of this vector; returns the position of the first of them.
  /// @{
  constexpr T* insert(const T* before, const T& item) { return insert(before, std::size_t{1}, item); }
  constexpr T* insert(const T* before, std::size_t n, const T& item) {
    const T added = item;
    T* const gap = open(before, n);
    for (std::size_t i = 0; i < n; ++i) gap[i] = added;
    return gap;
  }
  template <std::input_iterator Place>
  constexpr T* insert(const T* before, Place first, Place last) {
    const checked_vector items(first, last);
    T* const gap = open(before, items.size());
    for (std::size_t i = 0; i < items.size(); ++i) gap[i] = items.data()[i];
    return gap;
  }
  constexpr T* insert(const T* before, std::initializer_list<T> items) {
    return insert(before, items.begin(), items.end());
  }
  /// @}
  /// Removes a range of elements, or one element; returns the position of the next one.
  /// @{
  constexpr T* erase(const T* first, const T* last) {
    T* to = begin() + (first - begin());
    T* const next = to;
    for (const T* from = last; from != end();) *to++ = *from++;
    size_ = static_cast<std::uint32_t>(to - begin());
    return next;
  }
  constexpr T* erase(const T* place) { return erase(place, place + 1); }
  /// @}
  /// The first n elements.
  constexpr checked_vector head(std::ptrdiff_t n) const { return checked_vector(begin(), place(n)); }
  /// The elements from n on.
  constexpr checked_vector tail(std::ptrdiff_t n) const { return checked_vector(place(n), end()); }
  /// Inserts `item` before element i.
  constexpr void put(std::ptrdiff_t i, T item) { insert(place(i), item); }
  /// Removes element i.
  constexpr void drop(std::ptrdiff_t i) {
    require(static_cast<std::size_t>(i));
    erase(place(i));
  }
  /// Adds all elements of `more` at the end.
  constexpr void append(const checked_vector& more) { insert(end(), more.begin(), more.end()); }
  /// Exchanges the elements of two vectors.
  friend constexpr void swap(checked_vector& a, checked_vector& b) noexcept {
    checked_vector c(std::move(a));
    a = std::move(b);
    b = std::move(c);
  }

 private:
  static constexpr std::uint32_t most_held = 4;
  static constexpr const char* out_of_range = "an axis or index is out of range";

  constexpr void require(std::size_t i) const {
    if (i >= size_) throw build_error(out_of_range);
  }
  constexpr const T* place(std::ptrdiff_t i) const {
    if (i < 0 || i > static_cast<std::ptrdiff_t>(size_)) throw build_error(out_of_range);
    return begin() + i;
  }
  /// Copies the elements of another vector; this one is empty.
  constexpr void copy(const checked_vector& other) {
    if (heap_ || other.heap_) return add(other.begin(), other.end());
    for (std::uint32_t i = 0; i < most_held; ++i) held_[i] = other.held_[i];
    size_ = other.size_;
  }
  /// Moves the elements of another vector, which becomes empty. This vector must not own memory on the heap any more.
  constexpr void take(checked_vector& other) {
    for (std::uint32_t i = 0; i < most_held; ++i) held_[i] = other.held_[i];
    heap_ = std::exchange(other.heap_, nullptr);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, most_held);
  }
  template <class Place>
  constexpr void add(Place first, Place last) {
    if constexpr (std::forward_iterator<Place>) reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) push_back(static_cast<T>(*first));
  }
  /// Makes room for at least `least` elements; at least doubles the capacity.
  constexpr void grow(std::size_t least) {
    if (least > UINT32_MAX / 2) throw build_error("a list of axes or extents is too long");
    const std::uint32_t most = std::max(capacity_ * 2, static_cast<std::uint32_t>(least));
    T* const wider = new T[most]();
    for (std::uint32_t i = 0; i < size_; ++i) wider[i] = data()[i];
    delete[] heap_;
    heap_ = wider;
    capacity_ = most;
  }
  /// Moves all elements from the position `before` on towards the end, by n positions, and returns the position of the
  /// gap.
  constexpr T* open(const T* before, std::size_t n) {
    const std::ptrdiff_t at = before - begin();
    if (size_ + n > capacity_) grow(size_ + n);
    T* const gap = begin() + at;
    for (T* from = end(); from != gap;) --from, from[n] = *from;
    size_ += static_cast<std::uint32_t>(n);
    return gap;
  }

  T* heap_ = nullptr;  ///< the elements; null if they are in held_
  std::uint32_t size_ = 0, capacity_ = most_held;
  T held_[most_held] = {};
};

}  // namespace jax2onnx
