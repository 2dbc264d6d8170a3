// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/control/call.hpp>
#include <jax2onnx/lower/control/loop_plan.hpp>
#include <jax2onnx/lower/control/printed_index.hpp>
#include <jax2onnx/lower/control/ref_points.hpp>
#include <jax2onnx/lower/control/types.hpp>
#include <jax2onnx/lower/control/unwritten.hpp>
#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/float_bits.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers mutable references (new_ref, get, swap, addupdate, freeze, run_state, for) without state: a reference is the
/// value that it holds at this point of the program. Source: jax/_src/state/primitives.py and discharge.py.
namespace jax2onnx::lower {

/// The index of one axis: a slice, or a single index, which removes the axis.
struct ref_axis {
  std::optional<std::int64_t> known;  ///< the start, if it is a literal integer
  jax_value computed = {};  ///< if `known` is absent, the start: an integer scalar, or integers that select elements
  /// The size of the slice; -1 for a slice up to the end; nullopt for a single index.
  std::optional<std::int64_t> size;
};

/// Reads a printed index: `[...]`, `[0,:]`, `[1:3]`, `[i]`, `[i:i+2,0]`. Dimensions after the listed axes are selected
/// whole. `variables` are the values of the names in the text, in order.
class ref_index_reader {
 public:
  ref_index_reader(const site& s, std::span<const jax_value> variables) : s_(s), variables_(variables) {}

  std::vector<ref_axis> read(std::string_view text) {
    text = text.substr(1, text.size() - 2);
    std::vector<ref_axis> axes;
    if (text.empty() || text == "...") return axes;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      axes.push_back(axis(text.substr(begin, comma - begin)));
      begin = comma + 1;
    }
    return axes;
  }

 private:
  [[noreturn]] void unsupported(std::string_view text) const {
    s_.unsupported(detail::message("the index '{}' of a mutable reference is not supported", text),
                   "index the reference with integers and slices");
  }
  jax_value variable(std::string_view text) {
    if (variables_.empty()) unsupported(text);
    const jax_value v = variables_.front();
    variables_ = variables_.subspan(1);
    if (v.count != 1) unsupported(text);
    return v;
  }
  jax_value start(std::string_view text) {
    const jax_value v = variable(text);
    if (v.re().rank() != 0) unsupported(text);
    return v;
  }
  ref_axis axis(std::string_view t) {
    const auto printed = printed_axis_of(t);
    if (!printed) unsupported(t);
    if (printed->first) return {printed->first, {}, printed->size};
    if (!printed->size) return {{}, variable(t), {}};
    const ref_axis out{{}, start(t), printed->size};
    start(t);  // a slice i:i+2 names its start twice
    return out;
  }

  const site& s_;
  std::span<const jax_value> variables_;
};

/// The part of an array that an index selects; an axis that the index removes has size 1.
struct ref_place {
  std::vector<slice_start> starts;
  shape sizes;                            ///< sizes of the part
  shape dims;                             ///< extents of the elements that are read or written
  std::optional<ref_points> points = {};  ///< selects elements of the part; nullopt selects all
  shape high = {};  ///< the number of undefined elements appended to the array along each axis; may be empty

  value read(const value& held) const {
    const value part = slice_at(grown(held), starts);
    return points ? points->read(part) : reshape(part, dims);
  }
  value write(const value& held, const value& update) const {
    const value whole = grown(held);
    const value part = points ? points->write(slice_at(whole, starts), update) : reshape(update, sizes);
    return with_part(held, whole, part);
  }
  /// `held` with `update` added to the selected elements; an element that is selected several times gets all of its
  /// updates.
  value add_to(const value& held, const value& update) const {
    if (!points) return write(held, add(read(held), update));
    const value whole = grown(held);
    return with_part(held, whole, points->write(slice_at(whole, starts), update, "add"));
  }

 private:
  value with_part(const value& held, const value& whole, const value& part) const {
    const value written = starts.empty() ? part : update_at(whole, part, starts);
    if (high.empty()) return written;
    const shape zeros(held.dims().size(), dim(0));
    return slice(written, iota_axes(held.rank()), zeros, held.dims(), ints(held.dims().size(), 1));
  }
  value grown(const value& held) const {
    if (high.empty()) return held;
    const aval scalar{element_named(traits(held.dtype()).name), {}};
    return pad(held, shape(high.size(), dim(0)), high, unwritten(held.owner(), scalar).re());
  }
};

/// One step from the content of a reference to the elements that an equation reads or writes: an index, or a printed
/// transform. The type is `before` before the step and `after` after it.
struct ref_step {
  aval before, after;
  std::optional<ref_place> place = {};  ///< an index; nullopt for a reshape or a cast of bits

  /// `held` after the step.
  value read(const value& held) const {
    if (place) return place->read(held);
    return before.elem == after.elem ? reshape(held, after.dims) : from_bits(to_bits(held), after.type());
  }
  /// `held` with `update` written to the elements that read() returns.
  value write(const value& held, const value& update) const {
    if (place) return place->write(held, update);
    return before.elem == after.elem ? reshape(update, before.dims) : from_bits(to_bits(update), before.type());
  }
};

/// Warns if a slice may have a stride above 1, which JAX does not print: `size` elements with stride 2 fit in the
/// array.
inline void warn_of_strides(const site& s, dim start, dim size, dim whole) {
  dim_table& dims = s.g.dims();
  if (!size.is_constant() || size.extent() < 2 || !start.is_constant() || !whole.is_constant()) return;
  if (dims.add(start, dims.mul(2, dims.sub(size, 1))).extent() >= whole.extent()) return;
  s.warn("lower.ref-stride",
         detail::message("the slice '{}' of a mutable reference is read with stride 1: JAX does not print strides",
                         s.equation().index));
}

/// The elements selected by integer indices along some axes, if at least one of the indices is an array; otherwise
/// nullopt.
inline std::optional<ref_points> points_of(const site& s, const std::vector<ref_axis>& axes) {
  ref_points out;
  bool any = false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].size) continue;
    const value at = axes[i].known ? scalar(s.g, dtype::i64, *axes[i].known) : signed_index(axes[i].computed.re());
    any = any || at.rank() > 0;
    out.axes.push_back(static_cast<std::int64_t>(i));
    out.index.push_back(at);
  }
  if (!any) return std::nullopt;
  for (const value& at : out.index) out.batch = infer::broadcast(out.batch, at.dims()).dims;
  return out;
}

/// The treatment of slices that end beyond the array.
enum class past_end : std::uint8_t {
  moved,      ///< the slice is moved to begin earlier
  undefined,  ///< for masked loads and stores: the array is followed by as many undefined elements as a slice has
};

/// The start `at` of a slice along an axis of extent `whole`. A negative start counts from the end. If the extents are
/// static, the start is then moved into the bounds.
inline dim start_within(dim_table& dims, std::int64_t at, dim whole, dim size) {
  const dim start = at >= 0 ? dim(at) : dims.add(whole, at), last = dims.sub(whole, size);
  if (!start.is_constant() || !last.is_constant()) return start;
  return std::clamp<std::int64_t>(start.extent(), 0, std::max<std::int64_t>(last.extent(), 0));
}

/// The part that an index selects in an array of extents `dims`.
inline ref_place place_of(const site& s, const std::vector<ref_axis>& axes, const shape& dims, past_end rule) {
  if (axes.size() > dims.size())
    s.unsupported(detail::message("the index '{}' has more dimensions than its reference", s.equation().index));
  ref_place place{{}, dims, {}, points_of(s, axes)};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    dim whole = dims[i];
    if (i >= axes.size()) {
      place.dims.push_back(whole);
      continue;
    }
    if (place.points && !axes[i].size) continue;
    dim size = axes[i].size ? dim(*axes[i].size) : dim(1);
    if (axes[i].size == -1) size = s.g.dims().sub(whole, *axes[i].known);
    if (axes[i].size) place.dims.push_back(size);
    if (axes[i].known == 0 && size == whole) continue;
    if (axes[i].size) warn_of_strides(s, axes[i].known.value_or(0), size, whole);
    slice_start start{static_cast<std::int64_t>(i), size, 0, {}};
    const dim grown = rule == past_end::undefined ? s.g.dims().add(whole, size) : whole;
    if (axes[i].known) {
      start.known = start_within(s.g.dims(), *axes[i].known, grown, size);
      const dim end = s.g.dims().add(start.known, size);
      if (rule == past_end::undefined && provably_less(s.g.dims(), whole, end)) {
        place.high.resize(dims.size(), dim(0));
        place.high[i] = s.g.dims().sub(end, whole);
      }
    } else {
      const value at = signed_index(axes[i].computed.re());
      const open_ends ends = open_ends_of(s.g, range_of(at), s.g.dims().sub(whole, size));
      if (rule == past_end::undefined && (ends.low || ends.high)) {
        place.high.resize(dims.size(), dim(0));
        place.high[i] = size;
        whole = grown;
      }
      // A negative start counts from the end, as in NumPy; then it is clamped.
      const value positive = where(less(at, 0), add(at, dim_scalar(s.g, whole, at.dtype())), at);
      start = clamped_slice(start.axis, whole, size, positive);
    }
    place.starts.push_back(start);
    place.sizes[i] = size;
  }
  if (place.points)
    place.dims.insert(place.dims.begin() + place.points->place(), place.points->batch.begin(),
                      place.points->batch.end());
  return place;
}

/// Reads the indices and transforms after the name of a reference: `[1:3]`, `{reshape([6, 4])}[0,:]`,
/// `{bitcast(int32)}`, `[1:4][:2]`.
class ref_path_reader {
 public:
  /// `reference` is the operand that is read or written.
  ref_path_reader(const site& s, std::size_t reference, std::span<const jax_value> variables, past_end rule)
      : s_(s), indices_(s, variables), rule_(rule) {
    shown_ = s.in_type(reference);
    shown_.ref = false;
  }

  std::vector<ref_step> read(std::string_view text) {
    std::vector<ref_step> path;
    while (!text.empty()) {
      const std::size_t size = text.find(text.front() == '[' ? ']' : '}') + 1;
      if (size == 0) unsupported(text);
      const std::string_view part = text.substr(0, size);
      const past_end rule = size == text.size() ? rule_ : past_end::moved;  // only the last index is masked
      path.push_back(text.front() == '[' ? index(part, rule) : transform(part));
      shown_ = path.back().after;
      text.remove_prefix(size);
    }
    return path;
  }

 private:
  [[noreturn]] void unsupported(std::string_view text) const {
    s_.unsupported(detail::message("the transform '{}' of a mutable reference is not supported", text),
                   "read the reference as a whole, and transform the array");
  }
  ref_step index(std::string_view text, past_end rule) {
    ref_step step{shown_, shown_, place_of(s_, indices_.read(text), shown_.dims, rule)};
    step.after.dims = step.place->dims;
    return step;
  }
  ref_step transform(std::string_view text) const {
    const std::size_t open = text.find('('), close = text.rfind(')');
    if (open == text.npos || close == text.npos) unsupported(text);
    const std::string_view name = text.substr(1, open - 1), argument = text.substr(open + 1, close - open - 1);
    ref_step step{shown_, shown_};
    if (name == "bitcast") {
      step.after.elem = element_named(argument);
      const element &from = step.before.elem, &to = step.after.elem;
      const bool plain = from.cls == element_class::plain && to.cls == element_class::plain;
      if (!plain || jax2onnx::bits(from.part) != jax2onnx::bits(to.part) || is_boolean(from.part) ||
          is_boolean(to.part))
        unsupported(text);
      return step;
    }
    if (name != "reshape") unsupported(text);
    const ints numbers = numbers_of(text, argument);
    step.after.dims = shape(numbers.begin(), numbers.end());
    if (element_count(step.before.dims) != element_count(step.after.dims)) unsupported(text);
    return step;
  }
  /// The numbers in `[6, 4]` or `(6, 4)`.
  ints numbers_of(std::string_view text, std::string_view list) const {
    ints out;
    for (const char* p = list.data(); p != list.data() + list.size();) {
      std::int64_t n = 0;
      if (std::string_view("[]() ,").find(*p) != std::string_view::npos) {
        ++p;
        continue;
      }
      const auto [end, error] = std::from_chars(p, list.data() + list.size(), n);
      if (error != std::errc{} || n < 0) unsupported(text);
      out.push_back(n);
      p = end;
    }
    return out;
  }
  /// The number of elements if all extents are static; otherwise nullopt.
  std::optional<std::int64_t> element_count(const shape& dims) const {
    std::int64_t count = 1;
    for (dim d : dims) {
      if (!d.is_constant()) return std::nullopt;
      count = detail::checked_mul(count, d.extent());
    }
    return count;
  }

  const site& s_;
  ref_index_reader indices_;
  past_end rule_;
  aval shown_;
};

/// The steps to the elements that an equation reads or writes. The variables of the index are the operands from
/// `first_variable` on, except the last `others` operands.
inline std::vector<ref_step> path_of(const site& s, std::size_t first_variable, std::size_t others = 0,
                                     past_end rule = past_end::moved) {
  std::string_view text = s.equation().index;
  if (s.equation().form == jaxpr::equation_form::plain) {
    const auto tree = s.param<std::string_view>("tree");
    if (tree != "PyTreeDef(())" && tree != "PyTreeDef([])")
      s.unsupported("its index is printed as a tree", "print the jaxpr with custom_pp_eqn_rules=True");
    text = "[...]";
  }
  if (s.arity() < first_variable + others) s.malformed("it lacks operands");
  const auto variables = s.ins().subspan(first_variable, s.arity() - first_variable - others);
  return ref_path_reader(s, 0, variables, rule).read(text);
}

inline value read_at(value held, std::span<const ref_step> path) {
  for (const ref_step& step : path) held = step.read(held);
  return held;
}
inline value written_at(const value& held, const value& update, std::span<const ref_step> path) {
  if (path.empty()) return update;
  return path[0].write(held, written_at(path[0].read(held), update, path.subspan(1)));
}
inline value added_at(const value& held, const value& update, std::span<const ref_step> path) {
  if (path.empty()) return add(held, update);
  if (path.size() == 1 && path[0].place) return path[0].place->add_to(held, update);
  return path[0].write(held, added_at(path[0].read(held), update, path.subspan(1)));
}
/// Reads all parts of `held` through the steps of a path. A path with a cast of bits leads to a value of one part.
inline jax_value read_at(const jax_value& held, std::span<const ref_step> path) {
  return each_part(held, [&](const value& v) { return read_at(v, path); });
}
inline jax_value written_at(const jax_value& held, const jax_value& update, std::span<const ref_step> path) {
  return each_part(held, update, [&](const value& h, const value& u) { return written_at(h, u, path); });
}

inline jax_values get(const site& s) { return {read_at(s.content(s.in_parts(0)), path_of(s, 1))}; }

/// swap ref value: writes the value and returns the previous one.
inline jax_values swap(const site& s) {
  const std::vector<ref_step> path = path_of(s, 2);
  jax_value& held = s.content(s.in_parts(0));
  jax_values old(s.out_count());
  if (s.out_count() > 0 && wants(s.wanted(), 0)) old[0] = read_at(held, path);
  held = written_at(held, s.in_parts(1), path);
  return old;
}

inline jax_values addupdate(const site& s) {
  const std::vector<ref_step> path = path_of(s, 2);
  jax_value& held = s.content(s.in_parts(0));
  held = each_part(held, s.in_parts(1), [&](const value& h, const value& v) { return added_at(h, v, path); });
  return {};
}

inline jax_values new_ref(const site& s) { return {s.new_ref(s.in_parts(0))}; }
/// A reference whose content is undefined until it is written; the model uses zeros.
inline jax_values empty_ref(const site& s) {
  aval content = s.out_type();
  content.ref = false;
  return {s.new_ref(zeros_of(s.g, content))};
}
inline jax_values freeze(const site& s) { return {s.content(s.in_parts(0))}; }

/// run_state: runs the body on references to the operands, and to zeros where is_initialized is false. The results are
/// the final contents of the references; parameters that are not references are passed and returned as values.
inline jax_values run_state(const site& s) {
  const jaxpr::body& body = *s.param<const jaxpr::body*>("jaxpr");
  const std::vector<aval> types = s.input_types(body);
  const auto initialized = s.param_or<std::vector<bool>>("is_initialized", std::vector<bool>(types.size(), true));
  if (initialized.size() != types.size()) s.malformed("its operands do not fit its jaxpr");
  jax_values args, out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (initialized[i] && next >= s.arity()) s.malformed("its operands do not fit its jaxpr");
    const jax_value value = initialized[i] ? s.in_parts(next++) : zeros_of(s.g, types[i]);
    args.push_back(types[i].ref ? s.new_ref(value) : value);
  }
  s.inline_body(body, args);
  for (const jax_value& a : args) out.push_back(a.is_ref() ? s.content(a) : a);
  return out;
}

/// for: runs the body nsteps times, on the index of the iteration and references to the operands.
inline jax_values for_loop(const site& s) {
  const jaxpr::body& body = *s.param<const jaxpr::body*>("jaxpr");
  const dim steps = s.param<dim>("nsteps");
  const bool reverse = s.param_or<bool>("reverse", false);
  const std::vector<aval> types = s.input_types(body);
  if (types.size() != s.arity() + 1) s.malformed("its operands do not fit its jaxpr");
  loop_plan plan(s);
  for (std::size_t i = 0; i < s.arity(); ++i)
    if (types[i + 1].ref) plan.carry(s.in_type(i), s.in_parts(i), body.invars[i + 1].name);
  const value trips = dim_scalar(s.g, steps);
  const loop_values end = emit_loop(plan, trips, {}, [&](const value& iteration, const jax_values& carried) {
    const value number = reverse ? sub(sub(trips, 1), iteration) : iteration;
    jax_values args{cast(number, types[0].type())};
    loop_values step;
    for (std::size_t i = 0, next = 0; i < s.arity(); ++i)
      args.push_back(types[i + 1].ref ? s.new_ref(carried[next++]) : s.in_parts(i));
    s.inline_body(body, args);
    for (const jax_value& a : args)
      if (a.is_ref()) step.carried.push_back(s.content(a));
    return step;
  });
  jax_values out;
  for (std::size_t i = 0, next = 0; i < s.arity(); ++i)
    out.push_back(types[i + 1].ref ? end.carried[next++] : s.in_parts(i));
  return out;
}

/// The type of the content of the reference that is operand 0.
inline aval content_type(const site& s) {
  aval t = s.in_type(0);
  if (!t.ref) s.malformed(detail::message("operand 0 is {}; it must be a mutable reference", text(s.g.dims(), t)));
  t.ref = false;
  return t;
}
/// Returns whether the equation casts the bits of the content, so that it reads or writes another element type.
inline bool casts_bits(const site& s) { return s.equation().index.find("{bitcast(") != std::string_view::npos; }

/// The type of a read: the element type of the content, or the printed one if the equation casts bits. The index
/// determines the shape, which is not checked.
inline std::vector<aval> read_types(const site& s) {
  aval t = content_type(s);
  if (casts_bits(s)) t.elem = s.out_type().elem;
  t.dims = s.out_dims();
  return {t};
}
/// Throws unless the written value has the element type of the content, or the equation casts bits.
inline void require_written(const site& s) {
  if (content_type(s).elem != s.in_type(1).elem && !casts_bits(s))
    s.malformed(detail::message("operand 1 is {}, but the reference is {}", text(s.g.dims(), s.in_type(1)),
                                text(s.g.dims(), s.in_type(0))));
}
inline std::vector<aval> swap_types(const site& s) {
  require_written(s);
  return s.out_count() > 0 ? read_types(s) : std::vector<aval>();
}
inline std::vector<aval> addupdate_types(const site& s) {
  require_written(s);
  return {};
}
inline std::vector<aval> new_ref_types(const site& s) {
  aval t = s.in_type(0);
  if (t.ref) s.malformed("operand 0 is a mutable reference already");
  t.ref = true;
  return {t};
}
inline std::vector<aval> empty_ref_types(const site& s) {
  aval t = s.out_type();
  if (!t.ref) s.malformed(detail::message("its result is {}, not a mutable reference", text(s.g.dims(), t)));
  return {t};
}
inline std::vector<aval> freeze_types(const site& s) { return {content_type(s)}; }

inline constexpr param_rule index_tree{"tree", param_form::other};

inline constexpr lowering ref_rows[] = {
    {"addupdate", addupdate, "Add, ScatterND, Slice, Concat", signature{or_more(2), 0, addupdate_types, {index_tree}},
     parts_rule::own},
    {"empty_ref", empty_ref, "(a constant)", signature{0, 1, empty_ref_types}, parts_rule::own,
     ignores{"memory_space pin ty"}},
    {"for", for_loop, "Loop",
     signature{{},
               {},
               same_types,
               {{"jaxpr", param_form::body}, {"nsteps", param_form::number}, {"reverse", param_form::flag}}},
     parts_rule::own, ignores{"unroll which_linear"}},
    {"free_ref", nothing, "", signature{1, 0}, parts_rule::own},
    {"freeze", freeze, "", signature{1, 1, freeze_types}, parts_rule::own},
    {"get", get, "Slice, Gather", signature{or_more(1), 1, read_types, {index_tree}}, parts_rule::own},
    {"new_ref", new_ref, "", signature{1, 1, new_ref_types}, parts_rule::own, ignores{"kind memory_space pin"}},
    {"run_state", run_state, "(inlined)",
     signature{{}, {}, nullptr, {{"is_initialized", param_form::list, "bools"}, {"jaxpr", param_form::body}}},
     parts_rule::own, ignores{"which_linear"}},
    {"swap", swap, "ScatterND, Slice, Concat", signature{or_more(2), {0, 1}, swap_types, {index_tree}},
     parts_rule::own},
};

}  // namespace jax2onnx::lower
