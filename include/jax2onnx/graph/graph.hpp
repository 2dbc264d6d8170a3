// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/chunked_vector.hpp>
#include <jax2onnx/graph/dim.hpp>
#include <jax2onnx/graph/dim_table.hpp>
#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/graph/interval.hpp>
#include <jax2onnx/graph/live_graphs.hpp>
#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/graph/read_log.hpp>
#include <jax2onnx/graph/sharding.hpp>
#include <jax2onnx/graph/symbol_equations.hpp>
#include <jax2onnx/graph/tensor_type.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx {

/// Ids of a graph's values, nodes and blocks. They stay valid as long as the graph.
/// @{
enum class value_id : std::uint32_t { none = 0xffffffff };
enum class node_id : std::uint32_t { none = 0xffffffff };
enum class block_id : std::uint32_t { main = 0, none = 0xffffffff };
/// @}

/// A list of axes, a permutation or an integer attribute. An index out of range throws a build_error.
using ints = checked_vector<std::int64_t>;

/// An attribute of a node.
struct attribute {
  /// The content of an attribute; a block_id is a subgraph.
  using content = std::variant<std::int64_t, float, std::string, ints, std::vector<float>, block_id,
                               std::vector<std::string>, tensor_constant, tensor_type>;
  std::string_view name;  ///< the name, a view of a literal or of a text that the graph interned
  content value;          ///< its value
  /// In a function, the name of the function's attribute that gives the value, interned by the graph.
  std::string_view reference = {};

  friend bool operator==(const attribute&, const attribute&) = default;
};

/// One ONNX operator call. An absent optional input is value_id::none.
struct node {
  operator_name op;                        ///< the operator, a view of a literal or of a text that the graph interned
  std::vector<value_id> inputs = {};       ///< the operands in ONNX's order
  std::vector<value_id> outputs = {};      ///< the results in ONNX's order; value_id::none for one that nothing needs
  std::vector<attribute> attributes = {};  ///< the attributes, in the order in which they are written
  std::uint32_t origin = 0;                ///< index into graph::origins()
  std::string_view domain = {};            ///< the domain; empty for ai.onnx

  /// The attribute with this name; null if there is none.
  const attribute* find(std::string_view name) const {
    for (const attribute& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
};

/// A body: the main graph, or a subgraph that a node's attribute refers to. The body of a function is also a
/// block. Inner blocks see the values of outer blocks.
struct block {
  block_id parent = block_id::none;    ///< the enclosing block; none for the main graph and the body of a function
  std::vector<value_id> inputs = {};   ///< its inputs, in order
  std::vector<value_id> outputs = {};  ///< its outputs, in order
  std::vector<node_id> nodes = {};     ///< its nodes in topological order
};

/// A function of the model (ONNX's FunctionProto): an operator of a custom domain that the model defines by nodes.
/// Nodes that call it have its domain and name as their operator.
struct model_function {
  std::string_view domain;  ///< the domain, interned by the graph
  std::string_view name;    ///< the name, interned by the graph
  /// The block of the function's nodes, with types that cover all calls; none if the function was never called.
  block_id body = block_id::none;
  std::vector<block_id> traces = {};       ///< the same nodes for the types of each call; empty if `body` was rewritten
  std::vector<attribute> attributes = {};  ///< the attributes that calls may give, with their defaults
  std::string doc = {};                    ///< free text
  bool open = false;                       ///< true while the function's body is being traced
};

/// A user's notes on a node.
struct node_note {
  std::string name = {};  ///< the name; empty if there is none
  std::string doc = {};   ///< free text; empty if there is none
};

/// The options of a new graph.
struct graph_options {
  int opset = 23;                   ///< the version of ONNX's default operator set
  std::string name = "main_graph";  ///< the name of the main graph
  std::string doc = {};             ///< free text about the model
};

/// The maximum depth of nested blocks below the main graph. Protobuf readers accept 100 nested messages, and a subgraph
/// takes three messages.
inline constexpr int most_nested_blocks = 31;

/// The origin of a node, for names and metadata.
struct origin {
  std::uint32_t begin = 0;      ///< first byte in the source text
  std::uint32_t end = 0;        ///< the position after the last byte
  std::string_view annotation;  ///< Python file:line and scope, as printed
  std::uint32_t caller = 0;     ///< index of the origin of the call that contains this node; 0 if no call contains it
};

/// The graph's record of a value.
struct value_record {
  tensor_type type;                  ///< dtype and shape
  std::string name;                  ///< the preferred name; emission makes names unique
  node_id producer = node_id::none;  ///< the node that computes the value; none for an input of a block or a constant
  block_id home = block_id::main;    ///< the block that the value belongs to
  std::int32_t constant = -1;        ///< index of a constant's bytes; -1 for a value that is not a constant
};

/// States how a tensor is divided among devices at a node that reads or makes it.
struct sharding_statement {
  node_id node;              ///< the node
  value_id tensor;           ///< one of its inputs or outputs
  tensor_sharding sharding;  ///< what is stated
};

/// Limits on the size of a graph; exceeding one throws a limit_error. Everything that was ever added counts.
struct graph_limits {
  std::uint64_t nodes = UINT64_MAX;  ///< the number of nodes, including the nodes of subgraphs
  std::uint64_t bytes = UINT64_MAX;  ///< the approximate memory of nodes, types, and constants that are held in place
  std::uint64_t terms = UINT64_MAX;  ///< the number of terms of symbolic extents in all operations on them
};

/// Axis `axis` of input `source`.
struct input_axis {
  value_id source;    ///< an input of the main graph
  std::int64_t axis;  ///< the index of the axis
};

class value;

/// The opsets of ai.onnx that a graph can have.
/// @{
inline constexpr int lowest_opset = 17;
inline constexpr int highest_opset = 28;
/// @}

/// An ONNX model under construction: values and nodes in vectors, named by 32-bit ids. New nodes go to the end of the
/// current block.
/// A graph can be moved, and returned from the function that builds it. Handles (`value`, typed tensors) and open
/// scopes then stay valid and belong to the graph that it was moved to; references to the graph object do not stay
/// valid. A graph that was moved from can be assigned to or destroyed; building in it throws a build_error. Handles
/// must not outlive their graph: verbs throw a build_error for a handle that does. Several threads may read one graph
/// at a time; a thread that changes a graph must be the only one that uses it.
class graph {
 public:
  /// A model with this version of ONNX's default operator set, which must be from lowest_opset to highest_opset. Throws
  /// a build_error otherwise.
  explicit graph(int opset = 23) : graph(graph_options{.opset = opset}) {}
  /// A model with a name and other options: `graph g({.opset = 23, .name = "block"})`.
  explicit graph(graph_options options);
  /// Moves the graph; handles follow it.
  /// @{
  graph(graph&& other) noexcept;
  graph& operator=(graph&& other) noexcept;
  /// @}
  ~graph();

  /// The opset, which decides the form of the operators that verbs emit.
  int opset() const { return state_->options.opset; }
  /// Changes the opset. The operators of all nodes must have the same form in the new opset.
  void state_opset(int opset) { state_->options.opset = opset; }
  /// The options with which the graph was made.
  const graph_options& options() const { return state_->options; }
  /// A graph of the same values, nodes and blocks, with the same ids. Both graphs share the sources of weights.
  graph clone() const;
  /// Sets limits on the size of the graph; at first there are none.
  void set_limits(graph_limits limits) {
    state_->limits = limits;
    state_->dims.limit_work(limits.terms);
  }

  /// The symbolic extents of the graph.
  dim_table& dims() { return require_state(), state_->dims; }
  /// The symbolic extents of the graph.
  const dim_table& dims() const { return require_state(), state_->dims; }

  /// Sets the version of a custom domain that the model imports; the default is 1. Throws a build_error for ai.onnx,
  /// for a name that cannot be a domain, for a number below 1, and if another version was set before.
  void set_domain_version(std::string_view domain, int number);
  /// The versions that were set, by domain.
  const std::map<std::string, int, std::less<>>& domain_versions() const { return state_->domain_versions; }
  /// Adds an entry to the model's metadata, or replaces it.
  void set_metadata(std::string_view key, std::string_view value);
  /// The model's metadata, in the order in which the entries were added.
  const std::vector<std::pair<std::string, std::string>>& metadata() const { return state_->metadata; }

  /// A new input of the current block.
  /// Throws a build_error for a type without elements, for a negative extent and, in the main graph, for a name that
  /// another input or output has.
  value input(tensor_type type, std::string name);
  /// A constant from its bytes (little endian, row major; types of less than 8 bits are packed). Equal unnamed
  /// constants of up to 4096 bytes that are held in place are one value. Throws a build_error if the type is not a
  /// tensor with elements, if the shape is not constant, or if the bytes are too many or too few.
  value constant(tensor_type type, bytes data, std::string name = {});
  /// Counts memory that a constant holds besides its bytes. Returns false and counts nothing if all constants together
  /// would then hold over half of the limit `bytes`.
  bool hold(std::uint64_t bytes);
  /// A node with one output of type `type`. emit() does not check the type; verbs and node_builder do. Throws a
  /// build_error for an input of another graph, or of a block that is neither the current block nor around it.
  value emit(operator_name op, std::initializer_list<value> inputs, tensor_type type,
             std::vector<attribute> attributes = {});
  /// A node with one output, from a list of inputs whose length is not known while compiling.
  value emit(operator_name op, std::span<const value> inputs, tensor_type type, std::vector<attribute> attributes = {});
  /// A node with an output for every one of `types`. `domain` must outlive the graph.
  std::vector<value> emit_many(operator_name op, std::span<const value> inputs, std::span<const tensor_type> types,
                               std::vector<attribute> attributes = {}, std::string_view domain = {});
  /// A copy of a name that lives as long as the graph, for nodes and attributes whose names are made at run time.
  std::string_view intern(std::string_view name);
  /// Sets the outputs of a block. Throws a build_error for an output that is absent, of another graph, or of a block
  /// that is neither `b` nor around `b`.
  void set_outputs(block_id b, std::span<const value> outputs);

  /// Declares a function of the model, whose body is traced later. Throws a build_error if a function with this domain
  /// and name exists, if the domain or the name is not valid, or if the domain is ONNX's.
  model_function& add_function(std::string_view domain, std::string_view name);
  /// The function that a node with this domain and operator calls; null if the model has no such function.
  /// @{
  model_function* find_function(std::string_view domain, std::string_view name);
  const model_function* find_function(std::string_view domain, std::string_view name) const;
  /// @}
  /// All functions, in the order in which they were declared.
  /// @{
  const std::deque<model_function>& functions() const { return state_->functions; }
  std::deque<model_function>& functions() { return state_->functions; }
  /// @}

  /// The name and the doc that a node was given; null if it was given neither.
  const node_note* note(node_id n) const {
    const std::uint32_t i = state_->note_numbers.find(static_cast<std::int64_t>(n));
    return i == detail::key_map::none ? nullptr : &state_->notes[i];
  }
  /// The name and the doc of a node, to be changed.
  node_note& edit_note(node_id n);

  /// States how tensors are divided among `device_count` devices, which are counted from 0.
  void set_shardings(std::vector<sharding_statement> statements, std::int64_t device_count) {
    state_->shardings = std::move(statements);
    state_->device_count = device_count;
  }
  /// The sharding statements, in the order in which they were given.
  const std::vector<sharding_statement>& shardings() const { return state_->shardings; }
  /// The number of devices; 0 if set_shardings() was not called.
  std::int64_t device_count() const { return state_->device_count; }

  /// From now on, records in `log` which values and blocks are read; null ends the recording. During the recording,
  /// only one thread may use the graph.
  void note_reads(read_log* log) { state_->log = log; }

  /// True if the types of all values are known, as is_known() says; false outside of a known_types_scope.
  bool knows_types() const { return state_->knows_types; }

  /// The block that new nodes go to.
  block_id current() const { return state_->current; }
  /// The outermost block around the current one: the main graph, or the body of a function.
  block_id root() const {
    block_id b = current();
    while (at(b).parent != block_id::none) b = at(b).parent;
    return b;
  }
  /// The block, node or value with this id; the id must belong to this graph. References stay valid when the graph
  /// grows.
  /// @{
  const block& at(block_id b) const {
    if (state_->log) state_->log->note_block();
    return state_->blocks[static_cast<std::size_t>(b)];
  }
  block& at(block_id b) {
    if (state_->log) state_->log->note_block();
    return state_->blocks[static_cast<std::size_t>(b)];
  }
  const node& at(node_id n) const { return state_->nodes[static_cast<std::size_t>(n)]; }
  node& at(node_id n) { return state_->nodes[static_cast<std::size_t>(n)]; }
  const value_record& at(value_id v) const { return record_of(*state_, v); }
  value_record& at(value_id v) { return record_of(*state_, v); }
  /// @}
  /// The bytes of a constant.
  const bytes& data(const value_record& r) const { return state_->constants[static_cast<std::size_t>(r.constant)]; }
  /// The counts of values, nodes and blocks; ids count from 0.
  /// @{
  std::size_t value_count() const { return state_->values.size(); }
  std::size_t node_count() const { return state_->nodes.size(); }
  std::size_t block_count() const { return state_->blocks.size(); }
  /// @}
  /// All origins; the first one is for nodes without an origin.
  const std::vector<origin>& origins() const { return state_->origins; }

  /// Keeps `owner` alive as long as this graph. It owns the text that annotations of origins refer to.
  void keep(std::shared_ptr<const void> owner) { state_->kept.push_back(std::move(owner)); }
  /// Sets the origin of the nodes that are added from now on.
  void set_origin(origin o);
  /// The index of the origin that new nodes get.
  std::uint32_t current_origin() const { return static_cast<std::uint32_t>(state_->origins.size() - 1); }

  /// Adds a value that no node produces yet, for rewrites.
  value_id add_value(tensor_type type, block_id home, std::string name = {});
  /// Adds a node that is in no block yet, for rewrites. Its outputs must be values without a producer.
  node_id add_node(node n);
  /// Puts a node at the end of the current block.
  void append(node_id n) { at(state_->current).nodes.push_back(n); }

  // While the current block is the body of a function, the inputs of the function count as the main inputs.

  /// The first axis of the main inputs with the symbolic extent `d`; null if there is none. Valid until the next
  /// input.
  const input_axis* axis_with_dim(dim d) const { return axis_numbered(state_->known.axis_of.find(d.key())); }
  /// The equation by which a symbol follows from the extents of the main inputs; null if they do not determine it.
  /// Valid until the next input.
  const symbol_equation* equation_of(std::uint32_t atom) { return state_->known.symbols.find(state_->dims, atom); }
  /// The first extent of the main inputs that is k * part + c for constants k and c; `dyn` if there is none.
  dim extent_with(dim part) const {
    const input_axis* axis = axis_numbered(state_->known.axis_of_part.find(part.key()));
    return axis ? at(axis->source).type.dims[static_cast<std::size_t>(axis->axis)] : dim::dyn();
  }

  /// The int64[1] tensor that holds a symbolic dim, as remembered by set_dim_value(); `none` if there is none.
  value_id dim_value(dim d) const { return static_cast<value_id>(state_->known.values.find(d.key())); }
  /// Remembers the int64[1] tensor that holds a symbolic dim.
  void set_dim_value(dim d, value_id v) { state_->known.values.set(d.key(), static_cast<std::uint32_t>(v)); }
  /// Forgets all tensors that set_dim_value() has remembered, for rewrites that may drop them.
  void forget_dim_values() { state_->known.values.clear(); }

  /// The range of a value that the range analysis has set; null if it is not set yet. Valid until the next range is
  /// set.
  const interval* known_range(value_id v) const {
    const std::uint32_t i = state_->range_numbers.find(static_cast<std::int64_t>(v));
    return i == detail::key_map::none ? nullptr : &state_->ranges[i];
  }
  /// Remembers the range of a value: all of its elements are in `r`.
  void set_range(value_id v, const interval& r);

 private:
  friend class value;
  friend class block_scope;
  friend class insertion_scope;
  friend class function_scope;
  friend class known_types_scope;
  friend void output(value v, std::string name);

  /// The sources of the symbolic extents at run time.
  struct known_extents {
    std::vector<input_axis> axes = {};  // for each symbolic extent, the first axis of an input that has it
    detail::key_map values = {};        // the value_id of an extent, by dim::key()
    detail::key_map axis_of = {};       // the index into `axes` of an extent, by dim::key()
    detail::key_map axis_of_part = {};  // the index into `axes` of an extent, by the key of scaled_dim::part
    symbol_equations symbols = {};      // the symbols that the extents of the inputs determine
  };

  using name_set = std::set<std::string, std::less<>>;

  /// The content that handles point to. Its address stays the same when the graph is moved.
  struct state {
    graph* self;  // the graph that owns it
    graph_options options;
    block_id current = block_id::main;
    int nested = 0;  // open blocks besides the main graph
    graph_limits limits = {};
    std::uint64_t spent = 0;  // bytes that count towards limits.bytes
    std::uint64_t held = 0;   // bytes that constants hold besides their elements
    dim_table dims = {};
    read_log* log = nullptr;
    bool knows_types = false;
    // References such as value::dims() stay valid when more values are added.
    detail::chunked_vector<value_record> values = {};
    detail::chunked_vector<node> nodes = {};
    detail::chunked_vector<block> blocks = {};
    std::vector<bytes> constants = {};
    std::vector<origin> origins = {};
    std::vector<std::shared_ptr<const void>> kept = {};
    std::shared_ptr<name_set> names = std::make_shared<name_set>();  // the interned names
    std::deque<model_function> functions = {};
    // The index of a function, by domain and name.
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> function_numbers = {};
    std::deque<node_note> notes = {};
    detail::key_map note_numbers = {};                        // index into `notes` by node_id
    std::set<std::string, std::less<>> interface_names = {};  // the names of inputs and outputs of the main graph
    std::map<std::string, int, std::less<>> domain_versions = {};
    std::vector<std::pair<std::string, std::string>> metadata = {};
    std::vector<sharding_statement> shardings = {};
    std::int64_t device_count = 0;
    known_extents known = {};
    detail::key_map shared_constants = {};  // value_id by the hash of type and bytes
    std::vector<interval> ranges = {};      // the ranges that the range analysis has found
    detail::key_map range_numbers = {};     // index into `ranges` by value_id
  };

  static value_record& record_of(state& s, value_id v) {
    if (s.log) s.log->note({v, read_log::aspect::record});
    return s.values[static_cast<std::size_t>(v)];
  }
  node checked_node(operator_name op, std::span<const value> inputs, std::vector<attribute> attributes,
                    std::string_view domain) const;
  void require_state() const {
    if (!state_) throw build_error("the graph was moved from: use the one that it was moved to");
  }
  void spend(std::uint64_t bytes);
  const input_axis* axis_numbered(std::uint32_t i) const {
    return i == detail::key_map::none ? nullptr : &state_->known.axes[i];
  }
  void note_axes(value_id input);
  void note_axis(dim d, input_axis axis);
  bool encloses(block_id outer, block_id inner) const {
    while (inner != outer && inner != block_id::none) inner = at(inner).parent;
    return inner == outer;
  }
  void take_interface_name(std::string_view name);
  void require_visible(value_id v, block_id from, std::string_view user, std::size_t number) const;
  bool is_constant(value_id v, const tensor_type& type, const bytes& data) const;

  /// The address of a destroyed graph is not reused for a while: see live_graphs.hpp.
  struct state_deleter {
    void operator()(state* s) const noexcept;
  };

  std::unique_ptr<state, state_deleter> state_;
};

/// An untyped handle: a value and the graph that it belongs to. Cheap to copy. A default-constructed handle is an
/// absent optional input.
class value {
 public:
  /// An absent optional input.
  value() = default;
  /// The handle of an id of `g`.
  value(graph& g, value_id id) : state_(g.state_.get()), id_(id) {}

  /// True if the value is present.
  explicit operator bool() const { return id_ != value_id::none; }
  /// The graph of the value. Throws a build_error for an absent value, as record() and the functions that read the
  /// record do.
  graph& owner() const {
    if (!state_) throw_absent();
    return *state_->self;
  }
  /// Throws a build_error if the graph of the value was destroyed. Accepts an absent value.
  void require_graph() const {
    if (state_ && !detail::graph_exists(state_)) throw_without_graph();
  }
  /// The graph's record of the value. References stay valid when the graph grows.
  const value_record& record() const {
    if (!state_) throw_absent();
    return graph::record_of(*state_, id_);
  }
  /// The id; none for an absent value.
  value_id id() const { return id_; }
  /// Type, shape and extents. References stay valid when the graph grows.
  /// @{
  const tensor_type& type() const { return record().type; }
  jax2onnx::dtype dtype() const { return type().type; }
  const shape& dims() const { return type().dims; }
  std::int64_t rank() const { return static_cast<std::int64_t>(dims().size()); }
  dim extent(std::int64_t axis) const {
    if (axis < 0 || axis >= rank()) throw_no_axis(axis);
    return dims()[static_cast<std::size_t>(axis)];
  }
  /// @}
  /// True if the bytes of the value are known: it is a constant of the graph or a weight.
  bool is_constant() const { return record().constant >= 0; }
  /// The bytes of a constant.
  const bytes& data() const { return owner().data(record()); }
  friend bool same_value(const value& a, const value& b) { return a.state_ == b.state_ && a.id_ == b.id_; }

 private:
  [[noreturn]] static void throw_absent();
  [[noreturn]] void throw_no_axis(std::int64_t axis) const;
  [[noreturn]] static void throw_without_graph();

  graph::state* state_ = nullptr;
  value_id id_ = value_id::none;
};

/// True if two handles refer to the same value. `a == b` compares elements: see ops/call/operators.hpp.
bool same_value(const value& a, const value& b);

/// Appends `v` to the model's outputs under a name. Inputs, constants and values that are already outputs are copied
/// (Identity), since each output has its own name. Throws a build_error for an empty name, for a name that another
/// input or output has, for an absent value, for a value of a body, and within a body.
void output(value v, std::string name);

/// `f32[B,784]`, for messages.
std::string text(const graph& g, const tensor_type& t);
/// The type of a value, for messages: `f32[B,784]`; `(absent)` for an absent value.
std::string text(const value& v);

/// A new block, current until the end of the scope.
class block_scope {
 public:
  /// Opens a block inside of the current block. Throws a limit_error if more than most_nested_blocks would be nested.
  explicit block_scope(graph& g);
  ~block_scope() {
    --state_->nested;
    state_->current = outer_;
  }
  block_scope(const block_scope&) = delete;
  block_scope& operator=(const block_scope&) = delete;
  /// The new block, for the attribute of a node.
  block_id id() const { return id_; }

 private:
  graph::state* state_;
  block_id outer_, id_;
};

/// A block that sees only constants and its own inputs, for the body of a function. Current until the end of the scope.
class function_scope {
 public:
  /// Opens a new block.
  explicit function_scope(graph& g) : function_scope(g, block_id::none) {}
  /// Opens the body of a function again.
  function_scope(graph& g, block_id body);
  ~function_scope() {
    state_->current = outer_;
    state_->nested = nested_;
    state_->known = std::move(known_);
  }
  function_scope(const function_scope&) = delete;
  function_scope& operator=(const function_scope&) = delete;
  /// The block.
  block_id id() const { return id_; }

 private:
  graph::state* state_;
  block_id outer_, id_;
  int nested_;
  graph::known_extents known_;
};

/// Makes an existing block current until the end of the scope.
class insertion_scope {
 public:
  /// New nodes go to the end of `where`.
  insertion_scope(graph& g, block_id where) : state_(g.state_.get()), outer_(std::exchange(state_->current, where)) {}
  ~insertion_scope() { state_->current = outer_; }
  insertion_scope(const insertion_scope&) = delete;
  insertion_scope& operator=(const insertion_scope&) = delete;

 private:
  graph::state* state_;
  block_id outer_;
};

/// Finds out whether the types of all values are known; the graph remembers that until the end of the scope. Until
/// then, types may only become more specific.
class known_types_scope {
 public:
  /// Begins the scope.
  explicit known_types_scope(graph& g);
  ~known_types_scope() { state_->knows_types = false; }
  known_types_scope(const known_types_scope&) = delete;
  known_types_scope& operator=(const known_types_scope&) = delete;

 private:
  graph::state* state_;
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/graph/graph.inl.hpp>
#endif
