# SPDX-License-Identifier: Apache-2.0
"""Conan 2: `conan create packaging/conan` from the root of the repository, from whose files it builds."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Jax2onnx(ConanFile):
    name = "jax2onnx"
    description = "The text of a JAX jaxpr, and its weights, to ONNX"
    license = "Apache-2.0"
    topics = ("jax", "onnx", "machine-learning")
    package_type = "static-library"  # with jax2onnx_c, a shared one, beside it
    settings = "os", "arch", "compiler", "build_type"
    options = {"tools": [True, False], "c_interface": [True, False]}
    default_options = {"tools": False, "c_interface": True}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root, "include", "jax2onnx", "version.hpp"))
        self.version = re.search(r'VERSION_STRING "(.*)"', header)[1]

    def export_sources(self):
        unused = ("dsl/tests/*", "parser/tests/*", "parser/fuzz/*")
        for folder in ("cmake", "dsl", "include", "parser", "src", "tools"):
            copy(self, f"{folder}/*", self._root, self.export_sources_folder, excludes=unused)
        for file in ("CMakeLists.txt", "LICENSE", "docs/jax2onnx.1", "web/dist/report.html"):
            copy(self, file, self._root, self.export_sources_folder)

    def requirements(self):
        self.requires("rapidjson/cci.20230929", transitive_headers=True)
        self.requires("zlib/[>=1.2.11 <2]", transitive_headers=True)
        self.requires("fmt/[>=9 <12]")
        self.requires("nlohmann_json/[>=3.11 <4]")
        if self.options.tools:
            self.requires("cli11/2.4.2")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS", "FUZZERS"):
            toolchain.cache_variables[f"JAX2ONNX_BUILD_{part}"] = False
        toolchain.cache_variables["JAX2ONNX_BUILD_TOOLS"] = bool(self.options.tools)
        toolchain.cache_variables["JAX2ONNX_BUILD_C"] = bool(self.options.c_interface)
        toolchain.cache_variables["JAX2ONNX_INSTALL"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package's own CMake files have all targets.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "jax2onnx")]
        self.cpp_info.libs = ["jax2onnx_report", "jax2onnx"]
        self.cpp_info.defines = ["JAX2ONNX_COMPILED"]
