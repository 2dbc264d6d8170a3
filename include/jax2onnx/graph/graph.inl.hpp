#pragma once

#include <algorithm>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE graph::graph(int opset) : state_(new state{.self = this, .opset = opset}) {
  state_->blocks.emplace_back();
  state_->origins.emplace_back();
}
JAX2ONNX_INLINE graph::graph(graph&& other) noexcept : state_(std::move(other.state_)) {
  if (state_) state_->self = this;
}
JAX2ONNX_INLINE graph& graph::operator=(graph&& other) noexcept {
  state_ = std::move(other.state_);
  if (state_) state_->self = this;
  return *this;
}
JAX2ONNX_INLINE graph::~graph() = default;

JAX2ONNX_INLINE std::string text(const graph& g, const tensor_type& t) {
  return std::string(name(t.type)) + g.dims().text(t.dims);
}
JAX2ONNX_INLINE std::string text(const value& v) { return v ? text(v.owner(), v.type()) : "(absent)"; }

JAX2ONNX_INLINE block_scope::block_scope(graph& g)
    : state_(g.state_.get()), outer_(state_->current), id_(static_cast<block_id>(state_->blocks.size())) {
  if (state_->nested == most_nested_blocks)
    throw limit_error(detail::message("control flow is nested over {} deep, which no reader of ONNX files follows",
                                      most_nested_blocks));
  state_->self->spend(sizeof(block));
  ++state_->nested;
  state_->blocks.emplace_back().parent = outer_;
  state_->current = id_;
}

JAX2ONNX_INLINE void graph::spend(std::uint64_t bytes) {
  state_->spent += std::min(bytes, UINT64_MAX - state_->spent);
  if (state_->spent > state_->limits.bytes)
    throw limit_error(
        detail::message("the graph takes over {} bytes of memory (the limit 'bytes')", state_->limits.bytes));
}

JAX2ONNX_INLINE void graph::set_origin(origin o) {
  spend(sizeof(origin));
  state_->origins.push_back(o);
}

JAX2ONNX_INLINE value_id graph::add_value(tensor_type type, block_id home, std::string name) {
  std::uint64_t size = sizeof(value_record);
  for (dim d : type.dims) size += dims().text_size(d);  // as models spell it
  spend(size);
  state_->values.push_back({std::move(type), std::move(name), node_id::none, home, -1});
  return static_cast<value_id>(state_->values.size() - 1);
}

JAX2ONNX_INLINE node_id graph::add_node(node n) {
  if (state_->nodes.size() >= state_->limits.nodes)
    throw limit_error(detail::message("the graph has over {} nodes (the limit 'nodes')", state_->limits.nodes));
  spend(sizeof(node) + (n.inputs.size() + n.outputs.size()) * sizeof(value_id) +
        n.attributes.size() * sizeof(attribute) + origins().back().annotation.size());
  const auto id = static_cast<node_id>(state_->nodes.size());
  for (value_id v : n.outputs) at(v).producer = id;
  state_->nodes.push_back(std::move(n));
  return id;
}

JAX2ONNX_INLINE value graph::input(tensor_type type, std::string name) {
  const value_id id = add_value(std::move(type), current(), std::move(name));
  at(current()).inputs.push_back(id);
  if (current() == block_id::main) {
    const shape& dims = at(id).type.dims;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis].is_symbolic()) note_axis(dims[axis], {id, static_cast<std::int64_t>(axis)});
  }
  return {*this, id};
}

/// Remembers from which axis a symbolic extent can be read at run time, and what follows from it.
JAX2ONNX_INLINE void graph::note_axis(dim d, input_axis axis) {
  if (axis_with_dim(d)) return;
  const auto number = static_cast<std::uint32_t>(state_->axes.size());
  state_->axes.push_back(axis);
  state_->dim_axes.set(d.key(), number);
  state_->symbols.add(d);
  const dim part = scaled(dims(), d).part;
  if (state_->part_axes.find(part.key()) == detail::key_map::none) state_->part_axes.set(part.key(), number);
}

JAX2ONNX_INLINE void graph::set_range(value_id v, const interval& r) {
  const auto key = static_cast<std::int64_t>(v);
  const std::uint32_t known = state_->range_numbers.find(key);
  if (known != detail::key_map::none) {
    state_->ranges[known] = r;
    return;
  }
  state_->range_numbers.set(key, static_cast<std::uint32_t>(state_->ranges.size()));
  state_->ranges.push_back(r);
}

/// `v` is the constant of these bytes, which are held in place.
JAX2ONNX_INLINE bool graph::is_constant(value_id v, const tensor_type& type, const bytes& data) const {
  if (at(v).type != type) return false;
  const auto a = this->data(at(v)).view(), b = data.view();
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

namespace detail {

/// FNV-1a of dtype, extents and bytes.
inline std::int64_t constant_hash(const tensor_type& type, const bytes& data) {
  std::uint64_t h = 14695981039346656037ull;
  const auto mix = [&h](std::uint64_t n) { h = (h ^ n) * 1099511628211ull; };
  mix(static_cast<std::uint64_t>(type.type));
  for (dim d : type.dims) mix(static_cast<std::uint64_t>(d.key()));
  for (std::byte b : data.view()) mix(std::to_integer<std::uint64_t>(b));
  return static_cast<std::int64_t>(h);
}

}  // namespace detail

JAX2ONNX_INLINE value graph::constant(tensor_type type, bytes data, std::string name) {
  constexpr std::uint64_t share_limit = 256;
  std::uint64_t count = 1;
  for (dim d : type.dims)
    if (!d.is_constant() || d.extent() < 0 ||
        detail::mul_overflows(count, static_cast<std::uint64_t>(d.extent()), count))
      throw build_error("a constant needs a constant shape");
  if (data.size() != byte_size(type.type, count))
    throw build_error(detail::message("a constant of type {} has {} bytes", text(*this, type), data.size()));
  const bool share = name.empty() && data.in_place() && data.size() <= share_limit;
  std::int64_t key = share ? detail::constant_hash(type, data) : 0;
  for (; share; key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) + 1)) {  // a collision: the next key
    const std::uint32_t known = state_->shared_constants.find(key);
    if (known == detail::key_map::none) break;
    if (is_constant(static_cast<value_id>(known), type, data)) return {*this, static_cast<value_id>(known)};
  }
  if (data.in_place()) spend(data.size());
  const value_id id = add_value(std::move(type), block_id::main, std::move(name));
  at(id).constant = static_cast<std::int32_t>(state_->constants.size());
  state_->constants.push_back(std::move(data));
  if (share) state_->shared_constants.set(key, static_cast<std::uint32_t>(id));
  return {*this, id};
}

JAX2ONNX_INLINE std::vector<value> graph::emit_many(std::string_view op, std::span<const value> inputs,
                                                    std::span<const tensor_type> types,
                                                    std::vector<attribute> attributes) {
  node n{.op = op, .attributes = std::move(attributes), .origin = current_origin()};
  n.inputs.reserve(inputs.size());
  for (const value& v : inputs) {
    if (v && &v.owner() != this) throw build_error(detail::message("an operand of {} is of another graph", op));
    if (v && static_cast<std::size_t>(v.id()) >= value_count())
      throw build_error(detail::message("an operand of {} is no value of this graph", op));
    n.inputs.push_back(v.id());
  }
  for (const attribute& a : n.attributes)
    if (const block_id* body = std::get_if<block_id>(&a.value);
        body && static_cast<std::size_t>(*body) >= block_count())
      throw build_error(detail::message("the attribute '{}' of {} is no block of this graph", a.name, op));
  std::vector<value> results;
  results.reserve(types.size());
  for (const tensor_type& t : types) {
    n.outputs.push_back(add_value(t, current()));
    results.emplace_back(*this, n.outputs.back());
  }
  append(add_node(std::move(n)));
  return results;
}

JAX2ONNX_INLINE value graph::emit(std::string_view op, std::span<const value> inputs, tensor_type type,
                                  std::vector<attribute> attributes) {
  return emit_many(op, inputs, std::span(&type, 1), std::move(attributes))[0];
}

JAX2ONNX_INLINE value graph::emit(std::string_view op, std::initializer_list<value> inputs, tensor_type type,
                                  std::vector<attribute> attributes) {
  return emit(op, std::span<const value>(inputs.begin(), inputs.size()), std::move(type), std::move(attributes));
}

JAX2ONNX_INLINE void graph::set_outputs(block_id b, std::span<const value> outputs) {
  std::vector<value_id> ids;
  for (const value& v : outputs) {
    if (&v.owner() != this) throw build_error("an output of a block is of another graph");
    ids.push_back(v.id());
  }
  at(b).outputs = std::move(ids);
}

}  // namespace jax2onnx
