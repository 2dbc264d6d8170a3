// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>

/// The tests of rules share this: they apply some rules to a graph and compare the names of the operators.
namespace jax2onnx::rewrite::test {

/// The operators of the main block, in order.
std::string op_list(const graph& g);

/// The operators of the bodies of all Scans and Loops, "; " between them.
std::string bodies(const graph& g);

const rule& rule_named(std::string_view name);

/// Appends the actions of the rules to the file that JAX2ONNX_RULE_LOG names, for tests/rewrite/coverage.py.
void log(const rewrite_report& r);

/// Makes the values outputs of the model and applies the rules of these names, without common-subexpressions.
rewrite_report apply(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names,
                     target runtime = target::generic, bool assume_finite = false);

/// The remaining operators, or the reason why the last one of the rules did nothing.
std::string after(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names,
                  target runtime = target::generic, bool assume_finite = false);
std::string after(const value& v, std::string_view rule_name);
/// The remaining operators for ONNX Runtime if no value is NaN or infinite.
std::string after_if_finite(const value& v, std::string_view rule_name);

/// The parts of `x` along an axis, with these extents.
std::vector<value> parts_of(const value& x, std::int64_t axis, const ints& extents);

/// A graph, and helpers that make inputs.
struct model {
  graph g;
  dim B = g.dims().symbol("B");
  explicit model(int opset = 23) : g(opset) {}
  value in(shape dims, dtype t = dtype::f32) {
    return g.input({t, std::move(dims)}, "x" + std::to_string(g.value_count()));
  }
  /// A constant whose elements differ: 1, 2, 3, ...
  value weight(const ints& extents, dtype t = dtype::f32) {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    ints numbers(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i) + 1;
    return array(g, t, extents, std::span<const std::int64_t>(numbers));
  }
  /// x with its last axis reduced and kept.
  value last(operator_name op, const value& x) { return reduce(op, x, {x.rank() - 1}, true); }
};

}  // namespace jax2onnx::rewrite::test
