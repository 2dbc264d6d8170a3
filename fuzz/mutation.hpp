// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes to the text of a jaxpr. Most of them keep it readable, so that they reach the lowerings.

#include "pieces.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/builtin.hpp>

namespace fuzz {

inline constexpr std::string_view numbers[] = {"0",
                                               "1",
                                               "-1",
                                               "2",
                                               "3",
                                               "4",
                                               "7",
                                               "8",
                                               "31",
                                               "32",
                                               "33",
                                               "63",
                                               "64",
                                               "100",
                                               "4096",
                                               "65537",
                                               "2147483647",
                                               "2147483648",
                                               "-2147483648",
                                               "4294967296",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "18446744073709551615",
                                               "99999999999999999999",
                                               "0.5",
                                               "-0.0",
                                               "1e308",
                                               "nan",
                                               "inf",
                                               "None",
                                               "True",
                                               "()",
                                               "(1,)",
                                               "b",
                                               "b + 1",
                                               "2*b"};
inline constexpr std::string_view elements[] = {
    "f32",       "f64",     "f16",        "bf16",      "i8",       "i16",      "i32",    "i64", "u8",
    "u16",       "u32",     "u64",        "bool",      "c64",      "c128",     "i4",     "u4",  "i2",
    "f8_e4m3fn", "f8_e5m2", "f8_e8m0fnu", "f4_e2m1fn", "key<fry>", "key<rbg>", "float0", "f128"};
inline constexpr std::string_view extents[] = {"0",
                                               "1",
                                               "2",
                                               "3",
                                               "4",
                                               "5",
                                               "8",
                                               "64",
                                               "1000",
                                               "65536",
                                               "2147483647",
                                               "4294967296",
                                               "9223372036854775807",
                                               "b",
                                               "c",
                                               "2*b",
                                               "b + 1",
                                               "b - 1",
                                               "max(b, 1)",
                                               "floordiv(b, 2)",
                                               "mod(b, 3)",
                                               "b^2"};

/// One random change to a text, with material from a second one.
class mutation {
 public:
  mutation(const dissection& from, const dissection& donor, unsigned seed) : from_(from), donor_(donor), rng_(seed) {}

  std::string apply() {
    switch (below(10)) {
      case 0: return from_pool();
      case 1: return everywhere();
      case 2: return dropped_or_doubled();
      case 3: return other_items();
      case 4: return spliced();
      case 5: return other_primitive();
      default: return exchanged();
    }
  }

 private:
  using range = jaxpr::span;

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng_); }
  template <class Range>
  auto& any(const Range& all) {
    return *(std::begin(all) + static_cast<std::ptrdiff_t>(below(std::size(all))));
  }

  std::string unchanged() const { return std::string(from_.text()); }
  std::string replaced(range where, std::string_view by) const {
    return unchanged().replace(where.begin, where.end - where.begin, by);
  }

  /// Replaces a piece by another one of its kind: a variable of the same body, or anything else of either text.
  std::string exchanged() {
    const kind k = static_cast<kind>(below(kinds));
    if (from_.all(k).empty()) return unchanged();
    const piece& here = any(from_.all(k));
    if (k == kind::operand || k == kind::result) return replaced(here.where, variable(here));
    const dissection& source = below(2) == 0 || donor_.all(k).empty() ? from_ : donor_;
    return replaced(here.where, source.text(any(source.all(k))));
  }

  std::string variable(const piece& here) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const std::vector<piece>& named = from_.all(below(4) == 0 ? kind::result : kind::operand);
      if (named.empty()) continue;
      const piece& other = any(named);
      if (other.scope == here.scope) return std::string(from_.text(other));
    }
    return std::string(from_.text(here));
  }

  std::string from_pool() {
    const kind k = any(std::array{kind::number, kind::element, kind::extent, kind::value});
    if (from_.all(k).empty()) return unchanged();
    return replaced(any(from_.all(k)).where, pooled(k));
  }

  std::string_view pooled(kind k) {
    if (k == kind::element) return any(elements);
    return k == kind::extent ? any(extents) : any(numbers);
  }

  /// Changes all pieces with the same spelling alike, so that the text can stay consistent.
  std::string everywhere() {
    const kind k = any(std::array{kind::type, kind::element, kind::extent, kind::number});
    if (from_.all(k).empty()) return unchanged();
    const std::string_view old = from_.text(any(from_.all(k)));
    const std::string_view by = k == kind::type ? from_.text(any(from_.all(k))) : pooled(k);
    std::vector<piece> places = from_.all(k);
    if (k == kind::extent) places.insert(places.end(), from_.all(kind::number).begin(), from_.all(kind::number).end());
    std::ranges::sort(places, std::ranges::greater(), [](const piece& p) { return p.where.begin; });
    std::string out = unchanged();
    for (const piece& p : places)
      if (from_.text(p) == old) out.replace(p.where.begin, p.where.end - p.where.begin, by);
    return out;
  }

  std::string dropped_or_doubled() {
    const kind k = any(std::array{kind::operand, kind::result, kind::parameter, kind::equation});
    if (from_.all(k).empty()) return unchanged();
    const piece& p = any(from_.all(k));
    const char* separator = k == kind::equation ? "\n" : k == kind::result ? "," : " ";
    if (below(2) == 0) return without(p, k);
    return replaced({p.where.end, p.where.end}, separator + std::string(from_.text(p)));
  }

  /// The text without a piece; for a result, also without the comma after it.
  std::string without(const piece& p, kind k) const {
    range where = p.where;
    const std::string_view rest = from_.text().substr(where.end);
    if (k == kind::result && rest.starts_with(",")) ++where.end;
    return replaced(where, "");
  }

  /// Removes an item of a tuple, adds one, or swaps two.
  std::string other_items() {
    std::vector<std::pair<range, std::vector<std::string>>> tuples;
    for (const piece& p : from_.all(kind::value))
      if (const std::string_view t = from_.text(p); t.front() == '(' || t.front() == '[')
        tuples.emplace_back(p.where, items(t));
    if (tuples.empty()) return unchanged();
    auto& [where, list] = tuples[below(tuples.size())];
    const std::size_t change = below(3);
    if (list.empty() || change == 0)
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(list.size() + 1)),
                  list.empty() ? std::string(any(numbers)) : std::string(any(list)));
    else if (change == 1) list.erase(list.begin() + static_cast<std::ptrdiff_t>(below(list.size())));
    else std::swap(list[below(list.size())], list[below(list.size())]);
    return replaced(where, joined(list, from_.text()[where.begin]));
  }

  static std::vector<std::string> items(std::string_view tuple) {
    std::vector<std::string> out;
    std::size_t begin = 1;
    int depth = 0;
    for (std::size_t i = 1; i < tuple.size(); ++i) {
      const char c = tuple[i];
      const bool last = i + 1 == tuple.size();
      if ((c == ',' && depth == 0) || last) {
        if (i > begin) out.emplace_back(tuple.substr(begin, i - begin));
        begin = i + 1;
      }
      depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return out;
  }

  static std::string joined(const std::vector<std::string>& items, char open) {
    std::string out(1, open);
    for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
    if (open == '(' && items.size() == 1) out += ",";
    return out + (open == '(' ? ')' : ']');
  }

  std::string other_primitive() {
    if (from_.all(kind::primitive).empty()) return unchanged();
    return replaced(any(from_.all(kind::primitive)).where, any(jax2onnx::builtin_lowerings()).primitive);
  }

  /// Inserts an equation of the donor, applied to variables of this text; a later operand reads its first result.
  std::string spliced() {
    if (from_.all(kind::equation).empty() || donor_.all(kind::equation).empty()) return unchanged();
    const piece at = any(from_.all(kind::equation));
    std::string equation(donor_.text(any(donor_.all(kind::equation))));
    const std::size_t equals = equation.find(" = ");
    if (equals == std::string::npos) return unchanged();
    const std::string fresh = "spliced" + std::to_string(below(1000));
    rename_operands(equation, at);
    if (const std::size_t colon = equation.find(':'); colon < equals) equation.replace(0, colon, fresh);
    return with_use(at, equation, fresh);
  }

  /// Replaces the words after the parameters by operands in the scope of `at`.
  void rename_operands(std::string& equation, const piece& at) {
    std::size_t begin = equation.rfind(']');
    const std::size_t operands = equation.find(" = ") + 3;
    if (begin == std::string::npos || begin < operands) begin = std::min(equation.find(' ', operands), equation.size());
    else ++begin;
    const auto count = std::count(equation.begin() + static_cast<std::ptrdiff_t>(begin), equation.end(), ' ');
    equation.resize(begin);
    for (std::ptrdiff_t i = 0; i < count; ++i) equation += " " + variable_before(at);
  }

  std::string variable_before(const piece& at) {
    std::vector<std::string_view> bound;
    for (const auto& binders : {at.scope->constvars, at.scope->invars})
      for (const jaxpr::binder& b : binders) bound.push_back(b.name);
    for (const jaxpr::equation& e : at.scope->equations) {
      if (e.where.begin >= at.where.begin) break;
      for (const jaxpr::binder& b : e.outs)
        if (b.name != "_") bound.push_back(b.name);
    }
    return bound.empty() ? "1.0:f32[]" : std::string(any(bound));
  }

  std::string with_use(const piece& at, const std::string& equation, const std::string& name) {
    std::vector<range> uses;
    for (const kind k : {kind::operand, kind::result})
      for (const piece& p : from_.all(k))
        if (p.scope == at.scope && p.where.begin >= at.where.begin) uses.push_back(p.where);
    std::string out = unchanged();
    if (!uses.empty()) {
      const range use = any(uses);
      out.replace(use.begin, use.end - use.begin, name);
    }
    return out.insert(at.where.begin, equation + "\n");
  }

  const dissection& from_;
  const dissection& donor_;
  std::minstd_rand rng_;
};

/// A text with some changes; empty if one of the texts is not a jaxpr.
inline std::string mutated(std::string_view text, std::string_view donor, unsigned seed) {
  try {
    const dissection material(donor);
    std::string out(text);
    for (unsigned left = 1 + seed % 3; left > 0; --left) out = mutation(dissection(out), material, seed + left).apply();
    return out;
  } catch (const jaxpr::error&) {
    return {};
  }
}

}  // namespace fuzz
