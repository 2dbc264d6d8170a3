#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jaxpr {

/// Calls `visit(const struct jaxpr&, bool by_name)` for each jaxpr that the value holds, also inside of Python reprs.
template <class Visit>
void for_each_body(const value& v, Visit&& visit) {
  if (v.body) visit(*v.body, !v.text.empty() && v.text.front() != '{' && !v.text.starts_with("let "));
  for (const value& item : v.items) for_each_body(item, visit);
  for (const keyword_value& item : v.keywords) for_each_body(item.val, visit);
}

/// Calls `visit(const struct jaxpr&)` for each jaxpr of the module: the main one, then those its equations hold, each
/// once and in the order of first mention; last the shared ones that nothing mentions.
template <class Visit>
void for_each_jaxpr(const struct module& m, Visit&& visit) {
  std::unordered_set<const struct jaxpr*> seen;
  std::vector<const struct jaxpr*> stack;
  const auto drain = [&] {
    while (!stack.empty()) {
      const struct jaxpr& j = *stack.back();
      stack.pop_back();
      visit(j);
      const std::size_t mark = stack.size();
      const auto add = [&](const struct jaxpr& inner, bool) {
        if (seen.insert(&inner).second) stack.push_back(&inner);
      };
      for (const equation& e : j.equations)
        for (const param& p : e.params) for_each_body(p.val, add);
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(mark), stack.end());
    }
  };
  const auto start = [&](const struct jaxpr* j) {
    if (j && seen.insert(j).second) stack.push_back(j);
    drain();
  };
  start(m.main);
  for (const shared_jaxpr& s : m.shared) start(s.body);
}

/// Calls `visit(const equation&, const struct jaxpr&)` for each equation, those of inner jaxprs included.
template <class Visit>
void for_each_equation(const struct module& m, Visit&& visit) {
  for_each_jaxpr(m, [&](const struct jaxpr& j) {
    for (const equation& e : j.equations) visit(e, j);
  });
}

/// How often each primitive stands in the text, a shared jaxpr's equations counted once.
inline std::map<std::string_view, std::size_t> count_primitives(const struct module& m) {
  std::map<std::string_view, std::size_t> counts;
  for_each_equation(m, [&](const equation& e, const struct jaxpr&) { ++counts[e.primitive]; });
  return counts;
}

/// The jaxprs that an equation holds in its parameters, in printed order.
inline std::vector<const struct jaxpr*> bodies_of(const equation& e) {
  std::vector<const struct jaxpr*> bodies;
  for (const param& p : e.params) for_each_body(p.val, [&](const struct jaxpr& j, bool) { bodies.push_back(&j); });
  return bodies;
}

/// What stands in the text at `where`; empty when the span is not of this module.
inline std::string_view text_at(const struct module& m, span where) {
  if (where.begin > where.end || where.end > m.text.size()) return {};
  return m.text.substr(where.begin, where.end - where.begin);
}

/// Where a view of the module's text lies in it; {0, 0} for a view of anything else.
inline span span_of(const struct module& m, std::string_view part) {
  const std::less<const char*> before;
  const char* begin = m.text.data();
  if (before(part.data(), begin) || before(begin + m.text.size(), part.data() + part.size())) return {};
  return {static_cast<std::uint32_t>(part.data() - begin),
          static_cast<std::uint32_t>(part.data() + part.size() - begin)};
}

}  // namespace jaxpr
