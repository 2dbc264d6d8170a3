// SPDX-License-Identifier: Apache-2.0
// Draws a jaxpr: equations are boxes, values are arrows, inner jaxprs are frames.
//
//   to_dot MODEL.jaxpr | dot -Tsvg > model.svg

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <jaxpr/jaxpr.hpp>

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

class picture {
 public:
  std::string draw(const jaxpr::program& m) {
    out_ = "digraph jaxpr {\n  node [shape=box, fontname=monospace];\n";
    frame(*m.main, "main", 1);
    return out_ + "}\n";
  }

 private:
  /// Draws a body in a frame. `producers` maps its slots to the nodes that produce them.
  void frame(const jaxpr::body& j, std::string_view title, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    const std::size_t id = next_++;
    out_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent, id, indent, quoted(title));
    std::vector<std::string> producers(j.slots);
    const auto inputs = [&](jaxpr::list<jaxpr::binder> binders, std::string_view style) {
      for (const jaxpr::binder& b : binders) {
        producers[b.slot] = fmt::format("v{}_{}", id, b.slot);
        const std::string_view type = b.annotation ? b.annotation->text : "";
        out_ += fmt::format("{}  {} [shape=ellipse, style={}, label={}];\n", indent, producers[b.slot], style,
                            quoted(fmt::format("{}:{}", b.name, type)));
      }
    };
    inputs(j.constvars, "dashed");
    inputs(j.invars, "solid");
    for (std::size_t i = 0; i < j.equations.size(); ++i)
      equation(j.equations[i], fmt::format("e{}_{}", id, i), producers, depth);
    const std::string result = fmt::format("r{}", id);
    out_ += fmt::format("{}  {} [shape=plaintext, label=\"results\"];\n", indent, result);
    for (const jaxpr::atom& a : j.results) arrow(a, result, producers, indent);
    out_ += indent + "}\n";
  }

  void equation(const jaxpr::equation& e, const std::string& node, std::vector<std::string>& producers,
                std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    out_ += fmt::format("{}  {} [label={}];\n", indent, node, quoted(e.primitive));
    for (const jaxpr::atom& a : e.ins) arrow(a, node, producers, indent);
    for (const jaxpr::binder& b : e.outs) producers[b.slot] = node;
    // A body that is printed in place is drawn inside. A shared body is not drawn.
    for (const jaxpr::param& p : e.params)
      jaxpr::for_each_body(p.val, [&](const jaxpr::body& inner, bool by_name) {
        if (!by_name) frame(inner, fmt::format("{} of {}", p.key, e.primitive), depth + 1);
      });
  }

  void arrow(const jaxpr::atom& a, std::string_view to, const std::vector<std::string>& producers,
             std::string_view indent) {
    if (a.is_literal() || a.is_dropped()) return;
    out_ += fmt::format("{}  {} -> {} [label={}];\n", indent, producers[a.slot], to,
                        quoted(a.annotation ? a.annotation->text : ""));
  }

  std::string out_;
  std::size_t next_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fputs("usage: to_dot MODEL.jaxpr\n", stderr), 1;
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  try {
    std::fputs(picture().draw(jaxpr::parse(text)).c_str(), stdout);
  } catch (const jaxpr::error& e) {
    std::fputs(jaxpr::render(e.details(), text, argv[1]).c_str(), stderr);
    return 2;
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "to_dot: %s\n", e.what());
  return 1;
}
