build-cs5/src/tracefs/file_dynamic.o: src/tracefs/file_dynamic.c \
 src/tracefs/../dump/disassemble.h src/tracefs/../dump/dump.h \
 src/tracefs/../dump/../arch/arch.h src/tracefs/../dump/../arch/../otst.h \
 src/tracefs/../dump/../arch/bytes.h src/tracefs/../dump/../otst.h \
 src/tracefs/../events/events.h src/tracefs/../events/../dump/dump.h \
 src/tracefs/../probes/probes.h src/tracefs/../probes/../bpf/bpf.h \
 src/tracefs/../probes/../bpf/../list/list.h \
 src/tracefs/../probes/../bpf/../list/../dump/dump.h \
 src/tracefs/../probes/../catchers/owner.h \
 src/tracefs/../probes/../catchers/../list/list.h \
 src/tracefs/../probes/../ftrace/tracing.h \
 src/tracefs/../probes/../ftrace/../list/list.h \
 src/tracefs/../probes/../list/list.h src/tracefs/tracefs.h \
 src/tracefs/../dump/text_buffer.h src/tracefs/../ftrace/event_file.h \
 src/tracefs/../ftrace/tracing.h src/tracefs/../output/output.h \
 src/tracefs/../output/../ftrace/ftrace.h \
 src/tracefs/../output/../ftrace/../list/list.h \
 src/tracefs/../output/../probes/probes.h \
 src/tracefs/../output/../ftrace/tracing.h \
 src/tracefs/../output/../dump/coverage.h \
 src/tracefs/../output/../dump/dump.h \
 src/tracefs/../output/../dump/text_buffer.h
