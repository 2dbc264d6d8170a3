#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/convert/match_weights.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;

namespace {

weight stored(stored_kind kind, std::uint32_t bits, std::vector<std::int64_t> shape = {2}) {
  weight w;
  w.kind = kind;
  w.item_bits = bits;
  w.shape = std::move(shape);
  return w;
}

class text_source final : public byte_source {
 public:
  explicit text_source(std::string text) : text_(std::move(text)) {}
  std::uint64_t size() const override { return text_.size(); }
  void stream(const sink& out) const override { out(std::as_bytes(std::span(text_))); }

 private:
  std::string text_;
};

}  // namespace

TEST_CASE("weights fit: kinds and widths have to agree") {
  CHECK(elements_fit(stored(stored_kind::floating, 32), dtype::f32));
  CHECK_FALSE(elements_fit(stored(stored_kind::floating, 64), dtype::f32));
  CHECK_FALSE(elements_fit(stored(stored_kind::signed_integer, 32), dtype::f32));
  CHECK(elements_fit(stored(stored_kind::boolean, 8), dtype::boolean));
  CHECK_FALSE(elements_fit(stored(stored_kind::unsigned_integer, 8), dtype::boolean));
  CHECK(elements_fit(stored(stored_kind::complex, 64), dtype::f32));
}

TEST_CASE("weights fit: types without a numpy dtype come as raw bytes or unsigned integers") {
  CHECK(elements_fit(stored(stored_kind::raw, 16), dtype::bf16));
  CHECK(elements_fit(stored(stored_kind::unsigned_integer, 16), dtype::bf16));
  CHECK(elements_fit(stored(stored_kind::bfloat16, 16), dtype::bf16));
  CHECK_FALSE(elements_fit(stored(stored_kind::floating, 16), dtype::bf16));
  CHECK(elements_fit(stored(stored_kind::raw, 8), dtype::i4));
}

TEST_CASE("weights fit: shapes have to agree, a symbolic extent fits nothing") {
  CHECK(fits(stored(stored_kind::floating, 32, {2, 3}), {dtype::f32, {2, 3}}));
  CHECK_FALSE(fits(stored(stored_kind::floating, 32, {2, 3}), {dtype::f32, {3, 2}}));
  CHECK_FALSE(fits(stored(stored_kind::floating, 32, {2}), {dtype::f32, {dim::symbol("B")}}));
  CHECK(fits(stored(stored_kind::complex, 64, {3}), {dtype::f32, {3, 2}}));
}

TEST_CASE("weights fit: messages show the type of the file") {
  weight w = stored(stored_kind::floating, 32, {2, 3});
  w.type = "<f4";
  CHECK(type_text(w) == "<f4[2,3]");
}

TEST_CASE("packed bits: two 4-bit elements a byte, four 2-bit ones, the lowest first") {
  const auto bytes_of = [](std::string elements, int bits) {
    return test_files::streamed(packed_bits(std::make_shared<text_source>(std::move(elements)), bits));
  };
  CHECK(bytes_of("\x01\x0f\x07", 4) == "\xf1\x07");
  CHECK(bytes_of(std::string("\x03\x00\x02\x01\x01", 5), 2) == "\x63\x01");
  CHECK(bytes_of("", 4).empty());
}
