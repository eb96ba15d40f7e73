# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/report/check

$(TEST_BUILD)/report-escape: $(TEST_BUILD)/report/escape.o $(addprefix $(BUILD)/offline/report/,html.o json.o) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
test-programs: $(TEST_BUILD)/report-escape

$(TEST_BUILD)/report-looked: $(TEST_BUILD)/report/looked.o $(addprefix $(BUILD)/offline/report/,page.o html.o json.o list.o records.o probes.o captures.o findings.o files.o) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
test-programs: $(TEST_BUILD)/report-looked

# the page in a real browser, Debian's package chromium
check-report: $(BUILD)/otst
	@BUILD=$(BUILD) tests/run tests/report/chromium
.PHONY: check-report
