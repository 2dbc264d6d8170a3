// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <jaxpr/ast.hpp>
#include <jaxpr/config.hpp>
#include <jaxpr/diagnostic.hpp>
#include <jaxpr/options.hpp>

namespace jaxpr {

namespace detail {

JAX2ONNX_INLINE program parse_owned(std::string text, const parse_options& options);

/// A temporary std::string, which the program must own because nothing else does.
template <class Text>
concept temporary_string = std::is_same_v<std::remove_const_t<Text>, std::string>;

}  // namespace detail

/// Parses the text of one jaxpr, with the shared jaxprs before it.
///
/// Lifetime: the program views `text`, so `text` must outlive the program and all of its copies. A text with ANSI
/// colour codes is the exception: the program owns a copy of the text without the codes, and `program::text` views this
/// copy.
/// Errors: throws `error` for the first error of the text, or std::bad_alloc. The spans of the diagnostic index `text`
/// as it was passed, colours included. Cost: linear in the size of the text. Hostile texts are stopped by the limits in
/// `options`. Threads: there is no global state, so threads may parse at the same time.
JAX2ONNX_INLINE program parse(std::string_view text, const parse_options& options = {});

/// Parses a temporary string, or a string that is moved in. The program owns the string. If parsing fails, the `error`
/// owns the string (`error::text`).
template <detail::temporary_string Text>
program parse(Text&& text, const parse_options& options = {}) {
  return detail::parse_owned(std::forward<Text>(text), options);
}

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/parse.inl.hpp>
#endif
