// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"
#include "lower/pallas/calls.hpp"

#include <jax2onnx/lower/batching/ref_rules.hpp>

TEST_CASE("an index that is the same for all programs takes their axes whole") {
  const called_kernel done("v:f32[3] <- x[0,:]; o[0,:] <- v; w:f32[1,3] <- x[1:2,:]; o[1:2,:] <- w");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Slice") + done.count("Gather") > 0);
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}

TEST_CASE("an index that differs is a gather from all blocks") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; j:i32[] = rem i 2:i32[]; v:f32[3] <- x[j,:]; o[0,:] <- v; o[1,:] <- v; o[j,:] <- "
      "v");
  CHECK(done.problem() == "(none)");
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}

TEST_CASE("a condition that differs selects what references hold") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; t:bool[] = gt i 0:i32[]; c:i32[] = convert_element_type[new_dtype=int32] t; "
      "v:f32[2,3] "
      "<- x[...]; o[...] <- v; cond[branches=({ lambda ; y:Ref{f32[2,3]} w:f32[2,3]. let  in () } { lambda ; "
      "y:Ref{f32[2,3]} w:f32[2,3]. let y[...] += w in () })] c o v");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Where") == 1);
  CHECK(done.count("If") == 0);
}

TEST_CASE("references of a part of a kernel have the axes of its programs") {
  const called_kernel done(
      "run_scoped[collective_axes=() jaxpr={ lambda y:Ref{f32[2,3]} z:Ref{f32[2,3]}; t:Ref{f32[2,3]}. let v:f32[2,3] "
      "<- "
      "y[...]; t[...] <- v; w:f32[2,3] <- t[...]; u:f32[2,3] = neg w; z[...] <- u in () }] x o");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Neg") == 1);
}

TEST_CASE("an index that differs counts from the end if it is negative") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; j:i32[] = sub i 1:i32[]; v:f32[1,3] <- x[j:j+1,:]; o[0:1,:] <- v; o[1:2,:] <- v");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Less") == 1);
  CHECK(done.count("Add") >= 1);
}

TEST_CASE("an update at an array of indices adds to elements that are indexed several times") {
  const called_kernel done(
      "v:f32[2,3] <- x[...]; o[...] <- v; k:i32[2] = broadcast_in_dim[broadcast_dimensions=() shape=(2,)] 1:i32[]; "
      "o[k,:] += v");
  CHECK(done.problem() == "(none)");
  long adds = 0;
  for (const jax2onnx::node_id n : done.g.at(jax2onnx::block_id::main).nodes)
    if (const jax2onnx::attribute* a = done.g.at(n).find("reduction"))
      adds += std::get<std::string>(a->value) == "add" ? 1 : 0;
  CHECK(adds == 1);
}

TEST_CASE("unwritten integers are the least ones, as in JAX's interpreter") {
  called_kernel done(
      "run_scoped[collective_axes=() jaxpr={ lambda y:Ref{f32[2,3]}; t:Ref{i64[2,3]}. let v:i64[2,3] <- t[...]; "
      "w:f32[2,3] = convert_element_type[new_dtype=float32] v; y[...] <- w in () }] o");
  CHECK(done.problem() == "(none)");
  jax2onnx::test::interpreter machine(done.g);
  machine.bind({done.g, done.g.at(jax2onnx::block_id::main).inputs[0]},
               {jax2onnx::dtype::f32, {6, 3}, std::vector<double>(18), {}});
  machine.run();
  CHECK(machine.at(done.results[0].re()).floats.front() == -0x1p63);
}
