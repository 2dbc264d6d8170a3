#include "catch.hpp"
#include "recorded_texts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/table.hpp>

// docs/primitives.md lists the parameters of each primitive by the rows' signatures: those that its lowering or its
// type rule reads in some recorded case, and no others. A parameter that is neither listed nor ignored is refused.

using namespace jax2onnx;

namespace {

using primitive_and_key = std::pair<std::string, std::string>;
std::set<primitive_and_key> used;

/// Whether parameter `key` of the equation was read through `s`.
bool was_read(const site& s, std::string_view key) {
  std::string others;
  for (const jaxpr::param& p : s.equation().params)
    if (const std::string_view other = compat::key(s.primitive(), p.key); other != key)
      others.append(other).append(" ");
  const site copy = s;  // checking marks all as read
  try {
    copy.require_read(ignores{others});
    return true;
  } catch (const unsupported_error&) {
    return false;
  }
}

/// Notes what `read` reads.
template <class Read>
void note(const site& s, Read read) {
  const site seen = s.showing(0);
  try {
    read(seen);
  } catch (const error&) {  // a refusal: what it read before counts
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

/// Parameters that only texts of some form or version have; no case is recorded with them.
const std::set<primitive_and_key> not_recorded = {
    {"addupdate", "tree"},  // printed with custom_pp_eqn_rules=False
    // of references of Pallas' kernels, printed as such only by older versions of JAX
    {"bitcast", "ty"},
    {"masked_load", "tree"},
    {"masked_swap", "other"},
    {"masked_swap", "tree"},
    {"mul", "out_dtype"},                         // of a product whose type JAX was told
    {"select_and_scatter_add", "base_dilation"},  // read by the rule that it shares with reduce_window
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
