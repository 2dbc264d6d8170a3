#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/reader/pages.hpp>

namespace jaxpr::reader {

/// Bump allocator. Nodes are released all at once, with the program.
class arena {
 public:
  explicit arena(std::size_t first_block = 4096) : block_bytes_(std::max<std::size_t>(first_block, 4096)) {}

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

  /// Bytes allocated so far, unused ends of blocks included.
  std::size_t bytes() const { return total_; }

 private:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t padding = (alignment - used_ % alignment) % alignment;
    if (capacity_ - used_ < bytes + padding) {
      grow(bytes);
      padding = 0;
    }
    void* place = blocks_.back().get() + used_ + padding;
    used_ += bytes + padding;
    return place;
  }

  void grow(std::size_t bytes) {
    constexpr std::size_t largest_block = std::size_t{4} << 20;
    capacity_ = std::max(bytes, block_bytes_);
    blocks_.emplace_back(page_allocator<std::byte>().allocate(capacity_), release{capacity_});
    total_ += capacity_;
    used_ = 0;
    block_bytes_ = std::min(block_bytes_ * 2, largest_block);
  }

  struct release {
    std::size_t bytes = 0;
    void operator()(std::byte* block) const { page_allocator<std::byte>().deallocate(block, bytes); }
  };

  std::vector<std::unique_ptr<std::byte, release>> blocks_;
  std::size_t block_bytes_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t total_ = 0;
};

/// Moves the elements pushed since `mark` from a scratch stack into the arena.
template <class T, class Allocator>
list<T> take(arena& memory, std::vector<T, Allocator>& stack, std::size_t mark) {
  const list<T> taken = memory.copy(stack.data() + mark, stack.size() - mark);
  stack.resize(mark);
  return taken;
}

}  // namespace jaxpr::reader
