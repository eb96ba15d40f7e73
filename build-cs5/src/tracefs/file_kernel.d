build-cs5/src/tracefs/file_kernel.o: src/tracefs/file_kernel.c \
 src/tracefs/../ftrace/ftrace.h src/tracefs/../ftrace/../list/list.h \
 src/tracefs/../ftrace/../list/../dump/dump.h \
 src/tracefs/../ftrace/../list/../dump/../arch/arch.h \
 src/tracefs/../ftrace/../list/../dump/../arch/../otst.h \
 src/tracefs/../ftrace/../list/../dump/../arch/bytes.h \
 src/tracefs/../ftrace/../list/../dump/../otst.h \
 src/tracefs/../probes/probes.h src/tracefs/../probes/../bpf/bpf.h \
 src/tracefs/../probes/../bpf/../list/list.h \
 src/tracefs/../probes/../catchers/owner.h \
 src/tracefs/../probes/../catchers/../list/list.h \
 src/tracefs/../probes/../ftrace/tracing.h \
 src/tracefs/../probes/../ftrace/../list/list.h \
 src/tracefs/../probes/../list/list.h src/tracefs/../rings/rings.h \
 src/tracefs/../rings/../events/events.h \
 src/tracefs/../rings/../events/../dump/dump.h \
 src/tracefs/../rings/../ftrace/tracing.h \
 src/tracefs/../rings/../stacks/stack.h \
 src/tracefs/../rings/../stacks/../probes/probes.h \
 src/tracefs/../rings/../stacks/../dump/task.h \
 src/tracefs/../rings/../stacks/../dump/dump.h src/tracefs/tracefs.h \
 src/tracefs/../dump/text_buffer.h src/tracefs/../dump/dump.h \
 src/tracefs/../ftrace/event_file.h src/tracefs/../ftrace/tracing.h \
 src/tracefs/../output/output.h src/tracefs/../output/../ftrace/ftrace.h \
 src/tracefs/../output/../probes/probes.h \
 src/tracefs/../output/../ftrace/tracing.h \
 src/tracefs/../output/../dump/coverage.h \
 src/tracefs/../output/../dump/dump.h \
 src/tracefs/../output/../dump/text_buffer.h
