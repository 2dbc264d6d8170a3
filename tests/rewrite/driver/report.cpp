// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/driver/report.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("rewrite_report: applications are counted, reasons are kept once, in order") {
  rewrite_report r;
  r.add_reason("A", "first");
  r.add_applied("B");
  r.add_reason("A", "second");
  r.add_reason("A", "first");
  r.add_applied("B");
  CHECK(r.applied("A") == 0);
  CHECK(r.applied("B") == 2);
  CHECK(r.applied("C") == 0);
  CHECK(r.find("A")->reasons == std::vector<std::string_view>{"first", "second"});
  CHECK(r.find("C") == nullptr);
  CHECK(r.rules.size() == 2);
}
