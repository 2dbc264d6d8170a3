// SPDX-License-Identifier: Apache-2.0
// Reads models, rebuilds them node by node with the verbs, and writes them: for each line `FROM TO` of the standard
// input. Prints `ok` or the problem in a line for each.

#include "ops/verbs/rebuild.hpp"

#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <climits>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/read/read_model.hpp>

namespace jax2onnx {

#define FAMILIES(use)                                                                                            \
  use(activation) use(attention) use(constant) use(control) use(convolution) use(elementwise) use(indexing)      \
      use(linear) use(loss) use(ml) use(normalization) use(pooling) use(quantization) use(random) use(recurrent) \
          use(reduction) use(sequence) use(shape) use(signal)
#define DECLARE(family) extern const rebuilding family##_rebuildings[];
FAMILIES(DECLARE)
#undef DECLARE

namespace {

const rebuilding* find_rebuilding(std::string_view domain, std::string_view op) {
#define ADD(family) family##_rebuildings,
  static const rebuilding* const families[] = {FAMILIES(ADD)};
#undef ADD
  for (const rebuilding* row : families)
    for (; !row->op.empty(); ++row)
      if (row->op == op && row->domain == domain) return row;
  return nullptr;
}

/// Rebuilds a graph in another graph of the same opset.
class rebuilder {
 public:
  explicit rebuilder(graph& from) : from_(from), to_(from.opset()) {}

  graph rebuild() {
    copy_block(block_id::main);
    std::vector<value> outputs = values(from_.at(block_id::main).outputs);
    to_.set_outputs(block_id::main, outputs);
    return std::move(to_);
  }

 private:
  void copy_block(block_id b) {
    for (value_id v : from_.at(b).inputs) place(v, to_.input(type(from_.at(v).type), from_.at(v).name));
    for (node_id n : from_.at(b).nodes) copy_node(from_.at(n));
  }
  void copy_node(const node& n) {
    const std::vector<attribute> attributes = copies(n);
    const node_parts parts{to_, newest_operands(n), attributes, n.outputs.size()};
    const std::vector<value> results = call(n, parts);
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
      if (n.outputs[i] == value_id::none) continue;
      if (i >= results.size()) throw build_error(std::string(n.op) + ": the verb has too few results");
      place(n.outputs[i], results[i]);
      to_.at(results[i].id()).name = from_.at(n.outputs[i]).name;
    }
  }
  /// The operands in the form of verbs: an attribute in the graph's opset may be an operand in the newest one.
  std::vector<value> newest_operands(const node& n) {
    std::vector<value> out = values(n.inputs);
    const op_record* const record = find_record(n.domain, n.op, INT_MAX);
    if (!record) return out;
    for (std::size_t i = out.size(); i < record->inputs.size(); ++i) {
      const attribute* const a = n.find(record->inputs[i].name);
      if (!a) continue;
      out.resize(i);
      if (const auto* list = std::get_if<ints>(&a->value)) out.push_back(int64s(to_, *list));
      else if (const auto* number = std::get_if<std::int64_t>(&a->value))
        out.push_back(scalar(to_, dtype::i64, *number));
    }
    return out;
  }
  /// Bodies have no rows: their operators are built as in the verbs.
  static std::vector<value> call(const node& n, const node_parts& parts) {
    if (const rebuilding* row = find_rebuilding(n.domain, n.op)) return row->call(parts);
    node_builder made(parts.g, n.op, n.domain);
    std::vector<operand> operands(parts.inputs.begin(), parts.inputs.end());
    for (const operand& o : operands) made.add_all({o});
    for (const attribute& a : parts.attributes) made.put(a.name, a.value);
    return made.build(parts.results);
  }
  std::vector<attribute> copies(const node& n) {
    std::vector<attribute> out;
    for (const attribute& a : n.attributes) {
      attribute copy{to_.intern(a.name), a.value};
      if (const auto* body = std::get_if<block_id>(&a.value)) copy.value = rebuilt_body(*body);
      if (const auto* t = std::get_if<tensor_type>(&a.value)) copy.value = type(*t);
      out.push_back(std::move(copy));
    }
    if (n.op == "Split" && n.inputs.size() < 2 && !n.find("num_outputs"))
      out.push_back({"num_outputs", std::ssize(n.outputs)});
    return out;
  }
  block_id rebuilt_body(block_id b) {
    const block_scope scope(to_);
    copy_block(b);
    to_.set_outputs(scope.id(), values(from_.at(b).outputs));
    return scope.id();
  }
  tensor_type type(tensor_type t) {
    for (dim& d : t.dims)
      if (d.is_symbolic()) d = to_.dims().parse(from_.dims().text(d));
    return t;
  }
  void place(value_id old, const value& v) { values_[old] = v; }
  std::vector<value> values(const std::vector<value_id>& ids) {
    std::vector<value> out;
    for (value_id v : ids) {
      if (v != value_id::none && from_.at(v).constant >= 0 && !values_.contains(v))
        place(v, to_.constant(from_.at(v).type, from_.data(from_.at(v)), from_.at(v).name));
      out.push_back(v == value_id::none ? value() : values_.at(v));
    }
    return out;
  }

  graph& from_;
  graph to_;
  std::map<value_id, value> values_;
};

std::string rebuild(const std::string& from, const std::string& to) {
  model m = read_model_file(from);
  try {
    const graph rebuilt = rebuilder(m.graph).rebuild();
    write_model(rebuilt, m.envelope, std::filesystem::path(to));
  } catch (const std::exception& e) {
    return std::string("rebuild: ") + e.what();
  }
  return "ok";
}

}  // namespace
}  // namespace jax2onnx

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string from, to, outcome;
    words >> from >> to;
    try {
      outcome = jax2onnx::rebuild(from, to);
    } catch (const std::exception& e) {
      outcome = std::string("read: ") + e.what();
    }
    std::cout << outcome << std::endl;
  }
}
