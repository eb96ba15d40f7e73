build-cs5/src/tracefs/file_events.o: src/tracefs/file_events.c \
 src/tracefs/../output/trigger.h src/tracefs/../output/../traces/hist.h \
 src/tracefs/../output/../traces/traces.h \
 src/tracefs/../output/../traces/../stacks/stack.h \
 src/tracefs/../output/../traces/../stacks/../probes/probes.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/bpf.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/list.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/../dump/dump.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/tracefs/../output/../traces/../stacks/../probes/../bpf/../list/../dump/../otst.h \
 src/tracefs/../output/../traces/../stacks/../probes/../catchers/owner.h \
 src/tracefs/../output/../traces/../stacks/../probes/../catchers/../list/list.h \
 src/tracefs/../output/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/tracefs/../output/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/tracefs/../output/../traces/../stacks/../probes/../list/list.h \
 src/tracefs/../output/../traces/../stacks/../dump/task.h \
 src/tracefs/../output/../traces/../stacks/../dump/dump.h \
 src/tracefs/../output/../traces/../ftrace/event_file.h \
 src/tracefs/../output/../traces/../ftrace/tracing.h \
 src/tracefs/tracefs.h src/tracefs/../dump/text_buffer.h \
 src/tracefs/../dump/dump.h src/tracefs/../ftrace/event_file.h \
 src/tracefs/../output/output.h src/tracefs/../output/../ftrace/ftrace.h \
 src/tracefs/../output/../ftrace/../list/list.h \
 src/tracefs/../output/../probes/probes.h \
 src/tracefs/../output/../ftrace/tracing.h \
 src/tracefs/../output/../dump/coverage.h \
 src/tracefs/../output/../dump/dump.h \
 src/tracefs/../output/../dump/text_buffer.h
