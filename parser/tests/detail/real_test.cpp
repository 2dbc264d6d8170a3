// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <jaxpr/detail/real.hpp>

TEST_CASE("real: numbers, infinities and NaN, by both functions of the standard library") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (auto* const read : {jaxpr::detail::read_real<>, jaxpr::detail::read_by_strtod}) {
    CHECK(read("1.5") == 1.5);
    CHECK(read("-1e-05") == -1e-5);
    CHECK(read("0.1") == 0.1);
    CHECK(read("-inf") == -infinity);
    CHECK(std::isnan(read("nan").value()));
    CHECK(read("5e-324") == std::numeric_limits<double>::denorm_min());
    CHECK(read("1e999") == infinity);
    CHECK(read("-1e999") == -infinity);
    CHECK(read("1e-999") == 0);
    CHECK(read("0." + std::string(400, '0') + "1") == 0);
    CHECK_FALSE(read("1.5x"));
    CHECK_FALSE(read("x"));
  }
  CHECK_FALSE(jaxpr::detail::read_real(""));
  CHECK_FALSE(jaxpr::detail::read_real(" 1"));
}
