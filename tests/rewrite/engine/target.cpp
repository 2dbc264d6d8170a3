// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

using namespace jax2onnx::rewrite::test;

TEST_CASE("target: names") {
  CHECK(target_named("ort") == target::ort);
  CHECK(target_named("ort-contrib") == target::ort_contrib);
  CHECK(target_named("ort-gpu") == target::ort_gpu);
  CHECK(target_named("ncnn") == target::ncnn);
  CHECK(target_named("web") == target::web);
  CHECK(target_named("generic") == target::generic);
  CHECK(!target_named("ORT"));
  CHECK(!target_named(""));
  CHECK(target_named("ort@1.22") == target{runtime::ort, 22});
  CHECK(target_named("ort-contrib@1.32") == target{runtime::ort_contrib, 32});
  for (const char* unknown : {"ort@", "ort@1", "ort@1.", "ort@1.2", "ort@1.21", "ort@1.99", "ort@1.320", "ort@2.22",
                              "ort@1.32.0", "web@1.30", "generic@1.32", "@1.32", "ort @1.32"})
    CHECK(!target_named(unknown));
  for (const std::string& name : target_names()) CHECK(target_named(name));
  CHECK_THAT(target_forms(), Catch::Matchers::Contains("1.22 1.23") && Catch::Matchers::Contains("ort-contrib"));
  STATIC_REQUIRE(is_onnx_runtime(target::web));
  STATIC_REQUIRE(is_onnx_runtime(target::ort_gpu));
  STATIC_REQUIRE(!is_portable(target::ort_gpu));
  STATIC_REQUIRE(is_portable(target::ncnn));
  STATIC_REQUIRE(!is_onnx_runtime(target::generic));
}

TEST_CASE("target: the oldest release that runs models of an opset") {
  CHECK(oldest_release(target::ort, 17) == 22);
  CHECK(oldest_release(target::ort, 23) == 23);
  CHECK(oldest_release(target::ort, 28) == 32);
  CHECK(oldest_release(target{runtime::ort, 27}, 23) == 27);
  CHECK(oldest_release(target::web, 23) == 30);
  CHECK(oldest_release(target::ort_gpu, 23) == 31);
  CHECK(highest_opset_of(target::ort, 28) == 28);
  CHECK(highest_opset_of(target{runtime::ort, 24}, 28) == 25);
}

TEST_CASE("target: casts for the kernels of ONNX Runtime, none for others") {
  const auto optimized = [](target t) {
    model m;
    output(exp(m.in({2}, dtype::bf16)), "y");
    rewrite_options o;
    o.target = t;
    optimize(m.g, o);
    return op_list(m.g);
  };
  CHECK(optimized(target::ort) == "Cast Exp Cast");
  CHECK(optimized(target::ort_contrib) == "Cast Exp Cast");
  CHECK(optimized(target::web) == "Cast Exp Cast");
  CHECK(optimized(target::generic) == "Exp");
}
