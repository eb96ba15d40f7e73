# SPDX-License-Identifier: GPL-2.0-or-later

# otst.ko and allie.ko in guests of the distribution's kernels
check-kernel:
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/kernel/check,%)

.PHONY: check-kernel
