#!/bin/sh
# lint.sh SKILLLINT OUT LIST: checks the skills among the files that LIST names, a path a line, and writes a line of JSON for
# each to OUT. Bazel's sandbox shows inputs as symbolic links, and a link out of a skill's folder is judged as one, so the
# files are copied first.
set -eu
tool=$1 out=$2 list=$3
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
case $out in /*) ;; *) out=$PWD/$out ;; esac

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
while IFS= read -r file; do
  mkdir -p "$copy/$(dirname "$file")"
  cp -L "$file" "$copy/$file"
done <"$list"

cd "$copy"
find . -name SKILL.md | sed 's,^\./,,' | LC_ALL=C sort |
  "$tool" lint --files-from - --format jsonl --no-config --fail-on never -o "$out"
