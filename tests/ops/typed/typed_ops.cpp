#include "catch.hpp"

#include <type_traits>

#include <jax2onnx/ops/typed/typed_ops.hpp>

using namespace jax2onnx;

namespace {

/// The compiler's type of an expression's result.
template <class T, extent... E, class Actual>
constexpr bool has_type(const Actual&) {
  return std::is_same_v<Actual, tensor<T, E...>>;
}

}  // namespace

TEST_CASE("typed verbs: the compiler computes dtype and shape") {
  graph g;
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto w = input<float, 784, 10>(g, "w");
  const auto b = input<float, 10>(g, "b");
  const auto h = dense(x, w, b);
  STATIC_REQUIRE(std::is_same_v<std::remove_const_t<decltype(h)>, tensor<float, "B"_d, 10>>);
  CHECK((has_type<float, "B"_d, 10>(matmul(x, w))));
  CHECK((has_type<float, "B"_d, 10>(relu(h + b) * 2.0)));
  CHECK((has_type<bool, "B"_d, 10>(less(h, b))));
  CHECK((has_type<float, "B"_d, 10>(where(less(h, b), h, b))));
  CHECK((has_type<float, 10, "B"_d>(transpose<1, 0>(h))));
  CHECK((has_type<float, "B"_d, 2, 5>(reshape<"B"_d, 2, 5>(h))));
  CHECK((has_type<float, 3, "B"_d, 10>(broadcast_to<3, "B"_d, 10>(h))));
  CHECK((has_type<float, "B"_d, 20>(concat<1>(h, h))));
  CHECK((has_type<float, dyn, 10>(concat<0>(h, h))));
  CHECK((has_type<float, "B"_d, 3>(slice<1, 0, 3>(h))));
  CHECK((has_type<float, "B"_d>(reduce_sum<1>(h))));
  CHECK((has_type<float, "B"_d, 10>(softmax<1>(h))));
  CHECK((has_type<std::int32_t, "B"_d, 10>(cast<std::int32_t>(h))));
  CHECK((has_type<float, 7, 10>(gather<0>(w, input<std::int64_t, 7>(g, "i")))));
}

TEST_CASE("typed verbs: the graph has what the types say") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const value y = concat<0>(x, transpose<1, 0>(transpose<1, 0>(x)));
  CHECK(text(y) == "f32[2*B,4]");
  CHECK(y.owner().at(y.owner().at(y.id()).producer).op == "Concat");
}
