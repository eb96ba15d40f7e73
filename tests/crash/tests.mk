# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/crash/load tests/crash/help tests/crash/operands tests/crash/redirect tests/crash/same \
	 tests/crash/minimal tests/crash/terminal tests/crash/extend-time tests/crash/image
