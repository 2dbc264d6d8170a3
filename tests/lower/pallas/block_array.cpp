// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/pallas/block_array.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;
using namespace jax2onnx::lower::pallas;

namespace {

block_place at(std::int64_t row) { return {{0, 2, row, {}}}; }
std::vector<std::string> op_names(graph& g) {
  std::vector<std::string> out;
  for (const node_id n : g.at(block_id::main).nodes) out.emplace_back(g.at(n).op);
  return out;
}

}  // namespace

TEST_CASE("blocks that are all of an array are concatenated") {
  graph g;
  const value low = g.input({dtype::f32, {2, 3}}, "low"), high = g.input({dtype::f32, {2, 3}}, "high");
  block_array x(value(g.input({dtype::f32, {4, 3}}, "x")));
  x.write(at(2), high);
  x.write(at(0), low);
  CHECK(same_value(x.read(at(2)).re(), high));
  CHECK(x.whole().re().dims() == shape{4, 3});
  CHECK(op_names(g) == std::vector<std::string>{"Concat"});
}

TEST_CASE("a block is written twice") {
  graph g;
  const value first = g.input({dtype::f32, {2, 3}}, "first"), second = g.input({dtype::f32, {2, 3}}, "second");
  block_array x(value(g.input({dtype::f32, {4, 3}}, "x")));
  x.write(at(2), first);
  x.write(at(2), second);
  CHECK(same_value(x.read(at(2)).re(), second));
  CHECK(x.whole().re().dims() == shape{4, 3});  // the first rows stay
}

TEST_CASE("blocks that overlap, or that are at computed places, are written one after the other") {
  graph g;
  const value block = g.input({dtype::f32, {2, 3}}, "block"), row = g.input({dtype::i64, {}}, "row");
  block_array x(value(g.input({dtype::f32, {4, 3}}, "x")));
  x.write(at(0), block);
  x.write(at(1), block);
  x.write({clamped_slice(0, 4, 2, row)}, block);
  CHECK(x.whole().re().dims() == shape{4, 3});
  CHECK_FALSE(apart(at(0), at(1)));
  CHECK(apart(at(0), at(2)));
  CHECK_FALSE(apart(at(0), {clamped_slice(0, 4, 2, row)}));
}
