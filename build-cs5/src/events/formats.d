build-cs5/src/events/formats.o: src/events/formats.c \
 src/events/../probes/probes.h src/events/../probes/../bpf/bpf.h \
 src/events/../probes/../bpf/../list/list.h \
 src/events/../probes/../bpf/../list/../dump/dump.h \
 src/events/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/events/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/events/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/events/../probes/../bpf/../list/../dump/../otst.h \
 src/events/../probes/../catchers/owner.h \
 src/events/../probes/../catchers/../list/list.h \
 src/events/../probes/../ftrace/tracing.h \
 src/events/../probes/../ftrace/../list/list.h \
 src/events/../probes/../list/list.h src/events/plan.h \
 src/events/../dump/text_buffer.h src/events/../dump/dump.h \
 src/events/events.h src/events/../dump/dump.h
