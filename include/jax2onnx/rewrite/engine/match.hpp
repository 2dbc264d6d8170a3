// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/facts/casts.hpp>
#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Patterns over the graph, after LLVM's PatternMatch: `match(v, m_op("Mul", m_value(x), m_number(0.5)))`. What a
/// pattern binds is valid only after the whole pattern has matched. Building and matching a pattern allocates nothing.
///
/// Patterns with a single operand are made by functions: as a constructor call, m_reshape(m_reshape(p)) would be a
/// copy, and elided to one m_reshape.
///
/// A composite pattern (`m_op`, `m_bind`, ...) refers to its operands, which are temporaries. It must be used in the
/// expression that makes it. Name a part of a pattern by a lambda, which makes the pattern when it is called:
///   const auto half = [&](const value& v) { return match(v, m_commutes("Mul", m_value(x), m_number(0.5))); };
///   if (!match(root, m_op("Tanh", half))) return {};
namespace jax2onnx::rewrite {

/// The base of patterns that refer to temporaries. Only rvalues can be matched, so that matching a named pattern does
/// not compile.
class composite_pattern {
 public:
  composite_pattern(const composite_pattern&) = delete;
  composite_pattern& operator=(const composite_pattern&) = delete;

 protected:
  composite_pattern() = default;
};

/// A pattern as an argument: anything that is called with a value and returns bool. The class only refers to this
/// object.
class pattern {
 public:
  template <class P>
  requires(!std::is_same_v<std::remove_cvref_t<P>, pattern> &&
           (!std::is_lvalue_reference_v<P> || !std::is_base_of_v<composite_pattern, std::remove_cvref_t<P>>))
      pattern(P&& p)  // NOLINT(bugprone-forwarding-reference-overload): P is not a pattern
      : object_(std::addressof(p)), call_(&call<std::remove_cvref_t<P>>) {}
  pattern(const pattern&) = delete;
  pattern& operator=(const pattern&) = delete;

  bool matches(const value& v) const { return call_(object_, v); }

 private:
  friend class subpattern;
  template <class P>
  static bool call(const void* object, const value& v) {
    return static_cast<const P&&>(*static_cast<const P*>(object))(v);
  }

  const void* object_;
  bool (*call_)(const void*, const value&);
};

/// A reference to an argument of a composite pattern.
class subpattern {
 public:
  subpattern() = default;
  subpattern(const pattern& p) : object_(p.object_), call_(p.call_) {}
  bool operator()(const value& v) const { return call_(object_, v); }

 private:
  const void* object_ = nullptr;
  bool (*call_)(const void*, const value&) = nullptr;
};

/// True if the value `v` is present and matches; false for an absent value.
inline bool match(const value& v, const pattern& p) { return v && p.matches(v); }

/// Any value; binds it.
class m_value {
 public:
  explicit m_value(value& out) : out_(out) {}
  bool operator()(const value& v) const { return bool(out_ = v); }

 private:
  value& out_;
};

/// Any value.
struct m_any {
  bool operator()(const value& v) const { return bool(v); }
};

/// The value that was bound before, in this pattern or an earlier one.
class m_same {
 public:
  explicit m_same(const value& expected) : expected_(expected) {}
  bool operator()(const value& v) const { return same_value(v, expected_); }

 private:
  const value& expected_;
};

/// A constant of one element; binds its number.
class m_scalar {
 public:
  explicit m_scalar(double& out) : out_(out) {}
  bool operator()(const value& v) const {
    const std::optional<double> n = single_number(v);
    if (n) out_ = *n;
    return n.has_value();
  }

 private:
  double& out_;
};

/// A constant of at most 4 KiB whose elements all equal `expected`, give or take a rounding in its dtype.
class m_number {
 public:
  explicit m_number(double expected) : expected_(expected) {}
  bool operator()(const value& v) const {
    const std::optional<double> n = splat_number(v);
    return n && equal_when_rounded(v.dtype(), *n, expected_);
  }

 private:
  double expected_;
};

/// Matches a constant and binds it.
class m_constant {
 public:
  explicit m_constant(value& out) : out_(out) {}
  bool operator()(const value& v) const { return v && v.is_constant() && bool(out_ = v); }

 private:
  value& out_;
};

/// A value that `p` matches; binds it.
class m_bind : composite_pattern {
 public:
  m_bind(value& out, const pattern& p) : out_(out), p_(p) {}
  bool operator()(const value& v) const&& { return p_(v) && bool(out_ = v); }

 private:
  value& out_;
  subpattern p_;
};

/// A value that one of the patterns matches; tries them in order.
class m_any_of : composite_pattern {
 public:
  m_any_of(const pattern& p, const pattern& q) : alternatives_{p, q}, count_(2) {}
  m_any_of(const pattern& p, const pattern& q, const pattern& r) : alternatives_{p, q, r}, count_(3) {}
  bool operator()(const value& v) const&& {
    for (std::size_t i = 0; i < count_; ++i)
      if (alternatives_[i](v)) return true;
    return false;
  }

 private:
  std::array<subpattern, 3> alternatives_;
  std::size_t count_;
};

/// A node of the operator `op` with exactly these operands.
class m_op : composite_pattern {
 public:
  m_op(operator_name op, const pattern& p) : op_(op), operands_{p}, count_(1) {}
  m_op(operator_name op, const pattern& p, const pattern& q) : op_(op), operands_{p, q}, count_(2) {}
  m_op(operator_name op, const pattern& p, const pattern& q, const pattern& r)
      : op_(op), operands_{p, q, r}, count_(3) {}
  bool operator()(const value& v) const&& {
    const node* n = producer(v, op_);
    if (!n || n->inputs.size() != count_) return false;
    for (std::size_t i = 0; i < count_; ++i)
      if (!operands_[i](input_of(v, i))) return false;
    return true;
  }

 private:
  operator_name op_;
  std::array<subpattern, 3> operands_;
  std::size_t count_;
};

/// A node of the operator `op` with two operands in either order.
class m_commutes : composite_pattern {
 public:
  m_commutes(operator_name op, const pattern& p, const pattern& q) : op_(op), p_(p), q_(q) {}
  bool operator()(const value& v) const&& {
    const node* n = producer(v, op_);
    if (!n || n->inputs.size() != 2) return false;
    const value a = input_of(v, 0), b = input_of(v, 1);
    return (p_(a) && q_(b)) || (p_(b) && q_(a));
  }

 private:
  operator_name op_;
  subpattern p_, q_;
};

/// A node of the reduction `op` over constant axes; binds the reduction.
class m_reduce : composite_pattern {
 public:
  m_reduce(operator_name op, reduction& out, const pattern& p) : op_(op), out_(out), p_(p) {}
  bool operator()(const value& v) const&& {
    if (!producer(v, op_)) return false;
    std::optional<reduction> r = reduction_of(v);
    if (!r || !p_(input_of(v, 0))) return false;
    out_ = std::move(*r);
    return true;
  }

 private:
  operator_name op_;
  reduction& out_;
  subpattern p_;
};

class reshape_pattern : composite_pattern {
 public:
  explicit reshape_pattern(const pattern& p) : p_(p) {}
  bool operator()(const value& v) const&& { return is_reshape(v) && p_(input_of(v, 0)); }

 private:
  subpattern p_;
};
/// A node that only changes the shape of `p`.
inline reshape_pattern m_reshape(const pattern& p) { return reshape_pattern(p); }

class up_to_ones_pattern : composite_pattern {
 public:
  explicit up_to_ones_pattern(const pattern& p) : p_(p) {}
  bool operator()(const value& v) const&& {
    if (p_(v)) return true;
    return is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims()) && p_(input_of(v, 0));
  }

 private:
  subpattern p_;
};
/// `p`, or `p` with extents of 1 inserted or removed.
inline up_to_ones_pattern m_up_to_ones(const pattern& p) { return up_to_ones_pattern(p); }

/// True if `v` is a cast between floating-point types of at least 16 bits that keeps all numbers.
inline bool is_widened(const value& v) {
  return producer(v, "Cast") && is_half_or_wider(input_of(v, 0).dtype()) && is_half_or_wider(v.dtype()) &&
         casts_exactly(input_of(v, 0).dtype(), v.dtype());
}
/// True if `v` is a cast between floating-point types of at least 16 bits, and the operand's type has all numbers of
/// the type of `v`.
inline bool is_narrowed(const value& v) {
  return producer(v, "Cast") && is_half_or_wider(input_of(v, 0).dtype()) && is_half_or_wider(v.dtype()) &&
         casts_exactly(v.dtype(), input_of(v, 0).dtype());
}

template <bool (*IsCast)(const value&)>
class up_to_cast_pattern : composite_pattern {
 public:
  explicit up_to_cast_pattern(const pattern& p) : p_(p) {}
  bool operator()(const value& v) const&& { return p_(v) || (IsCast(v) && p_(input_of(v, 0))); }

 private:
  subpattern p_;
};
/// JAX computes some functions of f16 and bf16 in f32: it widens the operands and narrows the result.
/// @{
/// `p`, or `p` cast to a wider floating-point type.
inline up_to_cast_pattern<is_widened> m_up_to_widening(const pattern& p) { return up_to_cast_pattern<is_widened>(p); }
/// `p`, or `p` cast to a narrower floating-point type.
inline up_to_cast_pattern<is_narrowed> m_up_to_narrowing(const pattern& p) {
  return up_to_cast_pattern<is_narrowed>(p);
}
/// @}

/// A product of three factors in any order, with any two of them in brackets. The factor outside of the brackets is
/// tried with `p` first, then with `q`, then with `r`.
class m_product : composite_pattern {
 public:
  m_product(const pattern& p, const pattern& q, const pattern& r) : p_(p), q_(q), r_(r) {}
  bool operator()(const value& v) const&& {
    return match(v, m_commutes("Mul", p_, m_commutes("Mul", q_, r_))) ||
           match(v, m_commutes("Mul", q_, m_commutes("Mul", p_, r_))) ||
           match(v, m_commutes("Mul", m_commutes("Mul", p_, q_), r_));
  }

 private:
  subpattern p_, q_, r_;
};

/// x times x, if `p` matches x; binds x.
class m_square : composite_pattern {
 public:
  m_square(value& x, const pattern& p) : x_(x), p_(p) {}
  bool operator()(const value& v) const&& {
    if (!producer(v, "Mul") || !same_value(input_of(v, 0), input_of(v, 1))) return false;
    x_ = input_of(v, 0);
    return p_(x_);
  }

 private:
  value& x_;
  subpattern p_;
};

/// Transpose(p); binds its permutation.
class m_transpose : composite_pattern {
 public:
  m_transpose(ints& perm, const pattern& p) : perm_(perm), p_(p) {}
  bool operator()(const value& v) const&& {
    std::optional<ints> found = transpose_of(v);
    if (!found || !p_(input_of(v, 0))) return false;
    perm_ = std::move(*found);
    return true;
  }

 private:
  ints& perm_;
  subpattern p_;
};

/// A custom pattern with patterns as operands: `f` is a lambda that copies the operands that it uses as `subpattern`s.
///   inline auto m_tanh(const pattern& p) {
///     return m_composite([p = subpattern(p)](const value& v) { return match(v, m_op("Tanh", p)); });
///   }
/// Such a function must not return `m_op("Tanh", p)`: the result would refer to temporaries of the function.
template <class F>
class m_composite : composite_pattern {
 public:
  explicit m_composite(F f) : f_(std::move(f)) {}
  bool operator()(const value& v) const&& { return f_(v); }

 private:
  F f_;
};

}  // namespace jax2onnx::rewrite
