// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/linear/window_types.hpp>

namespace {

/// Parameters of a convolution; `other` replaces those with the same keys.
std::string conv(std::string_view inputs, std::string_view result, std::string_view other = {}) {
  std::string text = "conv_general_dilated[";
  for (std::string_view p : {"window_strides=(1,)", "padding=((0, 0),)", "lhs_dilation=(1,)", "rhs_dilation=(1,)",
                             "feature_group_count=1", "batch_group_count=1", "preferred_element_type=None",
                             "dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 2), rhs_spec=(0, 1, 2), "
                             "out_spec=(0, 1, 2))"})
    if (other.find(p.substr(0, p.find('=') + 1)) == std::string_view::npos) text.append(p).append(" ");
  return reason_of(inputs, result, text.append(other).append("] a b"));
}

std::string window_sum(std::string_view input, std::string_view result, std::string_view parameters) {
  return reason_of(input, result, "reduce_window_sum[" + std::string(parameters) + "] a");
}

constexpr std::string_view operands = "a:f32[1,2,5] b:f32[4,2,3]";

}  // namespace

TEST_CASE("the type of a convolution is JAX's") {
  CHECK(conv(operands, "c:f32[1,4,3]") == "(none)");
  CHECK(conv("a:f32[B,2,T] b:f32[4,2,3]", "c:f32[B,4,T]", "padding=((1, 1),)") == "(none)");
  CHECK(conv(operands, "c:f32[1,4,2]", "window_strides=(2,)") == "(none)");
  CHECK(conv(operands, "c:f32[1,4,7]", "lhs_dilation=(2,)") == "(none)");
  CHECK(conv(operands, "c:f32[1,4,1]", "rhs_dilation=(2,)") == "(none)");
  CHECK(conv(operands, "c:f32[1,4,0]", "padding=((-2, -3),)") == "(none)");
  CHECK(conv("a:f32[1,4,5] b:f32[4,2,3]", "c:f32[1,4,3]", "feature_group_count=2") == "(none)");
  CHECK(conv("a:f32[6,2,5] b:f32[4,2,3]", "c:f32[3,4,3]", "batch_group_count=2") == "(none)");
  CHECK(conv("a:f32[1,2*B,5] b:f32[3*B,2,3]", "c:f32[1,3*B,3]", "feature_group_count=B") == "(none)");
  CHECK(conv("a:f32[2*B,2,5] b:f32[3*B,2,3]", "c:f32[2,3*B,3]", "batch_group_count=B") == "(none)");
  CHECK(conv("a:i8[1,2,5] b:i8[4,2,3]", "c:i32[1,4,3]", "preferred_element_type=int32") == "(none)");
}

TEST_CASE("convolutions that JAX refuses") {
  CHECK(conv(operands, "c:f32[1,4,4]") == "result 0 is f32[1,4,3], but is stated as f32[1,4,4]");
  CHECK(conv("a:f32[1,2,5] b:f32[4,2]", "c:f32[1,4,3]") == "operand 1 is f32[4,2]; it must have 3 dimensions");
  CHECK(conv("a:f32[1,3,5] b:f32[4,2,3]", "c:f32[1,4,3]") ==
        "operand 0 has 3 features in 1 group, but the kernel takes 2 per group");
  CHECK(conv("a:f32[1,3,5] b:f32[4,2,3]", "c:f32[1,4,3]", "feature_group_count=2") ==
        "the features of operand 0 cannot be divided into groups: 3 by 2");
  CHECK(conv("a:f32[1,6,5] b:f32[4,2,3]", "c:f32[1,4,3]", "feature_group_count=3") ==
        "the features of the result cannot be divided into groups: 4 by 3");
  CHECK(conv("a:f32[1,2*B,5] b:f32[3*B,1,3]", "c:f32[1,3*B,3]", "feature_group_count=B") ==
        "operand 0 has 2*B features in B groups, but the kernel takes 1 per group");
  CHECK(conv(operands, "c:f32[1,4,3]", "batch_group_count=2") == "the batch cannot be divided into groups: 1 by 2");
  CHECK(conv(operands, "c:f32[1,4,3]", "window_strides=(0,)") ==
        "its window_strides has the value 0; values must be integers from 1 to 4611686018427387903");
  CHECK(conv(operands, "c:f32[1,4,3]", "window_strides=(1, 1)") == "its window_strides has 2 entries for 1 axis");
  CHECK(conv(operands, "c:f32[1,4,3]", "padding=((0, 0), (0, 0))") == "its padding has 2 entries for 1 axis");
  CHECK(conv(operands, "c:f32[1,4,3]", "padding=((0,),)") == "entry 0 of its padding is not a pair");
  CHECK(conv(operands, "c:f32[1,4,0]", "padding=((-3, -3),)") == "its padding crops more elements than axis 2 has");
  CHECK(conv("a:f32[1,5,2] b:f32[4,2,3]", "c:f32[1,4,0]",
             "padding=((-3, -3),) dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 2, 1), rhs_spec=(0, 1, 2), "
             "out_spec=(0, 1, 2))") == "its padding crops more elements than axis 1 has");
  CHECK(conv(operands, "c:f32[1,4,3]",
             "dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 1), rhs_spec=(0, 1, 2), out_spec=(0, 1, 2))") ==
        "its dimension_numbers names axis 1 twice");
  CHECK(conv(operands, "c:f32[1,4,3]",
             "dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1), rhs_spec=(0, 1, 2), out_spec=(0, 1, 2))") ==
        "its dimension_numbers has 2 entries for 3 dimensions");
  CHECK(conv("a:f32[1,2,5] b:f64[4,2,3]", "c:f32[1,4,3]") ==
        "operand 1 is f64[4,2,3], but operand 0 is f32[1,2,5]: their element types must be equal");
  CHECK(conv(operands, "c:i32[1,4,3]", "preferred_element_type=int32") ==
        "its preferred_element_type is i32, but the operands are f32");
}

TEST_CASE("the type of reduced windows is JAX's") {
  constexpr std::string_view plain = "window_dimensions=(2,) window_strides=(1,) padding=((0, 0),)";
  CHECK(window_sum("a:f32[5]", "b:f32[4]", plain) == "(none)");
  CHECK(window_sum("a:f32[5]", "b:f32[2]",
                   "window_dimensions=(2,) window_strides=(3,) padding=((1, 1),) base_dilation=(1,) "
                   "window_dilation=(2,)") == "(none)");
  CHECK(window_sum("a:f32[1]", "b:f32[0]", plain) == "(none)");
  CHECK(window_sum("a:f32[5]", "b:f32[3]", plain) == "result 0 is f32[4], but is stated as f32[3]");
  CHECK(window_sum("a:bool[5]", "b:bool[4]", plain) ==
        "operand 0 is bool[5]; it must be signed integer, unsigned integer, floating-point or complex");
  CHECK(window_sum("a:f32[5]", "b:f32[4]", "window_dimensions=(0,) window_strides=(1,) padding=((0, 0),)") ==
        "its window_dimensions has the value 0; values must be integers from 1 to 4611686018427387903");
  CHECK(window_sum("a:f32[5]", "b:f32[4]", "window_dimensions=(2, 1) window_strides=(1,) padding=((0, 0),)") ==
        "its window_dimensions has 2 entries for an array of 1 dimension");
  CHECK(window_sum("a:f32[5]", "b:f32[4]", "window_dimensions=(2,) window_strides=(1,) padding=()") ==
        "its padding has 0 entries for 1 axis");
}

TEST_CASE("the computation of reduce_window has the operands' types") {
  const auto reduce = [](std::string_view inputs, std::string_view body) {
    return reason_of(inputs, "c:f32[4]",
                     "reduce_window[window_dimensions=(2,) window_strides=(1,) padding=((0, 0),) consts=() jaxpr={ " +
                         std::string(body) + " }] a b");
  };
  CHECK(reduce("a:f32[5] b:f32[]", "lambda ; d:f32[] e:f32[]. let f:f32[] = mul d e in (f,)") == "(none)");
  CHECK(reduce("a:f32[5] b:f32[]", "lambda ; d:f32[] e:f32[]. let f:f32[] = mul d e in (f, f)") ==
        "its jaxpr returns (f32[] f32[]) instead of (f32[])");
  CHECK(reduce("a:f32[5] b:f32[]", "lambda ; d:f32[]. let f:f32[] = mul d d in (f,)") ==
        "its jaxpr takes (f32[]) instead of (f32[] f32[])");
  CHECK(reduce("a:f32[5] b:f32[1]", "lambda ; d:f32[] e:f32[]. let f:f32[] = mul d e in (f,)") ==
        "operand 1 is f32[1]; it must have 0 dimensions");
  CHECK(reduce("a:f32[5] b:i32[]", "lambda ; d:f32[] e:f32[]. let f:f32[] = mul d e in (f,)") ==
        "operand 1 is i32[], but operand 0 is f32[5]: their element types must be equal");
}

TEST_CASE("the derivatives of pooling have the windows' shape") {
  const auto scatter = [](std::string_view inputs) {
    return reason_of(inputs, "c:f32[5]",
                     "select_and_scatter_add[select_prim=ge window_dimensions=(2,) window_strides=(1,) "
                     "padding=((0, 0),)] a b");
  };
  CHECK(scatter("a:f32[4] b:f32[5]") == "(none)");
  CHECK(scatter("a:f32[3] b:f32[5]") == "operand 0 is f32[3], but the shape of the windows is [4]");
  CHECK(scatter("a:f64[4] b:f32[5]") ==
        "operand 1 is f32[5], but operand 0 is f64[4]: their element types must be equal");
  CHECK(reason_of("a:f32[5] b:f32[4]", "c:f32[4]",
                  "select_and_gather_add[select_prim=ge window_dimensions=(2,) window_strides=(1,) "
                  "padding=((0, 0),)] a b") == "operand 1 is f32[4], but the shape of operand 0 is [5]");
}
