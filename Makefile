# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
#
# otst: the file reader, the crash extension and the library that the commands of gdb and drgn use,
# all on top of one engine (src/). Everything that is built goes to build/.
#
#   make            build/otst, build/libotst.so, and build/otst.so if crash's header is
#                   installed; CC, CPPFLAGS, CFLAGS, LDFLAGS as usual, WERROR=1 makes
#                   warnings errors
#   make check      the tests of tests/
#   make install    DESTDIR, prefix and INSTALL as usual; uninstall removes it all again

# tests/checks/version names the files that repeat it
VERSION	:= 1.0.0
# version of the library's interface: changed only by a change that breaks programs
SOVERSION := 0
BUILD	?= build
CC	?= gcc
CFLAGS	?= -O2 -g
WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
# which gcc has, and clang has not
WARN	+= $(shell $(CC) -Werror -Wduplicated-cond -E -x c /dev/null >/dev/null 2>&1 && echo -Wduplicated-cond)
STD	:= -std=gnu11 -fPIC -fvisibility=hidden -D_GNU_SOURCE
# what makes a hole harder to use; HARDEN= HARDEN_LINK= build without. Checked copies need an optimizing
# compiler, get in the way of sanitizers, and may have been chosen already
ifeq ($(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(findstring -fsanitize,$(CFLAGS))$(filter -O0,$(CFLAGS)),)
hash	:= \#
FORTIFY	:= $(if $(filter -O%,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(shell echo '$(hash)include <stdio.h>' | \
	$(CC) -Werror -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -E -x c - >/dev/null 2>&1 && echo 3 || echo 2))
endif
TARGET_MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
HARDEN	?= -fstack-protector-strong -fstack-clash-protection $(FORTIFY) \
	$(if $(filter x86_64,$(TARGET_MACHINE)),-fcf-protection) $(if $(filter aarch64,$(TARGET_MACHINE)),-mbranch-protection=standard)
HARDEN_LINK ?= -Wl,-z,relro,-z,now,-z,noexecstack
ALL_CFLAGS := $(STD) $(WARN) $(HARDEN) $(CPPFLAGS) $(CFLAGS)
LIBS	:= -ldw -lelf -lbpf -lcapstone -lz -llzma -lbz2 -lzstd -llz4 -ldl
READER_LIBS := -lkdumpfile -ldeflate -llzo2 -lsnappy -lpthread $(LIBS)

CRASH_INCLUDE ?= /usr/include/crash
# machines that crash runs on, and the target whose dumps it reads there: crash's own
# names, -D in its sources. Built on x86_64 with `make target=PPC64` (ARM64, RISCV64) it
# reads dumps of another machine.
CRASH_ARCHES := x86_64:X86_64 aarch64:ARM64 ppc64le:PPC64 riscv64:RISCV64 s390x:S390X
MACHINE := $(shell uname -m)
CRASH_ARCH ?= $(patsubst $(MACHINE):%,%,$(filter $(MACHINE):%,$(CRASH_ARCHES)))

ENGINE_SRCS := $(wildcard src/*/*.c src/*/*/*.c)
ENGINE_OBJS := $(ENGINE_SRCS:%.c=$(BUILD)/%.o)
READER_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard front/*.c offline/*.c offline/*/*.c)) $(BUILD)/offline/report/files.o

# the library, and the names by which programs and the linker find it
SONAME	:= libotst.so.$(SOVERSION)
LIBRARY := $(SONAME).$(VERSION)

TARGETS := $(BUILD)/otst $(BUILD)/$(LIBRARY) $(BUILD)/$(SONAME) $(BUILD)/libotst.so
ifeq ($(wildcard $(CRASH_INCLUDE)/defs.h),)
LEFT_OUT := echo "otst.so, the extension of crash, is left out: there is no $(CRASH_INCLUDE)/defs.h"
else ifeq ($(CRASH_ARCH),)
LEFT_OUT := echo "otst.so, the extension of crash, is left out: crash has no target for dumps of $(MACHINE) that otst reads"
else
TARGETS += $(BUILD)/otst.so
LEFT_OUT := :
endif

all: $(TARGETS)
	@$(LEFT_OUT)

$(BUILD)/otst: $(READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(HARDEN_LINK) -pie $(LDFLAGS) -o $@ $^ $(READER_LIBS)

# one file that needs nothing but a kernel of 3.2 or later: all libraries are linked in, from their
# static packages; libkdumpfile has none. CROSS_COMPILE=aarch64-linux-gnu- STATIC_ROOT=DIR, in which
# that machine's packages are, builds it for another one
STATIC_DIR := $(BUILD)/static$(CROSS_COMPILE:%-=-%)
STATIC_ROOT ?=
STATIC_LIBS := -ldeflate -llzo2 -lsnappy -lstdc++ $(filter-out -ldl,$(LIBS)) -lpthread -lm
STATIC_CC := $(CROSS_COMPILE)$(if $(CROSS_COMPILE),gcc,$(CC))
static:
	@$(MAKE) BUILD=$(STATIC_DIR) CC="$(STATIC_CC)" CPPFLAGS="$(CPPFLAGS) -DOTST_STATIC \
		$(if $(STATIC_ROOT),-isystem $(STATIC_ROOT)/usr/include -isystem $(STATIC_ROOT)/usr/include/$(CROSS_COMPILE:%-=%))" \
		LDFLAGS="$(LDFLAGS) $(if $(STATIC_ROOT),-L$(STATIC_ROOT)/usr/lib/$(CROSS_COMPILE:%-=%))" $(STATIC_DIR)/otst-static

$(BUILD)/otst-static: $(READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -static-pie -o $@ $^ -Wl,--start-group $(STATIC_LIBS) -Wl,--end-group
	$(CC:%gcc=%)strip $@ 2>/dev/null || strip $@

$(BUILD)/otst.so: $(BUILD)/otst_ext.o $(BUILD)/front/notes.o $(ENGINE_OBJS) otst_ext.map
	$(CC) $(ALL_CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -shared -Wl,--version-script=otst_ext.map -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/$(LIBRARY): $(ENGINE_OBJS) src/libotst.map
	$(CC) $(ALL_CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) \
		-Wl,--version-script=src/libotst.map -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/$(SONAME) $(BUILD)/libotst.so: $(BUILD)/$(LIBRARY)
	ln -sf $(LIBRARY) $@

# our own warnings are off for crash's header
$(BUILD)/otst_ext.o: otst_ext.c src/otst.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -isystem $(CRASH_INCLUDE) -D$(CRASH_ARCH) -MMD -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -c -o $@ $<

# the one file that has the version
$(BUILD)/src/base/engine.o: ALL_CFLAGS += -DOTST_VERSION='"$(VERSION)"'
$(BUILD)/src/base/engine.o: Makefile

# the page of otst --report and what it looks like
$(BUILD)/offline/report/files.c: $(addprefix offline/report/,embed page.html style.css script.js)
	@mkdir -p $(@D)
	$< >$@.new && mv $@.new $@
$(BUILD)/offline/report/files.o: $(BUILD)/offline/report/files.c
	$(CC) $(ALL_CFLAGS) -Ioffline/report -MMD -c -o $@ $<

# to be run after a change to what otst -j prints
docs/otst.schema.json: $(BUILD)/otst-schema
	$< >$@.new && mv $@.new $@
$(BUILD)/otst-schema: $(BUILD)/docs/schema.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# rebuild when a header was deleted
%.h: ;

clean:
	rm -rf $(BUILD)

# ---- tarballs of what is committed: the same bytes each time ----

# the bundled dumps hold kernel binaries: a tarball of their own, with the names of their sources
DUMP_DIRS := tests/vmcores tests/vmcores/agent tests/vmcores/arm64
DUMP := $(foreach d,$(DUMP_DIRS),$d/*.xz $d/modules/*.xz)
ARCHIVE = git archive --prefix=otst-$(VERSION)/ HEAD
dist: | $(BUILD)
	$(ARCHIVE) . $(DUMP:%=':!%') | xz -T1 -9 >$(BUILD)/otst-$(VERSION).tar.xz
	$(ARCHIVE) tests/vmcores/README.md $(DUMP_DIRS:%=%/info) $(DUMP:%='%') | xz -T1 -0 >$(BUILD)/otst-dump-$(VERSION).tar.xz
	packaging/sbom $(VERSION) >$(BUILD)/otst-$(VERSION).spdx.json
	@for dir in static static-aarch64-linux-gnu; do [ ! -e $(BUILD)/$$dir/otst-static ] || \
		cp $(BUILD)/$$dir/otst-static $(BUILD)/otst-$(VERSION)-$$dir; done

$(BUILD):
	@mkdir -p $@

# ---- install ----

prefix	?= /usr/local
bindir	?= $(prefix)/bin
libdir	?= $(prefix)/lib
includedir ?= $(prefix)/include
pcdir	?= $(libdir)/pkgconfig
datadir	?= $(prefix)/share
mandir	?= $(datadir)/man
docdir	?= $(datadir)/doc/otst
bashdir	?= $(datadir)/bash-completion/completions
# where scripts go: its gdb/ and drgn/ use its python/
pydir	?= $(datadir)/otst
# where crash looks: its own directories are in /usr, wherever otst's prefix is in there
ifneq ($(CRASH_EXTENSIONS),)
crashdir ?= $(CRASH_EXTENSIONS)
else ifneq ($(filter /usr /usr/%,$(prefix)),)
crashdir ?= $(firstword $(wildcard /usr/lib64/crash/extensions) /usr/lib/crash/extensions)
else
crashdir ?= $(prefix)/lib/crash/extensions
endif

INSTALL	?= install
SCRIPTS	:= python/libotst.py gdb/otst.py drgn/otst.py
# mode, file, destination
INSTALLED := 755:$(BUILD)/otst:$(bindir)/otst \
	$(patsubst %,644:%:$(crashdir)/otst.so,$(filter %/otst.so,$(TARGETS))) \
	644:$(BUILD)/$(LIBRARY):$(libdir)/$(LIBRARY) 644:src/otst.h:$(includedir)/otst.h \
	644:src/otst.pc.in:$(pcdir)/otst.pc $(foreach f,$(SCRIPTS),644:$f:$(pydir)/$f) \
	$(foreach f,$(wildcard docs/*.[0-9]),644:$f:$(mandir)/man$(subst .,,$(suffix $f))/$(notdir $f)) \
	644:offline/otst.bash:$(bashdir)/otst 644:fleet/otst-fleet.bash:$(bashdir)/otst-fleet \
	755:fleet/otst-fleet:$(bindir)/otst-fleet $(foreach f,$(wildcard fleet/*.py),644:$f:$(pydir)/$f) \
	$(foreach f,README.md NEWS.md SECURITY.md COPYING kernel/README.md $(wildcard docs/*.md docs/*.json),644:$f:$(docdir)/$f)

# links in libdir, to the library
LINKED	:= $(SONAME) libotst.so

install: $(TARGETS)
	@for entry in $(INSTALLED); do \
		mode=$${entry%%:*}; entry=$${entry#*:}; \
		$(INSTALL) -D -m $$mode "$${entry%%:*}" "$(DESTDIR)$${entry#*:}" || exit 1; done
	@for link in $(LINKED); do ln -sf $(LIBRARY) "$(DESTDIR)$(libdir)/$$link" || exit 1; done
	@sed -i 's|^INSTALLED = .*|INSTALLED = "$(libdir)/$(SONAME)"|' "$(DESTDIR)$(pydir)/python/libotst.py"
	@sed -i 's|@prefix@|$(prefix)|; s|@libdir@|$(libdir)|; s|@includedir@|$(includedir)|; s|@VERSION@|$(VERSION)|' \
		"$(DESTDIR)$(pcdir)/otst.pc"
	@echo "otst $(VERSION) is in $(bindir),$(if $(filter %/otst.so,$(TARGETS)), crash's extension in $(crashdir),) gdb's and drgn's in $(pydir)"
	@$(LEFT_OUT)

uninstall:
	@for entry in $(INSTALLED) $(LINKED:%=$(libdir)/%); do rm -f "$(DESTDIR)$${entry##*:}" || exit 1; done
	@for file in $(SCRIPTS:.py=); do rm -f "$(DESTDIR)$(pydir)/$${file%/*}/__pycache__/$${file##*/}".*.pyc; done
	@for dir in $(docdir)/docs $(docdir)/kernel $(docdir) $(foreach d,$(dir $(SCRIPTS)),$(pydir)/$d__pycache__ $(pydir)/$d) $(pydir); do \
		[ ! -d "$(DESTDIR)$$dir" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$dir"; done

# ---- tests: each folder of tests/ adds to TESTS ----

# how many tests run at a time, of those that do not boot machines
JOBS := $(shell nproc)

-include tests/tests.mk $(wildcard tests/*/tests.mk)
include fuzz/fuzz.mk

check: $(TARGETS) test-programs
	@BUILD=$(BUILD) TEST_JOBS=$(JOBS) tests/run $(TESTS)

# the same programs built with the compiler's sanitizers; crash, gdb, drgn and the shell are not. tests/log/memory and
# tests/bounds/readers are left out here and below: the sanitizers need memory of their own, and time for each string.
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
check-asan:
	@OTST_TEST_SECONDS=10 TEST_TIMEOUT=1200 QUICK=1 STOPS=3 FAULTS=20 MEANINGS_STRIDE=128 FUZZ_RUNS=30000 FUZZ_CASES=5000 $(MAKE) -s BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" CRASH_INCLUDE=/nonexistent WITHOUT="tests/log/memory tests/bounds/readers" check-programs

check-programs: $(BUILD)/otst test-programs
	@BUILD=$(BUILD) TEST_JOBS=$(JOBS) tests/run $(filter-out tests/crash/% tests/gdb/% tests/drgn/% tests/checks/% tests/install/% $(WITHOUT),$(TESTS))

# data races: takes hours
check-tsan:
	@OTST_TEST_SECONDS=30 TEST_TIMEOUT=5000 QUICK=1 STOPS=8 FAULTS=20 TSAN_OPTIONS=allocator_may_return_null=1 $(MAKE) -s BUILD=$(BUILD)/tsan CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=thread" CRASH_INCLUDE=/nonexistent WITHOUT="tests/log/memory tests/bounds/readers" check-programs

check-valgrind: $(BUILD)/otst test-programs
	@BUILD=$(BUILD) TEST_TIMEOUT=1500 tests/run tests/valgrind

check-valgrind-quick:
	@QUICK=1 $(MAKE) -s check-valgrind

# damaged dumps, logs, stacks and buffers, millions of them, under the sanitizers;
# `make fuzz FUZZERS=tests/log/fuzz-long` for one kind, FUZZ_SEED for other inputs
fuzz:
	@$(MAKE) -s BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" CRASH_INCLUDE=/nonexistent test-programs
	@BUILD=$(BUILD)/asan TEST_JOBS=$(JOBS) TEST_TIMEOUT=2700 tests/run $(FUZZERS)

# the same, with a quarter of the runs or less
fuzz-quick:
	@FUZZ_RUNS=100000 FUZZ_CASES=5000 FUZZ_COPIES=250 READ_ROUNDS=5 $(MAKE) -s fuzz

# a million damaged memory images of each form: hours
fuzz-images:
	@$(MAKE) -s BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" CRASH_INCLUDE=/nonexistent test-programs
	@FUZZ_IMAGES=1000000 BUILD=$(BUILD)/asan TEST_TIMEOUT=80000 tests/run tests/fuzz/images

# what .ci/run runs after ./check, with the minutes that each may take. Not among these are the
# checks for a change in their own area: check-logs, check-stacks, check-ftrace and check-gdb boot
# many more guests, check-report starts Chromium, check-viewers KernelShark;
# and check-suites, which is for a release: it takes hours
SLOW_CHECKS := check-compilers:15 check-asan:40 check-valgrind-quick:15 fuzz-quick:20 check-vmcores:30 check-ftrace-quick:12

slow-checks:
	@echo $(SLOW_CHECKS)

-include $(ENGINE_OBJS:.o=.d) $(READER_OBJS:.o=.d) $(BUILD)/docs/schema.d

.PHONY: all clean dist install uninstall check check-asan check-programs check-tsan check-valgrind check-valgrind-quick fuzz fuzz-images fuzz-quick slow-checks
.DEFAULT_GOAL := all
