// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/control.hpp>
#include <jax2onnx/dsl/typed/functions.hpp>
#include <jax2onnx/dsl/typed/typed_ops.hpp>
#include <jax2onnx/facts/verify.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

struct model {
  graph g;
  tensor<float, 5, 3> xs = input<float, 5, 3>(g, "xs");
  tensor<float, 3> h = input<float, 3>(g, "h");
  tensor<bool> yes = input<bool>(g, "yes");
  tensor<std::int64_t> zero = input<std::int64_t>(g, "zero");
};

}  // namespace

TEST_CASE("typed control: results have the types that the bodies return") {
  model m;
  const tensor<float, 3> z = if_(
      m.yes, [&] { return relu(m.h); }, [&] { return m.h; });
  const auto [i, acc] = loop(m.zero, std::tuple(m.zero, m.h), [](auto step, auto n, auto sum) {
    static_assert(std::same_as<decltype(step), tensor<std::int64_t>>);
    return std::tuple(n + 1, sum * 2.0f);
  });
  static_assert(std::same_as<std::remove_cvref_t<decltype(acc)>, tensor<float, 3>>);
  const auto [last, all] = scan(m.h, m.xs, [](auto state, auto x) {
    auto next = state + x;
    return std::pair(next, next);
  });
  static_assert(std::same_as<std::remove_cvref_t<decltype(all)>, tensor<float, 5, 3>>);
  const auto [end, each] = loop(4, m.h, [](auto, auto x) { return collect(relu(x), x); });
  static_assert(std::same_as<std::remove_cvref_t<decltype(each)>, tensor<float, dyn, 3>>);
  CHECK(problems_of(m.g).empty());
  CHECK(z.erased().dims() == shape{3});
  CHECK(all.erased().dims() == shape{5, 3});
}

TEST_CASE("typed control: a carried value that grows is declared with dyn") {
  model m;
  const tensor<float, dyn> start = m.h;
  const auto grown = loop(3, start, [&](auto, auto x) {
    return tensor<float, dyn>(concat({x.erased(), m.h.erased()}, {0}));
  });
  CHECK(grown.erased().dims() == shape{dim::dyn()});
  CHECK(problems_of(m.g).empty());
}
