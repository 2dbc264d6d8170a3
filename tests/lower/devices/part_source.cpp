// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <memory>
#include <string>

#include <jax2onnx/lower/devices/part_source.hpp>

using namespace jax2onnx;
using jax2onnx::lower::devices::part_source;

namespace {

/// The bytes, streamed in pieces of a given size.
class pieces final : public byte_source {
 public:
  pieces(std::string all, std::size_t piece) : all_(std::move(all)), piece_(piece) {}
  std::uint64_t size() const override { return all_.size(); }
  void stream(const sink& out) const override {
    for (std::size_t at = 0; at < all_.size(); at += piece_)
      out(std::as_bytes(std::span(all_)).subspan(at, std::min(piece_, all_.size() - at)));
  }

 private:
  std::string all_;
  std::size_t piece_;
};

}  // namespace

TEST_CASE("the same part of each row, whatever the pieces are") {
  for (std::size_t piece = 1; piece <= 13; ++piece) {
    const bytes whole(std::make_shared<const pieces>("abcdefghijkl", piece));
    CHECK(in_memory(part_source(whole, 4, 0, 2)) == "abefij");
    CHECK(in_memory(part_source(whole, 4, 2, 2)) == "cdghkl");
    CHECK(in_memory(part_source(whole, 12, 4, 4)) == "efgh");
    CHECK(in_memory(part_source(whole, 12, 0, 12)) == "abcdefghijkl");
  }
  const part_source part(bytes(std::string("abcdefghijkl")), 4, 1, 1);
  CHECK(part.size() == 3);
  CHECK(in_memory(part) == "bfj");
  CHECK(part_source(bytes(), 0, 0, 0).size() == 0);
}
