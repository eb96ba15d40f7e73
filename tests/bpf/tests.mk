# SPDX-License-Identifier: GPL-2.0-or-later

# BPF programs on the distribution's own kernels
check-bpf:
	@TEST_TIMEOUT=900 tests/run $(RELEASES:%=tests/bpf/stock,%)

.PHONY: check-bpf
