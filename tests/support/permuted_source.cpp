// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "weights/files.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <jax2onnx/support/permuted_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_files;

namespace {

// The elements 0, 1, ... of an array, numbered in row-major order and stored in column-major order.
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

TEST_CASE("transposed weights: every order of axes, in memory, in a file and inflated") {
  const temporary_directory dir;
  const std::vector<std::uint64_t> shape = {3, 40, 1, 50};
  const std::string content = raw(counting(6000));
  const auto weights = read_weights(
      dir.write("w.npz", archive({{.name = "a.npy", .content = npy("<i4", "(6000,)", content)},
                                  {.name = "b.npy", .content = npy("<i4", "(6000,)", content), .deflate = true}})));
  std::vector<std::size_t> perm = {0, 1, 2, 3};
  do {
    std::vector<std::uint64_t> extents, strides;
    for (const std::size_t axis : perm) {
      extents.push_back(shape[axis]);
      strides.push_back(std::array<std::uint64_t, 4>{2000, 50, 50, 1}[axis]);
    }
    std::vector<std::int32_t> expected;
    for (std::uint64_t i = 0; i < 6000; ++i) {
      std::uint64_t rest = i, from = 0;
      for (std::size_t a = 4; a-- > 0; rest /= extents[a]) from += rest % extents[a] * strides[a];
      expected.push_back(static_cast<std::int32_t>(from));
    }
    for (const bytes& b : {bytes(content), bytes(weights[0].data), bytes(weights[1].data)})
      CHECK((streamed(permuted_source(b, extents, strides, 4)) == raw(expected)));
  } while (std::ranges::next_permutation(perm).found);
}

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
