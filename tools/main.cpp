// SPDX-License-Identifier: Apache-2.0
#include "tool.hpp"

int main(int argc, char** argv) { return cli::tool(argc, argv); }
