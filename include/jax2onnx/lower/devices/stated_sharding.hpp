// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/sharding.hpp>
#include <jax2onnx/lower/batching/mesh_text.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>

/// A program's statements about the division of its arrays among devices, in a model that computes for all devices.
/// Source: jax.lax.with_sharding_constraint, jax.sharding.reshard, jax.jit.
namespace jax2onnx::lower::devices {

/// The domain of nodes that mark statements until the graph is complete. Rewrite rules do not change these nodes.
inline constexpr std::string_view statement_domain = "jax.sharding";

using batching::mesh_axes;

/// Replaces each device by `size` devices: itself and the devices after it along one axis of a mesh.
inline std::vector<std::int64_t> along_axis(const std::vector<std::int64_t>& devices, std::int64_t size,
                                            std::int64_t stride) {
  std::vector<std::int64_t> out;
  for (const std::int64_t first : devices)
    for (std::int64_t k = 0; k < size; ++k) out.push_back(first + k * stride);
  return out;
}

/// The sharding of an array whose axes are divided by mesh axes with these names; nullopt for a name that the mesh
/// lacks.
inline std::optional<tensor_sharding> sharding_of(const mesh_axes& mesh,
                                                  const std::vector<std::vector<std::string_view>>& names) {
  std::vector<std::int64_t> strides(mesh.size(), 1);
  for (std::size_t a = mesh.size(); a-- > 1;) strides[a - 1] = strides[a] * mesh[a].second;
  std::vector<bool> divides(mesh.size());
  tensor_sharding out{{}, {}, {0}, 1};
  for (std::size_t d = 0; d < names.size(); ++d) {
    std::int64_t count = 1;
    for (const std::string_view name : names[d]) {
      std::size_t a = 0;
      while (a < mesh.size() && mesh[a].first != name) ++a;
      if (a == mesh.size()) return std::nullopt;
      divides[a] = true;
      count *= mesh[a].second;
      out.devices = along_axis(out.devices, mesh[a].second, strides[a]);
    }
    if (count == 1) continue;
    out.axes.push_back(static_cast<std::int64_t>(d));
    out.parts.push_back(count);
  }
  for (std::size_t a = 0; a < mesh.size(); ++a) {  // devices along the other axes have the same part
    if (divides[a]) continue;
    out.devices = along_axis(out.devices, mesh[a].second, strides[a]);
    out.copies *= mesh[a].second;
  }
  return out;
}

/// Collects the statements of a program. Used for one conversion.
class stated_shardings {
 public:
  /// The stated shardings. The attribute `number` of the node that marks a value is an index of this list.
  const std::vector<tensor_sharding>& all() const { return all_; }
  /// The largest number of devices in a statement.
  std::int64_t device_count() const { return device_count_; }

  /// `operand` after a node that marks the statement in `printed`: NamedSharding(mesh=…, spec=…). Returns `operand`
  /// itself for anything else, for a value of several tensors, for a mesh of one device, and for a specification that
  /// does not fit the mesh or the array.
  jax_value stated(graph& g, const jax_value& operand, const jaxpr::value& printed) {
    const jaxpr::value *mesh = keyword(printed, "mesh"), *spec = keyword(printed, "spec");
    if (!mesh || !spec || operand.count != 1) return operand;
    return stated(g, operand, batching::axes_of_mesh(mesh->text), batching::names_of_specification(*spec));
  }
  /// `operand` after a node that marks the sharding printed in a type of an explicit mesh. Returns `operand` itself if
  /// the type states no sharding, and in the other cases of the function above.
  jax_value stated(graph& g, const jax_value& operand, const mesh_axes& mesh, const jaxpr::type* type) {
    const auto names = batching::names_of_type(type ? type->text : std::string_view());
    return names.empty() || mesh.empty() || operand.count != 1 ? operand : stated(g, operand, mesh, names);
  }

 private:
  jax_value stated(graph& g, const jax_value& operand, const mesh_axes& mesh,
                   const std::vector<std::vector<std::string_view>>& names) {
    const std::int64_t devices = batching::devices_of(mesh);
    if (!g.hold(static_cast<std::uint64_t>(devices) * sizeof(std::int64_t)))
      throw limit_error("the shardings for many devices take too much memory (the limit 'bytes')");
    auto sharding = sharding_of(mesh, names);
    const value x = operand.part(0);
    if (!sharding || devices == 1 || names.size() > x.dims().size()) return operand;
    device_count_ = std::max(device_count_, devices);
    const tensor_type types[] = {x.type()};
    const value out = g.emit_many(operator_name::unchecked("Sharded"), std::span(&x, 1), types,
                                  {{"number", std::ssize(all_)}}, statement_domain)[0];
    all_.push_back(std::move(*sharding));
    return out;
  }

  std::vector<tensor_sharding> all_;
  std::int64_t device_count_ = 0;
};

/// Lowers sharding_constraint and reshard.
template <char const* Key>
jax_values stated_operands(const site& s, stated_shardings& to) {
  jax_values out = lower_builtin(s);
  const jaxpr::value* printed = s.find(Key);
  for (jax_value& v : out)
    if (printed) v = to.stated(s.g, v, *printed);
  s.ignore_all("they concern memory");
  return out;
}
inline constexpr char sharding_key[] = "sharding", dst_sharding_key[] = "dst_sharding";

/// Lowers jit with in_shardings and out_shardings, or jit in a mesh with types that state shardings.
inline jax_values stated_call(const site& s, stated_shardings& to) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  const jaxpr::value* context = s.find("ctx_mesh");
  const mesh_axes mesh = context ? batching::axes_of_mesh(context->text) : mesh_axes();
  const auto state = [&](std::string_view key, jax_values values, std::span<const jaxpr::binder> types) {
    const jaxpr::value* printed = s.find(key);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i < types.size()) values[i] = to.stated(s.g, values[i], mesh, types[i].annotation);
      if (printed && i < printed->items.size()) values[i] = to.stated(s.g, values[i], printed->items[i]);
    }
    return values;
  };
  const jax_values args = state("in_shardings", {s.ins().begin(), s.ins().end()}, body.invars);
  jax_values out = s.inline_body(body, args, s.wanted());
  s.ignore_all("they concern memory and the compiler");
  return state("out_shardings", std::move(out), s.equation().outs);
}

/// Adds the lowerings that collect statements.
inline void add_statement_lowerers(user_lowerers& to, stated_shardings& all) {
  to.insert_or_assign("jit", [&all](const site& s) { return stated_call(s, all); });
  to.insert_or_assign("reshard", [&all](const site& s) { return stated_operands<dst_sharding_key>(s, all); });
  to.insert_or_assign("sharding_constraint", [&all](const site& s) { return stated_operands<sharding_key>(s, all); });
}

}  // namespace jax2onnx::lower::devices
