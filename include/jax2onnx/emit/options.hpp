// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/progress.hpp>

namespace jax2onnx {

/// The storage of the initializers' bytes.
enum class weights_placement : std::uint8_t {
  in_model,   ///< all weights are in the model file, which protobuf limits to 2 GiB
  data_file,  ///< large weights go to a file beside the model
  reference,  ///< large weights stay in the weights file; compressed or changed weights go to a data file
};

/// The settings of ONNX external data (onnx/docs/ExternalData.md).
struct external_data {
  weights_placement placement = weights_placement::in_model;  ///< where large initializers are written
  std::string file = {};           ///< a bare file name; if empty, the model's name with a hash of the content
  std::uint64_t threshold = 1024;  ///< initializers of fewer bytes stay in the model
  std::uint64_t alignment = 4096;  ///< the alignment of offsets in the data file, so that runtimes can map it
};

/// Options of the textual syntax.
struct text_options {
  /// The largest number of elements of an initializer that is printed. If an initializer has more elements, or is not
  /// in memory, a comment states only its size.
  std::uint64_t max_elements = 16;
};

/// Options for writing a model, and the contents of its file besides the graph.
struct emit_options {
  std::int64_t ir_version = 10;            ///< the version of the file format; 10 is ONNX 1.16's
  bool verify = true;                      ///< checks the whole graph first: see jax2onnx::verify()
  bool shape_info = true;                  ///< writes value_info for every intermediate value
  bool source_info = true;                 ///< writes each node's Python source line as metadata
  std::string producer_name = "jax2onnx";  ///< the tool that the model names as its producer
  std::string producer_version = {};       ///< the version of that tool; it is not stated if empty
  std::string graph_name = {};             ///< the name of the main graph; if empty, the graph's own name
  std::string doc_string = {};             ///< free text about the model; if empty, the graph's own text
  std::vector<std::pair<std::string, std::string>> metadata = {};  ///< metadata_props, in addition to the graph's own
  bool inline_functions = false;  ///< writes the nodes of functions in place of the calls; the graph is unchanged
  /// Versions of operator domains except ai.onnx; the default is the version that the graph states, else 1.
  std::map<std::string, std::int64_t, std::less<>> domain_versions = {};
  external_data external = {};  ///< where the weights are written
  /// The maximum size of the weights and other constants that are written; write_model() throws limit_error for more.
  /// nullopt means 1 GiB plus 100 times the size of the weights in their files. This keeps a small archive from
  /// becoming a huge model.
  std::optional<std::uint64_t> max_bytes = {};
  std::vector<std::filesystem::path> inputs = {};  ///< the files that were read: none of them may be overwritten
  progress_sink progress = {};                     ///< receives the number of bytes written
};

}  // namespace jax2onnx
