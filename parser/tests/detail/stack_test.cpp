// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <utility>

#include <jaxpr/detail/stack.hpp>

using jaxpr::detail::stack;

TEST_CASE("stack: grows, shrinks and keeps its elements") {
  stack<int> s;
  CHECK(s.empty());
  for (int i = 0; i < 1000; ++i) s.push(i);
  CHECK(s.size() == 1000);
  CHECK(s.back() == 999);
  CHECK(s[500] == 500);
  s.pop();
  CHECK(s.back() == 998);
  s.shrink(3);
  int sum = 0;
  for (const int i : s) sum += i;
  CHECK(sum == 3);
  s.fill(5, 7);
  CHECK(s[4] == 7);
  CHECK(s[2] == 2);
}

TEST_CASE("stack: an element of a full stack can be pushed") {
  stack<int> s;
  s.push(42);
  while (s.size() < s.capacity()) s.push(0);
  s.push(s[0]);
  CHECK(s.back() == 42);
}

TEST_CASE("stack: moving leaves an empty stack") {
  stack<int> a;
  a.push(1);
  const int* place = a.begin();
  stack<int> b = std::move(a);
  CHECK(b.begin() == place);
  stack<int> c;
  c.push(2);
  c = std::move(b);
  CHECK(c.back() == 1);
  const jaxpr::detail::pages memory = c.release();
  CHECK(memory.place == place);
  CHECK(c.empty());
  CHECK(c.capacity() == 0);
  jaxpr::detail::release_pages(memory);
  c.push(3);
  CHECK(c.back() == 3);
}

TEST_CASE("stack: memory that cannot exist is refused") {
  stack<int> s;
  CHECK_THROWS_AS(s.reserve(static_cast<std::size_t>(-1) / 2), std::bad_array_new_length);
}
