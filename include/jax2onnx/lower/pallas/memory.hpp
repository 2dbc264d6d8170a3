// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/control/open_body.hpp>
#include <jax2onnx/lower/control/ref.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers operations of kernels on memory besides get, swap and addupdate: masked loads and stores, copies, and
/// references with a scope inside of the kernel. A copy is complete when it starts, so nothing has to wait. Source:
/// jax/_src/pallas/primitives.py, jax/_src/pallas/mosaic/primitives.py, jax/_src/pallas/mosaic_gpu/primitives.py.
namespace jax2onnx::lower {
namespace pallas {

/// The operands at the end: a mask, and the values that replace the elements where the mask is false.
struct mask_operands {
  std::optional<std::size_t> mask, other;
  std::size_t count = 0;

  explicit mask_operands(const site& s) {
    const bool has_mask = s.find("mask") != nullptr, has_other = s.find("other") != nullptr;
    count = static_cast<std::size_t>(has_mask) + static_cast<std::size_t>(has_other);
    if (s.arity() < count + 1) s.malformed("it lacks the operands of its mask or other");
    if (has_mask) mask = s.arity() - count;
    if (has_other) other = s.arity() - 1;
  }
};

/// a <- ref[index] mask=m other=o
inline jax_values masked_load(const site& s) {
  const mask_operands masks(s);
  const std::vector<ref_step> path = path_of(s, 1, masks.count, past_end::undefined);
  const jax_value found = read_at(s.content(s.in_parts(0)), path);
  if (!masks.mask || !masks.other) return {found};
  const value mask = s.in(*masks.mask);
  return {each_part(found, s.in_parts(*masks.other), [&](const value& x, const value& o) {
    return where(mask, x, convert_element_type(o, x.dtype()));
  })};
}

/// old, ref[index] <- ref[index], value mask=m
inline jax_values masked_swap(const site& s) {
  const mask_operands masks(s);
  const std::vector<ref_step> path = path_of(s, 2, masks.count, past_end::undefined);
  jax_value& held = s.content(s.in_parts(0));
  const jax_value& update = s.in_parts(1);
  const jax_value found = read_at(held, path);
  jax_value stored = update, old = found;
  if (masks.mask) {
    const value mask = s.in(*masks.mask);
    stored = each_part(update, found, [&](const value& u, const value& x) { return where(mask, u, x); });
    old = each_part(found, update, [&](const value& x, const value& u) { return where(mask, x, u); });
  }
  held = written_at(held, stored, path);
  return s.out_count() > 0 ? jax_values{old} : jax_values{};
}
inline std::vector<aval> masked_swap_types(const site& s) {
  require_written(s);
  return s.out_count() > 0 ? read_types(s) : std::vector<aval>();
}

/// run_scoped operands…: the jaxpr closes over the operands, and its parameters are new references.
inline jax_values run_scoped(const site& s) {
  const jaxpr::body& body = *s.param<const jaxpr::body*>("jaxpr");
  if (body.constvars.size() != s.arity()) s.malformed("its jaxpr does not close over its operands");
  if (const jaxpr::value* axes = s.find("collective_axes"); axes && !axes->items.empty() && !body.invars.empty())
    s.unsupported("its threads share memory", "run the kernel with one thread");
  jax_values args(s.ins().begin(), s.ins().end());
  for (aval t : s.input_types(body)) {
    if (!t.ref) s.malformed("a parameter of its jaxpr is not a mutable reference");
    t.ref = false;
    args.push_back(s.new_ref(unwritten(s.g, t)));
  }
  return s.inline_body(opened(s.driver(), body), args, s.wanted());
}

/// One reference of a copy: its position among the operands, the text of its index, and the number of variables in this
/// index.
struct copied_ref {
  std::size_t operand = 0;
  std::string_view path;
  std::size_t variables = 0;
};

/// The references in the text of an equation such as `(p0) a[i,:] -> b[...] c[...]`, in which all operands are
/// variables. `words` are all other words of the text.
struct copy_text {
  std::vector<copied_ref> refs;
  std::vector<std::string_view> words;

  explicit copy_text(const site& s) {
    std::string_view rest = s.equation().index;
    std::size_t operand = 0;
    const auto word_end = [&](std::size_t from) {
      int depth = 0;
      for (; from < rest.size(); ++from) {
        const char c = rest[from];
        depth += c == '[' || c == '(' || c == '{';
        depth -= c == ']' || c == ')' || c == '}';
        if (c == ' ' && depth == 0) break;
      }
      return from;
    };
    while (!rest.empty()) {
      const std::size_t end = word_end(0);
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (word.empty()) continue;
      const bool named = operand < s.arity() && word.starts_with(s.equation().ins[operand].text);
      if (!named) {
        words.push_back(word);
        continue;
      }
      copied_ref r{operand, word.substr(s.equation().ins[operand].text.size())};
      for (++operand; operand < s.arity() && !s.in_parts(operand).is_ref(); ++operand) ++r.variables;
      refs.push_back(r);
    }
  }
};

inline std::vector<ref_step> path_of(const site& s, const copied_ref& r) {
  return ref_path_reader(s, r.operand, s.ins().subspan(r.operand + 1, r.variables), past_end::moved).read(r.path);
}

/// Copies the first reference in the text to the second reference. Further references are semaphores and barriers.
inline jax_values copy(const site& s) {
  const copy_text text(s);
  bool adds = false;
  for (const std::string_view word : text.words) {
    if (word.starts_with("(p")) adds = word.find("add") != word.npos;
    else if (word != "->" && word != "using")
      s.unsupported(detail::message("the form '{}' of a copy is not supported", word));
  }
  if (s.equation().form != jaxpr::equation_form::access || text.refs.size() < 2)
    s.unsupported("it does not copy one reference to another one, or copies between devices", "copy within one device");
  const std::vector<ref_step> from = path_of(s, text.refs[0]), to = path_of(s, text.refs[1]);
  const jax_value copied = read_at(s.content(s.in_parts(text.refs[0].operand)), from);
  jax_value& held = s.content(s.in_parts(text.refs[1].operand));
  const jax_value sum =
      !adds ? copied : each_part(read_at(held, to), copied, [](const value& h, const value& c) { return add(h, c); });
  held = written_at(held, sum, to);
  return {};
}

/// Semaphores and barriers order concurrent operations. A model has no concurrent operations, so it needs neither.
inline jax_values ordered(const site&) { return {}; }

}  // namespace pallas

inline constexpr param_rule mask_text{"mask", param_form::other}, other_text{"other", param_form::other};

inline constexpr lowering memory_rows[] = {
    {"barrier_arrive", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"barrier_wait", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"commit_group", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"commit_smem", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"copy_gmem_to_smem", pallas::copy, "", signature{or_more(2), 0}, parts_rule::own,
     ignores{"collective_axes=None leader_tracked=None"}},
    {"copy_smem_to_gmem", pallas::copy, "", signature{or_more(2), 0}, parts_rule::own, ignores{"commit_group"}},
    {"debug_barrier_p", pallas::ordered, "", signature{0, 0}, parts_rule::own},
    {"delay", pallas::ordered, "", signature{1, 0}, parts_rule::own},
    {"dma_start", pallas::copy, "ScatterND, Slice, Concat", signature{or_more(2), 0}, parts_rule::own},
    {"dma_wait", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"masked_load", pallas::masked_load, "Slice, Gather, Where",
     signature{or_more(1), 1, read_types, {mask_text, other_text, index_tree}}, parts_rule::own},
    {"masked_swap", pallas::masked_swap, "ScatterND, Slice, Concat, Where",
     signature{or_more(2), {0, 1}, pallas::masked_swap_types, {mask_text, other_text, index_tree}}, parts_rule::own},
    {"run_scoped", pallas::run_scoped, "(inlined)",
     signature{{}, {}, nullptr, {{"collective_axes", param_form::list, "names"}, {"jaxpr", param_form::body}}},
     parts_rule::own, ignores{"ref_transforms"}},
    {"semaphore_signal", pallas::ordered, "", signature{{}, 0}, parts_rule::own, ignores{"device_id_type"}},
    {"semaphore_wait", pallas::ordered, "", signature{{}, 0}, parts_rule::own},
    {"wait_smem_to_gmem", pallas::ordered, "", signature{{}, 0}, parts_rule::own, ignores{"n wait_read_only"}},
};

}  // namespace jax2onnx::lower
