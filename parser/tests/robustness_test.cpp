// SPDX-License-Identifier: Apache-2.0
#include "../fuzz/invariants.hpp"
#include "catch.hpp"
#include "support.hpp"

#include <random>
#include <stdexcept>

#include <fmt/format.h>

namespace {

/// Checks the invariants. Failures show the text; successes, which are the rule, do not print it.
void check(std::string_view text) {
  try {
    check_invariants(text);
  } catch (const std::logic_error& e) {
    FAIL_CHECK(e.what() << "\nof the text\n" << text);
  }
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

/// A jaxpr inside `count` jaxprs, each of which is nested in the one before.
std::string nested_calls(std::size_t count) {
  return repeat("{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr=", count) + "{ lambda ; a:f32[]. let  in (a,) }" +
         repeat("] a in (b,) }", count);
}

std::string with_value(const std::string& value) {
  return "{ lambda ; a:f32[]. let b:f32[] = p[v=" + value + "] a in (b,) }";
}

/// `let f0 = … jaxpr=f1 …`, each block calling the next.
std::string chained_blocks(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("let f{} = {{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr=f{}] a in (b,) }} in\n", i, i + 1);
  return text + fmt::format("let f{} = {{ lambda ; a:f32[]. let  in (a,) }} in\n", count) +
         "{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr=f0] a in (b,) }";
}

}  // namespace

TEST_CASE("robustness: every prefix of a text is refused or read") {
  for (const auto& path : support::files(support::parser_dir() / "tests/data", ".jaxpr")) {
    const std::string text = support::read(path);
    if (text.size() > 1000) continue;
    for (std::size_t size = 0; size < text.size(); ++size)
      (void)support::refusal(std::string_view(text).substr(0, size));
  }
}

TEST_CASE("robustness: mutations keep the invariants") {
  std::mt19937 random(20240229);
  const auto below = [&random](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  constexpr std::string_view bytes = "()[]{}<>=:;,._ \n#'\"abz019-+*\\\x01\xff";
  const auto paths = support::files(support::parser_dir() / "tests/data", ".jaxpr");
  std::vector<std::string> texts;
  for (const auto& path : paths)
    if (std::string text = support::read(path); text.size() < 3000) texts.push_back(std::move(text));
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[below(texts.size())];
    for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      const std::size_t size = std::min(text.size() - at, below(20) + 1);
      switch (below(5)) {
        case 0: text[at] = bytes[below(bytes.size())]; break;
        case 1: text.insert(at, 1, bytes[below(bytes.size())]); break;
        case 2: text.erase(at, size); break;
        case 3: text.insert(at, text.substr(at, size)); break;
        default: text.insert(below(text.size()), texts[below(texts.size())].substr(0, size)); break;
      }
    }
    check(text);
  }
}

TEST_CASE("robustness: nesting is limited, so that recursion cannot overflow the stack") {
  CHECK(support::refusal(nested_calls(100)).empty());
  CHECK(support::refusal(nested_calls(300)) == "parse.limit-depth");
  CHECK(support::refusal(nested_calls(100000)) == "parse.limit-depth");
  CHECK(support::refusal(with_value(repeat("(", 200) + repeat(",)", 200))).empty());
  CHECK(support::refusal(with_value(repeat("(", 100000) + repeat(",)", 100000))) == "parse.limit-depth");
  CHECK(support::refusal(with_value(repeat("[", 100000))) == "parse.limit-depth");
  CHECK(support::refusal(with_value(repeat("f(", 100000))) == "parse.limit-depth");
  CHECK(support::refusal(chained_blocks(200)).empty());
  CHECK(support::refusal(chained_blocks(50000)) == "parse.limit-depth");
  CHECK(support::refusal(nested_calls(20), {.max_depth = 10}) == "parse.limit-depth");
}

TEST_CASE("robustness: the size of texts and names is limited") {
  const std::string name(5000, 'x');
  CHECK(support::refusal("{ lambda ; a:f32[]. let  in (a,) }", {.max_bytes = 10}) == "parse.limit-size");
  CHECK(support::refusal("{ lambda ; " + name + ":f32[]. let  in () }") == "parse.limit-identifier");
  CHECK(support::refusal("{ lambda ; a:f32[" + name + "]. let  in () }") == "parse.limit-identifier");
  CHECK(support::refusal("{ lambda ; . let " + name + "[k=1]  in () }") == "parse.limit-identifier");
  CHECK(support::refusal("{ lambda ; . let p[" + name + "=1]  in () }") == "parse.limit-identifier");
  CHECK(support::refusal("let " + name + " = { lambda ; . let  in () } in\n{ lambda ; . let  in () }") ==
        "parse.limit-identifier");
}

TEST_CASE("robustness: texts made to be slow are read in linear time") {
  // The parser once took seconds for each of these texts, to find the end of a value.
  const std::string unbalanced = "{ lambda ; . let\n    p[\n" + repeat("      a=(\n", 50000) + "    ] \n  in () }";
  (void)support::refusal(unbalanced);
  (void)support::refusal("{ lambda ; . let p[" + repeat("a=( ", 50000) + "]  in () }");
  (void)support::refusal("{ lambda ; . let\n" + repeat("    p[a=([{'\n    ] \n", 20000) + "  in () }");
  (void)support::refusal("{ lambda ; . let\n" + repeat("    x y z", 50000) + "\n  in () }");
  (void)support::refusal(repeat("let f = { lambda", 50000));
  (void)support::refusal(repeat("=let ", 200000));
  (void)support::refusal("{ lambda ; . let p[name=a" + std::string(200000, ' ') + "b] in () }");
  (void)support::refusal("{ lambda ; . let " + repeat("p[name=( x] ; ", 50000) + " in () }");
  std::string odd;
  for (int i = 0; i < 20000; ++i)
    odd += fmt::format("let f {} = {{ lambda ; . let p[jaxpr=f {}]  in () }} in\n", i, i + 1);
  (void)support::refusal(odd);
  (void)support::refusal("{ lambda ; . let p " + repeat("# c\n", 100000) + " in () }");
}

TEST_CASE("robustness: inputs that once broke something stay harmless") {
  for (const auto& entry : std::filesystem::directory_iterator(support::parser_dir() / "tests/fuzz_inputs")) {
    INFO(entry.path().string());
    check(support::read(entry.path()));
  }
}
