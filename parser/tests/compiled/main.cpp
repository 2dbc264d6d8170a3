// SPDX-License-Identifier: Apache-2.0
// Uses each function that the compiled library defines.

#include <cstdio>
#include <string>
#include <utility>

#include <jaxpr/jaxpr.hpp>

#ifndef JAX2ONNX_COMPILED
#error "linking jax2onnx::jaxpr_compiled must define JAX2ONNX_COMPILED"
#endif

namespace {

int failures = 0;

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

std::string rendered(std::string text) {
  try {
    (void)jaxpr::parse(std::move(text));
  } catch (const jaxpr::error& e) {
    return jaxpr::render(e.details(), e.text(), "x.jaxpr");
  }
  return {};
}

}  // namespace

int main() {
  const std::string text = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }";
  const jaxpr::program p = jaxpr::parse(text);
  check(jaxpr::print(p) == text, "print");
  check(jaxpr::count_primitives(p).front().primitive == "sin", "count_primitives");
  check(jaxpr::bodies_of(p).size() == 1 && jaxpr::bodies_of(p.main->equations[0]).empty(), "bodies_of");
  check(jaxpr::text_at(p, p.main->where) == text, "text_at");
  check(jaxpr::locate("a\nb", 2).line == 2, "locate");
  check(jaxpr::escape_lines("\x1b\n") == jaxpr::escape("\x1b") + "\n", "escape");
  check(rendered("{ lambda ; a. }").starts_with("x.jaxpr:1:15: error["), "render");
  return failures;
}
