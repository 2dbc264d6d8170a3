#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/target.hpp>

using namespace jax2onnx;

using namespace jax2onnx::rewrite::test;

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
  CHECK(optimized(target::generic) == "Exp");
}
