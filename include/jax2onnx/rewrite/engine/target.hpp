// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

/// The runtimes that models are made for.
enum class runtime : std::uint8_t {
  portable,
  ort,
  ort_contrib,
  ort_gpu,
  web,
  openvino,
  tract,
  mnn,
  rten,
  tvm,
  ncnn,
  tensorrt,
  coreml,
  qnn,
  webnn,
  generic
};

/// The runtime that a model is made for, and the oldest release of ONNX Runtime that has to run the model.
struct target {
  jax2onnx::runtime runtime;
  /// 1.`release` and all newer releases of ONNX Runtime run the model. If `release` is 0, all supported releases do,
  /// unless an older release lacks kernels for a type that the model has.
  int release = 0;

  static const target portable;  ///< every runtime that can run the model, including ONNX Runtime: the default
  static const target ort;       ///< ONNX Runtime's CPU provider
  /// ONNX Runtime's CPU provider, with its own operators (com.microsoft) if they are faster.
  static const target ort_contrib;
  /// ONNX Runtime's CUDA provider, with the kernels that it registers. Kernels that it lacks are replaced by kernels of
  /// the CPU provider, which cannot run bfloat16 alone.
  static const target ort_gpu;
  static const target web;  ///< the newest ONNX Runtime Web, which lacks kernels of newer releases of ONNX Runtime
  static const target openvino, tract, mnn, rten, tvm, ncnn;  ///< the runtimes of these names
  /// Runtimes that are known by their documentation only: TensorRT, and ONNX Runtime's CoreML, QNN and WebNN providers.
  static const target tensorrt, coreml, qnn, webnn;
  static const target generic;  ///< any implementation of the operators as the ONNX standard defines them

  friend constexpr bool operator==(const target&, const target&) = default;
};
inline constexpr target target::portable{jax2onnx::runtime::portable};
inline constexpr target target::ort{jax2onnx::runtime::ort};
inline constexpr target target::ort_contrib{jax2onnx::runtime::ort_contrib};
inline constexpr target target::ort_gpu{jax2onnx::runtime::ort_gpu, 31};
inline constexpr target target::web{jax2onnx::runtime::web, 30};
inline constexpr target target::openvino{jax2onnx::runtime::openvino};
inline constexpr target target::tract{jax2onnx::runtime::tract};
inline constexpr target target::mnn{jax2onnx::runtime::mnn};
inline constexpr target target::rten{jax2onnx::runtime::rten};
inline constexpr target target::tvm{jax2onnx::runtime::tvm};
inline constexpr target target::ncnn{jax2onnx::runtime::ncnn};
inline constexpr target target::tensorrt{jax2onnx::runtime::tensorrt};
inline constexpr target target::coreml{jax2onnx::runtime::coreml};
inline constexpr target target::qnn{jax2onnx::runtime::qnn};
inline constexpr target target::webnn{jax2onnx::runtime::webnn};
inline constexpr target target::generic{jax2onnx::runtime::generic};

/// The runtimes besides ONNX Runtime whose limits are known.
inline constexpr runtime other_runtimes[] = {  //
    runtime::openvino, runtime::tract,    runtime::mnn,    runtime::rten, runtime::tvm,
    runtime::ncnn,     runtime::tensorrt, runtime::coreml, runtime::qnn,  runtime::webnn};

/// A target as users name it.
struct target_row {
  std::string_view name;
  jax2onnx::target target;
  bool by_release;  ///< true if NAME@1.N names a release
};
inline constexpr target_row target_table[] = {
    {"portable", target::portable, false}, {"ort", target::ort, true},    {"ort-contrib", target::ort_contrib, true},
    {"ort-gpu", target::ort_gpu, false},   {"web", target::web, false},   {"openvino", target::openvino, false},
    {"tract", target::tract, false},       {"mnn", target::mnn, false},   {"rten", target::rten, false},
    {"tvm", target::tvm, false},           {"ncnn", target::ncnn, false}, {"tensorrt", target::tensorrt, false},
    {"coreml", target::coreml, false},     {"qnn", target::qnn, false},   {"webnn", target::webnn, false},
    {"generic", target::generic, false},
};

/// The name of a runtime as a target.
constexpr std::string_view name_of(runtime r) {
  return std::ranges::find_if(target_table, [r](const target_row& row) { return row.target.runtime == r; })->name;
}

/// A release of ONNX Runtime, 1.`minor`.
struct ort_release {
  int minor;
  int highest_opset;  ///< the highest opset that the release loads
};
/// The releases that are supported, oldest first.
inline constexpr ort_release ort_releases[] = {
    {22, 22}, {23, 23}, {24, 25}, {25, 26}, {26, 26}, {27, 26}, {28, 26}, {29, 26}, {30, 26}, {31, 26}, {32, 28},
};

/// The target of a name, such as "ort" or "ort@1.32"; absent if there is none.
constexpr std::optional<target> target_named(std::string_view name) {
  constexpr std::string_view major = "1.";
  const std::size_t at = name.find('@');
  const target_row* const row = std::ranges::find(target_table, name.substr(0, at), &target_row::name);
  if (row == std::end(target_table)) return {};
  if (at == std::string_view::npos) return row->target;
  const std::string_view release = name.substr(at + 1), minor = release.substr(std::min(major.size(), release.size()));
  if (!row->by_release || !release.starts_with(major)) return {};
  for (const ort_release& r : ort_releases)  // minor versions of two digits
    if (minor.size() == 2 && minor[0] == '0' + r.minor / 10 && minor[1] == '0' + r.minor % 10)
      return target{row->target.runtime, r.minor};
  return {};
}

/// True if models for the target must run in ONNX Runtime, with its kernels, fusions and defects. This includes models
/// for other runtimes.
constexpr bool is_onnx_runtime(const target& t) { return t.runtime != runtime::generic; }

/// True if models for the target keep to operators that most runtimes have.
constexpr bool is_portable(const target& t) {
  constexpr runtime own_operators[] = {runtime::ort, runtime::ort_contrib, runtime::ort_gpu, runtime::web,
                                       runtime::generic};
  return !item_loops::contains(own_operators, t.runtime);
}

namespace rewrite::detail {

/// A set of runtimes, as the bits 1 << runtime.
constexpr std::uint32_t runtimes(std::initializer_list<runtime> all) {
  std::uint32_t mask = 0;
  for (const runtime r : all) mask |= 1u << static_cast<int>(r);
  return mask;
}
/// The runtimes for which is_portable() holds.
inline constexpr std::uint32_t portable_runtimes = [] {
  std::uint32_t mask = 0;
  for (const target_row& row : target_table)
    if (is_portable(row.target)) mask |= runtimes({row.target.runtime});
  return mask;
}();

/// True if the set has the target's runtime.
constexpr bool is_for(std::uint32_t mask, const target& t) { return mask >> static_cast<int>(t.runtime) & 1; }

}  // namespace rewrite::detail

/// The oldest release that must run models of this opset for `t`; the newest release if no release loads the opset.
constexpr int oldest_release(const target& t, int opset) {
  for (const ort_release& r : ort_releases)
    if (r.minor >= t.release && r.highest_opset >= opset) return r.minor;
  return std::end(ort_releases)[-1].minor;
}

/// The highest opset that the oldest release of a target loads; `otherwise` if any release will do.
constexpr int highest_opset_of(const target& t, int otherwise) {
  for (const ort_release& r : ort_releases)
    if (r.minor == t.release) return r.highest_opset;
  return otherwise;
}

/// The forms of target names, for messages.
inline std::string target_forms() {
  std::string names, releases;
  for (const target_row& row : target_table) names += std::string(row.name) + (row.by_release ? "[@RELEASE], " : ", ");
  for (const ort_release& r : ort_releases) releases += detail::message(" 1.{}", r.minor);
  return names.substr(0, names.size() - 2) + " with a RELEASE of" + releases;
}

/// All names that `target_named` accepts.
inline std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const target_row& row : target_table) names.emplace_back(row.name);
  for (const target_row& row : target_table)
    for (const ort_release& r : ort_releases)
      if (row.by_release) names.push_back(detail::message("{}@1.{}", row.name, r.minor));
  return names;
}

}  // namespace jax2onnx
