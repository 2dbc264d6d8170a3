// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value tanh(const value& x) { return unary("Tanh", x); }

value word(model& m, std::int64_t n) { return scalar(m.g, dtype::u32, n); }

/// A Scan over xs[5,2,4] with states[2,4].
template <class Step>
loop_result scanned(model& m, std::size_t states, const Step& step, const scan_options& options = {}) {
  const std::vector<value> first(states, m.in({2, 4}));
  return scan(
      m.g, first, {m.in({5, 2, 4})},
      [&](const std::vector<value>& s, const std::vector<value>& x) { return loop_step(step(s, x[0])); }, options);
}

}  // namespace

TEST_CASE("scan-inputs: a product of the input is one of all steps") {
  model m;
  const value w = m.weight({4, 4}), r = m.weight({4, 4});
  const loop_result y = scanned(m, 1, [&](const std::vector<value>& s, const value& x) {
    const value h = tanh(add(matmul(tanh(x), w), matmul(s[0], r)));
    return loop_step{{}, {h}, {}};
  });
  CHECK(after(y.carried[0], "scan-inputs") == "Tanh MatMul Scan");
  CHECK(bodies(m.g) == "MatMul Add Tanh");
}

TEST_CASE("scan-inputs: the product of a Gemm whose bias a step computes") {
  model m;
  const value w = m.weight({4, 4}), r = m.weight({4, 4});
  const auto gemm = [&](const value& x, const value& bias) {
    return m.g.emit("Gemm", std::vector<value>{x, w, bias}, x.type(), {{"transB", std::int64_t{1}}});
  };
  const loop_result y = scanned(m, 1, [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {gemm(x, matmul(s[0], r))}, {}};
  });
  CHECK(after(y.carried[0], "scan-inputs") == "Transpose MatMul Scan");
  CHECK(bodies(m.g) == "MatMul Add");
  model n;
  const value small = n.weight({4, 4});
  const loop_result z = scanned(n, 1, [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {n.g.emit("Gemm", std::vector<value>{x, small, tanh(s[0])}, x.type())}, {}};
  });
  CHECK(after(z.carried[0], "scan-inputs") == "Scan");
}

TEST_CASE("scan-inputs: a Scan without states is none") {
  model m;
  const loop_result y = scanned(m, 0, [&](const std::vector<value>&, const value& x) {
    return loop_step{{}, {}, {add(tanh(x), scalar(m.g, dtype::f32, 1)), x}};
  });
  CHECK(after({y.collected[0], y.collected[1]}, {"scan-inputs"}) == "Tanh Add Identity Identity");
}

TEST_CASE("scan-inputs: what broadcasts in a step has the axes of its result") {
  model m;
  const value rows = m.in({5, 4}), all = m.in({5, 2, 4});
  const loop_result y = scan(m.g, {}, {rows, all}, [&](const std::vector<value>&, const std::vector<value>& x) {
    return loop_step{{}, {}, {mul(x[0], x[1])}};
  });
  CHECK(after(y.collected[0], "scan-inputs") == "Unsqueeze Mul Identity");
}

TEST_CASE("scan-inputs: large elements stay in the Scan") {
  model m;
  const loop_result y = scan(m.g, {}, {m.in({5, 4097})}, [&](const std::vector<value>&, const std::vector<value>& x) {
    return loop_step{{}, {}, {tanh(x[0])}};
  });
  CHECK(after(y.collected[0], "scan-inputs") == "Scan");
}

TEST_CASE("scan-inputs: a subgraph stays, and reads what is computed before the Scan") {
  model m;
  const value c = m.in({}, dtype::boolean);
  const loop_result y = scanned(m, 1, [&](const std::vector<value>& s, const value& x) {
    const value moved = exp(x);
    const auto sum = [&] { return std::vector{add(s[0], moved)}; };
    return loop_step{{}, {if_(c, sum, [&] { return std::vector{neg(s[0])}; })[0]}, {}};
  });
  CHECK(after(y.carried[0], "scan-inputs") == "Exp Scan");
  CHECK(bodies(m.g) == "If");
  CHECK_NOTHROW(verify(m.g));
  model n;
  const value d = n.in({}, dtype::boolean);
  const loop_result z = scanned(n, 0, [&](const std::vector<value>&, const value& x) {
    const auto choice = [&] { return std::vector{tanh(x)}; };
    return loop_step{{}, {}, {tanh(if_(d, choice, [&] { return std::vector{add(x, x)}; })[0])}};
  });
  CHECK(after(z.collected[0], "scan-inputs") == "Scan");
}

TEST_CASE("scan-inputs: a stacked value from outside stays in the Scan") {
  model m;
  const value outside = m.in({2, 4});
  const loop_result y = scanned(m, 1, [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {add(s[0], exp(x))}, {outside}};
  });
  CHECK(after({y.carried[0], y.collected[0]}, {"scan-inputs"}) == "Exp Scan Identity");
}

TEST_CASE("split-scan: states that only a subgraph reads belong together") {
  model m;
  const value key = m.g.input({dtype::u32, {}}, "key"), c = m.in({}, dtype::boolean);
  const value y =
      scan(m.g, {key, m.in({3})}, {m.in({5, 3})}, [&](const std::vector<value>& s, const std::vector<value>& x) {
        const value next = bit_xor(mul(s[0], 3), word(m, 5)), drawn = bit_xor(mul(s[0], 9), word(m, 6));
        const auto scaled = [&] { return std::vector{mul(s[1], cast(drawn, dtype::f32))}; };
        return loop_step{{}, {next, if_(c, scaled, [&] { return std::vector{add(s[1], x[0])}; })[0]}};
      }).carried[1];
  CHECK(after(y, "split-scan") == "Scan Scan");
  CHECK(bodies(m.g) == "Mul BitwiseXor; Mul BitwiseXor If");
  CHECK_NOTHROW(verify(m.g));
}

TEST_CASE("last-results: what only the last step needs is computed after it") {
  model m;
  const loop_result y = scanned(m, 2, [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h, exp(tanh(h))}, {}};
  });
  CHECK(after({y.carried[0], y.carried[1]}, {"last-results"}) == "Scan Tanh Exp Identity");
  CHECK(bodies(m.g) == "Add");
}

TEST_CASE("last-results: states with the same values, and values from outside") {
  model m;
  const value outside = m.in({2, 4});
  const loop_result y = scanned(m, 3, [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h, h, outside}, {}};
  });
  CHECK(after({y.carried[0], y.carried[1], y.carried[2]}, {"last-results"}) == "Scan Identity Identity");
}

TEST_CASE("last-results: all such states at once, also those that follow from each other") {
  model m;
  const loop_result y = scanned(m, 4, [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x), i = neg(h), j = exp(i);
    return loop_step{{}, {h, i, j, tanh(j)}, {}};
  });
  const auto report = apply({y.carried[0], y.carried[1], y.carried[2], y.carried[3]}, {"last-results"});
  CHECK(report.applied("last-results") == 1);
  CHECK(bodies(m.g) == "Add");
}

TEST_CASE("last-results: what stays in the Scan") {
  const auto left = [](const auto& step) {
    model m;
    const loop_result y = scanned(m, 2, step);
    after({y.carried[0], y.carried[1]}, {"last-results"});
    return bodies(m.g);
  };
  // A step reads it, or it needs an element or the state before the step.
  CHECK(left([](const std::vector<value>& s, const value& x) {
          return loop_step{{}, {add(s[0], x), exp(s[1])}, {}};
        }) == "Add Exp");
  CHECK(left([](const std::vector<value>& s, const value& x) {
          return loop_step{{}, {add(s[0], x), exp(x)}, {}};
        }) == "Add Exp");
  CHECK(left([](const std::vector<value>& s, const value& x) {
          return loop_step{{}, {add(s[0], x), exp(s[0])}, {}};
        }) == "Add Exp");
  // All of its nodes are needed in each step.
  CHECK(left([](const std::vector<value>& s, const value& x) {
          const value h = add(s[0], x), e = exp(h);
          return loop_step{{}, {h, e}, {e}};
        }) == "Add Exp");
}

TEST_CASE("scan-results: what no state needs follows the Scan") {
  model m;
  const value w = m.weight({4, 3});
  const auto step = [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h}, {matmul(tanh(h), w), h}};
  };
  const loop_result y = scanned(m, 1, step, {.reverse = true});
  CHECK(after({y.collected[0], y.collected[1], y.carried[0]}, {"scan-results"}) ==
        "Scan Tanh MatMul Identity Identity");
  CHECK(bodies(m.g) == "Add");
}

TEST_CASE("scan-results: of the state before a step, and of the sequence") {
  model m;
  const auto step = [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {add(s[0], x)}, {mul(s[0], x)}};
  };
  const loop_result y = scanned(m, 1, step);
  CHECK(after({y.collected[0], y.carried[0]}, {"scan-results"}) == "Scan Mul Identity");
  CHECK(bodies(m.g) == "Add");
}

TEST_CASE("scan-results: what works on neither elements nor rows stays") {
  model m;
  const auto step = [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h}, {cumsum(h, 0)}};
  };
  CHECK(after(scanned(m, 1, step).collected[0], "scan-results") == "Scan");
}

TEST_CASE("scan-results: what follows a value that steps compute one by one") {
  model m;
  const auto step = [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h}, {tanh(cumsum(h, 0))}};
  };
  CHECK(after(scanned(m, 1, step).collected[0], "scan-results") == "Scan Tanh Identity");
  CHECK(bodies(m.g) == "Add CumSum");
}

TEST_CASE("scan-results: products of small values of each step") {
  model m;
  const auto step = [&](const std::vector<value>& s, const value& x) {
    const value h = add(s[0], x);
    return loop_step{{}, {h}, {matmul(h, transpose(h, {1, 0}))}};
  };
  CHECK(after(scanned(m, 1, step).collected[0], "scan-results") == "Scan Transpose MatMul Identity");
}

TEST_CASE("scan-results: of both parts of a Split that the states need") {
  model m;
  const auto step = [&](const std::vector<value>& s, const value& x) {
    const std::vector<value> parts = parts_of(concat({s[0], x}, 1), 1, {4, 4});
    return loop_step{{}, {tanh(parts[1])}, {unary("Exp", parts[0])}};
  };
  const loop_result y = scanned(m, 1, step);
  CHECK(after({y.collected[0], y.carried[0]}, {"scan-results"}) == "Scan");
  CHECK(bodies(m.g) == "Concat Split Tanh Exp");
}

TEST_CASE("split-scan: layers of cells have a Scan each") {
  model m;
  const value w = m.weight({4, 4}), u = m.weight({4, 4});
  const loop_result y = scanned(m, 2, [&](const std::vector<value>& s, const value& x) {
    const value h = tanh(add(x, matmul(s[0], w)));
    const value k = tanh(add(h, matmul(s[1], u)));
    return loop_step{{}, {h, k}, {k}};
  });
  CHECK(after({y.collected[0], y.carried[0]}, {"split-scan"}) == "Scan Scan Identity");
  CHECK(bodies(m.g) == "MatMul Add Tanh; MatMul Add Tanh");
}

TEST_CASE("split-scan: states that depend on each other stay together, and those without products") {
  model m, n;
  const value w = m.weight({4, 4}), u = n.weight({4, 4});
  const loop_result y = scanned(m, 2, [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {add(x, matmul(s[1], w)), add(x, matmul(s[0], w))}, {}};
  });
  CHECK(after(y.carried[0], "split-scan") == "Scan");
  const loop_result z = scanned(n, 2, [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {add(s[0], x), add(s[0], matmul(s[1], u))}, {}};
  });
  CHECK(after(z.carried[1], "split-scan") == "Scan");
}

TEST_CASE("split-scan: a large state stays") {
  model m;
  const value w = m.weight({2, 2}), first = m.in({2, 32769});
  const loop_result y =
      scan(m.g, {first, first}, {m.in({5, 2, 1})}, [&](const std::vector<value>& s, const std::vector<value>& x) {
        const value h = add(matmul(w, s[0]), x[0]);
        return loop_step{{}, {h, add(matmul(w, s[1]), h)}, {}};
      });
  CHECK(after(y.carried[1], "split-scan") == "a step has too many elements");
}

TEST_CASE("scan-inputs: what is unrolled later stays") {
  model m;
  const auto step = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {add(s[0], tanh(x[0]))}, {}};
  };
  const value y = scan(m.g, {m.in({3})}, {m.in({4, 3})}, step).carried[0];
  output(y, "y");
  rewrite_report report;
  rewrite::detail::rule_driver driver(m.g, report, {.most_unrolled = 8});
  driver.add(rule_named("scan-inputs"));
  driver.run(rewrite::stage::fuse);
  CHECK(op_list(m.g) == "Scan");
}

TEST_CASE("split-scan: random keys have a Scan of their own, if more is drawn from them") {
  model m, n;
  const auto chain = [](model& in, bool draws) {
    const value key = in.g.input({dtype::u32, {}}, "key");
    return scan(in.g, {key, in.in({3})}, {in.in({5, 3})},
                [&](const std::vector<value>& s, const std::vector<value>& x) {
                  const value next = bit_xor(mul(s[0], 3), word(in, 5)), drawn = bit_xor(mul(s[0], 9), word(in, 6));
                  return loop_step{{}, {next, mul(add(s[1], cast(draws ? drawn : next, dtype::f32)), x[0])}, {}};
                });
  };
  CHECK(after(chain(m, true).carried[1], "split-scan") == "Scan Scan");
  CHECK(bodies(m.g) == "Mul BitwiseXor; Mul BitwiseXor Cast Add Mul");
  CHECK(after(chain(n, false).carried[1], "split-scan") == "Scan");
}
