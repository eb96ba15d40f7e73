# SPDX-License-Identifier: GPL-2.0-or-later

TESTS += tests/kernel/bundled tests/kernel/bundled,arm64

# otst.ko and allie.ko in guests of the distribution's kernels
check-kernel:
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/kernel/check,%)

# the same under KASAN and lockdep, on a kernel that is built for it
check-kernel-debug:
	@TEST_TIMEOUT=5400 tests/run tests/kernel/debug

.PHONY: check-kernel check-kernel-debug
