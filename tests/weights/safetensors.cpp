// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/safetensors.hpp>
#include <jax2onnx/weights/safetensors_header.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

const std::string floats = raw<float>({1, 2, 3, 4, 5, 6});

std::string with_offsets(std::string_view a, std::string_view b) {
  return fmt::format(
      R"({{"a":{{"dtype":"F32","shape":[2],"data_offsets":{}}},"b":{{"dtype":"F32","shape":[4],"data_offsets":{}}}}})",
      a, b);
}

}  // namespace

TEST_CASE("safetensors: tensors are views in the order of their data") {
  const temporary_directory dir;
  const auto file = dir.write("m.safetensors", safetensors(with_offsets("[16,24]", "[0,16]") + "   ", floats));
  const auto ws = read_weights(file);
  REQUIRE(ws.size() == 2);
  CHECK(ws[0].name == "b");
  CHECK(ws[0].named);
  CHECK(ws[0].type == "F32");
  CHECK(ws[0].shape == std::vector<std::int64_t>{4});
  CHECK(streamed(ws[0]) == floats.substr(0, 16));
  CHECK(streamed(ws[1]) == floats.substr(16));
  CHECK(read_file(file).substr(ws[1].data->location()->offset, ws[1].data->location()->length) == floats.substr(16));
}

TEST_CASE("safetensors: scalars, empty tensors, bfloat16, float8 and escaped keys") {
  const temporary_directory dir;
  const auto ws = read_weights(dir.write(
      "m.safetensors",
      safetensors(
          R"({"s":{"dtype":"F64","shape":[],"data_offsets":[0,8]},"e":{"dtype":"I32","shape":[3,0],"data_offsets":[8,8]},)"
          R"("h\u00e4\"":{"shape":[3],"data_offsets":[8,14],"dtype":"BF16"},"q":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[14,16]}})",
          std::string(16, 'x'))));
  REQUIRE(ws.size() == 4);
  CHECK(ws[0].shape.empty());
  CHECK(ws[1].data->size() == 0);
  CHECK(ws[2].name == "h\xc3\xa4\"");
  CHECK(ws[2].kind == stored_kind::bfloat16);
  CHECK(ws[3].kind == stored_kind::float8_e4m3fn);
  CHECK(read_weights(dir.write("n.safetensors", safetensors("{}", ""))).empty());
}

TEST_CASE("safetensors: the file's metadata can say the order of constvars") {
  const temporary_directory dir;
  const auto file = [&](std::string_view list) {
    std::string header = with_offsets("[0,8]", "[8,24]");
    header.insert(1, fmt::format(R"("__metadata__":{{"format":"np","jax2onnx.constvars":"{}"}},)", list));
    return dir.write("m.safetensors", safetensors(header, floats));
  };
  const auto ws = read_weights(file(R"([\"b\", \"a\"])"));
  REQUIRE(ws.size() == 2);
  CHECK(ws[0].name == "b");
  CHECK(read_weights(file(R"([\"b\"])")).size() == 1);
  CHECK(read_weights_file(file(R"([\"b\"])")).weights.size() == 2);
  CHECK_THAT(error_of([&] { read_weights(file(R"([\"c\"])")); }), Contains("'c': the file's metadata list this key"));
  CHECK_THAT(error_of([&] { read_weights(file("b")); }), Contains("'jax2onnx.constvars': the JSON text is damaged"));
  CHECK_THAT(error_of([&] { read_weights(file("{}")); }), Contains("an object is not expected here"));
  CHECK_THAT(error_of([&] { read_weights(file("[[]]")); }), Contains("a list is not expected in a list"));
}

TEST_CASE("safetensors: hostile and damaged files are refused") {
  const temporary_directory dir;
  const auto tensor = [](std::string_view fields) {
    return safetensors(fmt::format(R"({{"a":{{{}}}}})", fields), floats);
  };
  const auto header = [](std::string_view h) { return safetensors(h, floats); };
  const std::pair<std::string, const char*> rows[] = {
      {"\2\0", "malformed: FILE: is too short"},
      {le(std::uint64_t{1} << 60) + "{}", "unsafe: FILE: the safetensors header would have 1152921504606846976 bytes"},
      {le(std::uint64_t{100'000'001}) + "{}", "unsafe: FILE: the safetensors header would have 100000001 bytes"},
      {le(std::uint64_t{3}) + "{}", "malformed: FILE: the safetensors header is cut short"},
      {le(std::uint64_t{0}), "malformed: FILE: the safetensors header is not a JSON object"},
      {header(" {}"), "malformed: FILE: the safetensors header is not a JSON object"},
      {header("{}\n"), "malformed: FILE: the safetensors header is not a JSON object"},
      {header("{]}"), "malformed: FILE: the JSON text is damaged at byte 2"},
      {header("{\"\xff\":1}"), "malformed: FILE: the JSON text is damaged"},
      {header("{} {}"), "malformed: FILE: the JSON text is damaged"},
      {header("{}"), "unsafe: FILE: has 24 bytes that belong to no tensor"},
      {header(R"({"a":1})"), "malformed: FILE: 'a': a number is not expected here"},
      {header(R"({"a":[]})"), "malformed: FILE: 'a': a list is not expected here"},
      {header(R"({"a":"F32"})"), "malformed: FILE: 'a': a string is not expected here"},
      {header(R"({"a":{"dtype":{}}})"), "malformed: FILE: 'a': an object is not expected here"},
      {header(R"({"__metadata__":{"x":1}})"), "malformed: FILE: '__metadata__': a number is not expected here"},
      {header(R"({"__metadata__":{"x":"1","x":"2"}})"), "unsafe: FILE: '__metadata__': the key 'x' appears twice"},
      {header(R"({"__metadata__":{},"__metadata__":{}})"), "unsafe: FILE: '__metadata__': appears twice"},
      {header(
           R"({"a":{"dtype":"F32","shape":[6],"data_offsets":[0,24]},"a":{"dtype":"F32","shape":[0],"data_offsets":[24,24]}})"),
       "unsafe: FILE: 'a': the tensor appears twice"},
      {tensor(R"("dtype":"F32","shape":[6])"), "malformed: FILE: 'a': lacks dtype, shape or data_offsets"},
      {tensor(R"("dtype":"F32","shape":[6],"data_offsets":[0,24],"shape":[6])"),
       "unsafe: FILE: 'a': the field 'shape' appears twice"},
      {tensor(R"("dtype":"F32","shape":[6],"data_offsets":[0,24],"x":"y")"),
       "malformed: FILE: 'a': the field 'x' is unknown"},
      {tensor(R"("dtype":"F32","shape":[6],"data_offsets":[0])"), "malformed: FILE: 'a': needs two data_offsets"},
      {tensor(R"("dtype":"F32","shape":[6],"data_offsets":[0,12,24])"), "malformed: FILE: 'a': needs two data_offsets"},
      {tensor(R"("dtype":"F32","shape":[6.0],"data_offsets":[0,24])"), "malformed: FILE: 'a': only plain integers"},
      {tensor(R"("dtype":"F32","shape":[6e0],"data_offsets":[0,24])"), "malformed: FILE: 'a': only plain integers"},
      {tensor(R"("dtype":"F32","shape":[-6],"data_offsets":[0,24])"), "malformed: FILE: 'a': negative numbers"},
      {tensor(R"("dtype":"F32","shape":[true],"data_offsets":[0,24])"), "malformed: FILE: 'a': true and false"},
      {tensor(R"("dtype":"F32","shape":null,"data_offsets":[0,24])"), "malformed: FILE: 'a': null is not allowed"},
      {tensor(R"("dtype":"F32","shape":[[6]],"data_offsets":[0,24])"),
       "malformed: FILE: 'a': a list is not expected here"},
      {tensor(R"("dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,24])"),
       "malformed: FILE: 'a': only plain integers"},
      {tensor(R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,24])"),
       "unsafe: FILE: 'a': has an extent that is not below 2^62"},
      {tensor(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,24])"),
       "unsafe: FILE: 'a': the size of the tensor overflows"},
      {tensor(R"("dtype":"F32","shape":[1152921504606846976],"data_offsets":[0,24])"),
       "unsafe: FILE: 'a': the size of the tensor overflows"},
      {tensor(R"("dtype":"F32","shape":[5],"data_offsets":[0,24])"), "malformed: FILE: 'a': the tensor needs 160 bits"},
      {tensor(R"("dtype":"F4","shape":[47],"data_offsets":[0,24])"), "malformed: FILE: 'a': the tensor needs 188 bits"},
      {tensor(R"("dtype":"F6_E2M3","shape":[32],"data_offsets":[0,24])"),
       "malformed: FILE: 'a': the dtype 'F6_E2M3' is not supported"},
      {tensor(R"("dtype":"F32","shape":[5],"data_offsets":[4,24])"), "unsafe: FILE: 'a': its data_offsets leave a gap"},
      {tensor(R"("dtype":"F32","shape":[7],"data_offsets":[0,28])"),
       "malformed: FILE: 'a': its data_offsets lie beyond the end"},
      {tensor(R"("dtype":"F32","shape":[5],"data_offsets":[0,20])"),
       "unsafe: FILE: has 4 bytes that belong to no tensor"},
      {tensor(R"("dtype":"F32","shape":[0],"data_offsets":[0,18446744073709551615])"),
       "malformed: FILE: 'a': its data_offsets lie beyond"},
      {header(with_offsets("[8,0]", "[8,24]")), "unsafe: FILE: 'a': its data_offsets leave a gap"},
      {header(with_offsets("[0,8]", "[4,20]")), "unsafe: FILE: 'b': its data_offsets leave a gap, overlap"},
      {header(with_offsets("[0,16]", "[0,16]")), "malformed: FILE: 'a': the tensor needs 64 bits"},
  };
  for (const auto& [content, error] : rows) {
    const auto file = dir.write("bad.safetensors", content);
    std::string expected = error;
    expected.replace(expected.find("FILE"), 4, file.string());
    CHECK_THAT(error_of([&] { read_all(file); }), Contains(expected));
  }
  std::string axes = "1";
  for (int i = 0; i < 64; ++i) axes += ",1";
  CHECK_THAT(error_of([&] {
               read_all(dir.write("bad.safetensors",
                                  tensor(fmt::format(R"("dtype":"F32","shape":[{}],"data_offsets":[0,4])", axes))));
             }),
             Contains("'a': has over 64 axes"));
}

TEST_CASE("safetensors: deeply nested JSON is refused without recursion") {
  const temporary_directory dir;
  const std::string deep = R"({"a":)" + std::string(5'000'000, '[') + "}";
  CHECK_THAT(error_of([&] { read_all(dir.write("d.safetensors", safetensors(deep, ""))); }),
             Contains("a list is not expected here"));
}

TEST_CASE("safetensors: every prefix of a file is refused") {
  const temporary_directory dir;
  const std::string whole = safetensors(with_offsets("[0,8]", "[8,24]"), floats);
  for (std::size_t n = 0; n < whole.size(); ++n)
    CHECK(error_of([&] { read_all(dir.write("p.safetensors", whole.substr(0, n))); }) != "no error");
}
