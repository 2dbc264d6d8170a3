// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes to encoded models, by bytes or by protobuf messages, and models of random operators.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/emit/wire.hpp>
#include <jax2onnx/operators/records/find.hpp>

namespace fuzz {

namespace fields = jax2onnx::detail::onnx_fields;

/// The messages that can be changed inside.
enum class message_kind : std::uint8_t {
  none,
  model,
  opset,
  graph,
  function,
  node,
  attribute,
  value,
  type,
  holder,
  tensor_type,
  shape,
  extent,
  tensor
};

/// A field of a message, and the kind of message that it holds.
struct nesting {
  message_kind outer;
  std::uint32_t field;
  message_kind inner;
};
inline constexpr nesting nestings[] = {
    {message_kind::model, fields::model_graph, message_kind::graph},
    {message_kind::model, fields::model_opset_import, message_kind::opset},
    {message_kind::model, fields::model_functions, message_kind::function},
    {message_kind::graph, fields::graph_node, message_kind::node},
    {message_kind::graph, fields::graph_initializer, message_kind::tensor},
    {message_kind::graph, fields::graph_input, message_kind::value},
    {message_kind::graph, fields::graph_output, message_kind::value},
    {message_kind::graph, fields::graph_value_info, message_kind::value},
    {message_kind::function, fields::function_node, message_kind::node},
    {message_kind::function, fields::function_attribute_default, message_kind::attribute},
    {message_kind::function, fields::function_opset_import, message_kind::opset},
    {message_kind::node, fields::node_attribute, message_kind::attribute},
    {message_kind::attribute, fields::attribute_t, message_kind::tensor},
    {message_kind::attribute, fields::attribute_g, message_kind::graph},
    {message_kind::attribute, fields::attribute_tp, message_kind::type},
    {message_kind::value, fields::value_type, message_kind::type},
    {message_kind::type, fields::type_tensor, message_kind::tensor_type},
    {message_kind::type, fields::type_sequence, message_kind::holder},
    {message_kind::type, fields::type_optional, message_kind::holder},
    {message_kind::holder, fields::element_type, message_kind::type},
    {message_kind::tensor_type, fields::tensor_type_shape, message_kind::shape},
    {message_kind::shape, fields::shape_dim, message_kind::extent},
};

/// Numbers near a bound or with a special meaning.
inline constexpr std::int64_t integers[] = {
    0,  1,  -1,  2,   3,   4,  5,  7,     8,       10,        16,        17,        23,        26,
    27, 33, 127, 255, 257, -2, -3, 65536, 1 << 30, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, std::int64_t{1} << 62};
/// Strings that are values of some operators' attributes.
inline constexpr std::string_view texts[] = {"",
                                             "none",
                                             "add",
                                             "mul",
                                             "max",
                                             "min",
                                             "constant",
                                             "reflect",
                                             "edge",
                                             "wrap",
                                             "linear",
                                             "nearest",
                                             "cubic",
                                             "half_pixel",
                                             "asymmetric",
                                             "align_corners",
                                             "pytorch_half_pixel",
                                             "floor",
                                             "ceil",
                                             "round_prefer_floor",
                                             "NOTSET",
                                             "VALID",
                                             "SAME_UPPER",
                                             "SAME_LOWER",
                                             "forward",
                                             "reverse",
                                             "bidirectional",
                                             "Tanh",
                                             "Sigmoid",
                                             "mean",
                                             "sum",
                                             "DCR",
                                             "CRD",
                                             "tanh",
                                             "bilinear",
                                             "zeros",
                                             "ij,jk->ik",
                                             "ij,ij->",
                                             "i,i->i",
                                             "i",
                                             "\x1b[31m"};

/// A protobuf message as a list of fields. Fields of known message types are trees as well.
struct wire_tree {
  std::uint32_t number = 0, type = 0;      // of the field
  std::uint64_t scalar = 0;                // if it is a number
  std::string bytes = {};                  // if it is a string or an unknown message
  message_kind kind = message_kind::none;  // if it is a known message
  std::vector<wire_tree> parts = {};

  /// Returns false if the bytes are not a message.
  bool read(std::string_view from, message_kind as, int depth = 0);
  std::string written() const;
};

inline bool read_varint(std::string_view& from, std::uint64_t& n) {
  n = 0;
  for (int shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    n |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

inline message_kind kind_of(message_kind outer, std::uint32_t field) {
  for (const nesting& n : nestings)
    if (n.outer == outer && n.field == field) return n.inner;
  return message_kind::none;
}

inline bool wire_tree::read(std::string_view from, message_kind as, int depth) {
  constexpr int deepest = 60;
  kind = as;
  while (!from.empty()) {
    wire_tree part;
    std::uint64_t tag = 0, length = 0;
    if (depth > deepest || !read_varint(from, tag)) return false;
    part.number = static_cast<std::uint32_t>(tag >> 3);
    part.type = tag & 7;
    if (part.type == 0) {
      if (!read_varint(from, part.scalar)) return false;
    } else {
      if (part.type == 1 || part.type == 5) length = part.type == 1 ? 8 : 4;
      else if (part.type != 2 || !read_varint(from, length)) return false;
      if (length > from.size()) return false;
      part.bytes = from.substr(0, length);
      from.remove_prefix(length);
    }
    const message_kind inner = part.type == 2 ? kind_of(as, part.number) : message_kind::none;
    if (inner != message_kind::none && !part.read(part.bytes, inner, depth + 1)) {
      part.kind = message_kind::none;
      part.parts.clear();
    }
    parts.push_back(std::move(part));
  }
  return true;
}

inline void write_varint(std::string& to, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) to += static_cast<char>(n | 0x80);
  to += static_cast<char>(n);
}

inline std::string wire_tree::written() const {
  std::string out;
  for (const wire_tree& part : parts) {
    write_varint(out, std::uint64_t{part.number} << 3 | part.type);
    const std::string content = part.kind == message_kind::none ? part.bytes : part.written();
    if (part.type == 0) write_varint(out, part.scalar);
    if (part.type == 2) write_varint(out, content.size());
    if (part.type != 0) out += content;
  }
  return out;
}

/// Random choices.
class dice {
 public:
  explicit dice(std::uint64_t seed) : rng_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng_); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class Range>
  auto& any(Range& all) {
    return *(std::begin(all) + static_cast<std::ptrdiff_t>(below(std::size(all))));
  }

 private:
  std::mt19937_64 rng_;
};

/// Changes the fields of a model, with material from a second one.
class model_mutation {
 public:
  model_mutation(wire_tree& model, const wire_tree& donor, dice& random) : model_(model), random_(random) {
    collect(model_, here_);
    collect(donor, there_);
  }

  void apply() {
    if (here_.empty()) return;
    const place p = random_.any(here_);
    std::vector<wire_tree>& all = p.outer->parts;
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(p.index);
    switch (random_.below(8)) {
      case 0: all.erase(at); break;
      case 1: all.insert(at, wire_tree(*at)); break;
      case 2: std::swap(*at, random_.any(all)); break;
      case 3: exchange(p, *at); break;
      default: change(p, *at); break;
    }
  }

 private:
  template <class Tree>
  struct place_in {
    Tree* outer;
    std::size_t index;
  };
  using place = place_in<wire_tree>;

  template <class Tree>
  void collect(Tree& from, std::vector<place_in<Tree>>& into) {
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
      into.push_back({&from, i});
      collect(from.parts[i], into);
    }
  }

  /// Replaces a field by another one of its kind, from either model.
  void exchange(const place& p, wire_tree& field) {
    std::vector<const wire_tree*> like;
    const auto add = [&](const auto& places) {
      for (const auto& q : places) {
        const wire_tree& other = q.outer->parts[q.index];
        if (q.outer->kind == p.outer->kind && other.number == field.number) like.push_back(&other);
      }
    };
    add(here_);
    add(there_);
    wire_tree by = *random_.any(like);
    field = std::move(by);
  }

  /// Changes the content of a field: a number, a name, or the first fields of a message.
  void change(const place& p, wire_tree& field) {
    if (field.type == 0) {
      field.scalar = static_cast<std::uint64_t>(random_.any(integers));
    } else if (field.kind != message_kind::none) {
      if (!field.parts.empty()) change({&field, 0}, random_.any(field.parts));
    } else if (p.outer->kind == message_kind::node && field.number == fields::node_op_type) {
      const auto records = jax2onnx::all_records();
      field.bytes = random_.any(records)->name;
    } else if (p.outer->kind == message_kind::tensor || field.type != 2) {
      other_elements(field.bytes);
    } else if (random_.one_in(3)) {
      field.bytes.clear();  // an absent operand
    } else if (random_.one_in(4)) {
      field.bytes = random_.any(texts);
    } else {
      exchange(p, field);
    }
  }

  /// Replaces elements by zeros, all-ones patterns, infinities, NaN or other values.
  void other_elements(std::string& bytes) {
    constexpr std::string_view patterns[] = {std::string_view("\0\0\0\0", 4),     "\xff\xff\xff\xff",
                                             std::string_view("\0\0\x80\x7f", 4), std::string_view("\0\0\xc0\x7f", 4),
                                             std::string_view("\0\0\x80\x3f", 4), std::string_view("\0\0\0\x80", 4)};
    const std::string_view pattern = random_.any(patterns);
    const std::size_t from = bytes.empty() || random_.one_in(2) ? 0 : random_.below(bytes.size()) / 4 * 4;
    for (std::size_t i = from; i < bytes.size() && (from == 0 || i < from + 4); ++i) bytes[i] = pattern[i % 4];
  }

  wire_tree& model_;
  dice& random_;
  std::vector<place> here_;
  std::vector<place_in<const wire_tree>> there_;
};

/// Models of random operators on inputs and constants of many types. Some operands are absent, some attributes odd.
class random_model {
 public:
  explicit random_model(dice& random) : random_(random) {}
  std::string encoded();

 private:
  using record = jax2onnx::op_record;
  using writer = jax2onnx::detail::wire_writer;
  struct operand {
    std::string name;
    jax2onnx::dtype type;  // undefined: unknown
  };

  void add_operands();
  void add_input(std::string name, jax2onnx::dtype type, const std::vector<std::int64_t>& extents);
  void add_constant(std::string name, jax2onnx::dtype type, const std::vector<std::int64_t>& extents);
  void add_node(const record& r);
  std::string operand_for(const record& r, std::size_t i);
  std::string attribute_of(const record& r, const jax2onnx::formal_attribute& a);
  std::string tensor(std::string_view name, jax2onnx::dtype type, const std::vector<std::int64_t>& extents);
  std::string body(std::size_t inputs);
  const record& any_record();
  std::int64_t any_integer() { return random_.one_in(4) ? random_.any(integers) : small(); }
  std::int64_t small() { return static_cast<std::int64_t>(random_.below(6)) - 1; }
  float any_float();

  dice& random_;
  int opset_ = 23;
  std::vector<operand> operands_;
  std::string inputs_, initializers_, nodes_, outputs_;
  int results_ = 0;
};

namespace detail {

template <class Fill>
std::string message(const Fill& fill) {
  std::string out;
  jax2onnx::detail::wire_writer to(out);
  fill(to);
  return out;
}
inline std::string value_info(std::string_view name, jax2onnx::dtype type, const std::vector<std::int64_t>& extents) {
  return message([&](auto& to) {
    to.text(fields::value_name, name);
    to.message(fields::value_type, [&] {
      to.message(fields::type_tensor, [&] {
        to.integer(fields::tensor_type_elem, static_cast<std::int64_t>(type));
        to.message(fields::tensor_type_shape, [&] {
          for (const std::int64_t n : extents)
            to.message(fields::shape_dim, [&] {
              if (n >= 0) to.integer(fields::dim_value, n);
              else to.text(fields::dim_param, "N");
            });
        });
      });
    });
  });
}

}  // namespace detail

inline float random_model::any_float() {
  constexpr float odd[] = {0.f,
                           -0.f,
                           1.f,
                           -1.f,
                           2.f,
                           0.5f,
                           -3.f,
                           1e-7f,
                           1e30f,
                           std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN()};
  return random_.any(odd);
}

inline std::string random_model::tensor(std::string_view name, jax2onnx::dtype type,
                                        const std::vector<std::int64_t>& extents) {
  std::uint64_t count = 1;
  for (const std::int64_t n : extents) count *= static_cast<std::uint64_t>(n);
  std::string raw;
  const std::uint64_t size = jax2onnx::byte_size(type, count);
  for (std::uint64_t i = 0; raw.size() < size && i < count; ++i) {
    const float f = any_float();
    const std::int64_t n = small();
    if (type == jax2onnx::dtype::f32) raw.append(reinterpret_cast<const char*>(&f), 4);
    else
      raw.append(reinterpret_cast<const char*>(&n), std::max<std::size_t>(1, static_cast<std::size_t>(bits(type)) / 8));
  }
  raw.resize(size);
  if (type == jax2onnx::dtype::boolean)
    for (char& c : raw) c &= 1;
  return detail::message([&](writer& to) {
    for (const std::int64_t n : extents) to.integer(fields::tensor_dims, n);
    to.integer(fields::tensor_data_type, static_cast<std::int64_t>(type));
    to.text(fields::tensor_name, name);
    to.text(fields::tensor_raw_data, raw);
  });
}

inline void random_model::add_input(std::string name, jax2onnx::dtype type, const std::vector<std::int64_t>& extents) {
  writer(inputs_).text(fields::graph_input, detail::value_info(name, type, extents));
  operands_.push_back({std::move(name), type});
}

inline void random_model::add_constant(std::string name, jax2onnx::dtype type,
                                       const std::vector<std::int64_t>& extents) {
  writer(initializers_).text(fields::graph_initializer, tensor(name, type, extents));
  operands_.push_back({std::move(name), type});
}

/// Most operands have one shape, so that operators with several operands apply.
inline void random_model::add_operands() {
  using enum jax2onnx::dtype;
  constexpr jax2onnx::dtype types[] = {f32, f32, f32, f32, f64, f16, i64, i32, boolean, u8, i8, bf16, u32};
  const std::vector<std::int64_t> shapes[] = {{2, 3},       {3},    {},      {1},    {2, 1, 3},
                                              {1, 2, 4, 4}, {4, 4}, {-1, 3}, {0, 3}, {2, 4, 3}};
  const jax2onnx::dtype type = random_.any(types);
  const auto& extents = random_.any(shapes);
  const auto& other = random_.any(shapes);
  add_input("x", type, extents);
  add_input("y", type, random_.one_in(2) ? extents : other);
  add_input("t", random_.any(types), random_.any(shapes));
  const bool known = std::find(other.begin(), other.end(), -1) == other.end();
  add_constant("c", type, known ? other : std::vector<std::int64_t>{3});
  add_constant("s", type, random_.one_in(2) ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{1});
  add_constant("n", i64, {static_cast<std::int64_t>(random_.below(4))});
  add_constant("m", i64, {static_cast<std::int64_t>(random_.below(2) + 1)});
  add_constant("k", i64, {});
  add_constant("b", boolean, {});
}

inline const random_model::record& random_model::any_record() {
  const auto records = jax2onnx::all_records();
  while (true) {
    const record& r = *random_.any(records);
    if (!r.domain.empty() && !random_.one_in(8)) continue;
    if (jax2onnx::find_record(r.domain, r.name, jax2onnx::domain_version(r.domain, opset_)) == &r) return r;
  }
}

inline std::string random_model::operand_for(const record& r, std::size_t i) {
  const jax2onnx::formal* const f = record::at(r.inputs, i);
  for (int attempt = 0; attempt < 20; ++attempt) {
    // Results of earlier nodes are at the end, and are preferred in half of the cases.
    const std::size_t from = random_.one_in(2) ? 0 : operands_.size() - std::min<std::size_t>(operands_.size(), 3);
    const operand& o = operands_[from + random_.below(operands_.size() - from)];
    if (!f || o.type == jax2onnx::dtype::undefined || random_.one_in(30)) return o.name;
    if (r.constraints[f->type].allowed.has({o.type, {}})) return o.name;
  }
  return "";
}

inline std::string random_model::body(std::size_t inputs) {
  return detail::message([&](writer& to) {
    const std::string result = inputs == 0 ? "x" : "b0";
    for (std::size_t i = 0; i < inputs; ++i)
      to.text(fields::graph_input,
              detail::message([&](writer& v) { v.text(fields::value_name, "b" + std::to_string(i)); }));
    for (const char* name : {"r0", "r1"}) {
      to.message(fields::graph_node, [&] {
        to.text(fields::node_input, random_.one_in(3) ? "b" : result);
        to.text(fields::node_output, name);
        to.text(fields::node_op_type, "Identity");
      });
      to.text(fields::graph_output, detail::message([&](writer& v) { v.text(fields::value_name, name); }));
    }
    to.text(fields::graph_name, "body");
  });
}

inline std::string random_model::attribute_of(const record& r, const jax2onnx::formal_attribute& a) {
  using jax2onnx::attribute_kind;
  const std::size_t length = random_.below(5);
  const attribute_kind kind = random_.one_in(40) ? static_cast<attribute_kind>(random_.below(9)) : a.kind;
  return detail::message([&](writer& to) {
    to.text(fields::attribute_name, a.name);
    const auto as = [&](std::int64_t number) { to.integer(fields::attribute_type, number); };
    switch (kind) {
      case attribute_kind::integer: to.integer(fields::attribute_i, any_integer()), as(fields::kind_int); break;
      case attribute_kind::real: to.number(fields::attribute_f, any_float()), as(fields::kind_float); break;
      case attribute_kind::text:
        to.text(fields::attribute_s,
                a.standard.text.empty() || random_.one_in(2) ? random_.any(texts) : a.standard.text);
        as(fields::kind_string);
        break;
      case attribute_kind::integers:
        for (std::size_t i = 0; i < length; ++i) to.integer(fields::attribute_ints, any_integer());
        as(fields::kind_ints);
        break;
      case attribute_kind::reals:
        for (std::size_t i = 0; i < length; ++i) to.number(fields::attribute_floats, any_float());
        as(fields::kind_floats);
        break;
      case attribute_kind::texts:
        for (std::size_t i = 0; i < length; ++i) to.text(fields::attribute_strings, random_.any(texts));
        as(fields::kind_strings);
        break;
      case attribute_kind::body:
        to.text(fields::attribute_g, body(r.name == "If" ? 0 : random_.below(4)));
        as(fields::kind_graph);
        break;
      case attribute_kind::type:
        to.message(fields::attribute_tp, [&] {
          to.message(fields::type_tensor, [&] { to.integer(fields::tensor_type_elem, any_integer()); });
        });
        as(fields::kind_type);
        break;
      default:
        to.text(fields::attribute_t, tensor("", jax2onnx::dtype::f32, {static_cast<std::int64_t>(random_.below(3))}));
        as(fields::kind_tensor);
    }
  });
}

inline void random_model::add_node(const record& r) {
  const bool many = !r.inputs.empty() && r.inputs.back().count == jax2onnx::presence::variadic;
  std::size_t count = r.least_inputs;
  if (r.inputs.size() > count) count += random_.below(r.inputs.size() - count + 1);
  if (many) count += random_.below(3);
  if (random_.one_in(40)) count = random_.below(6);
  std::size_t results = std::max<std::size_t>(r.least_outputs, 1);
  if (r.outputs.size() > results) results += random_.below(r.outputs.size() - results + 1);
  writer nodes(nodes_);
  nodes.message(fields::graph_node, [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const jax2onnx::formal* const f = record::at(r.inputs, i);
      const bool optional = f && f->count == jax2onnx::presence::optional;
      nodes.text(fields::node_input, random_.one_in(optional ? 3 : 40) ? "" : operand_for(r, i));
    }
    for (std::size_t i = 0; i < results; ++i) {
      const std::string name = random_.one_in(i == 0 ? 60 : 4) ? "" : "r" + std::to_string(results_++);
      nodes.text(fields::node_output, name);
      if (name.empty()) continue;
      operands_.push_back({name, jax2onnx::dtype::undefined});
      writer(outputs_).text(fields::graph_output,
                            detail::message([&](writer& to) { to.text(fields::value_name, name); }));
    }
    nodes.text(fields::node_op_type, r.name);
    for (const jax2onnx::formal_attribute& a : r.attributes)
      if (a.given == jax2onnx::formal_attribute::need::required ? !random_.one_in(40) : random_.one_in(3))
        nodes.text(fields::node_attribute, attribute_of(r, a));
    nodes.text(fields::node_domain, r.domain);
  });
}

inline std::string random_model::encoded() {
  opset_ = static_cast<int>(17 + random_.below(10));
  add_operands();
  for (std::size_t n = 1 + random_.below(4); n > 0; --n) add_node(any_record());
  return detail::message([&](writer& to) {
    to.integer(fields::model_ir_version, 10);
    to.text(fields::model_graph, nodes_ + detail::message([&](writer& g) { g.text(fields::graph_name, "g"); }) +
                                     initializers_ + inputs_ + outputs_);
    to.message(fields::model_opset_import, [&] { to.integer(fields::opset_version, opset_); });
    for (const char* domain : {"ai.onnx.ml", "ai.onnx.preview.training"})
      to.message(fields::model_opset_import, [&] {
        to.text(fields::opset_domain, domain);
        to.integer(fields::opset_version, jax2onnx::domain_version(domain, opset_));
      });
  });
}

/// The ways to change models.
enum class way : std::uint8_t { bytes, fields, operators };

/// A changed model, with material of `donor`. If it is not a model, its bytes are changed.
inline std::string changed(std::string_view model, std::string_view donor, way how, std::uint64_t seed) {
  dice random(seed);
  if (how == way::operators) return random_model(random).encoded();
  wire_tree tree, other;
  if (how == way::fields && tree.read(model, message_kind::model)) {
    if (!other.read(donor, message_kind::model)) other.parts.clear();
    for (std::size_t n = 1 + random.below(3); n > 0; --n) model_mutation(tree, other, random).apply();
    return tree.written();
  }
  std::string out(model);
  for (std::size_t n = 1 + random.below(4); n > 0 && !out.empty(); --n) {
    char& byte = random.any(out);
    if (random.one_in(3)) byte = static_cast<char>(random.below(256));
    else if (random.one_in(2)) byte = static_cast<char>(byte ^ (1 << random.below(8)));
    else if (random.one_in(2)) out.erase(random.below(out.size()), 1 + random.below(4));
    else out.insert(random.below(out.size()), 1 + random.below(3), static_cast<char>(random.below(256)));
  }
  return out;
}

}  // namespace fuzz
