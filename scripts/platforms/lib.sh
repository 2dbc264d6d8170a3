# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Cross-compilation by the clang of the wheel ziglang: shared by build_wheel, build-tools, build-wasm, test-platforms and
# test-wheels.

# shellcheck disable=SC2154  # root: scripts/lib.sh
work=$root/build/platforms
export CCACHE_COMPILERCHECK=content  # the compilers are scripts, which are rewritten each time

# Creates the compiler for one target of zig, under names that CMake and ccache know.
compilers() {
  local target=$1 bin=$work/$1/bin tool
  need cmake ninja-build python3-venv
  python_environment "$root/scripts/platforms/requirements.txt" zig
  mkdir -p "$bin"
  for tool in cc c++ ar ranlib rc; do
    local options=()
    [[ $tool = c* ]] && options=(-target "$target" -O2 -g0)  # else zig compiles libc++ for debugging, too
    # The text tells ccache which compiler this is: its version, and no path, so that the clones of a machine share objects.
    # shellcheck disable=SC2016  # the script expands $0
    printf '#!/bin/sh\n# %s\nexec "${0%%/*}/../../../zig/bin/python" -m ziglang %s "$@"\n' \
      "$(<"$root/scripts/platforms/requirements.txt")" "$tool ${options[*]}" >"$bin/$tool"
    chmod +x "$bin/$tool"
  done
  # Programs need the C++ library that wasi.cmake builds. CMake's first test program has no options for that.
  [[ $target != wasm* ]] ||
    sed -i '3i case " $* " in *" -c "*) ;; *) set -- "$@" -nostdlib++ ;; esac' "$bin/c++"
}

# Prepares build/platforms/TARGET/FOLDER for CMake, with options. Flags are those of wheels, whose objects ccache has.
configure() {
  local target=$1 folder=$work/$1/$2
  shift 2
  compilers "$target"
  say "building for $target"
  cmake -S "$root" -B "$folder" --preset release -DCMAKE_TOOLCHAIN_FILE="$root/scripts/platforms/zig.cmake" -DJAX2ONNX_TARGET="$target" \
    -DJAX2ONNX_BUILD_EXAMPLES=OFF "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; return 1; }
}

# The tool alone, optimised: build/platforms/TARGET/tool/jax2onnx, with an ending on some systems.
build_tool() {
  configure "$1" tool -DCMAKE_EXE_LINKER_FLAGS=-s -DJAX2ONNX_BUILD_C=OFF -DJAX2ONNX_BUILD_TESTS=OFF \
    -DJAX2ONNX_INSTALL=OFF
  cmake --build "$work/$1/tool" --target jax2onnx_cli
}

# Sets `runner` to what runs programs of a target here. False if nothing does.
runner_for() {
  runner=()
  case $1 in
    x86_64-linux*) ;;
    aarch64-linux*)  # the emulator neither shares memory between processes (vfork) nor reports the size of one
      need qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross
      runner=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
      ;;
    *windows*)
      need wine64
      export WINEPREFIX=$work/wine WINEDEBUG=-all
      runner=(/usr/lib/wine/wine64)
      ;;
    *) return 1 ;;
  esac
}

model=$root/examples/mnist_cnn/mnist_cnn.jaxpr weights=$root/examples/mnist_cnn/weights.npz
# The model that this system's tool writes: build/platforms/expected.onnx.
expected_model() {
  build release jax2onnx_cli
  mkdir -p "$work"
  build/release/jax2onnx "$model" -w "$weights" -o "$work/expected.onnx" -q
}

# The tool of a target must write the same bytes, to a file and to a pipe.
try_tool() {
  local tool
  tool=$(find "$work/$1/$2" -maxdepth 1 \( -name jax2onnx -o -name jax2onnx.exe \))
  runner_for "$1" || { say "$1: cannot be run here"; return 0; }
  say "$1: the tool"
  (cd "$work/$1" && "${runner[@]}" "$tool" "$model" -w "$weights" -o model.onnx -q && cmp model.onnx "$work/expected.onnx")
  "${runner[@]}" "$tool" - -w "$weights" -o - -q <"$model" | cmp - "$work/expected.onnx"
}

# CPython for another system, as JavaCPP packages it for Maven: build/platforms/python/SYSTEM. 3.12 is the oldest that the
# wheels are for, and NumPy 1.26 runs under Wine 8.
foreign_python() {
  local system=$1 to=$work/python/$1 version=3.12.1-1.5.10
  [ ! -d "$to" ] || return 0
  need maven unzip
  mkdir -p "$work/python"
  mvn -q -B --no-transfer-progress dependency:copy "-Dartifact=org.bytedeco:cpython:$version:jar:$system" "-DoutputDirectory=$work/python"
  rm -rf "$work/python/part"
  unzip -q "$work/python/cpython-$version-$system.jar" "org/bytedeco/cpython/$system/*" -d "$work/python/part"
  chmod +x "$work/python/part/org/bytedeco/cpython/$system/bin"/*
  mv "$work/python/part/org/bytedeco/cpython/$system" "$to"
}
