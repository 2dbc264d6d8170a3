// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <jaxpr/reader/state.hpp>

namespace jaxpr::reader {

/// A position to which the parser returns if the text that follows turns out to have another form.
class checkpoint {
 public:
  explicit checkpoint(const state& s)
      : in_(s.in),
        values_(s.values.size()),
        keywords_(s.keywords.size()),
        bodies_(s.bodies),
        open_(s.remarks.open.size()),
        late_(s.remarks.late.size()),
        late_owner_(s.remarks.late_owner) {}

  const char* begin() const { return in_.at; }
  /// Returns whether a body has been read since the checkpoint, in place or by name.
  bool passed_body(const state& s) const { return bodies_ != s.bodies; }

  void restore(state& s) const {
    s.in = in_;
    s.values.shrink(values_);
    s.keywords.shrink(keywords_);
    s.remarks.open.shrink(open_);
    const bool settled = s.remarks.late_owner != late_owner_ || s.remarks.late.size() < late_;
    s.remarks.late.shrink(settled ? 0 : late_);
    if (settled) s.remarks.late_owner = nullptr;
  }

 private:
  cursor in_;
  std::size_t values_, keywords_, bodies_, open_, late_;
  const equation* late_owner_;
};

}  // namespace jaxpr::reader
