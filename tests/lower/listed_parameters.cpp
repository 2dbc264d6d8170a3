// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "recorded_texts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/table.hpp>

// docs/primitives.md lists the parameters of each primitive from the rows' signatures. They must be exactly those that
// its lowering or its type rule reads in some recorded case. A parameter that is neither listed nor ignored is refused.

using namespace jax2onnx;

namespace {

using primitive_and_key = std::pair<std::string, std::string>;
std::set<primitive_and_key> used;

/// Returns whether parameter `key` of the equation was read through `s`.
bool was_read(const site& s, std::string_view key) {
  std::string others;
  for (const jaxpr::param& p : s.equation().params)
    if (const std::string_view other = compat::key(s.primitive(), p.key); other != key)
      others.append(other).append(" ");
  const site copy = s;  // require_read marks all as read
  try {
    copy.require_read(ignores{others});
    return true;
  } catch (const unsupported_error&) {
    return false;
  }
}

/// Records the parameters that `read` reads.
template <class Read>
void note(const site& s, Read read) {
  const site seen = s.showing(0);
  try {
    read(seen);
  } catch (const error&) {  // also counts parameters that were read before a refusal
  }
  for (const jaxpr::param& p : s.equation().params)
    if (const std::string_view key = compat::key(s.primitive(), p.key); was_read(seen, key))
      used.emplace(s.primitive(), key);
}

jax_values noting(const site& s) {
  if (const lowering* const row = find_row(builtin_lowerings(), s.primitive())) {
    const lowering* const twin = s.is_complex() ? find_row(complex_lowerings(), s.primitive()) : nullptr;
    note(s, twin ? twin->fn : row->fn);
    if (row->expected.types) note(s, row->expected.types);
  }
  return lower_builtin(s);
}

/// Parameters of forms or versions for which no case is recorded.
const std::set<primitive_and_key> not_recorded = {
    {"addupdate", "tree"},  // printed with custom_pp_eqn_rules=False
    // references of Pallas' kernels, which only older versions of JAX print this way
    {"bitcast", "ty"},
    {"masked_load", "tree"},
    {"masked_swap", "other"},
    {"masked_swap", "tree"},
    {"mul", "out_dtype"},                         // products with an explicit result type
    {"select_and_scatter_add", "base_dilation"},  // read by a rule that is shared with reduce_window
    {"select_and_scatter_add", "window_dilation"},
    // read by the batching pass, in maps over devices
    {"all_gather", "all_gather_dimension"},
    {"all_gather", "axis_index_groups"},
    {"all_gather", "axis_name"},
    {"all_gather", "axis_size"},
    {"all_gather", "tiled"},
    {"all_to_all", "axis_index_groups"},
    {"all_to_all", "axis_name"},
    {"all_to_all", "concat_axis"},
    {"all_to_all", "split_axis"},
    {"all_to_all", "tiled"},
    {"ppermute", "axis_name"},
    {"ppermute", "perm"},
    {"reduce_scatter", "axis_index_groups"},
    {"reduce_scatter", "axis_name"},
    {"reduce_scatter", "axis_size"},
    {"reduce_scatter", "scatter_dimension"},
    {"reduce_scatter", "tiled"},
};

}  // namespace

static bool lists(const lowering& row, std::string_view key) {
  return std::ranges::any_of(row.expected.parameters, [&](const param_rule& rule) { return rule.key == key; });
}

TEST_CASE("rows list the parameters that are read in recorded cases") {
  for_each_recorded_text([](const std::string&, const jaxpr::program& source) {
    graph g(highest_opset);  // has all element types
    const user_lowerers own;
    const lowering_options options;
    lower::lowerer driver(g, source, own, noting, options);
    lowered_results(g, driver, *source.main);
  });
  for (const auto& [primitive, key] : used) {
    INFO(primitive << " reads " << key);
    CHECK(lists(*find_row(builtin_lowerings(), primitive), key));
  }
  for (const lowering& row : builtin_lowerings())
    for (const param_rule& rule : row.expected.parameters) {
      if (rule.key.empty()) continue;
      const primitive_and_key listed(row.primitive, rule.key);
      INFO(listed.first << " lists " << listed.second);
      CHECK(used.contains(listed) != not_recorded.contains(listed));
    }
}
