// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/compute_type.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using jax2onnx::rewrite::test::bodies;
using jax2onnx::rewrite::test::model;
using jax2onnx::rewrite::test::op_list;

namespace {

struct narrowed {
  std::string ops, bodies;
  std::vector<jaxpr::diagnostic> warnings;
};

narrowed in_half(model& m, std::initializer_list<value> results, target t = target::ort) {
  for (const value& v : results) output(v, "y" + std::to_string(m.g.at(block_id::main).outputs.size()));
  rewrite_options o;
  o.target = t;
  o.fuse = false;
  o.unroll = 0;
  o.compute = compute_type::float16;
  rewrite_report report = optimize(m.g, o);
  CHECK_NOTHROW(verify(m.g));
  for (const value& v : results) CHECK(v.dtype() == m.g.at(v.id()).type.type);
  return {op_list(m.g), bodies(m.g), std::move(report.warnings)};
}
/// The bytes of all constants of floating-point type, those of one id counted once.
std::uint64_t float_bytes(graph& g) {
  std::map<value_id, std::uint64_t> found;
  for (std::size_t b = 0; b < g.block_count(); ++b)
    for (const node_id n : g.at(static_cast<block_id>(b)).nodes)
      for (const value_id v : g.at(n).inputs)
        if (v != value_id::none && g.at(v).constant >= 0 && is_floating(g.at(v).type.type))
          found[v] = value(g, v).data().size();
  std::uint64_t sum = 0;
  for (const auto& [v, size] : found) sum += size;
  return sum;
}
value number(model& m, double x) { return scalar(m.g, dtype::f32, x); }

}  // namespace

TEST_CASE("compute: inputs are cast once, outputs once") {
  model m;
  const value x = m.in({3, 8});
  const value y = matmul(unary("Relu", matmul(x, m.weight({8, 64}))), m.weight({64, 64}));
  CHECK(in_half(m, {y}).ops == "Cast MatMul Relu MatMul Cast");
  CHECK(float_bytes(m.g) == 2 * (8 * 64 + 64 * 64));
}

TEST_CASE("compute: nothing is cast if only results of float32 follow") {
  model m;
  CHECK(in_half(m, {unary("Relu", add(m.in({3}), m.in({3})))}).ops == "Add Relu");
  model n;
  CHECK(in_half(n, {transpose(n.in({3, 4}), {1, 0})}).ops == "Transpose");
}

TEST_CASE("compute: reductions and exponentials stay in float32, with what they read and what follows") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const value e = exp(sub(x, m.last("ReduceMax", x)));
  const value y = matmul(div(e, m.last("ReduceSum", e)), m.weight({8, 4}));
  CHECK(in_half(m, {y}).ops == "Cast MatMul Cast ReduceMax Sub Exp ReduceSum Div Cast MatMul Cast");
}

TEST_CASE("compute: squares and their sums stay in float32") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8})), z = matmul(m.in({3, 8}), m.weight({8, 8}));
  CHECK(in_half(m, {m.last("ReduceSum", mul(x, z))}).ops == "Cast MatMul Cast Cast MatMul Cast Mul ReduceSum");
}

TEST_CASE("compute: results of a softmax are float16 again") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const value p = m.g.emit("Softmax", {x}, x.type(), {{"axis", std::int64_t{1}}});
  CHECK(in_half(m, {matmul(transpose(p, {1, 0}), m.weight({3, 4}))}).ops ==
        "Cast MatMul Cast Softmax Cast Transpose MatMul Cast");
}

TEST_CASE("compute: masks beyond the range of float16 keep hiding") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const value masked = where(m.in({3, 8}, dtype::boolean), x, number(m, std::numeric_limits<float>::lowest()));
  const value p = m.g.emit("Softmax", {masked}, x.type(), {{"axis", std::int64_t{1}}});
  CHECK(in_half(m, {matmul(p, m.weight({8, 4}))}).ops == "Cast MatMul Cast Where Softmax Cast MatMul Cast");
}

TEST_CASE("compute: infinite masks are float16") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const value masked = where(m.in({3, 8}, dtype::boolean), x, number(m, -std::numeric_limits<double>::infinity()));
  CHECK(in_half(m, {matmul(masked, m.weight({8, 4}))}).ops == "Cast MatMul Where MatMul Cast");
}

TEST_CASE("compute: numbers that float16 rounds to almost nothing stay in float32") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const value y = matmul(div(x, sqrt(add(abs(x), number(m, 1e-12)))), m.weight({8, 4}));
  CHECK(in_half(m, {y}).ops == "Cast MatMul Cast Abs Cast Add Sqrt Div Cast MatMul Cast");
}

TEST_CASE("compute: products of what a number beyond the range was added to stay in float32") {
  model m;
  const value x = m.in({8, 8});
  const value sum = transpose(add(matmul(x, x), number(m, 8648640)), {1, 0});
  CHECK(in_half(m, {matmul(matmul(x, sum), x)}).ops == "Cast MatMul Cast Add Transpose MatMul MatMul");
  model n;
  const value y = n.in({8, 8});
  const value small = unary("Exp", add(matmul(y, y), number(n, -1e9)));
  CHECK(in_half(n, {matmul(y, small)}).ops == "Cast MatMul Cast Add Exp Cast MatMul Cast");
  model o;
  const value z = o.in({8, 8}), bounded = clip(z, number(o, -1e6), number(o, 1e6));
  CHECK(in_half(o, {matmul(bounded, z)}).ops == "Clip Cast Cast MatMul Cast");
  model p;
  const value u = p.in({8, 8});
  CHECK(in_half(p, {matmul(unary("Tanh", add(matmul(u, u), number(p, 1e6))), u)}).ops ==
        "Cast MatMul Cast Add Tanh Cast MatMul Cast");
}

TEST_CASE("compute: a mask beyond the range leaves an Attention and what follows it in float16") {
  model m;
  const value x = m.in({1, 2, 8, 4}), visible = m.in({8, 8}, dtype::boolean);
  const value mask = where(visible, number(m, 0), number(m, -1e9));
  const value y = m.g.emit("Attention", {x, x, x, mask}, x.type());
  CHECK(in_half(m, {matmul(y, transpose(x, {0, 1, 3, 2}))}).ops.find("Attention Transpose MatMul") !=
        std::string::npos);
}

TEST_CASE("compute: weights beyond the range stay, with their operators and a warning") {
  model m;
  const std::vector<float> numbers(64 * 64, 1e6F);
  const value w = m.g.constant({dtype::f32, {64, 64}},
                               bytes(std::string(reinterpret_cast<const char*>(numbers.data()), 64 * 64 * 4)), "w");
  const narrowed made = in_half(m, {matmul(matmul(m.in({3, 64}), w), m.weight({64, 8}))});
  CHECK(made.ops == "MatMul Cast MatMul Cast");
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].code == "rewrite.beyond-range");
  CHECK(made.warnings[0].message ==
        "the weight 'w' has numbers beyond 65504: it stays float32, as do the operators that read it");
}

TEST_CASE("compute: a weight that operators of both precisions read is stored once") {
  model m;
  const value w = m.weight({64, 64});
  const value y = exp(mul(m.last("ReduceSum", m.in({64, 64})), w));
  in_half(m, {matmul(m.in({3, 64}), w), y});
  CHECK(float_bytes(m.g) == 2 * 64 * 64);
}

TEST_CASE("compute: integers become float32, truth values float16") {
  model m;
  const value i = cast(m.in({3, 8}, dtype::i32), dtype::f32), w = m.weight({8, 8});
  CHECK(in_half(m, {matmul(mul(i, number(m, 0.5)), w)}).ops == "Cast Mul Cast MatMul Cast");
  model n;
  const value mask = cast(n.in({3, 8}, dtype::boolean), dtype::f32);
  CHECK(in_half(n, {matmul(mul(mask, number(n, 0.5)), n.weight({8, 8}))}).ops == "Cast Mul MatMul Cast");
}

TEST_CASE("compute: casts of the program do not meet casts") {
  model m;
  const value x = m.in({3, 8}, dtype::f16);
  const value y = matmul(cast(x, dtype::f32), m.weight({8, 8}));
  CHECK(in_half(m, {cast(y, dtype::f16)}).ops == "MatMul Identity");
}

TEST_CASE("compute: other types are untouched") {
  model m;
  const value x = m.in({3, 8}, dtype::f64), i = m.in({4}, dtype::i32);
  CHECK(in_half(m, {matmul(x, m.weight({8, 8}, dtype::f64)), add(i, i)}).ops == "MatMul Add");
}

TEST_CASE("compute: carried values of a Scan are float32, sequences float16") {
  model m;
  const value w = m.weight({8, 8});
  const value xs = matmul(m.in({5, 2, 8}), m.weight({8, 8}));
  const loop_result y = scan(m.g, {m.in({2, 8})}, {xs}, [&](const std::vector<value>& s, const std::vector<value>& e) {
    const value h = add(s[0], matmul(e[0], w));
    return loop_step{{}, {h}, {matmul(h, w)}};
  });
  const narrowed made = in_half(m, {y.carried[0], matmul(y.collected[0], w)});
  CHECK(made.ops == "Cast MatMul Scan MatMul Cast");
  CHECK(made.bodies == "MatMul Cast Add Cast MatMul");
}

TEST_CASE("compute: Loops that a condition ends stay in float32") {
  model m;
  const value w = m.weight({8, 8});
  const loop_result y = loop(m.g, {}, {}, {m.in({8, 8})}, [&](const value&, const std::vector<value>& s) {
    const value next = matmul(s[0], w);
    return loop_step{less(reduce("ReduceSum", next, {0, 1}, false), number(m, 9)), {next}, {}};
  });
  CHECK(in_half(m, {y.carried[0]}).bodies == "MatMul ReduceSum Less");
}

TEST_CASE("compute: branches") {
  model m;
  const value x = m.in({3, 8}), w = m.weight({8, 8});
  const std::vector<value> y = if_(
      m.in({}, dtype::boolean), [&] { return std::vector<value>{matmul(x, w)}; },
      [&] { return std::vector<value>{matmul(neg(x), w)}; });
  CHECK(in_half(m, {matmul(y[0], w)}).ops == "Cast If MatMul Cast");
}

TEST_CASE("compute: statistics of a LayerNormalization stay float32") {
  model m;
  const value x = matmul(m.in({3, 8}), m.weight({8, 8}));
  const std::vector<value> y = m.g.emit_many("LayerNormalization", std::vector<value>{x, m.weight({8}), m.weight({8})},
                                             std::vector<tensor_type>{x.type(), {dtype::f32, {3, 1}}});
  CHECK(in_half(m, {matmul(y[0], m.weight({8, 4})), y[1]}).ops == "Cast MatMul LayerNormalization MatMul Cast");
  CHECK(y[1].dtype() == dtype::f32);
}

TEST_CASE("compute: weights of few bits are dequantized to float16") {
  model m;
  const value x = matmul(m.in({3, 64}), m.weight({64, 64}));
  output(x, "y");
  rewrite_options o;
  o.target = target::ort;
  o.weight_format = weight_format::int4;
  o.compute = compute_type::float16;
  optimize(m.g, o);
  CHECK(op_list(m.g) == "Cast DequantizeLinear MatMul Cast");
  CHECK(float_bytes(m.g) == 2 * 2 * 64);
}

TEST_CASE("compute: functions of the model take and give float32") {
  model m;
  const value x = m.in({3, 64}), w = m.weight({64, 64});
  model_function& f = m.g.add_function("test", "F");
  {
    const function_scope scope(m.g);
    const value inner = m.g.input(x.type(), "inner"), kernel = m.g.input(w.type(), "kernel");
    const std::vector<value> results{matmul(inner, kernel)};
    m.g.set_outputs(scope.id(), results);
    f.body = scope.id();
  }
  const std::vector<value> called = m.g.emit_many(operator_name::unchecked("F"), std::vector<value>{x, w},
                                                  std::vector<tensor_type>{x.type()}, {}, f.domain);
  const narrowed made = in_half(m, {matmul(called[0], w)});
  CHECK(made.ops == "Cast F Cast MatMul Cast");
  CHECK(m.g.at(f.body).nodes.size() == 4);  // MatMul between Casts
  CHECK(float_bytes(m.g) == 2 * 64 * 64);
}

TEST_CASE("compute: targets that choose the precision themselves") {
  for (const target t : {target::tensorrt, target::tract, target::rten}) {
    rewrite_options o;
    o.target = t;
    o.compute = compute_type::float16;
    graph g;
    CHECK_THROWS_AS(optimize(g, o), error);
  }
  for (const target t : {target::portable, target::ort_gpu, target::web, target::generic}) {
    model m;
    CHECK(in_half(m, {matmul(m.in({3, 8}), m.weight({8, 8}))}, t).ops == "Cast MatMul Cast");
  }
}
