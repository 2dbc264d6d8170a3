// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>
#include <jax2onnx/weights/zip_fields.hpp>

namespace jax2onnx::detail {

/// A member of a zip archive whose central and local headers agree.
struct zip_member {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t header = 0;      // offset of the local header
  std::uint64_t data = 0;        // offset of the stored bytes
  std::uint64_t compressed = 0;  // bytes in the archive
  std::uint64_t size = 0;        // bytes when inflated
};

/// Reads the directory of a zip archive (PKWARE APPNOTE 6.3) strictly, since archives may be hostile. There must be one
/// end record with the directory right before it, and local headers must agree with the directory. Members must not
/// overlap and must be stored or deflated. Nothing may be encrypted or split.
class zip_directory {
 public:
  explicit zip_directory(const input_file& file) : file_(file), site_(file.site()) {}
  /// The members in directory order. Throws file_error for any other archive.
  std::vector<zip_member> read();

 private:
  static constexpr std::uint64_t member_limit = 100'000;
  static constexpr std::uint64_t directory_limit = std::uint64_t{64} << 20;
  static constexpr std::uint64_t end_size = 22, end64_size = 56, locator_size = 20, local_size = 30, central_size = 46;
  static constexpr std::uint32_t none32 = 0xffffffff;

  struct extent {
    std::uint64_t offset = 0, size = 0, count = 0;
  };
  std::uint64_t find_end() const;
  extent find_directory() const;
  extent read_end64(std::uint64_t end) const;
  zip_member read_central(zip_fields& f) const;
  void check_local(zip_member& m, std::uint16_t flags, std::uint16_t method) const;
  void check_name(const zip_member& m, std::uint16_t flags, const file_site& at) const;
  void check_overlaps(std::vector<zip_member> members, std::uint64_t directory) const;
  /// Replaces values whose bits are all ones by the values of the zip64 field in an extra area.
  static void widen(std::string_view extra, std::initializer_list<std::uint64_t*> values, const file_site& at);

  const input_file& file_;
  file_site site_;
};

inline std::vector<zip_member> zip_directory::read() {
  const extent where = find_directory();
  const std::string text = file_.read_string(where.offset, where.size);
  zip_fields fields(text, site_);
  std::vector<zip_member> members;
  text_index names;
  while (!fields.empty()) {
    if (members.size() == where.count) site_.malformed("the zip directory has more members than its end record says");
    members.push_back(read_central(fields));
    if (!names.add(members.back().name)) site_.at(members.back().name).unsafe("two members have this name");
  }
  if (members.size() != where.count) site_.malformed("the zip directory has fewer members than its end record says");
  check_overlaps(members, where.offset);
  return members;
}

// An end record is valid if its comment ends with the file. If two were valid, two readers could see two different
// archives.
inline std::uint64_t zip_directory::find_end() const {
  constexpr std::uint64_t longest_comment = 0xffff;
  const std::uint64_t begin = file_.size() - std::min(file_.size(), end_size + longest_comment);
  const std::string tail = file_.read_string(begin, file_.size() - begin);
  std::size_t found = std::string::npos;
  for (std::size_t at = tail.find("PK\5\6"); at != std::string::npos; at = tail.find("PK\5\6", at + 1)) {
    if (tail.size() - at < end_size) break;
    const std::size_t comment = static_cast<unsigned char>(tail[at + 20]) |
                                static_cast<std::size_t>(static_cast<unsigned char>(tail[at + 21])) << 8;
    if (at + end_size + comment != tail.size()) continue;
    if (found != std::string::npos) site_.unsafe("the zip archive has two end records");
    found = at;
  }
  if (found == std::string::npos)
    site_.malformed("the zip archive has no end record: it is cut short, or is another kind of file",
                    "save or download the file again");
  return begin + found;
}

inline zip_directory::extent zip_directory::find_directory() const {
  const std::uint64_t end = find_end();
  const std::string record = file_.read_string(end, end_size);
  zip_fields f(record, site_);
  f.take(4);
  const auto disk = f.next<std::uint16_t>(), first_disk = f.next<std::uint16_t>();
  const auto here = f.next<std::uint16_t>(), total = f.next<std::uint16_t>();
  const auto size = f.next<std::uint32_t>(), offset = f.next<std::uint32_t>();
  extent where{offset, size, total};
  std::uint64_t directory_end = end;
  if (end >= locator_size && file_.read_string(end - locator_size, 4) == "PK\6\7") {
    where = read_end64(end);
    directory_end = end - locator_size - end64_size;
  } else if (disk != 0 || first_disk != 0 || here != total) {
    site_.unsafe("the zip archive is split into several files");
  }
  if (where.size > directory_end || where.offset != directory_end - where.size)
    site_.unsafe("the zip directory does not lie right before the end record");
  if (where.count > member_limit || where.size > directory_limit || where.count * central_size > where.size)
    site_.unsafe(
        message("the zip directory has {} member{|s} in {} byte{|s}; this is impossible, or over the limit of {} "
                "members or {} bytes",
                where.count, where.size, member_limit, directory_limit));
  return where;
}

inline zip_directory::extent zip_directory::read_end64(std::uint64_t end) const {
  const std::string locator = file_.read_string(end - locator_size, locator_size);
  zip_fields l(locator, site_);
  l.take(4);
  const auto disk = l.next<std::uint32_t>();
  const auto at = l.next<std::uint64_t>();
  const auto disks = l.next<std::uint32_t>();
  if (end < locator_size + end64_size || at != end - locator_size - end64_size)
    site_.unsafe("the zip64 end record does not lie right before its locator");
  const std::string record = file_.read_string(at, end64_size);
  zip_fields f(record, site_);
  if (f.take(4) != "PK\6\6" || f.next<std::uint64_t>() != end64_size - 12)
    site_.malformed("the zip64 end record is damaged");
  f.take(4);
  const auto this_disk = f.next<std::uint32_t>(), first_disk = f.next<std::uint32_t>();
  const auto here = f.next<std::uint64_t>(), total = f.next<std::uint64_t>();
  if (disk != 0 || disks > 1 || this_disk != 0 || first_disk != 0 || here != total)
    site_.unsafe("the zip archive is split into several files");
  const auto size = f.next<std::uint64_t>(), offset = f.next<std::uint64_t>();
  return {offset, size, total};
}

inline zip_member zip_directory::read_central(zip_fields& f) const {
  if (f.take(4) != "PK\1\2") site_.malformed("the zip directory is damaged");
  f.take(4);
  const auto flags = f.next<std::uint16_t>(), method = f.next<std::uint16_t>();
  f.take(4);
  zip_member m;
  m.crc = f.next<std::uint32_t>();
  m.compressed = f.next<std::uint32_t>();
  m.size = f.next<std::uint32_t>();
  const auto name = f.next<std::uint16_t>(), extra = f.next<std::uint16_t>(), comment = f.next<std::uint16_t>();
  std::uint64_t disk = f.next<std::uint16_t>();
  f.take(6);
  m.header = f.next<std::uint32_t>();
  m.name = std::string(f.take(name));
  const file_site at = site_.at(m.name);
  widen(f.take(extra), {&m.size, &m.compressed, &m.header}, at);
  f.take(comment);
  if (disk != 0) at.unsafe("the zip archive is split into several files");
  check_name(m, flags, at);
  constexpr std::uint16_t encrypted = 1 | 1 << 6 | 1 << 13;
  if (flags & encrypted) at.unsafe("the member is encrypted");
  if (method != 0 && method != 8)
    at.unsafe(message("the member has compression method {}; only stored and deflated members are read", method),
              "numpy.savez and numpy.savez_compressed write such archives");
  m.deflated = method == 8;
  check_local(m, flags, method);
  return m;
}

inline void zip_directory::widen(std::string_view extra, std::initializer_list<std::uint64_t*> values,
                                 const file_site& at) {
  zip_fields f(extra, at);
  bool seen = false;
  while (!f.empty()) {
    const auto id = f.next<std::uint16_t>(), size = f.next<std::uint16_t>();
    const std::string_view content = f.take(size);
    if (id != 1) continue;
    if (std::exchange(seen, true)) at.unsafe("the zip header has two zip64 fields");
    zip_fields wide(content, at);
    for (std::uint64_t* v : values)
      if (*v == none32) *v = wide.next<std::uint64_t>();
  }
}

inline void zip_directory::check_local(zip_member& m, std::uint16_t flags, std::uint16_t method) const {
  const file_site at = site_.at(m.name);
  if (!file_.contains(m.header, local_size)) at.malformed("the member lies beyond the end of the archive");
  const std::string fixed = file_.read_string(m.header, local_size);
  zip_fields f(fixed, at);
  if (f.take(4) != "PK\3\4") at.malformed("the member has no local header");
  f.take(2);
  const auto local_flags = f.next<std::uint16_t>(), local_method = f.next<std::uint16_t>();
  f.take(4);
  const auto crc = f.next<std::uint32_t>();
  std::uint64_t compressed = f.next<std::uint32_t>(), size = f.next<std::uint32_t>();
  const auto name = f.next<std::uint16_t>(), extra = f.next<std::uint16_t>();
  if (!file_.contains(m.header + local_size, std::uint64_t{name} + extra))
    at.malformed("the member lies beyond the end of the archive");
  const std::string variable = file_.read_string(m.header + local_size, std::uint64_t{name} + extra);
  widen(std::string_view(variable).substr(name), {&size, &compressed}, at);
  constexpr std::uint16_t sizes_follow = 1 << 3;
  const bool sizes_agree = (flags & sizes_follow) || (crc == m.crc && compressed == m.compressed && size == m.size);
  if (local_flags != flags || local_method != method || std::string_view(variable).substr(0, name) != m.name ||
      !sizes_agree)
    at.unsafe("the member's two zip headers differ");
  m.data = m.header + local_size + name + extra;
  if (!file_.contains(m.data, m.compressed)) at.malformed("the member lies beyond the end of the archive");
  constexpr std::uint64_t densest = 1032;  // the highest compression ratio of deflate
  if (m.deflated ? m.size / densest > m.compressed : m.size != m.compressed)
    at.unsafe("the member's sizes are impossible");
}

// Names are never used as paths here. Names that would attack a program that uses them as paths are refused anyway.
inline void zip_directory::check_name(const zip_member& m, std::uint16_t flags, const file_site& at) const {
  constexpr std::uint16_t utf8 = 1 << 11;
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const auto foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (m.name.empty() || item_loops::any_of(m.name, control))
    at.unsafe("the member's name has control characters, or is empty");
  if (!(flags & utf8) && item_loops::any_of(m.name, foreign)) at.malformed("the member's name is not UTF-8");
  const std::string slashed = '/' + m.name + '/';
  if (m.name.find('\\') != std::string::npos || slashed.find("/../") != std::string::npos ||
      slashed.find("/./") != std::string::npos || slashed.find("//") != std::string::npos)
    at.unsafe("the member's name is not a plain relative name");
}

inline void zip_directory::check_overlaps(std::vector<zip_member> members, std::uint64_t directory) const {
  std::ranges::sort(members, {}, &zip_member::header);
  std::uint64_t end = 0;
  for (const zip_member& m : members) {
    if (m.header < end) site_.at(m.name).unsafe("the member overlaps another member");
    end = m.data + m.compressed;
    if (end > directory) site_.at(m.name).unsafe("the member overlaps the zip directory");
  }
}

}  // namespace jax2onnx::detail
