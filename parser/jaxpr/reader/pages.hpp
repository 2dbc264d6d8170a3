#pragma once

#include <cstddef>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace jaxpr::reader {

/// An allocator for containers that grow large. Touching a page for the first time costs more than filling it with
/// nodes, so blocks that can hold a huge page ask the system for huge pages.
template <class T>
struct page_allocator {
  using value_type = T;
  static constexpr std::size_t huge_page = std::size_t{1} << 21;

  page_allocator() = default;
  template <class U>
  explicit page_allocator(const page_allocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) return static_cast<T*>(::operator new(bytes));
    void* place = ::operator new (bytes, std::align_val_t{huge_page});
#ifdef MADV_HUGEPAGE
    madvise(place, bytes, MADV_HUGEPAGE);  // advice only: a failure costs nothing but speed
#endif
    return static_cast<T*>(place);
  }

  void deallocate(T* place, std::size_t count) noexcept {
    if (count * sizeof(T) < huge_page) ::operator delete(place);
    else ::operator delete (place, std::align_val_t{huge_page});
  }

  friend bool operator==(const page_allocator&, const page_allocator&) { return true; }
};

}  // namespace jaxpr::reader
