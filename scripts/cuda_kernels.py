# SPDX-License-Identifier: Apache-2.0
"""The kernels of ONNX Runtime's CUDA provider, as the package onnxruntime-gpu registers them. Needs neither a GPU nor
CUDA: the provider loads stub libraries with CUDA's functions, all of which return 0.
"""

import collections
import pathlib
import re
import subprocess
import sys

LIBRARIES = ["libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcurand.so.10", "libcuda.so.1",
             "libcudnn.so.9", "libnvinfer.so.10", "libnvonnxparser.so.10"]  # fmt: skip
# Prefixes of names without a version, and the library that defines them.
UNVERSIONED = {"createNv": "libnvonnxparser.so.10", "createInfer": "libnvinfer.so.10", "getInfer": "libnvinfer.so.10",
               "getPlugin": "libnvinfer.so.10", "initLib": "libnvinfer.so.10", "cu": "libcuda.so.1"}  # fmt: skip
# The bodies of functions that do not return a status.
BODIES = {
    "cudaGetDeviceCount": "int cudaGetDeviceCount(int* n) { *n = 1; return 0; }",
    "cudaGetDevice": "int cudaGetDevice(int* n) { *n = 0; return 0; }",
    "cudaMemGetInfo": "int cudaMemGetInfo(long* free, long* all) { *free = *all = 1l << 34; return 0; }",
    "cudaStreamCreateWithFlags": "int cudaStreamCreateWithFlags(void** s, int f) { *s = (void*)64; return 0; }",
    "cublasCreate_v2": "int cublasCreate_v2(void** h) { *h = (void*)64; return 0; }",
    "cublasLtCreate": "int cublasLtCreate(void** h) { *h = (void*)64; return 0; }",
    "cudaGetErrorString": 'const char* cudaGetErrorString(int e) { return ""; }',
    "cudaGetErrorName": 'const char* cudaGetErrorName(int e) { return ""; }',
    "__cudaRegisterFatBinary": "void** __cudaRegisterFatBinary(void* x) { static void* p[4]; return p; }",
    "getPluginRegistry": "static long none() { return 0; }\nvoid* getPluginRegistry() {\n"
    "  static void *table[64], *object[1] = {table};\n  for (int i = 0; i < 64; ++i) table[i] = none;\n"
    "  return object;\n}",
}
PRINT = """
import json
from onnxruntime.capi import onnxruntime_pybind11_state as state
print(json.dumps([[k.op_name, constraint, *k.version_range, sorted(types)] for k in state.get_all_opkernel_def()
                  if k.provider == "CUDAExecutionProvider" and k.domain == ""
                  for constraint, types in k.type_constraints.items()]))
"""


def wanted_functions(providers):
    """library -> {(function, version)}: what the providers' libraries import from CUDA."""
    found = collections.defaultdict(set)
    for library in providers:
        symbols = subprocess.run(["readelf", "-W", "--dyn-syms", library], capture_output=True, text=True, check=True)
        for name, version in re.findall(r" UND (\w+)@*(\S*)", symbols.stdout):
            begins = next((b for b in UNVERSIONED if name.removeprefix("__").startswith(b)), None)
            if version in LIBRARIES:
                found[version].add((name, version))
            elif not version and begins:
                found[UNVERSIONED[begins]].add((name, ""))
    return found


def write_stubs(providers, folder):
    """Writes libraries with CUDA's names, whose functions do nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = wanted_functions(providers)
    for library in LIBRARIES:
        source, versions = folder / f"{library}.c", folder / f"{library}.map"
        functions = sorted(wanted[library])
        source.write_text("\n".join(BODIES.get(f, f"long {f}() {{ return 0; }}") for f, _ in functions) + "\n")
        versioned = " ".join(f"{name};" for name, version in functions if version)
        versions.write_text(f"{library} {{ global: {versioned} }};\n")
        script = [f"-Wl,--version-script={versions}"] if versioned else []
        command = ["gcc", "-w", "-fno-builtin", "-shared", "-fPIC", f"-Wl,-soname,{library}", *script, source]
        subprocess.run([*command, "-o", folder / library], check=True)


def kernels(version, folder):
    """[operator, constraint, first opset, last opset, types] of each; the package is installed in `folder`."""
    package = pathlib.Path(folder) / f"onnxruntime-gpu-{version}"
    if not package.exists():
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--target", package]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, f"onnxruntime-gpu=={version}"], check=True)
    write_stubs(sorted((package / "onnxruntime/capi").glob("libonnxruntime_providers_[ct]*.so")), package / "stubs")
    environment = {"LD_LIBRARY_PATH": str(package / "stubs"), "PYTHONPATH": f"{package}:{':'.join(sys.path)}"}
    return subprocess.run([sys.executable, "-c", PRINT], capture_output=True, text=True, env=environment).stdout
