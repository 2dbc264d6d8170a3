// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>
#include <vector>

#include <jax2onnx/operators/views/blocks.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;
using namespace jax2onnx::ops;

namespace {

const node& made_by(const value& v) { return v.owner().at(v.record().producer); }

}  // namespace

TEST_CASE("blocks: an If and its branches") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), c = g.input({dtype::boolean, {}}, "c");
  const auto negative = [&] { return std::vector{neg(x)}; };
  const auto copied = [&] { return std::vector{unary("Identity", x)}; };
  const node& n = made_by(if_(c, negative, copied, {x.type()})[0]);
  CHECK(is_choice(n));
  CHECK(fits_its_blocks(g, n));
  CHECK(block_of(n, "body") == block_id::none);
  CHECK(handed_on(g, g.at(block_of(n, "else_branch")).outputs[0]) == x.id());
  CHECK(handed_on(g, g.at(block_of(n, "then_branch")).outputs[0]) != x.id());
  g.at(block_of(n, "then_branch")).outputs.clear();
  CHECK_FALSE(fits_its_blocks(g, n));
}

TEST_CASE("blocks: where a Loop and a Scan have what they carry") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), xs = g.input({dtype::f32, {3, 2}}, "xs");
  const auto turn = [](const value&, const std::vector<value>& s) { return loop_step{{}, {neg(s[0])}}; };
  const node& looped = made_by(loop(g, scalar(g, dtype::i64, 3), {}, {x}, turn).carried[0]);
  CHECK(may_have_no_iteration(looped));
  CHECK(fits_its_blocks(g, looped));
  CHECK(carried_places_of(looped).count == 1);
  CHECK(carried_places_of(looped).inputs == 2);
  CHECK(carried_places_of(looped).results == 1);
  const auto step = [](const std::vector<value>& s, const std::vector<value>& e) {
    return loop_step{{}, {add(s[0], e[0])}, {e[0]}};
  };
  const node& scanned = made_by(scan(g, {x}, {xs}, step).carried[0]);
  CHECK_FALSE(may_have_no_iteration(scanned));
  CHECK(fits_its_blocks(g, scanned));
  CHECK(carried_places_of(scanned).count == 1);
  CHECK(carried_places_of(scanned).inputs == 0);
}

TEST_CASE("blocks: reads of a node include those of its blocks") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), y = g.input({dtype::f32, {2}}, "y");
  const value c = g.input({dtype::boolean, {}}, "c");
  const auto inner = [&] {
    return if_(
        c, [&] { return std::vector{neg(x)}; }, [&] { return std::vector{neg(y)}; });
  };
  const value chosen = if_(c, inner, [&] { return std::vector{abs(y)}; })[0];
  std::vector<value_id> read;
  for_each_read(g, made_by(chosen), [&](value_id v) { read.push_back(v); });
  const auto count = [&](const value& v) { return std::ranges::count(read, v.id()); };
  CHECK(count(c) == 2);
  CHECK(count(x) == 1);
  CHECK(count(y) == 2);
}
