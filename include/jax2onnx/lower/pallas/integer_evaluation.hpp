// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/literal.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jaxpr/ast.hpp>

/// Computes the integers and truth values of a jaxpr that are known before the model runs.
namespace jax2onnx::lower::pallas {

/// An integer, or a truth value as 0 or 1; nullopt if unknown.
using known_number = std::optional<std::int64_t>;

/// The known scalars of one jaxpr, computed equation by equation.
class integer_evaluation {
 public:
  /// `programs` are the known results of program_id, by axis.
  integer_evaluation(const jaxpr::body& body, const std::vector<known_number>& arguments,
                     const std::vector<known_number>& programs, int depth = 0)
      : programs_(programs), depth_(depth), known_(body.slots) {
    for (std::size_t i = 0; i < arguments.size() && i < body.invars.size(); ++i)
      known_[body.invars[i].slot] = arguments[i];
  }

  known_number of(const jaxpr::atom& a) const {
    if (a.is_dropped()) return std::nullopt;
    if (!a.is_literal()) return known_[a.slot];
    if (a.text == "True" || a.text == "False") return a.text == "True";
    return parse_integer(a.text, dtype::i64);
  }
  std::vector<known_number> operands(const jaxpr::equation& e, std::size_t first = 0) const {
    std::vector<known_number> out;
    for (std::size_t i = first; i < e.ins.size(); ++i) out.push_back(of(e.ins[i]));
    return out;
  }
  /// Computes the results of the next equation.
  void step(const jaxpr::equation& e) {
    const std::vector<known_number> results = results_of(e);
    for (std::size_t i = 0; i < e.outs.size() && i < results.size(); ++i) known_[e.outs[i].slot] = results[i];
  }
  /// The results of the jaxpr; empty if jaxprs are nested too deeply.
  static std::vector<known_number> results(const jaxpr::body& body, const std::vector<known_number>& arguments,
                                           const std::vector<known_number>& programs, int depth = 0) {
    constexpr int deepest = 32;
    if (depth > deepest) return {};
    integer_evaluation run(body, arguments, programs, depth);
    for (const jaxpr::equation& e : body.equations) run.step(e);
    std::vector<known_number> out;
    for (const jaxpr::atom& a : body.results) out.push_back(run.of(a));
    return out;
  }

 private:
  std::vector<known_number> results_of(const jaxpr::equation& e) const {
    const std::string_view p = compat::primitive(e.primitive);
    for (const char* key : {"jaxpr", "call_jaxpr"})
      if (const jaxpr::value* inner = e.find(key);
          inner && inner->body && p != "scan" && inner->body->invars.size() == e.ins.size())
        return results(*inner->body, operands(e), programs_, depth_ + 1);
    if (p == "cond") {
      const jaxpr::value* branches = e.find("branches");
      const known_number which = e.ins.empty() ? std::nullopt : of(e.ins[0]);
      if (!branches || !which || *which < 0 || *which >= std::ssize(branches->items)) return {};
      const jaxpr::body* branch = branches->items[static_cast<std::size_t>(*which)].body;
      return branch ? results(*branch, operands(e, 1), programs_, depth_ + 1) : std::vector<known_number>();
    }
    if (e.outs.size() != 1 || !e.outs[0].annotation || !e.outs[0].annotation->dims.empty()) return {};
    const known_number result = result_of(p, e);
    const dtype t = dtype_named(e.outs[0].annotation->dtype);
    return {result && jax2onnx::detail::holds(t, *result) ? result : std::nullopt};  // others wrap
  }
  known_number result_of(std::string_view p, const jaxpr::equation& e) const {
    if (p == "program_id") {
      const jaxpr::value* axis = e.find("axis");
      if (!axis || axis->integer < 0 || axis->integer >= std::ssize(programs_)) return std::nullopt;
      return programs_[static_cast<std::size_t>(axis->integer)];
    }
    const std::vector<known_number> in = operands(e);
    if (p == "and" && in.size() == 2 && is_truth(e) && (in[0] == 0 || in[1] == 0)) return 0;
    if (p == "or" && in.size() == 2 && is_truth(e) && (in[0] == 1 || in[1] == 1)) return 1;
    if (p == "select_n") {
      if (in.size() != 3 || !in[0] || *in[0] < 0 || *in[0] > 1) return std::nullopt;
      return in[static_cast<std::size_t>(1 + *in[0])];
    }
    if (in.empty() || !item_loops::all_of(in, [](const known_number& n) { return n.has_value(); })) return std::nullopt;
    if (in.size() == 1) return unary(p, *in[0], e);
    return in.size() == 2 ? binary(p, *in[0], *in[1], e) : std::nullopt;
  }
  static bool is_truth(const jaxpr::equation& e) { return e.outs[0].annotation->dtype == "bool"; }
  static known_number unary(std::string_view p, std::int64_t x, const jaxpr::equation& e) {
    if (p == "convert_element_type") {
      const std::string_view to = e.outs[0].annotation->dtype;
      if (to == "bool") return x != 0;
      return to.starts_with('i') || to.starts_with('u') ? known_number(x) : std::nullopt;
    }
    if (p == "neg") return -x;
    if (p == "sign") return x > 0 ? 1 : x < 0 ? -1 : 0;
    if (p == "abs") return x < 0 ? -x : x;
    if (p == "not" && is_truth(e)) return x == 0;
    return std::nullopt;
  }
  static known_number binary(std::string_view p, std::int64_t x, std::int64_t y, const jaxpr::equation& e) {
    constexpr std::int64_t largest = std::int64_t{1} << 31;  // no result overflows int64
    if (std::max(x, -x) > largest || std::max(y, -y) > largest) return std::nullopt;
    if (p == "add") return x + y;
    if (p == "sub") return x - y;
    if (p == "mul") return x * y;
    if (p == "div" && y != 0) return x / y;
    if (p == "rem" && y != 0) return x % y;
    if (p == "max") return std::max(x, y);
    if (p == "min") return std::min(x, y);
    if (p == "eq") return x == y;
    if (p == "ne") return x != y;
    if (p == "lt") return x < y;
    if (p == "le") return x <= y;
    if (p == "gt") return x > y;
    if (p == "ge") return x >= y;
    if (!is_truth(e)) return std::nullopt;
    if (p == "and") return x & y;
    if (p == "or") return x | y;
    return p == "xor" ? known_number(x ^ y) : std::nullopt;
  }

  const std::vector<known_number>& programs_;
  int depth_;
  std::vector<known_number> known_;  // the number in each slot, if it is known
};

}  // namespace jax2onnx::lower::pallas
