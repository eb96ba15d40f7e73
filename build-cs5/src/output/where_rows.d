build-cs5/src/output/where_rows.o: src/output/where_rows.c \
 src/output/where.h src/output/rows.h src/output/output.h \
 src/output/../ftrace/ftrace.h src/output/../ftrace/../list/list.h \
 src/output/../ftrace/../list/../dump/dump.h \
 src/output/../ftrace/../list/../dump/../arch/arch.h \
 src/output/../ftrace/../list/../dump/../arch/../otst.h \
 src/output/../ftrace/../list/../dump/../arch/bytes.h \
 src/output/../ftrace/../list/../dump/../otst.h \
 src/output/../probes/probes.h src/output/../probes/../bpf/bpf.h \
 src/output/../probes/../bpf/../list/list.h \
 src/output/../probes/../catchers/owner.h \
 src/output/../probes/../catchers/../list/list.h \
 src/output/../probes/../ftrace/tracing.h \
 src/output/../probes/../ftrace/../list/list.h \
 src/output/../probes/../list/list.h src/output/../ftrace/tracing.h \
 src/output/../dump/coverage.h src/output/../dump/dump.h \
 src/output/../dump/text_buffer.h src/output/trace.h \
 src/output/../dump/image.h src/output/stack.h \
 src/output/../stacks/stack.h src/output/../stacks/../probes/probes.h \
 src/output/../stacks/../dump/task.h src/output/../stacks/../dump/dump.h \
 src/output/../traces/traces.h src/output/../traces/../stacks/stack.h \
 src/output/../where/where.h src/output/../where/../ftrace/ftrace.h \
 src/output/../where/../dump/disassemble.h \
 src/output/../where/../dump/dump.h \
 src/output/../where/../traces/traces.h
