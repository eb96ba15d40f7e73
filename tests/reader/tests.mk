# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/reader/machines tests/reader/marked tests/reader/s390 tests/reader/arm64 tests/reader/noinfo tests/reader/terminal tests/reader/progress tests/reader/live tests/reader/threads tests/reader/threads,arm64 tests/reader/lines tests/reader/search tests/reader/btf tests/reader/images tests/reader/parts tests/reader/boot tests/reader/boot_arm64
