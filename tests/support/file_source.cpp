// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <memory>

#include <jax2onnx/support/file_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

TEST_CASE("file_source: a range of a file, by reads and in pieces") {
  const temporary_directory dir;
  const std::string content = std::string(100, 'a') + std::string(piece_size + 5, 'b') + std::string(100, 'c');
  const auto path = dir.write("data", content);
  const auto file = std::make_shared<const input_file>(path);
  const file_source source(file, 100, piece_size + 5);
  CHECK(source.size() == piece_size + 5);
  CHECK(source.view().empty());
  CHECK(in_memory(source) == std::string(piece_size + 5, 'b'));
  std::size_t pieces = 0, largest = 0;
  source.stream([&](std::span<const std::byte> piece) {
    ++pieces;
    largest = std::max(largest, piece.size());
  });
  CHECK(pieces == 2);
  CHECK(largest == piece_size);
  REQUIRE(source.location());
  CHECK(source.location()->file == std::filesystem::path(path).string());
  CHECK(source.location()->offset == 100);
  CHECK(source.location()->length == piece_size + 5);
  std::byte last{};
  CHECK(source.read(piece_size + 4, std::span(&last, 1)));
  CHECK(last == std::byte{'b'});
  CHECK(in_memory(file_source(file, 0, 0)).empty());
  const file_source few(file, 99, 2);
  REQUIRE(few.view().size() == 2);
  CHECK(few.view()[1] == std::byte{'b'});
}

TEST_CASE("range_source: a part of a file") {
  const temporary_directory dir;
  const std::string content = std::string(100, 'a') + std::string(piece_size + 5, 'b') + std::string(100, 'c');
  const auto file = std::make_shared<const input_file>(dir.write("data", content));
  const bytes whole(std::make_shared<file_source>(file, 50, content.size() - 50));
  const range_source part(whole, 50, piece_size + 5);
  CHECK(part.size() == piece_size + 5);
  CHECK(part.view().empty());
  CHECK(in_memory(part) == std::string(piece_size + 5, 'b'));
  REQUIRE(part.location());
  CHECK(part.location()->offset == 100);
  CHECK(part.location()->length == piece_size + 5);
  std::byte last{};
  CHECK(part.read(piece_size + 4, std::span(&last, 1)));
  CHECK(last == std::byte{'b'});
  CHECK(in_memory(range_source(whole, 0, 0)).empty());
}

TEST_CASE("range_source: a part of bytes in memory") {
  const range_source part(bytes(std::string("abcdef")), 2, 3);
  CHECK(in_memory(part) == "cde");
  CHECK(part.view().size() == 3);
  CHECK_FALSE(part.location());
}
