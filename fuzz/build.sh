#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What OSS-Fuzz runs in its container: $CC, $CXX, $CFLAGS, $CXXFLAGS, $LIB_FUZZING_ENGINE, $OUT are its. The harnesses run
# where there is nothing but $OUT: the libraries that they need and the text dumps go there, too.
set -eu
cd "$(dirname "$0")/.."
# the linker reads $ORIGIN, neither make nor the shell; the old tag holds for libraries of libraries, too
make -s -j"$(nproc)" BUILD=build/oss CC="$CC" CFLAGS="$CFLAGS" HARNESS_LINK="$CXX $CXXFLAGS" FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
	LDFLAGS="-Wl,--disable-new-dtags,-rpath,'\$\$ORIGIN/lib'" CRASH_INCLUDE=/nonexistent harnesses
mkdir -p "$OUT/lib" "$OUT/tests/text" "$OUT/fuzz"
cp -r tests/text/dumps "$OUT/tests/text"
cp fuzz/*.txt "$OUT/fuzz"
for harness in build/oss/fuzz/otst-fuzz-*; do
	name=${harness##*-}
	BUILD=build/oss fuzz/seeds "$name" "build/oss/seeds/$name"
	cp "$harness" "$OUT/$name"
	# all but those of libc, which every machine has
	ldd "$harness" | awk '$2 == "=>" && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $3 }' | xargs -r cp -L -t "$OUT/lib"
	(cd "build/oss/seeds/$name" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
	[ ! -f "fuzz/$name.dict" ] || cp "fuzz/$name.dict" "$OUT"
done
