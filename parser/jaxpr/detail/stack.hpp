// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include <jaxpr/detail/pages.hpp>

namespace jaxpr::detail {

/// The part of a stack that does not depend on the type of its elements.
class stack_memory {
 public:
  stack_memory() = default;
  stack_memory(stack_memory&& other) noexcept { take(other); }
  stack_memory& operator=(stack_memory&& other) noexcept {
    if (this == &other) return *this;
    release_pages(memory_);
    take(other);
    return *this;
  }
  ~stack_memory() { release_pages(memory_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void pop() { --size_; }
  /// Keeps the first `size` elements and removes the others.
  void shrink(std::size_t size) { size_ = size; }

  /// Hands over the memory; the stack is empty afterwards.
  pages release() noexcept {
    const pages released = memory_;
    memory_ = {};
    size_ = capacity_ = 0;
    return released;
  }

 protected:
  void reserve_bytes(std::size_t capacity, std::size_t element) {
    if (capacity <= capacity_) return;
    if (capacity > static_cast<std::size_t>(-1) / element) throw std::bad_array_new_length();
    const pages larger = allocate_pages(capacity * element);
    if (size_ != 0) std::memcpy(larger.place, memory_.place, size_ * element);
    release_pages(memory_);
    memory_ = larger;
    capacity_ = capacity;
  }

  pages memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;

 private:
  void take(stack_memory& other) noexcept {
    size_ = other.size_;
    capacity_ = other.capacity_;
    memory_ = other.release();
  }
};

/// A growable array of plain structs. The parser has about twenty such arrays. As std::vectors, these arrays would take
/// longer to compile than the rest of the parser.
template <class T>
class stack : public stack_memory {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  std::size_t capacity() const { return capacity_; }
  T* begin() { return static_cast<T*>(memory_.place); }
  T* end() { return begin() + size_; }
  const T* begin() const { return static_cast<const T*>(memory_.place); }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T& back() { return begin()[size_ - 1]; }
  const T& back() const { return begin()[size_ - 1]; }

  void reserve(std::size_t capacity) { reserve_bytes(capacity, sizeof(T)); }  // NOLINT(bugprone-sizeof-expression)

  void push(const T& x) {
    if (size_ == capacity_) return push_grown(x);
    ::new (end()) T(x);
    ++size_;
  }

  /// Appends copies of `x` until there are `size` elements.
  void fill(std::size_t size, const T& x) {
    reserve(size);
    for (; size_ < size; ++size_) ::new (end()) T(x);
  }

 private:
  void push_grown(T x) {  // takes a copy, since `x` may be an element
    reserve(capacity_ == 0 ? 8 : 2 * capacity_);
    push(x);
  }
};

}  // namespace jaxpr::detail
