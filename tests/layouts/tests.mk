# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/layouts/check
