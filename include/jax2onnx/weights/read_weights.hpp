// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/support/config.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/weights/weight.hpp>
#include <jax2onnx/weights/weights_file.hpp>

/// Functions that read weights files. They may be called from several threads at once. The weights that they return
/// view the file, which stays open while one of them lives; if the file is changed meanwhile, weights are changed or
/// damaged.
namespace jax2onnx {

/// Reads the headers of a .npz, .npy, .safetensors or .safetensors.index.json file. The first bytes or the
/// name's extension determine the format. Elements are read when the model is written. Throws file_error if the file
/// cannot be read, is damaged, or contains something unsafe.
weights_file read_weights_file(const std::filesystem::path& path);

/// The weights of a file in constvar order: the order that its metadata state (`jax2onnx.constvars`), otherwise the
/// order of the file. Tensors that the metadata do not list are left out. Throws file_error as read_weights_file does,
/// and if a listed tensor is missing.
std::vector<weight> read_weights(const std::filesystem::path& path);

/// The weights of a file that was read before, in constvar order; `name` is for messages. Throws file_error if a listed
/// tensor is missing.
std::vector<weight> in_constvar_order(weights_file file, std::string_view name);

/// The keys in a weights map, a JSON list of strings. Throws file_error for anything else; the error's message calls
/// the text `name`.
std::vector<std::string> parse_weights_map(std::string_view json, std::string_view name);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/weights/read_weights.inl.hpp>
#endif
