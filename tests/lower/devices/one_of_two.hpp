// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/lowered_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/lower/devices/one_device.hpp>
#include <jax2onnx/lower/dispatch.hpp>

/// A base that chooses the device before the program is lowered for it.
struct chosen_device {
  jax2onnx::lower::devices::device device;
  jax2onnx::user_lowerers lowerers() {
    jax2onnx::user_lowerers out;
    add_device_lowerers(out, device);
    return out;
  }
};

/// A program, lowered for one of `count` devices.
struct of_device : chosen_device, lowered_text {
  of_device(std::string text, std::int64_t index, std::int64_t count)
      : chosen_device{{index, count}}, lowered_text(std::move(text), jax2onnx::lower_builtin, lowerers()) {}

  /// The nodes in order, without constants: each operator with its integers.
  std::string nodes() const {
    std::string out;
    for (const jax2onnx::node_id n : g.at(jax2onnx::block_id::main).nodes) {
      out += (out.empty() ? "" : " ") + std::string(g.at(n).op.text());
      for (const jax2onnx::attribute& a : g.at(n).attributes) {
        if (const auto* i = std::get_if<std::int64_t>(&a.value))
          out += " " + std::string(a.name) + "=" + std::to_string(*i);
        if (const auto* list = std::get_if<jax2onnx::ints>(&a.value)) {
          out += " " + std::string(a.name) + "=";
          for (const std::int64_t i : *list) out += std::to_string(i);
        }
      }
    }
    return out;
  }
};

/// A shard_map of one array f32[4,6] over two devices, each of which gets two rows.
inline std::string over_two(std::string_view equations, std::string_view result = "c",
                            std::string_view out = "f32[4,6]", std::string_view spec = "P('x',)") {
  return "{ lambda ; a:f32[4,6]. let b:" + std::string(out) +
         " = shard_map[in_specs=(P('x',),) jaxpr={ lambda ; a:f32[2,6]. let " + std::string(equations) + " in (" +
         std::string(result) + ",) } mesh=Mesh('x': 2) out_specs=(" + std::string(spec) + ",)] a in (b,) }";
}
