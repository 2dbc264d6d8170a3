// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/batching/named_axes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::batching;

TEST_CASE("axes of a mesh have numbers, those of one device none") {
  named_axes axes;
  CHECK(axes.add("x", 2) == 0);
  CHECK(axes.add("y", 4) == 1);
  CHECK(axes.add("x", 2) == 0);
  CHECK_FALSE(axes.add("z", 1));
  CHECK(axes.is_trivial("z"));
  CHECK_FALSE(axes.find("z"));
  CHECK(axes.extents(0b11) == shape{2, 4});
  CHECK(axes.devices(0b11) == 8);
  CHECK(place(0b11, 1) == 1);
  CHECK(place(0b10, 1) == 0);
}

TEST_CASE("groups of devices are axes without names") {
  named_axes axes;
  axes.add("x", 8);
  const std::size_t first = axes.divide(0, 2);
  CHECK(axes.size(first) == 2);
  CHECK(axes.size(first + 1) == 4);
  CHECK(axes.divide(0, 2) == first);
  CHECK(axes.divide(0, 4) == first + 2);
  CHECK_FALSE(axes.find(""));
}

TEST_CASE("too many axes are a limit") {
  named_axes axes;
  axes.add("x", 64);
  for (std::int64_t groups = 2; groups < 17; ++groups) axes.divide(0, groups);
  CHECK_THROWS_AS(axes.divide(0, 32), limit_error);
}
