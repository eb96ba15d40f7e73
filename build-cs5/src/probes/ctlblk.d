build-cs5/src/probes/ctlblk.o: src/probes/ctlblk.c src/probes/probes.h \
 src/probes/../bpf/bpf.h src/probes/../bpf/../list/list.h \
 src/probes/../bpf/../list/../dump/dump.h \
 src/probes/../bpf/../list/../dump/../arch/arch.h \
 src/probes/../bpf/../list/../dump/../arch/../otst.h \
 src/probes/../bpf/../list/../dump/../arch/bytes.h \
 src/probes/../bpf/../list/../dump/../otst.h \
 src/probes/../catchers/owner.h src/probes/../catchers/../list/list.h \
 src/probes/../ftrace/tracing.h src/probes/../ftrace/../list/list.h \
 src/probes/../list/list.h
