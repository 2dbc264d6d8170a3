// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/random/words.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("words of a constant are constants") {
  graph g;
  const value x = scalar(g, dtype::i64, std::int64_t{0x123456789abcdef0});
  const value minus_one = scalar(g, dtype::i64, std::int64_t{-1});
  CHECK(constant_integer(as_word(x)) == 0x9abcdef0);
  CHECK(constant_integer(high_word(x)) == 0x12345678);
  CHECK(constant_integer(as_word(minus_one)) == 0xffffffff);
  CHECK(constant_integer(high_word(minus_one)) == 0xffffffff);
  CHECK(constant_integer(high_word(scalar(g, dtype::i32, std::int64_t{-1}))) == 0);
  CHECK(constant_integer(as_word(scalar(g, dtype::i8, std::int64_t{-1}))) == 0xffffffff);
  CHECK(g.node_count() == 0);
}

TEST_CASE("long_words joins a low and a high word") {
  graph g;
  const auto word = [&](std::int64_t x) { return scalar(g, dtype::i64, x); };
  const value joined = long_words(word(0x9abcdef0), word(0x12345678));
  CHECK(joined.dtype() == dtype::u64);
  REQUIRE(known_numbers(joined));
  CHECK(*known_numbers(joined) == std::vector<std::uint64_t>{0x123456789abcdef0});
}

TEST_CASE("known_numbers zero-extends integer constants, and is nullopt for other values") {
  graph g;
  CHECK(*known_numbers(constant_numbers(g, dtype::u8, {3}, {1, 255, 7})) == std::vector<std::uint64_t>{1, 255, 7});
  CHECK(!known_numbers(scalar(g, dtype::f32, 1)));
  CHECK(!known_numbers(g.input({dtype::i64, {}}, "x")));
}

TEST_CASE("integer_cast truncates constants on the host") {
  graph g;
  const value narrow = integer_cast(constant_numbers(g, dtype::i64, {2}, {0x1ff, 0x80}), dtype::u8);
  CHECK(narrow.dtype() == dtype::u8);
  CHECK(*known_numbers(narrow) == std::vector<std::uint64_t>{0xff, 0x80});
  CHECK(g.node_count() == 0);
}

TEST_CASE("linear_index is a constant while it is small, else a Range") {
  graph g;
  CHECK(*known_numbers(linear_index(g, {2, 3})) == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
  CHECK(g.node_count() == 0);
  const value large = linear_index(g, {100, 100});
  CHECK(large.dims() == shape{100, 100});
  CHECK(g.node_count() > 0);
}
