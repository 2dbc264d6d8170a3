#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/target.hpp>

using namespace jax2onnx;

using namespace jax2onnx::rewrite::test;

TEST_CASE("target: a name for each, in their order") {
  CHECK(target_named("ort") == target::ort);
  CHECK(target_named("ort-contrib") == target::ort_contrib);
  CHECK(target_named("web") == target::web);
  CHECK(target_named("generic") == target::generic);
  CHECK(!target_named("ORT"));
  CHECK(!target_named(""));
  STATIC_REQUIRE(is_onnx_runtime(target::web));
  STATIC_REQUIRE(!is_onnx_runtime(target::generic));
}

TEST_CASE("target: casts for the kernels of ONNX Runtime, none for others") {
  const auto optimized = [](target t) {
    model m;
    output(exp(m.in({2}, dtype::bf16)), "y");
    rewrite_options o;
    o.target = t;
    optimize(m.g, o);
    return ops(m.g);
  };
  CHECK(optimized(target::ort) == "Cast Exp Cast");
  CHECK(optimized(target::ort_contrib) == "Cast Exp Cast");
  CHECK(optimized(target::web) == "Cast Exp Cast");
  CHECK(optimized(target::generic) == "Exp");
}
