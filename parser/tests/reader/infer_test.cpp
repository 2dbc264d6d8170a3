// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <fmt/format.h>

namespace {

/// The types of the literals of the only equation, in order.
std::vector<std::string> inferred(const std::string& equation,
                                  const std::string& inputs = "a:bf16[2] i:i32[] u:u8[2]") {
  const std::string text = fmt::format("{{ lambda ; {}. let {} in () }}", inputs, equation);
  const jaxpr::program m = jaxpr::parse(text);
  std::vector<std::string> types;
  for (const jaxpr::atom& a : m.main->equations[0].ins)
    if (a.is_literal()) types.emplace_back(a.annotation->text);
  return types;
}

using types = std::vector<std::string>;

}  // namespace

TEST_CASE("infer: arithmetic takes the result's dtype, comparisons the other operand's") {
  CHECK(inferred("b:bf16[2] = add a 1.0") == types{"bf16[]"});
  CHECK(inferred("b:u8[2] = and u 255") == types{"u8[]"});
  CHECK(inferred("b:bool[2] = gt a 0.5") == types{"bf16[]"});
  CHECK(inferred("b:bool[2] = eq u 3") == types{"u8[]"});
  CHECK(inferred("b:bool[] = lt 1 2") == types{"i32[]", "i32[]"});
  CHECK(inferred("b:bf16[2] = broadcast_in_dim[shape=(2,)] 1.0") == types{"bf16[]"});
  CHECK(inferred("b:f16[2] = pad[padding_config=((0, 0, 0),)] h 0.0", "h:f16[2]") == types{"f16[]"});
  CHECK(inferred("b:bool[2] = is_finite 1.0") == types{"f32[]"});
}

TEST_CASE("infer: small floats of old versions are printed without a point") {
  CHECK(inferred("b:bf16[2] = add a 2") == types{"bf16[]"});
  CHECK(inferred("b:f8_e4m3fn[2] = mul c 2", "c:f8_e4m3fn[2]") == types{"f8_e4m3fn[]"});
  CHECK(inferred("b:bf16[2] = integer_pow[y=2] a 2.5") == types{"bf16[]"});
}

TEST_CASE("infer: dtypes of predicates, indices and bits do not follow the result") {
  CHECK(inferred("b:bf16[2] = select_n True a 1.0") == types{"bool[]", "bf16[]"});
  CHECK(inferred("b:bf16[1] = dynamic_slice[slice_sizes=(1,)] a 0") == types{"i32[]"});
  CHECK(inferred("b:u8[2] = dynamic_update_slice u 7 0") == types{"u8[]", "i32[]"});
  CHECK(inferred("b:u8[2] = scatter-add u 0 7") == types{"i32[]", "u8[]"});
  CHECK(inferred("b:key<fry>[] = random_fold_in k 7", "k:key<fry>[]") == types{"u32[]"});
}

TEST_CASE("infer: operands of calls have the types of the inner jaxpr's invars") {
  CHECK(inferred("b:u8[2] = pjit[jaxpr={ lambda ; c:f16[] d:u8[2]. let  in (d,) }] 1.0 u") == types{"f16[]"});
  CHECK(inferred("b:f16[] = while[body_jaxpr={ lambda ; x:u8[] y:f16[]. let  in (y,) } body_nconsts=1 "
                 "cond_jaxpr={ lambda ; z:i8[] y:f16[]. let  in (True,) } cond_nconsts=1] 1 2 3.0") ==
        types{"i8[]", "u8[]", "f16[]"});
  CHECK(inferred(
            "b:f16[] = cond[branches=({ lambda ; x:f16[]. let  in (x,) } { lambda ; y:f16[]. let  in (y,) })] 0 1.0") ==
        types{"i32[]", "f16[]"});
}

TEST_CASE("infer: results of inner jaxprs have the dtypes of the equation's results") {
  const std::string text =
      "{ lambda ; i:i32[]. let\n"
      "    a:u8[] b:f16[] = cond[branches=({ lambda ; . let  in (1, 2.0) } { lambda ; . let  in (3, 4.0) })] i\n"
      "  in (a, 1, 2.0, True, 1j) }";
  const jaxpr::program m = jaxpr::parse(text);
  const auto& branches = m.main->equations[0].find("branches")->items;
  CHECK(branches[1].body->results[0].annotation->text == "u8[]");
  CHECK(branches[1].body->results[1].annotation->text == "f16[]");
  CHECK(m.main->results[1].annotation->text == "i32[]");
  CHECK(m.main->results[2].annotation->text == "f32[]");
  CHECK(m.main->results[3].annotation->text == "bool[]");
  CHECK(m.main->results[4].annotation->text == "c64[]");
}

TEST_CASE("infer: Python's scalars are wide if the text has a 64-bit type") {
  CHECK(inferred("b:f32[] = convert_element_type[new_dtype=float32] 1.0") == types{"f32[]"});
  CHECK(inferred("b:f32[] = convert_element_type[new_dtype=float32] 1.0", "a:f64[]") == types{"f64[]"});
}

TEST_CASE("infer: inference restores the types that are stripped from a new text") {
  const std::string text = support::read(support::parser_dir() / "tests/data/0.10.2/cond_switch.jaxpr");
  const jaxpr::program typed = jaxpr::parse(text);
  std::vector<std::pair<jaxpr::span, std::string>> literals;
  const auto collect = [](const jaxpr::program& m, auto& into) {
    jaxpr::for_each_body(m, [&](const jaxpr::body& j) {
      const auto add = [&](const jaxpr::atom& a) {
        if (a.is_literal()) into.emplace_back(jaxpr::span_of(a.text, m.text), std::string(a.annotation->text));
      };
      for (const jaxpr::equation& e : j.equations) std::ranges::for_each(e.ins, add);
      std::ranges::for_each(j.results, add);
    });
  };
  collect(typed, literals);
  auto backwards = literals;
  std::ranges::sort(backwards, [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  std::string stripped = text;
  for (const auto& [where, type] : backwards) stripped.erase(where.end, type.size() + 1);
  REQUIRE(stripped.size() < text.size());
  const jaxpr::program untyped = jaxpr::parse(stripped);
  decltype(literals) again;
  collect(untyped, again);
  REQUIRE(again.size() == literals.size());
  for (std::size_t i = 0; i < again.size(); ++i) CHECK(again[i].second == literals[i].second);
}
