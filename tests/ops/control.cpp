// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using Catch::Matchers::Contains;

namespace {

const node& producer(const value& v) { return v.owner().at(v.owner().at(v.id()).producer); }
block_id block_of(const value& v, std::string_view name) { return std::get<block_id>(producer(v).find(name)->value); }
std::vector<std::string> input_names(const graph& g, block_id b) {
  std::vector<std::string> names;
  for (value_id v : g.at(b).inputs) names.push_back(g.at(v).name);
  return names;
}

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 3}}, "x");
  value yes = g.input({dtype::boolean, {}}, "yes");
  value trips = scalar(g, dtype::i64, 5);
};

}  // namespace

TEST_CASE("if_: branches capture outer values and are blocks of their own") {
  model m;
  const std::vector<value> y = if_(
      m.yes, [&] { return std::vector{add(m.x, m.x)}; }, [&] { return std::vector{neg(m.x)}; });
  REQUIRE(y.size() == 1);
  CHECK(producer(y[0]).op == "If");
  CHECK(producer(y[0]).inputs == std::vector{m.yes.id()});
  CHECK(m.g.at(m.g.at(block_of(y[0], "then_branch")).nodes[0]).op == "Add");
  CHECK(m.g.at(m.g.at(block_of(y[0], "else_branch")).nodes[0]).op == "Neg");
  CHECK(m.g.at(block_id::main).nodes.size() == 1);
  CHECK(y[0].type() == m.x.type());
}

TEST_CASE("if_: extents that differ are unknown, or what the caller states") {
  model m;
  const auto longer = [&] { return std::vector{concat({m.x, m.x}, 0)}; };
  const auto same = [&] { return std::vector{m.x}; };
  CHECK(if_(m.yes, longer, same)[0].dims() == shape{dim::dyn(), 3});
  CHECK(if_(m.yes, same, same, {{dtype::f32, {2, dim::dyn()}}})[0].dims() == shape{2, dim::dyn()});
  CHECK_THROWS_WITH(if_(m.yes, longer, same, {m.x.type()}), Contains("result 0 is f32[4,3], expected f32[2,3]"));
}

TEST_CASE("if_: no results, no node") {
  model m;
  const auto none = [] { return std::vector<value>{}; };
  CHECK(if_(m.yes, none, none).empty());
  CHECK(m.g.node_count() == 0);
}

TEST_CASE("if_: branches that do not fit are errors, after which the graph goes on in the outer block") {
  model m;
  const auto one = [&] { return std::vector{m.x}; };
  CHECK_THROWS_WITH(if_(m.yes, one, [&] { return std::vector{cast(m.x, dtype::f64)}; }),
                    Contains("the branches differ in result 0: f32[2,3] and f64[2,3]"));
  CHECK_THROWS_WITH(if_(m.yes, one, [&] { return std::vector{reshape(m.x, {6})}; }), Contains("differ in result 0"));
  CHECK_THROWS_WITH(if_(m.yes, one,
                        [&] {
                          return std::vector{m.x, m.x};
                        }),
                    Contains("the number of results of the second branch is 2, expected 1"));
  CHECK_THROWS_WITH(if_(m.x, one, one), Contains("the condition is f32[2,3], expected bool[]"));
  CHECK_THROWS_WITH(if_(value(), one, one), Contains("If: the condition is absent"));
  CHECK_THROWS_WITH(if_(m.yes, one, [&] { return std::vector{m.g.input(m.x.type(), "late")}; }),
                    Contains("If: the input 'late' of the model is declared in a body; declare it before the body"));
  CHECK(m.g.current() == block_id::main);
}

TEST_CASE("loop: carries and collects") {
  model m;
  value number;
  const loop_result end = loop(m.g, m.trips, {}, {m.x}, [&](const value& iteration, const std::vector<value>& carried) {
    number = iteration;
    return loop_step{{}, {add(carried[0], m.x)}, {iteration, carried[0]}};
  });
  CHECK(number.type() == tensor_type{dtype::i64, {}});
  REQUIRE(end.carried.size() == 1);
  CHECK(end.carried[0].type() == m.x.type());
  REQUIRE(end.collected.size() == 2);
  CHECK(end.collected[0].type() == tensor_type{dtype::i64, {5}});
  CHECK(end.collected[1].dims() == shape{5, 2, 3});
  CHECK(producer(end.carried[0]).op == "Loop");
  CHECK(producer(end.carried[0]).inputs == std::vector{m.trips.id(), value_id::none, m.x.id()});
  const block_id body = block_of(end.carried[0], "body");
  CHECK(input_names(m.g, body) == std::vector<std::string>{"iteration", "going", "carried"});
  CHECK(m.g.at(body).outputs.size() == 4);
  CHECK(m.g.at(body).outputs[0] == m.g.at(body).inputs[1]);  // is not changed
}

TEST_CASE("loop: a constant condition that is true leaves the number of iterations known") {
  model m;
  const value always = scalar(m.g, dtype::boolean, 1);
  const loop_result end = loop(m.g, m.trips, always, {m.x}, [&](const value& i, const std::vector<value>& carried) {
    return loop_step{{}, carried, {i}};
  });
  CHECK(end.collected[0].dims() == shape{5});
}

TEST_CASE("loop: a condition makes the number of iterations unknown") {
  model m;
  const loop_result end = loop(m.g, m.trips, {}, {m.x}, [&](const value& i, const std::vector<value>& carried) {
    return loop_step{less(i, 3), carried, {i}};
  });
  CHECK(end.collected[0].dims() == shape{dim::dyn()});
  const loop_result stated = loop(m.g, {}, m.yes, {m.x},
                                  [&](const value& i, const std::vector<value>& carried) {
                                    return loop_step{{}, carried, {i}};
                                  },
                                  {.collected_types = {{dtype::i64, {7}}}});
  CHECK(stated.collected[0].dims() == shape{7});
  const value trips(m.g, producer(stated.collected[0]).inputs[0]);
  CHECK(constant_integer(trips) == std::numeric_limits<std::int64_t>::max());  // an absent trip count means any number
}

TEST_CASE("loop: names of carried values, of which the last one stands for the rest") {
  model m;
  const auto same = [](const value&, const std::vector<value>& carried) { return loop_step{{}, carried}; };
  const loop_result end = loop(m.g, m.trips, {}, {m.x, m.x, m.x}, same, {.carried_names = {"a", "b"}});
  CHECK(input_names(m.g, block_of(end.carried[0], "body")) ==
        std::vector<std::string>{"iteration", "going", "a", "b", "b"});
}

TEST_CASE("loop: what does not fit is an error") {
  model m;
  const auto run = [&](std::vector<value> next, value keep_going = {}) {
    return loop(m.g, m.trips, {}, {m.x}, [&](const value&, const std::vector<value>&) {
      return loop_step{keep_going, next};
    });
  };
  CHECK_THROWS_WITH(run({}), Contains("the number of loop-carried values in the body is 0, expected 1"));
  CHECK_THROWS_WITH(run({reshape(m.x, {3, 2})}), Contains("loop-carried value 0 is f32[3,2], expected f32[2,3]"));
  CHECK_THROWS_WITH(run({value()}), Contains("(absent)"));
  CHECK_THROWS_WITH(loop(m.g, m.trips, {}, {m.x},
                         [&](const value&, const std::vector<value>&) {
                           return loop_step{{}, {m.g.input(m.x.type(), "late")}};
                         }),
                    Contains("Loop: the input 'late' of the model is declared in a body"));
  CHECK_THROWS_WITH(run({m.x}, m.x), Contains("keep_going is f32[2,3], expected bool[]"));
  CHECK_THROWS_AS(loop(m.g, m.yes, {}, {m.x}, [](const value&, const std::vector<value>&) { return loop_step{}; }),
                  build_error);
  CHECK(m.g.current() == block_id::main);
}

TEST_CASE("loop: a carried value keeps its symbolic extents") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 2}}, "x");
  const auto doubled = [](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {concat({carried[0], carried[0]}, 0)}};
  };
  const value trips = scalar(g, dtype::i64, 3);
  CHECK_THROWS_WITH(loop(g, trips, {}, {x}, doubled),
                    Contains("loop-carried value 0 becomes f32[2*B,2], but was f32[B,2]"));
  const tensor_type any{dtype::f32, {dim::dyn(), 2}};
  CHECK(loop(g, trips, {}, {x}, doubled, {.carried_types = {any}}).carried[0].type() == any);
}

TEST_CASE("loop: loops nest") {
  model m;
  const loop_result end = loop(m.g, m.trips, {}, {m.x}, [&](const value&, const std::vector<value>& outer) {
    return loop_step{{}, loop(m.g, m.trips, {}, outer, [&](const value&, const std::vector<value>& inner) {
                           return loop_step{{}, {add(inner[0], outer[0])}};
                         }).carried};
  });
  const block_id outer = block_of(end.carried[0], "body");
  REQUIRE(m.g.at(outer).nodes.size() == 1);
  CHECK(m.g.at(m.g.at(outer).nodes[0]).op == "Loop");
  CHECK(m.g.at(block_id::main).nodes.size() == 1);
}

TEST_CASE("scan: elements lack the axis, collected values have it") {
  model m;
  const loop_result end = scan(m.g, {scalar(m.g, dtype::f32, 0)}, {m.x},
                               [&](const std::vector<value>& carried, const std::vector<value>& elements) {
                                 CHECK(elements[0].dims() == shape{2});
                                 return loop_step{{}, {carried[0]}, {neg(elements[0])}};
                               },
                               {.axis = 1, .reverse = true});
  CHECK(end.collected[0].dims() == shape{2, 3});
  const node& n = producer(end.collected[0]);
  CHECK(n.op == "Scan");
  CHECK(std::get<std::int64_t>(n.find("num_scan_inputs")->value) == 1);
  for (const char* name : {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"})
    CHECK(std::get<ints>(n.find(name)->value) == ints{1});
  CHECK(input_names(m.g, block_of(end.collected[0], "body")) == std::vector<std::string>{"carried", "element"});
}

TEST_CASE("scan: the first axis and the order of elements need no attributes") {
  model m;
  const loop_result end = scan(m.g, {m.x}, {m.x}, [&](const std::vector<value>& carried, const std::vector<value>&) {
    return loop_step{{}, carried};
  });
  CHECK(producer(end.carried[0]).attributes.size() == 2);
}

TEST_CASE("scan: what does not fit is an error") {
  model m;
  const auto same = [](const std::vector<value>& carried, const std::vector<value>&) { return loop_step{{}, carried}; };
  CHECK_THROWS_WITH(scan(m.g, {m.x}, {}, same), Contains("it needs a sequence"));
  CHECK_THROWS_WITH(scan(m.g, {}, {m.x, reshape(m.x, {3, 2})}, same), Contains("the sequences differ in their extent"));
  CHECK_THROWS_WITH(scan(m.g, {}, {m.yes}, same), Contains("has no axis 0"));
  CHECK_THROWS_WITH(scan(m.g, {}, {m.x},
                         [&](const std::vector<value>&, const std::vector<value>&) {
                           return loop_step{{}, {}, {m.g.input(m.x.type(), "late")}};
                         }),
                    Contains("Scan: the input 'late' of the model is declared in a body"));
  const auto turn = [](const value&, const std::vector<value>& carried) { return loop_step{{}, carried}; };
  CHECK_THROWS_WITH(loop(m.g, scalar(m.g, dtype::i64, -3), {}, {m.x}, turn), Contains("the trip count is -3"));
  CHECK_THROWS_WITH(scan(m.g, {}, {m.x},
                         [&](const std::vector<value>&, const std::vector<value>&) {
                           return loop_step{m.yes, {}};
                         }),
                    Contains("keep_going must be absent; only a Loop can end early"));
}
