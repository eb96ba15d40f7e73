build-cs5/src/probes/livepatch.o: src/probes/livepatch.c \
 src/probes/../ftrace/ftrace.h src/probes/../ftrace/../list/list.h \
 src/probes/../ftrace/../list/../dump/dump.h \
 src/probes/../ftrace/../list/../dump/../arch/arch.h \
 src/probes/../ftrace/../list/../dump/../arch/../otst.h \
 src/probes/../ftrace/../list/../dump/../arch/bytes.h \
 src/probes/../ftrace/../list/../dump/../otst.h src/probes/probes.h \
 src/probes/../bpf/bpf.h src/probes/../bpf/../list/list.h \
 src/probes/../catchers/owner.h src/probes/../catchers/../list/list.h \
 src/probes/../ftrace/tracing.h src/probes/../list/list.h
