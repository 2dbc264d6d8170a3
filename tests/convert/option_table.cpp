// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <set>
#include <string>

#include <jax2onnx/convert/option_table.hpp>

using namespace jax2onnx;
using namespace jax2onnx::front_end;

namespace {

std::string set(settings& s, std::string_view key, std::string_view text) {
  return set_option(s, *find_option(key), text);
}

/// The problem of a text; empty if it has none.
std::string problem(std::string_view key, std::string_view text) {
  settings s;
  return set(s, key, text);
}

}  // namespace

TEST_CASE("option table: keys and names of Python are unique, choices have values, groups are not interrupted") {
  std::set<std::string_view> keys, groups;
  std::set<std::string> names;
  std::string_view group;
  for (const option_row& row : option_table()) {
    CAPTURE(row.key);
    CHECK(keys.insert(row.key).second);
    CHECK(names.insert(row.python_name()).second);
    CHECK((row.group == group || groups.insert(row.group).second));
    group = row.group;
    CHECK(row.set != nullptr);
    CHECK_FALSE(row.meaning.empty());
    const bool is_choice = row.form == option_form::choice || row.form == option_form::on_off;
    CHECK((row.form == option_form::flag || !row.shape.empty() || is_choice));
    if (is_choice) CHECK(row.values.size() > 1);
    if (!row.bare.empty()) CHECK(problem(row.key, "").empty());
  }
  CHECK(find_option("dim") != nullptr);
  CHECK(find_option("dims") == nullptr);
}

TEST_CASE("option table: every value of a choice is accepted") {
  for (const option_row& row : option_table()) {
    const bool takes_one = row.form != option_form::size;
    for (const std::string& value : row.values) CHECK(problem(row.key, takes_one ? value : value + "=1").empty());
  }
}

TEST_CASE("set_option: what the options set") {
  settings s;
  for (const auto& [key, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"opset", "18"},          {"dim", "B=4"},
           {"dim", "C=5"},           {"input-names", "x,y"},
           {"no-fuse", "Gelu"},      {"limit", "nodes=7"},
           {"limit", "depth=9"},     {"limit", "output=3"},
           {"shard", "1/4"},         {"custom-op", "f=a.b:C"},
           {"target", "ort@1.32"},   {"weight-format", "int8"},
           {"assume-finite", ""},    {"keep-unsupported", "on"},
           {"unroll", "0"},          {"weights-map", "map.json"},
           {"shape-info", "off"},    {"source-info", "strip"},
           {"sharding-info", "on"},  {"threefry-partitionable", "off"},
           {"outputs-as-nchw", "0"}, {"external-data", "w.bin"}}) {
    CAPTURE(key);
    CHECK(set(s, key, text).empty());
  }
  CHECK(s.conversion.opset == 18);
  CHECK(s.conversion.dims == std::map<std::string, std::int64_t>{{"B", 4}, {"C", 5}});
  CHECK(s.conversion.input_names == std::vector<std::string>{"x", "y"});
  CHECK(s.conversion.outputs_as_nchw == std::vector<std::string>{"0"});
  CHECK(s.conversion.rewrites.disabled.contains("Gelu"));
  CHECK(s.conversion.rewrites.fuse);
  CHECK(s.conversion.lowering.limits.nodes == 7);
  CHECK(s.conversion.lowering.limits.depth == 9);
  CHECK(s.emission.max_bytes == 3);
  CHECK(s.conversion.shard->index == 1);
  CHECK(s.conversion.custom_operators.at("f").name == "C");
  CHECK(s.conversion.rewrites.target == target_named("ort@1.32"));
  CHECK(s.conversion.rewrites.weight_format == weight_format::int8);
  CHECK(s.conversion.rewrites.unroll == 0);
  CHECK(s.conversion.assume_finite);
  CHECK(s.conversion.keep_unsupported);
  CHECK(s.conversion.sharding_info);
  CHECK(s.conversion.lowering.partitionable_keys == false);
  CHECK(s.weights_map == "map.json");
  CHECK_FALSE(s.emission.shape_info);
  CHECK_FALSE(s.emission.source_info);
  CHECK(s.emission.external.placement == weights_placement::data_file);
  CHECK(s.emission.external.file == "w.bin");

  CHECK(set(s, "external-data", "").empty());
  CHECK(s.emission.external.file.empty());
  CHECK(set(s, "external-data", "reference").empty());
  CHECK(s.emission.external.placement == weights_placement::reference);
  CHECK(set(s, "no-fuse", "").empty());
  CHECK_FALSE(s.conversion.rewrites.fuse);
  CHECK(set(s, "input-names", "").empty());
  CHECK(s.conversion.input_names.empty());
  CHECK(set(s, "assume-finite", "off").empty());
  CHECK_FALSE(s.conversion.assume_finite);
}

TEST_CASE("set_option: what is wrong with a text") {
  CHECK(problem("opset", "5") == "expected a number from 17 to 28, found '5'");
  CHECK(problem("opset", "18.5") == "expected a number from 17 to 28, found '18.5'");
  CHECK(problem("dim", "B") == "expected one NAME=SIZE with a size of 0 or more, found 'B'");
  CHECK(problem("dim", "=3") == "expected one NAME=SIZE with a size of 0 or more, found '=3'");
  CHECK(problem("dim", "B=-1") == "expected one NAME=SIZE with a size of 0 or more, found 'B=-1'");
  CHECK(problem("dim", "B=2,C=3") == "expected one NAME=SIZE with a size of 0 or more, found 'B=2,C=3'");
  CHECK(problem("limit", "time=3") == "expected variables, nodes, bytes, terms, depth, output, found 'time'");
  CHECK(problem("input-names", "a,,b") == "name 2 of 'a,,b' is empty");
  CHECK(problem("no-fuse", "gelu") == "there is no 'gelu', did you mean 'Gelu'?");
  CHECK(problem("no-fuse", "NoSuchRuleAtAll") == "there is no 'NoSuchRuleAtAll'");
  CHECK(problem("weight-format", "int2") == "expected float16, bfloat16, int8, int4, found 'int2'");
  CHECK(problem("target", "gpu") == "expected " + target_forms() + ", found 'gpu'");
  CHECK(problem("assume-finite", "1") == "expected on, off, found '1'");
  CHECK(problem("source-info", "on") == "expected keep, strip, found 'on'");
  CHECK(problem("shard", "4/4") == "expected I/N with I from 0 to N - 1, found '4/4'");
  CHECK(problem("custom-op", "f=g") == "expected PRIMITIVE=DOMAIN:OP, found 'f=g'");
}

TEST_CASE("spelled: options in messages, as the readers have them") {
  const auto tool = [](std::string_view text) { return spelled(text, reader::tool); };
  const auto python = [](std::string_view text) { return spelled(text, reader::python); };
  CHECK(tool("fix it (option dim=B=8)") == "fix it (--dim B=8)");
  CHECK(python("fix it (option dim=B=8)") == "fix it (dims={'B': 8})");
  CHECK(tool("use option external-data to copy") == "use --external-data to copy");
  CHECK(tool("option external-data=reference") == "--external-data=reference");
  CHECK(python("use option external-data to copy") == "use Model.save(external_data=True) to copy");
  CHECK(tool("option target=generic") == "--target generic");
  CHECK(python("option target=generic") == "target='generic'");
  CHECK(python("option shard=I/N is one; option unroll") == "shard=(I, N) is one; unroll");
  CHECK(python("option unroll=8, option assume-finite=on") == "unroll=8, assume_finite=True");
  CHECK(python("option weights-map=FILE lists keys") == "weights lists keys");
  CHECK(tool("small; option limit=NAME=N sets one") == "small; --limit NAME=N sets one");
  CHECK(python("small; option limit=NAME=N sets one") == "small");
  CHECK(python("small; option limit=NAME=N sets one; really") == "small; really");
  CHECK(tool("an option of the runtime, the option dims") == "an option of the runtime, the option dims");
  const std::vector<diagnostic> found = {
      {jaxpr::severity::error, "a.b", "option dim", {}, "option unroll", {{{}, "", "option dim", {}, "", {}}}}};
  const std::vector<diagnostic> said = spelled(found, reader::python);
  CHECK(said[0].message == "dims");
  CHECK(said[0].help == "unroll");
  CHECK(said[0].notes[0].message == "dims");
}
