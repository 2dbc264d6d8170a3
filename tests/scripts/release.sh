#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs scripts/release in a separate repository, made from the files that it reads.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
source "$root/scripts/lib.sh"
cd "$root"
cp --parents -r scripts "${version_files[@]}" "${series_files[@]}" "$work"

# Files known to git that have versions of their own: the changelog, pinned packages and recorded reports.
elsewhere=(':!CHANGELOG.md' ':!*requirements*' ':!*.lock' ':!docs/examples/*' ':!web/*')
same_files() {  # same_files WHAT PATTERN FILE...
  local found listed
  found=$(git grep -lE "$2" -- "${elsewhere[@]}" | sort)
  listed=$(printf '%s\n' "${@:3}" | sort)
  [ "$found" = "$listed" ] || fail "the files that state $1: $(diff <(echo "$listed") <(echo "$found"))"
}
current=$(version)
if git rev-parse --git-dir >/dev/null 2>&1; then
  same_files "the version" "(^|[^0-9.])${current//./\\.}($|[^0-9.])" "${version_files[@]}"
  same_files "its minor version" 'find_package\(jax2onnx[a-z-]* [0-9.]* REQUIRED' "${series_files[@]}"
fi
cd "$work"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE  # these are set if a git hook runs this

has() { grep -qxF -- "$2" "$1" || fail "$1 lacks: $2"; }
refused() {  # refused WHY ARGUMENT...
  local said at
  at=$(git rev-parse HEAD)
  ! said=$(scripts/release "${@:2}" 2>&1) || fail "scripts/release ${*:2} is not refused"
  [[ $said == *"$1"* ]] || fail "scripts/release ${*:2}: $said"
  [ -z "$(git status --porcelain)" ] || fail "scripts/release ${*:2} left changes"
  [ "$(git rev-parse HEAD)" = "$at" ] || fail "scripts/release ${*:2} made a commit"
}

printf '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n' >CHANGELOG.md
git init --quiet
git add .
git commit --quiet --message start
start=$(git rev-parse HEAD)

refused usage
refused usage 1.2
refused usage v1.2.3
refused usage 1.02.3
refused "lower than" 0.0.1
[[ $(scripts/release --dry-run 3.14.15) == *'+#define JAX2ONNX_VERSION_MINOR 14'* ]] || fail "the dry run shows no difference"
[ -z "$(git status --porcelain)" ] || fail "the dry run changed files"
[ "$(git rev-parse HEAD)" = "$start" ] || fail "the dry run made a commit"
echo >>CHANGELOG.md
! scripts/release 3.14.15 2>/dev/null || fail "a tree with changes is not refused"
git checkout --quiet CHANGELOG.md

scripts/release 3.14.15 2>/dev/null
has include/jax2onnx/version.hpp '#define JAX2ONNX_VERSION_MAJOR 3'
has include/jax2onnx/version.hpp '#define JAX2ONNX_VERSION_MINOR 14'
has include/jax2onnx/version.hpp '#define JAX2ONNX_VERSION_PATCH 15'
has include/jax2onnx/version.hpp '#define JAX2ONNX_VERSION_STRING "3.14.15"'
grep -q '^project(jax2onnx-jaxpr VERSION 3\.14\.15 ' parser/CMakeLists.txt || fail "the parser's version"
! grep -rF "$current" "${version_files[@]}" || fail "a file that still states $current"
for file in "${version_files[@]}"; do grep -qF 3.14.15 "$file" || fail "the version in $file"; done
grep -q 'find_package(jax2onnx 3\.14 REQUIRED)' tests/consumer/project/CMakeLists.txt || fail "the consumer's version"
grep -q 'find_package(jax2onnx-jaxpr 3\.14 REQUIRED)' parser/tests/consumer/CMakeLists.txt || fail "the parser's consumer"
has CHANGELOG.md '## [Unreleased]'
has CHANGELOG.md "## [3.14.15] - $(date -u +%F)"
[ -z "$(git status --porcelain)" ] || fail "the tree is not clean"
[ "$(git rev-parse 'v3.14.15^{commit}')" = "$(git rev-parse HEAD)" ] || fail "the tag is elsewhere"
[ "$(git log -1 --format=%s)" = "release: 3.14.15" ] || fail "the commit's subject"

# A version is made only once, and only with an entry in the changelog.
refused "v3.14.15 exists" 3.14.15
refused "nothing under [Unreleased]" 3.14.16
echo "scripts/release: all passed"
