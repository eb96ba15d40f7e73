build-cs5/src/output/trace_rows.o: src/output/trace_rows.c \
 src/output/../dump/image.h src/output/../dump/dump.h \
 src/output/../dump/../arch/arch.h src/output/../dump/../arch/../otst.h \
 src/output/../dump/../arch/bytes.h src/output/../dump/../otst.h \
 src/output/rows.h src/output/output.h src/output/../ftrace/ftrace.h \
 src/output/../ftrace/../list/list.h \
 src/output/../ftrace/../list/../dump/dump.h \
 src/output/../probes/probes.h src/output/../probes/../bpf/bpf.h \
 src/output/../probes/../bpf/../list/list.h \
 src/output/../probes/../catchers/owner.h \
 src/output/../probes/../catchers/../list/list.h \
 src/output/../probes/../ftrace/tracing.h \
 src/output/../probes/../ftrace/../list/list.h \
 src/output/../probes/../list/list.h src/output/../ftrace/tracing.h \
 src/output/../dump/coverage.h src/output/../dump/text_buffer.h \
 src/output/trace.h src/output/stack.h src/output/../stacks/stack.h \
 src/output/../stacks/../probes/probes.h \
 src/output/../stacks/../dump/task.h src/output/../stacks/../dump/dump.h \
 src/output/../traces/traces.h src/output/../traces/../stacks/stack.h \
 src/output/trigger.h src/output/../traces/hist.h \
 src/output/../traces/traces.h \
 src/output/../traces/../ftrace/event_file.h \
 src/output/../traces/../ftrace/tracing.h
