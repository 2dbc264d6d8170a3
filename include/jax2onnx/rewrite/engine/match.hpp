#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/literal.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>

/// Patterns over the graph, as in LLVM's PatternMatch: `m_op<"Mul">(m_value(x), m_number(0.5))`. A pattern is an object
/// with `operator()(const value&)`; what it binds is of meaning only after the whole pattern matched.
namespace jax2onnx::rewrite {

/// The node that makes `v`; null for inputs and constants.
inline const node* producer(const value& v) {
  const node_id n = v ? v.owner().at(v.id()).producer : node_id::none;
  return n == node_id::none ? nullptr : &v.owner().at(n);
}
/// The node that makes `v` if it is an `op` of ai.onnx.
inline const node* producer(const value& v, std::string_view op) {
  const node* n = producer(v);
  return n && n->op == op && n->domain.empty() ? n : nullptr;
}
inline value operand(const value& v, std::size_t i) {
  const node* n = producer(v);
  return i < n->inputs.size() && n->inputs[i] != value_id::none ? value(v.owner(), n->inputs[i]) : value();
}

/// An attribute of the node that makes `v`.
template <class T>
std::optional<T> attribute_of(const value& v, std::string_view name) {
  const attribute* a = producer(v)->find(name);
  const T* content = a ? std::get_if<T>(&a->value) : nullptr;
  return content ? std::optional<T>(*content) : std::nullopt;
}

/// A named pattern, without its type. The type of a pattern spells out all of its parts: one that is used several times, in patterns
/// that are used several times, would be a name that the compiler has no memory for.
class pattern_ref {
 public:
  template <class P>
  requires(!std::is_same_v<P, pattern_ref>) pattern_ref(const P& p)
      : pattern_(&p), call_([](const void* at, const value& v) { return (*static_cast<const P*>(at))(v); }) {}
  template <class P>
  requires(!std::is_same_v<P, pattern_ref>) pattern_ref(const P&&)
  = delete;
  bool operator()(const value& v) const { return call_(pattern_, v); }

 private:
  const void* pattern_;
  bool (*call_)(const void*, const value&);
};

/// Anything; binds it.
inline auto m_value(value& out) {
  return [&out](const value& v) { return bool(out = v); };
}
inline auto m_any() {
  return [](const value& v) { return bool(v); };
}
/// The value that was bound before, in the same pattern or an earlier one.
inline auto m_same(const value& expected) {
  return [&expected](const value& v) { return v == expected; };
}
/// `p`, and binds what it matched.
template <class P>
auto m_bind(value& out, P p) {
  return [&out, p](const value& v) { return p(v) && bool(out = v); };
}
/// The first of the patterns that matches.
template <class... P>
auto m_any_of(P... p) {
  return [p...](const value& v) { return (p(v) || ...); };
}

template <class P>
bool match(const value& v, const P& pattern) {
  return v && pattern(v);
}

/// A call of `Op` with exactly these operands.
template <op_literal Op, class... P>
auto m_op(P... operands) {
  return [operands...](const value& v) {
    const node* n = producer(v, Op.view());
    if (!n || n->inputs.size() != sizeof...(P)) return false;
    std::size_t i = 0;
    return (operands(operand(v, i++)) && ...);
  };
}
/// A call of `Op` with two operands in either order.
template <op_literal Op, class P, class Q>
auto m_commutes(P p, Q q) {
  return [p, q](const value& v) {
    if (!producer(v, Op.view()) || producer(v)->inputs.size() != 2) return false;
    const value a = operand(v, 0), b = operand(v, 1);
    return (p(a) && q(b)) || (p(b) && q(a));
  };
}

/// A constant of one element; binds its number.
inline auto m_scalar(double& out) {
  return [&out](const value& v) {
    const std::optional<double> n = single_number(v);
    if (n) out = *n;
    return n.has_value();
  };
}
/// A constant whose elements are all `expected` as rounded in its dtype.
inline auto m_number(double expected) {
  return [expected](const value& v) {
    const std::optional<double> n = splat_number(v);
    return n && same_when_rounded(v.dtype(), *n, expected);
  };
}
inline auto m_constant(value& out) {
  return [&out](const value& v) { return v && v.is_constant() && bool(out = v); };
}

/// Axes and keepdims of a Reduce op; axes are an input since opset 18 (13 for ReduceSum).
struct reduction {
  ints axes;
  bool keep = true;
  friend bool operator==(const reduction&, const reduction&) = default;
};
inline std::optional<reduction> reduction_of(const value& v) {
  const node* n = producer(v);
  if (!n || !n->op.starts_with("Reduce") || n->inputs.empty()) return std::nullopt;
  std::optional<ints> axes = n->inputs.size() > 1 ? constant_int64s(operand(v, 1)) : attribute_of<ints>(v, "axes");
  if (!axes) return std::nullopt;
  const std::int64_t rank = operand(v, 0).rank();
  for (std::int64_t& a : *axes) a += a < 0 ? rank : 0;
  std::ranges::sort(*axes);
  return reduction{std::move(*axes), attribute_of<std::int64_t>(v, "keepdims").value_or(1) != 0};
}
/// A reduction over constant axes; binds them.
template <op_literal Op, class P>
auto m_reduce(reduction& out, P p) {
  return [&out, p](const value& v) {
    if (!producer(v, Op.view())) return false;
    const auto r = reduction_of(v);
    if (!r || !p(operand(v, 0))) return false;
    out = *r;
    return true;
  };
}

/// Reshape, Squeeze, Unsqueeze, Flatten: the elements in their order in another shape.
inline bool is_reshape(const value& v) {
  const node* n = producer(v);
  return n && n->domain.empty() &&
         (n->op == "Reshape" || n->op == "Unsqueeze" || n->op == "Squeeze" || n->op == "Flatten");
}
template <class P>
auto m_reshape(P p) {
  return [p](const value& v) { return is_reshape(v) && p(operand(v, 0)); };
}
/// `p`, or extents of 1 put into or taken out of `p`.
template <class P>
auto m_up_to_ones(P p) {
  return [p](const value& v) {
    if (p(v)) return true;
    if (!is_reshape(v)) return false;
    const auto extents = [](shape s) {
      std::erase_if(s, [](dim d) { return d.is(1); });
      return s;
    };
    return extents(v.dims()) == extents(operand(v, 0).dims()) && p(operand(v, 0));
  };
}
/// `p`, or a cast of it between floating-point types of 16 bits or more: what JAX computes of f16 and bf16 in f32.
template <class P>
auto m_up_to_casts(P p) {
  return [p](const value& v) {
    const auto wide = [](dtype t) { return is_floating(t) && bits(t) >= 16; };
    if (p(v)) return true;
    return producer(v, "Cast") && wide(v.dtype()) && wide(operand(v, 0).dtype()) && p(operand(v, 0));
  };
}
/// A product of three factors, however they are bracketed.
template <class P, class Q, class R>
auto m_product(P first, Q second, R third) {
  return [first, second, third](const value& v) {
    const pattern_ref p = first, q = second, r = third;
    return match(v,
                 m_any_of(m_commutes<"Mul">(p, m_commutes<"Mul">(q, r)), m_commutes<"Mul">(q, m_commutes<"Mul">(p, r)),
                          m_commutes<"Mul">(m_commutes<"Mul">(p, q), r)));  // p, which binds, before r
  };
}
/// x x
template <class P>
auto m_square(value& x, P p) {
  return [&x, p](const value& v) {
    if (!producer(v, "Mul") || operand(v, 0) != operand(v, 1)) return false;
    x = operand(v, 0);
    return p(x);
  };
}
/// A Transpose; binds its permutation.
template <class P>
auto m_transpose(ints& perm, P p) {
  return [&perm, p](const value& v) {
    if (!producer(v, "Transpose")) return false;
    const auto found = attribute_of<ints>(v, "perm");
    if (!found || !p(operand(v, 0))) return false;
    perm = *found;
    return true;
  };
}

}  // namespace jax2onnx::rewrite
