// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/random/types.hpp>

TEST_CASE("keys are made and read as in JAX") {
  CHECK(reason_of("a:i32[2]", "b:key<fry>[2]", "random_seed[impl=fry] a") == "(none)");
  CHECK(reason_of("a:f32[]", "b:key<fry>[]", "random_seed[impl=fry] a") ==
        "operand 0 is f32[]; it must be signed integer or unsigned integer");
  CHECK(reason_of("a:i32[]", "b:key<rbg>[]", "random_seed[impl=fry] a") ==
        "its result is a key<rbg>, but its impl is fry");
  CHECK(reason_of("a:i32[]", "b:u32[2]", "random_seed[impl=fry] a") == "its result is not a key");
  CHECK(reason_of("a:i32[2]", "b:key<fry>[3]", "random_seed[impl=fry] a") ==
        "result 0 is key<fry>[2], but is stated as key<fry>[3]");

  CHECK(reason_of("a:u32[3,4]", "b:key<rbg>[3]", "random_wrap[impl=rbg] a") == "(none)");
  CHECK(reason_of("a:u32[3,4]", "b:key<fry>[3]", "random_wrap[impl=fry] a") ==
        "operand 0 is u32[3,4], but the shape of the words of its keys is [3,2]");
  CHECK(reason_of("a:u32[]", "b:key<fry>[]", "random_wrap[impl=fry] a") ==
        "operand 0 is u32[], but the shape of the words of its keys is [2]");
  CHECK(reason_of("a:i32[2]", "b:key<fry>[]", "random_wrap[impl=fry] a") == "operand 0 is i32; it must be u32");
  CHECK(reason_of("a:key<fry>[3]", "b:u32[3,2]", "random_unwrap a") == "(none)");
  CHECK(reason_of("a:key<fry>[3]", "b:u32[3]", "random_unwrap a") == "result 0 is u32[3,2], but is stated as u32[3]");
  CHECK(reason_of("a:u32[2]", "b:u32[2]", "random_unwrap a") == "operand 0 is u32[2]; it must be key");
  CHECK(reason_of("a:key<fry>[3]", "b:key<fry>[2]", "random_clone a") ==
        "result 0 is key<fry>[3], but is stated as key<fry>[2]");
}

TEST_CASE("keys are split as in JAX") {
  CHECK(reason_of("a:key<fry>[3]", "b:key<fry>[3,2]", "random_split[shape=(2,)] a") == "(none)");
  CHECK(reason_of("a:key<fry>[3]", "b:key<fry>[3,2]", "random_split[count=2] a") == "(none)");
  CHECK(reason_of("a:key<fry>[]", "b:key<fry>[2]", "random_split[shape=(3,)] a") ==
        "result 0 is key<fry>[3], but is stated as key<fry>[2]");
  CHECK(reason_of("a:key<fry>[]", "b:key<fry>[0]", "random_split[shape=(-1,)] a") ==
        "its shape is [-1]; extents must not be negative");
  CHECK(reason_of("a:u32[2]", "b:key<fry>[2]", "random_split[shape=(2,)] a") == "operand 0 is u32[2]; it must be key");
  CHECK(reason_of("a:key<fry>[] b:u32[]", "c:key<fry>[]", "random_fold_in a b") == "(none)");
  CHECK(reason_of("a:key<fry>[] b:f32[]", "c:key<fry>[]", "random_fold_in a b") ==
        "operand 1 is f32[]; it must be signed integer or unsigned integer");
  CHECK(reason_of("a:key<fry>[2] b:u32[3]", "c:key<fry>[2]", "random_fold_in a b") ==
        "operand 1 is u32[3], but the operands before it have the shape [2]");
}

TEST_CASE("bits are drawn as in JAX") {
  CHECK(reason_of("a:key<fry>[2]", "b:u8[2,3]", "random_bits[bit_width=8 shape=(3,)] a") == "(none)");
  CHECK(reason_of("a:key<fry>[]", "b:u32[3]", "random_bits[bit_width=16 shape=(3,)] a") ==
        "result 0 is u16[3], but is stated as u32[3]");
  CHECK(reason_of("a:key<fry>[]", "b:u32[3]", "random_bits[bit_width=0 shape=(3,)] a") ==
        "its bit_width has the value 0; values must be integers from 8 to 64");
  CHECK(reason_of("a:key<fry>[]", "b:u32[3]", "random_bits[bit_width=24 shape=(3,)] a") ==
        "its bit_width is 24; it must be 8, 16, 32 or 64");
  CHECK(reason_of("a:key<fry>[]", "b:u32[3]", "random_bits[bit_width=32 shape=(4,)] a") ==
        "result 0 is u32[4], but is stated as u32[3]");
  CHECK(reason_of("a:key<fry>[2] b:f32[2,3]", "c:f32[2,3]", "random_gamma[log_space=False] a b") == "(none)");
  CHECK(reason_of("a:key<fry>[3] b:f32[2,3]", "c:f32[2,3]", "random_gamma[log_space=False] a b") ==
        "operand 0 is key<fry>[3]; its shape must be the leading dimensions of operand 1, which is f32[2,3]");
  CHECK(reason_of("a:key<fry>[] b:i32[2]", "c:i32[2]", "random_gamma[log_space=False] a b") ==
        "operand 1 is i32[2]; it must be floating-point");
  CHECK(reason_of("a:u32[] b:u32[3]", "c:u32[3] d:u32[3]", "threefry2x32 a a b b") == "(none)");
  CHECK(reason_of("a:u32[] b:i32[3]", "c:u32[3] d:u32[3]", "threefry2x32 a a b b") ==
        "operand 2 is i32[3]; it must be u32");
  CHECK(reason_of("a:u32[]", "b:u32[2] c:u32[2]", "iota_2x32_shape[shape=(3,)]") ==
        "result 0 is u32[3], but is stated as u32[2]");
}

TEST_CASE("generators have a state of 128 bits") {
  const auto generate = [](std::string_view key, std::string_view parameters) {
    return reason_of("a:" + std::string(key), "b:" + std::string(key) + " c:u32[3]",
                     "rng_bit_generator[algorithm=RNG_DEFAULT " + std::string(parameters) + "] a");
  };
  CHECK(generate("u32[4]", "dtype=uint32 shape=(3,)") == "(none)");
  CHECK(generate("u64[2]", "dtype=uint32 shape=(3,)") == "(none)");
  CHECK(generate("u32[3]", "dtype=uint32 shape=(3,)") == "operand 0 is u32[3]; it must be u32[4] or u64[2]");
  CHECK(generate("u32[4]", "dtype=float32 shape=(3,)") == "its dtype is f32; it must be an unsigned integer type");
  CHECK(generate("u32[4]", "dtype=uint8 shape=(3,)") == "result 1 is u8[3], but is stated as u32[3]");
  CHECK(generate("u32[4]", "dtype=uint32 shape=(4,)") == "result 1 is u32[4], but is stated as u32[3]");
}
