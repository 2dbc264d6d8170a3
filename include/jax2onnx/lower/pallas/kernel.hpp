// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/written_refs.hpp>
#include <jax2onnx/lower/literal.hpp>
#include <jax2onnx/lower/pallas/block_array.hpp>
#include <jax2onnx/lower/pallas/grid_scope.hpp>
#include <jax2onnx/lower/pallas/pairs.hpp>
#include <jaxpr/walk.hpp>

namespace jax2onnx::lower::pallas {

/// The number of equations of a jaxpr, including the equations of inner jaxprs.
inline std::size_t count_equations(const jaxpr::body& body, int depth = 0) {
  constexpr int deepest = 64;
  std::size_t n = body.equations.size();
  for (const jaxpr::equation& e : body.equations)
    for (const jaxpr::body* inner : jaxpr::bodies_of(e)) n += depth < deepest ? count_equations(*inner, depth + 1) : 0;
  return n;
}

/// Returns whether `steps` runs of a jaxpr are unrolled instead of becoming a Loop.
inline bool unrolls(const jaxpr::body& body, std::int64_t steps) {
  constexpr std::int64_t most_steps = 64;
  constexpr std::size_t most_equations = 4096;
  return steps <= 1 ||
         (steps <= most_steps && static_cast<std::size_t>(steps) * count_equations(body) <= most_equations);
}

/// The kernel of a pallas_call: its arrays, and the positions of its programs' blocks.
class kernel {
 public:
  explicit kernel(const site& call)
      : s(call), m(grid_mapping_of(s)), body(*s.param<const jaxpr::body*>("jaxpr")), types(s.input_types(body)) {
    if (types.size() < first_scratch()) s.malformed("its kernel has fewer parameters than blocks");
    for (aval& t : types) t.ref = false;
    for (std::size_t i = 0; i < m.blocks.size(); ++i) {
      check_block(i);
      arrays.push_back(array_type(s, m, i));
      padded_arrays.push_back(padded_type(s, m.blocks[i], arrays[i]));
    }
  }

  const site& s;
  grid_mapping m;
  const jaxpr::body& body;
  std::vector<aval> types;                  ///< types of the kernel's parameters, without references
  std::vector<aval> arrays, padded_arrays;  ///< types of the inputs, then of the outputs

  std::size_t first_scratch() const { return m.scalars + m.blocks.size(); }
  /// The type of block i, as the kernel sees it.
  const aval& block_type(std::size_t i) const { return types[m.scalars + i]; }
  std::string_view block_name(std::size_t i) const { return body.invars[m.scalars + i].name; }

  /// The padded content of array i before the first program. An output has the content of the input that it aliases;
  /// nullopt if it aliases no input.
  std::optional<jax_value> initial(std::size_t i) const {
    if (i < m.inputs) return padded(s, m.blocks[i], s.in_parts(m.bounds + m.scalars + i), arrays[i], padded_arrays[i]);
    const jaxpr::value* aliases = s.find("input_output_aliases");
    for (const auto& [from, to] : pairs_in(aliases ? aliases->text : std::string_view())) {
      if (from < m.scalars || from >= m.scalars + m.inputs || to >= s.out_count())
        s.malformed("its input_output_aliases name operands or results that do not exist");
      if (m.inputs + to == i) return padded(s, m.blocks[i], s.in_parts(m.bounds + from), arrays[i], padded_arrays[i]);
    }
    return std::nullopt;
  }

  value number(std::int64_t n) const { return scalar(s.g, dtype::i32, n); }
  value number64(std::int64_t n) const { return scalar(s.g, dtype::i64, n); }
  /// The size of axis k of the grid: an int32 scalar.
  value size_of(std::size_t k) const {
    if (m.grid[k]) return dim_scalar(s.g, *m.grid[k], dtype::i32);
    std::size_t operand = 0;
    for (std::size_t i = 0; i < k; ++i) operand += !m.grid[i];
    return reshape(cast(s.in(operand), dtype::i32), {});
  }

  /// The coordinates of program n among the programs that differ along the axes of `counted`.
  std::vector<value> position(std::int64_t n, const std::vector<bool>& counted) const {
    std::vector<value> at(m.grid.size(), number(0));
    for (std::size_t k = at.size(); k-- > 0;) {
      if (!counted[k]) continue;
      at[k] = number(n % m.grid[k]->extent());
      n /= m.grid[k]->extent();
    }
    return at;
  }
  /// The coordinates of program n, an int64 scalar, among the programs that differ along the axes of `counted`.
  std::vector<value> position(const value& n, const std::vector<bool>& counted) const {
    std::vector<value> at(m.grid.size(), number(0));
    value rest = cast(n, dtype::i32);
    for (std::size_t k = at.size(); k-- > 0;) {
      if (!counted[k] || (m.grid[k] && m.grid[k]->is(1))) continue;
      const value size = size_of(k);
      at[k] = s.g.emit("Mod", {rest, size}, rest.type());
      rest = div(rest, size);
    }
    return at;
  }
  /// The grid that the program at `at` sees: it lacks the axes that vmap added.
  std::vector<grid_axis> seen_grid(const std::vector<value>& at) const {
    std::vector<grid_axis> out;
    for (std::size_t k = 0; k < at.size(); ++k)
      if (!m.hidden[k]) out.push_back({{}, at[k], size_of(k)});
    return out;
  }

  /// Appends the scalars that the kernel and its index maps read, as arguments for a jaxpr.
  void add_scalars(jax_values& args, const std::vector<aval>& parameters, std::size_t first) const {
    for (std::size_t i = 0; i < m.scalars; ++i) {
      const jax_value& v = s.in_parts(m.bounds + i);
      args.push_back(first + i < parameters.size() && parameters[first + i].ref ? s.new_ref(v) : v);
    }
  }
  /// The position of the block of array i for the program at `at`.
  block_place place_of(std::size_t i, const std::vector<value>& at) const {
    const block_mapping& b = m.blocks[i];
    block_place out;
    if (!b.index_map) return out;
    const jaxpr::body& map = *b.index_map;
    if (map.results.size() != b.axes.size()) s.malformed("an index map needs one result per axis");
    jax_values args(at.begin(), at.end());
    add_scalars(args, s.input_types(map), args.size());
    selection wanted;
    for (const jaxpr::atom& r : map.results) wanted.push_back(!r.is_literal());
    const jax_values results = s.inline_body(map, args, wanted);
    for (std::size_t d = 0; d < b.axes.size(); ++d) {
      const dim whole = padded_arrays[i].dims[d], size = b.axes[d].size;
      if (whole == size) continue;
      const value index = wanted[d] ? results[d].re() : literal_index(map.results[d]);
      const bool in_blocks = b.axes[d].kind == block_kind::blocked && !size.is(1);
      const value start = in_blocks ? mul(index, dim_scalar(s.g, size, index.dtype())) : index;
      out.push_back(clamped_slice(static_cast<std::int64_t>(d), whole, size, from_front(start, whole)));
    }
    return out;
  }
  /// The start as a position from the front. A negative start counts from the end, as in JAX's interpreter.
  value from_front(const value& start, dim whole) const {
    if (!open_ends_of(s.g, range_of(start), whole).low) return start;
    return where(less(start, 0), add(start, dim_scalar(s.g, whole, start.dtype())), start);
  }
  /// The integer of a literal. JAX before 0.6 does not print the literal's type.
  value literal_index(const jaxpr::atom& a) const {
    const auto n = parse_integer(a.text, dtype::i64);
    if (!n) s.malformed("an index of a block is not an integer");
    return scalar(s.g, dtype::i64, *n);
  }

 private:
  /// Throws unless the kernel sees exactly the axes of a block that are not squeezed.
  void check_block(std::size_t i) const {
    shape seen;
    for (const block_axis& a : m.blocks[i].axes)
      if (a.kind != block_kind::squeezed) seen.push_back(a.size);
    const aval& t = types[m.scalars + i];
    if (seen != t.dims)
      s.unsupported(
          detail::message("a block of shape {} is {} in the kernel", s.g.dims().text(seen), text(s.g.dims(), t)));
  }
};

}  // namespace jax2onnx::lower::pallas
