#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <jaxpr/walk.hpp>

namespace jaxpr {

JAX2ONNX_INLINE std::vector<const body*> bodies_of(const equation& e) {
  std::vector<const body*> bodies;
  for (const param& p : e.params) for_each_body(p.val, [&](const body& b, bool) { bodies.push_back(&b); });
  return bodies;
}

JAX2ONNX_INLINE std::vector<const body*> bodies_of(const program& p) {
  std::vector<const body*> bodies, stack;
  std::unordered_set<const body*> seen;
  const auto add = [&](const body* b) {
    if (b && seen.insert(b).second) stack.push_back(b);
  };
  const auto drain = [&] {
    while (!stack.empty()) {
      const body& top = *stack.back();
      stack.pop_back();
      bodies.push_back(&top);
      const std::size_t mark = stack.size();
      for (const equation& e : top.equations)
        for (const param& q : e.params) for_each_body(q.val, [&](const body& inner, bool) { add(&inner); });
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(mark), stack.end());
    }
  };
  add(p.main);
  drain();
  for (const shared_body& s : p.shared) {
    add(s.body);
    drain();
  }
  return bodies;
}

JAX2ONNX_INLINE std::vector<primitive_count> count_primitives(const program& p) {
  std::vector<std::string_view> names;
  for_each_equation(p, [&](const equation& e, const body&) { names.push_back(e.primitive); });
  std::sort(names.begin(), names.end());
  std::vector<primitive_count> counts;
  for (const std::string_view name : names) {
    if (counts.empty() || counts.back().primitive != name) counts.push_back({name, 0});
    ++counts.back().count;
  }
  return counts;
}

JAX2ONNX_INLINE std::string_view text_at(const program& p, span where) {
  if (where.begin > where.end || where.end > p.text.size()) return {};
  return p.text.substr(where.begin, where.end - where.begin);
}

}  // namespace jaxpr
