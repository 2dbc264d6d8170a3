// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jaxpr/detail/arena.hpp>

using jaxpr::detail::arena;

TEST_CASE("arena: nodes keep their values and their alignment while it grows") {
  arena memory;
  std::vector<const std::uint64_t*> made;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    (void)memory.make(static_cast<char>(i));
    made.push_back(memory.make(i));
  }
  bool good = true;
  for (std::uint64_t i = 0; i < made.size(); ++i)
    good = good && *made[i] == i && reinterpret_cast<std::uintptr_t>(made[i]) % alignof(std::uint64_t) == 0;
  CHECK(good);
  CHECK(memory.bytes() >= 20000 * sizeof(std::uint64_t));
}

TEST_CASE("arena: copies of sequences and texts") {
  arena memory;
  std::string text = "abc";
  const std::string_view copy = memory.copy(std::string_view(text));
  text = "xyz";
  CHECK(copy == "abc");
  CHECK(memory.copy(static_cast<const int*>(nullptr), 0).empty());
  const std::string large(10 << 20, 'l');
  CHECK(memory.copy(std::string_view(large)) == large);
}

TEST_CASE("arena: take moves the top of a stack, adopt all of it without a copy") {
  arena memory;
  jaxpr::detail::stack<int> numbers;
  for (const int i : {1, 2, 3}) numbers.push(i);
  const jaxpr::list<int> taken = jaxpr::detail::take(memory, numbers, 1);
  REQUIRE(taken.size() == 2);
  CHECK(taken[1] == 3);
  CHECK(numbers.size() == 1);
  const int* place = numbers.begin();
  const jaxpr::list<int> adopted = memory.adopt(std::move(numbers));
  CHECK(adopted.data() == place);
  CHECK(adopted[0] == 1);
  CHECK(*memory.make(4) == 4);
  CHECK(adopted[0] == 1);
}
