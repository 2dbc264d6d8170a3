// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/report.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>
#include <jax2onnx/weights/read_weights.hpp>

using namespace jax2onnx;
using namespace test_files;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char* scaling = "{ lambda w:f32[20]; a:f32[20]. let b:f32[20] = mul a w in (b,) }";
const std::vector<float> factors(20, 1.5F);

conversion converted(const options& o = {}) { return convert(scaling, {borrowed_array("w", factors, {20})}, o); }

}  // namespace

TEST_CASE("report: a summary in Markdown") {
  const std::string text = report(converted(), report_format::markdown, {.name = "m.jaxpr"});
  CHECK_THAT(text, StartsWith("# m.jaxpr: converted\n\nOpset "));
  CHECK_THAT(text, Contains("1 equation became 1 node") && Contains("| `Mul` | 1 |"));
  CHECK_THAT(text, !Contains("Written:"));
}

TEST_CASE("report: JSON has the text, the graph and the weights") {
  const std::string text = report(converted(), report_format::json);
  CHECK_THAT(text, StartsWith("{\n  \"input\": \"<text>\",") && EndsWith("}\n"));
  CHECK_THAT(text, Contains(R"("source": {"name":"<text>","text":"{ lambda w)"));
  CHECK_THAT(text, Contains(R"({"op":"Mul",)") && Contains(R"("least":1.5,"greatest":1.5,"mean":1.5)"));
}

TEST_CASE("report: a page has the same data, in which no tag ends it") {
  const std::string page = report(converted(), report_format::html);
  CHECK_THAT(page, StartsWith("<!doctype html>") && Contains(R"("input": "\u003ctext>")"));
  CHECK_THAT(page, !Contains("@jax2onnx-report@") && !Contains("@jax2onnx-before@"));
}

TEST_CASE("report: where the model was written") {
  const report_options o{.name = "m.jaxpr",
                         .output = "m.onnx",
                         .written = {.model_bytes = 1500, .data_bytes = 80, .data_file = "m.data"},
                         .write = std::chrono::milliseconds(2500)};
  const conversion made = converted();
  CHECK_THAT(report(made, report_format::markdown, o), Contains("Written: `m.onnx`, 1.5 KB; `m.data`, 80 bytes.\n"));
  CHECK_THAT(report(made, report_format::markdown, o), Contains("| write | 2500.0 |"));
  CHECK_THAT(report(made, report_format::json, o), Contains(R"("data_file": "m.data")"));
}

TEST_CASE("report: nodes know their rules if the events are kept") {
  options o;
  CHECK_THAT(report(converted(o), report_format::json), Contains(R"("events": [])"));
  o.rewrites.keep_events = true;
  constexpr const char* maximum = "{ lambda ; a:f32[3]. let b:f32[3] = max a 0.0:f32[] in (b,) }";
  CHECK_THAT(report(convert(maximum, {}, o), report_format::json), Contains(R"({"rule":"Relu","replaced":"Max"})"));
}

TEST_CASE("report: a failure has its problems and the text") {
  const std::string text = "{ lambda ; a:f32[3]. let\n  b:f32[3] = frobnicate a in (b,) }";
  try {
    convert(text);
    FAIL("converted");
  } catch (const error& e) {
    const std::string json = failure_report(e.diagnostics(), text, report_format::json, {.name = "m.jaxpr"});
    CHECK_THAT(json, Contains(R"("result": "failed")") && Contains("\"line\": 2,") && Contains(R"(frobnicate a in)"));
    CHECK_THAT(json, !Contains("\"graph\""));
    CHECK_THAT(failure_report(e.diagnostics(), text, report_format::markdown),
               StartsWith("# <text>: failed\n\n## Problems\n\n- 2:"));
  }
}

TEST_CASE("report: messages name options as the tool does") {
  const diagnostic problem{jaxpr::severity::error, "a.code", "give it a number: option dim=B=8", {}, {}, {}};
  CHECK_THAT(failure_report({&problem, 1}, "", report_format::markdown), Contains("a number: --dim B=8"));
}

TEST_CASE("report: weights that cannot be read are an error") {
  const temporary_directory dir;
  const auto file = dir.write("w.npy", npy("<f4", "(20,)", std::string(80, '\1')));
  const conversion made = convert(scaling, read_weights(file));
  std::filesystem::resize_file(file, 100);
  CHECK_THROWS_AS(report(made, report_format::json), file_error);
  CHECK_NOTHROW(report(made, report_format::markdown));
}

TEST_CASE("report: several threads report one conversion") {
  const std::vector<std::uint16_t> ones(100, 0x3c00);
  const weight w{"w",
                 true,
                 "f16",
                 stored_kind::floating,
                 16,
                 {100},
                 std::make_shared<borrowed_source>(std::as_bytes(std::span(ones)))};
  const conversion made = convert("{ lambda w:f16[100]; a:f16[100]. let b:f16[100] = mul a w in (b,) }", {w});
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string& text : texts) threads.emplace_back([&] { text = report(made, report_format::json); });
  for (std::thread& t : threads) t.join();
  for (const std::string& text : texts) CHECK(text == texts[0]);
  CHECK_THAT(texts[0], Contains(R"("least":1.0)"));
}

TEST_CASE("report: the extension of a file selects the format") {
  CHECK(report_format_of("a.html") == report_format::html);
  CHECK(report_format_of("a/B.JSON") == report_format::json);
  CHECK(report_format_of("a.md") == report_format::markdown);
  CHECK(report_format_of("-") == report_format::markdown);
}

TEST_CASE("report: a name has the extension of a format, or none") {
  for (const char* file : {"a.html", "a/B.JSON", "a.b.md", "a.markdown", "a.txt", "a", "-", "/dev/fd/3", "a.b/c"})
    CHECK(names_report_format(file));
  for (const char* file : {"a.xyz", "a.htm", "a.html.gz", "a.", "a/b.onnx"}) CHECK_FALSE(names_report_format(file));
}
