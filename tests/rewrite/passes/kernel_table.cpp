// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <algorithm>
#include <tuple>

#include <jax2onnx/rewrite/passes/kernel_table.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

TEST_CASE("kernel_table: sorted by operator, opset and release, which find_kernel needs") {
  const auto key = [](const rewrite::detail::kernel_row& r) { return std::tuple(r.op, r.since, r.release); };
  CHECK(std::ranges::is_sorted(rewrite::detail::kernel_table, std::less_equal{}, key));
}

TEST_CASE("kernel_table: every type variable of a row has a mask") {
  for (const rewrite::detail::kernel_row& row : rewrite::detail::kernel_table)
    for (const char letter : std::string(row.inputs) + std::string(row.outputs)) {
      if (letter == '-') continue;
      INFO(row.op << " " << letter);
      CHECK(row.by_onnx[letter - 'a'] != 0);
    }
}
