#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// Ids of a graph's values, nodes and blocks. They stay valid as long as the graph.
/// @{
enum class value_id : std::uint32_t { none = 0xffffffff };
enum class node_id : std::uint32_t { none = 0xffffffff };
enum class block_id : std::uint32_t { main = 0, none = 0xffffffff };
/// @}

/// dtype and shape of a value.
struct tensor_type {
  dtype type = dtype::undefined;  ///< of the elements
  shape dims;                     ///< outermost first
  friend bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// Axes, permutations, integer attributes. An index out of range throws a build_error.
using ints = checked_vector<std::int64_t>;

/// An attribute of a node.
struct attribute {
  /// What an attribute can hold; a block_id is a subgraph.
  using content = std::variant<std::int64_t, float, std::string, ints, std::vector<float>, block_id>;
  std::string_view name;  ///< not owned: a literal, or interned by the graph
  content value;          ///< its value
};

/// One ONNX operator call. An absent optional input is value_id::none.
struct node {
  std::string_view op;                ///< not owned: a literal, or interned by the graph
  std::vector<value_id> inputs;       ///< in ONNX's order
  std::vector<value_id> outputs;      ///< in ONNX's order
  std::vector<attribute> attributes;  ///< in the order of writing
  std::uint32_t origin = 0;           ///< index into graph::origins()
  std::string_view domain;            ///< empty: ai.onnx

  /// The attribute of that name; null if there is none.
  const attribute* find(std::string_view name) const {
    for (const attribute& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
};

/// A body: the main graph, or a subgraph that a node's attribute refers to. Inner blocks see the values of outer ones.
struct block {
  block_id parent = block_id::none;  ///< the enclosing block; none for the main graph
  std::vector<value_id> inputs;      ///< its inputs, in order
  std::vector<value_id> outputs;     ///< its outputs, in order
  std::vector<node_id> nodes;        ///< in topological order
};

/// Where a node comes from, for names and metadata.
struct origin {
  std::uint32_t begin = 0;      ///< first byte in the source text
  std::uint32_t end = 0;        ///< behind the last byte
  std::string_view annotation;  ///< Python file:line and scope, as the text has them
};

/// What the graph knows of a value.
struct value_record {
  tensor_type type;                  ///< dtype and shape
  std::string name;                  ///< a wish; emission makes names unique
  node_id producer = node_id::none;  ///< none: an input of a block, or a constant
  block_id home = block_id::main;    ///< the block that it belongs to
  std::int32_t constant = -1;        ///< index of its bytes; -1: not a constant
};

/// Axis `axis` of input `source`.
struct input_axis {
  value_id source;    ///< an input of the main graph
  std::int64_t axis;  ///< an axis of it
};

class value;

/// An ONNX model under construction: values and nodes in vectors, named by 32-bit ids. New nodes go to the end of the
/// current block.
class graph {
 public:
  /// An empty graph for an opset of ai.onnx.
  explicit graph(int opset = 23) : opset_(opset) {
    blocks_.emplace_back();
    origins_.emplace_back();
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  /// The opset, which decides how verbs spell what changed between opsets.
  int opset() const { return opset_; }
  /// The symbolic extents of the graph.
  dim_table& dims() { return dims_; }
  /// The symbolic extents of the graph.
  const dim_table& dims() const { return dims_; }

  /// A new input of the current block.
  value input(tensor_type type, std::string name);
  /// A constant from its bytes (little endian, row major, 4-bit types packed). Equal small ones are shared.
  value constant(tensor_type type, bytes data, std::string name = {});
  /// A node with one output of type `type`.
  value emit(std::string_view op, std::initializer_list<value> inputs, tensor_type type,
             std::vector<attribute> attributes = {});
  /// The same for a list of inputs whose length is not known while compiling.
  value emit(std::string_view op, std::span<const value> inputs, tensor_type type,
             std::vector<attribute> attributes = {});
  /// A node with an output for every one of `types`.
  std::vector<value> emit_many(std::string_view op, std::span<const value> inputs, std::span<const tensor_type> types,
                               std::vector<attribute> attributes = {});
  /// Marks the outputs of a block.
  void set_outputs(block_id b, std::span<const value> outputs);

  /// The block that new nodes go to.
  block_id current() const { return current_; }
  /// What an id stands for. The id has to be of this graph; references stay valid when the graph grows.
  /// @{
  const block& at(block_id b) const { return blocks_[static_cast<std::size_t>(b)]; }
  block& at(block_id b) { return blocks_[static_cast<std::size_t>(b)]; }
  const node& at(node_id n) const { return nodes_[static_cast<std::size_t>(n)]; }
  node& at(node_id n) { return nodes_[static_cast<std::size_t>(n)]; }
  const value_record& at(value_id v) const { return values_[static_cast<std::size_t>(v)]; }
  value_record& at(value_id v) { return values_[static_cast<std::size_t>(v)]; }
  /// @}
  /// The bytes of a constant.
  const bytes& data(const value_record& r) const { return constants_[static_cast<std::size_t>(r.constant)]; }
  /// How many there are; ids count from 0.
  /// @{
  std::size_t value_count() const { return values_.size(); }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t block_count() const { return blocks_.size(); }
  /// @}
  /// All origins; the first one is that of nodes without one.
  const std::vector<origin>& origins() const { return origins_; }

  /// Nodes from now on come from `o`.
  void set_origin(origin o) { origins_.push_back(o); }
  /// The index of the origin that new nodes get.
  std::uint32_t current_origin() const { return static_cast<std::uint32_t>(origins_.size() - 1); }

  /// Adds a value that no node produces yet, for rewrites.
  value_id add_value(tensor_type type, block_id home, std::string name = {}) {
    values_.push_back({std::move(type), std::move(name), node_id::none, home, -1});
    return static_cast<value_id>(values_.size() - 1);
  }
  /// Adds a node that is in no block yet, for rewrites; its outputs are values without a producer.
  node_id add_node(node n) {
    const auto id = static_cast<node_id>(nodes_.size());
    for (value_id v : n.outputs) at(v).producer = id;
    nodes_.push_back(std::move(n));
    return id;
  }
  /// Puts a node at the end of the current block.
  void append(node_id n) { at(current_).nodes.push_back(n); }

  /// The first axis of the main inputs that has the symbolic extent `d`; null where there is none.
  const input_axis* axis_with_dim(dim d) const {
    const auto it = dim_axes_.find(d.key());
    return it == dim_axes_.end() ? nullptr : &it->second;
  }
  /// The first axis of the main inputs whose extent is k * symbol + c; null where there is none.
  const input_axis* axis_with_symbol(std::uint32_t atom) const {
    const auto it = symbol_axes_.find(atom);
    return it == symbol_axes_.end() ? nullptr : &it->second;
  }

  /// Cache of verbs: the int64[1] tensors that hold symbolic dims.
  std::unordered_map<std::int64_t, value_id>& dim_values() { return dim_values_; }

 private:
  friend class block_scope;
  friend class insertion_scope;

  void note_axis(dim d, input_axis axis);

  int opset_;
  dim_table dims_;
  // Deques: a reference such as value::dims() outlives the values that are added after it.
  std::deque<value_record> values_;
  std::deque<node> nodes_;
  std::deque<block> blocks_;
  std::vector<bytes> constants_;
  std::vector<origin> origins_;
  std::unordered_map<std::string, value_id> shared_constants_;
  std::unordered_map<std::int64_t, value_id> dim_values_;
  std::unordered_map<std::int64_t, input_axis> dim_axes_;      // by dim::key()
  std::unordered_map<std::uint32_t, input_axis> symbol_axes_;  // by atom
  block_id current_ = block_id::main;
};

/// An erased handle: a value and the graph that it lives in. Cheap to copy. A default one is an absent optional input.
class value {
 public:
  /// An absent optional input.
  value() = default;
  /// The handle of an id of `g`.
  value(graph& g, value_id id) : graph_(&g), id_(id) {}

  /// Whether it is present.
  explicit operator bool() const { return id_ != value_id::none; }
  /// The graph. Throws build_error for an absent value, as do all functions below except id().
  graph& owner() const {
    if (!graph_) throw build_error("an operand is absent");
    return *graph_;
  }
  /// The id; none for an absent value.
  value_id id() const { return id_; }
  /// Type, shape and extents. References stay valid when the graph grows.
  /// @{
  const tensor_type& type() const { return owner().at(id_).type; }
  jax2onnx::dtype dtype() const { return type().type; }
  const shape& dims() const { return type().dims; }
  std::int64_t rank() const { return static_cast<std::int64_t>(dims().size()); }
  dim extent(std::int64_t axis) const { return dims()[static_cast<std::size_t>(axis)]; }
  /// @}
  /// Whether its bytes are known: a constant of the graph or a weight.
  bool is_constant() const { return owner().at(id_).constant >= 0; }
  /// The bytes of a constant.
  const bytes& data() const { return owner().data(owner().at(id_)); }
  friend bool operator==(const value&, const value&) = default;

 private:
  graph* graph_ = nullptr;
  value_id id_ = value_id::none;
};

/// `f32[B,784]`, for messages.
inline std::string text(const graph& g, const tensor_type& t) {
  return std::string(name(t.type)) + g.dims().text(t.dims);
}
/// The same for a value's type.
inline std::string text(const value& v) { return v ? text(v.owner(), v.type()) : "(absent)"; }

/// A new block, current until the end of the scope.
class block_scope {
 public:
  /// Opens a block inside of the current one.
  explicit block_scope(graph& g) : graph_(g), outer_(g.current_), id_(static_cast<block_id>(g.blocks_.size())) {
    g.blocks_.emplace_back().parent = outer_;
    g.current_ = id_;
  }
  ~block_scope() { graph_.current_ = outer_; }
  block_scope(const block_scope&) = delete;
  block_scope& operator=(const block_scope&) = delete;
  /// The new block, for the attribute of a node.
  block_id id() const { return id_; }

 private:
  graph& graph_;
  block_id outer_;
  block_id id_;
};

/// Makes an existing block current until the end of the scope.
class insertion_scope {
 public:
  /// New nodes go to the end of `where`.
  insertion_scope(graph& g, block_id where) : graph_(g), outer_(std::exchange(g.current_, where)) {}
  ~insertion_scope() { graph_.current_ = outer_; }
  insertion_scope(const insertion_scope&) = delete;
  insertion_scope& operator=(const insertion_scope&) = delete;

 private:
  graph& graph_;
  block_id outer_;
};

inline value graph::input(tensor_type type, std::string name) {
  const value_id id = add_value(std::move(type), current_, std::move(name));
  at(current_).inputs.push_back(id);
  if (current_ == block_id::main) {
    const shape& dims = at(id).type.dims;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis].is_symbolic()) note_axis(dims[axis], {id, static_cast<std::int64_t>(axis)});
  }
  return {*this, id};
}

/// Remembers from which axis a symbolic extent, and a symbol that it has alone, can be read at run time.
inline void graph::note_axis(dim d, input_axis axis) {
  if (!dim_axes_.try_emplace(d.key(), axis).second) return;
  std::optional<std::uint32_t> symbol;
  for (const auto& [factors, coefficient] : dims_.terms(d)) {
    if (factors.empty()) continue;
    if (symbol || factors.size() != 1 || factors[0].second != 1) return;
    symbol = factors[0].first;
  }
  if (symbol) symbol_axes_.try_emplace(*symbol, axis);
}

inline value graph::constant(tensor_type type, bytes data, std::string name) {
  constexpr std::uint64_t share_limit = 256;
  std::uint64_t count = 1;
  for (dim d : type.dims)
    if (!d.is_constant() || d.extent() < 0 ||
        __builtin_mul_overflow(count, static_cast<std::uint64_t>(d.extent()), &count))
      throw build_error("a constant needs a constant shape");
  if (data.size() != byte_size(type.type, count))
    throw build_error(fmt::format("a constant of type {} has {} bytes", text(*this, type), data.size()));
  const bool share = name.empty() && data.in_place() && data.size() <= share_limit;
  std::string key;
  if (share) {
    key = text(*this, type) + '=';
    key.append(reinterpret_cast<const char*>(data.view().data()), data.size());
    if (const auto it = shared_constants_.find(key); it != shared_constants_.end()) return {*this, it->second};
  }
  const value_id id = add_value(std::move(type), block_id::main, std::move(name));
  at(id).constant = static_cast<std::int32_t>(constants_.size());
  constants_.push_back(std::move(data));
  if (share) shared_constants_.emplace(std::move(key), id);
  return {*this, id};
}

inline std::vector<value> graph::emit_many(std::string_view op, std::span<const value> inputs,
                                           std::span<const tensor_type> types, std::vector<attribute> attributes) {
  node n{.op = op,
         .inputs = {},
         .outputs = {},
         .attributes = std::move(attributes),
         .origin = current_origin(),
         .domain = {}};
  n.inputs.reserve(inputs.size());
  for (const value& v : inputs) n.inputs.push_back(v.id());
  std::vector<value> results;
  for (const tensor_type& t : types) {
    n.outputs.push_back(add_value(t, current_));
    results.emplace_back(*this, n.outputs.back());
  }
  append(add_node(std::move(n)));
  return results;
}

inline value graph::emit(std::string_view op, std::span<const value> inputs, tensor_type type,
                         std::vector<attribute> attributes) {
  node n{.op = op,
         .inputs = {},
         .outputs = {},
         .attributes = std::move(attributes),
         .origin = current_origin(),
         .domain = {}};
  n.inputs.reserve(inputs.size());
  for (const value& v : inputs) n.inputs.push_back(v.id());
  const value_id out = add_value(std::move(type), current_);
  n.outputs.push_back(out);
  append(add_node(std::move(n)));
  return {*this, out};
}

inline value graph::emit(std::string_view op, std::initializer_list<value> inputs, tensor_type type,
                         std::vector<attribute> attributes) {
  return emit(op, std::span<const value>(inputs.begin(), inputs.size()), std::move(type), std::move(attributes));
}

inline void graph::set_outputs(block_id b, std::span<const value> outputs) {
  at(b).outputs.clear();
  for (const value& v : outputs) at(b).outputs.push_back(v.id());
}

}  // namespace jax2onnx
