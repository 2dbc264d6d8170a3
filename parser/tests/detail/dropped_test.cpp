// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <jaxpr/detail/dropped.hpp>

TEST_CASE("dropped: the only variable _ of a type or dtype before an equation") {
  const jaxpr::program m = jaxpr::parse(
      "{ lambda a:i8[]; _:f32[2]. let\n"
      "    _:u8[] = f a\n"
      "    _:f32[] = g a\n"
      "    b:i8[] = h a\n"
      "    _:u8[] = f a\n"
      "  in (b,) }");
  const auto slot_of = [&](std::size_t equation) { return m.main->equations[equation].outs[0].slot; };
  const jaxpr::type* u8 = m.main->equations[0].outs[0].annotation;
  const jaxpr::detail::dropped_binders dropped(*m.main);
  CHECK(dropped.of_type(u8, slot_of(2))->slot == slot_of(0));
  CHECK(dropped.of_type(u8) == nullptr);
  CHECK(dropped.of_type(m.main->constvars[0].annotation) == nullptr);
  CHECK(dropped.of_dtype("f32", slot_of(1))->slot == m.main->invars[0].slot);
  CHECK(dropped.of_dtype("f32", slot_of(2)) == nullptr);
  CHECK(dropped.count(slot_of(2)) == 3);
  CHECK(dropped.all().size() == 4);
}
