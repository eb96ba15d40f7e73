# SPDX-License-Identifier: GPL-2.0-or-later
#
# Test programs, and what `make check` runs. Included by the top-level
# Makefile, which says how objects are made.

TEST_BUILD := $(BUILD)/tests
TEXT_OBJS := $(addprefix $(TEST_BUILD)/text/,text_btf.o text_dump.o text_parse.o text_target.o)
FAULT_OBJS := $(addprefix $(TEST_BUILD)/,faults/page_store.o faults/fault_target.o fuzz/open_dump.o) $(TEXT_OBJS)
# the reader of vmcores, without its main()
TEST_READER_OBJS := $(filter-out %/main.o,$(READER_OBJS))
# programs that query one dump: the reader and dumps/on_dump.h
ON_DUMP_OBJS := $(TEST_BUILD)/dumps/on_dump.o $(TEST_READER_OBJS)

UNIT_NAMES := $(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c))
UNIT_PROGRAMS := $(UNIT_NAMES:%=$(TEST_BUILD)/unit-%)
TEXT_MODULES := $(patsubst %,$(TEST_BUILD)/text-%/lab.ko,modules modules-bare modules-right modules-named modules-older)
TEST_PROGRAMS := $(addprefix $(TEST_BUILD)/otst-,text mutate faults stops) $(BUILD)/otst-schema $(UNIT_PROGRAMS) $(TEST_BUILD)/text-vmlinux \
	$(TEST_BUILD)/text-patched $(TEST_BUILD)/text-patched-3.10 $(TEST_BUILD)/text-patched-5.14 $(TEST_BUILD)/text-patched-cfi $(TEST_BUILD)/text-patched-arm64 $(TEST_BUILD)/text-patched-riscv64 $(TEST_BUILD)/text-patched-ppc64le $(TEST_BUILD)/text-patched-s390x \
	$(TEST_BUILD)/text-named $(TEST_BUILD)/text-banner $(TEST_BUILD)/text-frames-3.10 $(TEST_BUILD)/text-data \
	$(TEXT_MODULES)

# image files of text dumps are x86_64's, whatever this machine is
IMAGE_CC ?= $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),$(CC),x86_64-linux-gnu-gcc)

# the image file of some text dumps; also with a build ID and a banner, and with a banner alone
TEXT_IMAGE := none
$(TEST_BUILD)/text-named: TEXT_IMAGE := 0x1111111111111111111111111111111111111111
$(TEST_BUILD)/text-named $(TEST_BUILD)/text-banner: private CPPFLAGS += \
	'-DBANNER="Linux version 4.14.0-text (lab@text) (cc (CC) 1.0) \#1 SMP Tue\n"'
$(addprefix $(TEST_BUILD)/text-,vmlinux named banner): tests/text/vmlinux.c
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CPPFLAGS) -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -g -O1 -ffreestanding -fno-pic -mcmodel=kernel \
		-fcf-protection=none -fno-asynchronous-unwind-tables -nostdlib -static \
		-Wl,--build-id=$(TEXT_IMAGE),-e,_stext,--section-start=.stext=0xffffffff81000000 \
		-Wl,--section-start=.banner=0xffffffff81b00000 \
		-Wl,--section-start=.do_fork=0xffffffff81084de0 \
		-Wl,--section-start=.lab_many=0xffffffff81200000 -o $@ $<

# e_machine, octal: what an x86_64 assembler wrote for another machine's kernel
$(TEST_BUILD)/text-patched-arm64: private IMAGE_MACHINE := 267
$(TEST_BUILD)/text-patched-riscv64: private IMAGE_MACHINE := 363
$(TEST_BUILD)/text-patched-ppc64le: private IMAGE_MACHINE := 025
$(TEST_BUILD)/text-patched-s390x: private IMAGE_MACHINE := 026
$(TEST_BUILD)/text-patched-5.14: private CPPFLAGS += -DPACKED
# a section of relocations without relocations is intended
$(TEST_BUILD)/text-patched-arm64 $(TEST_BUILD)/text-patched-ppc64le: private CPPFLAGS += -Wa,-W
$(TEST_BUILD)/text-patched: tests/text/patched.S
$(TEST_BUILD)/text-data: tests/text/data.S
$(TEST_BUILD)/text-data: private CPPFLAGS += -Wl,--unique=.data..percpu -Wl,--section-start=.rodata=0xffffffff82300000 \
	-Wl,--section-start=.after_init=0xffffffff82301000 -Wl,--section-start=.data=0xffffffff82400000
$(TEST_BUILD)/text-patched-cfi: tests/text/patched_cfi.S
$(TEST_BUILD)/text-patched-arm64: tests/text/patched_arm64.S
$(TEST_BUILD)/text-patched-arm64: private CPPFLAGS += -Wl,--unique=.data..percpu -Wl,--section-start=.data=0xffffffff82700000
$(TEST_BUILD)/text-patched-riscv64: tests/text/patched_riscv64.S
$(TEST_BUILD)/text-patched-ppc64le: tests/text/patched_ppc64le.S
$(TEST_BUILD)/text-patched-s390x: tests/text/patched_s390x.S
# distances in tables are big-endian numbers there, and no assembler for another machine makes them
$(TEST_BUILD)/text-patched-s390x: private CPPFLAGS += -Wl,--section-start=.altinstructions=0xffffffff81580000 \
	-Wl,--section-start=.nospec_call_table=0xffffffff81590000 \
	-Wl,--section-start=runtime_ptr_lab_table=0xffffffff815a0000 \
	-Wl,--section-start=runtime_shift_lab_shift=0xffffffff815b0000
$(addprefix $(TEST_BUILD)/text-patched-,3.10 5.14): tests/text/patched_vendor.S
$(TEST_BUILD)/text-patched $(TEST_BUILD)/text-patched-3.10 $(TEST_BUILD)/text-patched-5.14 $(TEST_BUILD)/text-patched-cfi $(TEST_BUILD)/text-patched-arm64 $(TEST_BUILD)/text-patched-riscv64 $(TEST_BUILD)/text-patched-ppc64le \
		$(TEST_BUILD)/text-patched-s390x $(TEST_BUILD)/text-data:
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CPPFLAGS) -nostdlib -static -Wl,--build-id=none,-e,_stext,--section-start=.stext=0xffffffff81000000 \
		-Wl,--section-start=.patched=0xffffffff81500000 -o $@ $<
	$(if $(IMAGE_MACHINE),printf '\$(IMAGE_MACHINE)' | dd of=$@ bs=1 seek=18 conv=notrunc status=none)

# the image file of some text dumps: call frames
$(TEST_BUILD)/text-frames-3.10: tests/text/frames.S
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CPPFLAGS) -nostdlib -static -Wl,--build-id=none,-e,_stext,--section-start=.stext=0xffffffff81000000 \
		-Wl,--section-start=.frames=0xffffffff81600000 -o $@ $<

# the file of a module of some text dumps; also without a build ID: with nothing else, and with a name and a release
# that are right, or one of them is not
TEXT_MODULE_ID := none
$(TEST_BUILD)/text-modules/lab.ko: TEXT_MODULE_ID := 0x2222222222222222222222222222222222222222
$(TEST_BUILD)/text-modules-right/lab.ko: private CPPFLAGS += '-DMODINFO="license=GPL\0name=lab\0vermagic=4.14.0-text SMP "'
$(TEST_BUILD)/text-modules-named/lab.ko: private CPPFLAGS += '-DMODINFO="name=other\0vermagic=4.14.0-text SMP "'
$(TEST_BUILD)/text-modules-older/lab.ko: private CPPFLAGS += '-DMODINFO="name=lab\0vermagic=4.13.0-text SMP "'
$(TEXT_MODULES): tests/text/vmlinux.c
	@mkdir -p $(@D)
	$(IMAGE_CC) $(CPPFLAGS) -std=gnu11 -O1 -g -ffreestanding -c -o $(@D)/lab.o $<
	$(IMAGE_CC) -r -nostdlib -Wl,--build-id=$(TEXT_MODULE_ID) -o $@ $(@D)/lab.o

$(TEST_BUILD)/otst-text: $(TEST_BUILD)/text/run_text.o $(TEXT_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(TEST_BUILD)/otst-mutate: $(TEST_BUILD)/fuzz/mutate.o $(TEST_BUILD)/fuzz/meanings.o $(FAULT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -ljson-c

$(TEST_BUILD)/otst-faults: $(TEST_BUILD)/faults/run_faults.o $(FAULT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(TEST_BUILD)/otst-stops: $(TEST_BUILD)/faults/run_stops.o $(FAULT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(TEST_BUILD)/unit-live: $(addprefix $(BUILD)/offline/,live.o livesyms.o complain.o progress.o)
$(UNIT_PROGRAMS): $(TEST_BUILD)/unit-%: $(TEST_BUILD)/unit/test_%.o $(TEST_BUILD)/unit/mock.o $(TEXT_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(TEST_BUILD)/unit-kallsyms: private LDFLAGS += -Wl,--wrap=malloc

# the image files of unit-dwarf: two structures of one name, in both orders
DWARF_IMAGES := $(addprefix $(TEST_BUILD)/unit-dwarf-,perf ftrace)
$(TEST_BUILD)/unit-dwarf: | $(DWARF_IMAGES)
$(TEST_BUILD)/unit-dwarf-perf: tests/unit/dwarf/perf.c tests/unit/dwarf/ftrace.c
$(TEST_BUILD)/unit-dwarf-ftrace: tests/unit/dwarf/ftrace.c tests/unit/dwarf/perf.c
$(DWARF_IMAGES):
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra $(if $(WERROR),-Werror) -g -ffreestanding -fno-pic -nostdlib -static -Wl,-e,0 -o $@ $^

-include $(wildcard $(TEST_BUILD)/*/*.d)

test-programs: $(TEST_PROGRAMS)
.PHONY: test-programs
.SECONDARY: $(UNIT_NAMES:%=$(TEST_BUILD)/unit/test_%.o)

# Each is one command, run from the top folder: exit 0 pass, 1 fail, 77 skip,
# 99 broken set-up.
FUZZERS := tests/fuzz/long
TESTS += $(UNIT_PROGRAMS) tests/text/check tests/text/btf tests/text/kallsyms tests/text/big-endian tests/text/summary tests/json/check tests/json/speedscope tests/json/perfetto tests/faults/check \
	 tests/faults/stops tests/faults/lines tests/fuzz/check

# a command cut short at every possible place: about an hour
check-stops: $(TEST_BUILD)/otst-stops
	@BUILD=$(BUILD) STOPS=0 TEST_TIMEOUT=7200 tests/run tests/faults/stops
.PHONY: check-stops
