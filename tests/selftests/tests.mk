# SPDX-License-Identifier: GPL-2.0-or-later

# the kernel's own tests of ftrace: an hour or two for each release
SELFTESTS_RELEASES ?= bookworm trixie sid trixie-arm64

check-selftests: $(TARGETS)
	@TEST_TIMEOUT=28800 tests/run $(SELFTESTS_RELEASES:%=tests/selftests/stock,%)

.PHONY: check-selftests
