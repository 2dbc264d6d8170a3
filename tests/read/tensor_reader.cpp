// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "encoded.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <jax2onnx/read/tensor_reader.hpp>

using namespace jax2onnx;
using namespace encoded;
using namespace std::string_literals;

namespace {

std::string tensor(dtype t, std::initializer_list<std::int64_t> extents, const std::string& data) {
  std::string out;
  for (const std::int64_t n : extents) out += field(fields::tensor_dims, n);
  return out + field(fields::tensor_data_type, static_cast<std::int64_t>(t)) + field(fields::tensor_name, "w") + data;
}
std::string read(const std::string& message, const std::filesystem::path& folder = {}) {
  detail::wire_source source(message, "model");
  std::string all;
  detail::tensor_reader(source, folder).read(source.all()).data.stream([&](std::span<const std::byte> piece) {
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return all;
}
failure kind_of_refusal(const std::string& message, const std::filesystem::path& folder = {}) {
  try {
    read(message, folder);
  } catch (const error& e) {
    return e.kind();
  }
  return failure::internal;
}
std::string external(const std::string& location, const std::string& offset, const std::string& length) {
  std::string out = field(fields::tensor_data_location, 1);
  for (const auto& [key, text] : {std::pair{"location", location}, {"offset", offset}, {"length", length}})
    if (!text.empty())
      out += field(fields::tensor_external_data, field(fields::entry_key, key) + field(fields::entry_value, text));
  return out;
}

}  // namespace

TEST_CASE("tensor_reader: raw and typed data") {
  CHECK(read(tensor(dtype::u8, {2, 2}, field(fields::tensor_raw_data, "abcd"))) == "abcd");
  CHECK(read(tensor(dtype::i64, {2}, field(fields::tensor_int64_data, -1) + field(fields::tensor_int64_data, 2))) ==
        "\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\0\0\0"s);
  CHECK(read(tensor(dtype::f16, {2}, field(fields::tensor_int32_data, "\x80\x78\x01"))) == "\x00\x3c\x01\x00"s);
  CHECK(read(tensor(dtype::boolean, {2}, field(fields::tensor_int32_data, "\x01\x00"s))) == "\x01\x00"s);
  CHECK(read(tensor(dtype::i4, {3}, field(fields::tensor_int32_data, "\x21\x03"))) == "\x21\x03");
  CHECK(read(tensor(dtype::u32, {1}, field(fields::tensor_uint64_data, 7))) == "\x07\0\0\0"s);
  CHECK(read(tensor(dtype::f32, {2}, field(fields::tensor_float_data, "abcdefgh"))) == "abcdefgh");
  CHECK(read(tensor(dtype::c64, {1}, field(fields::tensor_float_data, "abcdefgh"))) == "abcdefgh");
  CHECK(read(tensor(dtype::f64, {1}, field(fields::tensor_double_data, "abcdefgh"))) == "abcdefgh");
  CHECK(read(tensor(dtype::string, {2},
                    field(fields::tensor_string_data, "a") + field(fields::tensor_string_data, "bc"))) ==
        "\1\0\0\0a\2\0\0\0bc"s);
  CHECK(read(tensor(dtype::f32, {0}, "")).empty());
}

TEST_CASE("tensor_reader: data of another size or kind") {
  for (const std::string& data :
       {tensor(dtype::u8, {3}, field(fields::tensor_raw_data, "ab")), tensor(dtype::u8, {2}, ""),
        tensor(dtype::u8, {-1}, ""), tensor(dtype::u8, {1}, field(fields::tensor_int32_data, "\x01\x02")),
        tensor(dtype::u8, {1}, field(fields::tensor_int64_data, 1)), tensor(dtype::undefined, {}, ""),
        tensor(static_cast<dtype>(77), {}, ""), tensor(dtype::string, {2}, field(fields::tensor_string_data, "a")),
        tensor(dtype::f32, {std::int64_t{1} << 61}, field(fields::tensor_raw_data, "abcd"))})
    CHECK(kind_of_refusal(data) == failure::malformed);
  CHECK(kind_of_refusal(tensor(dtype::f32, {INT64_MAX, 4}, "")) == failure::unsafe);
  std::string many;
  for (int i = 0; i < 257; ++i) many += field(fields::tensor_dims, 1);
  CHECK(kind_of_refusal(many + tensor(dtype::u8, {}, field(fields::tensor_raw_data, "a"))) == failure::unsafe);
}

TEST_CASE("tensor_reader: external data, inside of the directory only") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "jax2onnx_tensor_reader";
  fs::remove_all(folder);
  fs::create_directories(folder / "model" / "sub");
  std::ofstream(folder / "model" / "sub" / "data") << "0123456789";
  std::ofstream(folder / "secret") << "0123456789";
  fs::create_symlink("../secret", folder / "model" / "link");
  const auto at = [](const std::string& location, const std::string& offset = "4", const std::string& length = "4") {
    return tensor(dtype::f32, {1}, external(location, offset, length));
  };
  CHECK(read(at("sub/data"), folder / "model") == "4567");
  CHECK(read(at("sub/data", "", ""), folder / "model") == "0123");
  for (const char* location : {"../secret", "link", "/etc/hostname", ""})
    CHECK(kind_of_refusal(at(location), folder / "model") == failure::unsafe);
  CHECK(kind_of_refusal(at("nothing"), folder / "model") == failure::io);
  CHECK(kind_of_refusal(at("sub/data", "8"), folder / "model") == failure::malformed);
  CHECK(kind_of_refusal(at("sub/data", "18446744073709551615"), folder / "model") == failure::malformed);
  CHECK(kind_of_refusal(at("sub/data", "x"), folder / "model") == failure::malformed);
  CHECK(kind_of_refusal(at("sub/data", "0", "8"), folder / "model") == failure::malformed);
  fs::remove_all(folder);
}
