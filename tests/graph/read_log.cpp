// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/read_log.hpp>

using namespace jax2onnx;

namespace {

std::vector<std::uint32_t> reads(const read_log& log) {
  std::vector<std::uint32_t> numbers;
  for (const read_log::key k : log.reads()) numbers.push_back(k.number);
  return numbers;
}
std::uint32_t number(const value& v, read_log::aspect a = read_log::aspect::record) {
  return read_log::key(v.id(), a).number;
}

}  // namespace

TEST_CASE("read_log: a graph notes what is read of its values, each once") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), y = g.input({dtype::f32, {2}}, "y");
  read_log log;
  log.start();
  g.note_reads(&log);
  CHECK(y.rank() == 1);
  CHECK(x.dtype() == dtype::f32);
  CHECK_FALSE(y.is_constant());
  CHECK(reads(log) == std::vector{number(y), number(x)});
  CHECK_FALSE(log.has_blocks());
  CHECK(g.at(block_id::main).inputs.size() == 2);
  CHECK(log.has_blocks());

  log.start();
  CHECK(reads(log).empty());
  CHECK_FALSE(log.has_blocks());
  CHECK(x.rank() == 1);
  CHECK(reads(log) == std::vector{number(x)});
  g.note_reads(nullptr);
  CHECK(y.rank() == 1);
  CHECK(reads(log).size() == 1);
}

TEST_CASE("read_log: how often a value is read is another thing than the value") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  read_log log;
  log.start();
  log.note({x.id(), read_log::aspect::uses});
  log.note({x.id(), read_log::aspect::record});
  log.note({x.id(), read_log::aspect::uses});
  CHECK(reads(log) == std::vector{number(x, read_log::aspect::uses), number(x)});
}
