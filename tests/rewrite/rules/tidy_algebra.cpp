// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/tidy_algebra.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::detail;
using namespace jax2onnx::rewrite::test;

TEST_CASE("join-casts: only over a type that holds every value") {
  model m;
  CHECK(after(cast(cast(m.in({2}, dtype::i8), dtype::i32), dtype::f32), "join-casts") == "Cast");
  model n;
  CHECK(after(neg(cast(cast(n.in({2}, dtype::bf16), dtype::f32), dtype::bf16)), "join-casts") == "Neg");
  model o;
  CHECK(after(cast(cast(o.in({2}), dtype::bf16), dtype::f32), "join-casts") == "the inner cast loses values");
}

TEST_CASE("drop-neutral: only what is exact for every value, -0 and NaN included") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto left = [](const auto& build) {
    model m;
    return after(neg(build(m.in({2, 3}))), "drop-neutral");
  };
  CHECK(left([](value x) { return mul(x, 1); }) == "Neg");
  CHECK(left([](value x) { return div(x, 1); }) == "Neg");
  CHECK(left([](value x) { return sub(x, 0.0); }) == "Neg");
  CHECK(left([](value x) { return add(x, -0.0); }) == "Neg");
  CHECK(left([](value x) { return add(x, 0.0); }) == "Add Neg");
  CHECK(left([&](value x) { return maximum(x, -inf); }) == "Neg");
  CHECK(left([&](value x) { return minimum(x, inf); }) == "Neg");
  CHECK(left([&](value x) { return maximum(x, inf); }) == "Max Neg");
  CHECK(left([](value x) { return sub(scalar(x.owner(), dtype::f32, 0), x); }) == "Sub Neg");
  model m;
  CHECK(after(neg(add(m.in({2}, dtype::i32), 0)), "drop-neutral") == "Neg");
  model n;  // the one determines the result's shape
  CHECK(after(mul(n.in({1}), array(n.g, dtype::f32, {3}, std::span<const double>(std::vector<double>{1, 1, 1}))),
              "drop-neutral") == "Mul");
}

TEST_CASE("join-negations: one Not after an operator replaces two before it") {
  const auto negated = [](model& m) { return logical_not(m.in({2}, dtype::boolean)); };
  model m;
  CHECK(after(logical_and(negated(m), negated(m)), "join-negations") == "Or Not");
  model n;
  CHECK(after(logical_or(negated(n), negated(n)), "join-negations") == "And Not");
  model o;
  const value shared = negated(o);
  CHECK(after({logical_and(shared, negated(o)), cast(shared, dtype::i32)}, {"join-negations"}) ==
        "a negation is read elsewhere too");
  model p;
  CHECK(after(logical_and(negated(p), p.in({2}, dtype::boolean)), "join-negations") == "Not And");
}

TEST_CASE("a choice of -1 or 0 is its condition") {
  model m;
  const value choice = where(m.in({2}, dtype::boolean), scalar(m.g, dtype::i32, -1), scalar(m.g, dtype::i32, 0));
  CHECK(after(logical_not(cast(choice, dtype::boolean)), "cast-of-choice") == "Not");
}

TEST_CASE("choice-of-truths: one operand is known, or both") {
  const auto chosen = [](const shape& condition, int first, int second) {
    model m;  // 0 and 1 are constants, another number an input
    const auto operand = [&](int n) { return n > 1 ? m.in({2}, dtype::boolean) : scalar(m.g, dtype::boolean, n); };
    const value c = less(m.in(condition), 1);
    return after(logical_not(where(c, operand(first), operand(second))), "choice-of-truths");
  };
  CHECK(chosen({2}, 1, 0) == "Less Not");
  CHECK(chosen({2}, 0, 1) == "Less Not Not");
  CHECK(chosen({2}, 2, 0) == "Less And Not");
  CHECK(chosen({}, 1, 2) == "Less Or Not");
  CHECK(chosen({2}, 0, 2) == "Less Not And Not");
  CHECK(chosen({2}, 2, 1) == "Less Not Or Not");
  CHECK(chosen({2}, 2, 2) == "Less Where Not");
  model n;  // the constant has the result's shape
  const bool wide[] = {true, true};
  const value all = array(n.g, dtype::boolean, ints{2}, std::span<const bool>(wide));
  CHECK(after(logical_not(where(less(n.in({}), 1), all, scalar(n.g, dtype::boolean, 0))), "choice-of-truths") ==
        "Less And Not");
}

TEST_CASE("drop-involution, turn-where, known-where, cast-of-choice") {
  model m;
  CHECK(after(exp(neg(neg(m.in({2})))), "drop-involution") == "Exp");
  model n;
  const value c = n.in({2}, dtype::boolean);
  CHECK(after(where(logical_not(c), n.in({2}), n.in({2})), "turn-where") == "Where");
  model o;
  CHECK(after(exp(where(scalar(o.g, dtype::boolean, 1), o.in({2}), o.in({2}))), "known-where") == "Exp");
  model p;
  const value d = p.in({2}, dtype::boolean);
  const value choice = where(d, scalar(p.g, dtype::i32, 1), scalar(p.g, dtype::i32, 0));
  CHECK(after(logical_not(cast(choice, dtype::boolean)), "cast-of-choice") == "Not");
}

TEST_CASE("known-where: indices that are nowhere negative need no wrapping") {
  const auto wrapped = [](const value& i, int extent) {
    const value raised = add(i, extent);
    return where(less(i, 0), raised, i);
  };
  model m;
  CHECK(after(gather(m.in({9, 3}), wrapped(m.weight({2, 3}, dtype::i32), 9), 0), "known-where") == "Gather");
  model n;
  const value mixed = array(n.g, dtype::i32, {2}, std::span<const std::int64_t>(std::array<std::int64_t, 2>{1, -1}));
  CHECK(after(gather(n.in({9, 3}), wrapped(mixed, 9), 0), "known-where") == "Add Less Where Gather");
  model o;
  const value largest =
      o.g.emit("ArgMax", {o.in({9, 3})}, {dtype::i64, {3}}, {{"axis", std::int64_t{0}}, {"keepdims", std::int64_t{0}}});
  CHECK(after(gather(o.in({9, 3}), wrapped(largest, 9), 0), "known-where") == "ArgMax Gather");
}

TEST_CASE("compare-of-bool: a boolean that became a number is compared as it is") {
  model m;
  const value b = m.in({2, 3}, dtype::boolean);
  CHECK(after(logical_and(greater(cast(b, dtype::f32), 0), m.in({2, 3}, dtype::boolean)), "compare-of-bool") == "And");
  model n;
  CHECK(after(equal(cast(n.in({2}, dtype::boolean), dtype::i32), 0), "compare-of-bool") == "Not");
  model p;
  CHECK(after(less(cast(p.in({2}, dtype::boolean), dtype::i32), 1), "compare-of-bool") == "Not");
  model o;
  CHECK(after(equal(cast(o.in({2}, dtype::i32), dtype::f32), 0), "compare-of-bool") == "Cast Equal");
}

TEST_CASE("turn-truncation: -0 is the last operand of the Where") {
  const auto ceil = [](const value& x) { return unary("Ceil", x); };
  model m, n;
  const value x = m.in({2}), y = n.in({2});
  CHECK(after(where(less(x, 0), ceil(x), floor(x)), "turn-truncation").find("Less") == std::string::npos);
  CHECK(after(where(less(y, 0), floor(y), ceil(y)), "turn-truncation").find("Less") != std::string::npos);
}

TEST_CASE("sign-factor: a choice between x and -x multiplies by a sign") {
  model m, n, o, p, q;
  const auto choice = [](model& g, const value& x) { return where(g.in({2}, dtype::boolean), neg(x), x); };
  CHECK(after(choice(m, m.in({2})), "sign-factor") == "Where Mul");
  const value x = n.in({2});
  CHECK(after(where(n.in({2}, dtype::boolean), x, neg(x)), "sign-factor") == "Where Mul");
  CHECK(after(choice(o, o.in({2}, dtype::i32)), "sign-factor") == "Neg Where");
  const value y = p.in({2}), minus = neg(y);
  CHECK(after(add(where(p.in({2}, dtype::boolean), minus, y), minus), "sign-factor") ==
        "the negative is read elsewhere too");
  CHECK(after(where(q.in({2}, dtype::boolean), neg(q.in({2})), q.in({2})), "sign-factor") == "Neg Where");
}

TEST_CASE("join-choices: two conditions for one operand") {
  const auto zero = [](model& m) { return scalar(m.g, dtype::f32, 0); };
  model m;
  const value z = zero(m);
  const value inner = where(m.in({4}, dtype::boolean), m.in({4}), z);
  CHECK(after(where(m.in({2, 4}, dtype::boolean), inner, z), "join-choices") == "And Where");
  model n;
  const value y = zero(n);
  const value windows = reshape(where(n.in({2, 2}, dtype::boolean), n.in({2, 1}), y), {4});
  CHECK(after(where(n.in({4}, dtype::boolean), windows, y), "join-choices") == "Reshape And Where Reshape");
  model o;
  const value other = where(o.in({4}, dtype::boolean), o.in({4}), zero(o));
  CHECK(after(where(o.in({4}, dtype::boolean), other, o.in({})), "join-choices") == "Where Where");
}

TEST_CASE("join-choices: not if the inner choice stays, or a Reshape would have to move broadcasts") {
  model m, n;
  const value z = scalar(m.g, dtype::f32, 0), y = scalar(n.g, dtype::f32, 0);
  const value inner = where(m.in({4}, dtype::boolean), m.in({4}), z);
  CHECK(after({where(m.in({4}, dtype::boolean), inner, z), exp(inner)}, {"join-choices"}) ==
        "the inner choice is read elsewhere too");
  const value windows = reshape(where(n.in({2, 2}, dtype::boolean), n.in({2, 2}), y), {4});
  CHECK(after(where(n.in({1}, dtype::boolean), windows, y), "join-choices") == "a condition is broadcast");
}

TEST_CASE("drop-zero-under-root: not if the sign of a zero matters") {
  model m, n, o;
  CHECK(after(add(sqrt(add(m.in({4}), 0.0)), 1e-8), "drop-zero-under-root") == "Sqrt Add");
  CHECK(after(add(sqrt(add(n.in({4}), 0.0)), 0.0), "drop-zero-under-root") == "Add Sqrt Add");
  CHECK(after(add(sqrt(add(o.in({4}), 0.5)), 1e-8), "drop-zero-under-root") == "Add Sqrt Add");
}

TEST_CASE("cast-of-table: the entries are cast, not what is read of them") {
  model m;
  const value read = gather(m.weight({3}, dtype::u32), m.in({5}, dtype::i64), 0);
  CHECK(after(cast(read, dtype::i32), "cast-of-table") == "Gather");
  model n;
  const value twice = gather(n.weight({3}, dtype::u32), n.in({5}, dtype::i64), 0);
  CHECK(after({cast(twice, dtype::i32), twice}, {"cast-of-table"}) == "the gathered elements are read elsewhere too");
  model o;
  const value floats = gather(o.weight({3}), o.in({5}, dtype::i64), 0);
  CHECK(after(cast(floats, dtype::i32), "cast-of-table") == "the table is large, or its elements are not integers");
}

TEST_CASE("drop-neutral: Xor with false") {
  model m;
  CHECK(after(logical_not(binary("Xor", m.in({2}, dtype::boolean), scalar(m.g, dtype::boolean, 0))), "drop-neutral") ==
        "Not");
}

TEST_CASE("drop-neutral: a comparison that always holds, or never") {
  model m;
  const value mask = m.in({4}, dtype::boolean),
              i = clip(m.in({4}, dtype::i32), scalar(m.g, dtype::i32, 0), scalar(m.g, dtype::i32, 9));
  CHECK(after(logical_not(logical_and(mask, less(i, 10))), "drop-neutral") == "Not");
  model n;
  const value j = clip(n.in({4}, dtype::i32), scalar(n.g, dtype::i32, 0), scalar(n.g, dtype::i32, 9));
  CHECK(after(logical_not(logical_or(n.in({4}, dtype::boolean), greater(j, 9))), "drop-neutral") == "Not");
  model k;
  const value l = clip(k.in({4}, dtype::i32), scalar(k.g, dtype::i32, 0), scalar(k.g, dtype::i32, 9));
  CHECK(after(logical_and(k.in({4}, dtype::boolean), less(l, 9)), "drop-neutral") == "Clip Less And");
}

TEST_CASE("drop-negation: the opposite comparison of integers") {
  const auto negated = [](dtype t, value (*compared)(const value&, const value&)) {
    model m;
    return after(logical_not(compared(m.in({4}, t), m.in({4}, t))), "drop-negation");
  };
  CHECK(negated(dtype::i32, less) == "GreaterOrEqual");
  CHECK(negated(dtype::i64, greater) == "LessOrEqual");
  CHECK(negated(dtype::u8, less_equal) == "Greater");
  CHECK(negated(dtype::i32, greater_equal) == "Less");
  CHECK(negated(dtype::i32, equal) == "Equal Not");
  CHECK(negated(dtype::f32, less) == "Less Not");  // NaN
  model m;
  const value c = less(m.in({4}, dtype::i32), m.in({4}, dtype::i32));
  CHECK(after({logical_not(c), c}, {"drop-negation"}) == "the comparison is read elsewhere too");
}

TEST_CASE("equal-to-itself: of integers only") {
  model m, n;
  const value i = m.in({3}, dtype::i32), x = n.in({3});
  CHECK(after(exp(where(equal(i, i), m.in({3}), m.in({3}))), "equal-to-itself") == "Exp");
  CHECK(after(exp(where(equal(x, x), n.in({3}), n.in({3}))), "equal-to-itself") == "Equal Where Exp");
}
