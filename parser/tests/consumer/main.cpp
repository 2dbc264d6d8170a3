// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <jaxpr/jaxpr.hpp>

int main() {
  const jaxpr::program m = jaxpr::parse("{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
  std::puts(jaxpr::print(m).c_str());
  return m.main->equations.size() == 1 ? 0 : 1;
}
