build-cs5/src/traces/sources.o: src/traces/sources.c \
 src/traces/../ftrace/ftrace.h src/traces/../ftrace/../list/list.h \
 src/traces/../ftrace/../list/../dump/dump.h \
 src/traces/../ftrace/../list/../dump/../arch/arch.h \
 src/traces/../ftrace/../list/../dump/../arch/../otst.h \
 src/traces/../ftrace/../list/../dump/../arch/bytes.h \
 src/traces/../ftrace/../list/../dump/../otst.h \
 src/traces/../rings/rings.h src/traces/../rings/../events/events.h \
 src/traces/../rings/../events/../dump/dump.h \
 src/traces/../rings/../ftrace/tracing.h \
 src/traces/../rings/../ftrace/../list/list.h \
 src/traces/../rings/../stacks/stack.h \
 src/traces/../rings/../stacks/../probes/probes.h \
 src/traces/../rings/../stacks/../probes/../bpf/bpf.h \
 src/traces/../rings/../stacks/../probes/../bpf/../list/list.h \
 src/traces/../rings/../stacks/../probes/../catchers/owner.h \
 src/traces/../rings/../stacks/../probes/../catchers/../list/list.h \
 src/traces/../rings/../stacks/../probes/../ftrace/tracing.h \
 src/traces/../rings/../stacks/../probes/../list/list.h \
 src/traces/../rings/../stacks/../dump/task.h \
 src/traces/../rings/../stacks/../dump/dump.h \
 src/traces/../dump/coverage.h src/traces/../dump/dump.h \
 src/traces/traces.h src/traces/../stacks/stack.h
