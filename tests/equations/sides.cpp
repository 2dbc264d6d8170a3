// SPDX-License-Identifier: Apache-2.0
// Models of both sides of rules that are equations, for equations/run.py.
//
//   sides OUT                     for all rules
//   sides OUT --texts FILE        for equations, one a line: NAME: TEXT
//   sides --settle                optimizes all of these models; fails if rules undo one another
//   sides --settle --texts FILE   the same with additional equations
//
// OUT.bin gets the models, OUT.jsonl a line for each pair of models and one for each form of an equation.

#include "samples.hpp"

#include <cstddef>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace {

using namespace jax2onnx;
using namespace jax2onnx::ops;
using rewrite::equations::equation;
using rewrite::equations::term;
using rewrite::equations::term_kind;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

/// A term as nested lists: ["Max", "x", 0.0].
std::string listed(const equation& e, std::size_t i) {
  constexpr std::string_view kinds[] = {"any",     "variable", "define", "number", "filled",   "apply",
                                        "product", "choice",   "ones",   "casts",  "reshaped", "function"};
  const term& t = e.terms[i];
  if (t.kind == term_kind::variable) return quoted(e.variables[static_cast<std::size_t>(t.id)].name);
  std::ostringstream out;
  out << '[';
  if (t.kind == term_kind::number || t.kind == term_kind::filled)
    out << "\"number\", " << quoted(std::to_string(e.numbers[static_cast<std::size_t>(t.id)]));
  else if (t.kind == term_kind::apply) out << quoted(records::names[static_cast<std::size_t>(t.id)]);
  else if (t.kind == term_kind::function)
    out << quoted(rewrite::equations::functions[static_cast<std::size_t>(t.id)].name);
  else out << quoted(kinds[static_cast<std::size_t>(t.kind)]);
  if (t.kind == term_kind::define) out << ", " << quoted(e.variables[static_cast<std::size_t>(t.id)].name);
  std::size_t c = i + 1;
  for (std::size_t k = 0; k < t.operands; ++k, c = e.terms[c].next) out << ", " << listed(e, c);
  out << ']';
  return out.str();
}

/// Returns whether a condition compares numbers, which does not show in the form alone.
bool compares(const equation& e) {
  for (const rewrite::equations::condition& c : e.conditions)
    if (c.predicate < 0) return true;
  return false;
}

/// Calls visit(samples, how) for the first way that gives pairs.
template <class Visit>
void for_samples(const rewrite::rule& r, const Visit& visit) {
  constexpr rewrite::sample_options ways[] = {
      {.opset = 23}, {.opset = 24}, {.opset = 23, .runtime = target::generic}, {.opset = 18}};
  for (const rewrite::sample_options& how : ways) {
    const rewrite::sampled_equation s = rewrite::samples_of(r, how);
    if (s.pairs.empty() && how.opset != 18) continue;
    return visit(s, how);
  }
}

/// Optimizes models and checks that the rules terminate.
class settler {
 public:
  explicit settler(rewrite_options options) : options_(std::move(options)) {}

  void add(const rewrite::rule& r) {
    for_samples(r, [&](const rewrite::sampled_equation& s, const rewrite::sample_options& how) {
      options_.target = how.runtime;
      for (const rewrite::sampled_pair& p : s.pairs)
        for (const graph* side : {&p.left, &p.right}) settle(r.name, *side);
    });
  }
  std::size_t models() const { return models_; }
  bool all_settled() const { return unsettled_ == 0; }

 private:
  void settle(std::string_view name, const graph& side) {
    graph g = side.clone();
    const rewrite_report report = optimize(g, options_);
    ++models_;
    if (report.unsettled == 0 || unsettled_++ > 0) return;
    std::cout << "a side of " << name << " does not settle:";
    for (const rewrite_report::entry& e : report.rules)
      if (e.applied > 1) std::cout << ' ' << e.rule << " applies " << e.applied << " times;";
    std::cout << '\n';
  }

  rewrite_options options_;
  std::size_t models_ = 0, unsettled_ = 0;
};

class writer {
 public:
  explicit writer(const std::string& path) : models_(path + ".bin", std::ios::binary), lines_(path + ".jsonl") {}

  void add(const rewrite::rule& r) {
    for_samples(r, [&](const rewrite::sampled_equation& s, const rewrite::sample_options& how) {
      for (const rewrite::sampled_form& f : s.forms)
        lines_ << "{\"rule\": " << quoted(r.name) << ", \"form\": " << f.form + 1
               << ", \"type\": " << quoted(name(f.type)) << ", \"applied\": " << f.applied
               << ", \"reason\": " << quoted(f.reason) << ", \"compares\": " << (compares(*r.text) ? "true" : "false")
               << ", \"left\": " << listed(*r.text, r.text->forms[f.form].left)
               << ", \"right\": " << listed(*r.text, r.text->forms[f.form].right) << "}\n";
      for (const rewrite::sampled_pair& p : s.pairs) add(r, p, how.opset);
    });
  }

 private:
  void add(const rewrite::rule& r, const rewrite::sampled_pair& p, int opset) {
    lines_ << "{\"rule\": " << quoted(r.name) << ", \"type\": " << quoted(name(p.type)) << ", \"opset\": " << opset
           << ", \"ulps\": " << r.text->apart.ulps << ", \"ordinary\": " << (r.text->apart.ordinary ? "true" : "false")
           << ", \"models\": [" << add(p.left) << ", " << add(p.right) << "], \"names\": [";
    for (std::size_t i = 0; i < p.names.size(); ++i) lines_ << (i == 0 ? "" : ", ") << quoted(p.names[i]);
    lines_ << "]}\n";
  }
  /// Appends the model to the file; returns its position there.
  std::string add(const graph& g) {
    std::ostringstream model;
    write_model(g, {}, model);
    const std::string bytes = model.str();
    const std::size_t at = size_;
    models_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    size_ += bytes.size();
    return "[" + std::to_string(at) + ", " + std::to_string(bytes.size()) + "]";
  }

  std::ofstream models_, lines_;
  std::size_t size_ = 0;
};

/// The equations of a file: lines NAME: TEXT.
std::vector<own_equation> equations_in(const std::string& path) {
  std::vector<own_equation> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(": ");
    found.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return found;
}

template <class Taker>
void add_all(Taker& to, const std::vector<own_equation>& own) {
  for (const own_equation& e : own) to.add(e.rule());
  if (!own.empty()) return;
  for (const rewrite::rule& r : rewrite_rules())
    if (r.text) to.add(r);
}

bool settle(const std::vector<own_equation>& own) {
  settler all({.equations = own});
  add_all(all, own);
  std::cout << all.models() << " models\n";
  return all.all_settled();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  try {
    const std::vector<own_equation> own = argc == 4 ? equations_in(argv[3]) : std::vector<own_equation>();
    if (std::string_view(argv[1]) == "--settle") return settle(own) ? 0 : 1;
    writer out(argv[1]);
    add_all(out, own);
  } catch (const error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
