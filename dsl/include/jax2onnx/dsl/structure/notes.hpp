// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/dsl/structure/bundle.hpp>
#include <jax2onnx/support/message.hpp>

/// Names and descriptions of nodes in the model.
namespace jax2onnx {

namespace detail {

inline node_note& note_of(const value& v, std::string_view verb) {
  v.require_graph();
  graph& g = v.owner();
  const node_id n = g.at(v.id()).producer;
  if (n == node_id::none) throw build_error(message("{}: no node makes {}", verb, text(v)));
  return g.edit_note(n);
}

}  // namespace detail

/// Names the node that makes a value. In files, a number is appended to the name if another node has the same name.
/// Returns the handle. Throws a build_error for an input or constant, which no node makes.
template <handle T>
T name_node(const T& v, std::string_view name) {
  detail::note_of(detail::erased(v), "name_node").name = name;
  return v;
}
/// Names the node of something that converts to a handle, such as the result of `x + 1.0`.
template <class T>
requires(!handle<T> && detail::bundle_like<T>) auto name_node(const T& v, std::string_view name) {
  return name_node(detail::bundled(v), name);
}
/// Describes the node that makes a value. In files, the description is the node's doc_string. Returns the handle.
/// Throws a build_error for an input or constant, which no node makes.
template <handle T>
T describe(const T& v, std::string_view doc) {
  detail::note_of(detail::erased(v), "describe").doc = doc;
  return v;
}
/// Describes the node of something that converts to a handle, such as the result of `x + 1.0`.
template <class T>
requires(!handle<T> && detail::bundle_like<T>) auto describe(const T& v, std::string_view doc) {
  return describe(detail::bundled(v), doc);
}

}  // namespace jax2onnx
