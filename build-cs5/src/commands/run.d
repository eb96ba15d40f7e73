build-cs5/src/commands/run.o: src/commands/run.c \
 src/commands/../dump/image.h src/commands/../dump/dump.h \
 src/commands/../dump/../arch/arch.h \
 src/commands/../dump/../arch/../otst.h \
 src/commands/../dump/../arch/bytes.h src/commands/../dump/../otst.h \
 src/commands/commands.h src/commands/../output/output.h \
 src/commands/../output/../ftrace/ftrace.h \
 src/commands/../output/../ftrace/../list/list.h \
 src/commands/../output/../ftrace/../list/../dump/dump.h \
 src/commands/../output/../probes/probes.h \
 src/commands/../output/../probes/../bpf/bpf.h \
 src/commands/../output/../probes/../bpf/../list/list.h \
 src/commands/../output/../probes/../catchers/owner.h \
 src/commands/../output/../probes/../catchers/../list/list.h \
 src/commands/../output/../probes/../ftrace/tracing.h \
 src/commands/../output/../probes/../ftrace/../list/list.h \
 src/commands/../output/../probes/../list/list.h \
 src/commands/../output/../ftrace/tracing.h \
 src/commands/../output/../dump/coverage.h \
 src/commands/../output/../dump/dump.h \
 src/commands/../output/../dump/text_buffer.h \
 src/commands/../traces/traces.h src/commands/../traces/../stacks/stack.h \
 src/commands/../traces/../stacks/../probes/probes.h \
 src/commands/../traces/../stacks/../dump/task.h \
 src/commands/../traces/../stacks/../dump/dump.h
