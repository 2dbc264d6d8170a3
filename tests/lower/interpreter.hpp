// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

/// Runs small graphs, so that a test can compare the results of lowered algorithms with published values. Integers and
/// booleans are 64-bit, uint32 is truncated to its bits, floating-point numbers are double, rounded to float if the
/// graph says so. Operators that no test needs are errors.
namespace jax2onnx::test {

struct tensor {
  dtype type = dtype::f64;
  std::vector<std::int64_t> dims;
  std::vector<double> floats;
  std::vector<std::int64_t> integers;  ///< used instead of `floats` for integers and booleans

  bool floating() const { return is_floating(type); }
  std::size_t size() const { return floating() ? floats.size() : integers.size(); }
};
inline tensor number(double x, dtype t = dtype::f64) { return {t, {}, {x}, {}}; }
inline tensor integer(std::int64_t x, dtype t = dtype::i64) { return {t, {}, {}, {x}}; }

class interpreter {
 public:
  explicit interpreter(const graph& g) : g_(g) {}
  void bind(const value& v, tensor t) { known_[v.id()] = std::move(t); }
  /// Runs the main graph, whose inputs must be bound.
  void run() { run_block(block_id::main); }
  const tensor& at(const value& v) { return get(v.id()); }
  double number_at(const value& v) { return at(v).floats.at(0); }
  std::int64_t integer_at(const value& v) { return at(v).integers.at(0); }

 private:
  using many = std::vector<tensor>;

  const tensor& get(value_id id) {
    const auto found = known_.find(id);
    if (found != known_.end()) return found->second;
    if (g_.at(id).constant < 0) throw std::logic_error("a value without a tensor");
    return known_[id] = constant(g_.at(id));
  }
  tensor constant(const value_record& r) const {
    tensor t{r.type.type, extents(r.type.dims), {}, {}};
    const auto raw = g_.data(r).view();
    const auto width = static_cast<std::size_t>(bits(t.type) / 8);
    for (std::size_t at = 0; at < raw.size(); at += width) {
      std::int64_t pattern = 0;
      std::memcpy(&pattern, raw.data() + at, width);
      if (t.type == dtype::f64) t.floats.push_back(std::bit_cast<double>(pattern));
      else if (t.type == dtype::f32)
        t.floats.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern))));
      else t.integers.push_back(pattern);
    }
    return t;
  }
  static std::vector<std::int64_t> extents(const shape& dims) {
    std::vector<std::int64_t> out;
    for (dim d : dims) out.push_back(d.extent());
    return out;
  }

  void run_block(block_id b) {
    for (node_id n : g_.at(b).nodes) run_node(g_.at(n));
  }
  void run_node(const node& n) {
    many in;
    for (value_id v : n.inputs) in.push_back(v == value_id::none ? tensor{} : get(v));
    if (n.op == "Scan") return keep(n, scan(n, in));
    if (n.op == "Loop") return keep(n, loop(n, in));
    keep(n, {apply(n, in)});
  }
  void keep(const node& n, const many& results) {
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
      tensor t = results[i];
      if (t.type == dtype::f32)
        for (double& x : t.floats) x = static_cast<double>(static_cast<float>(x));
      if (t.type == dtype::u32)
        for (std::int64_t& x : t.integers) x &= 0xffffffff;
      known_[n.outputs[i]] = std::move(t);
    }
  }

  many outputs_of(block_id body, const many& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) known_[g_.at(body).inputs[i]] = inputs[i];
    run_block(body);
    many out;
    for (value_id v : g_.at(body).outputs) out.push_back(get(v));
    return out;
  }
  /// A Scan along axis 0 without collected results.
  many scan(const node& n, const many& in) {
    const block_id body = std::get<block_id>(n.find("body")->value);
    const auto scanned = static_cast<std::size_t>(std::get<std::int64_t>(n.find("num_scan_inputs")->value));
    const std::size_t states = in.size() - scanned;
    many state(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(states));
    for (std::int64_t i = 0; i < in[states].dims[0]; ++i) {
      many inputs = state;
      for (std::size_t k = states; k < in.size(); ++k) inputs.push_back(row(in[k], static_cast<std::size_t>(i)));
      state = outputs_of(body, inputs);
    }
    return state;
  }
  static tensor row(const tensor& t, std::size_t i) {
    tensor out{t.type, {t.dims.begin() + 1, t.dims.end()}, {}, {}};
    const std::size_t each = t.size() / static_cast<std::size_t>(t.dims[0]);
    for (std::size_t k = i * each; k < (i + 1) * each; ++k) {
      if (t.floating()) out.floats.push_back(t.floats[k]);
      else out.integers.push_back(t.integers[k]);
    }
    return out;
  }
  /// A Loop without collected results.
  many loop(const node& n, const many& in) {
    const block_id body = std::get<block_id>(n.find("body")->value);
    many state(in.begin() + 2, in.end());
    tensor going = integer(1, dtype::boolean);
    for (std::int64_t i = 0; i < in[0].integers[0] && going.integers[0]; ++i) {
      many inputs{integer(i), going};
      inputs.insert(inputs.end(), state.begin(), state.end());
      state = outputs_of(body, inputs);
      going = state[0];
      state.erase(state.begin());
    }
    return state;
  }

  tensor apply(const node& n, const many& in) {
    const tensor_type& type = g_.at(n.outputs[0]).type;
    tensor out{type.type, extents(type.dims), {}, {}};
    if (n.op == "Unsqueeze" || n.op == "Squeeze" || n.op == "Reshape") {
      out.floats = in[0].floats;
      out.integers = in[0].integers;
    } else if (n.op == "ReduceSum") {
      sum_last(in[0], out);
    } else {
      for (std::size_t i = 0; i < count(out.dims); ++i) {
        if (out.floating()) out.floats.push_back(float_element(n.op, in, out.dims, i));
        else out.integers.push_back(integer_element(n.op, in, out.dims, i));
      }
    }
    return out;
  }
  static std::size_t count(const std::vector<std::int64_t>& dims) {
    std::size_t n = 1;
    for (std::int64_t d : dims) n *= static_cast<std::size_t>(d);
    return n;
  }
  /// A sum over the last axis, or over all axes.
  static void sum_last(const tensor& t, tensor& out) {
    const std::size_t results = count(out.dims), each = t.size() / results;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t.floating()) {
        out.floats.resize(results);
        out.floats[i / each] += t.floats[i];
      } else {
        out.integers.resize(results);
        out.integers[i / each] += t.integers[i];
      }
    }
  }

  /// The element of a broadcast operand for element i of the result.
  static std::size_t source(const tensor& t, const std::vector<std::int64_t>& dims, std::size_t i) {
    std::size_t at = 0, step = 1;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const std::size_t extent = static_cast<std::size_t>(dims[dims.size() - 1 - axis]), place = i % extent;
      i /= extent;
      if (axis >= t.dims.size()) continue;
      const auto own = static_cast<std::size_t>(t.dims[t.dims.size() - 1 - axis]);
      if (own > 1) at += place * step;
      step *= own;
    }
    return at;
  }

  static double float_element(std::string_view op, const many& in, const std::vector<std::int64_t>& dims,
                              std::size_t i) {
    const auto x = [&](std::size_t k) {
      const std::size_t at = source(in[k], dims, i);
      return in[k].floating() ? in[k].floats[at] : static_cast<double>(in[k].integers[at]);
    };
    if (op == "Where") return x(0) != 0 ? x(1) : x(2);
    if (op == "Cast" || op == "Expand" || op == "Identity") return x(0);
    static const std::map<std::string_view, std::function<double(double, double)>> binary{
        {"Add", [](double a, double b) { return a + b; }},
        {"Sub", [](double a, double b) { return a - b; }},
        {"Mul", [](double a, double b) { return a * b; }},
        {"Div", [](double a, double b) { return a / b; }},
        {"Max", [](double a, double b) { return std::max(a, b); }},
        {"Min", [](double a, double b) { return std::min(a, b); }},
        {"Pow", [](double a, double b) { return std::pow(a, b); }},
    };
    static const std::map<std::string_view, double (*)(double)> unary{
        {"Abs", std::abs}, {"Atan", std::atan}, {"Ceil", std::ceil},   {"Cos", std::cos},
        {"Exp", std::exp}, {"Erf", std::erf},   {"Floor", std::floor}, {"Log", std::log},
        {"Sin", std::sin}, {"Sqrt", std::sqrt}, {"Tanh", std::tanh},
    };
    if (const auto f = binary.find(op); f != binary.end()) return f->second(x(0), x(1));
    if (const auto f = unary.find(op); f != unary.end()) return f->second(x(0));
    if (op == "Neg") return -x(0);
    if (op == "Reciprocal") return 1 / x(0);
    if (op == "Clip") return std::min(std::max(x(0), x(1)), x(2));
    throw std::logic_error("no interpretation of " + std::string(op));
  }

  static std::int64_t integer_element(std::string_view op, const many& in, const std::vector<std::int64_t>& dims,
                                      std::size_t i) {
    const auto f = [&](std::size_t k) { return in[k].floats[source(in[k], dims, i)]; };
    const auto x = [&](std::size_t k) { return in[k].integers[source(in[k], dims, i)]; };
    const auto compared = [&](auto less) {
      return static_cast<std::int64_t>(in[0].floating() ? less(f(0), f(1)) : less(x(0), x(1)));
    };
    if (op == "Equal") return compared([](auto a, auto b) { return a == b; });
    if (op == "Less") return compared([](auto a, auto b) { return a < b; });
    if (op == "LessOrEqual") return compared([](auto a, auto b) { return a <= b; });
    if (op == "Greater") return compared([](auto a, auto b) { return a > b; });
    if (op == "GreaterOrEqual") return compared([](auto a, auto b) { return a >= b; });
    if (op == "IsNaN") return std::isnan(f(0));
    if (op == "Cast" && in[0].floating()) return static_cast<std::int64_t>(f(0));
    if (op == "Cast" || op == "Expand" || op == "Identity") return x(0);
    if (op == "Where") return x(0) ? x(1) : x(2);
    if (op == "Not") return !x(0);
    if (op == "And" || op == "BitwiseAnd") return x(0) & x(1);
    if (op == "Or" || op == "BitwiseOr") return x(0) | x(1);
    if (op == "BitwiseXor") return x(0) ^ x(1);
    if (op == "Add") return x(0) + x(1);
    if (op == "Sub") return x(0) - x(1);
    if (op == "Mul") return x(0) * x(1);
    if (op == "Div") return x(0) / x(1);
    if (op == "BitShift") return x(0) >> x(1);  // no test shifts to the left
    throw std::logic_error("no interpretation of " + std::string(op));
  }

  const graph& g_;
  std::map<value_id, tensor> known_;
};

}  // namespace jax2onnx::test
