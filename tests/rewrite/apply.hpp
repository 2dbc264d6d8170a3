#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/engine.hpp>
#include <jax2onnx/rewrite/rules/all.hpp>

/// What the tests of rules share: a graph in, some rules, the names of the operators out.
namespace jax2onnx::rewrite::test {

/// The operators of the main block, in order.
inline std::string ops(const graph& g) {
  std::string out;
  for (node_id n : g.at(block_id::main).nodes) out += (out.empty() ? "" : " ") + std::string(g.at(n).op);
  return out;
}

/// Makes the values the model's outputs and runs the rules of these names, common subexpressions aside.
inline report apply(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names) {
  graph& g = outputs.begin()->owner();
  for (const value& v : outputs) output(v, "y");
  report r;
  engine e(g, r, false);
  for (std::string_view name : names) {
    const auto found = std::ranges::find(all_rules, name, &rule::name);
    if (found == all_rules.end()) throw std::invalid_argument("no such rule: " + std::string(name));
    e.add(*found);
  }
  dead_code(g).run();
  e.run(stage::late);
  return r;
}

/// The operators that are left, or the reason why the last one of the rules did nothing.
inline std::string after(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names) {
  const report r = apply(outputs, names);
  const auto declined = r.declined.find(*(names.end() - 1));
  if (declined != r.declined.end() && !r.applied.contains(*(names.end() - 1)))
    return std::string(*declined->second.begin());
  return ops(outputs.begin()->owner());
}
inline std::string after(const value& v, std::string_view rule_name) { return after({v}, {rule_name}); }

/// A graph with inputs at hand.
struct model {
  graph g;
  dim B = g.dims().symbol("B");
  explicit model(int opset = 23) : g(opset) {}
  value in(shape dims, dtype t = dtype::f32) { return g.input({t, std::move(dims)}, "x"); }
  /// A constant that is no splat: 1, 2, 3, …
  value weight(const ints& extents, dtype t = dtype::f32) {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    ints numbers(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i) + 1;
    return array(g, t, extents, std::span<const std::int64_t>(numbers));
  }
  /// x with its last axis reduced and kept.
  value last(std::string_view op, const value& x) { return reduce(op, x, {x.rank() - 1}, true); }
};

}  // namespace jax2onnx::rewrite::test
