# SPDX-License-Identifier: GPL-2.0-or-later

# live patches on the distribution's own kernels
check-livepatch:
	@TEST_TIMEOUT=900 tests/run $(foreach how,patch replace remove,$(RELEASES:%=tests/livepatch/stock,%,$(how)))

.PHONY: check-livepatch
