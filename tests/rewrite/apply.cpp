// SPDX-License-Identifier: Apache-2.0
#include "rewrite/apply.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <variant>

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace jax2onnx::rewrite::test {

std::string op_list(const graph& g) {
  std::string out;
  for (node_id n : g.at(block_id::main).nodes) out += (out.empty() ? "" : " ") + std::string(g.at(n).op);
  return out;
}

std::string bodies(const graph& g) {
  std::string out;
  for (const node_id id : g.at(block_id::main).nodes) {
    const node& n = g.at(id);
    if (n.op != "Scan" && n.op != "Loop") continue;
    if (!out.empty()) out += "; ";
    for (const node_id inner : g.at(std::get<block_id>(n.find("body")->value)).nodes)
      out += (out.empty() || out.ends_with("; ") ? "" : " ") + std::string(g.at(inner).op);
  }
  return out;
}

const rule& rule_named(std::string_view name) {
  for (const rule& r : rewrite_rules())
    if (r.name == name) return r;
  throw std::invalid_argument("no such rule: " + std::string(name));
}

void log(const rewrite_report& r) {
  const char* path = std::getenv("JAX2ONNX_RULE_LOG");
  if (!path) return;
  std::ofstream file(path, std::ios::app);
  for (const rewrite_report::entry& e : r.rules) {
    if (e.applied > 0) file << e.rule << "\tapplied\n";
    for (const std::string_view reason : e.reasons) file << e.rule << '\t' << reason << '\n';
  }
}

rewrite_report apply(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names,
                     target runtime, bool assume_finite) {
  graph& g = outputs.begin()->owner();
  for (const value& v : outputs) output(v, "y" + std::to_string(g.at(block_id::main).outputs.size()));
  rewrite_report r;
  detail::rule_driver driver(
      g, r, {.runtime = runtime, .assume_finite = assume_finite, .merge_common = false, .hoist_invariants = false});
  for (std::string_view name : names) driver.add(rule_named(name));
  detail::dead_code(g).run();
  driver.run(stage::exact);
  log(r);
  return r;
}

std::string after(std::initializer_list<value> outputs, std::initializer_list<std::string_view> names, target runtime,
                  bool assume_finite) {
  const rewrite_report r = apply(outputs, names, runtime, assume_finite);
  const rewrite_report::entry* last = r.find(*(names.end() - 1));
  if (last && last->applied == 0 && !last->reasons.empty()) return std::string(last->reasons.front());
  return op_list(outputs.begin()->owner());
}
std::string after(const value& v, std::string_view rule_name) { return after({v}, {rule_name}); }
std::string after_if_finite(const value& v, std::string_view rule_name) {
  return after({v}, {rule_name}, target::ort, true);
}

std::vector<value> parts_of(const value& x, std::int64_t axis, const ints& extents) {
  std::vector<tensor_type> types(extents.size(), x.type());
  for (std::size_t i = 0; i < extents.size(); ++i) types[i].dims[static_cast<std::size_t>(axis)] = extents[i];
  const value sizes = array(x.owner(), dtype::i64, {std::ssize(extents)}, std::span<const std::int64_t>(extents));
  return x.owner().emit_many("Split", std::vector<value>{x, sizes}, types, {{"axis", axis}});
}

}  // namespace jax2onnx::rewrite::test
