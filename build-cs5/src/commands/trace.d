build-cs5/src/commands/trace.o: src/commands/trace.c \
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
 src/commands/../output/stacksnoop.h src/commands/../output/output.h \
 src/commands/../output/../traces/traces.h \
 src/commands/../output/stacktracer.h \
 src/commands/../output/../traces/stacktracer.h \
 src/commands/../output/../traces/traces.h \
 src/commands/../tracefs/tracefs.h \
 src/commands/../tracefs/../dump/text_buffer.h \
 src/commands/../tracefs/../ftrace/event_file.h \
 src/commands/../tracefs/../ftrace/tracing.h \
 src/commands/../tracefs/../output/output.h \
 src/commands/../output/trace.h src/commands/../output/../dump/image.h \
 src/commands/../output/rows.h src/commands/../output/stack.h \
 src/commands/../output/../stacks/stack.h src/commands/../traces/hist.h \
 src/commands/../traces/traces.h \
 src/commands/../traces/../ftrace/event_file.h
