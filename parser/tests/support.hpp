// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <jaxpr/jaxpr.hpp>

namespace support {

inline std::filesystem::path parser_dir() { return JAXPR_PARSER_DIR; }

inline std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files below `folder` with this extension, sorted.
inline std::vector<std::filesystem::path> files(const std::filesystem::path& folder, std::string_view extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == extension) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The tokens of a text, split at blanks. A `;` at the end of a longer token is dropped.
inline std::vector<std::string_view> tokens(std::string_view text) {
  std::vector<std::string_view> found;
  constexpr std::string_view blanks = " \n\r\t";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    std::string_view token = text.substr(at, end - at);
    if (token.size() > 1 && token.ends_with(';')) token.remove_suffix(1);
    found.push_back(token);
    at = text.find_first_not_of(blanks, end);
  }
  return found;
}

/// The code of the error that parsing the text throws; empty if the text is accepted.
inline std::string refusal(std::string_view text, const jaxpr::parse_options& options = {}) {
  try {
    (void)jaxpr::parse(text, options);
    return {};
  } catch (const jaxpr::error& e) {
    return e.details().code;
  }
}

}  // namespace support
