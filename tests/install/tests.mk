# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/install/check tests/install/crash tests/install/complete tests/install/library tests/install/dist
