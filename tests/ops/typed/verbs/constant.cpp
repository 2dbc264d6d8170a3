#include "catch.hpp"
#include "ops/typed/types.hpp"

#include <jax2onnx/ops/typed/verbs/constant.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: constant") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, "B"_d, 4>(eye_like(x))));
  const auto limit = input<std::int64_t>(g, "limit");
  CHECK((has_type<std::int64_t, dyn>(range(0, limit, 1))));
}
