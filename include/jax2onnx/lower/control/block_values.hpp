#pragma once

#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/lower/site.hpp>

/// JAX values at the edge of a block, where ONNX has a tensor for every part.
namespace jax2onnx::lower {

/// The tensors of the values, one after another.
inline std::vector<value> tensors_of(std::span<const jax_value> values) {
  std::vector<value> out;
  for (const jax_value& o : values) out.insert(out.end(), o.parts.begin(), o.parts.begin() + o.count);
  return out;
}

/// The type of every tensor of values of these types.
inline std::vector<tensor_type> tensor_types_of(std::span<const aval> types) {
  std::vector<tensor_type> out;
  for (const aval& t : types) out.insert(out.end(), t.elem.parts, t.part());
  return out;
}

/// Takes values off a list of tensors.
class tensor_reader {
 public:
  explicit tensor_reader(std::span<const value> tensors) : rest_(tensors) {}
  jax_value take(const aval& type) {
    const jax_value o = from_parts(type.elem.parts, [&](std::size_t p) { return rest_[p]; });
    rest_ = rest_.subspan(o.count);
    return o;
  }
  jax_values take(std::span<const aval> types) {
    jax_values out;
    for (const aval& t : types) out.push_back(take(t));
    return out;
  }

 private:
  std::span<const value> rest_;
};

/// A new input of the current block.
inline jax_value block_input(graph& g, const aval& type, std::string_view name) {
  return from_parts(type.elem.parts, [&](std::size_t) { return g.input(type.part(), std::string(name)); });
}

template <class Item>
void append(std::vector<Item>& to, const std::vector<Item>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The items at the wanted places.
template <class Item>
std::vector<Item> selected(std::span<const Item> items, const selection& wanted) {
  std::vector<Item> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (wants(wanted, i)) out.push_back(items[i]);
  return out;
}

/// The other way: `items` at the wanted places of `count`, the other places empty.
inline jax_values at_wanted(jax_values items, const selection& wanted, std::size_t count) {
  jax_values out(count);
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (wants(wanted, i)) out[i] = std::move(items[next++]);
  return out;
}

/// The mutable references that an equation's bodies may write to, and the JAX types of what they hold.
struct ref_state {
  jax_values refs;
  std::vector<aval> types;

  explicit ref_state(const site& s) : refs(s.refs()) {
    for (const jax_value& r : refs)
      for (std::size_t i = 0; i < s.arity(); ++i)
        if (s.in_parts(i).cell == r.cell) {
          types.push_back(s.in_type(i));
          types.back().ref = false;
          break;
        }
  }
  jax_values contents(const site& s) const {
    jax_values out;
    for (const jax_value& r : refs) out.push_back(s.content(r));
    return out;
  }
  void assign(const site& s, std::span<const jax_value> contents) const {
    for (std::size_t i = 0; i < refs.size(); ++i) s.content(refs[i]) = contents[i];
  }
};

}  // namespace jax2onnx::lower
