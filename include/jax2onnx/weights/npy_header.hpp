// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/element_count.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx::detail {

/// The header of a .npy array (numpy.lib.format).
struct npy_header {
  std::string type;  // `<f4`
  stored_kind kind = stored_kind::raw;
  std::uint32_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;       // offset of the elements
  std::uint64_t data_bytes = 0;  // size of all elements

  static constexpr std::size_t longest_text = 10'000;  // numpy's max_header_size
  static constexpr std::size_t longest = longest_text + 12;
};

/// Parses the text of a header: a Python dict literal with the keys 'descr', 'fortran_order' and 'shape', each once.
///
///     header = "{", { string, ":", value, [ "," ] }, "}", { " " | "\n" } ;
///     value  = string | "True" | "False" | "(", { integer, [ "," ] }, ")" ;
class npy_header_parser {
 public:
  npy_header_parser(std::string_view text, const file_site& site) : text_(text), site_(site) {}
  npy_header parse();

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool eat(std::string_view token) {
    blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!eat(token)) fail(token);
  }
  [[noreturn]] void fail(std::string_view expected) const {
    site_.malformed(
        message("the .npy header needs {} at byte {}, found '{}'", expected, at_, shown(text_.substr(at_, 40))));
  }
  std::string_view string();
  bool boolean();
  std::vector<std::int64_t> tuple();
  void dtype(npy_header& h);
  void field(npy_header& h);

  static constexpr const char* no_tensor = "leave the array out, or save it with an element type that ONNX has";
  std::string_view text_;
  const file_site& site_;
  std::size_t at_ = 0;
  bool descr_ = false, order_ = false, shape_ = false;
};

inline npy_header npy_header_parser::parse() {
  npy_header h;
  need("{");
  while (!eat("}")) {
    field(h);
    if (eat(",")) continue;
    need("}");
    break;
  }
  blanks();
  if (at_ != text_.size()) fail("its end");
  if (!descr_ || !order_ || !shape_) site_.malformed("the .npy header lacks 'descr', 'fortran_order' or 'shape'");
  const auto count = element_count(h.shape);
  if (!count || mul_overflows(*count, std::uint64_t{h.item_bytes}, h.data_bytes))
    site_.unsafe("the size of the array overflows 64 bits");
  return h;
}

inline void npy_header_parser::field(npy_header& h) {
  const std::string_view key = string();
  need(":");
  bool* seen = key == "descr" ? &descr_ : key == "fortran_order" ? &order_ : key == "shape" ? &shape_ : nullptr;
  if (!seen) site_.malformed(message("the .npy header has an unknown key '{}'", shown(key)));
  if (*seen) site_.malformed(message("the .npy header has the key '{}' twice", key));
  *seen = true;
  if (seen == &descr_) dtype(h);
  else if (seen == &order_) h.fortran_order = boolean();
  else h.shape = tuple();
}

inline std::string_view npy_header_parser::string() {
  blanks();
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
  if (end == std::string_view::npos) fail("a string");
  const std::string_view s = text_.substr(at_ + 1, end - at_ - 1);
  if (s.find('\\') != std::string_view::npos) fail("a string without escapes");
  at_ = end + 1;
  return s;
}

inline bool npy_header_parser::boolean() {
  if (eat("True")) return true;
  need("False");
  return false;
}

inline std::vector<std::int64_t> npy_header_parser::tuple() {
  std::vector<std::int64_t> extents;
  need("(");
  while (!eat(")")) {
    if (extents.size() == weight_rank_limit) site_.unsafe(message("the array has over {} axes", weight_rank_limit));
    blanks();
    std::int64_t extent = -1;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), extent);
    if (error == std::errc::result_out_of_range || extent >= weight_extent_limit)
      site_.unsafe("an extent of the array is not below 2^62");
    if (error != std::errc() || extent < 0) fail("a non-negative integer");
    at_ += static_cast<std::size_t>(end - first);
    extents.push_back(extent);
    if (!eat(",") && !(blanks(), text_.substr(at_).starts_with(")"))) fail("',' or ')'");
  }
  return extents;
}

inline void npy_header_parser::dtype(npy_header& h) {
  blanks();
  if (at_ < text_.size() && text_[at_] == '[') site_.malformed("structured dtypes are not supported", no_tensor);
  h.type = std::string(string());
  const std::string_view t = h.type;
  const std::string_view code = t.size() > 1 ? t.substr(1) : std::string_view();
  if (code.starts_with("O"))
    site_.unsafe("arrays of Python objects are pickles, which can run code: they are never read", no_tensor);
  struct row {
    std::string_view code;
    stored_kind kind;
    std::uint32_t bytes;
  };
  using enum stored_kind;
  static constexpr row rows[] = {
      {"b1", boolean, 1},
      {"i1", signed_integer, 1},
      {"i2", signed_integer, 2},
      {"i4", signed_integer, 4},
      {"i8", signed_integer, 8},
      {"u1", unsigned_integer, 1},
      {"u2", unsigned_integer, 2},
      {"u4", unsigned_integer, 4},
      {"u8", unsigned_integer, 8},
      {"f2", floating, 2},
      {"f4", floating, 4},
      {"f8", floating, 8},
      {"c8", complex, 8},
      {"c16", complex, 16},
      {"V1", raw, 1},
      {"V2", raw, 2},
      {"f1", float8_e5m2, 1},  // the only type of ml_dtypes that NumPy does not write as V1 or V2
  };
  const auto found = std::ranges::find(rows, code, &row::code);
  if (found == std::end(rows) || std::string_view("<>|=").find(t[0]) == std::string_view::npos)
    site_.malformed(message("the dtype '{}' is not supported", shown(t)), no_tensor);
  h.kind = found->kind;
  h.item_bytes = found->bytes;
  h.big_endian = t[0] == '>';
}

/// Parses the header at the start of an array; `front` has all of it, or the first npy_header::longest bytes.
inline npy_header parse_npy_header(std::string_view front, const file_site& site) {
  constexpr std::string_view magic = "\x93NUMPY";
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(front[i])); };
  if (!front.starts_with(magic)) site.malformed("is not a .npy array: the magic bytes are missing");
  if (front.size() < 10) site.malformed("the .npy header is cut short");
  const std::size_t major = byte(6);
  if (major < 1 || major > 3 || byte(7) != 0) site.malformed(message("unknown .npy version {}.{}", major, byte(7)));
  const std::size_t prefix = major == 1 ? 10 : 12;
  if (front.size() < prefix) site.malformed("the .npy header is cut short");
  const std::size_t length = byte(8) | byte(9) << 8 | (major == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > npy_header::longest_text)
    site.unsafe(message("the .npy header has {} bytes, but the limit is {}", length, npy_header::longest_text));
  if (front.size() < prefix + length) site.malformed("the .npy header is cut short");
  npy_header h = npy_header_parser(front.substr(prefix, length), site).parse();
  h.begin = prefix + length;
  return h;
}

}  // namespace jax2onnx::detail
