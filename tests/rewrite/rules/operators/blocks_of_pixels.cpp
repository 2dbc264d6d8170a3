// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/blocks_of_pixels.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value moved(const value& x, const shape& split, const ints& perm, const shape& merged) {
  return reshape(transpose(reshape(x, split), perm), merged);
}

/// Channels become blocks, in an image of 4 rows and 5 columns with leading or trailing channels.
value shuffled(const value& x, dtype t = dtype::f32) {
  return moved(cast(x, t), {2, 2, 2, 3, 4, 5}, {0, 3, 4, 1, 5, 2}, {2, 3, 8, 10});
}
value shuffled_pixels(const value& x) { return moved(x, {2, 4, 5, 2, 2, 3}, {0, 1, 3, 2, 4, 5}, {2, 8, 10, 3}); }
/// Blocks of an image of 4 rows and 6 columns become channels.
value unshuffled(const value& x) { return moved(x, {2, 3, 2, 2, 3, 2}, {0, 3, 5, 1, 2, 4}, {2, 12, 2, 3}); }
value unshuffled_pixels(const value& x, std::int64_t channels = 3) {
  return moved(x, {2, 2, 2, 3, 2, channels}, {0, 1, 3, 2, 4, 5}, {2, 2, 3, 4 * channels});
}

value channels_behind(const value& x) { return transpose(x, {0, 2, 3, 1}); }
value channels_in_front(const value& x) { return transpose(x, {0, 3, 1, 2}); }

std::string mode_of(const model& m) {
  for (node_id n : m.g.at(block_id::main).nodes)
    if (m.g.at(n).op == operator_name("DepthToSpace"))
      return m.g.at(n).find("mode") ? std::get<std::string>(m.g.at(n).find("mode")->value) : "DCR";
  return {};
}

}  // namespace

TEST_CASE("DepthToSpace: the axis of the channels before those of the pixels") {
  model m, n, o;
  CHECK(after(shuffled(m.in({2, 12, 4, 5})), "DepthToSpace") == "DepthToSpace");
  CHECK(mode_of(m) == "DCR");
  CHECK(after(moved(n.in({2, 12, 4, 5}), {2, 3, 2, 2, 4, 5}, {0, 1, 4, 2, 5, 3}, {2, 3, 8, 10}), "DepthToSpace") ==
        "DepthToSpace");
  CHECK(mode_of(n) == "CRD");
  const value blocks_of_columns = o.in({2, 12, 4, 5});
  CHECK(after(moved(blocks_of_columns, {2, 2, 2, 3, 4, 5}, {0, 3, 4, 2, 5, 1}, {2, 3, 8, 10}), "DepthToSpace") ==
        "Reshape Transpose Reshape");
}

TEST_CASE("DepthToSpace: the axis of the channels after those of the pixels") {
  model m, n, o;
  CHECK(after(shuffled_pixels(channels_behind(m.in({2, 12, 4, 5}))), "DepthToSpace") == "DepthToSpace Transpose");
  const value y = channels_in_front(shuffled_pixels(channels_behind(n.in({2, 12, 4, 5}))));
  CHECK(after({y}, {"join-transposes", "DepthToSpace"}) == "DepthToSpace");
  CHECK(after(shuffled_pixels(o.in({2, 4, 5, 12})), "DepthToSpace") == "Reshape Transpose Reshape");
}

TEST_CASE("DepthToSpace: one channel, no batch, several and symbolic axes in front") {
  model m, n, o, p;
  CHECK(after(moved(m.in({2, 9, 4, 5}), {2, 3, 3, 4, 5}, {0, 3, 1, 4, 2}, {2, 12, 15}), "DepthToSpace") ==
        "DepthToSpace Reshape");
  CHECK(after(moved(n.in({12, 4, 5}), {3, 2, 2, 4, 5}, {0, 3, 1, 4, 2}, {3, 8, 10}), "DepthToSpace") ==
        "Reshape DepthToSpace Reshape");
  const value vectors = o.in({2, 2, 12, 4, 5});
  CHECK(after(moved(vectors, {2, 2, 2, 2, 3, 4, 5}, {0, 1, 4, 5, 2, 6, 3}, {2, 2, 3, 8, 10}), "DepthToSpace") ==
        "Reshape DepthToSpace Reshape");
  const dim H = p.g.dims().symbol("H"), rows = p.g.dims().mul(H, 2);
  CHECK(after(moved(p.in({p.B, 12, H, 5}), {p.B, 2, 2, 3, H, 5}, {0, 3, 4, 1, 5, 2}, {p.B, 3, rows, 10}),
              "DepthToSpace") == "DepthToSpace");
}

TEST_CASE("DepthToSpace: what stays") {
  model m, n, o, p;
  CHECK(after({shuffled(m.in({2, 12, 4, 5}), dtype::f16)}, {"DepthToSpace"}, target::ort) ==
        "ONNX Runtime has no kernel for the element type");
  CHECK(after({shuffled(n.in({2, 12, 4, 5}), dtype::f16)}, {"DepthToSpace"}) == "Cast DepthToSpace");
  const dim H = o.g.dims().symbol("H"), W = o.g.dims().symbol("W");
  const shape result{3, o.g.dims().mul(H, 2), o.g.dims().mul(W, 2)};
  CHECK(after(moved(o.in({12, H, W}), {3, 2, 2, H, W}, {0, 3, 1, 4, 2}, result), "DepthToSpace") ==
        "the shape would be computed at run time");
  const value split = reshape(p.in({2, 12, 4, 5}), {2, 2, 2, 3, 4, 5});
  const value y = reshape(transpose(split, {0, 3, 4, 1, 5, 2}), {2, 3, 8, 10});
  CHECK(after({y, split}, {"DepthToSpace"}) == "Reshape Transpose Reshape");
}

TEST_CASE("SpaceToDepth: blocks become channels") {
  model m, n, o;
  CHECK(after(unshuffled(m.in({2, 3, 4, 6})), "SpaceToDepth") == "SpaceToDepth");
  CHECK(after(unshuffled_pixels(channels_behind(n.in({2, 3, 4, 6}))), "SpaceToDepth") == "SpaceToDepth Transpose");
  const value channels_outermost = o.in({2, 3, 4, 6});
  CHECK(after(moved(channels_outermost, {2, 3, 2, 2, 3, 2}, {0, 1, 3, 5, 2, 4}, {2, 12, 2, 3}), "SpaceToDepth") ==
        "Reshape Transpose Reshape");
}

TEST_CASE("SpaceToDepth: of an image with the axis of the channels last") {
  model m, n, o;
  CHECK(after(channels_in_front(unshuffled_pixels(m.in({2, 4, 6, 3}))), "SpaceToDepth") == "Transpose SpaceToDepth");
  CHECK(after(channels_in_front(unshuffled_pixels(n.in({2, 4, 6, 17}), 17)), "SpaceToDepth") ==
        "a Transpose may move the rows of blocks as fast as SpaceToDepth");
  CHECK(after(unshuffled_pixels(o.in({2, 4, 6, 3})), "SpaceToDepth") == "Reshape Transpose Reshape");
}

TEST_CASE("SpaceToDepth: what stays") {
  model m, n;
  CHECK(after({unshuffled(m.in({2, 3, 4, 6}, dtype::f16))}, {"SpaceToDepth"}, target::ort) ==
        "ONNX Runtime has no kernel for the element type");
  const dim H = n.g.dims().symbol("H"), W = n.g.dims().symbol("W");
  const value x = n.in({3, n.g.dims().mul(H, 2), n.g.dims().mul(W, 2)});
  CHECK(after(moved(x, {3, H, 2, W, 2}, {2, 4, 0, 1, 3}, {12, H, W}), "SpaceToDepth") ==
        "the shape would be computed at run time");
}
