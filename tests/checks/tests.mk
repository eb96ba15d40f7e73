# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/checks/version tests/checks/counts tests/checks/heads tests/checks/hardening tests/checks/sizes tests/checks/forge tests/checks/links tests/checks/layers tests/checks/edges tests/checks/names tests/checks/declared tests/checks/places tests/checks/arches tests/checks/shared-types tests/checks/symbols tests/checks/help tests/checks/manual tests/checks/examples tests/checks/format tests/checks/sbom

# the engine with any one architecture left out: all files with its name in their paths
ARCHES := $(shell sed -n 's/row(\([a-z0-9_]\{2,\}\))/\n\1\n/gp' src/arch/arch.h | grep -x '[a-z0-9_]*')
without = $(foreach s,$(ENGINE_SRCS),$(if $(findstring $1,$s),,$(s:%.c=$(BUILD)/%.o)))
define LEAVE_OUT
$(TEST_BUILD)/otst-without-$1: $(TEST_BUILD)/text/run_text.o $(TEXT_OBJS) $(call without,$1)
	$$(CC) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
test-programs: $(TEST_BUILD)/otst-without-$1
endef
$(foreach arch,$(ARCHES),$(eval $(call LEAVE_OUT,$(arch))))

check-format:
	tests/checks/format

.PHONY: check-format
