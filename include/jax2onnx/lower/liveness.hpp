// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/lower/selection.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx::lower {

/// Determines which equations of a body have to be lowered: the equations with effects, and the equations on which
/// these or the wanted results depend. Takes one pass from the last equation to the first.
class liveness {
 public:
  liveness(const jaxpr::body& body, const selection& wanted)
      : variables_(body.slots), equations_(body.equations.size()) {
    for (std::size_t i = 0; i < body.results.size(); ++i)
      if (wants(wanted, i)) use(body.results[i]);
    for (std::size_t i = body.equations.size(); i-- > 0;) {
      const jaxpr::equation& eqn = body.equations[i];
      bool live = has_effect(eqn);
      for (const jaxpr::binder& b : eqn.outs) live = live || variables_[b.slot];
      if (!live) continue;
      equations_[i] = true;
      for (const jaxpr::atom& a : eqn.ins) use(a);
    }
  }

  /// Returns whether a wanted result or an equation that has to be lowered reads the variable of this slot.
  bool variable(std::uint32_t slot) const { return variables_[slot]; }
  /// Returns whether equation i has to be lowered.
  bool equation(std::size_t i) const { return equations_[i]; }

 private:
  /// Returns whether an equation may have an effect: it has no results, or it may write to a mutable reference among
  /// its operands.
  static bool has_effect(const jaxpr::equation& eqn) {
    if (eqn.outs.empty()) return true;
    if (eqn.primitive == "get") return false;
    for (const jaxpr::atom& a : eqn.ins)
      if (a.annotation && a.annotation->kind == jaxpr::type_kind::ref) return true;
    return false;
  }
  void use(const jaxpr::atom& a) {
    if (a.slot < variables_.size()) variables_[a.slot] = true;
  }

  std::vector<bool> variables_;
  std::vector<bool> equations_;
};

}  // namespace jax2onnx::lower
