# SPDX-License-Identifier: GPL-2.0-or-later
#
# Harnesses for libFuzzer, which comes with clang. Included by the top-level Makefile; $(BUILD) is
# a directory of its own, whose objects count what they reach.

HARNESSES := btf format image log memory module notes pages paging stack subbuf vmlinux words
HARNESS_PROGRAMS := $(HARNESSES:%=$(BUILD)/fuzz/otst-fuzz-%)
# OSS-Fuzz has its own
FUZZING_ENGINE ?= -fsanitize=fuzzer
HARNESS_LINK ?= $(CC) $(ALL_CFLAGS)

$(HARNESS_PROGRAMS): $(BUILD)/fuzz/otst-fuzz-%: $(BUILD)/fuzz/%.o $(BUILD)/fuzz/harness.o $(TEST_BUILD)/fuzz/open_dump.o \
		$(TEXT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(HARNESS_LINK) $(LDFLAGS) $(FUZZING_ENGINE) -o $@ $^ $(READER_LIBS)

# the same without libFuzzer: for the dearest inputs
$(HARNESSES:%=$(BUILD)/fuzz/otst-worst-%): $(BUILD)/fuzz/otst-worst-%: $(BUILD)/fuzz/%.o $(BUILD)/fuzz/harness.o $(BUILD)/fuzz/worst.o \
		$(TEST_BUILD)/fuzz/open_dump.o $(TEXT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

-include $(wildcard $(BUILD)/fuzz/*.d)

# what seeds are made of
SEED_FILES := $(filter $(TEST_BUILD)/text-%,$(TEST_PROGRAMS))
harnesses: $(HARNESS_PROGRAMS) $(SEED_FILES)

# nothing, NULL + 0, is an empty array here, as the next C has it
COVERED := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined \
	-fno-sanitize=pointer-overflow

# each harness for FUZZ_SECONDS on all cores, from the corpus of the last time
fuzz-coverage:
	@$(MAKE) -s BUILD=$(BUILD)/covered CC=clang CFLAGS="$(COVERED)" CRASH_INCLUDE=/nonexistent harnesses
	@BUILD=$(BUILD)/covered fuzz/run $(if $(HARNESS),$(HARNESS),$(HARNESSES))

# what seeds and corpora reach
fuzz-reached:
	@$(MAKE) -s BUILD=$(BUILD)/reached CC=clang CFLAGS="-O1 -g -fprofile-instr-generate -fcoverage-mapping" CRASH_INCLUDE=/nonexistent harnesses
	@BUILD=$(BUILD)/reached CORPORA=$(BUILD)/covered/fuzz/corpus fuzz/reached $(if $(HARNESS),$(HARNESS),$(HARNESSES))

# what was found goes into the source
fuzz-keep:
	@BUILD=$(BUILD)/covered fuzz/keep $(if $(HARNESS),$(HARNESS),$(HARNESSES))

# the dearest inputs for their size, in time and memory: of seeds, corpora and what a search of FUZZ_SECONDS finds
fuzz-worst: $(HARNESSES:%=$(BUILD)/fuzz/otst-worst-%) $(SEED_FILES)
	@BUILD=$(BUILD) fuzz/worst $(if $(HARNESS),$(HARNESS),$(HARNESSES))

# holes are planted in three readers: found within ten minutes, and leading nowhere
check-fuzz-holes: $(TEST_PROGRAMS)
	@BUILD=$(BUILD) COVERED="$(COVERED)" fuzz/holes

.PHONY: harnesses fuzz-coverage fuzz-reached fuzz-keep fuzz-worst check-fuzz-holes
