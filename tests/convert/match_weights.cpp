// SPDX-License-Identifier: Apache-2.0
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
  CHECK(elements_fit(stored(stored_kind::unsigned_integer, 8), dtype::f8_e4m3fn));
}

TEST_CASE("weights fit: an 8-bit type that the file names is that of the text") {
  using enum stored_kind;
  constexpr stored_kind kinds[] = {boolean,         signed_integer,  unsigned_integer,
                                   float8_e4m3fn,   float8_e4m3fnuz, float8_e5m2,
                                   float8_e5m2fnuz, float8_e8m0fnu,  raw};
  const auto kinds_of = [&](dtype t) {
    std::vector<stored_kind> fit;
    for (const stored_kind k : kinds)
      if (elements_fit(stored(k, 8), t)) fit.push_back(k);
    return fit;
  };
  using list = std::vector<stored_kind>;
  CHECK(kinds_of(dtype::boolean) == list{boolean});
  CHECK(kinds_of(dtype::i8) == list{signed_integer});
  CHECK(kinds_of(dtype::u8) == list{unsigned_integer});
  CHECK(kinds_of(dtype::f8_e4m3fn) == list{unsigned_integer, float8_e4m3fn, raw});
  CHECK(kinds_of(dtype::f8_e4m3fnuz) == list{unsigned_integer, float8_e4m3fnuz, raw});
  CHECK(kinds_of(dtype::f8_e5m2) == list{unsigned_integer, float8_e5m2, raw});
  CHECK(kinds_of(dtype::f8_e5m2fnuz) == list{unsigned_integer, float8_e5m2fnuz, raw});
  CHECK(kinds_of(dtype::f8_e8m0fnu) == list{unsigned_integer, float8_e8m0fnu, raw});
  CHECK(kinds_of(dtype::i4) == list{signed_integer, unsigned_integer, raw});
  CHECK(kinds_of(dtype::u4) == list{unsigned_integer, raw});
}

TEST_CASE("weights fit: bytes that are not an element are found") {
  const auto bad = [](std::string data, stored_kind kind, dtype t) {
    weight w = stored(kind, 8);
    w.data = std::make_shared<text_source>(std::move(data));
    return bad_element(w, t);
  };
  using enum stored_kind;
  CHECK(bad(std::string("\0\1\1", 3), boolean, dtype::boolean).empty());
  CHECK(bad(std::string("\0\1\2", 3), boolean, dtype::boolean) == "byte 2 at 2");
  CHECK(bad("\x07\x08\x0f\xf8\xff", raw, dtype::i4).empty());
  CHECK(bad("\x07\x10", raw, dtype::i4) == "byte 16 at 1");
  CHECK(bad("\xc8", unsigned_integer, dtype::i4) == "byte 200 at 0");
  CHECK(bad("\xf8\x07", signed_integer, dtype::i4).empty());
  CHECK(bad("\x08", signed_integer, dtype::i4) == "byte 8 at 0");
  CHECK(bad("\x0f", unsigned_integer, dtype::u4).empty());
  CHECK(bad("\xff", unsigned_integer, dtype::u4) == "byte 255 at 0");
  CHECK(bad("\x10", raw, dtype::f4_e2m1fn) == "byte 16 at 0");
  CHECK(bad("\x04", raw, dtype::u2) == "byte 4 at 0");
  CHECK(bad("\xff", unsigned_integer, dtype::u8).empty());
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
