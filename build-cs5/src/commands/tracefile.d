build-cs5/src/commands/tracefile.o: src/commands/tracefile.c \
 src/commands/commands.h src/commands/../output/output.h \
 src/commands/../output/../ftrace/ftrace.h \
 src/commands/../output/../ftrace/../list/list.h \
 src/commands/../output/../ftrace/../list/../dump/dump.h \
 src/commands/../output/../ftrace/../list/../dump/../arch/arch.h \
 src/commands/../output/../ftrace/../list/../dump/../arch/../otst.h \
 src/commands/../output/../ftrace/../list/../dump/../arch/bytes.h \
 src/commands/../output/../ftrace/../list/../dump/../otst.h \
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
 src/commands/../traces/../stacks/../dump/dump.h \
 src/commands/../tracefs/tracefile.h \
 src/commands/../tracefs/../output/output.h \
 src/commands/../tracefs/../rings/rings.h \
 src/commands/../tracefs/../rings/../events/events.h \
 src/commands/../tracefs/../rings/../events/../dump/dump.h \
 src/commands/../tracefs/../rings/../ftrace/tracing.h \
 src/commands/../tracefs/../rings/../stacks/stack.h
