#pragma once

/// The verbs that lowerings and rewrite rules share are in a namespace of their own: they trust their callers, and some
/// have the names of the checked verbs of ops/verbs/. These rooms see them as if they were theirs.
namespace jax2onnx::ops {}
namespace jax2onnx::detail {
using namespace ops;
}
namespace jax2onnx::lower {
using namespace ops;
}
namespace jax2onnx::rewrite {
using namespace ops;
}
