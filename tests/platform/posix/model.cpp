// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/emit/model.hpp>

#include <sys/resource.h>

using namespace jax2onnx;
using namespace test_graphs;

TEST_CASE("model: memory does not grow with the weights") {
  graph g;
  outputs(g, {stream_of_zeros(g, std::int64_t{1} << 30, "w")});
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  CHECK(write_model(g, {}, std::filesystem::path("/dev/null")).model_bytes > std::uint64_t{1} << 30);
  ::getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);
}
