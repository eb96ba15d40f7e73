build-cs5/src/commands/list.o: src/commands/list.c \
 src/commands/../where/where.h src/commands/../where/../ftrace/ftrace.h \
 src/commands/../where/../ftrace/../list/list.h \
 src/commands/../where/../ftrace/../list/../dump/dump.h \
 src/commands/../where/../ftrace/../list/../dump/../arch/arch.h \
 src/commands/../where/../ftrace/../list/../dump/../arch/../otst.h \
 src/commands/../where/../ftrace/../list/../dump/../arch/bytes.h \
 src/commands/../where/../ftrace/../list/../dump/../otst.h \
 src/commands/../where/../dump/disassemble.h \
 src/commands/../where/../dump/dump.h \
 src/commands/../where/../traces/traces.h \
 src/commands/../where/../traces/../stacks/stack.h \
 src/commands/../where/../traces/../stacks/../probes/probes.h \
 src/commands/../where/../traces/../stacks/../probes/../bpf/bpf.h \
 src/commands/../where/../traces/../stacks/../probes/../bpf/../list/list.h \
 src/commands/../where/../traces/../stacks/../probes/../catchers/owner.h \
 src/commands/../where/../traces/../stacks/../probes/../catchers/../list/list.h \
 src/commands/../where/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/commands/../where/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/commands/../where/../traces/../stacks/../probes/../list/list.h \
 src/commands/../where/../traces/../stacks/../dump/task.h \
 src/commands/../where/../traces/../stacks/../dump/dump.h \
 src/commands/commands.h src/commands/../output/output.h \
 src/commands/../output/../ftrace/ftrace.h \
 src/commands/../output/../probes/probes.h \
 src/commands/../output/../ftrace/tracing.h \
 src/commands/../output/../dump/coverage.h \
 src/commands/../output/../dump/dump.h \
 src/commands/../output/../dump/text_buffer.h \
 src/commands/../traces/traces.h
