// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include <jaxpr/ast.hpp>

/// Parses Lineax's parameter `treedef`, which states the roles of linear_solve's operands and the solver. Source:
/// lineax/_solve.py; jax.tree_util's printed form of a PyTreeDef.
namespace jax2onnx::lower {

/// Reads the printed form of a node, CustomNode(NAME[METADATA], [CHILDREN]), whose children are nodes or leaves.
class node_reader {
 public:
  explicit node_reader(std::string_view text) : rest_(text) {}

  /// Returns whether the text continues with `token`, and skips `token` if so.
  bool skip(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  /// Reads the beginning of a node up to its children, and returns its name; empty for any other text.
  std::string_view open() {
    if (!skip("CustomNode(")) return {};
    const std::string_view name = rest_.substr(0, rest_.find('['));
    rest_.remove_prefix(name.size());
    std::size_t depth = 0, end = 0;
    for (; end < rest_.size(); ++end) {
      if (rest_[end] == '[') ++depth;
      if (rest_[end] == ']' && --depth == 0) break;
    }
    rest_.remove_prefix(std::min(end, rest_.size()));
    return skip("], [") ? name : std::string_view();
  }
  /// Returns whether the text continues with the end of a node, and skips the end if so.
  bool close() { return skip("])"); }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// The parts of PyTreeDef((operator, state, vector, options, solver, throw)), which prints `*` for every leaf. A leaf
/// is an operand, or a Python value if the parameter `static` has a value for it. The strings are views of the text of
/// the program.
class solve_tree {
 public:
  enum part : std::size_t { linear_operator, state, vector, options, solver, throws, count };

  solve_tree(std::string_view text, const jaxpr::value& leaves) {
    constexpr std::string_view opening = "PyTreeDef((";
    if (!text.starts_with(opening)) return;
    text.remove_prefix(opening.size());
    std::size_t leaf = 0, operands = 0, begin = 0, depth = 0;
    std::vector<bool> metadata;  // for every open bracket: true if it holds a node's metadata, where `*` is not a leaf
    for (std::size_t i = 0; i < text.size() && parts_ < count; ++i) {
      const char c = text[i];
      const bool inside = !metadata.empty() && metadata.back();
      if (c == '(' || c == '[' || c == '{') {
        metadata.push_back(inside || (c == '[' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]))));
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ')')) {
        texts_[parts_] = text.substr(begin, i - begin);
        begin = i + 1;
        first_[++parts_] = operands;
      } else if (c == ')' || c == ']' || c == '}') {
        metadata.pop_back();
        --depth;
      } else if (c == '*' && !inside) {
        if (leaf >= leaves.items.size()) return;
        if (leaves.items[leaf++].text.starts_with("<object object")) ++operands;
        else python_[parts_].push_back(&leaves.items[leaf - 1]);
      }
    }
    is_complete_ = parts_ == count && leaf == leaves.items.size();
  }

  /// Returns whether the text has the known form and `arity` operands.
  bool fits(std::size_t arity) const { return is_complete_ && first_[count] == arity; }
  bool contains(part p, std::string_view what) const { return texts_[p].find(what) != std::string_view::npos; }
  /// The printed form of a part.
  std::string_view text(part p) const { return texts_[p]; }
  /// The operands of a part: `size` of them from index `first` on.
  std::size_t first(part p) const { return first_[p]; }
  std::size_t size(part p) const { return first_[p + 1] - first_[p]; }
  /// The leaves of a part that are Python values.
  const std::vector<const jaxpr::value*>& python_leaves(part p) const { return python_[p]; }

  /// The solver's name, such as `LU`; for AutoLinearSolver, the name of the state's node, such as `lu_token`.
  std::string_view solver_name() const {
    const std::string_view chosen = node_name(texts_[solver]);
    return chosen == "AutoLinearSolver" ? node_name(texts_[state]) : chosen;
  }
  /// The booleans that the state holds as Static, for example a flag for a transposed operator.
  std::vector<bool> flags() const {
    std::vector<bool> out;
    constexpr std::string_view before = "Static[(Missing, [";
    const std::string_view all = texts_[state];
    for (std::size_t at = all.find(before); at != all.npos; at = all.find(before, at + 1)) {
      const std::string_view rest = all.substr(at + before.size());
      if (rest.starts_with("True]") || rest.starts_with("False]")) out.push_back(rest.starts_with("True]"));
    }
    return out;
  }

 private:
  static std::string_view node_name(std::string_view text) {
    constexpr std::string_view node = "CustomNode(";
    const std::size_t begin = text.find(node);
    if (begin == text.npos) return {};
    text.remove_prefix(begin + node.size());
    return text.substr(0, text.find('['));
  }

  std::array<std::string_view, count> texts_;
  std::array<std::size_t, count + 1> first_{};
  std::array<std::vector<const jaxpr::value*>, count> python_;
  std::size_t parts_ = 0;
  bool is_complete_ = false;
};

}  // namespace jax2onnx::lower
