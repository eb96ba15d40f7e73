#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What OSS-Fuzz runs in its container: $CC, $CFLAGS, $LIB_FUZZING_ENGINE, $OUT are its.
cd "$(dirname "$0")/.."
make -s -j"$(nproc)" BUILD=build/oss CC="$CC" CFLAGS="$CFLAGS" FUZZING_ENGINE="$LIB_FUZZING_ENGINE" CRASH_INCLUDE=/nonexistent harnesses
for harness in build/oss/fuzz/otst-fuzz-*; do
	name=${harness##*-}
	BUILD=build/oss fuzz/seeds "$name" "build/oss/seeds/$name"
	cp "$harness" "$OUT/$name"
	(cd "build/oss/seeds/$name" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
	[ ! -f "fuzz/$name.dict" ] || cp "fuzz/$name.dict" "$OUT"
done
