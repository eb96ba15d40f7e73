# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/operands/reader tests/operands/outputs tests/operands/examples
