build-cs5/src/audit/audit.o: src/audit/audit.c src/audit/../dump/image.h \
 src/audit/../dump/dump.h src/audit/../dump/../arch/arch.h \
 src/audit/../dump/../arch/../otst.h src/audit/../dump/../arch/bytes.h \
 src/audit/../dump/../otst.h src/audit/expect.h \
 src/audit/../ftrace/ftrace.h src/audit/../ftrace/../list/list.h \
 src/audit/../ftrace/../list/../dump/dump.h src/audit/audit.h \
 src/audit/../probes/probes.h src/audit/../probes/../bpf/bpf.h \
 src/audit/../probes/../bpf/../list/list.h \
 src/audit/../probes/../catchers/owner.h \
 src/audit/../probes/../catchers/../list/list.h \
 src/audit/../probes/../ftrace/tracing.h \
 src/audit/../probes/../ftrace/../list/list.h \
 src/audit/../probes/../list/list.h src/audit/../dump/coverage.h
