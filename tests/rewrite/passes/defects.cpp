// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstddef>

#include <jax2onnx/rewrite/passes/defects.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;

TEST_CASE("defects: a row for each, in their order, with releases that are known") {
  for (std::size_t i = 0; i < std::size(defect_table); ++i) {
    INFO(defect_table[i].name);
    CHECK(defect_table[i].what == static_cast<defect>(i));
    CHECK(defect_table[i].first >= ort_releases[0].minor);
    CHECK(defect_table[i].first <= defect_table[i].last);
  }
  CHECK(std::size(defect_table) == static_cast<std::size_t>(defect::single_dft) + 1);
}

TEST_CASE("defects: a target avoids those of its release and of newer ones") {
  const target first{runtime::ort, 22}, fixed{runtime::ort, 32};
  CHECK(has_defect(target::ort, 21, defect::scaled_f64_product));
  CHECK(has_defect(first, 21, defect::scaled_f64_product));
  CHECK(has_defect({runtime::ort, 31}, 21, defect::scaled_f64_product));
  CHECK_FALSE(has_defect(fixed, 21, defect::scaled_f64_product));
  CHECK(has_defect(fixed, 21, defect::where_zero));
  CHECK_FALSE(has_defect(target::generic, 21, defect::where_zero));
  CHECK_FALSE(has_defect(target::ort, 28, defect::scaled_f64_product));  // no older release loads this opset
}
