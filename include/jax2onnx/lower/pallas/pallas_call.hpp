#pragma once

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/cond.hpp>
#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/pallas/block_array.hpp>
#include <jax2onnx/lower/pallas/grid_scope.hpp>
#include <jax2onnx/lower/pallas/pairs.hpp>
#include <jax2onnx/lower/pallas/written_refs.hpp>

/// Lowers pallas_call as JAX's interpreter computes it: one program of the grid after the other, the last axis fastest.
/// Source: jax/_src/pallas/hlo_interpreter.py.
namespace jax2onnx::lower {
namespace pallas {

/// How many equations a jaxpr has, with those of inner ones.
inline std::size_t count_equations(const jaxpr::body& body, int depth = 0) {
  constexpr int deepest = 64;
  std::size_t n = body.equations.size();
  for (const jaxpr::equation& e : body.equations)
    for (const jaxpr::body* inner : jaxpr::bodies_of(e)) n += depth < deepest ? count_equations(*inner, depth + 1) : 0;
  return n;
}

/// One call of a kernel.
class kernel_call {
 public:
  explicit kernel_call(const site& s)
      : s_(s), m_(grid_mapping_of(s)), body_(*s.param<const jaxpr::body*>("jaxpr")), types_(s.input_types(body_)) {
    const std::size_t before_scratch = m_.scalars + m_.blocks.size();
    if (types_.size() < before_scratch) s.malformed("its kernel has fewer parameters than blocks");
    for (aval& t : types_) t.ref = false;
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
      check_block(i);
      arrays_.push_back(array_type(s, m_, i));
      padded_.push_back(padded_type(s, m_.blocks[i], arrays_[i]));
      written_.push_back(i >= m_.inputs || may_write(body_, body_.invars[m_.scalars + i].slot));
    }
    scratch_types_.assign(types_.begin() + static_cast<std::ptrdiff_t>(before_scratch), types_.end());
  }

  jax_values run() {
    state now = first();
    const std::optional<std::int64_t> steps = m_.steps();
    if (steps && unrolls(*steps)) {
      for (std::int64_t n = 0; n < *steps; ++n) step(position(n), now);
    } else {
      loop(now);
    }
    jax_values out;
    for (std::size_t i = m_.inputs; i < m_.blocks.size(); ++i)
      out.push_back(unpadded(m_.blocks[i], now.arrays[i].whole(), arrays_[i]));
    return out;
  }

 private:
  struct state {
    std::vector<block_array> arrays;
    jax_values scratch;
  };

  static constexpr std::int64_t most_steps = 64;
  static constexpr std::size_t most_equations = 4096;
  bool unrolls(std::int64_t steps) const {
    return steps <= 1 ||
           (steps <= most_steps && static_cast<std::size_t>(steps) * count_equations(body_) <= most_equations);
  }

  /// The kernel sees the axes of a block that are not squeezed.
  void check_block(std::size_t i) const {
    shape seen;
    for (const block_axis& a : m_.blocks[i].axes)
      if (a.kind != block_kind::squeezed) seen.push_back(a.size);
    const aval& t = types_[m_.scalars + i];
    if (seen != t.dims)
      s_.unsupported(
          detail::message("a block of {} elements is {} in the kernel", s_.g.dims().text(seen), text(s_.g.dims(), t)));
  }

  state first() const {
    state out;
    jax_values arrays;
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
      const jax_value whole = i < m_.inputs ? s_.in_parts(m_.bounds + m_.scalars + i) : unwritten(s_.g, arrays_[i]);
      arrays.push_back(padded(s_, m_.blocks[i], whole, arrays_[i], padded_[i]));
    }
    if (const jaxpr::value* aliases = s_.find("input_output_aliases"))
      for (const auto& [from, to] : pairs_in(aliases->text)) {
        if (from < m_.scalars || from >= m_.scalars + m_.inputs || to >= s_.out_count())
          s_.malformed("its input_output_aliases are no operands and results");
        const jax_value& whole = s_.in_parts(m_.bounds + from);
        arrays[m_.inputs + to] =
            padded(s_, m_.blocks[m_.inputs + to], whole, arrays_[m_.inputs + to], padded_[m_.inputs + to]);
      }
    for (const jax_value& a : arrays) out.arrays.emplace_back(a);
    for (const aval& t : scratch_types_) out.scratch.push_back(unwritten(s_.g, t));
    return out;
  }

  value number(std::int64_t n) const { return scalar(s_.g, dtype::i32, n); }
  /// The size of axis k of the grid: an int32 scalar.
  value size_of(std::size_t k) const {
    if (m_.grid[k]) return dim_scalar(s_.g, *m_.grid[k], dtype::i32);
    std::size_t operand = 0;
    for (std::size_t i = 0; i < k; ++i) operand += !m_.grid[i];
    return reshape(cast(s_.in(operand), dtype::i32), {});
  }

  /// The coordinates of program n.
  std::vector<value> position(std::int64_t n) const {
    std::vector<value> at(m_.grid.size());
    for (std::size_t k = at.size(); k-- > 0; n /= m_.grid[k]->extent()) at[k] = number(n % m_.grid[k]->extent());
    return at;
  }
  /// The same for an int64 scalar.
  std::vector<value> position(const value& n) const {
    std::vector<value> at(m_.grid.size());
    value rest = cast(n, dtype::i32);
    for (std::size_t k = at.size(); k-- > 0;) {
      const value size = size_of(k);
      const bool single = m_.grid[k] && m_.grid[k]->is(1);
      at[k] = single ? number(0) : s_.g.emit("Mod", {rest, size}, rest.type());
      if (!single && k > 0) rest = div(rest, size);
    }
    return at;
  }

  /// The scalars that the kernel and its index maps read, as a jaxpr's parameters.
  void add_scalars(jax_values& args, const std::vector<aval>& types, std::size_t first) const {
    for (std::size_t i = 0; i < m_.scalars; ++i) {
      const jax_value& v = s_.in_parts(m_.bounds + i);
      args.push_back(first + i < types.size() && types[first + i].ref ? s_.new_ref(v) : v);
    }
  }
  /// Where the block of array i begins for the program at `at`.
  block_place place_of(std::size_t i, const std::vector<value>& at) const {
    const block_mapping& b = m_.blocks[i];
    block_place out;
    if (!b.index_map) return out;
    const jaxpr::body& map = *b.index_map;
    if (map.results.size() != b.axes.size()) s_.malformed("an index map does not have a result for each axis");
    jax_values args(at.begin(), at.end());
    add_scalars(args, s_.input_types(map), args.size());
    selection wanted;
    for (const jaxpr::atom& r : map.results) wanted.push_back(!r.is_literal());
    const jax_values results = s_.inline_body(map, args, wanted);
    for (std::size_t d = 0; d < b.axes.size(); ++d) {
      const dim whole = padded_[i].dims[d], size = b.axes[d].size;
      if (whole == size) continue;
      const value index = wanted[d] ? results[d].re() : literal_index(map.results[d]);
      const bool in_blocks = b.axes[d].kind == block_kind::blocked && !size.is(1);
      out.push_back(clamped_slice(static_cast<std::int64_t>(d), whole, size,
                                  in_blocks ? mul(index, dim_scalar(s_.g, size, index.dtype())) : index));
    }
    return out;
  }
  /// The number that a literal prints; texts before JAX 0.6 do not have its type.
  value literal_index(const jaxpr::atom& a) const {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(a.text.data(), a.text.data() + a.text.size(), n);
    if (error != std::errc{} || end != a.text.data() + a.text.size()) s_.malformed("an index of a block is no integer");
    return scalar(s_.g, dtype::i64, n);
  }

  void step(const std::vector<value>& at, state& now) const {
    std::vector<grid_axis> seen;
    for (std::size_t k = 0; k < at.size(); ++k)
      if (!m_.hidden[k]) seen.push_back({{}, at[k], size_of(k)});
    const grid_scope scope(s_.driver(), std::move(seen));
    const std::vector<aval> parameters = s_.input_types(body_);
    jax_values args;
    add_scalars(args, parameters, 0);
    std::vector<block_place> places;
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
      places.push_back(place_of(i, at));
      const shape& seen_dims = types_[m_.scalars + i].dims;
      args.push_back(
          s_.new_ref(each_part(now.arrays[i].read(places[i]), [&](const value& x) { return reshape(x, seen_dims); })));
    }
    for (const jax_value& v : now.scratch) args.push_back(s_.new_ref(v));
    s_.inline_body(body_, args);
    for (std::size_t i = 0; i < m_.blocks.size(); ++i) {
      if (!written_[i]) continue;
      const shape sizes = m_.blocks[i].sizes();
      now.arrays[i].write(
          places[i], each_part(s_.content(args[m_.scalars + i]), [&](const value& x) { return reshape(x, sizes); }));
    }
    for (std::size_t i = 0; i < now.scratch.size(); ++i)
      now.scratch[i] = s_.content(args[m_.scalars + m_.blocks.size() + i]);
  }

  void loop(state& now) const {
    loop_plan plan(s_);
    for (std::size_t i = 0; i < m_.blocks.size(); ++i)
      if (written_[i]) plan.carry(padded_[i], now.arrays[i].whole(), body_.invars[m_.scalars + i].name);
    for (std::size_t i = 0; i < scratch_types_.size(); ++i)
      plan.carry(scratch_types_[i], now.scratch[i], body_.invars[m_.scalars + m_.blocks.size() + i].name);
    value trips = scalar(s_.g, dtype::i64, 1);
    for (std::size_t k = 0; k < m_.grid.size(); ++k)
      if (!m_.grid[k] || !m_.grid[k]->is(1)) trips = mul(trips, cast(size_of(k), dtype::i64));
    if (const auto steps = m_.steps()) trips = scalar(s_.g, dtype::i64, *steps);
    const state outside = now;
    const loop_values end = emit_loop(plan, trips, {}, [&](const value& iteration, const jax_values& carried) {
      state inside = outside;
      set(inside, carried);
      step(position(iteration), inside);
      return loop_values{get(inside)};
    });
    set(now, end.carried);
  }
  /// The part of the state that changes, as a list.
  /// @{
  void set(state& s, const jax_values& list) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < s.arrays.size(); ++i)
      if (written_[i]) s.arrays[i] = block_array(list[next++]);
    for (jax_value& v : s.scratch) v = list[next++];
  }
  jax_values get(state& s) const {
    jax_values out;
    for (std::size_t i = 0; i < s.arrays.size(); ++i)
      if (written_[i]) out.push_back(s.arrays[i].whole());
    append(out, s.scratch);
    return out;
  }
  /// @}

  const site& s_;
  grid_mapping m_;
  const jaxpr::body& body_;
  std::vector<aval> types_, arrays_, padded_, scratch_types_;  // the kernel's parameters, without references
  std::vector<bool> written_;
};

/// program_id and num_programs: where a program is in the grid, and how large that is.
template <value grid_axis::*Member>
jax_values of_grid(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  const std::vector<grid_axis>& grid = s.driver().grid;
  if (axis < 0 || axis >= std::ssize(grid)) s.malformed(detail::message("the grid has no axis {}", axis));
  return {cast(grid[static_cast<std::size_t>(axis)].*Member, s.out_dtype())};
}

}  // namespace pallas

inline jax_values pallas_call(const site& s) { return pallas::kernel_call(s).run(); }

inline constexpr lowering pallas_call_rows[] = {
    {"num_programs", pallas::of_grid<&grid_axis::size>, "(a constant)",
     signature{0, 1, nullptr, {{"axis", param_form::number, 0}}}},
    {"pallas_call", pallas_call, "Slice, Concat, Loop",
     signature{{},
               {},
               nullptr,
               {{"jaxpr", param_form::body},
                {"grid_mapping", param_form::structure, "grid, block_mappings"},
                {"input_output_aliases", param_form::other}}},
     parts_rule::own,
     ignores{"backend compiler_params cost_estimate debug interpret mesh metadata name name_and_src_info out_avals "
             "out_shapes"}},
    {"program_id", pallas::of_grid<&grid_axis::position>, "(a constant, or a part of a loop's counter)",
     signature{0, 1, nullptr, {{"axis", param_form::number, 0}}}},
};

}  // namespace jax2onnx::lower
