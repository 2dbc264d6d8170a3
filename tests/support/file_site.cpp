// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/file_site.hpp>

using namespace jax2onnx;

TEST_CASE("file_site: errors name the file and the array, safe to print") {
  const detail::file_site site{"w.npz", {}};
  const auto failing = [](auto&& fail) {
    try {
      fail();
    } catch (const file_error& e) {
      return std::pair(e.kind(), std::string(e.what()));
    }
    return std::pair(failure::internal, std::string());
  };
  CHECK(failing([&] { site.malformed("is cut short"); }) ==
        std::pair(failure::malformed, std::string("w.npz: is cut short")));
  CHECK(failing([&] { site.at("a\n").unsafe("is huge"); }) ==
        std::pair(failure::unsafe, std::string("w.npz: 'a\\x0a': is huge")));
  CHECK(failing([&] { site.fail(failure::io, "vanished"); }).first == failure::io);
}
