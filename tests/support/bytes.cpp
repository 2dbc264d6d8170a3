// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <memory>
#include <string>

#include <jax2onnx/support/bytes.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

/// Three bytes in two pieces, not in memory.
struct streamed final : byte_source {
  std::uint64_t size() const override { return 3; }
  void stream(const sink& out) const override {
    out(std::as_bytes(std::span("ab", 2)));
    out(std::as_bytes(std::span("c", 1)));
  }
};

}  // namespace

TEST_CASE("bytes: held in place, or a source") {
  const bytes own(std::string("xyz"));
  CHECK(own.in_place());
  CHECK(own.size() == 3);
  CHECK(own.view().size() == 3);
  const bytes weight(std::make_shared<const streamed>());
  CHECK_FALSE(weight.in_place());
  CHECK(weight.size() == 3);
  CHECK(weight.view().empty());
  std::string all;
  std::size_t pieces = 0;
  weight.stream([&](std::span<const std::byte> piece) {
    ++pieces;
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  CHECK(all == "abc");
  CHECK(pieces == 2);
  CHECK(in_memory(*weight.source()) == "abc");
  CHECK_FALSE(weight.source()->location());
  CHECK_FALSE(weight.source()->read(0, {}));
  CHECK(bytes().size() == 0);
}
