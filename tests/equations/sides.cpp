// Models of both sides of rules that are their text, for equations/run.py.
//
//   sides OUT                 of all rules
//   sides OUT --texts FILE    of equations, one a line: NAME: TEXT
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
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace {

using namespace jax2onnx;
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

/// Whether a condition compares numbers, which a form alone does not show.
bool compares(const equation& e) {
  for (const rewrite::equations::condition& c : e.conditions)
    if (c.predicate < 0) return true;
  return false;
}

class writer {
 public:
  explicit writer(const std::string& path) : models_(path + ".bin", std::ios::binary), lines_(path + ".jsonl") {}

  void add(const rewrite::rule& r) {
    constexpr rewrite::sample_options ways[] = {
        {.opset = 23}, {.opset = 24}, {.opset = 23, .runtime = target::generic}, {.opset = 18}};
    for (const rewrite::sample_options& how : ways) {
      const int opset = how.opset;
      const rewrite::sampled_equation s = rewrite::samples_of(r, how);
      const bool last = opset == 18;
      if (s.pairs.empty() && !last) continue;
      for (const rewrite::sampled_form& f : s.forms)
        lines_ << "{\"rule\": " << quoted(r.name) << ", \"form\": " << f.form + 1
               << ", \"type\": " << quoted(name(f.type)) << ", \"applied\": " << f.applied
               << ", \"reason\": " << quoted(f.reason) << ", \"compares\": " << (compares(*r.text) ? "true" : "false")
               << ", \"left\": " << listed(*r.text, r.text->forms[f.form].left)
               << ", \"right\": " << listed(*r.text, r.text->forms[f.form].right) << "}\n";
      for (const rewrite::sampled_pair& p : s.pairs) add(r, p, opset);
      return;
    }
  }

 private:
  void add(const rewrite::rule& r, const rewrite::sampled_pair& p, int opset) {
    lines_ << "{\"rule\": " << quoted(r.name) << ", \"type\": " << quoted(name(p.type)) << ", \"opset\": " << opset
           << ", \"ulps\": " << r.text->apart.ulps << ", \"ordinary\": " << (r.text->apart.ordinary ? "true" : "false")
           << ", \"models\": [" << add(p.left) << ", " << add(p.right) << "], \"names\": [";
    for (std::size_t i = 0; i < p.names.size(); ++i) lines_ << (i == 0 ? "" : ", ") << quoted(p.names[i]);
    lines_ << "]}\n";
  }
  /// Where the model is in the file.
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

void add_texts(writer& out, const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(": ");
    const std::string name = line.substr(0, colon);
    const rewrite::equations::parsed_equation parsed(line.substr(colon + 2));
    const equation e = parsed.view();
    out.add({name, e.text, {}, e.roots, nullptr, rewrite::stage::tidy, &e});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  writer out(argv[1]);
  try {
    if (argc == 4) add_texts(out, argv[3]);
    else
      for (const rewrite::rule& r : rewrite_rules())
        if (r.text) out.add(r);
  } catch (const error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
