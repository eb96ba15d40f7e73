build-cs5/src/tracefs/stacks.o: src/tracefs/stacks.c src/tracefs/print.h \
 src/tracefs/../dump/text_buffer.h src/tracefs/../dump/dump.h \
 src/tracefs/../dump/../arch/arch.h src/tracefs/../dump/../arch/../otst.h \
 src/tracefs/../dump/../arch/bytes.h src/tracefs/../dump/../otst.h \
 src/tracefs/../output/rows.h src/tracefs/../output/output.h \
 src/tracefs/../output/../ftrace/ftrace.h \
 src/tracefs/../output/../ftrace/../list/list.h \
 src/tracefs/../output/../ftrace/../list/../dump/dump.h \
 src/tracefs/../output/../probes/probes.h \
 src/tracefs/../output/../probes/../bpf/bpf.h \
 src/tracefs/../output/../probes/../bpf/../list/list.h \
 src/tracefs/../output/../probes/../catchers/owner.h \
 src/tracefs/../output/../probes/../catchers/../list/list.h \
 src/tracefs/../output/../probes/../ftrace/tracing.h \
 src/tracefs/../output/../probes/../ftrace/../list/list.h \
 src/tracefs/../output/../probes/../list/list.h \
 src/tracefs/../output/../ftrace/tracing.h \
 src/tracefs/../output/../dump/coverage.h \
 src/tracefs/../output/../dump/dump.h \
 src/tracefs/../output/../dump/text_buffer.h src/tracefs/tracefile.h \
 src/tracefs/../output/output.h src/tracefs/../rings/rings.h \
 src/tracefs/../rings/../events/events.h \
 src/tracefs/../rings/../events/../dump/dump.h \
 src/tracefs/../rings/../ftrace/tracing.h \
 src/tracefs/../rings/../stacks/stack.h \
 src/tracefs/../rings/../stacks/../probes/probes.h \
 src/tracefs/../rings/../stacks/../dump/task.h \
 src/tracefs/../rings/../stacks/../dump/dump.h
