build-cs5/src/traces/perf_deferred.o: src/traces/perf_deferred.c \
 src/traces/../rings/perf_sample.h \
 src/traces/../rings/../probes/perf_event.h \
 src/traces/../rings/../probes/../dump/task.h \
 src/traces/../rings/../probes/../dump/dump.h \
 src/traces/../rings/../probes/../dump/../arch/arch.h \
 src/traces/../rings/../probes/../dump/../arch/../otst.h \
 src/traces/../rings/../probes/../dump/../arch/bytes.h \
 src/traces/../rings/../probes/../dump/../otst.h \
 src/traces/../rings/../probes/probes.h \
 src/traces/../rings/../probes/../bpf/bpf.h \
 src/traces/../rings/../probes/../bpf/../list/list.h \
 src/traces/../rings/../probes/../bpf/../list/../dump/dump.h \
 src/traces/../rings/../probes/../catchers/owner.h \
 src/traces/../rings/../probes/../catchers/../list/list.h \
 src/traces/../rings/../probes/../ftrace/tracing.h \
 src/traces/../rings/../probes/../ftrace/../list/list.h \
 src/traces/../rings/../probes/../list/list.h \
 src/traces/../rings/perf_buffer.h src/traces/../rings/../dump/dump.h \
 src/traces/perf.h src/traces/../rings/perf_buffer.h src/traces/traces.h \
 src/traces/../stacks/stack.h src/traces/../stacks/../probes/probes.h \
 src/traces/../stacks/../dump/task.h
