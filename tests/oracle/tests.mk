# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/oracle/audit tests/oracle/audit-arm64 tests/oracle/bundled tests/oracle/bundled,agent tests/oracle/bundled,arm64 tests/oracle/hist tests/oracle/hist,arm64 tests/oracle/inflight tests/oracle/inflight,arm64 \
	 tests/oracle/lines tests/oracle/trace tests/oracle/trace,arm64 tests/oracle/where tests/oracle/where,arm64 tests/oracle/where-modules

# the distribution's own kernels: 6.1, 5.10, 6.12, 7.2
RELEASES ?= bookworm bullseye trixie sid

check-vmcores: $(TARGETS) $(TEST_BUILD)/unwind_all
	@TEST_TIMEOUT=1200 tests/run $(RELEASES:%=tests/oracle/stock,%)

# kernels of other architectures: lists and files in every form of their dumps, -a, rings
ARCH_RELEASES ?= bookworm-s390x bookworm-backports-s390x sid-s390x bookworm-ppc64el bookworm-ppc64el-hash bookworm-backports-ppc64el-64k \
	trixie-ppc64el sid-ppc64el trixie-riscv64 sid-riscv64
check-arch: $(TARGETS) $(TEST_BUILD)/walk_rings $(TEST_BUILD)/unwind_all
	@TEST_TIMEOUT=5400 tests/run $(ARCH_RELEASES:%=tests/oracle/stock,%) $(ARCH_RELEASES:%=tests/rings/stock,%)

# dumps that a capture kernel wrote
KDUMP_RELEASES ?= bookworm trixie bookworm-arm64 trixie-arm64
check-kdump: $(TARGETS) $(TEST_BUILD)/unwind_all
	@TEST_TIMEOUT=7200 tests/run $(KDUMP_RELEASES:%=tests/oracle/kdump,%)

.PHONY: check-vmcores check-arch check-kdump
