// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/operators/padding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

/// x[from : to : step] along an axis.
value rows(const value& x, std::int64_t axis, std::int64_t from, std::int64_t to, std::int64_t step = 1) {
  graph& g = x.owner();
  shape dims = x.dims();
  dims[static_cast<std::size_t>(axis)] = std::abs((to - from) / step);
  return g.emit("Slice", {x, int64s(g, {from}), int64s(g, {to}), int64s(g, {axis}), int64s(g, {step})},
                {x.dtype(), dims});
}

/// `count` copies of x's only row along an axis: an Expand along a new axis after it, which a Reshape merges.
value copies(const value& x, std::int64_t axis, std::int64_t count) {
  shape wide = x.dims(), joined = x.dims();
  joined[static_cast<std::size_t>(axis)] = count;
  wide.insert(wide.begin() + axis + 1, dim(count));
  shape narrow = wide;
  narrow[static_cast<std::size_t>(axis) + 1] = 1;
  return reshape(broadcast_to(reshape(x, narrow), wide), joined);
}

value reflected(const value& x, std::int64_t axis, std::int64_t count) {
  return concat({rows(x, axis, count, 0, -1), x}, axis);
}

std::string padded(const value& v) { return after({v}, {"join-pads-of-rows", "Pad-rows"}); }

/// The mode and the numbers of the first Pad.
std::string mode_of(const model& m) {
  for (node_id n : m.g.at(block_id::main).nodes)
    if (m.g.at(n).op == operator_name("Pad")) return std::get<std::string>(m.g.at(n).find("mode")->value);
  return {};
}
ints pads_of(const model& m) {
  for (node_id n : m.g.at(block_id::main).nodes)
    if (m.g.at(n).op == operator_name("Pad"))
      return constant_integers(value(const_cast<graph&>(m.g), m.g.at(n).inputs[1])).value_or(ints());
  return {};
}

}  // namespace

TEST_CASE("Pad-rows: before and after the rows") {
  model m, n, o, p;
  const value x = m.in({m.B, 5, 3});
  CHECK(padded(concat({rows(x, 1, 2, 0, -1), x, rows(x, 1, -2, -4, -1)}, 1)) == "Pad");
  CHECK(mode_of(m) == "reflect");
  CHECK(pads_of(m) == ints{0, 2, 0, 0, 2, 0});
  const value y = n.in({n.B, 5, 3});
  CHECK(padded(concat({copies(rows(y, 1, 0, 1), 1, 3), y, rows(y, 1, 4, 5)}, 1)) == "Pad");
  CHECK(mode_of(n) == "edge");
  CHECK(pads_of(n) == ints{0, 3, 0, 0, 1, 0});
  const value z = o.in({o.B, 5, 3});
  CHECK(padded(concat({z, rows(z, 1, 0, 4)}, 1)) == "Pad");
  CHECK(mode_of(o) == "wrap");
  CHECK(pads_of(o) == ints{0, 0, 0, 0, 4, 0});
  const value w = p.in({2, 3});
  CHECK(padded(concat({broadcast_to(rows(w, 0, 0, 1), {2, 3}), w}, 0)) == "Pad");
  CHECK(mode_of(p) == "edge");
  model q, r, t;
  const value v = t.in({5, 3});
  const value first =
      t.g.emit("Slice", {v, int64s(t.g, {0}), int64s(t.g, {5}), int64s(t.g, {0}), int64s(t.g, {INT64_MAX})},
               {dtype::f32, {1, 3}});
  CHECK(padded(concat({first, v}, 0)) == "Pad");
  const value one = q.in({1, 3}), two = r.in({2, 3});
  CHECK(padded(concat({broadcast_to(one, {2, 3}), one}, 0)) == "Expand Concat");
  CHECK(padded(concat({two, two}, 0)) == "Concat");
}

TEST_CASE("Pad-lookups: rows of an edge") {
  const auto looked_up = [](model& m, const ints& indices) {
    const value x = m.in({2, 4, 3});
    return after(m.g.emit("Gather", {x, int64s(m.g, indices)}, {x.dtype(), {2, std::ssize(indices), 3}},
                          {{"axis", std::int64_t{1}}}),
                 "Pad-lookups");
  };
  model m, n, o, p;
  CHECK(looked_up(m, {1, 0, 1, 2, 3, 2, 1, 0}) == "Pad");
  CHECK(pads_of(m) == ints{0, 1, 0, 0, 3, 0});
  CHECK(looked_up(n, {1, 0, 1, 2, -1, 2, 1, 0, 1}) == "Gather");
  CHECK(looked_up(o, {3, 0, 1, 2, 3, 0, 1, 2, 3}) == "Pad");
  CHECK(mode_of(o) == "wrap");
  CHECK(looked_up(p, {0, 1, 2, 3}) == "Gather");
  model q(18), r;
  CHECK(looked_up(q, {3, 0, 1, 2, 3}) == "the mode wrap of Pad needs opset 19");
  const value x = r.in({4, 3}, dtype::i16);
  const value y = r.g.emit("Gather", {x, int64s(r.g, {0, 0, 1, 2, 3})}, {dtype::i16, {5, 3}});
  CHECK(after({y}, {"Pad-lookups"}, target::ort) == "ONNX Runtime has no kernel for the element type");
}

TEST_CASE("Pad-rows: what stays") {
  model m, n, o, p, q, r(18), s;
  const value x = m.in({5, 3});
  CHECK(padded(concat({rows(x, 0, 3, 2, -1), x}, 0)) == "Slice Concat");
  const value y = n.in({n.B, 3});
  CHECK(padded(concat({rows(y, 0, 0, 1), y}, 0)) == "Slice Concat");
  const value z = o.in({5, 3}), other = o.in({5, 3});
  CHECK(padded(concat({rows(other, 0, 0, 1), z}, 0)) == "Slice Concat");
  const value w = p.in({5, 3});
  CHECK(padded(concat({rows(w, 1, 0, 1), rows(w, 1, 0, 1)}, 1)) == "Slice Slice Concat");
  const value f = q.in({5, 3}, dtype::f16);
  CHECK(after({reflected(f, 0, 2)}, {"Pad-rows"}, target::ort) == "ONNX Runtime has no kernel for the element type");
  const value l = s.in({5, 3}), first = rows(l, 0, 0, 1);
  CHECK(padded(concat({broadcast_to(first, {std::int64_t{1} << 40, 3}), l}, 0)) == "Slice Expand Concat");
  model u;
  const value none = u.in({5, 0});
  CHECK(padded(u.g.emit("Concat", {rows(none, 0, 0, 1), none}, {none.dtype(), {6, 0}}, {{"axis", std::int64_t{0}}})) ==
        "Slice Concat");
  const value e = r.in({5, 3});
  CHECK(padded(concat({e, rows(e, 0, 0, 4)}, 0)) == "the mode wrap of Pad needs opset 19");
}

TEST_CASE("join-pads-of-rows: along two axes, and before and after the rows of one") {
  model m, n, o, p;
  const value x = reflected(reflected(m.in({5, 4}), 0, 2), 1, 3);
  CHECK(padded(x) == "Pad");
  CHECK(pads_of(m) == ints{2, 3, 0, 0});
  const value y = reflected(n.in({5, 4}), 0, 2);
  CHECK(padded(concat({y, rows(y, 0, -2, -6, -1)}, 0)) == "Pad");
  CHECK(pads_of(n) == ints{2, 0, 4, 0});
  const value z = reflected(o.in({5, 4}), 0, 2);
  CHECK(padded(concat({z, rows(z, 0, -2, -7, -1)}, 0)) == "Pad Pad");
  const auto pad = [](const value& v, const ints& pads, std::string mode) {
    shape dims = v.dims();
    for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = dims[i].extent() + pads[i] + pads[dims.size() + i];
    return v.owner().emit("Pad", {v, int64s(v.owner(), pads)}, {v.dtype(), dims}, {{"mode", std::move(mode)}});
  };
  CHECK(after(pad(pad(p.in({5, 4}), {1, 0, 2, 0}, "edge"), {1, 1, 0, 0}, "edge"), "join-pads-of-rows") == "Pad");
  model cropped;  // the outer Pad repeats another row than the first one
  CHECK(after(pad(pad(cropped.in({5, 4}), {-1, 0, 0, 0}, "edge"), {1, 0, 0, 0}, "edge"), "join-pads-of-rows") ==
        "the outer Pad copies rows that the inner Pad has added");
  CHECK(pads_of(p) == ints{2, 1, 2, 0});
  model q, r, s;
  CHECK(after(pad(pad(q.in({5, 4}), {1, 0, 2, 0}, "wrap"), {1, 1, 0, 0}, "wrap"), "join-pads-of-rows") ==
        "the outer Pad copies rows that the inner Pad has added");
  CHECK(after(pad(pad(r.in({5, 4}), {1, 0, 2, 0}, "wrap"), {0, 1, 0, 0}, "edge"), "join-pads-of-rows") == "Pad Pad");
  const value inner = pad(s.in({5, 4}), {1, 0, 2, 0}, "edge");
  CHECK(after({exp(inner), pad(inner, {0, 1, 0, 0}, "edge")}, {"join-pads-of-rows"}) ==
        "the padded value is read elsewhere too");
}

TEST_CASE("roll: long rows and few rows are looked up") {
  model m, n, o, p;
  const value x = m.in({m.B, 6, 4, 8});
  CHECK(after(concat({rows(x, 1, 4, 6), rows(x, 1, 0, 4)}, 1), "roll") == "Gather");
  const value y = n.in({8, 8});
  CHECK(after(concat({rows(y, 1, 4, 8), rows(y, 1, 0, 4)}, 1), "roll") == "Gather");
  const value z = o.in({6, 32});
  CHECK(after(concat({rows(z, 0, 3, 6), rows(z, 0, 1, 4)}, 0), "roll") == "Slice Slice Concat");
  const value w = p.in({600, 32});
  CHECK(after(concat({rows(w, 0, 4, 600), rows(w, 0, 0, 4)}, 0), "roll") == "short rows are copied faster by Slices");
}

TEST_CASE("roll: small arrays that are rolled twice are doubled") {
  const auto rolled = [](const value& x, std::int64_t k) {
    return concat({rows(x, 1, k, x.extent(1).extent()), rows(x, 1, 0, k)}, 1);
  };
  model m, n, o;
  const value x = m.in({16, 16});
  CHECK(after(add(rolled(x, 1), rolled(x, 15)), "roll") == "Concat Slice Concat Slice Add");
  CHECK(after(rolled(n.in({16, 16}), 1), "roll") == "short rows are copied faster by Slices");
  const value y = o.in({256, 17});
  CHECK(after(add(rolled(y, 1), rolled(y, 15)), "roll") == "short rows are copied faster by Slices");
}

TEST_CASE("slice-of-pad: copied edges, unless others read them") {
  const auto padded = [](model& m) {
    return m.g.emit("Pad", {m.in({3, 5}), int64s(m.g, {0, 1, 0, 2})}, {dtype::f32, {3, 8}}, {{"mode", "edge"}});
  };
  model m, n;
  CHECK(after(neg(slice(padded(m), 1, 1, 6)), "slice-of-pad") == "Neg");
  const value shared = padded(n);
  CHECK(after({slice(shared, 1, 2, 6), neg(shared)}, {"slice-of-pad"}) == "the Pad is read elsewhere too");
}

TEST_CASE("slice-of-pad: what lies between the edges") {
  const auto padded = [](const value& x, const shape& front, const shape& behind) {
    return pad(x, front, behind, scalar(x.owner(), dtype::f32, 0));
  };
  model m;
  CHECK(after(neg(slice(padded(m.in({3, 5}), {0, 1}, {0, 2}), 1, 1, 6)), "slice-of-pad") == "Neg");
  model n;
  CHECK(after(slice(padded(n.in({n.B, 5}), {0, 1}, {0, 2}), 1, 2, 4), "slice-of-pad") == "Slice");
  model o;  // includes an edge
  CHECK(after(slice(padded(o.in({3, 5}), {0, 1}, {0, 2}), 1, 0, 4), "slice-of-pad") == "Pad Slice");
  model p;  // another axis is also padded
  CHECK(after(slice(padded(p.in({3, 5}), {1, 1}, {0, 2}), 1, 1, 4), "slice-of-pad") == "Pad Slice");
}
