// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/pages.hpp>
#include <jaxpr/detail/stack.hpp>

namespace jaxpr::detail {

/// Bump allocator. Nodes are released all at once, with the program.
class arena {
 public:
  explicit arena(std::size_t first_block = 4096) : block_bytes_(first_block < 4096 ? 4096 : first_block) {}
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  ~arena() {
    for (const pages& block : blocks_) release_pages(block);
  }

  template <class T>
  T* make(const T& node) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(node);
  }

  template <class T>
  list<T> copy(const T* first, std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    if (count == 0) return {};
    void* place = allocate(count * sizeof(T), alignof(T));
    std::memcpy(place, first, count * sizeof(T));
    return {std::launder(static_cast<T*>(place)), count};
  }

  std::string_view copy(std::string_view text) {
    const list<char> chars = copy(text.data(), text.size());
    return {chars.data(), chars.size()};
  }

  /// Takes over the memory of a stack together with its elements.
  template <class T>
  list<T> adopt(stack<T>&& from) {
    static_assert(std::is_trivially_destructible_v<T>);
    const list<T> elements{from.begin(), from.size()};
    blocks_.push({});
    blocks_.back() = from.release();
    total_ += blocks_.back().bytes;
    return elements;
  }

  /// Bytes allocated so far, unused ends of blocks included.
  std::size_t bytes() const { return total_; }

 private:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t padding = (alignment - used_ % alignment) % alignment;
    if (capacity_ - used_ < bytes + padding) {
      grow(bytes);
      padding = 0;
    }
    void* place = current_ + used_ + padding;
    used_ += bytes + padding;
    return place;
  }

  void grow(std::size_t bytes) {
    constexpr std::size_t largest_block = std::size_t{4} << 20;
    const std::size_t size = bytes < block_bytes_ ? block_bytes_ : bytes;
    blocks_.push({});
    blocks_.back() = allocate_pages(size);
    current_ = static_cast<std::byte*>(blocks_.back().place);
    capacity_ = size;
    total_ += size;
    used_ = 0;
    block_bytes_ = block_bytes_ < largest_block / 2 ? block_bytes_ * 2 : largest_block;
  }

  stack<pages> blocks_;
  std::byte* current_ = nullptr;  ///< the block that is being filled
  std::size_t block_bytes_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t total_ = 0;
};

/// Moves the elements pushed since `mark` from a stack into the arena.
template <class T>
list<T> take(arena& memory, stack<T>& from, std::size_t mark) {
  const list<T> taken = memory.copy(from.begin() + mark, from.size() - mark);
  from.shrink(mark);
  return taken;
}

}  // namespace jaxpr::detail
