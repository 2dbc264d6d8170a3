#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/recurrences.hpp>

using namespace jax2onnx;
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

}  // namespace

TEST_CASE("LSTM: four gates, a cell and a hidden state") {
  model m, n, o;
  CHECK(has(after(lstm(m), "LSTM"), " LSTM "));
  CHECK(has(after(lstm(n, dtype::f32, true), "LSTM"), " Scan "));
  CHECK(after({lstm(o, dtype::f64)}, {"LSTM"}, target::ort) == "ONNX Runtime's kernel is for float32");
}

TEST_CASE("LSTM: in ONNX Runtime a NaN in a sequence reaches all later steps") {
  model m, n;
  CHECK(has(after({lstm(m)}, {"LSTM"}, target::ort), " CumSum "));
  CHECK_FALSE(has(after(lstm(n), "LSTM"), " CumSum "));
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
  CHECK(after({gru(n, gru_form::usual, dtype::f64)}, {"GRU"}, target::ort) == "ONNX Runtime's kernel is for float32");
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
  CHECK(after({rnn(n)}, {"RNN"}, target::ort) == "ONNX Runtime's kernel computes Tanh less precisely than its Tanh");
}
