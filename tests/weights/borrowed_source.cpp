#include "catch.hpp"

#include <array>
#include <string>

#include <jax2onnx/weights/borrowed_source.hpp>

using namespace jax2onnx;

TEST_CASE("borrowed_source: the caller's bytes, not a copy") {
  const std::string array = "abcd";
  const borrowed_source source(std::as_bytes(std::span(array)));
  CHECK(source.size() == 4);
  CHECK(static_cast<const void*>(source.view().data()) == array.data());
  CHECK(in_memory(source) == array);
  CHECK_FALSE(source.location());
  std::array<std::byte, 2> part{};
  CHECK(source.read(1, part));
  CHECK(part == std::array{std::byte{'b'}, std::byte{'c'}});
}
