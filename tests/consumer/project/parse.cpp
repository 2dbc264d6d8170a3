// SPDX-License-Identifier: Apache-2.0
#include <jaxpr/jaxpr.hpp>

int main() {
  const auto m = jaxpr::parse("{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
  return m.main->equations.size() == 1 ? 0 : 1;
}
