// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jaxpr/reader/scopes.hpp>

using jaxpr::reader::scopes;
using jaxpr::reader::variable_name;

namespace {

const variable_name counted{"c", 2}, past_limit{"zz", 675}, odd{"a_", variable_name::no_number};

}  // namespace

TEST_CASE("scopes: names get slots in order, once each") {
  scopes s;
  s.limit(100);
  s.enter();
  std::uint32_t slot = 9;
  for (const variable_name& name : {counted, past_limit, odd}) {
    CHECK(s.find(name) == nullptr);
    CHECK(s.bind(name, nullptr, slot));
    REQUIRE(s.find(name) != nullptr);
    CHECK(s.find(name)->slot == slot);
    CHECK(!s.bind(name, nullptr, slot));
  }
  CHECK(s.top().slots == 6);
}

TEST_CASE("scopes: an inner body hides the outer one and gives its variables back") {
  scopes s;
  s.limit(100);
  s.enter();
  std::uint32_t slot = 0;
  s.bind({"a", 0}, nullptr, slot);
  for (const variable_name& name : {counted, past_limit, odd}) s.bind(name, nullptr, slot);
  s.enter();
  for (const variable_name& name : {counted, past_limit, odd}) {
    CHECK(s.find(name) == nullptr);
    CHECK(s.bind(name, nullptr, slot));
    CHECK(s.find(name)->slot == slot);
  }
  CHECK(slot == 2);
  s.leave();
  CHECK(s.find(counted)->slot == 1);
  CHECK(s.find(past_limit)->slot == 2);
  CHECK(s.find(odd)->slot == 3);
}

TEST_CASE("scopes: dropped results are counted, the last one is kept") {
  scopes s;
  s.enter();
  std::uint32_t slot = 0;
  CHECK(s.bind({"_", variable_name::no_number}, nullptr, slot));
  CHECK(s.bind({"_", variable_name::no_number}, nullptr, slot));
  CHECK(s.top().dropped == 2);
  CHECK(s.top().last_dropped.slot == 1);
}
