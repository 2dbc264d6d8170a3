// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/state_forms.hpp>

using namespace jaxpr::reader;

namespace {

std::ptrdiff_t index_length(std::string_view text) {
  const cursor in(text);
  const char* end = index_end(in, in.at);
  return end ? end - in.at : -1;
}

bool has_operator(std::string_view text) { return scan_state_operator(cursor(text)) != nullptr; }

/// Binds a, b and i.
void bind_variables(state& s) {
  for (const std::string_view name : {"a", "b", "i"}) {
    jaxpr::binder b{name, nullptr, 0};
    bind(s, scan_variable(cursor(name)), b);
  }
}

}  // namespace

TEST_CASE("state_forms: an index ends with its last bracket") {
  CHECK(index_length("[0,:] <- b") == 5);
  CHECK(index_length("[0]{1} x") == 6);
  CHECK(index_length("[f(1)]") == 6);
  CHECK(index_length("[0\n]") == -1);
  CHECK(index_length("[0") == -1);
  CHECK(index_length("]") == -1);
  CHECK(index_length("[" + std::string(5000, ' ') + "]") == -1);
}

TEST_CASE("state_forms: updates are distinguished from applications") {
  CHECK(has_operator("a[0] <- b"));
  CHECK(has_operator("a[0] += b"));
  CHECK(!has_operator("a[0] = b"));
  CHECK(!has_operator("a <- b"));
  CHECK(!has_operator("f[k=1] a"));
}

TEST_CASE("state_forms: the variables of an index follow the operands") {
  reading r("a[i, Slice(b), i] += b");
  bind_variables(r.s);
  jaxpr::equation e;
  parse_update(r.s, e);
  CHECK(e.primitive == "addupdate");
  CHECK(e.index == "[i, Slice(b), i]");
  std::string slots;
  for (const jaxpr::atom& a : r.s.atoms) slots += std::to_string(a.slot);
  CHECK(slots == "01212");
}

TEST_CASE("state_forms: a swap repeats its reference") {
  const auto swapped = [](std::string_view text) {
    return code_of([&] {
      reading r(text);
      bind_variables(r.s);
      jaxpr::equation e;
      parse_swap(r.s, e);
    });
  };
  CHECK(swapped(", a[0] <- a[0], b").empty());
  CHECK(swapped(", a[0] <- a[1], b") == "parse.expected-operand");
  CHECK(swapped(", a <- a, b") == "parse.expected-punctuation");
  CHECK(swapped(", c[0] <- c[0], b") == "parse.unbound-variable");
}
