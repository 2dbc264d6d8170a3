// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <climits>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/graph/functions/names.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

/// Primitives and jitted functions that a program maps to one node, or to the nodes that a Python function builds.
namespace jax2onnx_python {

namespace nb = nanobind;
using jaxpr_kind = jaxpr::value::kind;

/// Carries an exception of Python through the converter. It does not derive from std::exception, because the converter
/// would report such an exception as its own.
struct passed_through {
  std::exception_ptr error;  ///< the exception, a nb::python_error
};

/// One call of a Python function that builds nodes.
struct building {
  const jax2onnx::site* site;  ///< the equation; null when the call has ended
};
/// Ends the call when it is destroyed. Builders and tensors that the program keeps throw build_error from then on.
struct ended {
  std::shared_ptr<building> call;
  ~ended() { call->site = nullptr; }
};

/// A tensor of the model that is built. Usable during the call that it belongs to.
struct tensor {
  std::shared_ptr<building> call;
  jax2onnx::value made;

  const jax2onnx::value& get() const {
    if (!call->site) throw jax2onnx::build_error("a tensor is used after the call that built it");
    return made;
  }
};

/// The dtype as JAX prints it, and the extents, each a number or a text with symbols.
inline nb::tuple described(const jax2onnx::graph& g, const jax2onnx::tensor_type& t) {
  nb::list extents;
  for (const jax2onnx::dim d : t.dims) {
    if (d.is_constant()) extents.append(d.extent());
    else extents.append(g.dims().text(d));
  }
  return nb::make_tuple(name(t.type), nb::tuple(extents));
}

/// The dtype that NumPy or JAX calls `text`, such as `float32` or `f32`; throws build_error if there is none.
inline jax2onnx::dtype dtype_of(std::string_view text) {
  const jax2onnx::element found = jax2onnx::element_named(text);
  if (found.cls != jax2onnx::element_class::plain)
    throw jax2onnx::build_error("'" + std::string(text) + "' is not an ONNX element type");
  return found.part;
}

using type_text = std::tuple<std::string, std::vector<nb::object>>;  // dtype, extents

inline jax2onnx::tensor_type type_of(jax2onnx::graph& g, const type_text& stated) {
  const auto& [element, extents] = stated;
  jax2onnx::tensor_type made{dtype_of(element), {}};
  for (const nb::object& extent : extents)
    made.dims.push_back(nb::isinstance<nb::str>(extent) ? g.dims().parse(nb::cast<std::string>(extent))
                                                        : jax2onnx::dim(nb::cast<std::int64_t>(extent)));
  return made;
}

inline jax2onnx::tensor_constant constant_of(nb::handle given) {
  const auto t = nb::cast<nb::tuple>(given);
  const auto extents = nb::cast<std::vector<std::int64_t>>(t[1]);
  const auto elements = nb::cast<nb::bytes>(t[2]);
  return {{dtype_of(nb::cast<std::string>(t[0])), jax2onnx::shape(extents.begin(), extents.end())},
          jax2onnx::bytes(std::string(elements.c_str(), elements.size()))};
}

/// The kind of attribute for a Python object, if no record states it.
inline jax2onnx::attribute_kind kind_of(nb::handle given) {
  using enum jax2onnx::attribute_kind;
  if (nb::isinstance<nb::int_>(given)) return integer;  // true for bool also
  if (nb::isinstance<nb::float_>(given)) return real;
  if (nb::isinstance<nb::str>(given)) return text;
  if (nb::isinstance<nb::tuple>(given)) return tensor;
  const auto list = nb::cast<nb::list>(given);
  if (nb::len(list) == 0 || nb::isinstance<nb::int_>(list[0])) return integers;
  return nb::isinstance<nb::str>(list[0]) ? texts : reals;
}

/// An attribute from a Python object: a number, a string, a list of them, or an array as (dtype, shape, bytes).
inline jax2onnx::attribute::content content_of(nb::handle given, jax2onnx::attribute_kind kind) {
  switch (kind) {
    using enum jax2onnx::attribute_kind;
    case integer:
      if (nb::isinstance<nb::str>(given)) return static_cast<std::int64_t>(dtype_of(nb::cast<std::string>(given)));
      return nb::cast<std::int64_t>(given);
    case real: return static_cast<float>(nb::cast<double>(given));
    case text: return nb::cast<std::string>(given);
    case integers: {
      const auto numbers = nb::cast<std::vector<std::int64_t>>(given);
      return jax2onnx::ints(numbers.begin(), numbers.end());
    }
    case reals: return nb::cast<std::vector<float>>(given);
    case texts: return nb::cast<std::vector<std::string>>(given);
    case tensor: return constant_of(given);
    default: throw jax2onnx::build_error("an attribute must be a number, a string, a list of them or an array");
  }
}

/// An operand: a tensor, a number, a list of integers, or None.
inline jax2onnx::operand operand_of(nb::handle given) {
  if (given.is_none()) return {};
  if (nb::isinstance<tensor>(given)) return nb::cast<const tensor&>(given).get();
  if (nb::isinstance<nb::bool_>(given)) return nb::cast<bool>(given);
  if (nb::isinstance<nb::int_>(given)) return nb::cast<std::int64_t>(given);
  if (nb::isinstance<nb::float_>(given)) return nb::cast<double>(given);
  const auto numbers = nb::cast<std::vector<std::int64_t>>(given);
  return jax2onnx::ints(numbers.begin(), numbers.end());
}

/// Builds nodes for a Python function.
class builder {
 public:
  explicit builder(std::shared_ptr<building> call) : call_(std::move(call)) {}

  int opset() const { return graph().opset(); }
  /// The types of the results of the equation. A complex number or a key has the type of its parts.
  nb::list results() const {
    nb::list out;
    for (const jax2onnx::aval& t : site().out_types()) out.append(described(graph(), t.part()));
    return out;
  }

  /// Adds a node of an ONNX operator. Checks operands and attributes against ONNX's record of the operator.
  nb::list node(const std::string& op, const nb::list& operands, const nb::dict& attributes, std::size_t results) {
    const jax2onnx::op_record* const record = jax2onnx::find_record("", op, INT_MAX);
    if (!record) jax2onnx::throw_no_operator("", op, opset());
    std::vector<jax2onnx::operand> inputs;
    for (nb::handle given : operands) inputs.push_back(operand_of(given));
    jax2onnx::graph& g = graph();
    auto made = inputs.empty() ? jax2onnx::node_builder(g, op) : jax2onnx::node_builder(op, inputs);
    for (const auto& [key, given] : attributes) {
      const std::string_view name = g.intern(nb::cast<std::string>(key));
      const jax2onnx::formal_attribute* const formal = record->find(name);
      made.put(name, content_of(given, formal ? formal->kind : kind_of(given)));
    }
    return tensors(made.build(results));
  }

  /// Adds a node of another domain than ONNX's, with results of these types.
  nb::list own_node(const std::string& domain, const std::string& op, const nb::list& operands,
                    const nb::dict& attributes, const std::vector<type_text>& types) {
    jax2onnx::detail::require_domain(domain);
    jax2onnx::detail::require_identifier("operator", op);
    std::vector<jax2onnx::value> inputs;
    for (nb::handle given : operands) inputs.push_back(nb::cast<const tensor&>(given).get());
    std::vector<jax2onnx::attribute> made;
    for (const auto& [key, given] : attributes) {
      const auto name = nb::cast<std::string>(key);
      jax2onnx::detail::require_identifier("attribute", name);
      made.push_back({graph().intern(name), content_of(given, kind_of(given))});
    }
    std::vector<jax2onnx::tensor_type> outputs;
    for (const type_text& t : types) outputs.push_back(type_of(graph(), t));
    return tensors(graph().emit_many(jax2onnx::operator_name::unchecked(graph().intern(op)), inputs, outputs,
                                     std::move(made), graph().intern(domain)));
  }

  /// A constant. `given` is a tuple (dtype, shape, bytes).
  tensor constant(const nb::tuple& given) {
    const jax2onnx::tensor_constant made = constant_of(given);
    return {call_, graph().constant(made.type(), made.data())};
  }

  /// A value of JAX for Python: a tensor, or a tuple of tensors for complex numbers and keys.
  nb::object shown(const jax2onnx::jax_value& v) const {
    if (v.count == 1) return nb::cast(tensor{call_, v.re()});
    nb::list parts;
    for (std::size_t p = 0; p < v.count; ++p) parts.append(tensor{call_, v.part(p)});
    return nb::tuple(parts);
  }

 private:
  const jax2onnx::site& site() const {
    if (!call_->site) throw jax2onnx::build_error("nodes can be built during the call only");
    return *call_->site;
  }
  jax2onnx::graph& graph() const { return site().g; }
  nb::list tensors(const std::vector<jax2onnx::value>& made) const {
    nb::list out;
    for (const jax2onnx::value& v : made) out.append(tensor{call_, v});
    return out;
  }

  std::shared_ptr<building> call_;
};

/// A parameter as a Python value if Python has such a value; otherwise the text that JAX printed.
inline nb::object parameter(const jaxpr::value& v) {
  const auto list_of = [](jaxpr::list<jaxpr::value> items) {
    nb::list out;
    for (const jaxpr::value& item : items) out.append(parameter(item));
    return out;
  };
  switch (v.tag) {
    case jaxpr_kind::none: return nb::none();
    case jaxpr_kind::boolean: return nb::bool_(v.flag);
    case jaxpr_kind::integer: return nb::int_(v.integer);
    case jaxpr_kind::floating: return nb::float_(v.floating);
    case jaxpr_kind::string: return nb::str(v.text.data() + 1, v.text.size() - 2);
    case jaxpr_kind::tuple: return nb::tuple(list_of(v.items));
    case jaxpr_kind::sequence: return list_of(v.items);
    default: return nb::str(v.text.data(), v.text.size());
  }
}

/// A result of the function: a tensor, a tuple of parts, or None for a result that nothing reads.
inline jax2onnx::jax_value result_of(nb::handle made) {
  if (made.is_none()) return {};
  if (nb::isinstance<tensor>(made)) return nb::cast<const tensor&>(made).get();
  const auto parts = nb::cast<nb::tuple>(made);
  if (nb::len(parts) > jax2onnx::max_parts) throw jax2onnx::build_error("a result has too many parts");
  return jax2onnx::from_parts(nb::len(parts), [&](std::size_t p) { return nb::cast<const tensor&>(parts[p]).get(); });
}

/// The list of results that `function(builder, operands, parameters)` returns; nullopt for NotImplemented.
inline std::optional<jax2onnx::jax_values> built_by(nb::handle function, const jax2onnx::site& s) {
  const ended call{std::make_shared<building>(&s)};
  const builder b(call.call);
  nb::list operands;
  for (const jax2onnx::jax_value& v : s.ins()) operands.append(b.shown(v));
  nb::dict parameters;
  for (const jaxpr::param& p : s.equation().params) {
    const std::string_view key = s.key_of(p);
    parameters[nb::str(key.data(), key.size())] = parameter(p.val);
  }
  const nb::object results = function(b, operands, parameters);
  if (results.is(nb::handle(Py_NotImplemented))) return std::nullopt;
  s.ignore_all("the program says what they mean");
  jax2onnx::jax_values out;
  for (nb::handle made : nb::cast<nb::list>(results)) out.push_back(result_of(made));
  return out;
}

/// The name of the function that an equation calls: `gelu` of jit[name=gelu ...]; empty if no parameter names it.
inline std::string_view function_name(const jax2onnx::site& s) {
  const jaxpr::value* const v = s.find("name");
  return v ? v->text : std::string_view();
}

using own_operator = std::tuple<std::string, std::string, std::vector<std::string>>;  // domain, name, attributes

/// A parameter as an attribute of a node: a number, a list of integers, or the printed text.
inline jax2onnx::attribute::content attribute_content(const jax2onnx::site& s, std::string_view key) {
  const jaxpr::value& v = s.tree(key);
  switch (v.tag) {
    case jaxpr_kind::boolean: return std::int64_t{v.flag};
    case jaxpr_kind::integer: return v.integer;
    case jaxpr_kind::floating: return static_cast<float>(v.floating);
    case jaxpr_kind::string: return std::string(v.text.substr(1, v.text.size() - 2));
    case jaxpr_kind::name: return std::string(v.text);
    case jaxpr_kind::tuple:
    case jaxpr_kind::sequence: return s.param<jax2onnx::ints>(key);
    default:
      s.unsupported("the parameter '" + std::string(key) + "' cannot be an attribute",
                    "an attribute must be a number, a string or a list of integers");
  }
}

/// One node with the operands and results of the equation. The parameters that `what` names become attributes.
inline jax2onnx::jax_values one_node(const own_operator& what, const jax2onnx::site& s) {
  const auto& [domain, name, attributes] = what;
  jax2onnx::detail::require_domain(domain);
  jax2onnx::detail::require_identifier("operator", name);
  std::vector<jax2onnx::attribute> made;
  for (const std::string& key : attributes) made.push_back({s.g.intern(key), attribute_content(s, key)});
  s.ignore_all("the program says what the operator has to know");
  std::vector<jax2onnx::tensor_type> types;
  for (const jax2onnx::aval& t : s.out_types()) types.push_back(t.part());
  const auto results = s.g.emit_many(jax2onnx::operator_name::unchecked(s.g.intern(name)), s.in_values(), types,
                                     std::move(made), s.g.intern(domain));
  return {results.begin(), results.end()};
}

/// An entry of `operators=`: a primitive, or jitted functions of one name. `target` is an own_operator as a tuple, or
/// a function for built_by().
struct mapping {
  std::string primitive, function;  ///< if `function` is empty, every equation of the primitive is meant
  nb::handle target;
  nb::set applied;  ///< gets (primitive, function) when the mapping meets an equation
};

/// The results of a mapping; nullopt if it leaves the equation to the converter. Takes the GIL.
inline std::optional<jax2onnx::jax_values> mapped(const mapping& m, const jax2onnx::site& s) {
  nb::gil_scoped_acquire gil;
  try {
    nb::set(m.applied).add(nb::make_tuple(m.primitive, m.function));
    if (nb::isinstance<nb::tuple>(m.target)) return one_node(nb::cast<own_operator>(m.target), s);
    return built_by(m.target, s);
  } catch (const nb::python_error&) {
    throw passed_through{std::current_exception()};
  }
}

/// Lowerers that apply a program's mappings, which must outlive them.
inline jax2onnx::user_lowerers lowerers_of(const std::vector<mapping>& mappings) {
  std::map<std::string, std::vector<const mapping*>> by_primitive;
  for (const mapping& m : mappings) by_primitive[m.primitive].push_back(&m);
  jax2onnx::user_lowerers made;
  for (auto& [primitive, candidates] : by_primitive)
    made.emplace(primitive, [candidates = std::move(candidates)](const jax2onnx::site& s) {
      for (const mapping* m : candidates)
        if (m->function.empty() || m->function == function_name(s))
          if (auto results = mapped(*m, s)) return std::move(*results);
      return lower_builtin(s);
    });
  return made;
}

}  // namespace jax2onnx_python
