# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/gdb/load tests/gdb/vmcore
