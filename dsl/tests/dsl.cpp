// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

TEST_CASE("dsl: typed and erased handles in one graph") {
  graph g;
  const auto x = input<float, "batch"_d, 8>(g, "x");
  const value e = relu(value(x));
  const tensor<float, "batch"_d, 8> y(e * 2.0 + 1);
  const auto z = where(y > 0, 1.0 - y, y);
  CHECK(text(z.erased()) == "f32[batch,8]");
}

TEST_CASE("dsl: lists in braces are shapes and axes, not operands") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  const value y = squeeze(unsqueeze(reshape(x, {3, 2}), {0, 3}), {0});
  CHECK(text(y) == "f32[3,2,1]");
  CHECK(text(reshape(value(input<float, 1>(g, "one")), {})) == "f32[]");
}

TEST_CASE("dsl: one set of verbs, each checked where it is called") {
  graph g;
  const value i = g.input({dtype::i32, {2, 3}}, "i"), x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK_THROWS_AS(sqrt(i), build_error);
  CHECK_THROWS_AS(exp(i), build_error);
  CHECK_THROWS_AS(log(i), build_error);
  CHECK_THROWS_AS(floor(i), build_error);
  CHECK_THROWS_AS(reciprocal(i), build_error);
  CHECK_THROWS_AS(isnan(i), build_error);
  CHECK_THROWS_AS(not_(i), build_error);
  CHECK_THROWS_AS(greater(x > 0, x > 1), build_error);
  CHECK_THROWS_AS(gather(x, x), build_error);
  CHECK_THROWS_AS(gather(x, i, {.axis = 2}), build_error);
  CHECK_THROWS_AS(cumsum(x, 9), build_error);
  CHECK_THROWS_AS(clip(x, true), build_error);
  CHECK_THROWS_AS(abs(x > 0), build_error);
  CHECK_THROWS_AS(neg(x > 0), build_error);
}

template <class T>
concept condition = requires(const T& t) {
  t ? 1 : 0;
};

TEST_CASE("dsl: comparisons of handles compare their elements") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK(text(x == x) == "bool[2,3]");
  CHECK(text(x != 1.0f) == "bool[2,3]");
  CHECK(text(2 == x) == "bool[2,3]");
  CHECK(same_value(x, x));
  STATIC_REQUIRE_FALSE(condition<decltype(x == x)>);
  STATIC_REQUIRE_FALSE(condition<decltype(x < x)>);
}

TEST_CASE("dsl: typed and erased handles meet in C++'s operators") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const value e = g.input({dtype::f32, {4}}, "e");
  CHECK(text(x + e) == "f32[B,4]");
  CHECK(text(e * x) == "f32[B,4]");
  CHECK(text(e == x) == "bool[B,4]");
  CHECK(text(x % e) == "f32[B,4]");
  CHECK(text(sub(1.0f, e)) == "f32[4]");
  CHECK_THROWS_AS(x + g.input({dtype::i32, {4}}, "i"), build_error);
}

TEST_CASE("dsl: operands by name") {
  graph g;
  const value x = g.input({dtype::f32, {5, 2, 3}}, "x");
  const value w = g.input({dtype::f32, {1, 16, 3}}, "w"), r = g.input({dtype::f32, {1, 16, 4}}, "r");
  const value h = g.input({dtype::f32, {1, 2, 4}}, "h"), c = g.input({dtype::f32, {1, 2, 4}}, "c");
  const auto [y, last, cell] = lstm({.x = x, .w = w, .r = r, .initial_h = h, .initial_c = c}, {.hidden_size = 4});
  CHECK(text(y) == "f32[5,1,2,4]");
  CHECK(g.at(y.record().producer).inputs[5] == h.id());
  CHECK_THROWS_AS(lstm({.x = x, .w = value(), .r = r}, {.hidden_size = 4}), build_error);
  const value image = g.input({dtype::f32, {1, 2, 3, 3}}, "image");
  CHECK(text(resize({.x = image, .sizes = {1, 2, 6, 6}}, {.mode = resize_mode::nearest})) == "f32[1,2,6,6]");
}

TEST_CASE("dsl: numbers that no runtime takes, and parts that are empty") {
  graph g;
  const value n = g.input({dtype::i32, {4}}, "n"), u = g.input({dtype::u8, {4}}, "u"),
              x = g.input({dtype::f32, {4}}, "x");
  CHECK_THROWS_WITH(n / 0, "Div: the divisor is 0");
  CHECK_THROWS_WITH(mod(n, 0), "Mod: the divisor is 0");
  CHECK_NOTHROW(x / 0);
  CHECK_THROWS_WITH(bit_shift(u, 9, {.direction = shift_direction::left}),
                    "BitShift: the shift amount is not less than the type's width");
  CHECK_THROWS_WITH(slice(x, {3}, {1}), "Slice of f32[4]: a part is empty along axis 0");
  CHECK_THROWS_AS(split(x, {4, 0}), build_error);
  CHECK_THROWS_AS(g.dims().symbol("2B"), build_error);
  CHECK_THROWS_AS(g.dims().symbol("a b"), build_error);
  CHECK_THROWS_AS(g.dims().symbol(""), build_error);
  CHECK_THROWS_WITH(max({x, n}),
                    "Max(data_0: f32[4] 'x', data_1: i32[4] 'n'): data_0 is f32[4] and data_1 is i32[4]; "
                    "they must have the same type");
}

TEST_CASE("dsl: a value without its graph is an error at the verb") {
  value x, y;
  {
    graph g;
    x = g.input({dtype::f32, {4}}, "x");
  }
  graph g;
  y = g.input({dtype::f32, {4}}, "x");
  CHECK_THROWS_WITH(relu(x), "an operand belongs to a graph that was destroyed");
  CHECK_THROWS_AS(x + y, build_error);
  CHECK_THROWS_AS(if_(
                      x, [&] { return y; }, [&] { return y; }),
                  build_error);
  CHECK_THROWS_AS(output(x, "y"), build_error);
}

TEST_CASE("dsl: lists of integers are operands") {
  graph g(23);
  const std::vector<std::int64_t> axes{1};
  const std::span<const std::int64_t> view(axes);
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK(text(reduce_sum(x, axes)) == "f32[2,1]");
  CHECK(text(reduce_sum(x, view, {.keepdims = false})) == "f32[2]");
  CHECK(text(reshape(x, std::vector<std::int64_t>{3, 2})) == "f32[3,2]");
  const auto t = input<float, 2, 3>(g, "t");
  CHECK(text(reduce_sum(t, axes).erased()) == "f32[2,1]");
  CHECK(text(reduce_sum(t, view).erased()) == "f32[2,1]");
}
