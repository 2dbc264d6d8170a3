// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jaxpr/ast.hpp>
#include <jaxpr/detail/arena.hpp>
#include <jaxpr/options.hpp>
#include <jaxpr/reader/infer.hpp>
#include <jaxpr/reader/program.hpp>

namespace jaxpr::reader {

inline void skip_byte_order_mark(cursor& in) {
  if (in.on("\xef\xbb\xbf")) in.advance(3);
}

/// Fails if a result of the main body is a `_` whose variable is unknown. No caller drops these results.
inline void check_main_results(const state& s, const body& main) {
  for (const atom& result : main.results)
    if (result.is_dropped()) fail_ambiguous(s, result.text, "several");
}

/// Parses a text without colours into `nodes`.
inline program parse_text(std::string_view text, const parse_options& options, arena& nodes) {
  state s(text, options, nodes);
  skip_byte_order_mark(s.in);
  skip(s);
  const body* main = parse_program(s);
  skip(s);
  settle_comments(s);
  if (!s.in.ended())
    fail_expected(s.in, "parse.trailing-text", "the end of the text",
                  "a file contains one jaxpr, preceded by its shared jaxprs");
  check_main_results(s, *main);
  if (s.needs_inference) infer_types(s, *main);
  return {text, main->shared, main, {}};
}

}  // namespace jaxpr::reader
