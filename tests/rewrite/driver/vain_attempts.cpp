// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/rewrite/driver/vain_attempts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using aspect = read_log::aspect;

namespace {

constexpr auto first = static_cast<node_id>(0), second = static_cast<node_id>(7);
constexpr auto a = static_cast<value_id>(2), b = static_cast<value_id>(5);

}  // namespace

TEST_CASE("vain_attempts: rules of the stages that were tried") {
  rewrite::detail::vain_attempts vain;
  CHECK_FALSE(vain.covers(first, stage::tidy));
  vain.add(first, stage::fuse, {});
  CHECK(vain.covers(first, stage::tidy));
  CHECK(vain.covers(first, stage::fuse));
  CHECK_FALSE(vain.covers(first, stage::late));
  CHECK_FALSE(vain.covers(second, stage::tidy));
}

TEST_CASE("vain_attempts: what was read and has changed") {
  const std::vector<read_log::key> both{{a, aspect::record}, {b, aspect::uses}}, one{{b, aspect::uses}};
  rewrite::detail::vain_attempts vain;
  vain.add(first, stage::tidy, both);
  vain.add(second, stage::tidy, one);
  vain.forget({a, aspect::uses});  // no attempt has read that
  vain.forget({static_cast<value_id>(99), aspect::record});
  CHECK(vain.covers(first, stage::tidy));
  vain.forget({a, aspect::record});
  CHECK_FALSE(vain.covers(first, stage::tidy));
  CHECK(vain.covers(second, stage::tidy));

  vain.add(first, stage::tidy, both);  // was tried again
  vain.forget({b, aspect::uses});
  CHECK_FALSE(vain.covers(first, stage::tidy));
  CHECK_FALSE(vain.covers(second, stage::tidy));
}
