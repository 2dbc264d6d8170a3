// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>

#include <jaxpr/detail/pages.hpp>

TEST_CASE("pages: large blocks are aligned to huge pages") {
  const jaxpr::detail::pages small = jaxpr::detail::allocate_pages(100);
  const jaxpr::detail::pages large = jaxpr::detail::allocate_pages(jaxpr::detail::huge_page + 1);
  CHECK(small.bytes == 100);
  CHECK(reinterpret_cast<std::uintptr_t>(large.place) % jaxpr::detail::huge_page == 0);
  static_cast<char*>(large.place)[jaxpr::detail::huge_page] = 'x';
  jaxpr::detail::release_pages(small);
  jaxpr::detail::release_pages(large);
  jaxpr::detail::release_pages({});
}
