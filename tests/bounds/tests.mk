# SPDX-License-Identifier: GPL-2.0-or-later
# Time and memory that an input may take.
TESTS += tests/bounds/growth tests/bounds/memory tests/bounds/readers
