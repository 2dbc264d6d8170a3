#include "catch.hpp"

#include <jax2onnx/ops/typed/extent.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("extent: a number, a name or unknown, as a dim") {
  CHECK(dim(extent(784)) == dim(784));
  CHECK(dim("B"_d) == dim::symbol("B"));
  CHECK(dim(dyn).is_dyn());
  CHECK("batch"_d.name() == "batch");
  static_assert(extent("abcdefghijklmno").name().size() == extent::longest_name);
}
