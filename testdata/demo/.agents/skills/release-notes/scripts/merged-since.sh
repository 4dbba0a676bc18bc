#!/bin/sh
# Lists the merge commits since the tag given as the first argument.
set -eu
git log --merges --format='%s' "$1..HEAD"
