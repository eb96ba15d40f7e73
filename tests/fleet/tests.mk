# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/fleet/scan tests/fleet/hostile tests/fleet/statistics
