// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Operators of other domains for primitives whose computation is unknown. An extension of the runtime provides them.
namespace jax2onnx::lower {

/// Removes addresses from a printed value, since they differ between runs.
inline std::string without_addresses(std::string_view printed) {
  constexpr std::string_view before = " at 0x";
  std::string out;
  while (true) {
    const std::size_t at = printed.find(before);
    out += printed.substr(0, at);
    if (at == printed.npos) return out;
    printed.remove_prefix(
        std::min(printed.find_first_not_of("0123456789abcdefABCDEFX", at + before.size()), printed.size()));
  }
}

/// A parameter as an attribute: integers, lists of integers, floats, True and False as 1 and 0, anything else as a
/// string.
inline attribute::content attribute_of(const jaxpr::value& v) {
  using kind = jaxpr::value::kind;
  if (v.tag == kind::boolean) return std::int64_t{v.flag};
  if (v.tag == kind::integer) return v.integer;
  if (v.tag == kind::floating) return static_cast<float>(v.floating);
  if (v.tag == kind::tuple || v.tag == kind::sequence) {
    const auto is_integer = [](const jaxpr::value& item) { return item.tag == kind::integer; };
    if (!v.items.empty() && item_loops::all_of(v.items, is_integer)) {
      ints list;
      for (const jaxpr::value& item : v.items) list.push_back(item.integer);
      return list;
    }
  }
  return without_addresses(v.text);
}

/// An equation as one node of another domain. The node has the printed types, and all parameters that are not None as
/// attributes. Complex numbers and keys are single tensors with a last axis for their parts, as at the interface of a
/// model.
inline jax_values custom_operator(const site& s, std::string_view domain, std::string_view name) {
  if (!s.refs().empty()) s.unsupported("operators of other domains cannot have mutable references as operands");
  std::vector<value> operands;
  std::vector<tensor_type> types;
  std::vector<attribute> attributes;
  for (std::size_t i = 0; i < s.arity(); ++i) operands.push_back(pack(s.in_parts(i), s.in_type(i)));
  for (const aval& t : s.out_types()) types.push_back(packed_type(t));
  for (const jaxpr::param& p : s.equation().params)
    if (p.val.tag != jaxpr::value::kind::none)
      attributes.push_back({s.g.intern(compat::key(s.primitive(), p.key)), attribute_of(p.val)});
  s.ignore_all("they are attributes of the node");
  const std::vector<value> made = s.g.emit_many(operator_name::unchecked(s.g.intern(name)), operands, types,
                                                std::move(attributes), s.g.intern(domain));
  jax_values out;
  for (std::size_t i = 0; i < made.size(); ++i) out.push_back(unpack(made[i], s.out_type(i)));
  return out;
}

/// The domain of primitives that are kept because they have no lowering.
inline constexpr std::string_view kept_domain = "jax";

/// Lowers an equation. If the primitive has no lowering, the equation becomes a node of `kept_domain`, named like the
/// primitive.
inline jax_values lower_or_keep(const site& s) {
  return find_row(builtin_lowerings(), s.primitive()) ? lower_builtin(s)
                                                      : custom_operator(s, kept_domain, s.primitive());
}

}  // namespace jax2onnx::lower
