// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <jaxpr/detail/order.hpp>
#include <jaxpr/reader/body.hpp>
#include <jaxpr/reader/names.hpp>
#include <jaxpr/reader/references.hpp>

namespace jaxpr::reader {

//= shared = "let" NAME "=" body "in" WS ;             (* since JAX 0.4.25.  NAME: any text up to " = { lambda" *)
inline void parse_shared(state& s) {
  collect_names(s);
  const std::string_view name = scan_let(s);
  s.in.advance(4);
  if (name.empty())
    fail_expected(s.in, "parse.expected-jaxpr", "'NAME = { lambda' after 'let'",
                  "a shared jaxpr has the form let NAME = { lambda … } in");
  check_identifier(s.in, name, s.options.max_identifier, "name");
  const std::uint32_t index = shared_index(s, name);
  if (s.names->entries[index].defined)
    fail("parse.duplicate-jaxpr", s.in.from(name),
         concat({"expected a new name, found '", name, "', which names an earlier jaxpr"}));
  s.in.advance(static_cast<std::ptrdiff_t>(name.size()) + 3);
  s.names->block = index;
  s.names->order.push(index);
  const unsigned outer_deepest = s.deepest;
  s.deepest = s.depth;
  parse_body(s, *s.names->entries[index].body);
  s.names->entries[index].depth = s.deepest - s.depth;
  s.names->entries[index].defined = true;
  s.deepest = detail::greatest(outer_deepest, s.deepest);
  s.names->block = shared_names::main_block;
  skip(s);
  expect(s.in, "in", concat({"after the shared jaxpr '", name, "'"}));
  skip(s);
}

//= program = { shared } body ;
inline body* parse_program(state& s) {
  const nested level(s);
  shared_names names;
  names.base_depth = s.depth;
  shared_names* const outer = std::exchange(s.names, &names);
  while (s.in.on("let ")) parse_shared(s);
  const unsigned outer_deepest = std::exchange(s.deepest, s.depth);
  body* main = s.memory.make(body{});
  parse_body(s, *main);
  reference_check(s, names, s.deepest - s.depth).run();
  s.deepest = detail::greatest(outer_deepest, s.deepest);
  stack<shared_body> shared;
  for (const std::uint32_t i : names.order) shared.push({names.entries[i].name, names.entries[i].body});
  main->shared = take(s.memory, shared, 0);
  s.names = outer;
  return main;
}

}  // namespace jaxpr::reader
