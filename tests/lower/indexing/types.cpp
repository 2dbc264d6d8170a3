// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/indexing/types.hpp>

namespace {

std::string gather(std::string_view inputs, std::string_view result, std::string_view numbers, std::string_view sizes) {
  return reason_of(inputs, result,
                   "gather[dimension_numbers=GatherDimensionNumbers(" + std::string(numbers) +
                       ") fill_value=None indices_are_sorted=False mode=GatherScatterMode.CLIP slice_sizes=" +
                       std::string(sizes) + " unique_indices=False] a b");
}
std::string scatter(std::string_view inputs, std::string_view numbers,
                    std::string_view body = "lambda ; x:f32[] y:f32[]. let z:f32[] = add x y in (z,)") {
  return reason_of(inputs, "d:f32[5,3]",
                   "scatter-add[dimension_numbers=ScatterDimensionNumbers(" + std::string(numbers) +
                       ") indices_are_sorted=False mode=GatherScatterMode.CLIP unique_indices=False update_consts=() "
                       "update_jaxpr={ " +
                       std::string(body) + " }] a b c");
}

constexpr std::string_view rows = "offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)";
constexpr std::string_view added_rows =
    "update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)";

}  // namespace

TEST_CASE("the type of a gather is JAX's") {
  CHECK(gather("a:f32[5,3] b:i32[4,1]", "c:f32[4,3]", rows, "(1, 3)") == "(none)");
  CHECK(gather("a:f32[B,3] b:u8[T,1]", "c:f32[T,2]", rows, "(1, 2)") == "(none)");
  CHECK(gather("a:f32[5,3] b:i32[5,1]", "c:f32[5]",
               "offset_dims=(), collapsed_slice_dims=(1,), start_index_map=(1,), operand_batching_dims=(0,), "
               "start_indices_batching_dims=(0,)",
               "(1, 1)") == "(none)");
}

TEST_CASE("gathers that JAX refuses") {
  constexpr std::string_view operands = "a:f32[5,3] b:i32[4,1]";
  const auto numbers = [&](std::string_view text) { return gather(operands, "c:f32[4,3]", text, "(1, 3)"); };
  CHECK(gather(operands, "c:f32[3,4]", rows, "(1, 3)") == "result 0 is f32[4,3], but is stated as f32[3,4]");
  CHECK(gather(operands, "c:f32[4,3]", rows, "(1, 4)") ==
        "its slice_sizes has 4 for axis 1 of f32[5,3]; it must be from 0 to the extent");
  CHECK(gather(operands, "c:f32[4,3]", rows, "(1,)") == "its slice_sizes has 1 entry for an array of 2 dimensions");
  CHECK(gather(operands, "c:f32[4,3]", rows, "(2, 3)") == "a collapsed dimension has a slice size other than 1");
  CHECK(gather("a:f32[5,3] b:f32[4,1]", "c:f32[4,3]", rows, "(1, 3)") ==
        "operand 1 is f32[4,1]; it must be signed integer or unsigned integer");
  CHECK(gather("a:f32[5,3] b:i32[]", "c:f32[3]", rows, "(1, 3)") == "operand 1, its indices, is a scalar");
  CHECK(gather("a:f32[5,3] b:i32[4,2]", "c:f32[4,3]", rows, "(1, 3)") ==
        "its start_index_map has 1 entry, but operand 1 is i32[4,2]");
  CHECK(numbers("offset_dims=(2,), collapsed_slice_dims=(0,), start_index_map=(0,)") ==
        "its offset_dims names axis 2, but the array has 2 dimensions");
  CHECK(numbers("offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,)") ==
        "its offset_dims has 0 entries, but a window has 1 axis");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(2,), start_index_map=(0,)") ==
        "its collapsed_slice_dims names axis 2, but the array has 2 dimensions");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(-1,)") ==
        "its start_index_map names axis -1, but the array has 2 dimensions");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(1, 0), start_index_map=(0,)") ==
        "its collapsed_slice_dims are not sorted");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(0,), operand_batching_dims=(0,), "
                "start_indices_batching_dims=(0,)") == "its start_index_map names axis 0 twice");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(1,), operand_batching_dims=(0,), "
                "start_indices_batching_dims=(0,)") == "its dimension_numbers names axis 0 twice");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(1,), operand_batching_dims=(0,), "
                "start_indices_batching_dims=(1,)") ==
        "its start_indices_batching_dims names axis 1, but the array has 1 dimension");
  CHECK(numbers("offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(1,), operand_batching_dims=(0,), "
                "start_indices_batching_dims=(0,)") ==
        "the axes that it pairs in operands 0 and 1 have the extents [5] and [4]");
}

TEST_CASE("scatters that JAX takes and refuses") {
  constexpr std::string_view operands = "a:f32[5,3] b:i32[4,1] c:f32[4,3]";
  CHECK(scatter(operands, added_rows) == "(none)");
  CHECK(scatter("a:f32[5,3] b:i32[4,1] c:f32[4,2]", added_rows) == "(none)");
  CHECK(scatter("a:f32[5,3] b:i32[4,1] c:f64[4,3]", added_rows) ==
        "operand 2 is f64[4,3], but operand 0 is f32[5,3]: their element types must be equal");
  CHECK(scatter("a:f32[5,3] b:i32[4,1] c:f32[4,4]", added_rows) ==
        "axis 1 of operand 2, which is f32[4,4], is larger than in operand 0, which is f32[5,3]");
  CHECK(scatter("a:f32[5,3] b:i32[4,1] c:f32[2,3]", added_rows) ==
        "the axes that it pairs in operands 2 and 1 have the extents [2] and [4]");
  CHECK(scatter("a:f32[5,3] b:i32[4,2] c:f32[4,3]", added_rows) ==
        "its scatter_dims_to_operand_dims has 1 entry, but operand 1 is i32[4,2]");
  CHECK(scatter(operands, "update_window_dims=(0, 1), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,)") ==
        "the axes that it pairs in operands 2 and 1 have the extents [] and [4]");
  CHECK(scatter(operands, "update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,)") ==
        "its update_window_dims has 1 entry, but a window has 2 axes");
  CHECK(scatter(operands, "update_window_dims=(2,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)") ==
        "its update_window_dims names axis 2, but the array has 2 dimensions");
  CHECK(scatter(operands, added_rows, "lambda ; x:f32[] y:f32[]. let in ()") ==
        "its jaxpr returns () instead of (f32[])");
  CHECK(scatter(operands, added_rows, "lambda ; x:f32[3] y:f32[]. let in (y,)") ==
        "its jaxpr takes (f32[3] f32[]) instead of (f32[] f32[])");
}

TEST_CASE("dynamic slices that JAX takes and refuses") {
  const auto slice = [](std::string_view inputs, std::string_view sizes, std::string_view operands) {
    return reason_of(inputs, "c:f32[2,3]",
                     "dynamic_slice[slice_sizes=" + std::string(sizes) + "] " + std::string(operands));
  };
  CHECK(slice("a:f32[5,3] i:i32[]", "(2, 3)", "a i i") == "(none)");
  CHECK(slice("a:f32[5,3] i:i32[]", "(2, 3)", "a i") ==
        "it has 1 start for operand 0, which is f32[5,3]; it needs one for each axis");
  CHECK(slice("a:f32[5,3] i:f32[]", "(2, 3)", "a i i") ==
        "operand 1 is f32[]; it must be signed integer or unsigned integer");
  CHECK(slice("a:f32[5,3] i:i32[1]", "(2, 3)", "a i i") == "operand 1 is i32[1]; it must have 0 dimensions");
  CHECK(slice("a:f32[5,3] i:i32[] j:i64[]", "(2, 3)", "a i j") ==
        "operand 2 is i64[], but operand 1 is i32[]: their element types must be equal");
  CHECK(slice("a:f32[5,3] i:i32[]", "(2, 4)", "a i i") ==
        "its slice has 4 elements along axis 1 of f32[5,3]; this axis has fewer elements");
  CHECK(slice("a:f32[5,3] i:i32[]", "(1, 3)", "a i i") == "result 0 is f32[1,3], but is stated as f32[2,3]");

  const auto update = [](std::string_view inputs) {
    return reason_of(inputs, "c:f32[5]", "dynamic_update_slice a b i");
  };
  CHECK(update("a:f32[5] b:f32[2] i:i32[]") == "(none)");
  CHECK(update("a:f32[5] b:f32[6] i:i32[]") ==
        "its slice has 6 elements along axis 0 of f32[5]; this axis has fewer elements");
  CHECK(update("a:f32[5] b:f32[] i:i32[]") == "operand 1 is f32[]; it must have 1 dimension");
  CHECK(update("a:f32[5] b:i32[2] i:i32[]") ==
        "operand 1 is i32[2], but operand 0 is f32[5]: their element types must be equal");
}

TEST_CASE("sorts that JAX takes and refuses") {
  const auto sort = [](std::string_view inputs, std::string_view parameters) {
    return reason_of(inputs, "c:f32[5] d:i32[5]", "sort[" + std::string(parameters) + "] a b");
  };
  CHECK(sort("a:f32[5] b:i32[5]", "dimension=0 is_stable=True num_keys=2") == "(none)");
  CHECK(sort("a:f32[5] b:i32[4]", "dimension=0 is_stable=True num_keys=1") ==
        "operand 1 is i32[4], but the shape of operand 0 is [5]");
  CHECK(sort("a:f32[5] b:i32[5]", "dimension=1 is_stable=True num_keys=1") ==
        "its dimension names axis 1, but the array has 1 dimension");
  CHECK(sort("a:f32[5] b:i32[5]", "dimension=0 is_stable=True num_keys=0") ==
        "its num_keys has the value 0; values must be integers of at least 1");
  CHECK(sort("a:f32[5] b:i32[5]", "dimension=0 is_stable=True num_keys=3") == "it has 3 keys, but 2 operands");

  const auto top = [](std::string_view input, std::string_view parameters) {
    return reason_of(input, "b:f32[2,3] c:i32[2,3]", "top_k[" + std::string(parameters) + "] a");
  };
  CHECK(top("a:f32[2,5]", "k=3") == "(none)");
  CHECK(top("a:f32[5,3]", "axis=0 k=2") == "(none)");
  CHECK(top("a:f32[2,5]", "k=6") == "its k is 6, but the axis has 5 elements");
  CHECK(top("a:f32[2,5]", "k=-1") == "its k is -1, but the axis has 5 elements");
  CHECK(top("a:f32[2,5]", "axis=2 k=3") == "its axis names axis 2, but the array has 2 dimensions");
  CHECK(top("a:f32[]", "k=3") == "its operand is a scalar");
  CHECK(top("a:f32[2,5]", "k=2") == "result 0 is f32[2,2], but is stated as f32[2,3]");

  const auto approximate = [](std::string_view input, std::string_view parameters) {
    return reason_of(input, "b:f32[3] c:i32[3]",
                     "approx_top_k[is_max_k=True recall_target=0.95 reduction_input_size_override=-1 " +
                         std::string(parameters) + "] a");
  };
  CHECK(approximate("a:f32[5]", "aggregate_to_topk=True k=3 reduction_dimension=-1") == "(none)");
  CHECK(approximate("a:f32[5]", "aggregate_to_topk=False k=2 reduction_dimension=0") == "(none)");
  CHECK(approximate("a:i32[5]", "aggregate_to_topk=True k=3 reduction_dimension=-1") ==
        "operand 0 is i32[5]; it must be floating-point");
  CHECK(approximate("a:f32[5]", "aggregate_to_topk=True k=3 reduction_dimension=1") ==
        "its reduction_dimension names axis 1, but the array has 1 dimension");
  CHECK(approximate("a:f32[5]", "aggregate_to_topk=True k=2 reduction_dimension=0") ==
        "result 0 is f32[2], but is stated as f32[3]");
}
