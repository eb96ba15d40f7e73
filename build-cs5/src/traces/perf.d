build-cs5/src/traces/perf.o: src/traces/perf.c \
 src/traces/../probes/perf_event.h src/traces/../probes/../dump/task.h \
 src/traces/../probes/../dump/dump.h \
 src/traces/../probes/../dump/../arch/arch.h \
 src/traces/../probes/../dump/../arch/../otst.h \
 src/traces/../probes/../dump/../arch/bytes.h \
 src/traces/../probes/../dump/../otst.h src/traces/../probes/probes.h \
 src/traces/../probes/../bpf/bpf.h \
 src/traces/../probes/../bpf/../list/list.h \
 src/traces/../probes/../bpf/../list/../dump/dump.h \
 src/traces/../probes/../catchers/owner.h \
 src/traces/../probes/../catchers/../list/list.h \
 src/traces/../probes/../ftrace/tracing.h \
 src/traces/../probes/../ftrace/../list/list.h \
 src/traces/../probes/../list/list.h src/traces/../rings/perf_sample.h \
 src/traces/../rings/../probes/perf_event.h \
 src/traces/../rings/perf_buffer.h src/traces/../rings/../dump/dump.h \
 src/traces/perf.h src/traces/../rings/perf_buffer.h src/traces/traces.h \
 src/traces/../stacks/stack.h src/traces/../stacks/../probes/probes.h \
 src/traces/../stacks/../dump/task.h
