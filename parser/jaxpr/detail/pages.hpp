// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#if __has_include(<sys/mman.h>) && !defined(__wasi__)  // WASI's header stops the compilation by #error
#include <sys/mman.h>
#endif

/// Memory for arrays that grow large. Touching a page for the first time costs more than filling it with nodes, so
/// blocks that can hold a huge page ask the system for huge pages.
namespace jaxpr::detail {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

struct pages {
  void* place = nullptr;
  std::size_t bytes = 0;
};

inline pages allocate_pages(std::size_t bytes) {
  if (bytes < huge_page) return {::operator new(bytes), bytes};
  void* place = ::operator new (bytes, std::align_val_t{huge_page});
#ifdef MADV_HUGEPAGE
  madvise(place, bytes, MADV_HUGEPAGE);  // only advice: a failure costs nothing but speed
#endif
  return {place, bytes};
}

inline void release_pages(const pages& p) noexcept {
  if (p.bytes < huge_page) ::operator delete(p.place);
  else ::operator delete (p.place, std::align_val_t{huge_page});
}

}  // namespace jaxpr::detail
