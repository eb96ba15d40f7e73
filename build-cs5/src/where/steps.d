build-cs5/src/where/steps.o: src/where/steps.c \
 src/where/../ftrace/ftrace.h src/where/../ftrace/../list/list.h \
 src/where/../ftrace/../list/../dump/dump.h \
 src/where/../ftrace/../list/../dump/../arch/arch.h \
 src/where/../ftrace/../list/../dump/../arch/../otst.h \
 src/where/../ftrace/../list/../dump/../arch/bytes.h \
 src/where/../ftrace/../list/../dump/../otst.h src/where/where.h \
 src/where/../dump/disassemble.h src/where/../dump/dump.h \
 src/where/../traces/traces.h src/where/../traces/../stacks/stack.h \
 src/where/../traces/../stacks/../probes/probes.h \
 src/where/../traces/../stacks/../probes/../bpf/bpf.h \
 src/where/../traces/../stacks/../probes/../bpf/../list/list.h \
 src/where/../traces/../stacks/../probes/../catchers/owner.h \
 src/where/../traces/../stacks/../probes/../catchers/../list/list.h \
 src/where/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/where/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/where/../traces/../stacks/../probes/../list/list.h \
 src/where/../traces/../stacks/../dump/task.h \
 src/where/../traces/../stacks/../dump/dump.h
