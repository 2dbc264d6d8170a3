#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/ops/typed/typed_value.hpp>

/// The verbs on typed handles. Each one asks the shape function that the erased verb asks, while compiling.
namespace jax2onnx {

// ---- elementwise -------------------------------------------------------------------------------------------------

/// Elementwise operators: one operand, a result of its type.
/// @{
template <typed X>
X neg(const X& x) {
  return X(neg(x.erased()));
}
template <typed X>
X abs(const X& x) {
  return X(abs(x.erased()));
}
template <typed X>
X exp(const X& x) {
  return X(exp(x.erased()));
}
template <typed X>
X log(const X& x) {
  return X(log(x.erased()));
}
template <typed X>
X sqrt(const X& x) {
  return X(sqrt(x.erased()));
}
template <typed X>
X reciprocal(const X& x) {
  return X(reciprocal(x.erased()));
}
template <typed X>
X floor(const X& x) {
  return X(floor(x.erased()));
}
/// @}
/// An op of ONNX that maps every element: `map(x, "Tanh")`.
template <typed X>
X map(const X& x, operator_name op) {
  return X(unary(op, x.erased()));
}
/// Elementwise operators of floating-point tensors.
/// @{
template <typed X>
X relu(const X& x) {
  return map(x, "Relu");
}
template <typed X>
X tanh(const X& x) {
  return map(x, "Tanh");
}
template <typed X>
X sigmoid(const X& x) {
  return map(x, "Sigmoid");
}
template <typed X>
X erf(const X& x) {
  return map(x, "Erf");
}
template <typed X>
X sin(const X& x) {
  return map(x, "Sin");
}
template <typed X>
X cos(const X& x) {
  return map(x, "Cos");
}
/// @}

/// Operands of one element type that broadcast; the result has the elements R.
template <class R, typed... Operands>
auto broadcasting(const auto& verb) {
  constexpr auto rule = [] {
    if (!one_element_type<Operands...>) return infer::fail("the element types differ");
    return infer::broadcast(Operands::dims()...);
  };
  return typed_value<R, Operands...>(rule, verb);
}
/// Operands of one element type broadcast; comparisons return bool. Operands that do not fit do not compile.
/// @{
template <typed A, typed B>
auto add(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return add(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto sub(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return sub(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto mul(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return mul(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto div(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return div(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto maximum(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return maximum(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto minimum(const A& a, const B& b) {
  return broadcasting<typename A::element, A, B>([&] { return minimum(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto equal(const A& a, const B& b) {
  return broadcasting<bool, A, B>([&] { return equal(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto less(const A& a, const B& b) {
  return broadcasting<bool, A, B>([&] { return less(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto less_equal(const A& a, const B& b) {
  return broadcasting<bool, A, B>([&] { return less_equal(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto greater(const A& a, const B& b) {
  return broadcasting<bool, A, B>([&] { return greater(a.erased(), b.erased()); });
}
template <typed A, typed B>
auto greater_equal(const A& a, const B& b) {
  return broadcasting<bool, A, B>([&] { return greater_equal(a.erased(), b.erased()); });
}
/// @}

/// With a number, which takes the tensor's element type.
template <typed A>
A add(const A& a, double b) {
  return A(add(a.erased(), b));
}
/// With a number, which takes the tensor's element type.
/// @{
template <typed A>
A sub(const A& a, double b) {
  return A(sub(a.erased(), b));
}
template <typed A>
A mul(const A& a, double b) {
  return A(mul(a.erased(), b));
}
template <typed A>
A div(const A& a, double b) {
  return A(div(a.erased(), b));
}
template <typed A>
A maximum(const A& a, double b) {
  return A(maximum(a.erased(), b));
}
template <typed A>
A minimum(const A& a, double b) {
  return A(minimum(a.erased(), b));
}
/// @}
/// Arithmetic in C++'s notation, of tensors and of tensors with numbers.
/// @{
template <typed A, class B>
auto operator+(const A& a, const B& b) {
  return add(a, b);
}
template <typed A, class B>
auto operator-(const A& a, const B& b) {
  return sub(a, b);
}
template <typed A, class B>
auto operator*(const A& a, const B& b) {
  return mul(a, b);
}
template <typed A, class B>
auto operator/(const A& a, const B& b) {
  return div(a, b);
}
template <typed A>
A operator-(const A& a) {
  return neg(a);
}
/// @}

/// `c ? a : b`
template <typed C, typed A, typed B>
auto where(const C& c, const A& a, const B& b) {
  constexpr auto rule = [] {
    if (!std::is_same_v<typename C::element, bool>) return infer::fail("the condition is not bool");
    if (!one_element_type<A, B>) return infer::fail("the element types differ");
    return infer::broadcast(C::dims(), A::dims(), B::dims());
  };
  return typed_value<typename A::element, C, A, B>(rule, [&] { return where(c.erased(), a.erased(), b.erased()); });
}

/// ONNX's Cast to the element type To: `cast<std::int32_t>(x)`. What becomes of a value out of range is up to the
/// runtime.
template <class To, class T, extent... E>
tensor<To, E...> cast(const tensor<T, E...>& x) {
  return tensor<To, E...>(cast(x.erased(), dtype_of<To>));
}

// ---- shape -------------------------------------------------------------------------------------------------------

/// `transpose<1, 0>(x)`
template <std::int64_t... Perm, typed X>
auto transpose(const X& x) {
  constexpr auto rule = [] { return infer::transpose(X::dims(), std::array<std::int64_t, sizeof...(Perm)>{Perm...}); };
  return typed_value<typename X::element, X>(rule, [&] { return transpose(x.erased(), {Perm...}); });
}

/// `reshape<"B"_d, 784>(x)`
template <extent... To, typed X>
auto reshape(const X& x) {
  using shaped = tensor<typename X::element, To...>;
  constexpr auto rule = [] { return infer::reshape(X::dims(), shaped::dims()); };
  return typed_value<typename X::element, X, shaped>(rule, [&] { return reshape(x.erased(), shaped::dims()); });
}

/// `broadcast_to<"B"_d, 784>(x)`
template <extent... To, typed X>
auto broadcast_to(const X& x) {
  using shaped = tensor<typename X::element, To...>;
  constexpr auto rule = [] { return infer::broadcast_to(X::dims(), shaped::dims()); };
  return typed_value<typename X::element, X, shaped>(rule, [&] { return broadcast_to(x.erased(), shaped::dims()); });
}

/// `concat<0>(a, b)`
template <std::int64_t Axis, typed A, typed B>
auto concat(const A& a, const B& b) {
  constexpr auto rule = [] {
    if (!one_element_type<A, B>) return infer::fail("the element types differ");
    return infer::concat(infer::constant_dims{}, A::dims(), B::dims(), Axis);
  };
  return typed_value<typename A::element, A, B>(rule, [&] { return concat({a.erased(), b.erased()}, Axis); });
}

/// x[.., Start : Limit, ..] along one axis: `slice<1, 0, 3>(x)`
template <std::int64_t Axis, std::int64_t Start, std::int64_t Limit, typed X>
auto slice(const X& x) {
  constexpr auto rule = [] {
    const std::array axis{Axis}, stride{std::int64_t{1}};
    return infer::slice(infer::constant_dims{}, X::dims(), axis, {Start}, {Limit}, stride);
  };
  return typed_value<typename X::element, X>(rule, [&] { return slice(x.erased(), Axis, Start, Limit); });
}

/// x[.., indices, ..] along one axis: `gather<0>(table, ids)`
template <std::int64_t Axis, typed X, typed I>
auto gather(const X& x, const I& indices) {
  constexpr auto rule = [] {
    const dtype t = dtype_of<typename I::element>;
    if (t != dtype::i32 && t != dtype::i64) return infer::fail("indices are int32 or int64");
    return infer::gather(X::dims(), I::dims(), Axis);
  };
  return typed_value<typename X::element, X, I>(rule, [&] { return gather(x.erased(), indices.erased(), Axis); });
}

// ---- reductions and products -------------------------------------------------------------------------------------

/// Reductions over axes, which the result lacks: `reduce_sum<0, 2>(x)`.
/// @{
template <std::int64_t... Axes, typed X>
auto reduced(const X& x, operator_name op) {
  constexpr auto rule = [] {
    return infer::reduce(X::dims(), std::array<std::int64_t, sizeof...(Axes)>{Axes...}, false);
  };
  return typed_value<typename X::element, X>(rule, [&] { return reduce(op, x.erased(), {Axes...}); });
}
template <std::int64_t... Axes, typed X>
auto reduce_sum(const X& x) {
  return reduced<Axes...>(x, "ReduceSum");
}
template <std::int64_t... Axes, typed X>
auto reduce_max(const X& x) {
  return reduced<Axes...>(x, "ReduceMax");
}
template <std::int64_t... Axes, typed X>
auto reduce_min(const X& x) {
  return reduced<Axes...>(x, "ReduceMin");
}
template <std::int64_t... Axes, typed X>
auto reduce_mean(const X& x) {
  return reduced<Axes...>(x, "ReduceMean");
}
/// @}

/// ONNX's MatMul: the last two axes are matrices, the others broadcast.
template <typed A, typed B>
auto matmul(const A& a, const B& b) {
  constexpr auto rule = [] {
    if (!one_element_type<A, B>) return infer::fail("the element types differ");
    return infer::matmul(A::dims(), B::dims());
  };
  return typed_value<typename A::element, A, B>(rule, [&] { return matmul(a.erased(), b.erased()); });
}

/// x w + b over the last dimension of x.
template <typed X, typed W, typed B>
auto dense(const X& x, const W& w, const B& b) {
  constexpr auto rule = [] {
    if (!one_element_type<X, W, B>) return infer::fail("the element types differ");
    return infer::dense(X::dims(), W::dims(), B::dims());
  };
  return typed_value<typename X::element, X, W, B>(rule, [&] { return dense(x.erased(), w.erased(), b.erased()); });
}

/// exp(x) / sum(exp(x)) along one axis.
template <std::int64_t Axis, typed X>
auto softmax(const X& x) {
  constexpr auto rule = [] { return infer::along(X::dims(), Axis); };
  return typed_value<typename X::element, X>(rule, [&] { return softmax(x.erased(), Axis); });
}

}  // namespace jax2onnx
