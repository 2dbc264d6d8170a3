// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/recurrences.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value sigmoid(const value& x) { return unary("Sigmoid", x); }
value tanh(const value& x) { return unary("Tanh", x); }

/// x W + h R + b.
value gate(model& m, const value& x, const value& h) {
  const dtype t = x.dtype();
  return add(add(matmul(x, m.weight({3, 4}, t)), matmul(h, m.weight({4, 4}, t))), m.weight({4}, t));
}

/// The stacked hidden states of a Scan over xs[5,B,3] whose body is `step(x, states)`.
template <class Step>
value scanned(model& m, std::size_t states, const Step& step, dtype t = dtype::f32) {
  const std::vector<value> first(states, m.in({m.B, 4}, t));
  return scan(m.g, first, {m.in({5, m.B, 3}, t)},
              [&](const std::vector<value>& carried, const std::vector<value>& x) {
                const std::vector<value> next = step(x[0], carried);
                return loop_step{{}, next, {next[0]}};
              })
      .collected[0];
}

value lstm(model& m, dtype t = dtype::f32, bool leaky = false) {
  const auto step = [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const value added = mul(sigmoid(gate(m, x, s[0])), tanh(gate(m, x, s[0]))), forget = sigmoid(gate(m, x, s[0]));
    const value cell = leaky ? mul(forget, add(s[1], added)) : add(mul(forget, s[1]), added);
    return {mul(sigmoid(gate(m, x, s[0])), tanh(cell)), cell};
  };
  return scanned(m, 2, step, t);
}

enum class gru_form { usual, turned, difference, reset_first };

value gru(model& m, gru_form form, dtype t = dtype::f32) {
  const auto step = [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const value h = s[0], z = sigmoid(gate(m, x, h)), reset = sigmoid(gate(m, x, h)), r = m.weight({4, 4}, t);
    const value share = form == gru_form::reset_first ? matmul(mul(reset, h), r) : mul(reset, matmul(h, r));
    const value candidate = tanh(add(matmul(x, m.weight({3, 4}, t)), share)), rest = sub(scalar(m.g, t, 1), z);
    if (form == gru_form::turned) return {add(mul(rest, h), mul(z, candidate))};
    if (form == gru_form::difference) return {add(candidate, mul(z, sub(h, candidate)))};
    return {add(mul(rest, candidate), mul(z, h))};
  };
  return scanned(m, 1, step, t);
}

value rnn(model& m) {
  return scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    return {tanh(gate(m, x, s[0]))};
  });
}

bool has(const std::string& ops, std::string_view op) { return (" " + ops + " ").find(op) != std::string::npos; }

/// x after `trips` times tanh.
value looped(model& m, std::int64_t trips, const value& keep_going = {}) {
  return loop(m.g, scalar(m.g, dtype::i64, trips), {}, {m.in({3})},
              [&](const value&, const std::vector<value>& carried) {
                return loop_step{keep_going, {unary("Tanh", carried[0])}};
              })
      .carried[0];
}

/// The running sums of xs.
loop_result running_sum(const value& first, const value& xs, const scan_options& options = {}) {
  return scan(
      first.owner(), {first}, {xs},
      [](const std::vector<value>& carried, const std::vector<value>& x) {
        const value sum = add(carried[0], x[0]);
        return loop_step{{}, {sum}, {unary("Neg", sum)}};
      },
      options);
}

}  // namespace

TEST_CASE("LSTM, GRU: finite steps need no nodes for NaN") {
  model m, n;
  const std::string steps = after_if_finite(lstm(m), "LSTM"), gated = after_if_finite(gru(n, gru_form::usual), "GRU");
  CHECK(has(steps, "LSTM"));
  CHECK_FALSE(has(steps, "CumSum"));
  CHECK(has(gated, "GRU"));
  CHECK_FALSE(has(gated, "CumSum"));
}

TEST_CASE("LSTM: four gates, a cell and a hidden state") {
  model m, n, o;
  CHECK(has(after(lstm(m), "LSTM"), " LSTM "));
  CHECK(has(after(lstm(n, dtype::f32, true), "LSTM"), " Scan "));
  CHECK(after({lstm(o, dtype::f64)}, {"LSTM"}, target::ort) == "ONNX Runtime's kernel supports only float32");
}

TEST_CASE("LSTM: in ONNX Runtime a NaN in a sequence reaches all later steps") {
  model m, n;
  CHECK(has(after({lstm(m)}, {"LSTM"}, target::ort), " CumSum "));
  CHECK_FALSE(has(after(lstm(n), "LSTM"), " CumSum "));
}

TEST_CASE("GRU: in ONNX Runtime a NaN in a weight that is not constant reaches all steps") {
  const auto sums = [](const value& y) {
    const std::string ops = after({y}, {"GRU"}, target::ort);
    CHECK(has(ops, "GRU"));
    std::size_t count = 0;
    for (std::size_t at = 0; (at = ops.find("ReduceSum", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const auto last_product = [](model& m, const value& r, const value& b) {
    return scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
      const value z = sigmoid(gate(m, x, s[0])), share = mul(sigmoid(gate(m, x, s[0])), matmul(s[0], r));
      const value candidate = tanh(add(add(matmul(x, m.weight({3, 4})), b), share));
      return {add(mul(sub(scalar(m.g, dtype::f32, 1), z), candidate), mul(z, s[0]))};
    });
  };
  model m, n, o, p;
  CHECK(sums(last_product(m, m.weight({4, 4}), m.weight({4}))) == 2);  // of the sequence and of the first state
  CHECK(sums(last_product(n, n.in({4, 4}), n.weight({4}))) == 3);
  CHECK(sums(last_product(o, o.in({4, 4}), o.in({4}))) == 4);
  value far = p.weight({4, 4});
  for (int i = 0; i < 70; ++i) far = unary("Exp", far);
  CHECK(sums(last_product(p, far, p.weight({4}))) == 3);
}

TEST_CASE("GRU: the reset gate before or after the product, the update gate in each of its forms") {
  for (const gru_form form : {gru_form::usual, gru_form::turned, gru_form::difference, gru_form::reset_first}) {
    model m;
    CHECK(has(after(gru(m, form), "GRU"), " GRU "));
    const auto found =
        std::ranges::find_if(m.g.at(block_id::main).nodes, [&](node_id n) { return m.g.at(n).op == "GRU"; });
    const attribute* late = m.g.at(*found).find("linear_before_reset");
    CHECK((late != nullptr) == (form != gru_form::reset_first));
  }
  model n;
  CHECK(after({gru(n, gru_form::usual, dtype::f64)}, {"GRU"}, target::ort) ==
        "ONNX Runtime's kernel supports only float32");
}

TEST_CASE("GRU: a Split of one Sigmoid has both gates") {
  model m;
  const value r = m.weight({4, 4}), w = m.weight({3, 12}), u = m.weight({4, 8});
  const value y = scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const std::vector<value> of_x = parts_of(matmul(x, w), 1, {8, 4});
    const std::vector<value> both = parts_of(sigmoid(add(of_x[0], matmul(s[0], u))), 1, {4, 4});
    const value candidate = tanh(add(of_x[1], matmul(mul(both[1], s[0]), r)));
    return {add(mul(sub(scalar(m.g, dtype::f32, 1), both[0]), s[0]), mul(both[0], candidate))};
  });
  CHECK(has(after(y, "GRU"), " GRU "));
}

TEST_CASE("LSTM, GRU: the rows of several sequences of different lengths lie side by side") {
  const auto last = [](model& m, std::size_t states, const auto& step) {
    return scan(m.g, std::vector<value>(states, m.in({m.B, 4})), {m.in({5, m.B, 3}), m.in({5, m.B, 7})},
                [&](const std::vector<value>& s, const std::vector<value>& x) {
                  return loop_step{{}, step(s, concat(std::vector{x[0], x[1]}, 1)), {}};
                })
        .carried[0];
  };
  const auto gate_of = [](model& m, const value& x, const value& h) {
    return add(matmul(x, m.weight({10, 4})), matmul(h, m.weight({4, 4})));
  };
  const auto is_wide = [](model& m, std::string_view op, std::int64_t rows) {
    for (node_id n : m.g.at(block_id::main).nodes)
      if (m.g.at(n).op == op) return m.g.at(m.g.at(n).inputs[1]).type.dims == shape{1, rows, 10};
    return false;
  };
  model m, n;
  apply({last(m, 1,
              [&](const std::vector<value>& s, const value& x) -> std::vector<value> {
                const value z = sigmoid(gate_of(m, x, s[0])), r = sigmoid(gate_of(m, x, s[0]));
                const value share = mul(r, matmul(s[0], m.weight({4, 4})));
                const value candidate = tanh(add(matmul(x, m.weight({10, 4})), share));
                return {add(mul(sub(scalar(m.g, dtype::f32, 1), z), candidate), mul(z, s[0]))};
              })},
        {"GRU"});
  CHECK(is_wide(m, "GRU", 12));
  apply({last(n, 2,
              [&](const std::vector<value>& s, const value& x) -> std::vector<value> {
                const auto g = [&] { return gate_of(n, x, s[0]); };
                const value cell = add(mul(sigmoid(g()), s[1]), mul(sigmoid(g()), tanh(g())));
                return {mul(sigmoid(g()), tanh(cell)), cell};
              })},
        {"LSTM"});
  CHECK(is_wide(n, "LSTM", 16));
}

TEST_CASE("GRU: the reset gate scales products of the hidden state only") {
  model m;
  const value y = scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const value h = s[0], z = sigmoid(gate(m, x, h)), reset = sigmoid(gate(m, x, h));
    const value candidate = tanh(mul(reset, add(matmul(h, m.weight({4, 4})), matmul(x, m.weight({3, 4})))));
    return {add(mul(sub(scalar(m.g, dtype::f32, 1), z), candidate), mul(z, h))};
  });
  CHECK(has(after(y, "GRU"), " Scan "));
}

TEST_CASE("GRU: the update gate does not read the state that is reset") {
  model m;
  const value y = scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const value h = s[0], reset = mul(sigmoid(gate(m, x, h)), h), z = sigmoid(gate(m, x, reset));
    const value candidate = tanh(add(matmul(x, m.weight({3, 4})), matmul(reset, m.weight({4, 4}))));
    return {add(mul(sub(scalar(m.g, dtype::f32, 1), z), candidate), mul(z, h))};
  });
  CHECK(has(after(y, "GRU"), " Scan "));
}

TEST_CASE("LSTM, GRU: not in ONNX Runtime for a batch that may be empty") {
  constexpr std::string_view reason = "ONNX Runtime's kernel fails for an empty batch";
  for (const std::string_view op : {"LSTM", "GRU"}) {
    model m, n;
    m.B = m.g.dims().sub(m.B, 1);
    CHECK(after({op == "LSTM" ? lstm(m) : gru(m, gru_form::usual)}, {op}, target::ort) == reason);
    n.B = n.g.dims().sub(n.B, 1);
    CHECK(has(after(op == "LSTM" ? lstm(n) : gru(n, gru_form::usual), op), op));
  }
}

TEST_CASE("GRU: one gate is none") {
  model m;
  const value y = scanned(m, 1, [&](const value& x, const std::vector<value>& s) -> std::vector<value> {
    const value z = sigmoid(gate(m, x, s[0])), candidate = tanh(gate(m, x, s[0]));
    return {add(mul(sub(scalar(m.g, dtype::f32, 1), z), candidate), mul(z, s[0]))};
  });
  CHECK(has(after(y, "GRU"), " Scan "));
}

TEST_CASE("RNN: a Tanh, but not in ONNX Runtime") {
  model m, n;
  CHECK(has(after(rnn(m), "RNN"), " RNN "));
  CHECK(after({rnn(n)}, {"RNN"}, target::ort) == "ONNX Runtime's kernel of RNN is less precise than its Tanh");
}

TEST_CASE("a Loop of a few iterations becomes these") {
  model m;
  CHECK(after(looped(m, 3), "unroll") == "Tanh Tanh Tanh Identity");
}

TEST_CASE("a Loop of many iterations stays") {
  model m;
  CHECK(after(looped(m, 9), "unroll") == "the loop has more iterations than are unrolled");
}

TEST_CASE("a Loop without iterations stays") {
  model m;
  CHECK(after(looped(m, 0), "unroll") == "Loop");
}

TEST_CASE("a Loop that may end early stays") {
  model m;
  const value going = m.g.input({dtype::boolean, {}}, "going");
  CHECK(after(looped(m, 3, going), "unroll") == "the loop's condition may end the loop early");
}

TEST_CASE("a Loop with a long body stays") {
  model m;
  const auto body = [](const value&, const std::vector<value>& carried) {
    value x = carried[0];
    for (int i = 0; i < 200; ++i) x = unary("Tanh", x);
    return loop_step{{}, {x}};
  };
  const value y = loop(m.g, scalar(m.g, dtype::i64, 3), {}, {m.in({3})}, body).carried[0];
  CHECK(after(y, "unroll") == "the iterations have too many nodes");
}

TEST_CASE("the number of an iteration becomes a constant") {
  model m;
  const auto body = [](const value& k, const std::vector<value>& carried) {
    return loop_step{{}, {add(carried[0], cast(k, dtype::f32))}};
  };
  const value y = loop(m.g, scalar(m.g, dtype::i64, 2), {}, {m.in({3})}, body).carried[0];
  CHECK(after({y}, {"fold-elementwise", "unroll"}) == "Add Add Identity");
}

TEST_CASE("a Scan becomes its iterations, what it stacks a Concat") {
  model m;
  const loop_result r = running_sum(m.in({3}), m.in({2, 3}));
  CHECK(after({r.carried[0], r.collected[0]}, {"unroll"}) ==
        "Gather Add Neg Gather Add Neg Concat Reshape Identity Identity");
}

TEST_CASE("a backward Scan along another axis") {
  model m;
  const loop_result r = running_sum(m.in({3}), m.in({3, 2}), {.axis = 1, .reverse = true});
  CHECK(after({r.carried[0], r.collected[0]}, {"unroll"}) ==
        "Gather Add Neg Gather Add Neg Unsqueeze Unsqueeze Concat Identity Identity");
}

TEST_CASE("a Scan has half as many iterations as a Loop") {
  model m;
  CHECK(after(running_sum(m.in({3}), m.in({5, 3})).carried[0], "unroll") ==
        "the loop has more iterations than are unrolled");
}

TEST_CASE("a Scan of large or symbolic elements stays") {
  const std::string_view reason = "the sequences may have large elements, which Scan does not copy";
  model m;
  CHECK(after(running_sum(m.in({1025}), m.in({2, 1025})).carried[0], "unroll") == reason);
  model n;
  CHECK(after(running_sum(n.in({n.B}), n.in({2, n.B})).carried[0], "unroll") == reason);
}

TEST_CASE("a Scan of symbolic length stays") {
  model m;
  CHECK(after(running_sum(m.in({3}), m.in({m.B, 3})).carried[0], "unroll") == "Scan");
}

TEST_CASE("loops inside each other") {
  model m;
  const value trips = scalar(m.g, dtype::i64, 2);
  const auto inner = [](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {unary("Tanh", carried[0])}};
  };
  const auto outer = [&](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {loop(m.g, trips, {}, carried, inner).carried[0]}};
  };
  CHECK(after(loop(m.g, trips, {}, {m.in({3})}, outer).carried[0], "unroll") ==
        "Tanh Tanh Identity Tanh Tanh Identity Identity");
}

TEST_CASE("unroll: many iterations that depend on constants only") {
  const auto grown = [](model& m, const value& by) {
    const value start = array(m.g, dtype::f32, {2}, std::vector<double>{1, 2});
    const value count = array(m.g, dtype::f32, {20}, std::vector<double>(20, 1));
    return scan(m.g, {start}, {count}, [&](const std::vector<value>& s, const std::vector<value>&) {
      return loop_step{{}, {unary("Tanh", mul(s[0], by))}, {}};
    });
  };
  model m;
  const std::string all = after(grown(m, scalar(m.g, dtype::f32, 3)).carried[0], "unroll");
  CHECK(all.starts_with("Mul Tanh Mul Tanh"));
  CHECK(all.find("Scan") == std::string::npos);
  model n;
  CHECK(after(grown(n, n.in({})).carried[0], "unroll") == "the loop has more iterations than are unrolled");
}
