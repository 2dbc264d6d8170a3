// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/scan_inputs.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value tanh(const value& x) { return unary("Tanh", x); }

/// A Loop of `count` iterations over the states; the body also gets the iteration's index.
std::vector<value> turned(model& m, std::int64_t count, const std::vector<value>& first, const loop_body& body) {
  return loop(m.g, scalar(m.g, dtype::i64, count), {}, first, body).carried;
}

}  // namespace

TEST_CASE("counted-loop: a Loop of known length is a Scan of its numbers") {
  model m;
  const auto y = turned(m, 20, {m.in({3})}, [](const value& i, const std::vector<value>& s) {
    return loop_step{{}, {add(s[0], cast(i, dtype::f32))}, {}};
  });
  CHECK(after(y[0], "counted-loop") == "Scan");
  CHECK(bodies(m.g) == "Cast Add");
}

TEST_CASE("counted-loop: short loops, and those whose length or end is not known, stay") {
  const auto step = [](const value&, const std::vector<value>& s) { return loop_step{{}, {tanh(s[0])}, {}}; };
  model one, many, some, ends;
  CHECK(after(turned(one, 1, {one.in({3})}, step)[0], "counted-loop") == "Loop");
  CHECK(after(turned(many, 65537, {many.in({3})}, step)[0], "counted-loop") == "Loop");
  const value trips = some.g.input({dtype::i64, {}}, "trips");
  CHECK(after(loop(some.g, trips, {}, {some.in({3})}, step).carried[0], "counted-loop") == "Loop");
  const value going = ends.g.input({dtype::boolean, {}}, "going");
  const value y = loop(ends.g, scalar(ends.g, dtype::i64, 20), going, {ends.in({3})}, step).carried[0];
  CHECK(after(y, "counted-loop") == "Loop");
}

TEST_CASE("counted-loop: for other runtimes, the Scan is marked") {
  model m;
  const auto step = [](const value&, const std::vector<value>& s) { return loop_step{{}, {tanh(s[0])}, {}}; };
  const auto y = turned(m, 20, {m.in({3})}, step);
  CHECK(after({y[0]}, {"counted-loop"}, target::portable) == "Scan");
  CHECK(m.g.at(m.g.at(block_id::main).nodes[0]).find("counted") != nullptr);
}

TEST_CASE("counter-sequence: a state that counts is a sequence, forwards and backwards") {
  for (const bool reverse : {false, true}) {
    model m;
    scan_options options{.carried_names = {"k", "x"}, .reverse = reverse};
    const loop_result y = scan(
        m.g, {scalar(m.g, dtype::i32, 7), m.in({3})}, {m.in({5, 3})},
        [](const std::vector<value>& s, const std::vector<value>& x) {
          return loop_step{{}, {add(s[0], 2), add(mul(s[1], cast(s[0], dtype::f32)), x[0])}, {}};
        },
        options);
    CHECK(after({y.carried[0], y.carried[1]}, {"counter-sequence"}) == "Scan Identity");
    CHECK(bodies(m.g) == "Cast Mul Add");
    for (const node_id id : m.g.at(block_id::main).nodes) {
      const node& n = m.g.at(id);
      if (n.op == "Identity") CHECK(constant_integer(value(m.g, n.inputs[0])) == 17);
      if (n.op != "Scan") continue;
      const value numbers(m.g, n.inputs.back());
      CHECK(constant_integers(numbers) == (reverse ? ints{15, 13, 11, 9, 7} : ints{7, 9, 11, 13, 15}));
    }
  }
}

TEST_CASE("counter-sequence: a state that begins with an input stays") {
  model m;
  const value k = m.g.input({dtype::i32, {}}, "k");
  const loop_result y = scan(m.g, {k}, {m.in({5, 3})}, [](const std::vector<value>& s, const std::vector<value>&) {
    return loop_step{{}, {add(s[0], 2)}, {}};
  });
  CHECK(after(y.carried[0], "counter-sequence") == "Scan");
}

TEST_CASE("equal-elements: a sequence of one number is that number") {
  model m;
  const value ones = array(m.g, dtype::boolean, {5}, std::vector<double>(5, 1));
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {where(x[1], add(s[0], x[0]), s[0])}, {}};
  };
  const value y = scan(m.g, {m.in({2, 4})}, {m.in({5, 2, 4}), ones}, body).carried[0];
  CHECK(after(y, "equal-elements") == "Scan");
  CHECK(m.g.at(m.g.at(block_id::main).nodes.back()).inputs.size() == 2);
}

TEST_CASE("equal-elements: integers that double does not have") {
  model m;
  const std::int64_t most = (std::int64_t{1} << 53) + 1;
  const ints all(5, most);
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {add(s[0], add(x[0], x[1]))}, {}};
  };
  const value y = scan(m.g, {m.in({}, dtype::i64)}, {m.in({5}, dtype::i64), int64s(m.g, all)}, body).carried[0];
  CHECK(after(y, "equal-elements") == "Scan");
  bool found = false;
  for (std::uint32_t i = 0; i < m.g.value_count(); ++i) {
    const value v(m.g, static_cast<value_id>(i));
    found = found || (v.rank() == 0 && v.is_constant() && constant_integer(v) == most);
  }
  CHECK(found);
}

TEST_CASE("equal-elements: the only sequence stays, and counts the steps") {
  model m;
  const value threes = array(m.g, dtype::i64, {5}, std::vector<double>(5, 3));
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {add(s[0], x[0])}, {s[0]}};
  };
  const value y = scan(m.g, {m.in({2}, dtype::i64)}, {threes}, body).carried[0];
  CHECK(after(y, "equal-elements") == "Scan");
  CHECK(after(y, "equal-elements") == "Scan");
  const node& made = m.g.at(m.g.at(block_id::main).nodes.back());
  CHECK(made.inputs.size() == 2);
  CHECK(m.g.at(std::get<block_id>(made.find("body")->value)).nodes.size() == 1);
}
