// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <jax2onnx/lower/pallas/grid_mapping.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;
using namespace jax2onnx::lower::pallas;

namespace {

grid_mapping last;  // the last one that was read

/// Reads the printed grid mapping of a call with a scalar, an array and a result; returns the error.
std::string read(const std::string& mapping) {
  const lowered_text done(
      "{ lambda ; i:i32[] a:f32[4,6]. let b:f32[4,6] = p[grid_mapping=GridMapping(" + mapping + ")] i a in (b,) }",
      [](const site& s) -> jax_values {
        last = grid_mapping_of(s);
        return {s.in(1)};
      });
  return done.problem();
}
constexpr const char* whole = "BlockMapping(block_shape=(Blocked(block_size=4), Blocked(block_size=6)))";
const std::string maps = ", index_map_jaxpr={ lambda ; a:i32[] b:i32[]. let  in (a, b) }";

}  // namespace

TEST_CASE("a grid mapping has a grid, scalars, and a block for each array") {
  const std::string block = "BlockMapping(block_shape=(Squeezed(), Element(block_size=3, padding=(1, 2)))" + maps + ")";
  CHECK(read("grid=(2, 3), block_mappings=(" + block + ", " + whole + "), vmapped_dims=(0,)") == "(none)");
  CHECK(last.steps() == 6);
  CHECK(last.hidden == std::vector<bool>{true, false});
  CHECK(last.scalars == 1);
  CHECK(last.inputs == 1);
  REQUIRE(last.blocks.size() == 2);
  CHECK(last.blocks[0].axes[0].kind == block_kind::squeezed);
  CHECK(last.blocks[0].axes[1].kind == block_kind::element);
  CHECK(last.blocks[0].axes[1].low == 1);
  CHECK(last.blocks[0].axes[1].high == 2);
  CHECK(last.blocks[0].sizes() == shape{1, 3});
  CHECK(last.blocks[0].index_map != nullptr);
  CHECK(last.blocks[1].index_map == nullptr);
}

TEST_CASE("a grid can have a computed bound, which is an operand") {
  const std::string both = std::string(whole) + ", " + whole;
  CHECK(read("grid=(DynamicGridDim, 3), block_mappings=(" + both + ")") == "(none)");
  CHECK(last.bounds == 1);
  CHECK(last.scalars == 0);
  CHECK_FALSE(last.steps());
}

TEST_CASE("texts of JAX 0.4 print numbers and modes") {
  const std::string block = "BlockMapping(block_shape=(Mapped, 3)" + maps + ", indexing_mode=Unblocked(padding=None))";
  CHECK(read("grid=(2, 3), block_mappings=(" + block + ", " + whole + ")") == "(none)");
  CHECK(last.blocks[0].axes[0].kind == block_kind::squeezed);
  CHECK(last.blocks[0].axes[1].kind == block_kind::element);
}

TEST_CASE("a text without the index maps of parts of arrays is refused") {
  const std::string part = "BlockMapping(block_shape=(Blocked(block_size=2), Blocked(block_size=6)))";
  CHECK(read("grid=(2,), block_mappings=(" + part + ", " + whole + ")") ==
        "lower.unsupported: primitive 'p': the jaxpr was printed without the index maps of its blocks");
  const std::string unknown = "BlockMapping(block_shape=(BoundedSlice(4), Blocked(block_size=6)))";
  CHECK(read("grid=(2,), block_mappings=(" + unknown + ", " + whole + ")") ==
        "lower.unsupported: primitive 'p': a dimension BoundedSlice(4) of a block is not supported");
  CHECK(read("grid=(2,), block_mappings=()").starts_with("lower.malformed"));
}
