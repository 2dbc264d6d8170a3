# SPDX-License-Identifier: Apache-2.0
# Tests are run by scripts/test-platforms instead of ctest.
function(catch_discover_tests)
endfunction()
