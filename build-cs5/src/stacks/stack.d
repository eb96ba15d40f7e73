build-cs5/src/stacks/stack.o: src/stacks/stack.c src/stacks/stack.h \
 src/stacks/../probes/probes.h src/stacks/../probes/../bpf/bpf.h \
 src/stacks/../probes/../bpf/../list/list.h \
 src/stacks/../probes/../bpf/../list/../dump/dump.h \
 src/stacks/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/stacks/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/stacks/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/stacks/../probes/../bpf/../list/../dump/../otst.h \
 src/stacks/../probes/../catchers/owner.h \
 src/stacks/../probes/../catchers/../list/list.h \
 src/stacks/../probes/../ftrace/tracing.h \
 src/stacks/../probes/../ftrace/../list/list.h \
 src/stacks/../probes/../list/list.h src/stacks/../dump/task.h \
 src/stacks/../dump/dump.h
