#include "catch.hpp"
#include "support.hpp"

#include <concepts>
#include <string>
#include <string_view>

namespace {

template <class Text>
concept parsable = requires(Text&& text) {
  jaxpr::parse(std::forward<Text>(text));
};

}  // namespace

TEST_CASE("parse: a temporary string, which the module would outlive, does not compile") {
  STATIC_REQUIRE(parsable<std::string&>);
  STATIC_REQUIRE(parsable<std::string_view>);
  STATIC_REQUIRE(parsable<const char*>);
  STATIC_REQUIRE(!parsable<std::string>);
}
