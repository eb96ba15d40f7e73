# SPDX-License-Identifier: GPL-2.0-or-later

# otst --live inside guests: not part of `make check`, since it boots kernels
check-live: $(TARGETS)
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/live/check,%)

.PHONY: check-live
