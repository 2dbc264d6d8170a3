// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/element_count.hpp>
#include <jax2onnx/weights/npy.hpp>
#include <jax2onnx/weights/npy_header.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

const std::string floats = raw<float>({1, 2, 3, 4, 5, 6});

struct refusal {
  std::string file, error;
};

}  // namespace

TEST_CASE("npy: an array is a view of the file") {
  const temporary_directory dir;
  for (int version : {1, 2, 3}) {
    const auto ws = read_weights(dir.write("kernel.npy", npy("<f4", "(2, 3)", floats, false, version)));
    REQUIRE(ws.size() == 1);
    const weight& w = ws[0];
    CHECK(w.name == "kernel");
    CHECK(w.named);
    CHECK(w.type == "<f4");
    CHECK(w.kind == stored_kind::floating);
    CHECK(w.item_bits == 32);
    CHECK(w.shape == std::vector<std::int64_t>{2, 3});
    CHECK(streamed(w) == floats);
    CHECK(w.data->view().size() == floats.size());
    CHECK(w.data->location()->offset == 128);
    CHECK(w.data->location()->length == 24);
  }
}

TEST_CASE("npy: the types of numpy and the raw ones of ml_dtypes") {
  const temporary_directory dir;
  const std::tuple<const char*, stored_kind, std::uint32_t> rows[] = {
      {"|b1", stored_kind::boolean, 8},         {"|i1", stored_kind::signed_integer, 8},
      {"<i8", stored_kind::signed_integer, 64}, {"<u2", stored_kind::unsigned_integer, 16},
      {"<f2", stored_kind::floating, 16},       {"<c8", stored_kind::complex, 64},
      {"<c16", stored_kind::complex, 128},      {"|V2", stored_kind::raw, 16},
      {"<f1", stored_kind::float8_e5m2, 8},     {"<V1", stored_kind::raw, 8}};
  for (const auto& [descr, kind, item_bits] : rows) {
    const weight w = read_weights(dir.write("a.npy", npy(descr, "(2,)", std::string(item_bits / 4, 'x')))).at(0);
    CHECK(w.kind == kind);
    CHECK(w.item_bits == item_bits);
  }
}

TEST_CASE("npy: scalars and arrays without elements") {
  const temporary_directory dir;
  const weight scalar = read_weights(dir.write("s.npy", npy("<f8", "()", raw<double>({2.5})))).at(0);
  CHECK(scalar.shape.empty());
  CHECK(streamed(scalar) == raw<double>({2.5}));
  const weight empty = read_weights(dir.write("e.npy", npy("<f8", "(0, 4611686018427387903)", "", true))).at(0);
  CHECK(empty.data->size() == 0);
  CHECK(streamed(empty).empty());
}

TEST_CASE("npy: big-endian elements are swapped, complex ones by halves") {
  const temporary_directory dir;
  const weight w = read_weights(dir.write("b.npy", npy(">i2", "(2,)", std::string("\0\1\2\3", 4)))).at(0);
  CHECK(streamed(w) == std::string("\1\0\3\2", 4));
  CHECK(w.data->view()[0] == std::byte{1});
  CHECK_FALSE(w.data->location());
  const weight c = read_weights(dir.write("c.npy", npy(">c8", "(1,)", "abcdefgh"))).at(0);
  CHECK(streamed(c) == "dcbahgfe");
}

TEST_CASE("npy: Fortran order is made row major") {
  const temporary_directory dir;
  const weight w =
      read_weights(dir.write("f.npy", npy("<i2", "(2, 3)", raw<std::int16_t>({1, 4, 2, 5, 3, 6}), true))).at(0);
  CHECK(streamed(w) == raw<std::int16_t>({1, 2, 3, 4, 5, 6}));
  const weight swapped =
      read_weights(dir.write("g.npy", npy(">i2", "(2, 2)", std::string("\0\1\0\2\0\3\0\4", 8), true))).at(0);
  CHECK(streamed(swapped) == raw<std::int16_t>({1, 3, 2, 4}));
  const weight row = read_weights(dir.write("r.npy", npy("<f4", "(1, 6)", floats, true))).at(0);
  CHECK(row.data->location());
}

TEST_CASE("npy: what is damaged or unsafe is refused") {
  const temporary_directory dir;
  const auto header = [](std::string text) { return npy_with(std::move(text)); };
  const refusal rows[] = {
      {"", "malformed: FILE: is empty"},
      {"hello", "malformed: FILE: is not a .npz, .npy"},
      {"\x93NUMPY", "malformed: FILE: the .npy header is cut short"},
      {std::string("\x93NUMPY\4\0\0\0", 10), "malformed: FILE: unknown .npy version 4.0"},
      {std::string("\x93NUMPY\1\0\x10\0{", 11), "malformed: FILE: the .npy header is cut short"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "unsafe: FILE: the .npy header has 4294967295 bytes"},
      {npy("|O", "(1,)", "x"), "unsafe: FILE: arrays of Python objects are pickles"},
      {npy("<U4", "(1,)", "x"), "malformed: FILE: the dtype '<U4' is not supported"},
      {npy("f4", "(1,)", "x"), "malformed: FILE: the dtype 'f4' is not supported"},
      {npy("", "(1,)", "x"), "malformed: FILE: the dtype '' is not supported"},
      {npy("<f4", "(2, 3)", floats.substr(1)),
       "malformed: FILE: has 23 bytes after the header, but its array needs 24"},
      {npy("<f4", "(2, 3)", floats + "x"), "malformed: FILE: has 25 bytes after the header, but its array needs 24"},
      {npy("<f4", "(-1,)", ""), "malformed: FILE: the .npy header needs a non-negative integer"},
      {npy("<f4", "(2 3)", ""), "malformed: FILE: the .npy header needs ',' or ')'"},
      {npy("<f4", "(1e3,)", ""), "malformed: FILE: the .npy header needs ',' or ')'"},
      {npy("<f4", "[1]", ""), "malformed: FILE: the .npy header needs ("},
      {npy("<f4", "(4611686018427387904,)", ""), "unsafe: FILE: an extent of the array is not below 2^62"},
      {npy("<f4", "(99999999999999999999,)", ""), "unsafe: FILE: an extent of the array is not below 2^62"},
      {npy("<f4", "(4294967296, 4294967296)", ""), "unsafe: FILE: the size of the array overflows 64 bits"},
      {npy("<f8", "(2305843009213693952,)", ""), "unsafe: FILE: the size of the array overflows 64 bits"},
      {npy("<f4", "(" + std::string(195, '1').replace(1, 194, std::string(194, ',')) + ")", ""),
       "malformed: FILE: the .npy header needs a non-negative"},
      {header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
       "malformed: FILE: structured dtypes"},
      {header("{'descr': '<f4', 'fortran_order': False}"), "malformed: FILE: the .npy header lacks"},
      {header("{'descr': '<f4', 'descr': '|O', 'fortran_order': False, 'shape': ()}"),
       "malformed: FILE: the .npy header has the key 'descr' twice"},
      {header("{'descr': '<f4', 'x': 1}"), "malformed: FILE: the .npy header has an unknown key 'x'"},
      {header("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}"), "malformed: FILE: the .npy header needs False"},
      {header("{'descr': '<f4', 'fortran_order': True, 'shape': ()} + exit()"),
       "malformed: FILE: the .npy header needs its end"},
      {header("{'descr': '\\x3cf4'"), "malformed: FILE: the .npy header needs a string without escapes"},
      {header("{'descr': '<f4"), "malformed: FILE: the .npy header needs a string"},
  };
  for (const refusal& r : rows) {
    const auto file = dir.write("bad.npy", r.file);
    std::string expected = r.error;
    expected.replace(expected.find("FILE"), 4, file.string());
    CHECK_THAT(error_of([&] { read_all(file); }), Contains(expected));
  }
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1, ";
  CHECK_THAT(error_of([&] { read_all(dir.write("bad.npy", npy("<f4", many + ")", ""))); }),
             Contains("has over 64 axes"));
}

TEST_CASE("npy: every prefix of a file is refused") {
  const temporary_directory dir;
  const std::string whole = npy("<f4", "(2, 3)", floats);
  for (std::size_t n = 0; n < whole.size(); ++n)
    CHECK(error_of([&] { read_all(dir.write("p.npy", whole.substr(0, n))); }) != "no error");
}
