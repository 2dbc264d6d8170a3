// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <jax2onnx/ops/window.hpp>
#include <jax2onnx/rewrite/rules/scans/associative_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The pair of a and the partial h in jax.lax.associative_scan.
using pair = std::array<value, 2>;

pair combine(const pair& left, const pair& right) {
  return {mul(left[0], right[0]), add(mul(left[1], right[0]), right[1])};
}
/// The elements of both from `start` to `end`, with a step.
pair every(const pair& x, std::int64_t axis, std::int64_t start, std::int64_t end, std::int64_t step = 1) {
  return {slice(x[0], {axis}, {start}, {end}, {step}), slice(x[1], {axis}, {start}, {end}, {step})};
}
value interleave(const value& evens, const value& odds, std::int64_t axis) {
  const value zero = scalar(evens.owner(), evens.dtype(), 0);
  const std::int64_t n = evens.extent(axis).extent(), m = odds.extent(axis).extent();
  const shape none(evens.dims().size(), dim(0));
  ints between(none.size(), 0);
  shape one = none, behind = none;
  one[static_cast<std::size_t>(axis)] = 1;
  behind[static_cast<std::size_t>(axis)] = n == m ? 1 : 0;
  between[static_cast<std::size_t>(axis)] = 1;
  const value first = pad_between(evens, none, behind, between, zero);
  return add(first, pad_between(odds, one, n == m ? none : one, between, zero));
}
pair associative_scan(const pair& x, std::int64_t axis) {
  const std::int64_t n = x[0].extent(axis).extent();
  if (n < 2) return x;
  const pair reduced = combine(every(x, axis, 0, n - 1, 2), every(x, axis, 1, n, 2));
  const pair odds = associative_scan(reduced, axis), first = every(x, axis, 0, 1);
  if (n == 2) return {interleave(first[0], odds[0], axis), interleave(first[1], odds[1], axis)};
  const std::int64_t before = n % 2 == 0 ? n / 2 - 1 : n / 2;
  const pair rest = combine(every(odds, axis, 0, before), every(x, axis, 2, n, 2));
  const auto joined = [&](std::size_t i) { return interleave(concat({first[i], rest[i]}, axis), odds[i], axis); };
  return {joined(0), joined(1)};
}
value recurrence(model& m, const shape& dims, std::int64_t axis) {
  const value a = m.in(dims), b = m.in(dims);
  return associative_scan({a, b}, axis)[1];
}
std::string scanned(model& m, const shape& dims, std::int64_t axis) {
  return after({recurrence(m, dims, axis)}, {"join-pads", "join-uneven-pads", "linear-recurrence"});
}
value padded(const value& x, std::int64_t low, std::int64_t high) {
  return pad(x, {low, 0}, {high, 0}, scalar(x.owner(), x.dtype(), 0));
}

}  // namespace

TEST_CASE("join-pads: sums of arrays that are 0 where the other is not") {
  model m, n, o, p;
  CHECK(after(add(padded(m.in({2, 3}), 0, 4), padded(m.in({4, 3}), 2, 0)), "join-pads") == "Concat");
  CHECK(after(add(padded(n.in({2, 3}), 0, 3), padded(n.in({4, 3}), 1, 0)), "join-pads") ==
        "the operands overlap or leave a gap");
  const value shared = padded(o.in({4, 3}), 2, 0);
  CHECK(after({add(padded(o.in({2, 3}), 0, 4), shared), exp(shared)}, {"join-pads"}) ==
        "a padded operand is read elsewhere too");
  const value ones = pad(p.in({2, 3}), {0, 0}, {2, 0}, scalar(p.g, dtype::f32, 1));
  CHECK(after(add(ones, padded(p.in({2, 3}), 2, 0)), "join-pads") == "Pad Pad Add");
}

TEST_CASE("join-pads, join-uneven-pads: zeros between elements") {
  model m, n, o, p, q;
  CHECK(after(interleave(m.in({4, 3}), m.in({4, 3}), 0), "join-pads") == "Concat Reshape");
  CHECK(after(interleave(n.in({4, 3}), n.in({3, 3}), 0), "join-uneven-pads") == "Pad Concat Reshape Slice");
  CHECK(after(interleave(o.in({2, 3}), o.in({1, 3}), 0), "join-uneven-pads") == "Pad Concat Reshape Slice");
  const value x = p.in({4, 3}), zero = scalar(p.g, dtype::f32, 0);
  const value evens = pad_between(x, {0, 0}, {0, 0}, {1, 0}, zero);
  const value odds = pad_between(p.in({3, 3}), {1, 0}, {1, 0}, {1, 0}, zero);
  CHECK(after({add(evens, odds), exp(evens)}, {"join-uneven-pads"}) == "a padded operand is read elsewhere too");
  const value nil = scalar(q.g, dtype::f32, 0);
  const value third = pad_between(q.in({4, 3}), {0, 0}, {0, 0}, {1, 0}, nil);
  CHECK(after(add(third, pad(q.in({6, 3}), {0, 0}, {1, 0}, nil)), "join-uneven-pads") ==
        "the operands overlap or leave a gap");
}

TEST_CASE("linear-recurrence: associative scans of any length become a Scan") {
  for (const std::int64_t steps : {6, 7, 8, 11, 16}) {
    model m;
    INFO(steps);
    CHECK(scanned(m, {steps, 4}, 0) == "Slice Reshape Slice Slice Scan Concat");
  }
  model inner;
  const auto report = apply({recurrence(inner, {1, 16, 4}, 1)}, {"join-pads", "linear-recurrence"});
  CHECK(report.find("linear-recurrence")->applied == 1);
  CHECK(report.find("linear-recurrence")->reasons.front() == "the recurrence is part of a longer recurrence");
}

TEST_CASE("linear-recurrence: not in small steps, nor across other axes") {
  model m, n, o;
  const auto last = [](model& model, const shape& dims, std::int64_t axis) {
    const auto report = apply({recurrence(model, dims, axis)}, {"join-pads", "linear-recurrence"});
    const auto* entry = report.find("linear-recurrence");
    return entry->applied == 0 ? std::string(entry->reasons.back()) : "applied";
  };
  CHECK(last(m, {32, 4}, 0) == "the steps have too few elements");
  CHECK(last(n, {2, 8, 4}, 1) == "the elements of a step are not adjacent");
  CHECK(last(o, {32, 2048}, 0) == "applied");
}

TEST_CASE("linear-recurrence: small steps if factors are known to be at most 1") {
  const auto report_of = [](std::int64_t steps, bool gates) {
    model m;
    const value a = m.in({steps, 4}), b = m.in({steps, 4});
    const value y = associative_scan({gates ? unary("Sigmoid", a) : a, b}, 0)[1];
    return apply({y}, {"join-pads", "join-uneven-pads", "linear-recurrence"}).find("linear-recurrence")->applied;
  };
  CHECK(report_of(65, true) == 1);
  CHECK(report_of(64, true) == 0);
  CHECK(report_of(65, false) == 0);
}

TEST_CASE("linear-recurrence: not if something else is combined") {
  model m;
  const value a = m.in({8, 4}), b = m.in({8, 4});
  const pair halves = combine(every({a, b}, 0, 0, 7, 2), every({a, b}, 0, 1, 8, 2));
  const pair wrong = {halves[0], add(halves[1], 1)}, odds = associative_scan(wrong, 0);
  const pair rest = combine(every(odds, 0, 0, 3), every({a, b}, 0, 2, 8, 2));
  const value h = interleave(concat({slice(b, 0, 0, 1), rest[1]}, 0), odds[1], 0);
  apply({h}, {"join-pads", "linear-recurrence"});
  CHECK(op_list(m.g).ends_with(" Concat Reshape"));
}
