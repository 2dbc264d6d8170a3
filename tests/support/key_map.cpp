// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <map>
#include <random>

#include <jax2onnx/support/key_map.hpp>

using jax2onnx::detail::key_map;

TEST_CASE("key_map: what was set is found, the last number of a key") {
  key_map m;
  CHECK(m.find(0) == key_map::none);
  m.set(0, 7);
  m.set(-1, 8);
  m.set(INT64_MIN, 0);
  m.set(0, 9);
  CHECK(m.find(0) == 9);
  CHECK(m.find(-1) == 8);
  CHECK(m.find(INT64_MIN) == 0);
  CHECK(m.find(1) == key_map::none);
  CHECK(m.size() == 3);
  m.clear();
  CHECK(m.find(0) == key_map::none);
  CHECK(m.size() == 0);
}

TEST_CASE("key_map: agrees with std::map") {
  std::mt19937_64 random(1);
  key_map m;
  std::map<std::int64_t, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    // Keys in runs and keys that differ in their upper bits only.
    const std::int64_t key = static_cast<std::int64_t>(random() % 1000) << (random() % 2 ? 0 : 50);
    m.set(key, i);
    expected[key] = i;
  }
  CHECK(m.size() == expected.size());
  for (const auto& [key, number] : expected) CHECK(m.find(key) == number);
  for (std::int64_t key = 1000; key < 2000; ++key) CHECK(m.find(key) == key_map::none);
}
