// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/support/streamed_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

namespace {

struct counted final : streamed_source {
  explicit counted(std::size_t n) : content(n, 'z') {}
  std::uint64_t size() const override { return content.size(); }
  void stream(const sink& out) const override {
    ++streams;
    out(std::as_bytes(std::span(content)));
  }
  std::string content;
  mutable int streams = 0;
};

}  // namespace

TEST_CASE("streamed_source: few bytes are kept once they have been viewed") {
  const counted few(4096), many(4097);
  CHECK(few.view().size() == 4096);
  CHECK(few.view().data() == few.view().data());
  CHECK(few.streams == 1);
  CHECK(many.view().empty());
  CHECK(many.streams == 0);
}
