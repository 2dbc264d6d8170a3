#include "catch.hpp"

#include <cstdint>

#include <jaxpr/reader/pages.hpp>

TEST_CASE("pages: large blocks are aligned to huge pages") {
  const jaxpr::reader::pages small = jaxpr::reader::allocate_pages(100);
  const jaxpr::reader::pages large = jaxpr::reader::allocate_pages(jaxpr::reader::huge_page + 1);
  CHECK(small.bytes == 100);
  CHECK(reinterpret_cast<std::uintptr_t>(large.place) % jaxpr::reader::huge_page == 0);
  static_cast<char*>(large.place)[jaxpr::reader::huge_page] = 'x';
  jaxpr::reader::release_pages(small);
  jaxpr::reader::release_pages(large);
  jaxpr::reader::release_pages({});
}
