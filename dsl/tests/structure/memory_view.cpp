// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstring>

#include <jax2onnx/dsl/structure/memory_view.hpp>

using namespace jax2onnx;

TEST_CASE("memory_view: long arrays are viewed, short ones copied") {
  std::vector<float> large(5000, 1.5f), small{1, 2};
  const bytes view = view_of(std::span<const float>(large)), copy = view_of(std::span<const float>(small));
  CHECK(static_cast<const void*>(view.view().data()) == large.data());
  CHECK(view.size() == 20000);
  CHECK_FALSE(view.in_place());
  CHECK(copy.in_place());
  CHECK(copy_of(std::span<const float>(large)).in_place());
  std::string streamed = in_memory(*view.source());
  CHECK(std::memcmp(streamed.data(), large.data(), 20000) == 0);
  float part = 0;
  CHECK(view.source()->read(4, std::as_writable_bytes(std::span(&part, 1))));
  CHECK(part == 1.5f);
}

template <class T>
concept viewable = requires(T&& t) {
  view_of(std::forward<T>(t));
};

TEST_CASE("memory_view: an array that ends with the call is not viewed") {
  STATIC_REQUIRE_FALSE(viewable<std::vector<float>>);
  STATIC_REQUIRE(viewable<std::span<const float>>);
}

TEST_CASE("memory_view: owners live as long as the bytes") {
  const auto owner = std::make_shared<const std::vector<float>>(5000, 1.0f);
  {
    const bytes view = view_of(std::span<const float>(*owner), owner);
    CHECK(owner.use_count() == 2);
  }
  CHECK(owner.use_count() == 1);
  std::vector<float> large(5000, 1.5f);
  const float* const where = large.data();
  CHECK(static_cast<const void*>(moved(std::move(large)).view().data()) == where);
}
