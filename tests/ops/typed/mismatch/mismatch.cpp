// Every part is compiled alone by the tests, which expect the compiler's message to have the quoted text.
#include <jax2onnx/ops/typed/typed_ops.hpp>

using namespace jax2onnx;

void build(graph& g) {
  const auto x = input<float, "B"_d, 784>(g, "x");
  const auto w = input<float, 783, 10>(g, "w");
// A part is one line of the preprocessor, which CMake reads.
// clang-format off
#if defined(NONE)
  (void)w;
  relu(x);
#elif defined(MATMUL)  // "the inner dimensions differ"}, jax2onnx::tensor<float, jax2onnx::extent{0, "B"}, jax2onnx::extent{784, ""}>, jax2onnx::tensor<float, jax2onnx::extent{783, ""}, jax2onnx::extent{10, ""}>
  matmul(x, w);
#elif defined(ADD)  // "the shapes do not broadcast"
  x + w;
#elif defined(DTYPE)  // "the element types differ"
  x + cast<double>(x);
#elif defined(PERM)  // "the permutation names a dimension twice"
  transpose<0, 0>(w);
#elif defined(RESHAPE)  // "the number of elements differs"
  reshape<"B"_d, 28, 27>(x);
#elif defined(CONCAT)  // "a dimension that is not concatenated differs"
  concat<0>(x, w);
#elif defined(REDUCE)  // "an axis is out of range"
  reduce_sum<2>(w);
#elif defined(SLICE)  // "a bound is out of range"
  slice<1, 0, 11>(w);
#elif defined(INDICES)  // "indices are int32 or int64"
  gather<0>(w, x);
#elif defined(CONDITION)  // "the condition is not bool"
  where(x, x, x);
#elif defined(DENSE)  // "the bias has another extent than the columns of the weights"
  dense(input<float, 2, 783>(g, "y"), w, input<float, 11>(g, "b"));
#endif
  // clang-format on
}
