// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/text_index.hpp>

namespace jax2onnx::detail {

/// Maps names to values in one graph of a model. Inner graphs see the names of outer graphs.
class name_scope {
 public:
  explicit name_scope(const name_scope* outer = nullptr) : outer_(outer) {}

  /// The value of a name; value_id::none for an absent operand of a function, nullopt for a name without a value.
  std::optional<value_id> find(std::string_view name) const {
    for (const name_scope* s = this; s; s = s->outer_) {
      const std::uint32_t i = s->names_.find(name);
      if (i != text_index::none && s->entries_[i].defined) return s->entries_[i].value;
    }
    return std::nullopt;
  }
  /// Returns whether this graph itself, without the outer graphs, has a value of the name.
  bool defines(std::string_view name) const {
    const std::uint32_t i = names_.find(name);
    return i != text_index::none && entries_[i].defined;
  }
  void define(std::string_view name, value_id v) {
    entry& e = entry_of(name);
    e.value = v;
    e.defined = true;
  }
  /// The type that the model states for a name; null if there is none.
  const tensor_type* stated(std::string_view name) const {
    const std::uint32_t i = names_.find(name);
    return i != text_index::none && entries_[i].type ? &*entries_[i].type : nullptr;
  }
  void state(std::string_view name, tensor_type type) { entry_of(name).type = std::move(type); }

 private:
  struct entry {
    value_id value = value_id::none;
    bool defined = false;
    std::optional<tensor_type> type = {};
  };
  entry& entry_of(std::string_view name) {
    const std::uint32_t i = names_.number(name);
    if (i == entries_.size()) entries_.emplace_back();
    return entries_[i];
  }

  const name_scope* outer_;
  text_index names_;
  std::vector<entry> entries_;  // the entry of each name, by the name's number
};

}  // namespace jax2onnx::detail
