// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/writer/source.hpp>

namespace jaxpr::writer {

/// Builds text in groups. A group that fits into 80 columns stays on one line; otherwise all its breaks become line
/// breaks. If the layout of the source is known, it takes precedence.
class output {
 public:
  void put(std::string_view text) {
    out_ += text;
    if (const std::size_t last = text.rfind('\n'); last != std::string_view::npos)
      line_ = out_.size() - (text.size() - last - 1);
  }

  /// Prints the pending comments, one per line.
  void flush_comments(std::size_t indent) {
    for (std::size_t i = 0; i < comments_.size(); ++i) {
      if (i != 0) put("\n"), out_.append(indent, ' ');
      put(" # ");
      put(comments_[i]);
    }
    comments_.clear();
  }

  /// Prints the pending comments and ends the line. The next line starts with `indent` blanks.
  void newline(std::size_t indent) {
    flush_comments(indent + 2);
    put("\n");
    out_.append(indent, ' ');
  }

  /// Returns whether the group being tried on one line does not fit, so that printing more of it is pointless.
  bool gave_up() const { return flat_ && out_.size() > flat_end_; }

  /// Prints a group by `print(true)`, on one line, if the source has the group on one line, or if the layout is unknown
  /// and the group fits into the line. Otherwise prints the group by `print(false)`, with line breaks. Inside a group
  /// on one line, always calls `print(true)`.
  template <class Print>
  void group(known_layout layout, const Print& print) {
    if (flat_) {
      if (layout == known_layout::broken) flat_end_ = 0;
      return print(true);
    }
    if (layout == known_layout::broken) return print(false);
    const place start = here();
    flat_ = true;
    flat_end_ = layout == known_layout::one_line ? out_.max_size() : line_ + width;
    print(true);
    const bool fits = !gave_up();
    flat_ = false;
    if (fits) return;
    rewind(start);
    print(false);
  }

  /// Adds the blank or line break between two binders or operands. `size` is the length of the second one in bytes.
  void separate(known_layout layout, std::size_t size, std::size_t indent) {
    const bool wraps = layout == known_layout::unknown
                           ? out_.size() - line_ + 1 + size > width && out_.size() - line_ > indent + 2
                           : layout == known_layout::broken;
    if (wraps && flat_) flat_end_ = 0;
    if (wraps && !flat_) newline(indent + 2);
    else put(" ");
  }

  /// Puts a comment at the end of the current line.
  void comment(std::string_view text) { comments_.push_back(text); }

  std::string finish() {
    flush_comments(0);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t width = 80;
  struct place {
    std::size_t size, line, comments;
  };

  place here() const { return {out_.size(), line_, comments_.size()}; }
  void rewind(const place& p) {
    out_.resize(p.size);
    line_ = p.line;
    comments_.resize(p.comments);
  }

  std::string out_;
  std::vector<std::string_view> comments_;
  std::size_t line_ = 0;  ///< the offset in `out_` at which the current line begins
  std::size_t flat_end_ = 0;
  bool flat_ = false;
};

}  // namespace jaxpr::writer
