build-cs5/src/probes/tracepoint.o: src/probes/tracepoint.c \
 src/probes/../catchers/stap.h src/probes/../catchers/../list/list.h \
 src/probes/../catchers/../list/../dump/dump.h \
 src/probes/../catchers/../list/../dump/../arch/arch.h \
 src/probes/../catchers/../list/../dump/../arch/../otst.h \
 src/probes/../catchers/../list/../dump/../arch/bytes.h \
 src/probes/../catchers/../list/../dump/../otst.h src/probes/perf_event.h \
 src/probes/../dump/task.h src/probes/../dump/dump.h src/probes/probes.h \
 src/probes/../bpf/bpf.h src/probes/../bpf/../list/list.h \
 src/probes/../catchers/owner.h src/probes/../ftrace/tracing.h \
 src/probes/../ftrace/../list/list.h src/probes/../list/list.h
