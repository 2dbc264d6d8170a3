// SPDX-License-Identifier: Apache-2.0
#pragma once

// Weights files made by code, valid and hostile ones.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/weights/read_weights.hpp>

namespace test_files {

/// A directory that is removed with its content.
class temporary_directory {
 public:
  temporary_directory() {
    static unsigned count = 0;
    do {
      path_ = std::filesystem::temp_directory_path() /
              fmt::format("jax2onnx-test-{}-{}", jax2onnx::platform::process_id(), count++);
    } while (!std::filesystem::create_directory(path_));
  }
  ~temporary_directory() {
    std::error_code none;  // Windows keeps files that are open
    std::filesystem::remove_all(path_, none);
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <typename T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::string le(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::string streamed(const jax2onnx::byte_source& source) {
  std::string s;
  source.stream(
      [&](std::span<const std::byte> piece) { s.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return s;
}
inline std::string streamed(const jax2onnx::weight& w) { return streamed(*w.data); }

/// `text` as the header of a .npy array.
inline std::string npy_with(std::string text, int version = 1) {
  const std::string start = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  const std::size_t prefix = version == 1 ? 10 : 12;
  text.append(63 - (prefix + text.size()) % 64, ' ').append(1, '\n');
  const auto size = static_cast<std::uint32_t>(text.size());
  return start + (version == 1 ? le(static_cast<std::uint16_t>(size)) : le(size)) + text;
}

inline std::string npy(std::string_view descr, std::string_view shape, std::string_view payload, bool fortran = false,
                       int version = 1) {
  return npy_with(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr,
                              fortran ? "True" : "False", shape),
                  version) +
         std::string(payload);
}

inline std::uint32_t crc_of(std::string_view s) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(s.data()), s.size()));
}

/// One block with the fixed Huffman codes of RFC 1951. Matches repeat the byte before them.
inline std::string deflated(std::string_view s) {
  std::string out;
  unsigned used = 8;
  const auto bit = [&](unsigned value) {
    if (used == 8) out += '\0', used = 0;
    out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) | value << used++);
  };
  const auto code = [&](unsigned value, unsigned length) {
    while (length > 0) bit(value >> --length & 1);
  };
  code(0b110, 3);  // the last block; fixed codes
  for (std::size_t i = 0; i < s.size();) {
    const std::string_view rest = s.substr(i);
    if (i > 0 && rest.size() >= 258 && rest.find_first_not_of(s[i - 1]) >= 258) {
      code(0b11000101, 8);  // 258 bytes
      code(0, 5);           // from one byte before
      i += 258;
    } else {
      const unsigned byte = static_cast<unsigned char>(s[i++]);
      byte < 144 ? code(0x30 + byte, 8) : code(0x190 + byte - 144, 9);
    }
  }
  code(0, 7);  // the end
  return out;
}

/// One member of an archive. Setting optional fields makes it hostile.
struct member {
  std::string name, content;
  bool deflate = false;
  std::optional<std::string> stored = {};  // the bytes in the archive
  std::optional<std::uint32_t> size = {}, crc = {}, offset = {};
  std::optional<std::uint16_t> method = {};
  std::uint16_t flags = 0;
  std::optional<std::string> local_name = {};
  std::string extra = {};
  bool zip64 = false;
};

struct archive_options {
  std::string before_end = {}, comment = {}, prefix = {};
  bool zip64 = false;
  std::optional<std::uint16_t> count = {};
};

inline std::string member_fields(const member& m, std::uint32_t compressed, std::uint32_t size) {
  return le(m.flags) + le(m.method.value_or(m.deflate ? 8 : 0)) + le(std::uint32_t{0}) +
         le(m.crc.value_or(crc_of(m.content))) + le(m.zip64 ? 0xffffffffu : compressed) +
         le(m.zip64 ? 0xffffffffu : size);
}

inline std::string archive(const std::vector<member>& members, const archive_options& options = {}) {
  std::string out = options.prefix, directory;
  for (const member& m : members) {
    const std::string stored = m.stored.value_or(m.deflate ? deflated(m.content) : m.content);
    const auto compressed = static_cast<std::uint32_t>(stored.size());
    const auto size = m.size.value_or(static_cast<std::uint32_t>(m.content.size()));
    const std::string sizes = le(std::uint64_t{size}) + le(std::uint64_t{compressed});
    const std::string extra = m.extra + (m.zip64 ? le(std::uint16_t{1}) + le(std::uint16_t{16}) + sizes : "");
    const std::string fields = member_fields(m, compressed, size), name = m.local_name.value_or(m.name);
    const auto offset = m.offset.value_or(static_cast<std::uint32_t>(out.size()));
    out += "PK\3\4" + le(std::uint16_t{45}) + fields + le(static_cast<std::uint16_t>(name.size())) +
           le(static_cast<std::uint16_t>(extra.size())) + name + extra + stored;
    directory += "PK\1\2" + le(std::uint16_t{45}) + le(std::uint16_t{45}) + fields +
                 le(static_cast<std::uint16_t>(m.name.size())) + le(static_cast<std::uint16_t>(extra.size())) +
                 std::string(10, '\0') + le(offset) + m.name + extra;
  }
  const auto at = static_cast<std::uint32_t>(out.size()), size = static_cast<std::uint32_t>(directory.size());
  const auto count = options.count.value_or(static_cast<std::uint16_t>(members.size()));
  out += directory + options.before_end;
  if (options.zip64) {
    const std::uint64_t end = out.size();
    out += "PK\6\6" + le(std::uint64_t{44}) + le(std::uint32_t{0x2d002d}) + le(std::uint64_t{0}) +
           le(std::uint64_t{count}) + le(std::uint64_t{count}) + le(std::uint64_t{size}) + le(std::uint64_t{at});
    out += "PK\6\7" + le(std::uint32_t{0}) + le(end) + le(std::uint32_t{1});
  }
  out += "PK\5\6" + le(std::uint32_t{0}) +
         (options.zip64 ? le(std::uint32_t{0xffffffff}) + le(std::uint64_t{~0ull})
                        : le(count) + le(count) + le(size) + le(at));
  return out + le(static_cast<std::uint16_t>(options.comment.size())) + options.comment;
}

inline std::string safetensors(std::string_view header, std::string_view data) {
  return le(static_cast<std::uint64_t>(header.size())) + std::string(header) + std::string(data);
}

/// The message of the file_error that `read` throws, prefixed with its fault: "unsafe: …".
inline std::string error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const jax2onnx::file_error& e) {
    const char* kind = e.kind() == jax2onnx::failure::unsafe ? "unsafe"
                       : e.kind() == jax2onnx::failure::io   ? "io"
                                                             : "malformed";
    return fmt::format("{}: {}", kind, e.what());
  }
  return "no error";
}

/// Reads all weights of a file, including all their bytes.
inline void read_all(const std::filesystem::path& file) {
  for (const jax2onnx::weight& w : jax2onnx::read_weights(file)) w.data->stream([](std::span<const std::byte>) {});
}

}  // namespace test_files
