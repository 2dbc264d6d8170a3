// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/convert/interface_names.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using Catch::Matchers::Contains;

TEST_CASE("interface names: given ones first, then numbered ones") {
  const interface_names names("input", 3, {"x", ""}, {});
  CHECK(names.name(0) == "x");
  CHECK(names.name(1) == "input_1");
  CHECK(names.name(2) == "input_2");
}

TEST_CASE("interface names: NCHW is told by name or by number") {
  const interface_names names("output", 3, {"a", "b"}, {"b", "2"});
  CHECK_FALSE(names.is_nchw(0));
  CHECK(names.is_nchw(1));
  CHECK(names.is_nchw(2));
}

TEST_CASE("interface names: what cannot be a name is refused") {
  CHECK_THROWS_WITH(interface_names("input", 1, {"a", "b"}, {}), Contains("has 1 input, but 2 names are given"));
  CHECK_THROWS_WITH(interface_names("input", 2, {"a", "a"}, {}), Contains("two inputs are called 'a'"));
  CHECK_THROWS_WITH(interface_names("input", 1, {"a\x1b[31m"}, {}), Contains("control character"));
  CHECK_THROWS_WITH(interface_names("input", 2, {"input_1"}, {}), Contains("two inputs are called 'input_1'"));
  CHECK_THROWS_WITH(interface_names("input", 1, {}, {"1"}), Contains("no input '1'"));
  CHECK_THROWS_WITH(interface_names("input", 1, {}, {"x"}), Contains("no input 'x'"));
}

TEST_CASE("interface names: an input and an output have different names") {
  const interface_names in("input", 1, {"x"}, {}), out("output", 1, {"x"}, {}), other("output", 1, {"y"}, {});
  CHECK_THROWS_WITH(out.check_apart_from(in), Contains("an input and an output are called 'x'"));
  CHECK_NOTHROW(other.check_apart_from(in));
}
