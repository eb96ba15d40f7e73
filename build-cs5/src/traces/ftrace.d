build-cs5/src/traces/ftrace.o: src/traces/ftrace.c \
 src/traces/../ftrace/tracing.h src/traces/../ftrace/../list/list.h \
 src/traces/../ftrace/../list/../dump/dump.h \
 src/traces/../ftrace/../list/../dump/../arch/arch.h \
 src/traces/../ftrace/../list/../dump/../arch/../otst.h \
 src/traces/../ftrace/../list/../dump/../arch/bytes.h \
 src/traces/../ftrace/../list/../dump/../otst.h src/traces/traces.h \
 src/traces/../stacks/stack.h src/traces/../stacks/../probes/probes.h \
 src/traces/../stacks/../probes/../bpf/bpf.h \
 src/traces/../stacks/../probes/../bpf/../list/list.h \
 src/traces/../stacks/../probes/../catchers/owner.h \
 src/traces/../stacks/../probes/../catchers/../list/list.h \
 src/traces/../stacks/../probes/../ftrace/tracing.h \
 src/traces/../stacks/../probes/../list/list.h \
 src/traces/../stacks/../dump/task.h src/traces/../stacks/../dump/dump.h \
 src/traces/../probes/probes.h src/traces/../rings/rings.h \
 src/traces/../rings/../events/events.h \
 src/traces/../rings/../events/../dump/dump.h \
 src/traces/../rings/../ftrace/tracing.h \
 src/traces/../rings/../stacks/stack.h
