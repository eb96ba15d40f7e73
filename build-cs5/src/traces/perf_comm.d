build-cs5/src/traces/perf_comm.o: src/traces/perf_comm.c \
 src/traces/../dump/task.h src/traces/../dump/dump.h \
 src/traces/../dump/../arch/arch.h src/traces/../dump/../arch/../otst.h \
 src/traces/../dump/../arch/bytes.h src/traces/../dump/../otst.h \
 src/traces/perf.h src/traces/../rings/perf_buffer.h \
 src/traces/../rings/../dump/dump.h src/traces/traces.h \
 src/traces/../stacks/stack.h src/traces/../stacks/../probes/probes.h \
 src/traces/../stacks/../probes/../bpf/bpf.h \
 src/traces/../stacks/../probes/../bpf/../list/list.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/dump.h \
 src/traces/../stacks/../probes/../catchers/owner.h \
 src/traces/../stacks/../probes/../catchers/../list/list.h \
 src/traces/../stacks/../probes/../ftrace/tracing.h \
 src/traces/../stacks/../probes/../ftrace/../list/list.h \
 src/traces/../stacks/../probes/../list/list.h \
 src/traces/../stacks/../dump/task.h
