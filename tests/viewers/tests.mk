# SPDX-License-Identifier: GPL-2.0-or-later
# what other programs show of files that otst writes; VMLINUX, VMCORE, SOURCE: for another dump
check-viewers: $(BUILD)/otst
	@BUILD=$(BUILD) TEST_TIMEOUT=600 tests/run tests/viewers/kernelshark tests/json/perfetto tests/json/speedscope
.PHONY: check-viewers
