# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/drgn/vmcore tests/drgn/vmcore,arm64 tests/drgn/session tests/drgn/interrupt
