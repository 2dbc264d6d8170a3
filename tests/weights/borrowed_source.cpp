// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>
#include <string>
#include <vector>

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

TEST_CASE("borrowed_array: a weight of the caller's elements") {
  const std::vector<float> kernel{1, 2, 3, 4, 5, 6};
  const weight w = borrowed_array("kernel", kernel, {2, 3});
  CHECK(w.name == "kernel");
  CHECK(w.named);
  CHECK(w.type == "f32");
  CHECK(w.kind == stored_kind::floating);
  CHECK(w.item_bits == 32);
  CHECK(w.shape == std::vector<std::int64_t>{2, 3});
  CHECK(static_cast<const void*>(w.data->view().data()) == kernel.data());

  const std::array<std::int64_t, 1> step{7};
  CHECK(borrowed_array("step", step, {}).type == "i64");
  CHECK(borrowed_array("none", std::span<const bool>(), {0, 3}).kind == stored_kind::boolean);
  CHECK(borrowed_array("none", std::span<const std::uint8_t>(), {0}).type == "u8");
}

TEST_CASE("borrowed_array: a shape of another number of elements is refused") {
  const std::vector<double> elements(6);
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{2, 2}, {-2, -3}, {}}) {
    try {
      static_cast<void>(borrowed_array("kernel", elements, shape));
      FAIL("accepted");
    } catch (const error& e) {
      CHECK(e.kind() == failure::malformed);
      CHECK(e.diagnostics()[0].code == "weights.mismatch");
      CHECK(std::string(e.what()).starts_with("the array 'kernel' has 6 elements, but its shape is ["));
    }
  }
}
