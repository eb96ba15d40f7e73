build-cs5/src/probes/perf_event.o: src/probes/perf_event.c \
 src/probes/perf_event.h src/probes/../dump/task.h \
 src/probes/../dump/dump.h src/probes/../dump/../arch/arch.h \
 src/probes/../dump/../arch/../otst.h src/probes/../dump/../arch/bytes.h \
 src/probes/../dump/../otst.h src/probes/probes.h src/probes/../bpf/bpf.h \
 src/probes/../bpf/../list/list.h \
 src/probes/../bpf/../list/../dump/dump.h src/probes/../catchers/owner.h \
 src/probes/../catchers/../list/list.h src/probes/../ftrace/tracing.h \
 src/probes/../ftrace/../list/list.h src/probes/../list/list.h
