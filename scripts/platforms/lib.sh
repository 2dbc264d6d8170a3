# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by test-platforms and build-wasm: the compiler in the wheel ziglang, for targets other than this system.

# shellcheck disable=SC2154  # root: scripts/lib.sh
work=$root/build/platforms
export CCACHE_COMPILERCHECK=content  # the compilers are scripts, which are rewritten each time

prepare_zig() {
  need python3-venv libfmt-dev libcli11-dev nlohmann-json3-dev rapidjson-dev
  python_environment "$root/scripts/platforms/requirements.txt" zig
  mkdir -p "$work"
}

# Creates the compiler for one target, under names that CMake and ccache know.
compilers() {
  local target=$1 bin=$work/$1/bin tool
  mkdir -p "$bin"
  for tool in cc c++ ar ranlib rc; do
    local options=()
    [[ $tool = c* ]] && options=(-target "$target")
    printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$root/build/zig/bin/python" "$tool ${options[*]}" >"$bin/$tool"
    chmod +x "$bin/$tool"
  done
  # Programs need the C++ library that wasi.cmake builds. CMake's first test program has no options for that.
  [[ $target != wasm* ]] ||
    sed -i '2i case " $* " in *" -c "*) ;; *) set -- "$@" -nostdlib++ ;; esac' "$bin/c++"
}

# zlib from Debian's source lists, which systems usually lack: uses separate lists.
zlib_source() {
  local apt=$work/apt options
  [ ! -d "$work/zlib" ] || return 0
  mkdir -p "$apt/lists/partial" "$apt/sources" "$work/zlib.part"
  sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$apt/sources/debian.sources"
  options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources" -o "Dir::State::Lists=$apt/lists"
    -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$apt" && apt-get "${options[@]}" source --download-only zlib)
  tar -xf "$apt"/zlib_*.orig.tar.* -C "$work/zlib.part" --strip-components 1
  mv "$work/zlib.part" "$work/zlib"
}

# The packages that the project looks for by find_package: this system's headers if they need no library, and zlib. zlib
# 1.2.13 assumes that macOS lacks fdopen.
prefix() {
  local to=$work/$1/prefix bin=$work/$1/bin pic=(-fPIC) library file
  [[ $1 != *windows* && $1 != wasm* ]] || pic=()
  [ ! -e "$to/complete" ] || return 0
  mkdir -p "$to/include" "$to/lib" "$work/$1/zlib"
  for library in rapidjson fmt CLI nlohmann catch2; do ln -sfn "/usr/include/$library" "$to/include/$library"; done
  cp "$work/zlib/zlib.h" "$work/zlib/zconf.h" "$to/include"
  for file in adler32 crc32 inflate inffast inftrees zutil deflate trees; do
    "$bin/cc" -w -O2 "${pic[@]}" -DHAVE_UNISTD_H=1 -Dfdopen=fdopen -c "$work/zlib/$file.c" -o "$work/$1/zlib/$file.o"
  done
  "$bin/ar" rcs "$to/lib/libz.a" "$work/$1"/zlib/*.o
  touch "$to/complete"
}
