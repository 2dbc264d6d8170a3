// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/engine/joined_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace test_files;

TEST_CASE("joined_source: one block after another, a piece of each part") {
  const bytes a(std::string("aaAA")), b(std::string("bbbbBBBB")), none;
  const joined_source whole({a, none, b}, 1), halves({a, none, b}, 2);
  CHECK(streamed(whole) == "aaAAbbbbBBBB");
  CHECK(streamed(halves) == "aabbbbAABBBB");
  CHECK(halves.size() == 12);
  CHECK(halves.stored_size() == 12);
  CHECK(halves.view().size() == 12);
}

TEST_CASE("joined_source: blocks end anywhere in a piece, also those of inflated files") {
  constexpr std::size_t blocks = 5, first = 300000, second = 7;
  std::string a(blocks * first, 'a'), b(blocks * second, 'b'), expected;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<char>('a' + i % 19);
  for (std::size_t block = 0; block < blocks; ++block)
    expected += a.substr(block * first, first) + b.substr(block * second, second);
  const temporary_directory dir;
  const auto weights = read_weights(
      dir.write("w.npz", archive({{.name = "a.npy", .content = npy("|u1", "(1500000,)", a)},
                                  {.name = "b.npy", .content = npy("|u1", "(1500000,)", a), .deflate = true}})));
  for (const auto& weight : weights) {
    std::size_t largest = 0;
    std::string joined;
    joined_source({bytes(weight.data), bytes(b)}, blocks).stream([&](std::span<const std::byte> piece) {
      largest = std::max(largest, piece.size());
      joined.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    CHECK((joined == expected));
    CHECK(largest <= jax2onnx::detail::piece_size);
  }
}

TEST_CASE("joined_source: a chain of joints is a list, up to a length") {
  std::shared_ptr<const joined_source> chain = joined({bytes(std::string("ab")), bytes(std::string("cd"))}, 2);
  for (int i = 0; i < 10; ++i) chain = joined({bytes(chain), bytes(std::string("ef"))}, 2);
  CHECK(chain->parts().size() == 12);
  CHECK(chain->depth() == 0);
  CHECK(streamed(*chain) == "aceeeeeeeeeebdffffffffff");
  const auto otherwise = joined({bytes(chain), bytes(std::string("xyz"))}, 1);
  CHECK(otherwise->parts().size() == 2);
  CHECK(otherwise->depth() == 1);
  for (int i = 0; i < 1000; ++i) chain = joined({bytes(chain), bytes(std::string("ef"))}, 2);
  CHECK(chain->parts().size() <= 66);
  CHECK(chain->depth() < 20);
  CHECK(chain->size() == 2024);
  CHECK(chain->held_bytes() < 5000);
}
