build-cs5/src/rings/consumed.o: src/rings/consumed.c src/rings/subbuf.h \
 src/rings/rings.h src/rings/../events/events.h \
 src/rings/../events/../dump/dump.h \
 src/rings/../events/../dump/../arch/arch.h \
 src/rings/../events/../dump/../arch/../otst.h \
 src/rings/../events/../dump/../arch/bytes.h \
 src/rings/../events/../dump/../otst.h src/rings/../ftrace/tracing.h \
 src/rings/../ftrace/../list/list.h \
 src/rings/../ftrace/../list/../dump/dump.h src/rings/../stacks/stack.h \
 src/rings/../stacks/../probes/probes.h \
 src/rings/../stacks/../probes/../bpf/bpf.h \
 src/rings/../stacks/../probes/../bpf/../list/list.h \
 src/rings/../stacks/../probes/../catchers/owner.h \
 src/rings/../stacks/../probes/../catchers/../list/list.h \
 src/rings/../stacks/../probes/../ftrace/tracing.h \
 src/rings/../stacks/../probes/../list/list.h \
 src/rings/../stacks/../dump/task.h src/rings/../stacks/../dump/dump.h
