# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/drgn/vmcore tests/drgn/session tests/drgn/interrupt
