// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <jax2onnx/graph/functions/names.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/strings.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE void read_log::note_first(key k) {
  if (k.number >= keys_) {
    keys_ = k.number + k.number / 2 + 64;
    seen_.resize(keys_);
  }
  seen_[k.number] = now_;
  reads_.push_back(k);
}

JAX2ONNX_INLINE graph::graph(graph_options options) : state_(new state{.self = this, .options = std::move(options)}) {
  if (opset() < lowest_opset || opset() > highest_opset)
    throw build_error(detail::message("the opset must be from {} to {}, not {}", lowest_opset, highest_opset, opset()));
  state_->blocks.push_back({});
  state_->origins.emplace_back();
  detail::note_graph(state_.get());
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

JAX2ONNX_INLINE void graph::state_deleter::operator()(state* s) const noexcept {
  s->~state();
  detail::forget_graph(s);
}

JAX2ONNX_INLINE std::string text(const graph& g, const tensor_type& t) {
  const std::string tensor = std::string(name(t.type)) + (t.ranked ? g.dims().text(t.dims) : "[...]");
  constexpr std::string_view kinds[] = {"", "sequence of ", "optional ", "optional sequence of "};
  return std::string(kinds[static_cast<std::size_t>(t.kind)]) + tensor;
}
JAX2ONNX_INLINE void value::throw_absent() { throw build_error("an operand is absent"); }
JAX2ONNX_INLINE void value::throw_no_axis(std::int64_t axis) const {
  throw build_error(detail::message("extent: {} has no axis {}; its rank is {}", text(*this), axis, rank()));
}
JAX2ONNX_INLINE void value::throw_without_graph() {
  throw build_error("an operand belongs to a graph that was destroyed");
}
JAX2ONNX_INLINE std::string text(const value& v) {
  v.require_graph();
  return v ? text(v.owner(), v.type()) : "(absent)";
}

JAX2ONNX_INLINE block_scope::block_scope(graph& g)
    : state_(g.state_.get()), outer_(state_->current), id_(static_cast<block_id>(state_->blocks.size())) {
  if (state_->nested == most_nested_blocks)
    throw limit_error(detail::message("control flow is nested more than {} deep, which readers of ONNX files refuse",
                                      most_nested_blocks));
  state_->self->spend(sizeof(block));
  ++state_->nested;
  state_->blocks.push_back({.parent = outer_});
  state_->current = id_;
}

JAX2ONNX_INLINE function_scope::function_scope(graph& g, block_id body)
    : state_(g.state_.get()),
      outer_(state_->current),
      id_(body == block_id::none ? static_cast<block_id>(state_->blocks.size()) : body),
      nested_(std::exchange(state_->nested, 0)),
      known_(std::exchange(state_->known, {})) {
  state_->current = id_;
  if (body == block_id::none) state_->blocks.push_back({});
  else
    for (value_id v : g.at(body).inputs) g.note_axes(v);
}

JAX2ONNX_INLINE known_types_scope::known_types_scope(graph& g) : state_(g.state_.get()) {
  std::size_t known = 0;
  while (known < g.value_count() && is_known(state_->values[known].type)) ++known;
  state_->knows_types = known == g.value_count();
}

JAX2ONNX_INLINE graph graph::clone() const {
  graph out(state_->options);
  out.state_.reset(new state(*state_));  // a copy-constructed state: assigning to one takes the compiler 22 MB more
  detail::note_graph(out.state_.get());
  out.state_->log = nullptr;
  out.state_->knows_types = false;
  out.state_->self = &out;
  out.state_->names = std::make_shared<name_set>();
  out.keep(state_->names);
  return out;
}

JAX2ONNX_INLINE void graph::set_domain_version(std::string_view domain, int number) {
  if (domain.empty() || domain == "ai.onnx")
    throw build_error("the version of ai.onnx is the opset: pass it to the constructor of the graph");
  detail::require_domain(domain);
  if (number < 1)
    throw build_error(detail::message("the version of the domain {} must be at least 1, not {}", domain, number));
  const auto [place, added] = state_->domain_versions.emplace(domain, number);
  if (!added && place->second != number)
    throw build_error(detail::message("the domain {} already has version {}; it cannot also have version {}", domain,
                                      place->second, number));
}

JAX2ONNX_INLINE void graph::set_metadata(std::string_view key, std::string_view value) {
  for (auto& [known, text] : state_->metadata)
    if (known == key) {
      text = value;
      return;
    }
  state_->metadata.emplace_back(key, value);
}

JAX2ONNX_INLINE model_function& graph::add_function(std::string_view domain, std::string_view name) {
  detail::require_domain(domain);
  detail::require_identifier("operator", name);
  if (domain.empty() || domain.starts_with("ai.onnx"))
    throw build_error(detail::message("the function {} needs a domain other than ONNX's", name));
  if (find_function(domain, name))
    throw build_error(detail::message("the function {}.{} is defined twice", domain, name));
  state_->functions.push_back({.domain = intern(domain), .name = intern(name)});
  model_function& f = state_->functions.back();
  state_->function_numbers.emplace(std::pair(f.domain, f.name), state_->functions.size() - 1);
  return f;
}

JAX2ONNX_INLINE const model_function* graph::find_function(std::string_view domain, std::string_view name) const {
  const auto place = state_->function_numbers.find({domain, name});
  return place == state_->function_numbers.end() ? nullptr : &state_->functions[place->second];
}
JAX2ONNX_INLINE model_function* graph::find_function(std::string_view domain, std::string_view name) {
  return const_cast<model_function*>(std::as_const(*this).find_function(domain, name));
}

JAX2ONNX_INLINE node_note& graph::edit_note(node_id n) {
  const auto key = static_cast<std::int64_t>(n);
  if (!note(n)) {
    state_->note_numbers.set(key, static_cast<std::uint32_t>(state_->notes.size()));
    state_->notes.emplace_back();
  }
  return state_->notes[state_->note_numbers.find(key)];
}

/// Throws a build_error unless `v` is a constant, or belongs to the block `from` or to a block around `from`. The
/// message calls `v` operand `number` of `user`, or result `number` if `user` is empty.
JAX2ONNX_INLINE void graph::require_visible(value_id v, block_id from, std::string_view user,
                                            std::size_t number) const {
  const value_record& r = at(v);
  if (r.constant >= 0 || encloses(r.home, from)) return;
  while (at(from).parent != block_id::none) from = at(from).parent;
  const bool other_function = !encloses(from, r.home);
  throw build_error(detail::message(
      "{} {}{}{}: {}{}{}{} {}", user.empty() ? "result" : "operand", number, user.empty() ? "" : " of ", user,
      text(*this, r.type), r.name.empty() ? "" : " '", r.name, r.name.empty() ? "" : "'",
      other_function
          ? "belongs to the graph outside of the function, which sees only its operands: pass it as one of them"
          : "belongs to another body: values leave a body as its results"));
}

JAX2ONNX_INLINE void graph::spend(std::uint64_t bytes) {
  state_->spent += std::min(bytes, UINT64_MAX - state_->spent);
  if (state_->spent > state_->limits.bytes)
    throw limit_error(
        detail::message("the graph takes over {} bytes of memory (the limit 'bytes')", state_->limits.bytes));
}

JAX2ONNX_INLINE bool graph::hold(std::uint64_t bytes) {
  const std::uint64_t most = state_->limits.bytes / 2;
  if (state_->held > most || bytes > most - state_->held) return false;
  state_->held += bytes;
  return true;
}

JAX2ONNX_INLINE void graph::set_origin(origin o) {
  spend(sizeof(origin));
  state_->origins.push_back(o);
}

JAX2ONNX_INLINE std::string_view graph::intern(std::string_view name) {
  const auto known = state_->names->find(name);
  return known != state_->names->end() ? *known : *state_->names->emplace(name).first;
}

JAX2ONNX_INLINE value_id graph::add_value(tensor_type type, block_id home, std::string name) {
  std::uint64_t size = sizeof(value_record);
  for (dim d : type.dims) size += dims().text_size(d);  // the size of the text by which models state the extent
  spend(size);
  if (state_->knows_types) state_->knows_types = is_known(type);
  state_->values.push_back({std::move(type), std::move(name), node_id::none, home, -1});
  return static_cast<value_id>(state_->values.size() - 1);
}

namespace detail {

/// The approximate memory that the content of an attribute takes beyond the attribute itself.
inline std::uint64_t content_size(const attribute::content& content) {
  if (const auto* s = std::get_if<std::string>(&content)) return s->size();
  if (const auto* l = std::get_if<ints>(&content)) return l->size() * sizeof(std::int64_t);
  if (const auto* l = std::get_if<std::vector<float>>(&content)) return l->size() * sizeof(float);
  if (const auto* t = std::get_if<tensor_constant>(&content)) return t->data().in_place() ? t->data().size() : 0;
  std::uint64_t size = 0;
  if (const auto* l = std::get_if<std::vector<std::string>>(&content))
    for (const std::string& s : *l) size += sizeof(std::string) + s.size();
  return size;
}

}  // namespace detail

JAX2ONNX_INLINE node_id graph::add_node(node n) {
  if (state_->nodes.size() >= state_->limits.nodes)
    throw limit_error(detail::message("the graph has over {} nodes (the limit 'nodes')", state_->limits.nodes));
  spend(sizeof(node) + (n.inputs.size() + n.outputs.size()) * sizeof(value_id) +
        n.attributes.size() * sizeof(attribute) + origins().back().annotation.size());
  for (const attribute& a : n.attributes) spend(detail::content_size(a.value));
  const auto id = static_cast<node_id>(state_->nodes.size());
  for (value_id v : n.outputs)
    if (v != value_id::none) at(v).producer = id;
  state_->nodes.push_back(std::move(n));
  return id;
}

/// Reserves the name of an input or output of the model. Throws a build_error if another input or output has the name.
JAX2ONNX_INLINE void graph::take_interface_name(std::string_view name) {
  if (!name.empty() && !state_->interface_names.emplace(name).second)
    throw build_error(detail::message("another input or output of the model has the name '{}'", name));
}

namespace detail {

/// Throws a build_error for an input or constant whose type has no elements.
inline void require_elements(const tensor_type& type, std::string_view kind, std::string_view name) {
  if (!has_elements(type.type)) throw build_error(message("the {} '{}' has no element type", kind, name));
}

}  // namespace detail

JAX2ONNX_INLINE value graph::input(tensor_type type, std::string name) {
  require_state();
  detail::require_elements(type, "input", name);
  for (const dim d : type.dims)
    if (d.is_constant() ? d.extent() < 0 : d.is_symbolic() && dims().known_nonnegative(dims().sub(-1, d)))
      throw build_error(
          detail::message("the input '{}' has the negative extent {}: for an extent that is not known, use a "
                          "symbol such as g.dims().symbol(\"n\")",
                          name, dims().text(d)));
  if (current() == block_id::main) take_interface_name(name);
  const value_id id = add_value(std::move(type), current(), std::move(name));
  at(current()).inputs.push_back(id);
  if (at(current()).parent == block_id::none) note_axes(id);
  return {*this, id};
}

JAX2ONNX_INLINE void graph::note_axes(value_id input) {
  const shape& dims = at(input).type.dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (dims[axis].is_symbolic()) note_axis(dims[axis], {input, static_cast<std::int64_t>(axis)});
}

/// Records the axis from which a symbolic extent can be read at run time, and adds the extent to the known symbols.
JAX2ONNX_INLINE void graph::note_axis(dim d, input_axis axis) {
  if (axis_with_dim(d)) return;
  known_extents& known = state_->known;
  const auto number = static_cast<std::uint32_t>(known.axes.size());
  known.axes.push_back(axis);
  known.axis_of.set(d.key(), number);
  known.symbols.add(d);
  const dim part = scaled(dims(), d).part;
  if (known.axis_of_part.find(part.key()) == detail::key_map::none) known.axis_of_part.set(part.key(), number);
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

/// True if the constant `v` has this type and these bytes. Both are held in place.
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
  require_state();
  constexpr std::uint64_t share_limit = 4096;  // the same limit as for constants that rules fold
  std::uint64_t count = 1;
  for (dim d : type.dims)
    if (!d.is_constant() || d.extent() < 0 ||
        detail::mul_overflows(count, static_cast<std::uint64_t>(d.extent()), count))
      throw build_error("a constant needs a static shape of nonnegative extents whose product fits into 64 bits");
  detail::require_elements(type, "constant", name);
  const bool fits = type.type == dtype::string ? detail::string_count(data.view()) == count
                                               : data.size() == byte_size(type.type, count);
  if (!type.is_plain())
    throw build_error(detail::message("a constant is of type {}; it must be a tensor", text(*this, type)));
  if (!fits && type.type == dtype::string)
    throw build_error(detail::message("a constant of type {} has {} string{|s}; it needs {}", text(*this, type),
                                      detail::string_count(data.view()), count));
  if (!fits)
    throw build_error(detail::message("a constant of type {} has {} number{|s} ({} byte{|s}); it needs {} ({})",
                                      text(*this, type), data.size() * 8 / static_cast<std::uint64_t>(bits(type.type)),
                                      data.size(), count, byte_size(type.type, count)));
  const bool share = name.empty() && data.in_place() && data.size() <= share_limit;
  std::int64_t key = share ? detail::constant_hash(type, data) : 0;
  // If the hashes collide, tries the next key.
  for (; share; key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) + 1)) {
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

/// Makes a node for the current block, without outputs. Throws a build_error if an input or a body does not belong to
/// the graph, or is not visible.
JAX2ONNX_INLINE node graph::checked_node(operator_name op, std::span<const value> inputs,
                                         std::vector<attribute> attributes, std::string_view domain) const {
  node n{.op = op, .attributes = std::move(attributes), .origin = current_origin(), .domain = domain};
  n.inputs.reserve(inputs.size());
  for (const value& v : inputs) {
    if (v && &v.owner() != this)
      throw build_error(detail::message("an operand of {} belongs to another graph", op.text()));
    if (v && static_cast<std::size_t>(v.id()) >= value_count())
      throw build_error(detail::message("an operand of {} is not a value of this graph", op.text()));
    if (v) require_visible(v.id(), current(), op, n.inputs.size());
    n.inputs.push_back(v.id());
  }
  for (const attribute& a : n.attributes)
    if (const block_id* body = std::get_if<block_id>(&a.value);
        body && static_cast<std::size_t>(*body) >= block_count())
      throw build_error(detail::message("the attribute '{}' of {} is not a block of this graph", a.name, op.text()));
  return n;
}

JAX2ONNX_INLINE std::vector<value> graph::emit_many(operator_name op, std::span<const value> inputs,
                                                    std::span<const tensor_type> types,
                                                    std::vector<attribute> attributes, std::string_view domain) {
  node n = checked_node(op, inputs, std::move(attributes), domain);
  std::vector<value> results;
  results.reserve(types.size());
  for (const tensor_type& t : types) {
    n.outputs.push_back(add_value(t, current()));
    results.emplace_back(*this, n.outputs.back());
  }
  append(add_node(std::move(n)));
  return results;
}

JAX2ONNX_INLINE value graph::emit(operator_name op, std::span<const value> inputs, tensor_type type,
                                  std::vector<attribute> attributes) {
  node n = checked_node(op, inputs, std::move(attributes), {});
  const value_id result = add_value(std::move(type), current());
  n.outputs.push_back(result);
  append(add_node(std::move(n)));
  return {*this, result};
}

JAX2ONNX_INLINE value graph::emit(operator_name op, std::initializer_list<value> inputs, tensor_type type,
                                  std::vector<attribute> attributes) {
  return emit(op, std::span<const value>(inputs.begin(), inputs.size()), std::move(type), std::move(attributes));
}

JAX2ONNX_INLINE void graph::set_outputs(block_id b, std::span<const value> outputs) {
  std::vector<value_id> ids;
  for (const value& v : outputs) {
    if (&v.owner() != this) throw build_error("an output of a block belongs to another graph");
    require_visible(v.id(), b, {}, ids.size());
    ids.push_back(v.id());
  }
  at(b).outputs = std::move(ids);
}

JAX2ONNX_INLINE void output(value v, std::string name) {
  v.require_graph();
  if (name.empty()) throw build_error("an output of a model needs a name");
  if (!v)
    throw build_error(
        detail::message("the output '{}' is absent: its operator computes it only if an attribute requests "
                        "it, as training_mode requests BatchNormalization's running_mean",
                        name));
  graph& g = v.owner();
  std::vector<value_id>& outputs = g.at(block_id::main).outputs;
  g.require_visible(v.id(), block_id::main, {}, outputs.size());
  if (g.current() != block_id::main)
    throw build_error(detail::message("the output '{}' is declared in a body; declare it after the body", name));
  g.take_interface_name(name);
  const bool taken = g.at(v.id()).producer == node_id::none || item_loops::contains(outputs, v.id());
  if (taken) v = g.emit("Identity", {v}, v.type());
  g.at(v.id()).name = std::move(name);
  outputs.push_back(v.id());
}

}  // namespace jax2onnx
