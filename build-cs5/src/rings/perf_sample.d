build-cs5/src/rings/perf_sample.o: src/rings/perf_sample.c \
 src/rings/perf_sample.h src/rings/../probes/perf_event.h \
 src/rings/../probes/../dump/task.h src/rings/../probes/../dump/dump.h \
 src/rings/../probes/../dump/../arch/arch.h \
 src/rings/../probes/../dump/../arch/../otst.h \
 src/rings/../probes/../dump/../arch/bytes.h \
 src/rings/../probes/../dump/../otst.h src/rings/../probes/probes.h \
 src/rings/../probes/../bpf/bpf.h \
 src/rings/../probes/../bpf/../list/list.h \
 src/rings/../probes/../bpf/../list/../dump/dump.h \
 src/rings/../probes/../catchers/owner.h \
 src/rings/../probes/../catchers/../list/list.h \
 src/rings/../probes/../ftrace/tracing.h \
 src/rings/../probes/../ftrace/../list/list.h \
 src/rings/../probes/../list/list.h src/rings/perf_buffer.h \
 src/rings/../dump/dump.h
