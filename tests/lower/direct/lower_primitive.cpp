// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/dsl/typed/tensor.hpp>
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/lower/site.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

namespace {

struct fixture {
  graph g;
  value x = g.input({dtype::f32, {2, 3}}, "x"), y = g.input({dtype::f32, {2, 3}}, "y");
  value c = g.input({dtype::boolean, {}}, "c");

  /// The code and message of the exception; the types of the results if none is thrown.
  std::string said(std::string_view primitive, const jax_operands& in, const parameters& p = {},
                   const std::vector<array_type>& results = {}, const primitive_options& o = {}) {
    try {
      std::string types;
      for (const value& v : lower_primitive(primitive, g, in, p, results, o)) types += text(v) + ";";
      return types;
    } catch (const conversion_error& e) {
      return e.diagnostics()[0].code + ": " + e.diagnostics()[0].message;
    }
  }
};

using parts = std::span<const value>;

}  // namespace

TEST_CASE_METHOD(fixture, "a primitive is lowered on values of a graph") {
  const value sum = lower_primitive("add", g, {x, y})[0];
  CHECK(op_of(sum) == "Add");
  CHECK(said("add", {x, y}, {}, {{dtype::f32, {2, 3}}}) == "f32[2,3];");
  CHECK(said("cumsum", {x}, {{"axis", 1}, {"reverse", true}}) == "f32[2,3];");
  CHECK(said("transpose", {tensor<float, 2, 3>(x)}, {{"permutation", ints{1, 0}}}) == "f32[3,2];");
  const value w = g.input({dtype::f32, {3, 3, 2, 4}}, "w"), image = g.input({dtype::f32, {1, 8, 8, 2}}, "image");
  const parameters conv = {
      {"window_strides", {2, 2}},
      {"padding", {{0, 0}, {1, 1}}},
      {"lhs_dilation", {1, 1}},
      {"rhs_dilation", {1, 1}},
      {"dimension_numbers",
       parameters{{"lhs_spec", {0, 3, 1, 2}}, {"rhs_spec", {3, 2, 0, 1}}, {"out_spec", {0, 3, 1, 2}}}},
      {"feature_group_count", 1},
      {"batch_group_count", 1},
      {"precision", std::nullopt},
      {"preferred_element_type", dtype::f32},
  };
  CHECK(said("conv_general_dilated", {image, w}, conv) == "f32[1,3,4,4];");
}

TEST_CASE_METHOD(fixture, "symbolic extents are also parameters") {
  const dim batch = g.dims().symbol("B");
  const value row = g.input({dtype::f32, {batch, 3}}, "row");
  CHECK(said("broadcast_in_dim", {row}, {{"shape", {2, batch, 3}}, {"broadcast_dimensions", {1, 2}}}) == "f32[2,B,3];");
  CHECK(said("reshape", {row}, {{"new_sizes", {g.dims().mul(batch, 3)}}, {"dimensions", std::nullopt}}) == "f32[3*B];");
}

TEST_CASE_METHOD(fixture, "a composite value is its parts") {
  const std::vector<value> product = lower_primitive("mul", g, {{x, y}, {x, y}});
  CHECK(product.size() == 2);
  const value seed = g.input({dtype::i32, {}}, "seed");
  const std::vector<value> key = lower_primitive("random_seed", g, {seed}, {{"impl", "fry"}});
  REQUIRE(key.size() == 2);
  CHECK(said("random_seed", {seed}, {{"impl", "no generator at all"}}) ==
        "lower.malformed: primitive 'random_seed': its impl 'no generator at all' is not a generator that JAX has");
  CHECK(said("random_split", {{key[0], key[1]}}, {{"shape", {4}}}) == "u32[4];u32[4];");
  const value word = key[0];
  const jax_value four = from_parts(4, [&](std::size_t) { return word; });
  CHECK(said("random_unwrap", {{four, "key<urbg>"}}) == "u32[4];");
  CHECK(said("random_unwrap", {{four, "key<fry>"}}) ==
        "lower.malformed: primitive 'random_unwrap': operand 0 has 4 parts of type u32, which cannot form a key<fry>");
  CHECK(said("mul", {{key[0], x}, x}) == "lower.malformed: primitive 'mul': operand 0 has parts of different types");
}

TEST_CASE_METHOD(fixture, "an error names the primitive and the reason") {
  const value z = g.input({dtype::f32, {3, 3}}, "z");
  CHECK(said("add", {x, z}) ==
        "lower.malformed: primitive 'add': operand 1 is f32[3,3], but the operands before it have the shape [2,3]");
  CHECK(said("add", {x}) == "lower.malformed: primitive 'add': it has 1 operand instead of 2");
  CHECK(said("add", {x, value()}) == "lower.malformed: primitive 'add': operand 1 is absent");
  CHECK(said("add", {x, y}, {{"mode", 1}}) == "lower.unsupported: primitive 'add': parameter mode=1 is not supported");
  CHECK(said("cumsum", {x}, {{"axis", 7}, {"reverse", false}}) ==
        "lower.malformed: primitive 'cumsum': its axis names axis 7, but the array has 2 dimensions");
  CHECK(said("add", {x, y}, {}, {{dtype::f32, {3, 2}}}) ==
        "lower.malformed: primitive 'add': result 0 is f32[2,3], but is stated as f32[3,2]");
  CHECK(said("frobnicate", {x}) == "lower.unsupported: no lowering for primitive 'frobnicate'");
  CHECK(said("rng_uniform", {x, y}).starts_with("lower.unsupported: primitive 'rng_uniform': it draws from"));
  CHECK(said("reduce_precision", {x}, {{"exponent_bits", "a"}, {"mantissa_bits", 3}}).starts_with("lower.malformed"));
  CHECK(said("add", {x, y}, {}, {{"f33", {2, 3}}}) ==
        "lower.unsupported: primitive 'add': ONNX has no element type f33");
}

TEST_CASE_METHOD(fixture, "values that are not JAX arrays are refused") {
  graph other;
  const value foreign = other.input({dtype::f32, {2, 3}}, "x");
  CHECK(said("add", {x, foreign}) == "lower.malformed: primitive 'add': operand 1 belongs to another graph");
  const value unknown = g.input({dtype::f32, {dim::dyn(), 3}}, "u");
  CHECK(said("neg", {unknown}) ==
        "lower.unsupported: primitive 'neg': operand 0 is f32[?,3]: name its unknown extents");
  CHECK(said("neg", {x}, {}, {{dtype::f32, {dim::dyn(), 3}}}) ==
        "lower.unsupported: primitive 'neg': result 0 is f32[?,3]: name its unknown extents");
  jax_value reference;
  reference.cell = 0;
  CHECK(said("neg", {jax_operand(reference)}) == "lower.malformed: primitive 'neg': operand 0 is a mutable reference");
}

TEST_CASE_METHOD(fixture, "results have to be stated where their types do not follow") {
  CHECK(said("split", {x}, {{"axis", 1}, {"sizes", {1, 2}}}) == "f32[2,1];f32[2,2];");
  CHECK(said("custom_lin", {x}).starts_with("lower.unsupported"));
  CHECK(said("iota", {}, {{"dimension", 0}}) ==
        "lower.malformed: primitive 'iota': the types of its results do not follow from its operands: state them");
  CHECK(said("iota", {}, {{"dimension", 0}}, {{dtype::i32, {4}}}) == "i32[4];");
}

TEST_CASE_METHOD(fixture, "computations are bodies of control flow") {
  const array_type t = x.type();
  const computation twice({t}, {t}, [&](parts in) { return lower_primitive("add", g, {in[0], in[0]}); });
  const computation same({t}, {t}, [](parts in) { return std::vector<value>{in[0]}; });
  const value chosen = lower_primitive("cond", g, {c, x}, {{"branches", {same, twice}}})[0];
  CHECK(op_of(chosen) == "If");
  CHECK(body_of(chosen, "then_branch").nodes.size() == 1);

  const computation small({t}, {{dtype::boolean, {}}}, [&](parts in) {
    const value sum = lower_primitive("reduce_sum", g, {in[0]}, {{"axes", {0, 1}}})[0];
    return lower_primitive("lt", g, {sum, scalar(g, dtype::f32, 9)});
  });
  const parameters loop = {{"cond_jaxpr", small}, {"cond_nconsts", 0}, {"body_jaxpr", twice}, {"body_nconsts", 0}};
  CHECK(op_of(lower_primitive("while", g, {x}, loop)[0]) == "Loop");
}

TEST_CASE_METHOD(fixture, "computations of scalars are primitives, or functions of arrays") {
  const array_type t(dtype::f32, {});
  const value zero = scalar(g, dtype::f32, 0);
  CHECK(op_of(lower_primitive("reduce", g, {x, zero}, {{"jaxpr", computation("add", t)}, {"dimensions", {0}}})[0]) ==
        "ReduceSum");
  const computation hypot({t, t}, {t}, [&](parts in) {
    const value square = lower_primitive("mul", g, {in[1], in[1]})[0];
    return lower_primitive("add", g, {in[0], square});
  });
  CHECK(said("reduce", {x, zero}, {{"jaxpr", hypot}, {"dimensions", {0}}}) == "f32[3];");
}

TEST_CASE_METHOD(fixture, "a computation that does not keep its word is an error") {
  const array_type t = x.type();
  const computation two({t}, {t}, [](parts in) { return std::vector<value>{in[0], in[0]}; });
  CHECK(said("cond", {c, x}, {{"branches", {two, two}}}) ==
        "lower.malformed: primitive 'C++ function': it returns 2 values instead of 1, while lowering 'cond'");
  const computation other({t}, {t}, [&](parts) { return std::vector<value>{c}; });
  CHECK(said("cond", {c, x}, {{"branches", {other, other}}}).starts_with("lower.inconsistent"));
  const computation wrong({t, t}, {t}, [](parts in) { return std::vector<value>{in[0]}; });
  CHECK(said("cond", {c, x}, {{"branches", {wrong, wrong}}}) ==
        "lower.malformed: primitive 'cond': its jaxpr takes 2 operands instead of 1");
}

TEST_CASE_METHOD(fixture, "what a computation throws arrives unchanged") {
  const array_type t = x.type();
  struct mine {};
  const computation throws({t}, {t}, [](parts) -> std::vector<value> { throw mine(); });
  CHECK_THROWS_AS(lower_primitive("cond", g, {c, x}, {{"branches", {throws, throws}}}), mine);
  CHECK(g.current() == block_id::main);
  const computation inner({t}, {t}, [&](parts in) { return lower_primitive("add", g, {in[0]}); });
  CHECK(said("cond", {c, x}, {{"branches", {inner, inner}}}) ==
        "lower.malformed: primitive 'add': it has 1 operand instead of 2");
}

TEST_CASE_METHOD(fixture, "warnings go to a list of the caller") {
  std::vector<diagnostic> warnings;
  primitive_options o;
  o.warnings = &warnings;
  CHECK(said("check", {c}, {}, {}, o).empty());
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == "lower.dropped");
}

TEST_CASE_METHOD(fixture, "lowerers of the program win") {
  primitive_options o;
  o.lowerers.emplace("frobnicate",
                     [](const site& s) -> jax_values { return {mul(s.in(0), s.param<double>("factor"))}; });
  CHECK(said("frobnicate", {x}, {{"factor", 2.0}}, {x.type()}, o) == "f32[2,3];");
  CHECK(said("frobnicate", {x}, {{"factor", 2.0}}, {{dtype::f32, {3}}}, o).starts_with("lower.user-lowerer"));
}
