build-cs5/src/output/ftrace.o: src/output/ftrace.c \
 src/output/../ftrace/ftrace.h src/output/../ftrace/../list/list.h \
 src/output/../ftrace/../list/../dump/dump.h \
 src/output/../ftrace/../list/../dump/../arch/arch.h \
 src/output/../ftrace/../list/../dump/../arch/../otst.h \
 src/output/../ftrace/../list/../dump/../arch/bytes.h \
 src/output/../ftrace/../list/../dump/../otst.h src/output/table.h \
 src/output/rows.h src/output/output.h src/output/../probes/probes.h \
 src/output/../probes/../bpf/bpf.h \
 src/output/../probes/../bpf/../list/list.h \
 src/output/../probes/../catchers/owner.h \
 src/output/../probes/../catchers/../list/list.h \
 src/output/../probes/../ftrace/tracing.h \
 src/output/../probes/../ftrace/../list/list.h \
 src/output/../probes/../list/list.h src/output/../ftrace/tracing.h \
 src/output/../dump/coverage.h src/output/../dump/dump.h \
 src/output/../dump/text_buffer.h
