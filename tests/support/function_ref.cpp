// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <functional>
#include <memory>

#include <jax2onnx/support/function_ref.hpp>

using namespace jax2onnx;

namespace {

int twice(function_ref<int(int)> f) { return f(f(1)); }

}  // namespace

TEST_CASE("function_ref: calls the object itself, not a copy") {
  int calls = 0;
  auto counter = [&calls, own = 0](int n) mutable {
    ++calls;
    return n + ++own;
  };
  CHECK(twice(counter) == 4);
  CHECK(twice(counter) == 8);
  CHECK(calls == 4);
}

TEST_CASE("function_ref: takes what is const, what std::function holds, and what only moves") {
  const auto add = [](int n) { return n + 1; };
  CHECK(twice(add) == 3);
  CHECK(twice(std::function<int(int)>(add)) == 3);
  const function_ref<std::size_t(std::unique_ptr<int>)> held = [](std::unique_ptr<int> p) {
    return static_cast<std::size_t>(*p);
  };
  CHECK(held(std::make_unique<int>(7)) == 7);
  static_assert(!std::is_constructible_v<function_ref<int(int)>, int>);
  static_assert(!std::is_constructible_v<function_ref<int(int)>, void (*)(std::string)>);
}
