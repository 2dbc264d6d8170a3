// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/converter.hpp>
#include <jax2onnx/convert/options.hpp>
#include <jax2onnx/emit/text.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

constexpr const char* doubled = R"({ lambda ; a:f32[B,3]. let b:f32[B,3] = mul a 2.0:f32[] in (b,) })";

/// Code and message of the first diagnostic with which `text` is refused.
std::string refusal(const std::string& text, const options& o = {}) {
  try {
    convert(text, {}, o);
  } catch (const error& e) {
    return e.diagnostics().front().code + ": " + e.diagnostics().front().message;
  }
  return "converted";
}

}  // namespace

TEST_CASE("convert: a text becomes a model with counts") {
  const conversion made = convert(doubled);
  CHECK(made.stats.equations == 1);
  CHECK(made.stats.nodes == 1);
  CHECK(made.warnings.empty());
  CHECK_THAT(to_text(made.model), Contains("float[B, 3] input_0) => (float[B, 3] output_0)"));
}

TEST_CASE("convert: the result owns a text that its caller gives away") {
  std::string text = doubled;
  const conversion made = convert(std::move(text));
  text.assign(1000, 'x');
  CHECK(made.source.main->equations[0].primitive == "mul");
  CHECK(made.source.text.data() == made.text->data());
}

TEST_CASE("convert: a shared text is not copied") {
  const auto text = std::make_shared<const std::string>(doubled);
  CHECK(convert(text).source.text.data() == text->data());
}

TEST_CASE("convert: every refusal is a jax2onnx::error with diagnostics") {
  CHECK_THAT(refusal("{ lambda"), Contains("parse."));
  CHECK_THAT(refusal("{ lambda ; a:f32[2]. let b:f32[2] = frobnicate a in (b,) }"), Contains("lower.unsupported"));
  CHECK_THAT(refusal("{ lambda ; a:f32[2]. let b:f32[3] = neg a in (b,) }"), Contains("lower.malformed"));
  options o;
  o.opset = 16;
  CHECK(refusal(doubled, o) == "convert.opset: opset 16 is not between 17 and 28");
  o = {};
  o.dims["N"] = 4;
  CHECK_THAT(refusal(doubled, o), Contains("convert.dim") && Contains("'N'"));
  o.dims = {{"B", -1}};
  CHECK_THAT(refusal(doubled, o), Contains("convert.dim") && Contains("negative"));
  o = {};
  o.inputs_as_nchw = {"0"};
  CHECK_THAT(refusal(doubled, o), Contains("convert.nchw"));
}

TEST_CASE("convert: what a progress sink throws ends the conversion, in a nested jaxpr too") {
  const auto variable = [](int i) {
    return std::string{'v', static_cast<char>('a' + i / 676), static_cast<char>('a' + i / 26 % 26),
                       static_cast<char>('a' + i % 26)};
  };
  std::string text = "{ lambda ; a:f32[2]. let b:f32[2] = pjit[name=f jaxpr={ lambda ; vaaa:f32[2]. let ";
  for (int i = 0; i < 1100; ++i) text += variable(i + 1) + ":f32[2] = tanh " + variable(i) + "; ";
  text += "in (" + variable(1100) + ",) }] a in (b,) }";
  for (const std::string_view when : {"lowering", "rewriting"}) {
    options o;
    o.lowering.progress = [when](std::string_view phase, std::uint64_t, std::uint64_t) {
      if (phase == when) throw std::invalid_argument("cancelled");
    };
    CHECK_THROWS_WITH(convert(text, {}, o), "cancelled");
  }
}

TEST_CASE("convert: an error says why, for the program to decide on") {
  const auto kind = [](const char* text) {
    try {
      convert(text);
    } catch (const error& e) {
      return e.kind();
    }
    return failure::internal;
  };
  CHECK(kind("{ lambda") == failure::malformed);
  CHECK(kind("{ lambda ; a:f32[2]. let b:f32[2] = frobnicate a in (b,) }") == failure::unsupported);
  CHECK(kind("{ lambda ; a:f32[9000000000000000000]. let  in (a,) }") == failure::unsafe);
}

TEST_CASE("convert: all problems of a text are found in one run") {
  try {
    convert("{ lambda ; a:f32[2]. let b:f32[2] = first a; c:f32[2] = second b; d:f32[2] = first c in (d,) }");
    FAIL("converted");
  } catch (const conversion_error& e) {
    REQUIRE(e.diagnostics().size() == 2);
    CHECK_THAT(e.diagnostics()[0].message, Contains("first") && Contains("2 uses"));
    CHECK_THAT(e.diagnostics()[1].message, Contains("second"));
  }
}

TEST_CASE("convert: a symbolic dimension gets a size") {
  options o;
  o.dims["B"] = 7;
  CHECK_THAT(to_text(convert(doubled, {}, o).model), Contains("float[7, 3] input_0"));
}

TEST_CASE("convert: inputs and outputs get names and layouts") {
  options o;
  o.input_names = {"image"};
  o.output_names = {"logits"};
  o.inputs_as_nchw = {"image"};
  const std::string text =
      to_text(convert("{ lambda ; a:f32[1,8,9,3]. let b:f32[1,8,9,3] = neg a in (b,) }", {}, o).model);
  CHECK_THAT(text, Contains("float[1, 3, 8, 9] image) => (float[1, 8, 9, 3] logits)"));
}

TEST_CASE("convert: constvars without weights become inputs") {
  const conversion made = convert("{ lambda w:f32[3]; a:f32[3]. let b:f32[3] = add a w in (b,) }");
  CHECK(made.stats.constants_as_inputs == 1);
  CHECK(made.model.at(block_id::main).inputs.size() == 2);
}

TEST_CASE("convert: several threads convert at once") {
  const std::string expected = to_text(convert(doubled).model);
  std::vector<std::string> made(4);
  std::vector<std::thread> threads;
  for (std::string& text : made) threads.emplace_back([&text] { text = to_text(convert(doubled).model); });
  for (std::thread& t : threads) t.join();
  for (const std::string& text : made) CHECK(text == expected);
}

TEST_CASE("convert: a model outlives the rest of its conversion") {
  const graph model = [] {
    conversion made = convert(R"({ lambda ; a:f32[3]. let
    b:f32[3] = neg a    # net.py:12:4 (f)
  in (b,) })");
    return std::move(made.model);
  }();
  CHECK(model.origins().back().annotation.find("net.py") != std::string_view::npos);
}

TEST_CASE("convert: origins know the call that they were inlined by, at every depth") {
  const conversion made = convert(R"({ lambda ; a:f32[3]. let
    b:f32[3] = jit[name=f jaxpr={ lambda ; c:f32[3]. let
        d:f32[3] = jit[name=g jaxpr={ lambda ; e:f32[3]. let f:f32[3] = sin e in (f,) }] c
        g:f32[3] = cos d
      in (g,) }] a
    h:f32[3] = tan b
  in (h,) })");
  const std::vector<origin>& origins = made.model.origins();
  const auto printed = [&](std::uint32_t o) { return o == 0 ? "" : made.text->substr(origins[o].begin, 14); };
  for (const node_id id : made.model.at(block_id::main).nodes) {
    const node& n = made.model.at(id);
    const origin& from = origins[n.origin];
    INFO(n.op.text());
    if (n.op == "Sin") {
      CHECK(printed(from.caller) == "d:f32[3] = jit");
      CHECK(printed(origins[from.caller].caller) == "b:f32[3] = jit");
      CHECK(origins[origins[from.caller].caller].caller == 0);
    }
    if (n.op == "Cos") CHECK(printed(from.caller) == "b:f32[3] = jit");
    if (n.op == "Tan") CHECK(from.caller == 0);
  }
  CHECK(made.model.at(block_id::main).nodes.size() == 3);
}

TEST_CASE("convert: what the rules did") {
  const conversion made = convert(R"({ lambda ; a:f32[3]. let b:f32[3] = max a 0.0:f32[] in (b,) })");
  CHECK(made.rewrites.applied("Relu") == 1);
  CHECK(made.rewrites.events.empty());
}
