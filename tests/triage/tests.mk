# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/triage/check

# all forms of the dumps that the lab has made, into one table; DuckDB
check-triage: $(BUILD)/otst $(TEST_BUILD)/otst-text
	@TEST_TIMEOUT=1200 tests/run tests/triage/lab tests/triage/duckdb

.PHONY: check-triage
