build-cs5/src/commands/info.o: src/commands/info.c \
 src/commands/../ftrace/ftrace.h src/commands/../ftrace/../list/list.h \
 src/commands/../ftrace/../list/../dump/dump.h \
 src/commands/../ftrace/../list/../dump/../arch/arch.h \
 src/commands/../ftrace/../list/../dump/../arch/../otst.h \
 src/commands/../ftrace/../list/../dump/../arch/bytes.h \
 src/commands/../ftrace/../list/../dump/../otst.h \
 src/commands/../ftrace/tracing.h src/commands/../dump/image.h \
 src/commands/../dump/dump.h src/commands/../output/verdict.h \
 src/commands/../output/../verdict/verdict.h \
 src/commands/../output/../verdict/../audit/audit.h \
 src/commands/../output/../verdict/../audit/../probes/probes.h \
 src/commands/../output/../verdict/../audit/../probes/../bpf/bpf.h \
 src/commands/../output/../verdict/../audit/../probes/../bpf/../list/list.h \
 src/commands/../output/../verdict/../audit/../probes/../catchers/owner.h \
 src/commands/../output/../verdict/../audit/../probes/../catchers/../list/list.h \
 src/commands/../output/../verdict/../audit/../probes/../ftrace/tracing.h \
 src/commands/../output/../verdict/../audit/../probes/../list/list.h \
 src/commands/../output/../verdict/../audit/../dump/coverage.h \
 src/commands/../output/../verdict/../audit/../dump/dump.h \
 src/commands/../output/../verdict/../where/where.h \
 src/commands/../output/../verdict/../where/../ftrace/ftrace.h \
 src/commands/../output/../verdict/../where/../dump/disassemble.h \
 src/commands/../output/../verdict/../where/../dump/dump.h \
 src/commands/../output/../verdict/../where/../traces/traces.h \
 src/commands/../output/../verdict/../where/../traces/../stacks/stack.h \
 src/commands/../output/../verdict/../where/../traces/../stacks/../probes/probes.h \
 src/commands/../output/../verdict/../where/../traces/../stacks/../dump/task.h \
 src/commands/../output/../verdict/../where/../traces/../stacks/../dump/dump.h \
 src/commands/../output/output.h \
 src/commands/../output/../ftrace/ftrace.h \
 src/commands/../output/../probes/probes.h \
 src/commands/../output/../ftrace/tracing.h \
 src/commands/../output/../dump/coverage.h \
 src/commands/../output/../dump/text_buffer.h \
 src/commands/../output/../dump/dump.h src/commands/commands.h \
 src/commands/../output/output.h src/commands/../traces/traces.h
