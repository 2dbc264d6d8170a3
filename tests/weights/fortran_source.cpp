#include "catch.hpp"
#include "weights/files.hpp"

#include <numeric>

using namespace jax2onnx;
using namespace test_files;

namespace {

// Element i of a row-major array, at its place in a column-major one.
std::vector<std::int32_t> column_major(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (std::size_t n : shape) count *= n;
  std::vector<std::int32_t> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, at = 0, stride = count;
    for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a]) at += (rest % shape[a]) * (stride /= shape[a]);
    out[at] = static_cast<std::int32_t>(i);
  }
  return out;
}

std::vector<std::int32_t> counting(std::size_t n) {
  std::vector<std::int32_t> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

}  // namespace

TEST_CASE("Fortran order: arrays larger than a block, with short and long leading axes") {
  const temporary_directory dir;
  // 16 MiB are gathered at a time: 2^22 elements.
  const std::vector<std::vector<std::size_t>> shapes = {{5'000'000, 2}, {2, 5'000'000},   {1, 3, 1'500'000},
                                                        {700, 11, 701}, {3, 3, 800, 701}, {2, 2, 2, 2}};
  for (const auto& shape : shapes) {
    const auto elements = column_major(shape);
    const auto file = dir.write("f.npy", npy("<i4", fmt::format("({})", fmt::join(shape, ", ")), raw(elements), true));
    std::size_t largest = 0;
    std::string all;
    read_weights(file)[0].data->stream([&](std::span<const std::byte> piece) {
      largest = std::max(largest, piece.size());
      all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    CHECK(largest <= piece_size);
    CHECK((all == raw(counting(elements.size()))));
  }
}
