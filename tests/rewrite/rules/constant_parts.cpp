// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <memory>
#include <vector>

#include <jax2onnx/rewrite/rules/constant_parts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The numbers of the constant operand of the model's only Add.
std::vector<float> added(const graph& g) {
  std::vector<float> numbers;
  for (const node_id n : g.at(block_id::main).nodes) {
    if (g.at(n).op != "Add") continue;
    const auto raw = value(const_cast<graph&>(g), g.at(n).inputs[1]).data().view();
    numbers.resize(raw.size() / sizeof(float));
    std::memcpy(numbers.data(), raw.data(), raw.size());
  }
  return numbers;
}

value indices(model& m, std::initializer_list<std::int64_t> numbers) { return int64s(m.g, numbers); }

/// Bytes that can only be streamed.
struct compressed final : byte_source {
  std::uint64_t size() const override { return 24; }
  void stream(const sink& out) const override { out(std::vector<std::byte>(24)); }
};

value streamed(model& m) { return m.g.constant({dtype::f32, {3, 2}}, bytes(std::make_shared<const compressed>())); }

constexpr const char* twice = "the weight would be stored twice, whole and in part";

}  // namespace

TEST_CASE("fold-gather: rows and columns, some of them twice") {
  model m;
  CHECK(after(add(m.in({2, 2}), gather(m.weight({3, 2}), indices(m, {2, -3}), 0)), "fold-gather") == "Add");
  CHECK(added(m.g) == std::vector<float>{5, 6, 1, 2});
  model n;
  CHECK(after(add(n.in({3, 3}), gather(n.weight({3, 2}), indices(n, {1, 1, 0}), 1)), "fold-gather") == "Add");
  CHECK(added(n.g) == std::vector<float>{2, 2, 1, 4, 4, 3, 6, 6, 5});
  model o;  // a single item of an axis after one of extent 1
  CHECK(after(add(o.in({1, 1}), gather(o.weight({1, 3}), indices(o, {-1}), 1)), "fold-gather") == "Add");
  CHECK(added(o.g) == std::vector<float>{3});
}

TEST_CASE("fold-gather: what stays") {
  model m;
  const value table = m.weight({1025, 1});  // more than 4 KiB
  CHECK(after({add(m.in({1, 1}), gather(table, indices(m, {1}), 0)), add(m.in({1025, 1}), table)}, {"fold-gather"}) ==
        twice);
  model n;
  CHECK(after(add(n.in({1, 2}), gather(streamed(n), indices(n, {1}), 0)), "fold-gather") == "Gather Add");
  model o;  // indices out of range
  CHECK(after(add(o.in({1, 2}), gather(o.weight({3, 2}), indices(o, {3}), 0)), "fold-gather") == "Gather Add");
  model p;  // unknown indices
  CHECK(after(add(p.in({1, 2}), gather(p.weight({3, 2}), p.in({1}, dtype::i64), 0)), "fold-gather") == "Gather Add");
  model q;  // more than 1 MiB
  const value row = q.weight({1, 1024});
  CHECK(after(add(q.in({257, 1024}), gather(row, int64s(q.g, ints(257, 0)), 0)), "fold-gather") == "Gather Add");
}

TEST_CASE("fold-gather: rows that are repeated would take more memory than the nodes") {
  const auto repeated = [](std::int64_t width) {
    model m;
    const value rows = gather(m.weight({2, width}), indices(m, {0, 0, 0, 0, 0, 1, 1, 1}), 0);
    return after(add(m.in({8, width}), rows), "fold-gather");
  };
  CHECK(repeated(128) == "Add");
  CHECK(repeated(129) == "a copy would mostly repeat rows of the constant");
}

TEST_CASE("fold-gather: layers of stacked weights") {
  const auto layer = [](model& m, const value& stack, std::int64_t i) {
    return m.g.emit("Gather", {stack, scalar(m.g, dtype::i64, static_cast<double>(i))},
                    {stack.dtype(), {stack.extent(1), stack.extent(2)}}, {{"axis", std::int64_t{0}}});
  };
  model m;  // each of them has more than 1 MiB
  const value stack = m.weight({2, 513, 512});
  CHECK(after(add(mul(m.in({513, 512}), layer(m, stack, 0)), layer(m, stack, -1)), "fold-gather") == "Mul Add");
  CHECK(added(m.g).size() == std::size_t{513} * 512);  // not views of the stack, each of which would keep a copy of it
  CHECK(added(m.g).front() == 262657.0F);
  model n;  // the stack is also read as a whole
  const value whole = n.weight({2, 64, 32});
  CHECK(after({mul(n.in({64, 32}), layer(n, whole, 0)), mul(n.in({64, 32}), layer(n, whole, 1)), neg(whole)},
              {"fold-gather"}) == twice);
  model o;  // out of range
  const value short_stack = o.weight({2, 64, 32});
  CHECK(after(add(o.in({64, 32}), layer(o, short_stack, 2)), "fold-gather") == "Gather Add");
  model p;
  const value packed = streamed(p);
  const value row = p.g.emit("Gather", {packed, scalar(p.g, dtype::i64, 1)}, {dtype::f32, {2}});
  CHECK(after(add(p.in({2}), row), "fold-gather") == "Gather Add");
}

TEST_CASE("fold-slice") {
  model m;
  CHECK(after(add(m.in({1, 2}), slice(m.weight({1025, 2}), 0, 1024, 1025)), "fold-slice") == "Add");
  CHECK(added(m.g) == std::vector<float>{2049, 2050});
  model n;
  const value w = n.weight({513, 2});
  CHECK(after({add(n.in({513, 1}), slice(w, 1, 0, 1)), add(n.in({513, 2}), w)}, {"fold-slice"}) == twice);
  model o;
  CHECK(after(add(o.in({1, 2}), slice(streamed(o), 0, 0, 1)), "fold-slice") == "Slice Add");
  model p;  // parts of a computed value
  CHECK(after(add(p.in({1, 2}), slice(p.in({3, 2}), 0, 0, 1)), "fold-slice") == "Slice Add");
}

TEST_CASE("fold-slice: several axes and steps") {
  model m;
  CHECK(after(add(m.in({3, 2}), reverse(m.weight({3, 2}), {0, 1})), "fold-slice") == "Add");
  CHECK(added(m.g) == std::vector<float>{6, 5, 4, 3, 2, 1});
  model n;
  CHECK(after(add(n.in({2, 1}), slice(n.weight({5, 2}), {0, 1}, {1, 1}, {5, 2}, {2, 1})), "fold-slice") == "Add");
  CHECK(added(n.g) == std::vector<float>{4, 8});
  model o;  // a start beyond the end selects the last element
  const value backward = o.g.emit(
      "Slice", {o.weight({3}), int64s(o.g, {9}), int64s(o.g, {INT64_MIN}), int64s(o.g, {-1}), int64s(o.g, {-2})},
      {dtype::f32, {2}});
  CHECK(after(add(o.in({2}), backward), "fold-slice") == "Add");
  CHECK(added(o.g) == std::vector<float>{3, 1});
  model p;  // as many elements as the input has
  const value rows = p.g.emit("Slice", {p.weight({3, 2}), int64s(p.g, {0}), p.in({1}, dtype::i64), int64s(p.g, {0})},
                              {dtype::f32, {p.B, 2}});
  CHECK(after(add(p.in({p.B, 2}), rows), "fold-slice") == "Slice Add");
}

TEST_CASE("fold-split") {
  const auto halves = [](model& m, const value& x) {
    const tensor_type part{x.dtype(), {x.extent(0), 1}};
    const tensor_type parts[] = {part, part};
    return m.g.emit_many("Split", std::vector<value>{x}, parts,
                         {{"axis", std::int64_t{-1}}, {"num_outputs", std::int64_t{2}}});
  };
  model m;
  const std::vector<value> ab = halves(m, m.weight({3, 2}));
  CHECK(after(add(mul(m.in({3, 1}), ab[0]), ab[1]), "fold-split") == "Mul Add");
  CHECK(added(m.g) == std::vector<float>{2, 4, 6});
  model n;
  const value w = n.weight({513, 2});
  const std::vector<value> cd = halves(n, w);
  CHECK(after({add(mul(n.in({513, 1}), cd[0]), cd[1]), add(n.in({513, 2}), w)}, {"fold-split"}) == twice);
  model o;
  const std::vector<value> ef = halves(o, streamed(o));
  CHECK(after(add(mul(o.in({3, 1}), ef[0]), ef[1]), "fold-split") == "Split Mul Add");
}
