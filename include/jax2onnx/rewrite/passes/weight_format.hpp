// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/scaled_source.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/weights/format.hpp>
#include <jax2onnx/rewrite/weights/products.hpp>
#include <jax2onnx/rewrite/weights/rounded_source.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Weights in fewer bits than the program has, by request (docs/decisions/0078).
namespace jax2onnx::rewrite::detail {

/// Constants of fewer elements stay as they are.
inline constexpr std::uint64_t fewest_stored = 4096;

inline bool is_large_float(const value& v) {
  return v && v.is_constant() && v.dtype() == dtype::f32 && v.data().size() >= fewest_stored * sizeof(float);
}

/// A constant of float32 as a constant of float16 or bfloat16. A large constant is rounded while it is written. Absent
/// if `to` is float16 and a finite number is beyond the range of float16, or if computed_constant() declines the
/// constant.
inline value narrowed_constant(const value& v, dtype to) {
  if (to == dtype::f16 && largest_magnitude(v.data(), dtype::f32, chosen_elements::finite) > largest_finite(dtype::f16))
    return {};
  graph& g = v.owner();
  if (!is_large_float(v))
    if (const auto small = jax2onnx::detail::converted_constant(v, to)) return *small;
  try {
    return computed_constant(g, {to, v.dims()}, std::make_shared<const narrowed_source>(v.data(), to),
                             g.at(v.id()).name);
  } catch (const declined&) {
    return {};
  }
}

/// Stores large constants of float32 as float16 or bfloat16, with a Cast that a runtime computes once.
class weight_narrower {
 public:
  weight_narrower(graph& g, dtype to) : graph_(g), to_(to) {}

  void run() {
    const insertion_scope here(graph_, block_id::main);
    for (std::size_t b = 0; b < graph_.block_count(); ++b) {
      if (!is_of_model(static_cast<block_id>(b))) continue;
      const std::vector<node_id> nodes = graph_.at(static_cast<block_id>(b)).nodes;
      for (const node_id n : nodes) narrow_inputs(n);
    }
  }

 private:
  /// Returns whether a block is the main block or a body inside of it. Bodies of functions cannot read values of the
  /// main block.
  bool is_of_model(block_id b) const {
    while (graph_.at(b).parent != block_id::none) b = graph_.at(b).parent;
    return b == block_id::main;
  }
  void narrow_inputs(node_id n) {
    for (value_id& v : graph_.at(n).inputs)
      if (v != value_id::none) v = narrow({graph_, v}).id();
  }
  value narrow(const value& v) {
    if (!is_large_float(v)) return v;
    const auto known = made_.find(v.id());
    return known != made_.end() ? known->second : made_.emplace(v.id(), stored(v)).first->second;
  }
  value stored(const value& v) {
    const value narrow = narrowed_constant(v, to_);
    return narrow ? cast(narrow, dtype::f32) : v;
  }

  graph& graph_;
  dtype to_;
  std::map<value_id, value> made_ = {};
};

/// Stores the matrices of products and lookups as int8 or int4 with factors.
class weight_quantizer {
 public:
  weight_quantizer(graph& g, weight_format format) : graph_(g), format_(format) {}

  void run() {
    find_readers();
    const insertion_scope here(graph_, block_id::main);
    for (const auto& [id, found] : readers_) store({graph_, id}, found);
  }

 private:
  /// The nodes that read a matrix, by how they use it.
  struct readers {
    std::vector<node_id> products = {}, turned_products = {}, lookups = {};
    std::vector<value_id> transposes = {};
    bool others = false;
  };
  /// Numbers of few bits times factors: a factor for each column, for each row of a table, or for each column of each
  /// block of rows.
  struct stored_matrix {
    value numbers, factors;
    std::int64_t block = 0;
  };

  static bool is_matrix(const value& v) { return is_large_float(v) && v.rank() == 2; }

  void find_readers() {
    for (const value_id v : graph_.at(block_id::main).outputs) readers_[v].others = true;
    for (std::size_t b = 0; b < graph_.block_count(); ++b)
      for (const node_id n : graph_.at(static_cast<block_id>(b)).nodes)
        for (std::size_t i = 0; i < graph_.at(n).inputs.size(); ++i)
          if (graph_.at(n).inputs[i] != value_id::none) note(static_cast<block_id>(b), n, i);
    for (auto& [id, found] : readers_)
      if (is_matrix({graph_, id})) see_through_transposes(found);
    std::erase_if(readers_, [&](const auto& r) { return r.second.others || !is_matrix({graph_, r.first}); });
  }
  void note(block_id b, node_id n, std::size_t i) {
    const value v(graph_, graph_.at(n).inputs[i]);
    if (!is_matrix(v) && !(producer(v, "Transpose") && is_matrix(input_of(v, 0)))) return;
    readers& found = readers_[v.id()];
    const value y(graph_, graph_.at(n).outputs[0]);
    const auto gemm = gemm_of(y);
    const bool in_model = b == block_id::main, first = in_model && i == 0;
    const bool float_product = in_model && y.dtype() == dtype::f32 && i == 1 && (gemm || producer(y, "MatMul"));
    if (float_product) (gemm && gemm->transposes_b ? found.turned_products : found.products).push_back(n);
    else if (first && producer(y, "Gather") && axis_of(y) == 0) found.lookups.push_back(n);
    else if (first && producer(y, "Transpose")) found.transposes.push_back(y.id());
    else found.others = true;
  }
  /// Counts the products by a transpose of a matrix as transposed products by the matrix. If anything else reads the
  /// transpose, the matrix counts as read by other nodes.
  void see_through_transposes(readers& of_matrix) {
    for (const value_id turned : of_matrix.transposes) {
      const auto at = readers_.find(turned);
      const readers found = at == readers_.end() ? readers{} : at->second;
      const bool only_products = !found.products.empty() && !found.others && found.turned_products.empty() &&
                                 found.lookups.empty() && found.transposes.empty();
      if (!only_products) of_matrix.others = true;
      auto& all = of_matrix.turned_products;
      all.insert(all.end(), found.products.begin(), found.products.end());
    }
  }

  void store(const value& w, const readers& found) {
    const bool looked_up = !found.lookups.empty(), turned = !found.turned_products.empty();
    if (!found.products.empty() && (looked_up || turned)) return;
    try {
      const bool by_rows = looked_up && !turned;
      const stored_matrix m = by_rows ? in_eight_bits(w, w.data(), w.dims(), true) : stored(w, turned, looked_up);
      if (!m.numbers) return;
      if (!by_rows) {
        const value float_weight = dequantized(m);
        for (const node_id n : found.products) read(n, float_weight);
        for (const node_id n : found.turned_products) read(n, float_weight);
      }
      for (const node_id n : found.lookups) look_up(n, m, by_rows);
    } catch (const declined&) {
      // computed_constant() has declined the new weight. The old weight stays.
    }
  }

  /// The stored form of a matrix of products, or of its transpose. A table keeps 8 bits, since no runtime looks up
  /// numbers of 4 bits.
  stored_matrix stored(const value& w, bool turned, bool looked_up) {
    const dim rows = w.extent(turned ? 1 : 0), columns = w.extent(turned ? 0 : 1);
    const bytes floats = turned ? bytes(permuted(w, {1, 0}, sizeof(float))) : w.data();
    const std::int64_t block = block_of(rows.extent());
    if (format_ == weight_format::int4 && !looked_up && block > 0) return in_blocks(w, floats, rows, columns, block);
    return in_eight_bits(w, floats, {rows, columns}, false);
  }
  /// The number of rows of a block of int4: the largest number that divides `rows` and for which runtimes have kernels.
  /// 0 if there is no such number.
  static std::int64_t block_of(std::int64_t rows) {
    constexpr std::int64_t most = 32, least = 16;
    const std::int64_t block = std::gcd(rows, most);
    return block < least ? 0 : block;
  }
  stored_matrix in_blocks(const value& w, const bytes& floats, dim rows, dim columns, std::int64_t block) {
    if (!std::isfinite(largest_magnitude(floats, dtype::f32))) return {};
    const auto part = [&](blocks_source::part p) {
      return std::make_shared<const blocks_source>(floats, static_cast<std::size_t>(block),
                                                   static_cast<std::size_t>(columns.extent()), p);
    };
    const std::string& name = graph_.at(w.id()).name;
    const shape blocks{rows.extent() / block, columns};
    return {computed_constant(graph_, {dtype::i4, {rows, columns}}, part(blocks_source::part::numbers), name),
            computed_constant(graph_, {dtype::f32, blocks}, part(blocks_source::part::factors), factors_name(name)),
            block};
  }
  /// The weight as int8 with a factor for each column or, if `by_rows`, for each row of a table. Empty if a factor is
  /// not finite.
  stored_matrix in_eight_bits(const value& w, const bytes& floats, const shape& dims, bool by_rows) {
    const dim count = dims[by_rows ? 0 : 1];
    const auto run = static_cast<std::size_t>(by_rows ? dims[1].extent() : 1);
    std::vector<float> factors = int8_factors(floats, static_cast<std::size_t>(count.extent()), run);
    if (!item_loops::all_of(factors, [](float f) { return std::isfinite(f); })) return {};
    const std::string& name = graph_.at(w.id()).name;
    std::string raw(factors.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), factors.data(), raw.size());
    auto source = std::make_shared<const int8_source>(floats, std::move(factors), run);
    return {computed_constant(graph_, {dtype::i8, dims}, std::move(source), name),
            graph_.constant({dtype::f32, {count}}, bytes(std::move(raw)), factors_name(name))};
  }
  static std::string factors_name(const std::string& name) { return name.empty() ? name : name + ".scale"; }

  value dequantized(const stored_matrix& m) {
    std::vector<attribute> attributes;
    if (m.block > 0) attributes = {{"axis", std::int64_t{0}}, {"block_size", m.block}};
    return graph_.emit("DequantizeLinear", {m.numbers, m.factors}, {dtype::f32, m.numbers.dims()},
                       std::move(attributes));
  }
  void read(node_id n, const value& w) {
    const value old(graph_, graph_.at(n).outputs[0]);
    replace(n, old, product_by(old, w));
  }
  /// Makes the readers of a node's result read `made` instead.
  void replace(node_id n, const value& old, const value& made) {
    graph_.at(n).outputs[0] = graph_.add_value(old.type(), graph_.current());
    take_place(made, old);
  }
  /// Multiplies the rows of a lookup by their factors after the lookup, so that only these rows become float32.
  void look_up(node_id n, const stored_matrix& m, bool by_rows) {
    const value old(graph_, graph_.at(n).outputs[0]), index(graph_, graph_.at(n).inputs[1]);
    const std::int64_t axis = by_rows ? 0 : 1;
    shape dims = old.dims();
    if (!by_rows) {  // the features come first
      dims.insert(dims.begin(), dims.back());
      dims.pop_back();
    }
    value rows = graph_.emit("Gather", {m.numbers, index}, {dtype::i8, dims}, {{"axis", axis}});
    if (!by_rows) {
      ints perm(dims.size());
      std::iota(perm.begin(), perm.end(), std::int64_t{1});
      perm.back() = 0;
      rows = transpose(rows, perm);
    }
    const value factors =
        graph_.emit("Gather", {m.factors, index}, {dtype::f32, index.dims()}, {{"axis", std::int64_t{0}}});
    replace(n, old, mul(cast(rows, dtype::f32), unsqueeze(factors, {index.rank()})));
  }

  graph& graph_;
  weight_format format_;
  std::map<value_id, readers> readers_ = {};
};

/// Stores weights of float32 in a format of fewer bits.
inline void store_weights_as(graph& g, weight_format format) {
  if (format == weight_format::float16) weight_narrower(g, dtype::f16).run();
  if (format == weight_format::bfloat16) weight_narrower(g, dtype::bf16).run();
  if (format == weight_format::int8 || format == weight_format::int4) weight_quantizer(g, format).run();
}

}  // namespace jax2onnx::rewrite::detail
