# Tests are run by scripts/test-platforms, not by ctest.
function(catch_discover_tests)
endfunction()
