build-cs5/src/tracefs/file_functions.o: src/tracefs/file_functions.c \
 src/tracefs/../ftrace/ftrace.h src/tracefs/../ftrace/../list/list.h \
 src/tracefs/../ftrace/../list/../dump/dump.h \
 src/tracefs/../ftrace/../list/../dump/../arch/arch.h \
 src/tracefs/../ftrace/../list/../dump/../arch/../otst.h \
 src/tracefs/../ftrace/../list/../dump/../arch/bytes.h \
 src/tracefs/../ftrace/../list/../dump/../otst.h src/tracefs/tracefs.h \
 src/tracefs/../dump/text_buffer.h src/tracefs/../dump/dump.h \
 src/tracefs/../ftrace/event_file.h src/tracefs/../ftrace/tracing.h \
 src/tracefs/../output/output.h src/tracefs/../output/../ftrace/ftrace.h \
 src/tracefs/../output/../probes/probes.h \
 src/tracefs/../output/../probes/../bpf/bpf.h \
 src/tracefs/../output/../probes/../bpf/../list/list.h \
 src/tracefs/../output/../probes/../catchers/owner.h \
 src/tracefs/../output/../probes/../catchers/../list/list.h \
 src/tracefs/../output/../probes/../ftrace/tracing.h \
 src/tracefs/../output/../probes/../list/list.h \
 src/tracefs/../output/../ftrace/tracing.h \
 src/tracefs/../output/../dump/coverage.h \
 src/tracefs/../output/../dump/dump.h \
 src/tracefs/../output/../dump/text_buffer.h
