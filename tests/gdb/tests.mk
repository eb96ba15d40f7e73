# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/gdb/load tests/gdb/loads tests/gdb/vmcore tests/gdb/remote tests/gdb/interrupt \
	 tests/gdb/operands tests/gdb/image

# gdb attached to running kernels; GDB_RELEASES chooses others
GDB_RELEASES ?= bookworm
check-gdb: $(TARGETS)
	@BUILD=$(BUILD) TEST_TIMEOUT=1200 tests/run $(shell echo tests/gdb/live $(GDB_RELEASES) | tr ' ' ,)

.PHONY: check-gdb
