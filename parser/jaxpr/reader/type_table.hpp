#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jaxpr::reader {

/// Types by spelling, in a hash table with open addressing. A model has thousands of annotations but only a few dozen
/// types.
class type_table {
 public:
  /// The type spelled `text`, whose hash is `hash`; null if there is none.
  const type* find(std::string_view text, std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (!slots_[i]) return nullptr;
      if (slots_[i]->text == text) return slots_[i];
    }
  }

  void insert(const type* t) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    place(t);
    ++count_;
    wide_ = wide_ || t->dtype == "f64" || t->dtype == "i64" || t->dtype == "u64" || t->dtype == "c128";
  }

  /// Whether a 64-bit type occurs, which means that the program was traced with jax_enable_x64.
  bool wide() const { return wide_; }

  static std::uint64_t hash(std::string_view text) {
    std::uint64_t h = text.size() * 0x9e3779b97f4a7c15u;
    while (text.size() >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), 8);
      h = mix(h ^ word);
      text.remove_prefix(8);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    return mix(h ^ word);
  }

 private:
  static std::uint64_t mix(std::uint64_t h) {
    h *= 0xff51afd7ed558ccdu;
    return h ^ (h >> 32);
  }

  void place(const type* t) {
    std::size_t i = hash(t->text) & (slots_.size() - 1);
    while (slots_[i]) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = t;
  }

  void grow() {
    const std::vector<const type*> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : old.size() * 2, nullptr);
    for (const type* t : old)
      if (t) place(t);
  }

  std::vector<const type*> slots_;
  std::size_t count_ = 0;
  bool wide_ = false;
};

}  // namespace jaxpr::reader
