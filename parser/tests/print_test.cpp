// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <cstdlib>

namespace {

void check_text(const std::filesystem::path& path) {
  INFO(path.string());
  const std::string text = support::read(path);
  try {
    const jaxpr::program parsed = jaxpr::parse(text);
    const std::string printed = jaxpr::print(parsed);
    CHECK(support::tokens(printed) == support::tokens(parsed.text));
    CHECK(jaxpr::print(jaxpr::parse(printed)) == printed);
  } catch (const jaxpr::error& e) {
    FAIL_CHECK(jaxpr::render(e.details(), text, path.filename().string()));
  }
}

}  // namespace

TEST_CASE("print: printing gives the same tokens for every text of the test data") {
  for (const auto& path : support::files(support::parser_dir() / "tests/data", ".jaxpr")) check_text(path);
}

TEST_CASE("print: printing gives the same tokens for every text below $JAXPR_TEXTS") {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests have one thread
  const char* folder = std::getenv("JAXPR_TEXTS");
  if (!folder) return;
  for (const auto& path : support::files(folder, ".jaxpr"))
    if (path.string().find("trap_dropvar_ambiguous") == std::string::npos ||
        path.string().find("nocustompp") != std::string::npos)
      check_text(path);
}

TEST_CASE("print: a text without comments and colours comes back byte for byte") {
  const std::string text = support::read(support::parser_dir() / "tests/data/0.10.2/nested_control.jaxpr");
  CHECK(jaxpr::print(jaxpr::parse(text)) + "\n" == text);
}

TEST_CASE("print: a comment stays on the line of the equals sign") {
  const std::string text =
      "{ lambda ; a:f32[3]. let\n"
      "    b:f32[3] c:f32[3]\n"
      "      d:f32[3] = f a # x.py:1:2 (f)\n"
      "    e:f32[3] = g b # x.py:2:2 (f)\n"
      "  in (e,) }";
  CHECK(jaxpr::print(jaxpr::parse(text)) == text);
}

TEST_CASE("print: a tree built by hand needs no text") {
  const jaxpr::type f32{jaxpr::type_kind::array, "f32[]", "f32", {}};
  const jaxpr::binder a{"a", &f32, 0};
  const jaxpr::binder b{"b", &f32, 1};
  const jaxpr::atom operands[] = {{"a", &f32, 0}, {"1.0", &f32}};
  const jaxpr::atom result{"b", &f32, 1};
  jaxpr::param axis{"axis", {}};
  axis.val.text = "0";
  jaxpr::equation e;
  e.primitive = "add";
  e.outs = {&b, 1};
  e.params = {&axis, 1};
  e.ins = operands;
  jaxpr::body main;
  main.invars = {&a, 1};
  main.equations = {&e, 1};
  main.results = {&result, 1};
  jaxpr::program m;
  m.main = &main;
  CHECK(jaxpr::print(m) == "{ lambda ; a:f32[]. let b:f32[] = add[axis=0] a 1.0:f32[] in (b,) }");
}

TEST_CASE("print: lines of over 80 columns are broken as JAX breaks them") {
  const std::string line = "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos b; d:f32[3] = tan c in (d,) }";
  jaxpr::program m = jaxpr::parse(line);
  CHECK(jaxpr::print(m) == line);
  m.text = {};
  jaxpr::body main = *m.main;
  main.where = {};
  m.main = &main;
  CHECK(jaxpr::print(m) ==
        "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n    c:f32[3] = cos b\n    d:f32[3] = tan c\n  in (d,) }");
}
