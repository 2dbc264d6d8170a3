// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <initializer_list>
#include <string>

#include <jax2onnx/graph/symbol_equations.hpp>

using namespace jax2onnx;

namespace {

struct extents {
  dim_table dims;
  symbol_equations equations;
  explicit extents(std::initializer_list<const char*> known) {
    for (const char* text : known) equations.add(dims.parse(text));
  }
  /// `(extent - rest) / factor`, or `unknown`.
  std::string of(const char* symbol) {
    const dim d = dims.symbol(symbol);
    const symbol_equation* e = equations.find(dims, dims.terms(d)[0].key[0].atom);
    return e ? "(" + dims.text(e->extent) + " - " + dims.text(e->rest) + ") / " + dims.text(e->factor) : "unknown";
  }
};

}  // namespace

TEST_CASE("symbol_equations: linear extents and products of determined symbols") {
  CHECK(extents({"B"}).of("B") == "(B - 0) / 1");
  CHECK(extents({"2*B + 1"}).of("B") == "(2*B + 1 - 1) / 2");
  CHECK(extents({"10 - B"}).of("B") == "(-B + 10 - 10) / -1");
  CHECK(extents({"B*T", "T"}).of("B") == "(B*T - 0) / T");
  CHECK(extents({"B*T + T + 3", "T"}).of("B") == "(B*T + T + 3 - T + 3) / T");
  CHECK(extents({"A*B", "B*C", "C"}).of("A") == "(A*B - 0) / B");
}

TEST_CASE("symbol_equations: what extents do not determine") {
  CHECK(extents({}).of("B") == "unknown");
  CHECK(extents({"B*T"}).of("B") == "unknown");
  CHECK(extents({"B^2"}).of("B") == "unknown");
  CHECK(extents({"floordiv(B, 2)"}).of("B") == "unknown");
  CHECK(extents({"B*T - B", "T"}).of("B") == "unknown");  // T - 1 may be 0
}

TEST_CASE("scaled: an extent as a multiple of its part") {
  dim_table dims;
  const auto text = [&](const char* expression) {
    const scaled_dim s = scaled(dims, dims.parse(expression));
    return std::to_string(s.factor) + " * (" + dims.text(s.part) + ") + " + std::to_string(s.constant);
  };
  CHECK(text("B*T") == "1 * (B*T) + 0");
  CHECK(text("4*B*T + 6*C - 3") == "2 * (2*B*T + 3*C) + -3");
  CHECK(text("7") == "0 * (1) + 7");
}
