// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/batching/mesh_text.hpp>

using namespace jax2onnx::lower::batching;
using mesh = std::vector<std::pair<std::string_view, std::int64_t>>;
using names = std::vector<std::vector<std::string_view>>;

TEST_CASE("a printed mesh has names and sizes") {
  CHECK(axes_of_mesh("Mesh('x': 1)") == mesh{{"x", 1}});
  CHECK(axes_of_mesh("Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto))") == mesh{{"x", 2}, {"y", 4}});
  CHECK(axes_of_mesh("Mesh(device_ids=array([0, 1]), axis_names=('x',))") == mesh{{"x", 2}});
  CHECK(axes_of_mesh("Mesh(device_ids=array([[0, 1, 2], [3, 4, 5]]), axis_names=('x', 'y'))") ==
        mesh{{"x", 2}, {"y", 3}});
  CHECK(axes_of_mesh("Mesh()").empty());
}

TEST_CASE("the number of devices of a mesh is limited") {
  CHECK(devices_of(mesh{{"x", 2}, {"y", 4}}) == 8);
  CHECK(devices_of(mesh{}) == 1);
  CHECK_THROWS_AS(devices_of(mesh{{"x", 1 << 16}, {"y", 1 << 16}, {"z", 1 << 16}, {"w", 1 << 16}}),
                  jax2onnx::limit_error);
}

TEST_CASE("a specification names the axes of the mesh, in both forms") {
  const auto names_in = [](std::string_view printed) {
    static std::string text;  // static, since the names view it
    text = "{ lambda ; a:f32[4]. let b:f32[4] = p[s=" + std::string(printed) + "] a in (b,) }";
    const auto program = jaxpr::parse(text);
    return names_of_specification(program.main->equations[0].params[0].val);
  };
  CHECK(names_in("P('x', None, ('y', 'z'))") == names{{"x"}, {}, {"y", "z"}});
  CHECK(names_in("P()").empty());
  CHECK(names_in("{1: ('x', 'y')}") == names{{}, {"x", "y"}});
  CHECK(names_in("{}").empty());
}

TEST_CASE("names lose their quotes") {
  CHECK(unquoted("'x'") == "x");
  CHECK(unquoted("x") == "x");
}

TEST_CASE("a type of an explicit mesh names the axes that divide it") {
  CHECK(names_of_type("f32[8@x,4]") == names{{"x"}});
  CHECK(names_of_type("f32[8,4@(x,y),2]") == names{{}, {"x", "y"}});
  CHECK(names_of_type("f32[8,4]").empty());
}

TEST_CASE("the first mesh of several devices in a text") {
  CHECK(first_mesh("Mesh() Mesh('d': 1) Mesh('x': 2, axis_types=(Auto,)) Mesh('y': 4)") == mesh{{"x", 2}});
  CHECK(first_mesh("f32[4]").empty());
}
