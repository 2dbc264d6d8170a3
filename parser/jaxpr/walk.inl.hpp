// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <jaxpr/detail/numbering.hpp>
#include <jaxpr/walk.hpp>

namespace jaxpr {

namespace detail {

/// Compares two counts by the name of the primitive, for std::qsort.
inline int by_name(const void* a, const void* b) {
  return static_cast<const primitive_count*>(a)->primitive.compare(static_cast<const primitive_count*>(b)->primitive);
}

}  // namespace detail

JAX2ONNX_INLINE std::vector<const body*> bodies_of(const equation& e) {
  std::vector<const body*> bodies;
  for (const param& p : e.params) for_each_body(p.val, [&](const body& b, bool) { bodies.push_back(&b); });
  return bodies;
}

JAX2ONNX_INLINE std::vector<const body*> bodies_of(const program& p) {
  std::vector<const body*> bodies, stack;
  detail::numbering<const void*> seen;
  const auto add = [&](const body* b) {
    if (b && seen.insert(b).is_new) stack.push_back(b);
  };
  const auto drain = [&] {
    while (!stack.empty()) {
      const body& top = *stack.back();
      stack.pop_back();
      bodies.push_back(&top);
      std::vector<const body*> inner;
      for (const equation& e : top.equations)
        for (const param& q : e.params)
          for_each_body(q.val, [&](const body& b, bool) {
            if (seen.insert(&b).is_new) inner.push_back(&b);
          });
      for (; !inner.empty(); inner.pop_back()) stack.push_back(inner.back());
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
  std::vector<primitive_count> counts;
  detail::numbering<std::string_view> names;
  for_each_equation(p, [&](const equation& e, const body&) {
    const auto [number, is_new] = names.insert(e.primitive);
    if (is_new) counts.push_back({e.primitive, 0});
    ++counts[number].count;
  });
  if (!counts.empty()) std::qsort(counts.data(), counts.size(), sizeof(primitive_count), detail::by_name);
  return counts;
}

JAX2ONNX_INLINE std::string_view text_at(const program& p, span where) {
  if (where.begin > where.end || where.end > p.text.size()) return {};
  return p.text.substr(where.begin, where.end - where.begin);
}

}  // namespace jaxpr
