#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/group_norm.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

TEST_CASE("GroupNormalization: statistics of groups, spread over their channels") {
  const auto norm = [](model& m, const value& x, const ints& axes, bool fast) {
    const value d = reshape(x, {x.extent(0), 5, 4, 2});
    const auto mean = [&](const value& v) { return reduce("ReduceMean", v, axes, false); };
    const value center = mean(d), centered = sub(d, reshape(center, {x.extent(0), 1, 4, 1}));
    const value variance = fast ? maximum(sub(mean(mul(d, d)), mul(center, center)), 0) : mean(mul(centered, centered));
    const auto spread = [&](const value& v) {
      return broadcast_to(reshape(v, {x.extent(0), 4, 1}), {x.extent(0), 4, 2});
    };
    const auto to_channels = [&](const value& v) { return reshape(v, {x.extent(0), 1, 8}); };
    const value inverse = to_channels(reciprocal(sqrt(add(spread(variance), 1e-6))));
    return add(mul(sub(x, to_channels(spread(center))), mul(inverse, m.weight({1, 1, 8}, x.dtype()))),
               m.weight({1, 8}, x.dtype()));
  };
  model m;
  CHECK(after(norm(m, m.in({m.B, 5, 8}), {1, 3}, true), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model n;
  CHECK(after(norm(n, n.in({3, 5, 8}), {1, 3}, false), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model old(20);
  CHECK(after(norm(old, old.in({3, 5, 8}), {1, 3}, true), "GroupNormalization") == "GroupNormalization needs opset 21");
  model wide;
  CHECK(after(norm(wide, wide.in({3, 5, 8}, dtype::f64), {1, 3}, true), "GroupNormalization") ==
        "ONNX Runtime has no float64 kernel");
}

TEST_CASE("GroupNormalization: of groups that a Reshape splits off, as Equinox and PyTorch write it") {
  const auto norm = [](model& m, const value& x, const shape& split, std::int64_t leading, const ints& parameters) {
    const value d = jax2onnx::reshape(x, split);
    ints axes = iota_axes(d.rank());
    axes.erase(axes.begin(), axes.begin() + leading);
    const value centered = sub(d, reduce("ReduceMean", d, axes, true));
    const value scaled =
        mul(centered, reciprocal(sqrt(add(reduce("ReduceMean", mul(centered, centered), axes, true), 1e-5))));
    const value back = jax2onnx::reshape(scaled, x.dims());
    return after({add(mul(m.weight(parameters), back), m.weight(parameters))},
                 {"reshape-constant", "GroupNormalization-split"});
  };
  model m;
  CHECK(norm(m, m.in({m.B, 6, 5, 5}), {m.B, 2, 3, 5, 5}, 2, {6, 1, 1}) == "GroupNormalization");
  model flat;
  CHECK(norm(flat, flat.in({3, 6, 5}), {6, 15}, 1, {1, 6, 1}) == "GroupNormalization");
  model single;
  CHECK(norm(single, single.in({6, 5, 5}), {2, 3, 5, 5}, 1, {6, 1, 1}) == "Unsqueeze GroupNormalization Squeeze");
  model uneven;  // four groups of one and a half channels
  CHECK(norm(uneven, uneven.in({2, 6, 4}), {2, 4, 6}, 2, {6, 1}) ==
        "mean and variance are not over groups of channels");
  model mixed;
  CHECK(norm(mixed, mixed.in({2, 6, 5}), {4, 3, 5}, 1, {6, 1}) == "GroupNormalization");
  model other;
  CHECK(norm(other, other.in({2, 6, 5}), {2, 3, 10}, 2, {5}) == "scale and bias are not one number per channel");
}
