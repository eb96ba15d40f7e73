build-cs5/src/output/audit.o: src/output/audit.c \
 src/output/../dump/disassemble.h src/output/../dump/dump.h \
 src/output/../dump/../arch/arch.h src/output/../dump/../arch/../otst.h \
 src/output/../dump/../arch/bytes.h src/output/../dump/../otst.h \
 src/output/../dump/image.h src/output/audit.h \
 src/output/../audit/audit.h src/output/../audit/../probes/probes.h \
 src/output/../audit/../probes/../bpf/bpf.h \
 src/output/../audit/../probes/../bpf/../list/list.h \
 src/output/../audit/../probes/../bpf/../list/../dump/dump.h \
 src/output/../audit/../probes/../catchers/owner.h \
 src/output/../audit/../probes/../catchers/../list/list.h \
 src/output/../audit/../probes/../ftrace/tracing.h \
 src/output/../audit/../probes/../ftrace/../list/list.h \
 src/output/../audit/../probes/../list/list.h \
 src/output/../audit/../dump/coverage.h \
 src/output/../audit/../dump/dump.h src/output/rows.h src/output/output.h \
 src/output/../ftrace/ftrace.h src/output/../ftrace/../list/list.h \
 src/output/../probes/probes.h src/output/../ftrace/tracing.h \
 src/output/../dump/coverage.h src/output/../dump/text_buffer.h
