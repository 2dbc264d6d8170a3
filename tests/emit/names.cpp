// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/emit/names.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;

TEST_CASE("names: given out once, with a number where taken") {
  name_pool pool;
  CHECK(pool.unique("x") == "x");
  CHECK(pool.unique("x_1") == "x_1");
  CHECK(pool.unique("x") == "x_2");
  CHECK(pool.unique("x") == "x_3");
  CHECK(pool.unique("x_1") == "x_1_1");
}

TEST_CASE("names: a hundred thousand equal wishes take linear time") {
  name_pool pool;
  std::string_view last;
  for (int i = 0; i < 100'000; ++i) last = pool.unique("x");
  CHECK(last == "x_99999");
}

TEST_CASE("names: invisible characters and invalid UTF-8 are replaced") {
  CHECK(plain_text("layers/0.kernel:0") == "layers/0.kernel:0");
  CHECK(plain_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(plain_text("a\nb\x1b[31m\x7f") == "a_b_[31m_");
  CHECK(plain_text("\xe2\x80\xae"
                   "evil") == "_evil");             // right-to-left override
  CHECK(plain_text("\xc0\xaf\xff\x80") == "____");  // overlong, invalid, stray
  CHECK(plain_text("\xed\xa0\x80") == "___");       // surrogate
  CHECK(plain_text("\xf4\x90\x80\x80") == "____");  // over U+10FFFF
  CHECK(plain_text("\xe2\x82") == "__");            // cut short
}

TEST_CASE("names: identifiers") {
  CHECK(identifier("") == "_");
  CHECK(identifier("0a.b") == "_0a_b");
  CHECK(identifier("aB_9") == "aB_9");
}
