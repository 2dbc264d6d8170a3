// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/batching/control_rules.hpp>
#include <jax2onnx/lower/batching/index_rules.hpp>
#include <jax2onnx/lower/control/open_body.hpp>
#include <jax2onnx/lower/control/printed_index.hpp>

/// Rules of mutable references. If the content differs between devices, as the blocks of a kernel do, the content has
/// leading axes, and an access selects all elements along these axes. If the index also differs, the access becomes a
/// slice of the content.
namespace jax2onnx::lower::batching {

/// The names of the axes of a kernel's grid, by the axis of program_id.
inline constexpr std::array<std::string_view, 16> program_axes = {
    "program 0", "program 1", "program 2",  "program 3",  "program 4",  "program 5",  "program 6",  "program 7",
    "program 8", "program 9", "program 10", "program 11", "program 12", "program 13", "program 14", "program 15"};

/// The names of grid axes that vmap added; program_id does not count them.
inline constexpr std::array<std::string_view, 16> hidden_axes = {
    "hidden 0", "hidden 1", "hidden 2",  "hidden 3",  "hidden 4",  "hidden 5",  "hidden 6",  "hidden 7",
    "hidden 8", "hidden 9", "hidden 10", "hidden 11", "hidden 12", "hidden 13", "hidden 14", "hidden 15"};

/// program_id varies along the axis of the grid that it names, if the programs are computed at once.
inline varyings program_id(equation_view& e) {
  const auto axis = e.param<std::int64_t>("axis");
  const auto i = axis >= 0 && axis < std::ssize(program_axes)
                     ? e.axes().find(program_axes[static_cast<std::size_t>(axis)])
                     : std::nullopt;
  if (!i) return e.unchanged();
  const axis_set one = axis_set{1} << *i;
  const aval t = e.prefixed(e.out_type(), one);
  return {e.emit1("iota", {},
                  {e.extents("shape", t.dims),
                   e.number("dimension", 0),
                   {"dtype", e.store().value_of(parameter(e.out_type().type()))}},
                  t, one)};
}

/// An access to a reference: the operands that are its index, and the part that it selects.
class ref_access {
 public:
  /// The variables of the index are the operands from `first` on, except the last `others` operands.
  ref_access(equation_view& e, std::size_t first, std::size_t others) : e_(e) {
    e.operands_from(first + others);  // throws if there are too few operands
    ref_ = e.operands()[0];
    const auto all = e.operands_from(first);
    variables_.assign(all.begin(), all.end() - static_cast<std::ptrdiff_t>(others));
    for (const varying& v : variables_) {
      of_index_ |= v.along;
      has_arrays_ = has_arrays_ || e.rank(v) > 0;
    }
    if (e.equation().form == jaxpr::equation_form::plain)
      e.unsupported("its index is printed as a tree: print the jaxpr with custom_pp_eqn_rules=True");
  }

  const varying& ref() const { return ref_; }
  /// Returns whether the index differs between devices.
  bool differs() const { return of_index_ != 0; }
  axis_set along() const { return ref_.along | of_index_; }

  /// The operands of another access with the same index.
  /// @{
  varyings read_operands() const {
    varyings out{ref_};
    out.insert(out.end(), variables_.begin(), variables_.end());
    return out;
  }
  varyings write_operands(const varying& update) const {
    varyings out{ref_, update};
    out.insert(out.end(), variables_.begin(), variables_.end());
    return out;
  }
  /// @}

  /// The printed index with full slices inserted for the leading axes.
  std::string_view widened() {
    std::string out;
    const std::string_view text = e_.equation().index;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '[') e_.unsupported("transforms of a mutable reference are not supported");
      const std::size_t end = std::min(text.find(']', at), text.size() - 1);
      const std::string_view inner = text.substr(at + 1, end - at - 1);
      if (has_arrays_ && !are_adjacent(inner)) e_.unsupported("arrays index axes that are not adjacent");
      out += '[';
      if (inner != "...")
        for (std::int64_t i = 0; i < count(ref_.along); ++i) out += inner.empty() && i == 0 ? ":" : ":,";
      out += std::string(inner) + ']';
      at = end + 1;
    }
    return e_.store().text(std::move(out));
  }

  /// The slice of the local array that the index selects. A negative start counts from the end of the array. For a
  /// `masked` access, `beyond` undefined elements after the array are part of the array.
  struct region {
    std::vector<varying> starts;
    shape sizes;  ///< an axis with a single index has size 1
    ints beyond;  ///< for each axis, the number of undefined elements after the array
  };
  region slice_of(const shape& dims, bool masked) {
    const std::string_view text = e_.equation().index;
    if (has_arrays_) e_.unsupported("an array that differs between devices indexes a mutable reference");
    if (text.find(']') != text.size() - 1 || text.front() != '[')
      e_.unsupported("a chained index differs between devices");
    region out;
    std::size_t next = 0;
    std::string_view rest = text.substr(1, text.size() - 2);
    for (const dim whole : dims) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto axis = printed_axis_of(comma > 0 ? rest.substr(0, comma) : ":");
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      if (!axis) e_.unsupported("an index of this form differs between devices");
      const std::int64_t size = axis->size.value_or(1);
      const bool to_end = size == printed_axis::to_end;
      out.sizes.push_back(to_end ? e_.owner().dims().sub(whole, *axis->first) : dim(size));
      const bool is_whole = axis->first == 0 && out.sizes.back() == whole;
      const dim reach = masked && !is_whole ? out.sizes.back() : dim(0);
      out.beyond.push_back(reach.is_constant() ? reach.extent() : 0);
      const dim extent = e_.owner().dims().add(whole, out.beyond.back());
      if (axis->first) {
        out.starts.push_back(e_.literal(std::to_string(known_start(*axis->first, extent)), start_type()));
        continue;
      }
      out.starts.push_back(from_front(take(next), extent));
      if (axis->size) ++next;  // a slice i:i+2 names its start twice
    }
    return out;
  }

 private:
  /// Returns whether the axes indexed by integers are adjacent. If so, the leading axes come first in the result.
  static bool are_adjacent(std::string_view index) {
    int runs = 0;
    bool before = false;
    while (!index.empty()) {
      const std::size_t comma = std::min(index.find(','), index.size());
      const bool is_integer = index.substr(0, comma).find(':') == std::string_view::npos;
      runs += is_integer && !before ? 1 : 0;
      before = is_integer;
      index.remove_prefix(std::min(comma + 1, index.size()));
    }
    return runs <= 1;
  }
  varying take(std::size_t& next) {
    if (next >= variables_.size()) e_.unsupported("an index lacks operands");
    return variables_[next++];
  }
  static aval start_type() { return {element_named("i32"), {}}; }
  std::int64_t known_start(std::int64_t at, dim whole) {
    if (at >= 0) return at;
    if (!whole.is_constant()) e_.unsupported("an index is negative, along an axis of symbolic extent");
    return whole.extent() + at;
  }
  /// Converts a start to int32. A negative start counts from the end and becomes the position from the front.
  varying from_front(varying start, dim whole) {
    const aval given = e_.local_type(start), number = start_type(), truth{element_named("bool"), {}};
    const auto of_starts = [&](const aval& scalar) { return e_.prefixed(scalar, start.along); };
    if (given.elem != number.elem)
      start = e_.emit1("convert_element_type", {start}, {{"new_dtype", e_.store().value_of(parameter(number.type()))}},
                       of_starts(number), start.along);
    if (!whole.is_constant()) e_.unsupported("an index differs between devices, along an axis of symbolic extent");
    const varying zero = e_.literal("0", number), extent = e_.literal(std::to_string(whole.extent()), number);
    const varying is_negative = e_.emit1("lt", {start, zero}, {}, of_starts(truth), start.along);
    const varying from_end = e_.emit1("add", {start, extent}, {}, of_starts(number), start.along);
    return e_.emit1("select_n", {is_negative, start, from_end}, {}, of_starts(number), start.along);
  }

  equation_view& e_;
  varying ref_;
  varyings variables_;
  axis_set of_index_ = 0;
  bool has_arrays_ = false;
};

/// The value of unwritten memory, as a literal (unwritten.hpp).
inline varying unwritten_number(equation_view& e, const aval& scalar) {
  if (scalar.is_complex()) return e.literal("(nan+nanj)", scalar);
  if (is_floating(scalar.type())) return e.literal("nan", scalar);
  if (is_boolean(scalar.type())) return e.literal("False", scalar);
  if (is_unsigned_integer(scalar.type())) return e.literal("0", scalar);
  return e.literal(std::to_string(std::numeric_limits<std::int64_t>::min() >> (64 - bits(scalar.type()))), scalar);
}

/// Appends undefined elements to x along each axis after the leading axes.
inline varying padded_after(equation_view& e, const varying& x, const ints& beyond) {
  aval t = e.type(x);
  const aval scalar{t.elem, {}};
  std::vector<jaxpr::value> config;
  const std::int64_t k = count(x.along);
  for (std::int64_t d = 0; d < t.rank(); ++d) {
    const std::int64_t high = d < k ? 0 : beyond[static_cast<std::size_t>(d - k)];
    config.push_back(e.store().value_of(parameter{0, high, 0}));
    t.dims[static_cast<std::size_t>(d)] = e.owner().dims().add(t.dims[static_cast<std::size_t>(d)], high);
  }
  const varying fill = unwritten_number(e, scalar);
  return e.emit1("pad", {x, fill}, {{"padding_config", e.store().list_of(std::move(config))}}, t, x.along);
}

/// Reads a slice whose position differs between devices.
inline varying read_region(equation_view& e, const varying& x, const ref_access::region& r, const aval& out) {
  aval sliced = out;
  sliced.dims = r.sizes;
  jaxpr::equation eqn;
  eqn.primitive = "dynamic_slice";
  eqn.params = e.store().keep(std::vector{e.extents("slice_sizes", r.sizes)});
  eqn.outs = e.store().keep(std::vector<jaxpr::binder>{{"", e.store().type(sliced), 0}});
  eqn.where = e.equation().where;
  varyings operands{x};
  operands.insert(operands.end(), r.starts.begin(), r.starts.end());
  equation_view view = e.instead(eqn, operands);
  const varying found = dynamic_slice(view).front();
  return e.reshape(found, found.along, out.dims);
}
/// x with `update` in place of a slice; the position of the slice differs between devices.
inline varying write_region(equation_view& e, const varying& x, const varying& update, const ref_access::region& r) {
  const aval whole = e.local_type(x);
  jaxpr::equation eqn;
  eqn.primitive = "dynamic_update_slice";
  eqn.outs = e.store().keep(std::vector<jaxpr::binder>{{"", e.store().type(whole), 0}});
  eqn.where = e.equation().where;
  varyings operands{x, e.reshape(update, update.along, r.sizes)};
  operands.insert(operands.end(), r.starts.begin(), r.starts.end());
  equation_view view = e.instead(eqn, operands);
  return dynamic_update_slice(view).front();
}

/// The elements that an access reads, of type `out`. A `masked` access may exceed the array.
inline varying read_ref(equation_view& e, ref_access& access, const aval& out, bool masked) {
  const varying& ref = access.ref();
  if (access.differs()) {
    varying x = whole_content(e, ref);
    const ref_access::region r = access.slice_of(e.local_type(x).dims, masked);
    if (masked) x = padded_after(e, x, r.beyond);
    return read_region(e, x, r, out);
  }
  jaxpr::equation made = e.equation();
  made.primitive = masked ? "masked_load" : "get";
  made.form = jaxpr::equation_form::get;
  made.index = access.widened();
  made.params = {};
  return e.add(made, access.read_operands(), {e.prefixed(out, ref.along)}, ref.along).front();
}

/// Writes to the elements that an access selects.
inline void write_ref(equation_view& e, ref_access& access, varying update, bool masked) {
  const varying& ref = access.ref();
  if ((update.along | access.along()) & ~ref.along)
    e.unsupported("a value that differs between devices is written to a mutable reference that all devices share");
  update = e.full(update, ref.along);
  if (access.differs()) {
    varying x = whole_content(e, ref);
    const aval whole = e.type(x);
    const ref_access::region r = access.slice_of(e.local_type(x).dims, masked);
    if (masked) x = padded_after(e, x, r.beyond);
    varying written = write_region(e, x, update, r);
    for (std::int64_t d = 0; d < whole.rank(); ++d)
      if (e.type(written).dims[static_cast<std::size_t>(d)] != whole.dims[static_cast<std::size_t>(d)])
        written = e.slice(written, d, 0, whole.dims[static_cast<std::size_t>(d)].extent());
    e.emit("swap", std::array{ref, written}, {whole_index(e)}, {}, ref.along);
    return;
  }
  jaxpr::equation made = e.equation();
  made.primitive = masked ? "masked_swap" : "swap";
  made.form = jaxpr::equation_form::swap;
  made.index = access.widened();
  made.params = {};
  e.add(made, access.write_operands(update), {}, ref.along);
}

/// get. In this rule and in the rules below, the local type of the accessed elements is the type of the result, or of
/// the new value.
inline varyings get(equation_view& e) {
  ref_access access(e, 1, 0);
  return {read_ref(e, access, e.out_type(), false)};
}
inline varyings swap(equation_view& e) {
  ref_access access(e, 2, 0);
  varyings old;
  if (!e.equation().outs.empty()) old.push_back(read_ref(e, access, e.out_type(), false));
  write_ref(e, access, e.operands()[1], false);
  return old;
}
inline varyings addupdate(equation_view& e) {
  ref_access access(e, 2, 0);
  const varying &ref = access.ref(), &update = e.operands()[1];
  const aval t = e.local_type(update);
  if (update.along & ~ref.along)
    e.unsupported("a value that differs between devices is written to a mutable reference that all devices share");
  const varying more = e.full(update, ref.along);
  if (!access.differs()) {  // stays an addupdate: an array may index an element several times
    jaxpr::equation made = e.equation();
    made.index = access.widened();
    made.params = {};
    e.add(made, access.write_operands(more), {}, ref.along);
    return {};
  }
  const varying old = read_ref(e, access, t, false);
  const varying sum = e.emit1("add_any", {e.full(old, ref.along), more}, {}, e.prefixed(t, ref.along), ref.along);
  write_ref(e, access, sum, false);
  return {};
}

/// x where the mask is true, else y. The result has the local type t.
inline varying masked(equation_view& e, const varying& mask, varying x, varying y, const aval& t) {
  const axis_set along = mask.along | x.along | y.along;
  const auto wide = [&](const varying& v) {
    const aval local = e.local_type(v);
    if (local.dims == t.dims) return e.full(v, along);
    if (local.rank() > t.rank()) e.unsupported("a mask has more dimensions than the masked array");
    aval made = e.type(v);
    made.dims = e.axes().extents(v.along);
    ints from(static_cast<std::size_t>(count(v.along)));
    std::iota(from.begin(), from.end(), 0);
    for (std::int64_t d = t.rank() - local.rank(); d < t.rank(); ++d) from.push_back(count(v.along) + d);
    made.dims.insert(made.dims.end(), t.dims.begin(), t.dims.end());
    const std::vector params{e.extents("shape", made.dims), e.numbers("broadcast_dimensions", from)};
    return e.full(e.emit1("broadcast_in_dim", {v}, params, made, v.along), along);
  };
  x = wide(x);
  y = wide(y);
  return e.emit1("select_n", {wide(mask), y, x}, {}, e.prefixed(t, along), along);
}

/// The number of trailing operands that are the mask or the values that replace masked elements.
inline std::size_t count_masks(equation_view& e) {
  return static_cast<std::size_t>(e.equation().find("mask") != nullptr) +
         static_cast<std::size_t>(e.equation().find("other") != nullptr);
}
inline varyings masked_load(equation_view& e) {
  const std::size_t masks = count_masks(e);
  ref_access access(e, 1, masks);
  const aval t = e.out_type();
  const varying found = read_ref(e, access, t, true);
  if (masks < 2) return {found};
  const varyings& all = e.operands();
  varying other = all.back();
  if (e.type(other).elem != t.elem) {
    aval wide = e.type(other);
    wide.elem = t.elem;
    other = e.emit1("convert_element_type", {other}, {{"new_dtype", e.store().value_of(parameter(t.type()))}}, wide,
                    other.along);
  }
  return {masked(e, all[all.size() - 2], found, other, t)};
}
inline varyings masked_swap(equation_view& e) {
  const std::size_t masks = count_masks(e);
  ref_access access(e, 2, masks);
  const varying update = e.operands()[1];
  const aval t = e.local_type(update);
  const varying old = read_ref(e, access, t, true);
  write_ref(e, access, masks == 0 ? update : masked(e, e.operands().back(), update, old, t), true);
  if (e.equation().outs.empty()) return {};
  return {masks == 0 ? old : masked(e, e.operands().back(), old, update, t)};
}

/// run_scoped: the new references differ along the same axes as the kernel's references.
inline varyings run_scoped(equation_view& e) {
  const auto& body = *e.param<const jaxpr::body*>("jaxpr");
  const jaxpr::value* shared = e.find("collective_axes");
  if (shared && !shared->items.empty()) e.unsupported("its threads share memory");
  varyings args = e.operands();
  const axis_set along = e.all().of_references;
  for (const jaxpr::binder& b : body.invars) {
    aval t = e.driver().type_of(b.annotation);
    if (!t.ref) e.unsupported("a parameter of its jaxpr is not a mutable reference");
    t.ref = false;
    const aval scalar{t.elem, {}}, wide = e.prefixed(t, along);
    const varying fill = unwritten_number(e, scalar);
    const varying content =
        e.emit1("broadcast_in_dim", {fill}, {e.extents("shape", wide.dims), e.numbers("broadcast_dimensions", {})},
                wide, along);
    aval ref = wide;
    ref.ref = true;
    args.push_back(e.emit1("new_ref", {content}, {}, ref, along));
  }
  return call_body(e, opened(e.driver(), body), args);
}

}  // namespace jax2onnx::lower::batching
