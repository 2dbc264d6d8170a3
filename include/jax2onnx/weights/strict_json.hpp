// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/message.hpp>

#include <rapidjson/reader.h>
#include <rapidjson/stream.h>

namespace jax2onnx::detail {

/// A base class of JSON readers that refuses every event. A reader derives from strict_json<reader> and redefines the
/// events that it accepts; an event returns whether to continue.
template <class Reader>
class strict_json {
 public:
  bool key(const std::string&) { return refuse("a key is not expected here"); }
  bool null() { return refuse("null is not allowed"); }
  bool boolean(bool) { return refuse("true and false are not allowed"); }
  bool number_negative() { return refuse("negative numbers are not allowed"); }
  bool number_unsigned(std::uint64_t) { return refuse("a number is not expected here"); }
  bool number_float() { return refuse("only plain integers below 2^64 are allowed"); }
  bool string(const std::string&) { return refuse("a string is not expected here"); }
  bool start_object() { return refuse("an object is not expected here"); }
  bool start_array() { return refuse("a list is not expected here"); }
  bool end_object() { return true; }
  bool end_array() { return true; }
  /// The name of the part that is being read, for messages.
  std::string_view place() const { return {}; }

  /// Reads all of `text`. Throws file_error if it is not JSON (RFC 8259) or an event is refused.
  void read(std::string_view text, const file_site& site) {
    // Parses in place, because RapidJSON's stack for copies starts with arithmetic on a null pointer.
    std::string buffer(text);
    buffer.append(4, '\0');  // validating UTF-8 reads a character's bytes without checking for the end
    rapidjson::InsituStringStream stream(buffer.data());
    rapidjson::Reader reader;
    events taken{self()};
    constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseValidateEncodingFlag;
    const rapidjson::ParseResult done = reader.Parse<flags>(stream, taken);
    if (done.IsError() && done.Code() != rapidjson::kParseErrorTermination) damaged(done.Offset());
    // A NUL byte ends a RapidJSON stream.
    else if (!done.IsError() && stream.Tell() != text.size()) damaged(stream.Tell());
    if (reason_.empty()) return;
    const std::string_view part = self().place();
    (part.empty() ? site : site.at(part)).fail(kind_, reason_);
  }

 protected:
  bool refuse(std::string reason, failure kind = failure::malformed) {
    if (reason_.empty()) {
      reason_ = std::move(reason);
      kind_ = kind;
    }
    return false;
  }

 private:
  static constexpr int depth_limit = 16;  // RapidJSON recurses

  /// The handler for RapidJSON.
  struct events {
    using size = rapidjson::SizeType;
    Reader& to;
    int depth = 0;
    bool Null() { return to.null(); }
    bool Bool(bool b) { return to.boolean(b); }
    bool Int(int) { return to.number_negative(); }
    bool Int64(std::int64_t) { return to.number_negative(); }
    bool Uint(unsigned n) { return to.number_unsigned(n); }
    bool Uint64(std::uint64_t n) { return to.number_unsigned(n); }
    bool Double(double) { return to.number_float(); }
    bool RawNumber(const char*, size, bool) { return to.number_float(); }
    bool String(const char* s, size n, bool) { return to.string(std::string(s, n)); }
    bool Key(const char* s, size n, bool) { return to.key(std::string(s, n)); }
    bool StartObject() { return enter() && to.start_object(); }
    bool EndObject(size) { return --depth, to.end_object(); }
    bool StartArray() { return enter() && to.start_array(); }
    bool EndArray(size) { return --depth, to.end_array(); }
    bool enter() {
      return ++depth <= depth_limit ? true : to.refuse("the JSON text is nested too deeply", failure::unsafe);
    }
  };

  Reader& self() { return static_cast<Reader&>(*this); }
  void damaged(std::size_t offset) { refuse(message("the JSON text is damaged at byte {}", offset + 1)); }

  std::string reason_;
  failure kind_ = failure::malformed;
};

/// A JSON list that holds only strings.
class json_strings final : public strict_json<json_strings> {
 public:
  std::vector<std::string> strings;
  bool start_array() {
    return std::exchange(inside_, true) ? refuse("a list is not expected in a list of names") : true;
  }
  bool string(std::string s) {
    if (!inside_) return refuse("a list of names is expected, such as [\"a\", \"b\"]");
    strings.push_back(std::move(s));
    return true;
  }

 private:
  bool inside_ = false;
};

/// The strings in a JSON list: a weights map, or an entry of a file's metadata.
inline std::vector<std::string> parse_names(std::string_view text, const file_site& site) {
  json_strings list;
  list.read(text, site);
  return std::move(list.strings);
}

}  // namespace jax2onnx::detail
