// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <jaxpr/detail/numbering.hpp>

TEST_CASE("numbering: keys are numbered in the order of their first insertion") {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("name" + std::to_string(i));
  jaxpr::detail::numbering<std::string_view> numbers;
  CHECK(numbers.find("name0") == numbers.absent);
  bool good = true;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const auto first = numbers.insert(names[i]);
    const auto again = numbers.insert(std::string_view(names[i]));
    good = good && first.is_new && first.number == i && !again.is_new && again.number == i;
  }
  for (std::uint32_t i = 0; i < names.size(); ++i) good = good && numbers.find(names[i]) == i;
  CHECK(good);
  CHECK(numbers.size() == names.size());
  CHECK(!numbers.contains("other"));
}
