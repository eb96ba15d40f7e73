# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/checks/layers tests/checks/edges tests/checks/shared-types tests/checks/symbols tests/checks/help tests/checks/manual tests/checks/examples tests/checks/format

check-format:
	tests/checks/format

.PHONY: check-format
