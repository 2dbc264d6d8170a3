// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/rewrite/weights/format.hpp>

using namespace jax2onnx;

TEST_CASE("formats of weights have names") {
  CHECK(weight_format_named("int4") == weight_format::int4);
  CHECK(weight_format_named("bfloat16") == weight_format::bfloat16);
  CHECK_FALSE(weight_format_named("float32"));
  CHECK(weight_format_names() == std::vector<std::string>{"float16", "bfloat16", "int8", "int4"});
}

TEST_CASE("types to compute in have names") {
  for (const std::string& name : compute_type_names()) CHECK(compute_type_named(name));
  CHECK(compute_type_named("float16") == compute_type::float16);
  CHECK_FALSE(compute_type_named("bfloat16"));
}

TEST_CASE("targets that compute in float16 by request") {
  using rewrite::detail::require_compute_target;
  CHECK_NOTHROW(require_compute_target(compute_type::float16, target::web));
  CHECK_NOTHROW(require_compute_target(compute_type::float32, target::tract));
  for (const auto& [t, help] :
       {std::pair(target::coreml, "coreml has its own setting"), std::pair(target::rten, "use one of the targets")}) {
    try {
      require_compute_target(compute_type::float16, t);
      FAIL("no error");
    } catch (const error& e) {
      CHECK(e.diagnostics()[0].code == "rewrite.compute-target");
      CHECK(e.diagnostics()[0].help.starts_with(help));
    }
  }
}
