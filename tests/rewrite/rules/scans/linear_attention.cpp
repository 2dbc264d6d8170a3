// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/linear_attention.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The values of a step: its memory [2,8,4], and elements q[2,1,8], k[2,8,1], v[2,1,4], a[2,8,1], n[].
struct elements {
  value memory, q, k, v, a, n;
};
struct result {
  value memory, read;
};
using step = std::function<result(const elements&)>;

/// The last operator after the rule, for a Scan over such steps.
std::string of_scan(const step& next, std::int64_t steps = 40, dtype t = dtype::f32, const scan_options& options = {}) {
  model m;
  const auto sequence = [&](const shape& dims) {
    shape all{steps};
    all.append(dims);
    return m.in(all, t);
  };
  const std::vector<value> x{sequence({2, 1, 8}), sequence({2, 8, 1}), sequence({2, 1, 4}), sequence({2, 8, 1}),
                             sequence({})};
  const auto body = [&](const std::vector<value>& s, const std::vector<value>& e) {
    const auto [memory, read] = next({s[0], e[0], e[1], e[2], e[3], e[4]});
    return loop_step{{}, {memory}, {read}};
  };
  const std::string all = after(scan(m.g, {m.in({2, 8, 4}, t)}, x, body, options).collected[0], "linear-attention");
  return all.substr(all.rfind(' ') + 1);
}

result read_after(const elements& e, const value& kept) {
  const value memory = add(kept, mul(e.k, e.v));
  return {memory, matmul(e.q, memory)};
}

}  // namespace

TEST_CASE("linear-attention: no decay, numbers, and vectors along the keys") {
  CHECK(of_scan([](const elements& e) { return read_after(e, e.memory); }) == "If");
  CHECK(of_scan([](const elements& e) { return read_after(e, mul(e.n, e.memory)); }, 300) == "If");
  CHECK(of_scan([](const elements& e) { return read_after(e, mul(mul(e.memory, e.a), e.n)); }, 64, dtype::f64,
                {.reverse = true}) == "If");
}

TEST_CASE("linear-attention: reads of the memory as a step begins, with more added, and what follows reads") {
  CHECK(of_scan([](const elements& e) {
          const value product = mul(e.k, e.v);
          const value read = matmul(e.q, add(e.memory, mul(product, e.n)));
          return result{add(product, mul(e.a, e.memory)), unary("Tanh", reshape(read, {2, 4}))};
        }) == "If");
  CHECK(of_scan([](const elements& e) {  // sums over the columns of the memory
          const value memory = add(mul(e.n, e.memory), mul(e.k, e.v));
          return result{memory, matmul(memory, transpose(e.v, {0, 2, 1}))};
        }) == "If");
}

TEST_CASE("linear-attention: products by MatMul, and reads as sums of products") {
  CHECK(of_scan([](const elements& e) {
          const value memory = add(mul(e.memory, e.a), matmul(e.k, e.v));
          return result{memory, reduce("ReduceSum", mul(transpose(e.q, {0, 2, 1}), memory), {1})};
        }) == "If");
  CHECK(of_scan([](const elements& e) {
          const value memory = add(mul(e.memory, e.n), matmul(e.k, e.v));
          return result{memory, reduce("ReduceSum", mul(memory, e.v), {2}, true)};
        }) == "If");
  CHECK(of_scan([](const elements& e) {
          const value memory = add(mul(e.memory, e.a), mul(e.k, e.v));
          return result{memory, matmul(transpose(memory, {0, 2, 1}), transpose(e.q, {0, 2, 1}))};
        }) == "If");
}

TEST_CASE("linear-attention: what stays a Scan") {
  CHECK(of_scan([](const elements& e) { return read_after(e, e.memory); }, 31) == "Scan");
  CHECK(of_scan([](const elements& e) { return read_after(e, e.memory); }, 40, dtype::f16) == "Scan");
  CHECK(of_scan([](const elements& e) { return read_after(e, unary("Tanh", e.memory)); }) == "Scan");
  CHECK(of_scan([](const elements& e) { return read_after(e, mul(e.memory, e.v)); }) == "Scan");  // along the values
  CHECK(of_scan([](const elements& e) { return read_after(e, mul(e.memory, mul(e.k, e.v))); }) == "Scan");
  CHECK(of_scan([](const elements& e) {  // the memory is stacked
          const value memory = add(e.memory, mul(e.k, e.v));
          return result{memory, unary("Abs", memory)};
        }) == "Scan");
  CHECK(of_scan([](const elements& e) {  // read on both sides
          const value memory = add(e.memory, mul(e.k, e.v));
          return result{memory, add(matmul(e.q, memory),
                                    reduce("ReduceSum", matmul(memory, transpose(e.v, {0, 2, 1})), {1}, true))};
        }) == "Scan");
}

TEST_CASE("linear-attention: what steps add may be linear in a read") {
  const auto of_step = [](const std::function<value(const elements&)>& next) {
    return of_scan([&](const elements& e) {
      const value memory = next(e);
      return result{memory, matmul(e.q, memory)};
    });
  };
  CHECK(of_step([](const elements& e) { return add(e.memory, mul(e.k, matmul(e.q, e.memory))); }) == "If");
  CHECK(of_step([](const elements& e) {  // delta rule
          const value error = mul(sub(e.v, matmul(e.q, e.memory)), e.n);
          return add(e.memory, mul(e.k, error));
        }) == "If");
  CHECK(of_step([](const elements& e) {  // of the memory after its decay, as a vector, by a quotient
          const value kept = mul(e.memory, e.n), read = reshape(matmul(e.q, kept), {2, 4});
          const value error = div(sub(read, reshape(e.v, {2, 4})), reshape(slice(e.a, 1, 0, 1), {2, 1}));
          return sub(kept, mul(mul(e.k, e.n), reshape(error, {2, 1, 4})));
        }) == "If");
  CHECK(of_step([](const elements& e) {  // with another outer product, and decays along the keys
          const value fed = matmul(e.k, neg(matmul(e.q, e.memory)));
          return add(add(fed, mul(e.a, e.memory)), mul(e.k, e.v));
        }) == "If");
}

TEST_CASE("linear-attention: what steps may not add") {
  const auto of_read = [](const std::function<value(const elements&, const value&)>& added) {
    return of_scan([&](const elements& e) {
      const value memory = add(e.memory, added(e, matmul(e.q, e.memory)));
      return result{memory, matmul(e.q, memory)};
    });
  };
  CHECK(of_read([](const elements& e, const value& read) { return mul(e.k, unary("Tanh", read)); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) { return mul(e.k, mul(read, read)); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) { return mul(e.k, add(read, read)); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) { return mul(e.k, div(e.n, read)); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) { return mul(e.k, mul(read, e.v)); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) { return mul(mul(e.k, read), e.v); }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) {  // the values change places
          return mul(e.k, reshape(transpose(reshape(read, {2, 2, 2}), {0, 2, 1}), {2, 1, 4}));
        }) == "Scan");
  CHECK(of_read([](const elements& e, const value& read) {  // two products
          return add(mul(e.k, read), mul(e.a, read));
        }) == "Scan");
  CHECK(of_read([](const elements& e, const value&) {  // of the memory with an outer product added
          return mul(e.k, matmul(e.q, add(e.memory, mul(e.k, e.v))));
        }) == "Scan");
  CHECK(of_read([](const elements& e, const value&) {  // more terms than a step of such a program has
          value sum = mul(e.k, e.v);
          for (int i = 0; i < 9; ++i) sum = add(sum, mul(e.a, e.v));
          return sum;
        }) == "Scan");
}

TEST_CASE("linear-attention: the queries and keys of reads that depend on other reads") {
  CHECK(of_scan([](const elements& e) {
          const value first = unary("Tanh", matmul(e.q, e.memory));  // [2,1,4]
          const value query = concat({first, first}, 2);
          return result{add(e.memory, mul(e.k, e.v)), matmul(query, e.memory)};
        }) == "Scan");
  CHECK(of_scan([](const elements& e) {
          const value first = unary("Tanh", matmul(e.q, e.memory));
          return result{add(e.memory, mul(e.k, e.v)), matmul(e.q, add(e.memory, mul(e.k, first)))};
        }) == "Scan");
  CHECK(of_scan([](const elements& e) {
          const value first = matmul(e.q, e.memory);
          return result{add(e.memory, mul(e.k, e.v)), add(unary("Tanh", first), matmul(e.q, e.memory))};
        }) == "If");
}

TEST_CASE("linear-attention: a sequence of products that all memories of a batch get") {
  const auto of_batch = [](std::int64_t batch, const shape& dims) {
    model m;
    const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
      const value memory = add(s[0], x[0]);
      return loop_step{{}, {memory}, {matmul(x[1], memory)}};
    };
    shape columns{40}, rows{40};
    columns.append(dims), rows.append(dims);
    columns.push_back(8), columns.push_back(1), rows.push_back(1), rows.push_back(4);
    const value products = mul(m.in(columns), m.in(rows));
    const value y = scan(m.g, {m.in({batch, 8, 4})}, {products, m.in({40, batch, 1, 8})}, body).collected[0];
    const std::string all = after(y, "linear-attention");
    return all.substr(all.rfind(' ') + 1);
  };
  CHECK(of_batch(40, {}) == "Scan");
  CHECK(of_batch(2, {}) == "Scan");
  CHECK(of_batch(2, {2}) == "If");
  CHECK(of_batch(2, {1}) == "If");
}

TEST_CASE("linear-attention: decays that grow are tested when the model runs") {
  const auto has_maximum = [](bool decays) {
    model m;
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      const value memory = add(decays ? mul(s[0], x[0]) : s[0], mul(x[1], x[2]));
      return loop_step{{}, {memory}, {matmul(x[3], memory)}};
    };
    const std::vector<value> x{m.in({40}), m.in({40, 8, 1}), m.in({40, 1, 4}), m.in({40, 1, 8})};
    return after(scan(m.g, {m.in({8, 4})}, x, body).collected[0], "linear-attention").find("ReduceMax") !=
           std::string::npos;
  };
  CHECK(has_maximum(true));
  CHECK_FALSE(has_maximum(false));
}

TEST_CASE("linear-attention: a sum along another axis than that of the vector is not a read") {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value memory = add(s[0], mul(x[0], x[1]));
    return loop_step{{}, {memory}, {reduce("ReduceSum", mul(x[1], memory), {0})}};
  };
  const value y = scan(m.g, {m.in({4, 4})}, {m.in({40, 4, 1}), m.in({40, 1, 4})}, body).collected[0];
  CHECK(after(y, "linear-attention") == "Scan");
}

TEST_CASE("linear-attention: other states have a Scan of their own") {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value most = maximum(s[1], x[0]);
    const value memory = add(mul(most, s[0]), mul(x[1], x[2]));
    return loop_step{{}, {memory, most}, {matmul(x[3], memory)}};
  };
  const std::vector<value> x{m.in({40}), m.in({40, 8, 1}), m.in({40, 1, 4}), m.in({40, 1, 8})};
  const loop_result y = scan(m.g, {m.in({8, 4}), m.in({})}, x, body);
  const std::string all = after(y.collected[0], "linear-attention");
  CHECK(all.starts_with("Scan "));
  CHECK(all.find(" If") != std::string::npos);
}
