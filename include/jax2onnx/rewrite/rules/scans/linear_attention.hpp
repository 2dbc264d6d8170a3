// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/memory_by_chunks.hpp>
#include <jax2onnx/rewrite/rules/scans/memory_form.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>

/// Scans of a memory S = a S + k v' that steps read by products q S, as in linear attention, retention and state spaces
/// with scalar gates. The steps may also correct the memory by what they read, as in delta rules. Such Scans become
/// products over chunks of steps (docs/decisions/0088-linear-attention-by-chunks.md, 0104-delta-rules-by-chunks.md).
/// Sources: Yang et al., Gated Linear Attention Transformers with Hardware-Efficient Training, 2024; the same,
/// Parallelizing Linear Transformers with the Delta Rule over Sequence Length, 2024.
namespace jax2onnx::rewrite::detail {

/// Returns whether state `i` of a Scan has matrices of several rows and columns, and is so small, with so many steps,
/// that chunks are faster.
inline bool suits_memory(const recurrence& r, std::size_t i) {
  const auto elements = elements_for_chunks(r, i, {.least_steps = 32, .most_steps = 1 << 16, .most_elements = 1 << 22});
  if (!elements || r.state(i).rank() < 2) return false;
  const auto [rows, columns] = matrix_extents(r.state(i));
  return !rows.is(1) && !columns.is(1);
}

/// All results of a Scan. The stacked results are computed from the reads of its memory, which `chunks` computes.
inline std::vector<value> results_by_chunks(const recurrence& r, memory_form& form, const memory_by_chunks& chunks) {
  const auto [last, reads] = chunks.results();
  whole_steps& steps = form.steps();
  for (std::size_t i = 0; i < reads.size(); ++i) steps.give(form.reads()[i].result, reads[i]);
  std::vector<value> out{last};
  for (std::size_t i = 0; i < r.collected_count(); ++i) out.push_back(unary("Identity", steps.of(r.collected(i))));
  return out;
}

/// The number of steps of a chunk. It is small for memories with feedback, since these need inverses of matrices of
/// that size.
inline std::int64_t chunk_of_memory(const memory_form& form) {
  if (form.fed_product()) return 16;
  return form.decay_kind() == memory_decay::none ? 64 : 32;
}

/// The results of a Scan with vectors of decays, as an If. The model uses chunks of 32 or 16 steps. If their numbers
/// are not ordinary, for example because a product of decays is too close to 0, it uses chunks of 8 steps. If the
/// numbers of these chunks are not ordinary either, it uses the Scan.
inline outcome memory_in_branches(const context& c, const value& root, const recurrence& r, memory_form form) {
  constexpr std::int64_t short_chunk = 8;
  memory_form again = form;  // each branch of the If needs its own values
  const memory_by_chunks chunks(r, form, chunk_of_memory(form));
  const auto by_short_chunks = [&] {
    const memory_by_chunks shorter(r, again, short_chunk);
    return or_the_scan(root, r, shorter.is_ordinary(c.assume_finite),
                       [&] { return results_by_chunks(r, again, shorter); })
        .all;
  };
  outcome out;
  out.all = if_(
      chunks.is_ordinary(c.assume_finite), [&] { return results_by_chunks(r, form, chunks); }, by_short_chunks,
      result_types(root));
  return out;
}

inline outcome fuse_linear_attention(const context& c, const value& root) {
  if (is_alternative(root)) return {};
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0) return {};
  if (r->state_count() > 1)
    return split_last_state(c, *r, [&](std::size_t i, whole_steps steps) {
      return suits_memory(*r, i) && memory_form(*r, i, std::move(steps)).find();
    });
  if (!suits_memory(*r, 0)) return {};
  memory_form form(*r);
  if (!form.find()) return {};
  if (form.decay_kind() == memory_decay::vectors) return memory_in_branches(c, root, *r, std::move(form));
  const memory_by_chunks chunks(*r, form, chunk_of_memory(form));
  const auto results = [&] { return results_by_chunks(*r, form, chunks); };
  if (const value ordinary = chunks.is_ordinary(c.assume_finite)) return or_the_scan(root, *r, ordinary, results);
  outcome out;
  out.all = results();
  return out;
}

inline constexpr rule linear_attention_rules[] = {
    {"linear-attention", "Scan(S = a S + k v', y = q S) -> MatMul(Trilu(MatMul(q, k')), v) over chunks of steps",
     "a is a scalar, or a vector along the axis over which q S sums; one v may be c z S + f, with a scalar c; 32 to "
     "65536 steps; when the model runs, it uses the Scan for decays below 0 or above 2, for vectors of decays whose "
     "product over 8 steps is below e^-120, for a v of this form that grows in a chunk, and for operands that are not "
     "finite",
     ops<"Scan">, fuse_linear_attention, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
