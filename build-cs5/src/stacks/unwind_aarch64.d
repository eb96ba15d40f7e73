build-cs5/src/stacks/unwind_aarch64.o: src/stacks/unwind_aarch64.c \
 src/stacks/../dump/image.h src/stacks/../dump/dump.h \
 src/stacks/../dump/../arch/arch.h src/stacks/../dump/../arch/../otst.h \
 src/stacks/../dump/../arch/bytes.h src/stacks/../dump/../otst.h \
 src/stacks/unwinder.h src/stacks/stack.h src/stacks/../probes/probes.h \
 src/stacks/../probes/../bpf/bpf.h \
 src/stacks/../probes/../bpf/../list/list.h \
 src/stacks/../probes/../bpf/../list/../dump/dump.h \
 src/stacks/../probes/../catchers/owner.h \
 src/stacks/../probes/../catchers/../list/list.h \
 src/stacks/../probes/../ftrace/tracing.h \
 src/stacks/../probes/../ftrace/../list/list.h \
 src/stacks/../probes/../list/list.h src/stacks/../dump/task.h
