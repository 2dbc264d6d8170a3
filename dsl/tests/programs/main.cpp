// SPDX-License-Identifier: Apache-2.0
// programs FOLDER [NAME...]: writes the models of all programs, or of the named ones.

#include "programs.hpp"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  std::filesystem::create_directories(argv[1]);
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty())
    for (const auto& [name, run] : programs()) names.push_back(name);
  int status = EXIT_SUCCESS;
  for (const std::string& name : names) try {
      programs().at(name)(argv[1]);
    } catch (const std::exception& problem) {
      std::cerr << name << ": " << problem.what() << "\n";
      status = EXIT_FAILURE;
    }
  return status;
}
