#!/bin/sh
# Builds the helper for each kind of machine, as it lies beside this file. Needs Zig, whose compiler
# brings a C library for each: pip install ziglang.
set -eu
cd "$(dirname "$0")"
hash=$(sha256sum confine.c | cut -c1-16)
for target in x86_64-linux-musl:linux-x64 aarch64-linux-musl:linux-arm64; do
  mkdir -p "${target#*:}"
  python3 -m ziglang cc -target "${target%%:*}" -static -Os -s -Wall \
    -DSOURCE_HASH="\"$hash\"" -o "${target#*:}/confine" confine.c
done
