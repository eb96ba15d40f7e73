# SPDX-License-Identifier: GPL-2.0-or-later

# each read fails, in nearly every dump: `make check` tries a part
check-faults: test-programs
	@FAULTS=4000 TEST_TIMEOUT=3600 tests/run tests/faults/check

.PHONY: check-faults
