# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/readiness/renamed tests/readiness/some

# every name that the source has, on the bundled dump and on the lab's of RELEASES: an hour or two each
check-readiness: $(TARGETS)
	tests/run tests/readiness/all $(RELEASES)

# whatever kernel of the mirror is the newest
check-newest: $(TARGETS) $(TEST_BUILD)/unwind_all
	tests/readiness/newest $(SUITES)
.PHONY: check-readiness check-newest
