// SPDX-License-Identifier: Apache-2.0
// Measures the memory that parsing a long chain of equations takes, in bytes per byte of text.

#include "chain.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include <fmt/format.h>

#include <jaxpr/jaxpr.hpp>

#include <malloc.h>

namespace {

std::size_t live = 0;
std::size_t peak = 0;

}  // namespace

// Counts every allocation, including the tables and stacks of the parser.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* place = std::malloc(bytes);
  if (!place) throw std::bad_alloc();
  live += malloc_usable_size(place);
  if (live > peak) peak = live;
  return place;
}

[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  void* place = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
  if (!place) throw std::bad_alloc();
  live += malloc_usable_size(place);
  if (live > peak) peak = live;
  return place;
}

[[gnu::noinline]] void operator delete(void* place) noexcept {
  live -= malloc_usable_size(place);
  std::free(place);
}

void operator delete(void* place, std::size_t) noexcept { operator delete(place); }

void operator delete(void* place, std::align_val_t) noexcept { operator delete(place); }

int main() {
  bool good = true;
  for (const std::size_t equations : {30000u, 1000000u}) {
    const std::string text = chain_text(equations);
    const std::size_t before = live;
    peak = live;
    const jaxpr::program m = jaxpr::parse(text);
    const double size = static_cast<double>(text.size());
    const double highest = static_cast<double>(peak - before) / size, kept = static_cast<double>(live - before) / size;
    std::fputs(fmt::format("{:>8} equations, {:>9} bytes: at most {:.2f} x the text, {:.2f} x kept\n", equations,
                           text.size(), highest, kept)
                   .c_str(),
               stdout);
    // The limit is for long texts only: a short text may leave most of the last block unused.
    good = good && (highest <= 8 || equations < 1000000);
  }
  return good ? 0 : 1;
}
