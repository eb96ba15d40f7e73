build-cs5/src/bpf/objects.o: src/bpf/objects.c src/bpf/bpf.h \
 src/bpf/../list/list.h src/bpf/../list/../dump/dump.h \
 src/bpf/../list/../dump/../arch/arch.h \
 src/bpf/../list/../dump/../arch/../otst.h \
 src/bpf/../list/../dump/../arch/bytes.h \
 src/bpf/../list/../dump/../otst.h
