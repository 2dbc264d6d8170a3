#include "catch.hpp"

#include <jax2onnx/lower/control/call.hpp>

using namespace jax2onnx::lower;

TEST_CASE("a printed mesh tells whether it has one device") {
  CHECK(mesh_size("Mesh('x': 1)") == 1);
  CHECK(mesh_size("Mesh('x': 1, 'y': 1, axis_types=(Auto, Auto))") == 1);
  CHECK(mesh_size("Mesh('x': 1, 'y': 4)") == 4);
  CHECK(mesh_size("Mesh(device_ids=array([0]), axis_names=('x',))") == 1);
  CHECK(mesh_size("Mesh(device_ids=array([0, 1]), axis_names=('x',))") == 2);
}
