build-cs5/src/audit/records.o: src/audit/records.c \
 src/audit/../ftrace/ftrace.h src/audit/../ftrace/../list/list.h \
 src/audit/../ftrace/../list/../dump/dump.h \
 src/audit/../ftrace/../list/../dump/../arch/arch.h \
 src/audit/../ftrace/../list/../dump/../arch/../otst.h \
 src/audit/../ftrace/../list/../dump/../arch/bytes.h \
 src/audit/../ftrace/../list/../dump/../otst.h src/audit/expect.h \
 src/audit/../dump/image.h src/audit/../dump/dump.h src/audit/audit.h \
 src/audit/../probes/probes.h src/audit/../probes/../bpf/bpf.h \
 src/audit/../probes/../bpf/../list/list.h \
 src/audit/../probes/../catchers/owner.h \
 src/audit/../probes/../catchers/../list/list.h \
 src/audit/../probes/../ftrace/tracing.h \
 src/audit/../probes/../ftrace/../list/list.h \
 src/audit/../probes/../list/list.h src/audit/../dump/coverage.h
