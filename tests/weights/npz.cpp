// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <jax2onnx/weights/npz.hpp>
#include <jax2onnx/weights/zip_directory.hpp>
#include <jax2onnx/weights/zip_fields.hpp>
#include <jax2onnx/weights/zip_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;
using Catch::Matchers::Contains;

namespace {

const std::string floats = raw<float>({1, 2, 3, 4, 5, 6});
const std::string array_file = npy("<f4", "(2, 3)", floats);

member stored(std::string name) { return {.name = std::move(name), .content = array_file}; }
member packed(std::string name) { return {.name = std::move(name), .content = array_file, .deflate = true}; }

std::vector<std::string> names(const std::vector<weight>& ws) {
  std::vector<std::string> out;
  for (const weight& w : ws) out.push_back(w.name);
  return out;
}

}  // namespace

TEST_CASE("npz: stored members are views of the archive, deflated ones are inflated when read") {
  const temporary_directory dir;
  const auto file = dir.write("w.npz", archive({stored("a.npy"), packed("b.npy")}));
  const auto ws = read_weights(file);
  REQUIRE(names(ws) == std::vector<std::string>{"a", "b"});
  CHECK(streamed(ws[0]) == floats);
  CHECK(streamed(ws[1]) == floats);
  for (const weight& w : ws) {
    const auto view = w.data->view();
    CHECK(std::string(reinterpret_cast<const char*>(view.data()), view.size()) == floats);
  }
  const auto place = ws[0].data->location();
  REQUIRE(place);
  CHECK(read_file(file).substr(place->offset, place->length) == floats);
  CHECK_FALSE(ws[1].data->location());
}

TEST_CASE("npz: an inflated member is kept in memory only when it is small") {
  const temporary_directory dir;
  for (const std::int64_t n : {1024, 1025}) {
    member m = packed("a.npy");
    m.content = npy("<f4", fmt::format("({},)", n), raw(std::vector<float>(static_cast<std::size_t>(n))));
    const auto ws = read_weights(dir.write("w.npz", archive({m})));
    CHECK(ws[0].data->view().size() == (n == 1024 ? 4096u : 0u));
  }
}

TEST_CASE("npz: numpy's own names are positional and sorted by number") {
  const temporary_directory dir;
  const auto ws =
      read_weights(dir.write("w.npz", archive({stored("arr_10.npy"), stored("arr_2.npy"), stored("arr_0.npy")})));
  CHECK(names(ws) == std::vector<std::string>{"arr_0", "arr_2", "arr_10"});
  CHECK_FALSE(ws[0].named);
  const auto mixed =
      read_weights(dir.write("m.npz", archive({stored("w.npy"), stored("arr_1.npy"), stored("arr_01.npy")})));
  CHECK(names(mixed) == std::vector<std::string>{"w", "arr_1", "arr_01"});
  CHECK(mixed[0].named);
  CHECK_FALSE(mixed[1].named);
  CHECK(mixed[2].named);
}

TEST_CASE("npz: keys with slashes, UTF-8 names, comments, zip64 and an archive without members") {
  const temporary_directory dir;
  member utf8 = stored("gewicht_\xc3\xa4.npy");
  utf8.flags = 1 << 11;
  CHECK(names(read_weights(
            dir.write("a.npz", archive({stored("block_0/kernel.npy"), utf8}, {.comment = "made by hand"})))) ==
        std::vector<std::string>{"block_0/kernel", "gewicht_\xc3\xa4"});
  member wide = stored("a.npy"), wide_packed = packed("b.npy");
  wide.zip64 = wide_packed.zip64 = true;
  for (const weight& w : read_weights(dir.write("z.npz", archive({wide, wide_packed}, {.zip64 = true}))))
    CHECK(streamed(w) == floats);
  CHECK(read_weights(dir.write("e.npz", archive({}))).empty());
}

TEST_CASE("npz: the stored size of a deflated array is that in the archive, in any order") {
  const temporary_directory dir;
  for (bool fortran : {false, true}) {
    const std::string zeros = npy("<i2", "(100, 100)", std::string(20000, '\0'), fortran);
    const auto ws = read_weights(dir.write(
        "z.npz", archive({{.name = "z.npy", .content = zeros, .deflate = true}, {.name = "s.npy", .content = zeros}})));
    CHECK(ws.at(0).data->stored_size() < 1000);
    CHECK(ws.at(1).data->stored_size() == 20000);
  }
}

TEST_CASE("npz: a deflated Fortran-order array") {
  const temporary_directory dir;
  const std::string f = npy("<i2", "(2, 3)", raw<std::int16_t>({1, 4, 2, 5, 3, 6}), true);
  for (bool deflate : {false, true})
    CHECK(streamed(
              read_weights(dir.write("f.npz", archive({{.name = "f.npy", .content = f, .deflate = deflate}}))).at(0)) ==
          raw<std::int16_t>({1, 2, 3, 4, 5, 6}));
}

TEST_CASE("npz: hostile and damaged archives are refused") {
  const temporary_directory dir;
  const auto changed = [](member m, auto change) {
    change(m);
    return m;
  };
  const auto one = [&](auto change, bool deflate = false) {
    return archive({changed(deflate ? packed("a.npy") : stored("a.npy"), change)});
  };
  const std::string sound = archive({stored("a.npy")});
  const std::string bomb(2'000'000, '\0');
  const std::pair<std::string, const char*> rows[] = {
      {one([](member& m) { m.flags = 1; }), "unsafe: FILE: 'a.npy': the member is encrypted"},
      {one([](member& m) { m.method = 12; }), "unsafe: FILE: 'a.npy': the member has compression method 12"},
      {one([](member& m) { m.local_name = "b.npy"; }), "unsafe: FILE: 'a.npy': the member's two zip headers differ"},
      {one([](member& m) { m.size = 100; }), "unsafe: FILE: 'a.npy': the member's sizes are impossible"},
      {one([](member& m) { m.size = 1u << 30; }, true), "unsafe: FILE: 'a.npy': the member's sizes are impossible"},
      {one([](member& m) { m.crc = 1; }), "malformed: FILE: 'a.npy': the checksum (CRC-32) differs"},
      {one([](member& m) { m.crc = 1; }, true), "malformed: FILE: 'a.npy': the checksum (CRC-32) differs"},
      {one([](member& m) { m.content += 'x'; }, true),
       "malformed: FILE: 'a.npy': has 25 bytes after its header, but the array needs 24"},
      {one([](member& m) { m.stored = deflated(array_file + "x"); }, true),
       "unsafe: FILE: 'a.npy': the deflated data go on after the end"},
      {one([](member& m) { m.stored = deflated(array_file.substr(0, 140)); }, true),
       "malformed: FILE: 'a.npy': the deflated data end before the array"},
      {one([](member& m) { m.stored = deflated(array_file) + "x"; }, true),
       "malformed: FILE: 'a.npy': the deflated data end before the member"},
      {one([](member& m) { m.stored = std::string(60, '\xff'); }, true),
       "malformed: FILE: 'a.npy': the deflated data are damaged"},
      {one([&](member& m) { m.stored = deflated(bomb), m.content = bomb; }, true),
       "malformed: FILE: 'a.npy': is not a .npy array"},
      {one([](member& m) {
         m.name = "a.txt";
         m.local_name = {};
       }),
       "malformed: FILE: 'a.txt': is not an array"},
      {one([](member& m) { m.name = "../a.npy"; }),
       "unsafe: FILE: '../a.npy': the member's name is not a plain relative name"},
      {one([](member& m) { m.name = "/a.npy"; }),
       "unsafe: FILE: '/a.npy': the member's name is not a plain relative name"},
      {one([](member& m) { m.name = "a\\b.npy"; }),
       "unsafe: FILE: 'a\\b.npy': the member's name is not a plain relative name"},
      {one([](member& m) { m.name = std::string("a\0.npy", 6); }),
       "unsafe: FILE: 'a\\x00.npy': the member's name has control characters"},
      {one([](member& m) { m.name = "\xc3\xa4.npy"; }),
       "malformed: FILE: '\\xc3\\xa4.npy': the member's name is not UTF-8"},
      {one([](member& m) { m.offset = 1u << 30; }), "malformed: FILE: 'a.npy': the member lies beyond the end"},
      {one([](member& m) { m.offset = 3; }), "malformed: FILE: 'a.npy': the member has no local header"},
      {one([](member& m) { m.zip64 = true, m.extra = std::string("\1\0\x10\0", 4) + std::string(16, '\0'); }),
       "unsafe: FILE: 'a.npy': the zip header has two zip64"},
      {one([](member& m) { m.extra = std::string("\1\0\xff\0", 4); }),
       "malformed: FILE: 'a.npy': a zip header is cut short"},
      {archive({stored("a.npy"), stored("a.npy")}), "unsafe: FILE: 'a.npy': two members have this name"},
      {archive({stored("a.npy"),
                changed(stored("a.npy"), [](member& m) { m.name = "b.npy", m.local_name = "a.npy", m.offset = 0; })}),
       "unsafe: FILE: 'b.npy': the member's two zip headers differ"},
      {archive({stored(std::string(60, 'a') + ".npy")}, {.count = 2}),
       "malformed: FILE: the zip directory has fewer members than its end record says"},
      {archive({stored("a.npy"), stored("b.npy")}, {.count = 1}),
       "malformed: FILE: the zip directory has more members than its end record says"},
      {archive({stored("a.npy")}, {.count = 60'000}), "unsafe: FILE: the zip directory has 60000 members"},
      {archive({stored("a.npy")}, {.before_end = "xx"}),
       "unsafe: FILE: the zip directory does not lie right before the end record"},
      {"PK\3\4" + sound, "unsafe: FILE: the zip directory does not lie right before the end record"},
      {archive({stored("a.npy")}, {.comment = "PK\5\6" + std::string(18, '\0')}),
       "unsafe: FILE: the zip archive has two end records"},
      {sound + "x", "malformed: FILE: the zip archive has no end record"},
      {std::string(sound).replace(sound.find("PK\1\2"), 4, "PK\1\1"), "malformed: FILE: the zip directory is damaged"},
      {archive({{.name = "o.npy", .content = npy("|O", "(1,)", "cos\nsystem\n")}}),
       "unsafe: FILE: 'o.npy': arrays of Python objects are pickles"},
  };
  for (const auto& [content, error] : rows) {
    const auto file = dir.write("bad.npz", content);
    std::string expected = error;
    expected.replace(expected.find("FILE"), 4, file.string());
    CHECK_THAT(error_of([&] { read_all(file); }), Contains(expected));
  }
}

TEST_CASE("npz: split archives, impossible zip64 records and members over the directory are refused") {
  const temporary_directory dir;
  const auto patched = [](std::string file, std::string_view signature, std::size_t at, std::string_view bytes) {
    return file.replace(file.find(signature) + at, bytes.size(), bytes);
  };
  const std::string sound = archive({stored("a.npy")}), large = archive({stored("a.npy")}, {.zip64 = true});
  const std::string many = le(std::uint64_t{200'000}), longer = le(static_cast<std::uint32_t>(array_file.size() + 8));
  const std::pair<std::string, const char*> rows[] = {
      {patched(sound, "PK\5\6", 4, "\1"), "unsafe: FILE: the zip archive is split into several files"},
      {patched(sound, "PK\5\6", 6, "\1"), "unsafe: FILE: the zip archive is split into several files"},
      {patched(sound, "PK\1\2", 34, "\1"), "unsafe: FILE: 'a.npy': the zip archive is split into several files"},
      {patched(large, "PK\6\6", 16, "\1"), "unsafe: FILE: the zip archive is split into several files"},
      {patched(large, "PK\6\7", 16, "\2"), "unsafe: FILE: the zip archive is split into several files"},
      {patched(large, "PK\6\7", 8, "\1"), "unsafe: FILE: the zip64 end record does not lie right before its locator"},
      {patched(large, "PK\6\6", 4, "\1"), "malformed: FILE: the zip64 end record is damaged"},
      {patched(large, "PK\6\6", 24, many + many), "unsafe: FILE: the zip directory has 200000 members"},
      {patched(large, "PK\6\6", 40, std::string(8, '\xff')),
       "unsafe: FILE: the zip directory does not lie right before"},
      {patched(large, "PK\6\6", 48, std::string(8, '\xff')),
       "unsafe: FILE: the zip directory does not lie right before"},
      {patched(patched(sound, "PK\3\4", 18, longer + longer), "PK\1\2", 20, longer + longer),
       "unsafe: FILE: 'a.npy': the member overlaps the zip directory"},
  };
  for (const auto& [content, error] : rows) {
    const auto file = dir.write("bad.npz", content);
    std::string expected = error;
    expected.replace(expected.find("FILE"), 4, file.string());
    CHECK_THAT(error_of([&] { read_all(file); }), Contains(expected));
  }
}

TEST_CASE("npz: a member within another one is refused") {
  const temporary_directory dir;
  // The content of the outer member is itself a complete member; the directory lists both.
  const std::string inner_archive = archive({stored("in.npy")});
  const std::string local = inner_archive.substr(0, inner_archive.find("PK\1\2"));
  const std::string payload = npy("|u1", fmt::format("({},)", local.size()), local);
  member outer{.name = "out.npy", .content = payload};
  member inner = stored("in.npy");
  inner.offset = static_cast<std::uint32_t>(30 + outer.name.size() + payload.size() - local.size());
  std::string both = archive({outer, inner});
  CHECK_THAT(error_of([&] { read_all(dir.write("o.npz", both)); }), Contains("overlaps another member"));
}

TEST_CASE("npz: every prefix of an archive is refused") {
  const temporary_directory dir;
  const std::string whole = archive({stored("a.npy"), packed("b.npy")});
  for (std::size_t n = 0; n < whole.size(); ++n)
    CHECK(error_of([&] { read_all(dir.write("p.npz", whole.substr(0, n))); }) != "no error");
}

TEST_CASE("npz: no flipped bit goes unnoticed, save in fields that nothing depends on") {
  const temporary_directory dir;
  const std::string whole = archive({stored("arr_0.npy"), packed("arr_1.npy")});
  for (std::size_t i = 0; i < whole.size() * 8; ++i) {
    std::string damaged = whole;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    const auto file = dir.write("f.npz", damaged);
    if (error_of([&] { read_all(file); }) != "no error") continue;
    for (const weight& w : read_weights(file)) CHECK(streamed(w) == floats);
  }
}
