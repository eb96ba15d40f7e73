build-cs5/src/probes/kprobe.o: src/probes/kprobe.c \
 src/probes/../catchers/catcher.h src/probes/../catchers/../list/list.h \
 src/probes/../catchers/../list/../dump/dump.h \
 src/probes/../catchers/../list/../dump/../arch/arch.h \
 src/probes/../catchers/../list/../dump/../arch/../otst.h \
 src/probes/../catchers/../list/../dump/../arch/bytes.h \
 src/probes/../catchers/../list/../dump/../otst.h \
 src/probes/../catchers/registry.h src/probes/../catchers/../dump/dump.h \
 src/probes/../catchers/stap.h src/probes/../ftrace/ftrace.h \
 src/probes/../ftrace/../list/list.h src/probes/probes.h \
 src/probes/../bpf/bpf.h src/probes/../bpf/../list/list.h \
 src/probes/../catchers/owner.h src/probes/../ftrace/tracing.h \
 src/probes/../list/list.h
