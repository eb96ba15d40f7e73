build-cs5/src/commands/audit.o: src/commands/audit.c \
 src/commands/../output/audit.h src/commands/../output/../audit/audit.h \
 src/commands/../output/../audit/../probes/probes.h \
 src/commands/../output/../audit/../probes/../bpf/bpf.h \
 src/commands/../output/../audit/../probes/../bpf/../list/list.h \
 src/commands/../output/../audit/../probes/../bpf/../list/../dump/dump.h \
 src/commands/../output/../audit/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/commands/../output/../audit/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/commands/../output/../audit/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/commands/../output/../audit/../probes/../bpf/../list/../dump/../otst.h \
 src/commands/../output/../audit/../probes/../catchers/owner.h \
 src/commands/../output/../audit/../probes/../catchers/../list/list.h \
 src/commands/../output/../audit/../probes/../ftrace/tracing.h \
 src/commands/../output/../audit/../probes/../ftrace/../list/list.h \
 src/commands/../output/../audit/../probes/../list/list.h \
 src/commands/../output/../audit/../dump/coverage.h \
 src/commands/../output/../audit/../dump/dump.h \
 src/commands/../output/rows.h src/commands/../output/output.h \
 src/commands/../output/../ftrace/ftrace.h \
 src/commands/../output/../ftrace/../list/list.h \
 src/commands/../output/../probes/probes.h \
 src/commands/../output/../ftrace/tracing.h \
 src/commands/../output/../dump/coverage.h \
 src/commands/../output/../dump/text_buffer.h \
 src/commands/../output/../dump/dump.h src/commands/commands.h \
 src/commands/../output/output.h src/commands/../traces/traces.h \
 src/commands/../traces/../stacks/stack.h \
 src/commands/../traces/../stacks/../probes/probes.h \
 src/commands/../traces/../stacks/../dump/task.h \
 src/commands/../traces/../stacks/../dump/dump.h
