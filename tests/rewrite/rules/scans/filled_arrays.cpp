// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/filled_arrays.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The result of the rule for a Scan that adds xs[5,4] and writes the sums to these rows of an array [n,4].
std::string of_rows(std::int64_t n, std::vector<std::int64_t> rows, bool reads = false,
                    const char* reduction = nullptr) {
  model m;
  const value sequence = reshape(int64s(m.g, rows), {5, 1, 1});
  const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
    const value h = reads ? add(s[0], pick(s[1], 0, 0)) : add(s[0], x[0]), row = reshape(h, {1, 4});
    const std::vector<value> in{s[1], x[1], row};
    std::vector<attribute> attributes;
    if (reduction) attributes.push_back({"reduction", reduction});
    return loop_step{{}, {h, m.g.emit("ScatterND", in, s[1].type(), std::move(attributes))}, {}};
  };
  const loop_result y = scan(m.g, {m.in({4}), m.in({n, 4})}, {m.in({5, 4}), sequence}, body);
  return after({y.carried[0], y.carried[1]}, {"rows-of-steps"});
}

/// The place of the mask when a step sets its row.
enum class masked { never, outside, inside };

/// The result of the rule for a Scan that writes x[2,3] to these columns of an array [2,n,3] where the mask, [5,2] or
/// [5], is true.
std::string of_columns(std::int64_t n, std::vector<std::int64_t> columns, masked how = masked::never,
                       std::vector<std::int64_t> mask = {}, bool reverse = false) {
  model m;
  std::vector<std::int64_t> next = columns;
  for (std::int64_t& c : next) ++c;
  const auto sequence = [&](const std::vector<std::int64_t>& numbers) { return reshape(int64s(m.g, numbers), {5, 1}); };
  std::vector<value> sequences{m.in({5, 2, 3}), sequence(columns), sequence(next)};
  const std::int64_t parts = std::ssize(mask) / 5;
  if (how != masked::never) {
    std::string truth;
    for (const std::int64_t t : mask) truth += static_cast<char>(t);
    const shape dims = how == masked::outside ? shape{5, parts, 1, 1} : shape{5, parts, 1};
    sequences.push_back(m.g.constant({dtype::boolean, dims}, bytes(std::move(truth))));
    sequences.push_back(int64s(m.g, columns));
  }
  const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
    const auto part = [&](const value& from, const value& to) {
      return m.g.emit("Slice", {s[0], from, to, int64s(m.g, {1})}, {dtype::f32, {2, dim::dyn(), 3}});
    };
    value row = x[0];
    if (how == masked::inside) row = where(x[3], row, gather(s[0], x[4], 1));
    const value all =
        m.g.emit("Concat", {part(int64s(m.g, {0}), x[1]), unsqueeze(row, {1}), part(x[2], int64s(m.g, {n}))},
                 {dtype::f32, {2, n, 3}}, {{"axis", std::int64_t{1}}});
    return loop_step{{}, {how == masked::outside ? where(x[3], all, s[0]) : all}, {}};
  };
  const loop_result y = scan(m.g, {m.in({2, n, 3})}, sequences, body, {.reverse = reverse});
  return after({y.carried[0]}, {"rows-of-steps"});
}

}  // namespace

TEST_CASE("rows-of-steps: rows that are written once") {
  CHECK(of_rows(5, {0, 1, 2, 3, 4}) == "Scan Identity");
  CHECK(of_rows(5, {4, 3, 2, 1, 0}) == "Scan Gather Identity");
  CHECK(of_rows(9, {1, 3, 5, 7, 8}) == "Scan ScatterND");
  CHECK(of_rows(5, {0, 1, 2, 3, 4}, false, "add") == "Scan ScatterND");
}

TEST_CASE("rows-of-steps: rows that are written twice") {
  CHECK(of_rows(5, {0, 1, 2, 3, 3}) == "Scan Gather Where");
  CHECK(of_rows(4, {0, 1, 2, 3, 3}) == "Scan Gather Identity");
  CHECK(of_rows(5, {0, 1, 2, 3, 3}, false, "add") == "Scan");
}

TEST_CASE("rows-of-steps: rows that are read, or outside, stay") {
  CHECK(of_rows(5, {0, 1, 2, 3, 4}, true) == "Scan");
  CHECK(of_rows(5, {1, 2, 3, 4, 5}) == "Scan");
  CHECK(of_rows(5, {-1, 0, 1, 2, 3}) == "Scan");
}

TEST_CASE("rows-of-steps: rows along another axis") {
  CHECK(of_columns(5, {0, 1, 2, 3, 4}) == "Scan Transpose Identity");
  CHECK(of_columns(3, {2, 0, 1, 0, 2}) == "Scan Gather Transpose Identity");
  CHECK(of_columns(6, {0, 1, 2, 3, 4}) == "Scan Gather Transpose Transpose Where");
  CHECK(of_columns(5, {0, 1, 2, 3, 5}) == "Scan");
}

TEST_CASE("rows-of-steps: steps under a mask") {
  for (const masked how : {masked::outside, masked::inside}) {
    CHECK(of_columns(3, {0, 0, 0, 1, 2}, how, {0, 0, 1, 1, 1}) == "Scan Slice Transpose Identity");
    CHECK(of_columns(3, {0, 0, 0, 1, 2}, how, {0, 0, 0, 0, 0, 1, 0, 1, 0, 1}) ==
          "Scan Slice Transpose Transpose Where");
    CHECK(of_columns(3, {0, 0, 0, 1, 2}, how, {1, 0, 0, 1, 0, 0, 1, 1, 1, 1}) == "Scan");  // parts from two steps
  }
}

TEST_CASE("rows-of-steps: a mask of a row in another shape is not taken") {
  const auto of_rows_as = [](const shape& part) {
    model m;
    const value mask = array(m.g, dtype::boolean, {2}, std::vector<double>{1, 0});
    const value rows = int64s(m.g, {0, 1, 2, 3, 4}), places = reshape(int64s(m.g, {0, 1, 2, 3, 4}), {5, 1, 1});
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      const value row = where(reshape(mask, part), x[0], reshape(gather(s[0], x[1], 0), part));
      const std::vector<value> in{s[0], x[2], reshape(row, {1, 1, 2})};
      return loop_step{{}, {m.g.emit("ScatterND", in, s[0].type())}, {}};
    };
    shape all{5};
    all.append(part);
    return after({scan(m.g, {m.in({5, 1, 2})}, {m.in(all), rows, places}, body).carried[0]}, {"rows-of-steps"});
  };
  CHECK(of_rows_as({2}) == "Scan");
  CHECK(of_rows_as({2, 1}) == "Scan");
  CHECK(of_rows_as({1, 2}) == "Scan Where");
}

TEST_CASE("rows-of-steps: the step that comes last sets the row") {
  CHECK(of_columns(3, {0, 1, 2, 2, 2}) == "Scan Gather Transpose Identity");
  CHECK(of_columns(3, {0, 1, 2, 2, 2}, masked::never, {}, true) == "Scan Slice Transpose Identity");
}
