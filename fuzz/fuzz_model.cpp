// An ONNX file becomes a graph, which is optimized and written, or is refused.

#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace {

/// Does something that may be refused, but never for a defect of the library.
template <class F>
void attempt(const F& f) {
  try {
    f();
  } catch (const jax2onnx::error& e) {
    if (e.kind() == jax2onnx::failure::internal) __builtin_trap();
  }
}

void write(const jax2onnx::model& m) {
  std::ostringstream out;
  jax2onnx::emit_options options = m.envelope;
  options.max_bytes = std::uint64_t{1} << 24;
  jax2onnx::write_model(m.graph, options, out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr jax2onnx::graph_limits limits{.nodes = 2000, .bytes = 1 << 24, .terms = 100'000};
  attempt([&] {
    jax2onnx::model m = jax2onnx::read_model_bytes({reinterpret_cast<const char*>(data), size}, {.limits = limits});
    write(m);
    jax2onnx::optimize(m.graph, {});
    write(m);
  });
  return 0;
}
