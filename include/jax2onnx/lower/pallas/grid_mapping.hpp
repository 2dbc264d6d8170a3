// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/message.hpp>

/// Parses the parameter grid_mapping of a pallas_call: the grid, and for each array the block that a program sees.
/// Source: jax/_src/pallas/core.py (GridMapping, BlockMapping).
namespace jax2onnx::lower::pallas {

/// The unit in which the index map addresses one axis of an array.
enum class block_kind : std::uint8_t {
  blocked,   ///< the index counts blocks
  element,   ///< the index counts elements
  squeezed,  ///< the index counts elements; a block has one element, and the kernel does not see the axis
};

/// One axis of a block.
struct block_axis {
  block_kind kind = block_kind::blocked;
  dim size = 1;
  std::int64_t low = 0, high = 0;  ///< numbers of elements by which the array is padded
};

/// The blocks of one array.
struct block_mapping {
  std::vector<block_axis> axes;
  const jaxpr::body* index_map = nullptr;  ///< null if the block is the whole array

  /// The extents of a block in the array.
  shape sizes() const {
    shape out;
    for (const block_axis& a : axes) out.push_back(a.size);
    return out;
  }
};

/// The operands of a pallas_call are: computed bounds of the grid, scalars that index maps read (scalar prefetch),
/// inputs. The kernel's parameters are the scalars, then blocks of inputs and outputs, then scratch.
struct grid_mapping {
  std::vector<std::optional<dim>> grid;  ///< the number of programs along each axis; nullopt if an operand states it
  std::vector<bool> hidden;              ///< for each axis, true if vmap added it, so that program_id does not count it
  std::size_t bounds = 0, scalars = 0, inputs = 0;
  std::vector<block_mapping> blocks;  ///< the blocks of the inputs, then the blocks of the outputs

  /// The number of programs; nullopt if it is not constant or overflows.
  std::optional<std::int64_t> steps() const {
    std::int64_t n = 1;
    for (const std::optional<dim>& d : grid) {
      if (!d || !d->is_constant() || detail::mul_overflows(n, d->extent(), n)) return std::nullopt;
    }
    return n;
  }
};

/// Argument `key` of a call, or its positional argument at index `place`; null if the call has neither.
inline const jaxpr::value* argument(const jaxpr::value& call, std::string_view key, std::size_t place) {
  const jaxpr::value* named = keyword(call, key);
  return named || place >= call.items.size() ? named : &call.items[place];
}

/// Sets the padding from a printed pair of numbers; anything else, such as None, leaves the padding unchanged.
inline void read_padding(const site& s, const jaxpr::value* pair, block_axis& axis) {
  if (!pair || pair->items.size() != 2) return;
  axis.low = s.decoder().decode<std::int64_t>(pair->items[0]);
  axis.high = s.decoder().decode<std::int64_t>(pair->items[1]);
  if (axis.low < 0 || axis.high < 0) s.malformed("its blocks have a negative padding");
}

/// One axis of a block: 4, None, Mapped, Blocked(block_size=4), Squeezed(), Element(block_size=6, padding=(0, 0)).
inline block_axis axis_of(const site& s, const jaxpr::value& v) {
  using kind = jaxpr::value::kind;
  if (v.tag == kind::none || v.text.starts_with("Mapped") || v.text.starts_with("Squeezed"))
    return {block_kind::squeezed, 1};
  if (v.tag != kind::call) return {block_kind::blocked, s.decoder().decode<dim>(v)};
  const bool element = v.callee == "Element";
  const jaxpr::value* size = argument(v, "block_size", 0);
  if ((!element && v.callee != "Blocked") || !size)
    s.unsupported(detail::message("a dimension {} of a block is not supported", v.text.substr(0, 40)),
                  "index blocks by pl.Blocked or pl.Element");
  block_axis axis{element ? block_kind::element : block_kind::blocked, s.decoder().decode<dim>(*size)};
  if (element) read_padding(s, argument(v, "padding", 1), axis);
  return axis;
}

inline block_mapping block_mapping_of(const site& s, const jaxpr::value& v) {
  const jaxpr::value* sizes = keyword(v, "block_shape");
  if (!sizes) s.unsupported("a BlockMapping lacks its block_shape");
  block_mapping out;
  for (const jaxpr::value& item : sizes->items) out.axes.push_back(axis_of(s, item));
  if (const jaxpr::value* map = keyword(v, "index_map_jaxpr"))
    out.index_map = s.decoder().decode<const jaxpr::body*>(*map);
  // Up to JAX 0.5, a mode states whether all axes are indexed in blocks.
  if (const jaxpr::value* mode = keyword(v, "indexing_mode"); mode && mode->text.starts_with("Unblocked")) {
    const jaxpr::value* padding = argument(*mode, "padding", 0);
    for (std::size_t i = 0; i < out.axes.size(); ++i) {
      if (out.axes[i].kind == block_kind::blocked) out.axes[i].kind = block_kind::element;
      if (padding && i < padding->items.size()) read_padding(s, &padding->items[i], out.axes[i]);
    }
  }
  return out;
}

/// The type of the array of block mapping i: an input or a result.
inline aval array_type(const site& s, const grid_mapping& m, std::size_t i) {
  return i < m.inputs ? s.in_type(m.bounds + m.scalars + i) : s.out_type(i - m.inputs);
}

/// Refuses blocks whose position in their array is not printed. JAX 0.6 and newer print index maps only on request.
inline void require_index_map(const site& s, const block_mapping& m, const aval& array) {
  if (m.axes.size() != array.dims.size()) s.malformed("a block and its array differ in rank");
  if (m.index_map) return;
  for (std::size_t i = 0; i < m.axes.size(); ++i) {
    const bool whole = m.axes[i].size == array.dims[i] || !provably_less(s.g.dims(), m.axes[i].size, array.dims[i]);
    if (!whole || m.axes[i].low != 0)
      s.unsupported("the jaxpr was printed without the index maps of its blocks",
                    "export the function with examples/export.py or to_onnx, which print them, or pass debug=True to "
                    "pallas_call");
  }
}

/// Reads the parameter grid_mapping.
inline grid_mapping grid_mapping_of(const site& s) {
  const jaxpr::value& text = s.tree("grid_mapping");
  const jaxpr::value *grid = keyword(text, "grid"), *blocks = keyword(text, "block_mappings");
  if (!grid || !blocks) s.unsupported("its grid_mapping lacks the grid or the block mappings");
  grid_mapping out;
  for (const jaxpr::value& d : grid->items) {
    const bool computed = d.text == "DynamicGridDim" || d.tag == jaxpr::value::kind::none;
    out.grid.push_back(computed ? std::nullopt : std::optional(s.decoder().decode<dim>(d)));
    out.bounds += computed;
  }
  out.hidden.resize(out.grid.size());
  if (const jaxpr::value* mapped = keyword(text, "vmapped_dims"))
    for (std::int64_t axis : s.decoder().decode<ints>(*mapped)) {
      if (axis < 0 || axis >= std::ssize(out.grid)) s.malformed("its vmapped_dims are not axes of its grid");
      out.hidden[static_cast<std::size_t>(axis)] = true;
    }
  for (const jaxpr::value& b : blocks->items) out.blocks.push_back(block_mapping_of(s, b));
  if (out.blocks.size() < s.out_count() || s.arity() < out.bounds + out.blocks.size() - s.out_count())
    s.malformed("its block mappings do not fit its operands and results");
  out.inputs = out.blocks.size() - s.out_count();
  out.scalars = s.arity() - out.bounds - out.inputs;
  for (std::size_t i = 0; i < out.blocks.size(); ++i) require_index_map(s, out.blocks[i], array_type(s, out, i));
  return out;
}

}  // namespace jax2onnx::lower::pallas
